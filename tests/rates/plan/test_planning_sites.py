"""Exchange rates against finite differences, and sites and designs against brute force."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rates import plan as planning
from rates.answer import Lens
from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from rates.study.scenario import Server, Study, TransferStudy
from tests.rates.plan import plan_cases
from tests.rates.plan.plan_cases import INF, fraction_with, log_rate, random_site, random_study

HOSPITALS = preset("hospitals").study


def split(study: Study, j: int) -> tuple[Study, int]:
    """The same study with one site of row j in a row of its own, the last."""
    row = study.servers[j]
    if row.count == 1:
        return study, j
    rows = [replace(s, count=s.count - 1) if s is row else s for s in study.servers]
    return study.with_servers([*rows, replace(row, name="one", count=1)]), len(rows)


@pytest.mark.parametrize("mechanism", plan_cases.WAYS)
def test_exchange_rates_are_ratios_of_finite_differences(mechanism: Any) -> None:
    rng = np.random.default_rng(21)
    compared = 0
    for _ in range(18):
        study = random_study(rng)
        prices = planning.worth(study, lens=Lens(mechanism=mechanism))
        slopes = []
        for j, site in enumerate(study.servers):
            one, k = split(study, j)
            for unit, value in (("n", float(site.n)), ("epsilon", site.epsilon)):
                if math.isinf(value):
                    assert prices.epsilon[j] == 0
                    continue
                h = 1e-5 * value
                low, high = (
                    log_rate(one, {(k, unit): value + x}, mechanism=mechanism) for x in (-h, h)
                )
                slopes.append((-(high - low) / (2 * h), j, unit))
            h = 1e-4
            more = log_rate(study, extra=(site, h), mechanism=mechanism)
            slopes.append((-(more - log_rate(study, mechanism=mechanism)) / h, j, "site"))
        for slope, j, unit in slopes:
            own = {"n": prices.record, "epsilon": prices.epsilon, "site": prices.site}[unit]
            size = float(study.servers[j].n if unit == "n" else 1)
            tolerance = 1e-6 / max(size, 1e-3) + 2e-4 * own[j]
            assert own[j] == pytest.approx(slope, rel=2e-4, abs=tolerance), (study, j, unit)
            compared += 1
        a, b = study.servers[0].name, study.servers[-1].name
        ratio = prices.exchange(a, "record", b, "record")
        assert ratio == pytest.approx(prices.record[0] / prices.record[-1])
    assert compared > 100


def test_first_records_and_exchanges_without_worth() -> None:
    study = TransferStudy(
        target=Server(name="T", n=1000, epsilon=INF),
        sources=[Server(name="Open", n=0, epsilon=INF), Server(name="Closed", n=0, epsilon=1)],
        smoothness=1,
        dimension=1,
        margin=0,
    )
    prices = planning.worth(study)
    assert prices.exchange("Open", "record", "T", "record") == pytest.approx(1)
    assert prices.exchange("T", "record", "Closed", "record") == INF
    assert math.isnan(prices.exchange("Closed", "record", "Closed", "epsilon"))
    with pytest.raises(DomainError, match="row of that name"):
        prices.exchange("Nowhere", "record", "T", "record")


@pytest.mark.deep
def test_the_next_site_is_brute_force_on_random_lists() -> None:
    rng = np.random.default_rng(34)
    for _ in range(200):
        study = random_study(rng, sites=4)
        transfer = isinstance(study, TransferStudy)
        many = int(rng.integers(1, 6))
        list_ = [random_site(rng, f"c{k}", transfer=transfer, most=3) for k in range(many)]
        ranking = {r.name: r for r in planning.best_next(study, list_)}
        assert [r.rank for r in ranking.values()] == list(range(1, many + 1))
        for mechanism, field, rank in (
            (None, "fraction", "rank"),
            ("analytic", "fraction_mechanism", "rank_mechanism"),
        ):
            by_hand = {
                c.name: fraction_with(study, extra=(c, c.count), mechanism=mechanism) for c in list_
            }
            for name, fraction in by_hand.items():
                assert getattr(ranking[name], field) == pytest.approx(fraction, rel=1e-9)
            ranked = sorted(by_hand, key=lambda name: getattr(ranking[name], rank))
            assert ranked == sorted(by_hand, key=by_hand.__getitem__)


def test_ten_thousand_candidates_and_those_without_delta() -> None:
    list_ = [Server(name=f"c{k}", n=k, epsilon=1, signal_exponent=0.8) for k in range(10_000)]
    ranking = planning.best_next(HOSPITALS, list_)
    assert ranking[0].fraction == min(r.fraction for r in ranking)
    assert ranking[0].name != ranking[-1].name
    assert next(r for r in ranking if r.name == "c0").fraction == pytest.approx(1)
    held = [r for r in ranking if r.name != "c0"]  # one without records makes no noise
    assert all(r.rank_mechanism == 0 and math.isnan(r.fraction_mechanism) for r in held)
    with pytest.raises(DomainError, match="at least one candidate"):
        planning.best_next(HOSPITALS, [])
    with pytest.raises(DomainError, match="unique"):
        planning.best_next(HOSPITALS, [list_[5], list_[5]])


def test_changed_rows_are_listed_by_name() -> None:
    rows = [*HOSPITALS.servers[:3], Server(name="Basel", n=50, epsilon=2, count=3)]
    rows[1] = replace(rows[1], n=400, epsilon=INF)
    found = planning.differences(HOSPITALS, HOSPITALS.with_servers(rows))
    assert [(c.site, c.field, c.first, c.second) for c in found] == [
        ("Cleveland", "n", 303, 400),
        ("Cleveland", "epsilon", 1, INF),
        (HOSPITALS.servers[3].name, "row", HOSPITALS.servers[3].n, None),
        ("Basel", "row", None, 150),
    ]
    assert planning.differences(HOSPITALS, HOSPITALS) == ()


def test_designs_side_by_side() -> None:
    a = HOSPITALS
    b = a.with_servers([replace(a.servers[0], n=900, epsilon=0.3), *a.servers[2:]])
    curve = planning.versus_curve([a, b], np.geomspace(0.01, 100, 41))
    for lines, mechanism in ((curve.equation, None), (curve.mechanism, "analytic")):
        worth = [plan_cases.effective_n(x, mechanism) for x in (a, b)]
        assert [line[20] for line in lines] == pytest.approx(worth)
    assert curve.crossings
    for factor in curve.crossings:  # the lead changes where both are nearly equal
        at = planning.versus_curve([a, b], [factor])
        assert at.equation[0][0] == pytest.approx(at.equation[1][0], rel=0.02)
    bare = a.with_servers([replace(s, delta=None) for s in a.servers])
    curve = planning.versus_curve([a, bare], [1])
    assert np.isnan(curve.mechanism).all()
    assert np.isfinite(curve.equation).all()
    for other in (replace(a, margin=0), preset("unequal").study):
        with pytest.raises(DomainError, match="of one kind and have the same parameters"):
            planning.versus_curve([a, other], [1])
