"""The command line decides what the engine does, by the file and the flags."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rates.__main__ import main
from rates.decision import decide, sentences
from rates.presets import PRESETS, preset
from rates.study import Scope, Study, codec

ALONE = ("verdict", "worth", "equation", "stay_out", "stay_out_loss")
ROWS = {
    "users": ("name", "own", "worth", "gain", "verdict"),
    "against": ("name", "worth"),
    "tips": ("parameter", "value", "verdict"),
}


@pytest.fixture
def run(tmp_path, capsys):
    """Decide a study of a file; the exit status, what is printed, and what is complained about."""

    def ran(study: Study, *flags: str, scope: Scope | None = None) -> tuple[int, str, str]:
        path = tmp_path / "study.json"
        path.write_text(codec.to_json(study, scope), encoding="utf-8")
        try:
            status = main(["decide", str(path), *flags])
        except SystemExit as end:
            status = int(end.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return ran


def refused(text: str) -> object:
    raise AssertionError(text)


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_json_is_strict_and_says_what_the_engine_says(entry, run):
    status, out, error = run(entry.study, "--json")
    data, found = json.loads(out, parse_constant=refused), decide(entry.study)
    assert (status, error) == (0, "")
    said = {key: getattr(found, key) for key in ALONE}
    for key, names in ROWS.items():
        said[key] = [{name: getattr(row, name) for name in names} for row in getattr(found, key)]
        data[key] = [{name: row[name] for name in names} for row in data[key]]
    assert {key: data[key] for key in said} == json.loads(json.dumps(said))


def test_what_nothing_can_be_said_of_is_null(run):
    study = preset("unequal").study
    bare = study.with_servers([replace(study.servers[0], delta=None), *study.servers[1:]])
    status, out, _ = run(bare, "--json")
    data = json.loads(out, parse_constant=refused)
    assert (status, data["verdict"], data["missing"]) == (0, "undecided", "University clinic")
    assert data["worth"] == [None, None]
    assert data["users"][0]["gain"] == [None, None]


def test_text_is_the_sentences_and_for_many_users_a_line_each(run):
    study = preset("hospitals").study
    status, out, _ = run(study)
    assert status == 0
    assert out.splitlines() == [f"{x.question} {x.text}" for x in sentences(decide(study))]
    _, out, _ = run(preset("unequal").study)
    for user in decide(preset("unequal").study).users:
        (line,) = [x for x in out.splitlines() if x.startswith(f"  {user.name}")]
        assert line.endswith(f": {user.verdict}")


def test_what_the_file_says_holds_unless_flags_say_otherwise(run):
    study, scope = preset("regional").study, Scope(use="others", needed=120, gain=2)
    data = json.loads(run(study, "--json", scope=scope)[1])
    assert (data["use"], data["needed"], data["factor"]) == ("others", 120, 2)
    assert data["verdict"] == "yes"
    flags = ("--use", "target", "--needed", "7", "--gain", "1.05", "--json")
    data = json.loads(run(study, *flags, scope=scope)[1])
    assert (data["use"], data["needed"], data["factor"]) == ("target", 7, 1.05)
    assert data["verdict"] == "yes"
    assert json.loads(run(study, "--json", scope=Scope())[1])["factor"] == 1.25


def test_a_use_of_the_file_that_the_study_lacks_is_said(run):
    status, out, error = run(preset("hospitals").study, "--json", scope=Scope(use="each"))
    assert (status, json.loads(out)["use"]) == (0, "target")
    assert "signal exponent" in error
    assert error.count("\n") == 1
    assert run(preset("hospitals").study, "--use", "others", scope=Scope(use="each"))[2] == ""


@pytest.mark.parametrize(
    "flags",
    [
        ("--use", "nobody"),
        ("--use", "each"),
        ("--needed", "many"),
        ("--gain", "inf"),
    ],
)
def test_bad_flags_are_refused_in_one_line(flags, run):
    status, out, error = run(preset("hospitals").study, *flags, "--json")
    assert (status, out) == (2, "")
    assert error.count("\n") == 1


def test_the_plan_carries_the_decision_of_the_study_as_it_stands(run, tmp_path, capsys):
    study = preset("figure1").study
    run(study)
    asked = ["--rate", "0.1", "--quantity", "n", "--servers", "all", "--json"]
    assert main(["plan", str(tmp_path / "study.json"), *asked]) in (0, 3)
    told = json.loads(capsys.readouterr().out)["decision"]
    assert told["verdict"] == decide(study).verdict
    assert [x["answer"] for x in told["sentences"]] == [x.text for x in sentences(decide(study))]
