"""`python -m rates plan`: the library's value, strict JSON, exit status 0, 2 or 3."""

from __future__ import annotations

import pytest

import rates
from rates.study import preset
from rates.study.codec import to_json
from tests.rates.made import site
from tests.rates.plan.plan_cases import found

HOSPITALS = preset("hospitals").study
TEXT = to_json(HOSPITALS)
SITE = "--site-n 400 --site-epsilon 1 --site-delta 1e-6 --site-gamma 1"


def test_the_value_is_the_librarys(run):
    line = ["--rate", "0.08", "--quantity", "n", "--servers", "Hungary"]
    _, data, _ = run("plan", TEXT, *line, "--json")
    value = rates.smallest(HOSPITALS, "n", "Hungary", rate=0.08)
    told = [data[x] for x in ("value", "quantity", "servers", "reached", "best", "reason")]
    assert told == [value, "n", "Hungary", True, None, ""]
    text = run("plan", TEXT, *line)[1]
    assert f"{value:.6g}" in text
    assert f"{data['mechanism_value']:.6g}" in text


def test_out_of_reach_is_status_3(run):
    line = ["--rate", "0.05", "--quantity", "epsilon", "--servers", "all"]
    status, data, _ = run("plan", TEXT, *line, "--json")
    assert (status, data["reached"], data["value"]) == (3, False, None)
    assert data["mechanism_value"] > 1
    status, out, error = run("plan", TEXT, *line)
    assert (status, out, error.count("\n")) == (3, "", 1)
    assert "even without privacy at all of them" in error


LEVERS = [("n", "all"), ("epsilon", HOSPITALS.servers[2].name), ("sites", "")]
LEVERS += [(lever, "Cleveland") for lever in ("n", "count", "signal_exponent")]


@pytest.mark.parametrize("goal", ["fraction", "rate"])
@pytest.mark.parametrize(("lever", "servers"), LEVERS)
def test_every_lever_is_the_plan_pages(goal, lever, servers, run):
    fraction, rate = 0.95, 0.95 * rates.solve(HOSPITALS).rate
    kind = site("new", 400) if lever == "sites" else None
    options = SITE.split() if kind else ("--servers", servers)
    line = f"--{goal} {fraction if goal == 'fraction' else rate!r} --quantity {lever} --json"
    wanted = [
        found(HOSPITALS, lever, servers, fraction=fraction, kind=kind, mechanism=mechanism)
        for mechanism in (None, "analytic")
    ]
    status, data, _ = run("plan", TEXT, *line.split(), *options)
    assert status == (0 if wanted[0] else 3)
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
        (f"--fraction 0.5 --quantity sites {SITE} --site-n -1", "field n: got -1"),
        (f"--fraction 0.5 --quantity sites {SITE} --servers all", "not used"),
        (f"--fraction 0.5 --quantity n --servers all {SITE}", "sites only"),
    ],
)
def test_bad_options_are_status_2_and_one_line(options, words, run):
    status, out, error = run("plan", TEXT, *options.split())
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert words in error
