"""Sites alone, budget sweeps, site terms and privacy costs, against `solve` and `calibrated`."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import rates
from rates.answer import Lens, privacy_cost, solve_risk
from rates.answer.compare import alone, budget_sweep
from rates.answer.mechanism import noise_factor, offered_delta
from rates.answer.terms import site_terms
from rates.study.presets import PRESETS, preset
from rates.study.scenario import FederatedStudy, Server, TransferStudy

CASES = [
    pytest.param(entry.study, risk, id=f"{entry.key}-{risk}")
    for entry in PRESETS
    for risk in (
        ["classification"]
        if isinstance(entry.study, TransferStudy)
        else ["integrated", "pointwise"]
    )
]


def part(answer, risk):
    return answer if risk == "classification" else getattr(answer, risk)


def scaled(study, factor):
    return study.with_servers([replace(s, epsilon=s.epsilon * factor) for s in study.servers])


@pytest.mark.parametrize(("study", "risk"), CASES)
def test_a_site_alone_is_the_study_with_all_others_silenced(study, risk):
    lens = Lens(risk=risk)
    for by in (lens, lens.named):
        found = alone(study, by)
        for k in range(len(study.servers)):
            servers = [
                replace(s, count=1) if j == k else replace(s, n=0)
                for j, s in enumerate(study.servers)
            ]
            answer = solve_risk(study.with_servers(servers), by)
            assert found[k] == pytest.approx(answer.effective_n, rel=1e-10)


@pytest.mark.parametrize(("study", "risk"), CASES)
def test_a_sweep_is_solve_with_scaled_budgets(study, risk):
    factors = [0.03, 0.5, 1.0, 7.0]
    sweep = budget_sweep(study, factors, lens=Lens(risk=risk))
    free = part(rates.solve(study.unprotected()), risk).effective_n
    assert len(sweep.mechanism) == (3 if risk == "classification" else 1)
    for k, factor in enumerate(factors):
        other = scaled(study, factor)
        answer = part(rates.solve(other), risk)
        assert sweep.equation[k] == pytest.approx(answer.effective_n / free, rel=1e-9)
        for row, kappa in zip(sweep.mechanism, (1.0, 2.0, 3.0), strict=False):
            named, best = (
                part(rates.calibrated(s, kappa=kappa), risk).effective_n
                for s in (other, study.unprotected())
            )
            assert row[k] == pytest.approx(named / best, rel=1e-9)


@pytest.mark.parametrize(("study", "risk"), CASES)
def test_from_the_elbow_the_equation_sees_no_cost(study, risk):
    sweep = budget_sweep(study, [1.0], lens=Lens(risk=risk))
    free = part(rates.solve(study.unprotected()), risk)
    at = part(rates.solve(scaled(study, sweep.elbow * (1 + 1e-9))), risk)
    below = part(rates.solve(scaled(study, sweep.elbow * 0.99)), risk)
    assert at.log_rate == pytest.approx(free.log_rate, abs=1e-9)
    assert below.log_rate > free.log_rate


def test_without_protected_sites_there_is_no_elbow():
    study = preset("hospitals").study.unprotected()
    sweep = budget_sweep(study, [0.1, 1.0], lens=Lens(risk="classification"))
    assert math.isnan(sweep.elbow)
    assert math.isnan(sweep.half)
    assert sweep.equation.tolist() == pytest.approx([1.0, 1.0], rel=1e-14)


@pytest.mark.parametrize(("study", "risk"), CASES)
def test_site_terms_add_up_to_the_equation(study, risk):
    rows = site_terms(study, risk)
    answer = part(rates.solve(study), risk)
    total = sum(row.term for row in rows)
    if risk == "classification":
        assert total == pytest.approx(1.0, rel=1e-11)
    else:
        assert total == pytest.approx(answer.D ** (2 * answer.smoothness + 2), rel=1e-10)
    for row, server, share, limit in zip(
        rows, study.servers, answer.shares, answer.limited_by, strict=True
    ):
        assert row.term / total == pytest.approx(share, rel=1e-9)
        assert limit == ("privacy" if row.privacy <= row.sample else "sample")
        if risk == "classification":
            assert row.sample == pytest.approx(server.n)
            privacy = (server.n * server.epsilon) ** 2 * answer.r**study.dimension
        else:
            assert row.sample == pytest.approx(server.n * answer.D)
            privacy = (server.n * server.epsilon) ** 2
        assert row.privacy == pytest.approx(privacy)
        assert row.term == pytest.approx(row.factor * min(row.sample, row.privacy))


def test_privacy_cost_compares_with_no_privacy_and_says_what_is_missing():
    study = preset("unequal").study
    integrated, pointwise = privacy_cost(study)
    free = rates.solve(study.unprotected())
    assert integrated.equation.free == free.integrated
    assert pointwise.equation.answer == rates.solve(study).pointwise
    kept = rates.calibrated(study).integrated.effective_n / sum(s.n for s in study.servers)
    assert integrated.mechanism[0].kept == pytest.approx(kept)
    bare = study.with_servers([replace(s, delta=None) for s in study.servers])
    integrated, pointwise = privacy_cost(bare)
    assert integrated.mechanism == ()
    assert "University clinic" in str(integrated.missing)
    assert integrated.missing.__traceback__ is None  # it would hold what its callers knew
    assert pointwise.mechanism[0].answer == solve_risk(bare, Lens(risk="pointwise").named)


def test_the_offered_delta_keeps_the_sum_small():
    study = preset("figure1").study
    offer = offered_delta(study)
    assert 0.005 < offer * sum(s.n * s.count for s in study.servers) <= 0.01
    stated = study.with_servers([study.servers[0], replace(study.servers[1], delta=None)])
    used = stated.with_servers(
        [replace(s, delta=s.delta or offered_delta(stated)) for s in stated.servers]
    )
    assert 0.005 < sum(s.n * s.count * s.delta for s in used.servers) <= 0.01
    assert offered_delta(preset("hospitals").study) == 1e-6
    assert noise_factor(2 / math.e**2) == pytest.approx(2.0)
    assert noise_factor(5e-324) == pytest.approx(math.sqrt(2 * (math.log(2) + 1074 * math.log(2))))


def test_a_study_that_carries_nothing_costs_nothing_to_compare():
    study = FederatedStudy(servers=[Server(name="A", n=0, epsilon=1, delta=1e-6)], smoothness=2)
    cost = privacy_cost(study)[0]
    assert math.isnan(cost.equation.kept)
    assert math.isnan(cost.equation.rate_ratio)
    assert alone(study).tolist() == [0.0]


def test_an_elbow_beyond_all_numbers_is_none():
    study = preset("hospitals").study
    least = study.with_servers([replace(study.target, epsilon=1e-320), *study.sources])
    assert math.isnan(budget_sweep(least, [0.1, 1.0], lens=Lens(risk="classification")).elbow)
