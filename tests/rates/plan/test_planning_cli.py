"""`python -m rates plan`: the library's value, strict JSON, exit status 0, 2 or 3."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import rates
from rates import plan as planning
from rates.__main__ import main
from rates.answer import Lens
from rates.study import codec
from rates.study.presets import preset
from rates.study.scenario import Server

ROOT = Path(__file__).resolve().parents[3]
HOSPITALS = preset("hospitals").study


def refuse(text: str) -> object:
    raise AssertionError(text)


@pytest.fixture
def hospitals(tmp_path: Path) -> str:
    path = tmp_path / "study.json"
    path.write_text(codec.to_json(HOSPITALS), "utf-8")
    return str(path)


def plan(study: str, rate: str, quantity: str, servers: str, *more: str) -> list[str]:
    return [
        "plan", study, "--rate", rate, "--quantity", quantity, "--servers", servers, *more
    ]  # fmt: skip


def test_the_value_is_the_librarys(hospitals: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(plan(hospitals, "0.08", "n", "Hungary", "--json")) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=refuse)
    value = rates.smallest(HOSPITALS, "n", "Hungary", rate=0.08)
    assert data["value"] == value
    assert (data["quantity"], data["servers"], data["reached"]) == ("n", "Hungary", True)
    assert (data["best"], data["reason"]) == (None, "")
    fraction = 0.08 / rates.solve(HOSPITALS).rate
    named = planning.needed(
        HOSPITALS, "n", "Hungary", fraction=fraction, lens=Lens(mechanism="analytic")
    )
    assert data["mechanism_value"] == pytest.approx(named.value)
    assert main(plan(hospitals, "0.08", "n", "Hungary")) == 0
    text = capsys.readouterr().out
    assert f"{value:.6g}" in text
    assert f"{named.value:.6g}" in text


def test_out_of_reach_is_status_3(hospitals: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(plan(hospitals, "0.05", "epsilon", "all", "--json")) == 3
    caught = capsys.readouterr()
    data = json.loads(caught.out, parse_constant=refuse)
    assert (data["reached"], data["value"]) == (False, None)
    assert data["mechanism_value"] > 1
    assert main(plan(hospitals, "0.05", "epsilon", "all")) == 3
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.count("\n") == 1
    assert "even without privacy at all of them" in caught.err


def test_a_rate_that_is_met_gives_what_would_be_enough(
    hospitals: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(plan(hospitals, "0.5", "epsilon", "all", "--json")) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert 0 < data["value"] < 1
    assert data["mechanism_value"] is None
    assert "enough" in data["mechanism_reason"]


@pytest.mark.parametrize(
    ("rate", "quantity", "servers", "words"),
    [
        ("0", "n", "all", "between 0 and 1"),
        ("1.5", "n", "all", "between 0 and 1"),
        ("nan", "n", "all", "between 0 and 1"),
        ("inf", "n", "all", "between 0 and 1"),
        ("0.05", "n", "Nowhere", "must be one of Hungary"),
    ],
)
def test_bad_arguments_are_status_2_and_one_line(
    rate: str,
    quantity: str,
    servers: str,
    words: str,
    hospitals: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(plan(hospitals, rate, quantity, servers, "--json")) == 2
    caught = capsys.readouterr()
    assert (caught.out, caught.err.count("\n")) == ("", 1)
    assert words in caught.err


def ask(study: str, *more: str) -> list[str]:
    return ["plan", study, *more]


SITE = ("--site-n", "400", "--site-epsilon", "1", "--site-delta", "1e-6", "--site-gamma", "1")


def test_a_value_too_large_for_a_number_is_out_of_reach(
    hospitals: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(plan(hospitals, "1e-300", "n", "all")) == 3
    caught = capsys.readouterr()
    assert caught.out == ""
    assert "too large for a number" in caught.err
    assert main(plan(hospitals, "1e-300", "n", "all", "--json")) == 3
    data = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert (data["reached"], data["value"]) == (False, None)
    assert data["reason"]


@pytest.mark.parametrize(
    ("lever", "servers"),
    [
        ("n", "all"),
        ("n", "Cleveland"),
        ("epsilon", HOSPITALS.servers[2].name),
        ("count", "Cleveland"),
        ("signal_exponent", "Cleveland"),
    ],
)
def test_a_fraction_and_every_lever_are_the_plan_pages(
    lever: str, servers: str, hospitals: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fraction = 0.95
    status = main(
        ask(hospitals, "--fraction", "0.95", "--quantity", lever, "--servers", servers, "--json")
    )
    data = json.loads(capsys.readouterr().out, parse_constant=refuse)
    for mechanism, name in ((None, "value"), ("analytic", "mechanism_value")):
        try:
            found = planning.needed(
                HOSPITALS, lever, servers, fraction=fraction, lens=Lens(mechanism=mechanism)
            ).value
        except planning.Unreachable:
            found = None
        assert data[name] == (None if found is None else pytest.approx(found, rel=1e-12))
    assert status == (0 if data["value"] is not None else 3)
    assert data["fraction"] == pytest.approx(fraction)
    assert data["rate"] == pytest.approx(fraction * rates.solve(HOSPITALS).rate)


def test_further_sites_are_asked_for_by_their_numbers(
    hospitals: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--fraction", "0.5", "--quantity", "sites", *SITE)
    assert main(ask(hospitals, *options, "--json")) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=refuse)
    kind = Server(name="new", n=400, epsilon=1, delta=1e-6, signal_exponent=1)
    for mechanism, name in ((None, "value"), ("analytic", "mechanism_value")):
        found = planning.needed(
            HOSPITALS, "sites", fraction=0.5, kind=kind, lens=Lens(mechanism=mechanism)
        )
        assert data[name] == pytest.approx(found.value)
    assert data["servers"] == ""
    assert main(ask(hospitals, *options)) == 0
    assert "the study needs" in capsys.readouterr().out


def test_an_absolute_rate_goes_with_every_lever(
    hospitals: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--quantity", "count", "--servers", "Cleveland", "--json")
    assert main(ask(hospitals, "--rate", "0.08", *options)) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=refuse)
    fraction = 0.08 / rates.solve(HOSPITALS).rate
    found = planning.needed(HOSPITALS, "count", "Cleveland", fraction=fraction)
    assert data["value"] == pytest.approx(found.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--quantity", "n", "--servers", "all"), "one of the arguments --rate --fraction"),
        (("--rate", "0.1", "--fraction", "0.5", "--quantity", "n"), "not allowed with"),
        (("--fraction", "1", "--quantity", "n", "--servers", "all"), "must be below 1"),
        (("--fraction", "0", "--quantity", "n", "--servers", "all"), "must be above 0"),
        (("--fraction", "nan", "--quantity", "n", "--servers", "all"), "between 0 and 1"),
        (("--fraction", "0.5", "--quantity", "n"), "--servers must be a row's name, or all"),
        (("--fraction", "0.5", "--quantity", "count", "--servers", "all"), "for n and epsilon"),
        (("--rate", "0.5", "--quantity", "count", "--servers", "Cleveland"), "must be below 1"),
        (("--rate", "2", "--quantity", "count", "--servers", "Cleveland"), "between 0 and 1"),
        (("--fraction", "0.5", "--quantity", "sites"), "needs --site-n"),
        (("--fraction", "0.5", "--quantity", "sites", *SITE[:6]), "needs --site-gamma"),
        (("--fraction", "0.5", "--quantity", "sites", *SITE, "--site-n", "-1"), "field n: got -1"),
        (("--fraction", "0.5", "--quantity", "sites", *SITE, "--servers", "all"), "not used"),
        (("--fraction", "0.5", "--quantity", "n", "--servers", "all", *SITE), "sites only"),
    ],
)
def test_what_does_not_go_together_is_status_2(
    options: tuple[str, ...], words: str, hospitals: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(ask(hospitals, *options))
    except SystemExit as stop:
        status = int(str(stop.code))
    assert status == 2
    caught = capsys.readouterr()
    assert (caught.out, caught.err.count("\n")) == ("", 1)
    assert words in caught.err


def test_the_help_names_what_may_change(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["plan", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for word in (*planning.LEVERS, "--fraction", "--site-n", "bandwidth 2 r", "Exit status"):
        assert word in text


def test_bad_options_and_silent_studies_show_no_traceback(hospitals: str, tmp_path: Path) -> None:
    mute = HOSPITALS.with_servers([replace(s, n=0) for s in HOSPITALS.servers])
    file = tmp_path / "mute.json"
    file.write_text(codec.to_json(mute), "utf-8")
    for arguments, status in (
        (plan(hospitals, "0.1", "gamma", "all"), 2),
        (plan(hospitals, "much", "n", "all"), 2),
        (plan(str(file), "0.1", "epsilon", "all"), 3),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "rates", *arguments],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )
        assert done.returncode == status, done.stderr
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr


def test_every_preset_can_be_planned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rates.study.presets import PRESETS

    for entry in PRESETS:
        path = tmp_path / f"{entry.key}.json"
        path.write_text(codec.to_json(entry.study), "utf-8")
        for quantity in ("n", "epsilon"):
            for servers in ("all", entry.study.servers[-1].name):
                assert main(plan(str(path), "0.01", quantity, servers, "--json")) in (0, 3)
                json.loads(capsys.readouterr().out, parse_constant=refuse)
