"""Sites alone and together, sweeps, terms, the balance and costs, against `solve`."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

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
from rates.study import preset
from tests.rates.made import CASES, INF, changed, curve, everywhere, part, site

UNEQUAL = preset("unequal").study
EACH = pytest.mark.parametrize(("study", "risk"), CASES)
FACTORS = (0.01, 0.3, 1.0, 20.0)


def scaled(study, factor):
    return study.with_servers([replace(s, epsilon=s.epsilon * factor) for s in study.servers])


@EACH
def test_a_sweep_is_solve_with_scaled_budgets(study, risk):
    factors = [0.03, 0.5, 1.0, 7.0]
    sweep, free = compare.budget_sweep(study, factors, lens=Lens(risk=risk)), study.unprotected()
    assert len(sweep.mechanism) == (3 if risk == "classification" else 1)
    ways = [(rates.solve, sweep.equation)]
    for row, kappa in zip(sweep.mechanism, (1.0, 2.0, 3.0), strict=False):
        ways.append((partial(rates.calibrated, kappa=kappa), row))
    for solve, row in ways:
        worth = [part(solve(scaled(study, x)), risk).effective_n for x in factors]
        best = part(solve(free), risk).effective_n
        assert row == pytest.approx(np.array(worth) / best, rel=1e-9)


@EACH
def test_from_the_elbow_the_equation_sees_no_cost(study, risk):
    sweep = compare.budget_sweep(study, [1.0], lens=Lens(risk=risk))
    free = part(rates.solve(study.unprotected()), risk)
    at = part(rates.solve(scaled(study, sweep.elbow * (1 + 1e-9))), risk)
    below = part(rates.solve(scaled(study, sweep.elbow * 0.99)), risk)
    assert at.log_rate == pytest.approx(free.log_rate, abs=1e-9)
    assert below.log_rate > free.log_rate


def test_half_is_kept_at_half_and_without_protected_sites_there_is_no_elbow():
    study = preset("hospitals").study
    sweep = compare.budget_sweep(study.unprotected(), [0.1, 1.0])
    assert math.isnan(sweep.elbow)
    assert math.isnan(sweep.half)
    assert sweep.equation.tolist() == pytest.approx([1.0, 1.0], rel=1e-14)
    half = compare.budget_sweep(study, np.geomspace(0.1, 100, 2001)).half
    assert compare.budget_sweep(study, [half]).mechanism[1] == pytest.approx(0.5, rel=1e-4)
    least = changed(study, 0, epsilon=1e-320)
    assert math.isnan(compare.budget_sweep(least, [0.1, 1.0]).elbow)


@EACH
def test_site_terms_add_up_to_the_equation(study, risk):
    rows, answer = site_terms(study, risk), part(rates.solve(study), risk)
    classifier = risk == "classification"
    scale = 1.0 if classifier else answer.D ** (2 * answer.smoothness + 2)
    assert sum(row.term for row in rows) == pytest.approx(scale, rel=1e-10)
    for row, server, share, limit in zip(
        rows, study.servers, answer.shares, answer.limited_by, strict=True
    ):
        assert row.term / scale == pytest.approx(share, rel=1e-9)
        assert limit == ("privacy" if row.privacy <= row.sample else "sample")
        assert row.sample == pytest.approx(server.n * (1 if classifier else answer.D))
        noise = answer.r**study.dimension if classifier else 1
        assert row.privacy == pytest.approx((server.n * server.epsilon) ** 2 * noise)
        assert row.term == pytest.approx(row.factor * min(row.sample, row.privacy))


def test_privacy_cost_compares_with_no_privacy_and_says_what_is_missing():
    integrated, pointwise = privacy_cost(UNEQUAL)
    free = rates.solve(UNEQUAL.unprotected())
    assert integrated.equation.free == free.integrated
    assert pointwise.equation.answer == rates.solve(UNEQUAL).pointwise
    kept = rates.calibrated(UNEQUAL).integrated.effective_n / sum(s.n for s in UNEQUAL.servers)
    assert integrated.mechanism[0].kept == pytest.approx(kept)
    bare = everywhere(UNEQUAL, delta=None)
    integrated, pointwise = privacy_cost(bare)
    assert integrated.mechanism == ()
    assert "University clinic" in str(integrated.missing)
    assert integrated.missing.__traceback__ is None  # it would hold what its callers knew
    assert pointwise.mechanism[0].answer == solve_risk(bare, Lens(risk="pointwise").named)
    nothing = privacy_cost(curve(site(n=0)))[0].equation
    assert [math.isnan(x) for x in (nothing.kept, nothing.rate_ratio)] == [True, True]


def test_the_offered_delta_keeps_the_sum_small():
    study = preset("figure1").study
    for asked in (study, changed(study, 1, delta=None)):
        offer = offered_delta(asked)
        deltas = [offer if asked is study else s.delta or offer for s in asked.servers]
        total = sum(s.n * s.count * x for s, x in zip(asked.servers, deltas, strict=True))
        assert 0.005 < total <= 0.01
    assert offered_delta(preset("hospitals").study) == 1e-6
    assert noise_factor(2 / math.e**2) == pytest.approx(2.0)
    assert noise_factor(5e-324) == pytest.approx(math.sqrt(2 * (math.log(2) + 1074 * math.log(2))))


# What survives privacy ---------------------------------------------------------------------------


@EACH
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
    study = curve(*(site(f"s{k}", 10 + k) for k in range(30)))
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
    noise = mean_noise(UNEQUAL, np.array([[s.epsilon for s in UNEQUAL.servers]]))[0]
    for s, sd in zip(UNEQUAL.servers, noise, strict=True):
        assert float(delta_of(sd * s.n, s.epsilon)) == pytest.approx(s.delta, rel=1e-6)


def test_sites_without_noise_or_without_delta():
    empty, unsaid = site("empty", 0, delta=0.1), site("unsaid", delta=None)
    study = curve(site("open", epsilon=INF), site("mute", epsilon=0), empty, unsaid)
    found = survival(study, FACTORS)
    assert found.mechanism is None
    assert found.noise[0, :3].tolist() == [0.0, INF, INF]
    assert math.isnan(found.noise[0, 3])
    assert found.equation.part[0, 1:3].tolist() == [0.0, 0.0]


# The balance around the root ---------------------------------------------------------------------


@EACH
def test_the_sum_crosses_zero_at_the_root(study, risk):
    result, answer = balance(study, risk), part(rates.solve(study), risk)
    root = answer.log_r if risk == "classification" else -answer.log_D
    assert result.root == pytest.approx(root, abs=1e-13)
    assert result.total[result.log_r == result.root][0] == pytest.approx(0, abs=1e-11)
    below, above = result.log_r < result.root - 1e-9, result.log_r > result.root + 1e-9
    assert (result.total[below] < 0).all()
    assert (result.total[above] > 0).all()


def test_kinks_are_where_the_limit_changes():
    result = balance(UNEQUAL, "integrated")
    terms = equation(UNEQUAL, Lens(risk="integrated")).terms
    for server, row, kink in zip(UNEQUAL.servers, result.rows, result.kinks, strict=True):
        # privacy binds while D >= n epsilon^2
        assert -kink == pytest.approx(math.log(server.n * server.epsilon**2), abs=1e-12)
        assert breakdown(terms, kink - 1e-6, -1.0).limited_by[row] == "privacy"
        assert breakdown(terms, kink + 1e-6, -1.0).limited_by[row] == "sample"


def test_many_rows_are_summed_beyond_the_largest():
    study = curve(*(site(f"site {k}", 100 + k) for k in range(30)))
    result = balance(study, "integrated")
    assert result.rows == tuple(range(22, 30))
    assert result.others is not None
    both = np.logaddexp(np.logaddexp.reduce(result.terms, axis=0), result.others)
    np.testing.assert_allclose(both, result.total, atol=1e-12)
    assert balance(study.with_servers(study.servers[:8]), "integrated").others is None
