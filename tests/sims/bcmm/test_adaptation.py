"""Adaptation: algorithms as printed, the exact minimiser, the discrepancy; experiments, tables."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from rates.adaptation import AdaptationDesign, deployed_budget, printed_noise
from rates.numbers.parameters import DomainError
from sims.bcmm import algorithms
from sims.bcmm.algorithms import SQUARED_ONLY, fit
from sims.bcmm.curves import CLOSENESS, GAP, PLAIN_ROWS, PRIVATE_ROWS, RATE, SCALAR, readable
from sims.bcmm.data import Moments, Pair, Sample, World, domains, known, read_table, world_pair
from sims.bcmm.exact import discrepancy, minimise, reference, smallest_on_ball, stacked
from sims.bcmm.picture import ratio
from sims.engine.experiment import Estimate, Request, generator
from sims.engine.runs import run


def small() -> Pair:
    return world_pair(World(dimension=3, concept=0.8), 120, 40, 0, 0)


# The discrepancy -----------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(1, 6), st.floats(0.05, 5))
def test_a_trust_region_problem_beats_every_random_point(seed, d, radius):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(d, d))
    A, b = (A + A.T) / 2, rng.normal(size=d) * rng.integers(0, 2)
    w, mu = smallest_on_ball(A, b, radius)
    assert np.linalg.norm(w) <= radius * (1 + 1e-9)
    assert np.linalg.norm((A + mu * np.eye(d)) @ w - b) < 1e-8 * (1 + np.linalg.norm(b) + mu)
    assert np.linalg.eigvalsh(A)[0] + mu > -1e-9
    assert mu >= 0
    assert mu * (radius - np.linalg.norm(w)) < 1e-7 * (1 + mu)
    points = rng.normal(size=(200, d))
    points *= (radius * rng.random(200) ** (1 / d) / np.linalg.norm(points, axis=1))[:, None]
    values = np.einsum("ki,ij,kj->k", points, A, points) - 2 * points @ b
    assert w @ A @ w - 2 * b @ w <= values.min() + 1e-9


@given(st.integers(0, 10**6))
def test_the_discrepancy_is_the_largest_difference_of_mean_losses(seed):
    """On a fine grid of a line, where nothing can hide."""
    rng = np.random.default_rng(seed)
    samples = [Sample(x=rng.uniform(-1, 1, (n, 1)), y=rng.uniform(-1, 1, n)) for n in (12, 30)]
    grid = np.linspace(-2.0, 2.0, 4001)
    private, public = (((s.x * grid - s.y[:, None]) ** 2).mean(axis=0) for s in samples)
    found = discrepancy(*map(Moments.of, samples), 2.0)
    assert found == pytest.approx(np.abs(private - public).max(), abs=1e-5)


# The exact minimiser -------------------------------------------------------------------------


def jointly(pair: Pair, *, alpha: float, gap: float, penalty: float) -> tuple[float, np.ndarray]:
    """The same problem over coefficients and inverse weights together, by L-BFGS-B."""
    x, y = stacked(pair)
    a, d = reference(pair, alpha), x.shape[1]
    lift = np.where(np.arange(len(y)) < pair.public.size, gap, 0.0)

    def objective(v):
        w, u = v[:d], v[d:]  # u times a
        rest = x @ w - y
        z = rest**2 + lift
        value = np.sum(a * z / u) + penalty * (np.sum(a * u) - 1)
        return value, np.r_[2 * x.T @ (a * rest / u), a * (penalty - z / u**2)]

    start = np.r_[np.zeros(d), np.ones(len(y))]
    limits = [(None, None)] * d + [(1, None)] * len(y)
    far = {"ftol": 1e-15, "gtol": 1e-10, "maxiter": 20_000, "maxfun": 40_000}
    found = minimize(objective, start, jac=True, bounds=limits, method="L-BFGS-B", options=far)
    return float(found.fun), found.x


@pytest.mark.parametrize(("alpha", "gap", "penalty"), [(0.5, 0.3, 0.04), (0.9, 0.0, 0.01)])
def test_profiled_is_the_joint_minimum(alpha, gap, penalty):
    pair, design = small(), AdaptationDesign(alpha=alpha, penalty=penalty)
    w, ratio = minimise(pair, design, gap)
    value, at = jointly(pair, alpha=alpha, gap=gap, penalty=penalty)
    x, y = stacked(pair)
    z = (x @ w - y) ** 2 + gap * (np.arange(len(y)) < pair.public.size)
    profiled = np.where(z <= penalty, z, 2.0 * np.sqrt(penalty * z) - penalty)  # of (6)
    assert np.sum(reference(pair, alpha) * profiled) == pytest.approx(value, abs=1e-7)
    assert w == pytest.approx(at[:3], abs=1e-3)
    assert 1 / ratio == pytest.approx(at[3:], abs=5e-3)


# Algorithms ----------------------------------------------------------------------------------


def test_one_step_of_algorithm_1_by_hand():
    x = np.array([[0.6, 0.0], [0.0, 0.8]])
    pair = Pair(
        public=Sample(x=x[:1], y=np.array([0.5])), private=Sample(x=x[1:], y=np.array([-1.0]))
    )
    design = AdaptationDesign(
        public=1, private=1, dimension=2, alpha=0.25, norm_bound=1, epsilon=math.inf,
        penalty=0.1,
    )  # fmt: skip
    plan = printed_noise(design, 1)
    path = algorithms.algorithm_1(pair, design, generator(0), steps=1, gap=0.2)
    u = np.array([4.0, 4 / 3])
    grad = 2 * (x[0] * -0.5 / u[0] + x[1] * 1.0 / u[1])
    w = -plan.step_w * grad
    assert path.w == pytest.approx(w / max(1, np.linalg.norm(w)))
    a = np.array([0.25, 0.75])
    down = np.array([0.25 + 0.2, 1.0]) / u**2
    slope = 0.1 * a**2 - down
    eta = np.array([plan.step_public, plan.step_private])
    assert path.inverse == pytest.approx(np.maximum(u - eta * slope, 1 / a))


def test_without_noise_our_descent_finds_the_minimum():
    pair = small()
    design = AdaptationDesign(
        public=120, private=40, dimension=3, epsilon=math.inf, penalty=0.01, norm_bound=2
    )
    found = algorithms.profiled(pair, design, generator(0), steps=3000, gap=0.3)
    best = minimise(pair, design, 0.3)[0]
    assert found == pytest.approx(best, abs=1e-4)
    plain = minimise(pair, replace(design, penalty=100.0), 0.3)[0]
    assert np.linalg.norm(plain - best) > 0.01


def test_logistic_algorithms():
    world = World(dimension=4, concept=0.0, loss="logistic")
    pair = world_pair(world, 400, 400, 0, 0)
    design = AdaptationDesign(
        public=400, private=400, dimension=4, norm_bound=8, epsilon=math.inf, loss="logistic"
    )
    path = algorithms.algorithm_2(pair, design, generator(4), steps=300)
    assert path.moved < 1e-4
    plain = algorithms.logistic_descent(pair, design, None, share=0.5, steps=600)
    x, y = stacked(pair)
    a = reference(pair, 0.5)
    best = minimize(lambda w: np.sum(a * np.logaddexp(0, -y * (x @ w))), np.zeros(4), tol=1e-10)
    assert np.linalg.norm(best.x) < 8
    assert plain == pytest.approx(best.x, abs=0.01)
    ends = [algorithms.algorithm_2(pair, design, generator(k), steps=2000).w for k in range(6)]
    assert min(np.linalg.norm(w - best.x) for w in ends) < 0.05


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_a_fit_without_noise_is_the_least_of_its_own_loss(loss):
    pair = world_pair(World(dimension=3, concept=0.0, loss=loss), 400, 400, 0, 0)
    design = AdaptationDesign(public=400, private=400, dimension=3, norm_bound=8, loss=loss)
    x, y = pair.private.x, pair.private.y

    def total(w):
        return np.sum((x @ w - y) ** 2 if loss == "squared" else np.logaddexp(0, -y * (x @ w)))

    best = minimize(total, np.zeros(3), tol=1e-10).x
    assert np.linalg.norm(best) < 8
    found = fit("target", [pair], design, [generator(0)], steps=1)[0]
    assert found == pytest.approx(best, abs=0.01)


@pytest.mark.parametrize("method", [*PRIVATE_ROWS, *PLAIN_ROWS])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_every_method_answers_and_repeats(method, loss):
    if loss == "logistic" and method in SQUARED_ONLY:
        pytest.skip("for the squared loss alone")
    world = World(dimension=3, loss=loss)
    pairs = [world_pair(world, 60, 40, 0, k) for k in range(2)]
    design = AdaptationDesign(public=60, private=40, dimension=3, loss=loss)

    def run():
        return fit(method, pairs, design, [generator(0, k) for k in range(2)], steps=20)

    first = run()
    assert first.shape == (2, 3)
    assert (first == run()).all()
    assert (np.linalg.norm(first, axis=1) <= design.norm_bound + 1e-9).all()
    alone = fit(method, pairs[1:], design, [generator(0, 1)], steps=20)
    assert alone[0] == pytest.approx(first[1], rel=1e-12)


# What the experiments show -----------------------------------------------------------------------


@pytest.mark.parametrize(("delta", "limit"), [(0.1, 18.2), (0.01, 19.6), (1e-5, 22.5)])
def test_the_guarantee_says_up_to_which_budget_the_printed_noise_suffices(delta, limit):
    assert deployed_budget(limit, delta).valid
    assert not deployed_budget(limit + 0.1, delta).valid
    assert f"{limit:g} at" in RATE.privacy
    assert f"{delta:g}" in RATE.privacy.replace("1e-5", "1e-05")


def test_one_number_reads_closeness_best():
    request = Request(
        experiment=CLOSENESS, values={"private": 400, "concept": [0, 0.7, 1]}, replicates=40
    )
    *_, last = run(request)
    found = readable(request.points, last.estimates)
    assert found[SCALAR] < found[GAP]
    at = {(p.series, p.x): e for p, e in zip(request.points, last.estimates, strict=True)}
    assert at[SCALAR, 0.0].stderr < at[GAP, 0.0].stderr
    assert at[GAP, 0.0].mean > 3 * at[SCALAR, 1.0].mean / 2  # chance alone, without any shift
    assert readable(request.points, [Estimate(math.nan, math.nan, 0)] * 6) == {}


def test_our_minimiser_is_refused_for_signs():
    with pytest.raises(DomainError, match="squared loss"):
        Request(experiment=RATE, values={"loss": "logistic", "method": "profiled"}, replicates=2)


# Worlds and tables ---------------------------------------------------------------------------


def table_text(rows: list[str]) -> str:
    return "domain,label,age,dose\n" + "\n".join(rows)


GOOD = [f"{d},{y},{3 * y},{y * y}" for d in ("public", "private") for y in (-0.5, 0.1, 0.4, 0.9)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (table_text([*GOOD, "other,0,1,1"]), 'must be "public".*Row 9'),
        (table_text([*GOOD, "public,0,x,1"]), "Row 9.*age"),
        (table_text(GOOD[:4]), "private domain must have"),
        (table_text(GOOD[4:]), "public domain must have"),
        (table_text([*GOOD[:4], *["private,0.3,1,1"] * 4]), "not all be the same"),
        (table_text([*GOOD, "public,1.5,1,1"]), r"\[-1, 1\]"),
    ],
)
def test_bad_tables_are_refused(text, words):
    with pytest.raises(DomainError, match=words):
        read_table(text)


def test_a_table_is_scaled_by_public_records_alone():
    first = read_table(table_text(GOOD))
    other = read_table(table_text([*GOOD[:7], "private,0.9,0.01,0.01"]))
    assert (first.public.x == other.public.x).all()
    assert other.private.clipped == first.private.clipped - 1
    assert "Shortened to norm 1" in other.note
    assert f"{other.private.clipped} private rows" in other.note
    assert first.loss == "squared"
    signs = read_table(table_text([r.replace(",0.9,", ",0.1,") for r in GOOD[:2]] * 4 + [
        "private,-0.5,1,2", "private,0.1,2,3", "private,0.1,3,3"]))  # fmt: skip
    assert signs.loss == "logistic"
    assert set(np.unique(signs.private.y)) == {-1.0, 1.0}


def test_nobody_is_in_the_test_and_in_the_fit():
    rng = np.random.default_rng(0)
    table = domains(
        rng.normal(size=(60, 2)), rng.uniform(-1, 1, 60), np.arange(60) < 30, name="made"
    )
    for asked, size in ((None, 20), (5, 5), (50, 20)):
        pair, test = table.split(rng, asked)
        assert (pair.private.size, test.size) == (size, 10)
        assert not set(pair.private.x[:, 0]) & set(test.x[:, 0])


def test_without_scikit_learn_its_tables_are_absent(monkeypatch):
    known.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(DomainError, match="not installed"):
        known("diabetes")
    known.cache_clear()


def test_a_ratio_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(1000):
        common = rng.normal(0.0, 0.3, 20)
        above = 6.0 + 3.0 * common + rng.normal(0.0, 0.3, 20)
        low, high = ratio(above, 2.0 + common + rng.normal(0.0, 0.1, 20)).interval()
        hits += low <= 3.0 <= high
    assert 0.92 < hits / 1000 < 0.98
