"""`python -m rates plan`: the library's value, strict JSON, exit status 0, 2 or 3."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rates
from rates.__main__ import main
from rates.study import codec
from rates.study.presets import preset
from rates.study.scenario import Server
from tests.rates.plan.plan_cases import found

HOSPITALS = preset("hospitals").study
SITE = ("--site-n", "400", "--site-epsilon", "1", "--site-delta", "1e-6", "--site-gamma", "1")
Run = Callable[..., tuple[int, str, str]]


def refuse(text: str) -> object:
    raise AssertionError(text)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Plan with a line of options; the exit status, what is printed, what is complained about."""

    def ran(line: str, *more: str) -> tuple[int, str, str]:
        path = tmp_path / "study.json"
        path.write_text(codec.to_json(HOSPITALS), "utf-8")
        try:
            status = main(["plan", str(path), *line.split(), *more])
        except SystemExit as stop:
            status = int(str(stop.code))
        said = capsys.readouterr()
        return status, said.out, said.err

    return ran


def data_of(run: Run, line: str, *more: str, status: int = 0) -> dict[str, Any]:
    """What is printed as strict JSON."""
    ended, out, _ = run(line, "--json", *more)
    assert ended == status
    return dict(json.loads(out, parse_constant=refuse))


def test_the_value_is_the_librarys(run: Run) -> None:
    line = "--rate 0.08 --quantity n --servers Hungary"
    data = data_of(run, line)
    value = rates.smallest(HOSPITALS, "n", "Hungary", rate=0.08)
    assert data["value"] == value
    assert (data["quantity"], data["servers"], data["reached"]) == ("n", "Hungary", True)
    assert (data["best"], data["reason"]) == (None, "")
    text = run(line)[1]
    assert f"{value:.6g}" in text
    assert f"{data['mechanism_value']:.6g}" in text


def test_out_of_reach_is_status_3(run: Run) -> None:
    line = "--rate 0.05 --quantity epsilon --servers all"
    data = data_of(run, line, status=3)
    assert (data["reached"], data["value"]) == (False, None)
    assert data["mechanism_value"] > 1
    status, out, error = run(line)
    assert (status, out, error.count("\n")) == (3, "", 1)
    assert "even without privacy at all of them" in error


@pytest.mark.parametrize("goal", ["fraction", "rate"])
@pytest.mark.parametrize(
    ("lever", "servers"),
    [
        ("n", "all"),
        ("n", "Cleveland"),
        ("epsilon", HOSPITALS.servers[2].name),
        ("count", "Cleveland"),
        ("signal_exponent", "Cleveland"),
        ("sites", ""),
    ],
)
def test_every_lever_is_the_plan_pages(goal: str, lever: str, servers: str, run: Run) -> None:
    fraction = 0.95
    kind = Server(name="new", n=400, epsilon=1, delta=1e-6) if lever == "sites" else None
    options = SITE if kind else ("--servers", servers)
    rate = fraction * rates.solve(HOSPITALS).rate
    line = f"--{goal} {fraction if goal == 'fraction' else rate!r} --quantity {lever}"
    wanted = [
        found(HOSPITALS, lever, servers, fraction=fraction, kind=kind, mechanism=mechanism)
        for mechanism in (None, "analytic")
    ]
    data = data_of(run, line, *options, status=0 if wanted[0] else 3)
    for need, name in zip(wanted, ("value", "mechanism_value"), strict=True):
        assert data[name] == (None if need is None else pytest.approx(need.value, rel=1e-9))
    assert data["servers"] == servers
    assert (data["fraction"], data["rate"]) == pytest.approx((fraction, rate))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--rate 0 --quantity n --servers all", "between 0 and 1"),
        ("--rate 0.5 --quantity count --servers Cleveland", "must be below 1"),
        ("--rate 0.05 --quantity n --servers Nowhere", "must be one of Hungary"),
        ("--rate 0.1 --quantity gamma --servers all", "invalid choice"),
        ("--fraction 0.5 --quantity n", "--servers must be a row's name, or all"),
        ("--fraction 0.5 --quantity sites", "needs --site-n"),
        (f"--fraction 0.5 --quantity sites {' '.join(SITE)} --site-n -1", "field n: got -1"),
        (f"--fraction 0.5 --quantity sites {' '.join(SITE)} --servers all", "not used"),
        (f"--fraction 0.5 --quantity n --servers all {' '.join(SITE)}", "sites only"),
    ],
)
def test_bad_options_are_status_2_and_one_line(options: str, words: str, run: Run) -> None:
    status, out, error = run(options)
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert words in error
