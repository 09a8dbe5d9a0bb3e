"""Rivals of a study: limiting cases, `solve` and `calibrated`, other methods, and exact risks."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.answer import Lens
from rates.fit.rival_rates import KINDS, Curator, Outcome, Pool, Rival, best_weights, rivals
from rates.numbers.parameters import DomainError
from rates.study.presets import PRESETS, preset
from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy
from tests.depth import examples
from tests.rates.answer.test_laws import powers
from tests.rates.answer.test_laws import servers as some_servers

CASES = [
    pytest.param(entry.study, risk, id=f"{entry.key}-{risk}")
    for entry in PRESETS
    for risk in (
        ["classification"]
        if isinstance(entry.study, TransferStudy)
        else ["integrated", "pointwise"]
    )
]
ONE = Curator(epsilon=1, delta=1e-6)


def part(answer, risk):
    return answer if risk == "classification" else getattr(answer, risk)


def table(study: Study, risk: str, curator: Curator | None = None) -> dict[str, Rival]:
    out = rivals(study, curator, lens=Lens(risk=risk))
    assert tuple(r.kind for r in out) == KINDS
    return {r.kind: r for r in out}


def answers(row: Rival) -> list[Outcome]:
    return [*row.equation, *row.mechanism]


@pytest.mark.parametrize(("study", "risk"), CASES[:3])
def test_the_best_site_alone_is_the_best_of_all(study, risk):
    row = table(study, risk)["alone"]
    for mine, solve in zip(
        answers(row)[:2], (rates.solve, lambda s: rates.calibrated(s, kappa=1)), strict=True
    ):
        worth = {}
        for k, server in enumerate(study.servers):
            servers = [
                replace(s, count=1) if j == k else replace(s, n=0)
                for j, s in enumerate(study.servers)
            ]
            worth[server.name] = part(solve(study.with_servers(servers)), risk).effective_n
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
    transfer = draw(st.booleans())
    rows = draw(some_servers(target=transfer))
    if transfer:
        target, *sources = rows
        return TransferStudy(
            target=target,
            sources=tuple(sources),
            smoothness=draw(st.floats(0.2, 1)),
            dimension=draw(st.integers(1, 5)),
            margin=0.5,
        ), "classification"
    risk = draw(st.sampled_from(["integrated", "pointwise"]))
    return FederatedStudy(servers=rows, smoothness=draw(st.floats(1, 3)), integrability=4), risk


@given(studies(), powers(-2, 1), powers(-9, -3))
@examples(80)
def test_laws_of_the_table(given_study, epsilon, delta):
    study, risk = given_study
    curator = Curator(epsilon=epsilon, delta=delta)
    rows = table(study, risk, curator)
    solved = [rows[k] for k in KINDS if rows[k].equation]
    for row in solved:
        assert len(row.mechanism) == len(row.equation) * (3 if risk == "classification" else 1)
    for a, b in (
        ("alone", "study"),
        ("study", "unprotected"),
        ("curator", "unprotected"),
    ):
        for low, high in zip(answers(rows[a]), answers(rows[b]), strict=True):
            assert no_better(low, high), (a, b)
    budgets = [s.epsilon for s in study.servers if s.private]
    pooled = sum(s.n * s.count for s in study.servers)
    # Beyond 1e15 records in one place the curator keeps 1e15, the largest sites that count.
    if (
        budgets and pooled <= 1e15
    ):  # a curator with the most generous budget, never worse than the study
        top = Curator(epsilon=max(budgets), delta=max(s.delta for s in study.servers if s.private))
        best = table(study, risk, top)
        for high, low in zip(answers(best["curator"]), answers(best["study"]), strict=True):
            assert no_better(low, high)


def test_without_a_delta_what_needs_it_is_left_out():
    hospitals = preset("hospitals").study
    study = hospitals.with_servers([replace(s, delta=None) for s in hospitals.servers])
    rows = table(study, "classification")
    for kind in ("alone", "study"):
        assert rows[kind].mechanism == ()
        assert "delta" in rows[kind].missing
        assert rows[kind].equation
    for kind in ("unprotected", "curator"):
        assert len(rows[kind].mechanism) == 3
        assert math.isnan(rows[kind].mechanism[0].kept)
        assert math.isfinite(rows[kind].equation[0].kept)


def test_a_study_without_information_is_said_not_to_be_comparable():
    empty = FederatedStudy(servers=[Server(name="A", n=50, epsilon=0)], smoothness=1)
    rows = table(empty, "integrated", ONE)
    (own,) = rows["study"].equation
    assert own.effective_n == 0
    assert own.rate == 1
    assert math.isnan(own.kept)
    assert rows["curator"].equation[0].kept == math.inf
    assert rows["alone"].equation[0].site == ""


@pytest.mark.parametrize(
    "value", [0, -1, math.inf, math.nan, "one"], ids=["0", "-1", "inf", "nan", "text"]
)
def test_a_curator_s_budget_is_positive_and_finite(value):
    with pytest.raises(DomainError, match="curator's budget must be positive and finite"):
        Curator(epsilon=value, delta=1e-6)
    with pytest.raises(DomainError, match="delta must lie strictly"):
        Curator(epsilon=1, delta=0)
    with pytest.raises(DomainError, match="mechanism"):
        rivals(preset("phones").study, lens=Lens(risk="integrated", mechanism="laplace"))


def random_pool(seed: int, *, smooth: bool) -> Pool:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    return Pool(
        log_n=np.log(10 ** rng.uniform(0, 4, k)),
        power=np.sort(rng.uniform(0.1, 2.5, k)),
        log_sample=float(rng.uniform(-1, 2)),
        log_private=float(rng.uniform(-6, 1)),
        d=float(rng.integers(1, 4)),
        smooth=smooth,
    )


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_no_weights_beat_the_capped_signals(seed, smooth):
    records = random_pool(seed, smooth=smooth)
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
