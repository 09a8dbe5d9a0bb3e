"""Envelopes: they contain what is drawn, are attained, agree with `solve`, and rank by effect."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from rates.answer import privacy_cost
from rates.fit.extremes import Problem, box, envelope
from rates.numbers import DomainError
from rates.study import FederatedStudy, Scope, preset
from tests.depth import deep_after
from tests.golden.envelopes import FILE as SLOW
from tests.golden.envelopes import answers, draw
from tests.golden.envelopes import random_study as random_case
from tests.rates.made import everywhere, site, transfer

DRAWS = 10_000
HOSPITALS = preset("hospitals").study
CURVE = preset("unequal").study


def random_study(sites: int, dimension: int, seed: int):
    rng = np.random.default_rng(seed)
    n, epsilon = 10 ** rng.uniform(1.5, 5, sites), 10 ** rng.uniform(-1.5, 1, sites)
    rows = (site(f"S{k}", int(n[k]), float(epsilon[k])) for k in range(sites))
    return transfer(*rows, d=dimension, alpha=0.5)


WIDE = Scope(smoothness=(0.2, 1.0), margin=(0.5, 4.0), signal=(("S1", (0.3, 3.0)),))
CASES = {
    "hospitals": (HOSPITALS, Scope(), "classification"),
    "six sites": (random_study(6, 3, 5), WIDE, "classification"),
    "cut": (random_study(5, 1, 7), WIDE, "classification"),
    "trivial": (everywhere(random_study(3, 2, 8), n=2, epsilon=0.1), Scope(), "classification"),
    "integrated": (CURVE, Scope(), "integrated"),
    "pointwise": (CURVE, Scope(), "pointwise"),
}


def problems(study, risk, ranges):
    """A study over ranges by either answer."""
    return Problem(study, risk, ranges), Problem(study, risk, ranges, named=True)


@pytest.mark.parametrize("case", CASES)
def test_every_solution_drawn_inside_lies_inside(case):
    study, scope, risk = CASES[case]
    found = envelope(study, scope, risk)
    spreads = (found.equation, found.mechanism)
    for problem, spread in zip(problems(study, risk, found.box), spreads, strict=True):
        rng = np.random.default_rng(99)
        x = draw(problem, DRAWS, rng)
        drawn = answers(problem, x, rng.integers(0, len(problem.kappas), DRAWS))
        for name in ("rate", "kept", "cost"):
            interval, logs = getattr(spread, name), drawn[name]
            assert logs.min() >= math.log(interval.low) - 1e-9, name
            assert logs.max() <= math.log(interval.high) + 1e-9, name


def there(study, x):
    """The study with the parameters of a point."""
    if isinstance(study, FederatedStudy):
        return replace(study, smoothness=x[0], integrability=math.inf)
    sites = [replace(s, signal_exponent=g) for s, g in zip(study.servers, x[2:], strict=True)]
    margin = min(x[1], study.dimension / x[0])
    return replace(study.with_servers(sites), smoothness=x[0], margin=margin)


@pytest.mark.parametrize("case", ["hospitals", "six sites", "cut", "integrated"])
def test_every_point_is_answered_as_by_the_scalar_engine(case):
    study, scope, risk = CASES[case]
    for problem in problems(study, risk, box(study, scope)):
        x = draw(problem, 20, np.random.default_rng(2))
        index = np.arange(20) % len(problem.kappas)
        found = answers(problem, x, index)
        assert np.allclose(found["rate"], problem.log_rate(x, index), rtol=1e-12)
        for k, row in enumerate(x.tolist()):
            cost = privacy_cost(there(study, row))[0]
            part = cost.mechanism[index[k]] if problem.smooth else cost.equation
            value = {"rate": part.answer.rate, "kept": part.kept, "cost": part.rate_ratio}
            for name, exact in value.items():
                assert exact == pytest.approx(math.exp(found[name][k]), rel=1e-9), name


def test_a_missing_delta_keeps_the_equation():
    found = envelope(everywhere(HOSPITALS, delta=None), Scope(), "classification")
    assert found.mechanism is None
    assert "delta" in str(found.missing)
    assert found.equation == envelope(HOSPITALS, Scope(), "classification").equation


@pytest.mark.parametrize(
    ("study", "scope", "words"),
    [
        (HOSPITALS, Scope(smoothness=(0.5, 1.5)), "0 < beta <= 1"),
        (HOSPITALS, Scope(smoothness=(1, 1), margin=(3, 4)), "everywhere in the ranges"),
        (CURVE, Scope(smoothness=(0.6, 1)), "must exceed 1/2 everywhere"),
        (CURVE, Scope(margin=(0, 1)), "no margin"),
        (everywhere(HOSPITALS, epsilon=0), Scope(), "records and a positive budget"),
    ],
)
def test_ranges_outside_the_theory_are_refused(study, scope, words):
    with pytest.raises(DomainError, match=words):
        envelope(study, scope, study.risks[0])


def test_the_edge_of_the_cut_is_allowed():
    ranges = box(random_study(2, 1, 1), Scope(smoothness=(0.5, 1.0), margin=(1.0, 1.0)))
    assert ranges.cut == ""
    ranges = box(random_study(2, 1, 1), Scope(smoothness=(0.5, 1.0), margin=(1.0, 3.0)))
    assert ranges.margin == (1.0, 2.0)
    assert ranges.smoothness == (0.5, 1.0)


@pytest.mark.parametrize("step", deep_after(1, [20, 4]))
def test_no_end_lies_inside_what_a_slow_search_reaches(step):
    """Logs of kept and cost, lowest and highest, by both answers.

    The slow search knows no derivative, no family and no group (tests/golden/envelopes.py).
    """
    rows = []
    for seed in range(0, 200, step):
        found = envelope(*random_case(seed), "classification")
        spreads = (found.equation, found.mechanism)
        rows.append([x for spread in spreads for x in (spread.kept, spread.cost)])
    found = np.log([[end for x in row for end in (x.low, x.high)] for row in rows])
    beyond = (np.array(json.loads(SLOW.read_text()))[::step] - found) * np.array([-1.0, 1.0] * 4)
    assert beyond.max() < 1e-3
    assert np.quantile(beyond, 0.9) < 2e-4


def test_what_moves_the_rate_is_in_order_and_without_what_does_not():
    found = envelope(HOSPITALS, Scope(smoothness=(0.5, 0.5)), "classification")
    assert [e.kind for e in found.moving] == [e.kind for e in found.effects if e.log_range]
    assert found.moving[0].log_range == max(e.log_range for e in found.effects) > 0
    assert "smoothness" not in {e.kind for e in found.moving}
