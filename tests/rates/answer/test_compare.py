"""Sites alone and together, sweeps, terms, the balance and costs, against `solve`."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import rates
from rates.answer import (
    Lens,
    balance,
    breakdown,
    compare,
    equation,
    mean_noise,
    noise_factor,
    offered_delta,
    privacy_cost,
    site_terms,
    solve_risk,
    survival,
)
from rates.numbers import delta_of
from rates.study import PRESETS, FederatedStudy, Server, preset

CASES = [
    pytest.param(one.study, risk, id=f"{one.key}-{risk}")
    for one in PRESETS
    for risk in one.study.risks
]
FACTORS = (0.01, 0.3, 1.0, 20.0)


def part(answer, risk):
    return answer if risk == "classification" else getattr(answer, risk)


def scaled(study, factor):
    return study.with_servers([replace(s, epsilon=s.epsilon * factor) for s in study.servers])


@pytest.mark.parametrize(("study", "risk"), CASES)
def test_a_sweep_is_solve_with_scaled_budgets(study, risk):
    factors = [0.03, 0.5, 1.0, 7.0]
    sweep = compare.budget_sweep(study, factors, lens=Lens(risk=risk))
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
    sweep = compare.budget_sweep(study, [1.0], lens=Lens(risk=risk))
    free = part(rates.solve(study.unprotected()), risk)
    at = part(rates.solve(scaled(study, sweep.elbow * (1 + 1e-9))), risk)
    below = part(rates.solve(scaled(study, sweep.elbow * 0.99)), risk)
    assert at.log_rate == pytest.approx(free.log_rate, abs=1e-9)
    assert below.log_rate > free.log_rate


def test_without_protected_sites_or_beyond_all_numbers_there_is_no_elbow():
    study = preset("hospitals").study
    sweep = compare.budget_sweep(study.unprotected(), [0.1, 1.0])
    assert math.isnan(sweep.elbow)
    assert math.isnan(sweep.half)
    assert sweep.equation.tolist() == pytest.approx([1.0, 1.0], rel=1e-14)
    least = study.with_servers([replace(study.target, epsilon=1e-320), *study.sources])
    assert math.isnan(compare.budget_sweep(least, [0.1, 1.0]).elbow)


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


# What survives privacy ---------------------------------------------------------------------------


@pytest.mark.parametrize(("study", "risk"), CASES)
def test_every_part_is_that_of_the_answers(study, risk):
    found, place = survival(study, FACTORS, Lens(risk=risk)), study.risks.index(risk)
    for k, factor in enumerate(FACTORS):
        cost = privacy_cost(scaled(study, factor))[place]
        middle = cost.mechanism[len(cost.mechanism) // 2]
        for kept, back in ((found.equation, cost.equation), (found.mechanism, middle)):
            pairs = zip(back.answer.shares, back.free.shares, strict=True)
            wanted = [min(1.0, back.kept * own / free) for own, free in pairs]
            np.testing.assert_allclose(kept.part[k], [*wanted, back.kept], rtol=1e-9)
            private = [limit == "privacy" for limit in back.answer.limited_by]
            assert kept.private[k, :-1].tolist() == private


def test_many_rows_stand_together_and_the_target_alone(monkeypatch):
    servers = [Server(name=f"s{k}", n=10 + k, epsilon=1, delta=1e-6) for k in range(30)]
    study = FederatedStudy(servers=servers, smoothness=1)
    few = survival(study, FACTORS)
    monkeypatch.setattr(compare, "MOST_SITES", 30)
    every = survival(study, FACTORS)
    assert few.groups[:-1] == ((0,), *((k,) for k in range(20, 30)))
    assert few.groups[-1] == tuple(range(1, 20))
    np.testing.assert_allclose(few.equation.part[:, -1], every.equation.part[:, -1])
    rest = every.equation.part[:, 1:20]
    assert np.all(few.equation.part[:, -2] >= rest.min(axis=1) * (1 - 1e-12))
    assert np.all(few.equation.part[:, -2] <= rest.max(axis=1) * (1 + 1e-12))


def test_the_noise_of_a_mean_keeps_the_promise():
    study = preset("unequal").study
    epsilon = np.array([[s.epsilon for s in study.servers]])
    noise = mean_noise(study, epsilon)[0]
    for site, sd in zip(study.servers, noise, strict=True):
        assert float(delta_of(sd * site.n, site.epsilon)) == pytest.approx(site.delta, rel=1e-6)


def test_sites_without_noise_or_without_delta():
    servers = [
        Server(name="open", n=10, epsilon=math.inf),
        Server(name="mute", n=10, epsilon=0),
        Server(name="empty", n=0, epsilon=1, delta=0.1),
        Server(name="unsaid", n=10, epsilon=1),
    ]
    study = FederatedStudy(servers=servers, smoothness=1)
    found = survival(study, FACTORS)
    assert found.mechanism is None
    assert found.noise[0, :3].tolist() == [0.0, math.inf, math.inf]
    assert math.isnan(found.noise[0, 3])
    assert found.equation.part[0, 1:3].tolist() == [0.0, 0.0]


# The balance around the root ---------------------------------------------------------------------


@pytest.mark.parametrize(("study", "risk"), CASES)
def test_the_sum_crosses_zero_at_the_root(study, risk):
    result, answer = balance(study, risk), part(rates.solve(study), risk)
    root = answer.log_r if risk == "classification" else -answer.log_D
    assert result.root == pytest.approx(root, abs=1e-13)
    assert result.total[result.log_r == result.root][0] == pytest.approx(0, abs=1e-11)
    below, above = result.log_r < result.root - 1e-9, result.log_r > result.root + 1e-9
    assert (result.total[below] < 0).all()
    assert (result.total[above] > 0).all()


def test_kinks_are_where_the_limit_changes():
    study = preset("unequal").study
    result = balance(study, "integrated")
    terms = equation(study, Lens(risk="integrated")).terms
    for server, row, kink in zip(study.servers, result.rows, result.kinks, strict=True):
        # privacy binds while D >= n epsilon^2
        assert -kink == pytest.approx(math.log(server.n * server.epsilon**2), abs=1e-12)
        assert breakdown(terms, kink - 1e-6, -1.0).limited_by[row] == "privacy"
        assert breakdown(terms, kink + 1e-6, -1.0).limited_by[row] == "sample"


def test_many_rows_are_summed_beyond_the_largest():
    servers = [Server(name=f"site {k}", n=100 + k, epsilon=1) for k in range(30)]
    study = FederatedStudy(servers=servers, smoothness=1)
    result = balance(study, "integrated")
    assert result.rows == tuple(range(22, 30))
    assert result.others is not None
    both = np.logaddexp(np.logaddexp.reduce(result.terms, axis=0), result.others)
    np.testing.assert_allclose(both, result.total, atol=1e-12)
    assert balance(study.with_servers(servers[:8]), "integrated").others is None
