"""The command line decides what the engine does, by the file and the flags."""

from __future__ import annotations

import json

import pytest

from rates.decision import decide, sentences
from rates.presets import PRESETS, preset
from rates.study import Scope
from rates.study.codec import to_json
from tests.rates.made import changed

HOSPITALS = preset("hospitals").study
ALONE = ("verdict", "worth", "equation", "stay_out", "stay_out_loss")
ROWS = {
    "users": ("name", "own", "worth", "gain", "verdict"),
    "against": ("name", "worth"),
    "tips": ("parameter", "value", "verdict"),
}


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_json_is_strict_and_says_what_the_engine_says(entry, run):
    status, data, error = run("decide", to_json(entry.study), "--json")
    found = decide(entry.study)
    assert (status, error) == (0, "")
    said = {key: getattr(found, key) for key in ALONE}
    for key, names in ROWS.items():
        said[key] = [{name: getattr(row, name) for name in names} for row in getattr(found, key)]
        data[key] = [{name: row[name] for name in names} for row in data[key]]
    assert {key: data[key] for key in said} == json.loads(json.dumps(said))


def test_what_nothing_can_be_said_of_is_null(run):
    bare = changed(preset("unequal").study, 0, delta=None)
    status, data, _ = run("decide", to_json(bare), "--json")
    assert (status, data["verdict"], data["missing"]) == (0, "undecided", "University clinic")
    assert data["worth"] == data["users"][0]["gain"] == [None, None]


def test_text_is_the_sentences_and_for_many_users_a_line_each(run):
    status, out, _ = run("decide", to_json(HOSPITALS))
    said = [f"{x.question} {x.text}" for x in sentences(decide(HOSPITALS))]
    assert (status, out.splitlines()) == (0, said)
    study = preset("unequal").study
    _, out, _ = run("decide", to_json(study))
    for user in decide(study).users:
        (line,) = [x for x in out.splitlines() if x.startswith(f"  {user.name}")]
        assert line.endswith(f": {user.verdict}")


def test_what_the_file_says_holds_unless_flags_say_otherwise(run):
    text = to_json(preset("regional").study, Scope(use="others", needed=120, gain=2))
    for flags, asked in (
        ("", ("others", 120, 2)),
        ("--use target --needed 7 --gain 1.05", ("target", 7, 1.05)),
    ):
        data = run("decide", text, *flags.split(), "--json")[1]
        assert (data["use"], data["needed"], data["factor"], data["verdict"]) == (*asked, "yes")
    assert run("decide", to_json(HOSPITALS, Scope()), "--json")[1]["factor"] == 1.25


def test_a_use_of_the_file_that_the_study_lacks_is_said(run):
    text = to_json(HOSPITALS, Scope(use="each"))
    status, data, error = run("decide", text, "--json")
    assert (status, data["use"], error.count("\n")) == (0, "target", 1)
    assert "signal exponent" in error
    assert run("decide", text, "--use", "others")[2] == ""


@pytest.mark.parametrize("flags", ["--use nobody", "--use each", "--needed many", "--gain inf"])
def test_bad_flags_are_refused_in_one_line(flags, run):
    status, out, error = run("decide", to_json(HOSPITALS), *flags.split(), "--json")
    assert (status, out, error.count("\n")) == (2, "", 1)


def test_the_plan_carries_the_decision_of_the_study_as_it_stands(run):
    study = preset("figure1").study
    asked = ["--rate", "0.1", "--quantity", "n", "--servers", "all", "--json"]
    status, data, _ = run("plan", to_json(study), *asked)
    assert status in (0, 3)
    assert data["decision"]["verdict"] == decide(study).verdict
    told = [x["answer"] for x in data["decision"]["sentences"]]
    assert told == [x.text for x in sentences(decide(study))]
