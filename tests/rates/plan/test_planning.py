"""One unknown at a time: values put back into the equations by another method, and refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rates import plan as planning
from rates.answer import Lens
from rates.numbers import DomainError
from rates.study import TransferStudy, preset
from tests.rates.made import INF, everywhere, site, transfer
from tests.rates.plan import plan_cases
from tests.rates.plan.plan_cases import changed, found, fraction_with, random_study

HOSPITALS = preset("hospitals").study
UNEQUAL = preset("unequal").study


@pytest.mark.parametrize("mechanism", plan_cases.WAYS)
def test_values_reach_the_rate_and_a_thousandth_less_does_not(mechanism: Any) -> None:
    rng = np.random.default_rng(3 if mechanism else 2)
    reached = dict.fromkeys(planning.LEVERS, 0)
    missed = dict.fromkeys(planning.LEVERS, 0)
    some = 0
    for _ in range(60):
        study = random_study(rng)
        classifier = isinstance(study, TransferStudy)
        how: dict[str, Any] = {"mechanism": mechanism}
        how |= {} if classifier or rng.uniform() < 0.5 else {"risk": "pointwise"}
        fraction = float(rng.uniform(0.6, 0.995))
        for lever in ("n", "epsilon", "count", "signal_exponent"):
            wide = lever in ("n", "epsilon")
            names = [s.name for s in study.servers[classifier and not wide :]] + ["all"] * wide
            if not names or (lever == "signal_exponent" and not classifier):
                continue
            site = str(rng.choice(names))
            record = found(study, lever, site, fraction=fraction, **how)
            if record is None:
                missed[lever] += 1
                unlimited = {"epsilon": INF, "signal_exponent": 1e-9}[lever]
                at_best = fraction_with(study, changed(study, lever, site, unlimited), **how)
                assert at_best > fraction * (1 - 1e-6), (lever, site)
                continue
            reached[lever] += 1
            less = 1.001 if lever == "signal_exponent" else 0.999  # a larger exponent is weaker
            there, before = (
                fraction_with(study, changed(study, lever, site, record.value * x), **how)
                for x in (1.0, less)
            )
            assert there == pytest.approx(fraction, rel=1e-7), (lever, site, study)
            # A row with a tiny part moves the rate by less than the other method's rounding.
            assert before > there * (1 - 1e-7)
            some += before > there * (1 + 1e-7)
        kind = plan_cases.random_site(rng, "new", transfer=classifier)
        record = found(study, "sites", "all", fraction=fraction, kind=kind, **how)
        assert record is not None
        reached["sites"] += 1
        there = fraction_with(study, extra=(kind, record.value), **how)
        assert there == pytest.approx(fraction, rel=1e-7)
    assert min(reached.values()) >= 5, reached
    assert some > 0.8 * (sum(reached.values()) - reached["sites"])
    assert min(missed["epsilon"], missed["signal_exponent"]) >= 5, missed


def test_a_missing_delta_leaves_the_equation() -> None:
    table = planning.levers(everywhere(HOSPITALS, delta=None), 0.5)
    assert "needs delta" in table.missing
    assert all(x.mechanism is None for x in table.levers)
    assert "mechanism" not in table.levers[0].sentence
    bare = everywhere(UNEQUAL, delta=None)
    assert planning.levers(bare, 0.5, lens=Lens(risk="pointwise")).missing == ""


def test_sites_that_carry_nothing_say_so() -> None:
    silent, free = site("Silent", 100, 0, None), site("Open", 100, INF)
    study = transfer(site("T", 100), site("Empty", 0), silent, free, beta=1, d=1, alpha=0)
    rows = {(x.lever, x.site): x for x in planning.levers(study, 0.8).levers}
    assert "releases nothing" in rows["n", "Silent"].equation.reason
    # A row without records gets as many as one that has them needs in its place.
    assert rows["n", "Empty"].equation.reached
    silent = rows["epsilon", "Silent"]
    assert silent.equation.reached == (silent.equation.value > 0)
    assert silent.mechanism is not None
    assert "needs a delta, which is not stated" in silent.mechanism.reason
    with pytest.raises(planning.Unreachable, match="carries nothing"):
        planning.needed(study, "sites", fraction=0.5, kind=site("mute", 9, 0))


@pytest.mark.parametrize("fraction", [1, 1.5, 0, -1, math.nan, "half", True])
def test_fractions_out_of_range_say_what_holds(fraction: Any) -> None:
    with pytest.raises(DomainError, match="wanted fraction of today's rate must be"):
        planning.levers(HOSPITALS, fraction)


def test_arguments_are_checked() -> None:
    for risks in ((0.3, 0.3), (0.3, 0.4), (INF, 1), (0.3, -1), (0.3, math.nan)):
        with pytest.raises(DomainError, match="wanted < now"):
            planning.fraction_of_risk(*risks)
    refused: list[tuple[str, dict[str, Any]]] = [
        ("lever must be one of", {"lever": "delta"}),
        ("row must be one of", {"lever": "n", "site": "Nowhere"}),
        ("defined for n and epsilon", {"lever": "count", "site": "all"}),
        ("need a kind", {"lever": "sites"}),
        ("risk must be", {"lever": "n", "lens": Lens(risk="integrated")}),
    ]
    for words, given in refused:
        with pytest.raises(DomainError, match=words):
            planning.needed(HOSPITALS, fraction=0.5, **given)
    with pytest.raises(DomainError, match="needs a site that carries information"):
        planning.levers(everywhere(HOSPITALS, n=0), 0.5)
    with pytest.raises(planning.Unreachable, match="is the target"):
        planning.needed(HOSPITALS, "count", "Hungary", fraction=0.5)
    with pytest.raises(planning.Unreachable, match="share one curve"):
        planning.needed(UNEQUAL, "signal_exponent", "Day clinic", fraction=0.5)
