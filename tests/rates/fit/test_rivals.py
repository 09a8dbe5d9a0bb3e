"""Rivals of a study: limiting cases, `solve` and `calibrated`, other methods, and exact risks."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.answer import Lens
from rates.fit.rival_rates import KINDS, Curator, Outcome, Pool, Rival, best_weights, rivals
from rates.numbers import DomainError
from rates.study import Study, TransferStudy, preset
from tests.depth import examples
from tests.rates.answer.test_laws import powers
from tests.rates.answer.test_laws import servers as some_servers
from tests.rates.made import CASES, changed, curve, everywhere, part, site, transfer

HOSPITALS = preset("hospitals").study


def table(study: Study, risk: str, curator: Curator | None = None) -> dict[str, Rival]:
    out = rivals(study, curator, lens=Lens(risk=risk))
    assert tuple(r.kind for r in out) == KINDS
    return {r.kind: r for r in out}


def answers(row: Rival) -> list[Outcome]:
    return [*row.equation, *row.mechanism]


@pytest.mark.parametrize(("study", "risk"), CASES[:3])
def test_the_best_site_alone_is_the_best_of_all(study, risk):
    found = answers(table(study, risk)["alone"])[:2]
    for mine, solve in zip(found, (rates.solve, partial(rates.calibrated, kappa=1)), strict=True):
        worth = {}
        for k, server in enumerate(study.servers):
            lone = changed(everywhere(study, n=0), k, n=server.n, count=1)
            worth[server.name] = part(solve(lone), risk).effective_n
        assert mine.effective_n == pytest.approx(max(worth.values()), rel=1e-9)
        assert worth[mine.site] == pytest.approx(max(worth.values()), rel=1e-9)


@pytest.mark.parametrize(("study", "risk"), CASES[:3])
def test_in_house_is_worth_the_records_that_are_there(study, risk):
    rows = table(study, risk)
    house, sizes = rows["house"], [s.n for s in study.servers if s.n]
    one = isinstance(study, TransferStudy)
    ends = [study.target.n] if one else sorted({max(sizes), min(sizes)}, reverse=True)
    whole = answers(rows["study"])
    found = [x.effective_n for x in answers(house)]
    assert found == pytest.approx(ends * len(whole))
    for k, mine in enumerate(answers(house)):
        other = whole[k // len(ends)].effective_n
        assert mine.kept == pytest.approx(mine.effective_n / other, rel=1e-6)


def no_better(low: Outcome, high: Outcome) -> bool:
    if math.isinf(high.log_r):
        return low.log_r == high.log_r
    return low.log_r >= high.log_r - 1e-9 * max(1, abs(high.log_r))


@st.composite
def studies(draw) -> tuple[Study, str]:
    classifier = draw(st.booleans())
    rows = draw(some_servers(target=classifier))
    if classifier:
        beta, d = draw(st.floats(0.2, 1)), draw(st.integers(1, 5))
        return transfer(*rows, beta=beta, d=d, alpha=0.5), "classification"
    risk = draw(st.sampled_from(["integrated", "pointwise"]))
    return curve(*rows, alpha=draw(st.floats(1, 3)), p=4), risk


@given(studies(), powers(-2, 1), powers(-9, -3))
@examples(80)
def test_laws_of_the_table(given_study, epsilon, delta):
    study, risk = given_study
    curator = Curator(epsilon=epsilon, delta=delta)
    rows = table(study, risk, curator)
    solved = [rows[k] for k in KINDS if rows[k].equation]
    for row in solved:
        assert len(row.mechanism) == len(row.equation) * (3 if risk == "classification" else 1)
    for a, b in (("alone", "study"), ("study", "unprotected"), ("curator", "unprotected")):
        for low, high in zip(answers(rows[a]), answers(rows[b]), strict=True):
            assert no_better(low, high), (a, b)
    budgets = [s.epsilon for s in study.servers if s.private]
    pooled = sum(s.n * s.count for s in study.servers)
    # Beyond 1e15 records in one place the curator keeps 1e15, the largest sites that count.
    if budgets and pooled <= 1e15:  # the most generous curator is never worse than the study
        top = Curator(epsilon=max(budgets), delta=max(s.delta for s in study.servers if s.private))
        best = table(study, risk, top)
        for high, low in zip(answers(best["curator"]), answers(best["study"]), strict=True):
            assert no_better(low, high)


def test_without_a_delta_what_needs_it_is_left_out():
    rows = table(everywhere(HOSPITALS, delta=None), "classification")
    for row in (rows["alone"], rows["study"]):
        assert row.mechanism == ()
        assert "delta" in row.missing
        assert row.equation
    for row in (rows["unprotected"], rows["curator"]):
        assert len(row.mechanism) == 3
        assert math.isnan(row.mechanism[0].kept)
        assert math.isfinite(row.equation[0].kept)


def test_a_study_without_information_is_said_not_to_be_comparable():
    rows = table(curve(site("A", 50, 0)), "integrated", Curator(epsilon=1, delta=1e-6))
    (own,) = rows["study"].equation
    assert (own.effective_n, own.rate, math.isnan(own.kept)) == (0, 1, True)
    assert rows["curator"].equation[0].kept == math.inf
    assert rows["alone"].equation[0].site == ""


@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan, "one"])
def test_a_curator_s_budget_is_positive_and_finite(value):
    with pytest.raises(DomainError, match="curator's budget must be positive and finite"):
        Curator(epsilon=value, delta=1e-6)
    with pytest.raises(DomainError, match="delta must lie strictly"):
        Curator(epsilon=1, delta=0)
    with pytest.raises(DomainError, match="mechanism"):
        rivals(preset("phones").study, lens=Lens(risk="integrated", mechanism="laplace"))


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_no_weights_beat_the_capped_signals(seed, smooth):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    records = Pool(
        log_n=np.log(10 ** rng.uniform(0, 4, k)),
        power=np.sort(rng.uniform(0.1, 2.5, k)),
        log_sample=float(rng.uniform(-1, 2)),
        log_private=float(rng.uniform(-6, 1)),
        d=float(rng.integers(1, 4)),
        smooth=smooth,
    )
    u = float(np.random.default_rng(seed + 100).uniform(-4, 0.5))
    n, s = np.exp(records.log_n), np.exp(records.power * u)
    a2 = math.exp(-records.log_sample - records.d * u)
    b2 = math.exp(-records.log_private - 2 * records.d * u)

    def ratio(a: np.ndarray) -> float:
        sample, noise = np.sum(a**2 * n) * a2, np.max(a**2) * b2
        total = sample + noise if smooth else max(sample, noise)
        return float(np.log(np.sum(a * n * s) ** 2 / total))

    best = best_weights(records, u)
    draws = np.random.default_rng(seed).uniform(0, 1, (400, len(n))) ** 2
    tried = [ratio(a) for a in (*draws, np.ones(len(n)), s)]
    assert max(tried) <= best + 1e-9
