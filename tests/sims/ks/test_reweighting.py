"""Reweighting on two clusters: parts by hand and by other methods, runs, and privacy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.hybrid.needs import project
from rates.numbers.parameters import DomainError
from sims.engine.experiment import Request
from sims.engine.runs import run
from sims.ks import parity, reweighting
from sims.ks.reweighting import Setup
from sims.ks.study import CLOSENESS, POOLED, REWEIGHTED
from tests.depth import examples

CALM = examples(60)


@CALM
@given(
    st.lists(st.floats(-30, 0), min_size=2, max_size=30), st.floats(0.02, 1.0), st.integers(0, 9)
)
def test_the_projection_is_the_least_factor(log_weights, kappa, seed):
    log_weights = np.array(log_weights)
    counts = np.random.default_rng(seed).integers(1, 5, len(log_weights)).astype(float)
    value = project(log_weights, kappa, counts)
    target = kappa * counts.sum()
    assert value.max() <= 1.0
    assert float(counts @ value) == pytest.approx(target, rel=1e-9)
    # Independent: the total grows with the factor; bisection on its logarithm.
    low, high = -60.0, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        total = counts @ np.exp(np.minimum(middle + log_weights, 0.0))
        low, high = (low, middle) if total >= target else (middle, high)
    assert value == pytest.approx(np.exp(np.minimum(high + log_weights, 0.0)), rel=1e-6)
    one_by_one = project(np.repeat(log_weights, counts.astype(int)), kappa)
    assert one_by_one == pytest.approx(np.repeat(value, counts.astype(int)), rel=1e-9)


@CALM
@given(st.integers(0, 1000), st.floats(0.05, 0.9))
def test_a_replaced_record_moves_little(seed, kappa):
    generator = np.random.default_rng(seed)
    log_weights = -3.0 * generator.random(40)
    other = log_weights.copy()
    other[0] = -3.0 * generator.random()
    first, second = (project(x, kappa) / (kappa * 40) for x in (log_weights, other))
    # Draws of the other records agree up to the mass of the replaced one.
    common = np.minimum(first[1:], second[1:]).sum()
    assert 1.0 - common <= 1.0 / (kappa * 40) + 1e-12


def test_population_errors_against_draws():
    points, labels, good = reweighting.volunteers(1.0, 200_000, np.random.default_rng(1))
    assert good.all()
    rules = reweighting.halfspaces()
    for index in (0, 5, 17, 200, 388, 755):
        wrong = (points @ rules[index, :2] + rules[index, 2] > 0) != labels
        spread = max(wrong.std(), 1e-3) / math.sqrt(len(wrong))
        assert abs(wrong.mean() - reweighting.population_errors()[index]) < 4 * spread


def test_no_record_weighs_more_than_the_density_allows(monkeypatch):
    """In any round of a run, of a weight 1 in all."""
    heaviest, plain = [], reweighting._values

    def values(setup, level, counts):
        out = plain(setup, level, counts)
        heaviest.append(float(out.max() / (counts @ out)) * setup.records)
        return out

    monkeypatch.setattr(reweighting, "_values", values)
    for learner in ("exponential", "least error"):
        heaviest.clear()
        setup = Setup(share=0.05, step=1.0, records=5000, density=0.1, learner=learner)
        reweighting.one_of(setup, 0, 0)
        assert (max(heaviest) <= 1 / 0.1 + 1e-9) is setup.private


def test_draws_follow_the_weights():
    right = np.array([0, 1, 1, 2] * 500)
    value = np.array([1.0, 0.5, 0.1])
    drawn = reweighting._draw(right, value, 60_000, np.random.default_rng(7))
    share = np.bincount(right[drawn]) / drawn.size
    wanted = np.array([1.0, 1.0, 0.1]) / 2.1
    assert share == pytest.approx(wanted, abs=4 * math.sqrt(0.25 / 60_000))


def test_without_privacy_it_is_algorithm_1():
    found = reweighting.one_of(Setup(learner="least error", records=5000), 0, 0)
    assert found.rounds[-1].test == found.rounds[-1].error  # an exact test
    assert found.error <= 0.2


def test_the_experiment_and_a_broken_update():
    values = {"share": [0.3, 0.6], "records": 3000, "users_per_test": 1e6, "sample": 200}
    *_, last = run(Request(experiment=CLOSENESS, values=values, replicates=4))
    means = {
        (p.series, p.x): e.mean for p, e in zip(last.request.points, last.estimates, strict=True)
    }
    assert means[REWEIGHTED, 0.3] < means[POOLED, 0.3] - 0.2
    assert means[POOLED, 0.6] < 0.2
    # With an update rate of nothing the weights stay and so does the error.
    still = Setup(records=3000, rounds=8, sample=200, step=1e-9)
    assert all(reweighting.one_of(still, 0, k).error > 0.35 for k in range(3))
    with pytest.raises(DomainError, match="drawn again"):
        Request(experiment=CLOSENESS, values={"density": 1e-4}, replicates=2)


def span(rows) -> set[int]:
    found = {0}
    for row in rows:
        found |= {x ^ row for x in found}
    return found


def test_the_rank_by_enumeration():
    generator = np.random.default_rng(0)
    for _ in range(300):
        bits, n = int(generator.integers(1, 7)), int(generator.integers(0, 9))
        rows = parity.draw(bits, n, 0.5, generator)
        assert 2 ** parity.rank(rows) == len(span(rows))
