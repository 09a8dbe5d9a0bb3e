"""The root kernel: equations with roots known by hand, grids against single problems."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp

import rates
from rates.numbers import implicit
from rates.numbers.implicit import Terms, at_root, make_terms, solve_log
from rates.study.scenario import Server, TransferStudy

Array = NDArray[np.float64]
NEVER = -math.inf  # the log of a size or budget of zero
FREE = math.inf  # the log of an infinite budget


def log_sum(terms: Terms, u: Array) -> Array:
    """Return the log of the left side at u, straight from its definition."""
    return logsumexp(at_root(terms, u)[0], axis=-1)


def random_terms(seed: int, shape: tuple[int, ...], smooth: bool = False) -> Terms:
    """Draw equations with sizes from 1 to 1e12, budgets from 1e-6 to 100 and some limits."""
    draw = np.random.default_rng(seed)
    size, budget = draw.uniform(0, 28, shape), draw.uniform(-14, 4.6, shape)
    budget[draw.random(shape) < 0.1] = FREE
    size[draw.random(shape) < 0.1] = NEVER
    budget[draw.random(shape) < 0.1] = NEVER
    size[..., 0], budget[..., 0] = draw.uniform(0, 28, shape[:-1]), 1.0  # one row is alive
    step = draw.integers(1, 9, (*shape[:-1], 1)).astype(float)
    slope = draw.uniform(0.1, 6, shape) + step
    weight = draw.uniform(0, 5, shape)
    return make_terms(size, budget, slope, step, weight, weight - 1.0, smooth=smooth)


def one_by_one(terms: Terms) -> Array:
    """Solve every problem of a grid by its own call."""
    batch = terms.shape[:-1]
    pieces = [np.broadcast_to(x, terms.shape) for x in terms.pieces()]
    out = np.empty(batch)
    for index in np.ndindex(*batch):
        out[index] = solve_log(make_terms(*(x[index] for x in pieces), smooth=terms.smooth))
    return out


def assert_same(actual: Array, expected: Array) -> None:
    """Allow the last bit or two: rounding may depend on the grid, the answer may not."""
    assert actual.shape == expected.shape
    np.testing.assert_array_equal(np.isinf(actual), np.isinf(expected))
    live = np.isfinite(expected)
    scale = np.maximum(1.0, np.abs(expected[live]))
    assert np.all(np.abs(actual[live] - expected[live]) <= 2e-15 * scale)


LOG2 = math.log(2.0)


@pytest.mark.parametrize(
    ("size", "budget", "slope", "step", "root"),
    [
        ([6.0], [FREE], 2.0, 1.0, -3.0),  # e^(6 + 2u) = 1
        ([6.0], [0.0], 2.0, 1.0, -3.0),  # both branches, exp(min(6, 12 + u) + 2u)
        ([6.0], [-2.0], 2.0, 1.0, -8.0 / 3.0),  # privacy: 8 + u + 2u = 0
        ([4.0], [-3.0], 3.0, 1.0, -0.5),  # privacy: 2 + u + 3u = 0
        ([-4.0], [0.0], 2.0, 2.0, 2.0),  # r above 1, privacy: -8 + 2u + 2u = 0
        ([0.0], [FREE], 5.0, 1.0, 0.0),
        ([6.0 - LOG2] * 2, [FREE] * 2, 2.0, 1.0, -3.0),  # two halves are a whole
        ([3.0 - LOG2, 6.0 - LOG2], [FREE, FREE], [1.0, 2.0], 1.0, -3.0),  # shares 1/2, 1/2
        ([3.0, 0.0], [FREE, NEVER], 1.0, 1.0, -3.0),
        ([3.0, NEVER], [FREE, FREE], 1.0, 1.0, -3.0),
        ([NEVER, 0.0], [FREE, NEVER], 1.0, 1.0, math.inf),
    ],
)
def test_roots_known_by_hand(
    size: list[float], budget: list[float], slope: object, step: float, root: float
) -> None:
    u = solve_log(make_terms(size, budget, slope, step))
    assert u.shape == ()
    assert float(u) == pytest.approx(root, rel=1e-15, abs=1e-15)


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("shape", [(300, 1), (200, 2), (60, 11), (4, 7, 3), (3, 200)])
def test_grid_equals_single_problems(shape: tuple[int, ...], smooth: bool) -> None:
    terms = random_terms(11, shape, smooth)
    u = solve_log(terms)
    assert_same(u, one_by_one(terms))
    slope = np.max(terms.slope + terms.step)
    assert np.all(np.abs(log_sum(terms, u)) <= 4e-15 * slope * np.maximum(1, np.abs(u)))


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("block", [1, 7, 64])
def test_blocks_do_not_change_answers(
    monkeypatch: pytest.MonkeyPatch, block: int, smooth: bool
) -> None:
    terms = random_terms(5, (37, 5), smooth)
    dead = np.where(np.arange(37)[:, None] % 6 == 2, NEVER, terms.log_size)
    terms = make_terms(dead, *terms.pieces()[1:], smooth=smooth)
    whole = solve_log(terms)
    monkeypatch.setattr(implicit, "BLOCK", block)
    assert_same(solve_log(terms), whole)


def test_dead_problems_among_live_ones() -> None:
    n = np.array([[100, 5], [0, 5], [100, 0], [0, 0], [3, 7]])
    epsilon = np.array([[1, 0], [np.inf, 0], [0.1, np.inf], [np.inf, 1], [np.inf, np.inf]])
    r = rates.solve_r(n, epsilon, 1, beta=0.5, d=1)
    np.testing.assert_array_equal(np.isinf(r), [False, True, False, True, False])
    lone = rates.solve_r([[100], [100], [10]], [[1], [0.1], [np.inf]], 1, beta=0.5, d=1)
    np.testing.assert_allclose(r[[0, 2, 4]], lone, rtol=1e-14)
    big_d = rates.solve_D(n, epsilon, smoothness=0.5)
    np.testing.assert_array_equal(big_d == 0, np.isinf(r))
    assert rates.solve_D([4, 4], [0, 0], smoothness=2) == 0.0
    assert rates.solve_D([4, 4], [1, 1], smoothness=2, count=0) == 0.0


@pytest.mark.parametrize("exponent", range(-20, 41, 4))
def test_exact_ties(exponent: int) -> None:
    # n = 2^k, n epsilon^2 r = 1 and n r^2 = 1 with r = 2^(-k/2).
    n, epsilon = 2.0**exponent, 2.0 ** (-exponent / 4)
    r = 2.0 ** (-exponent / 2)
    alone = rates.solve_r(n, epsilon, 1, beta=0.5, d=1)
    assert alone == pytest.approx(r, rel=2e-15 * max(1, abs(exponent)))
    many = rates.solve_r([n / 4] * 4, 2 * epsilon, 1, beta=0.5, d=1)
    assert many == pytest.approx(r, rel=2e-15 * max(1, abs(exponent)))


def test_rough_single_precision_start_is_mended() -> None:
    draw = np.random.default_rng(9)
    slope = draw.uniform(1, 3, (2000, 3))
    size = 1e6 * slope + draw.uniform(-1, 1, (2000, 3))  # single precision: u to 0.1
    terms = make_terms(size, FREE, slope, 0.5)
    u = solve_log(terms)
    assert np.all(np.abs(log_sum(terms, u)) <= 4e-15 * 3e6)


def test_extremes() -> None:
    # Slopes of 1e300 leave no room for r below 1; a weak target then decides nothing.
    assert float(rates.solve_r(10**9, np.inf, 1e300, beta=1, d=1)) == 1.0
    both = rates.solve_r([10**4, 10**9], np.inf, [1, 1e300], beta=0.5, d=1)
    assert float(both) == pytest.approx(0.01, rel=1e-14)
    # n = 1e15 under epsilon = 1e-300: privacy alone, (n epsilon)^(-2/(2 beta + 2 d)).
    r = rates.solve_r(1e15, 1e-300, 1, beta=0.5, d=2)
    assert math.log10(r) == pytest.approx(285 * 2 / 5, rel=1e-14)
    assert float(rates.solve_r(1e15, 1e300, 1, beta=0.5, d=2)) == pytest.approx(1e-5)
    assert float(rates.solve_D(1e300, np.inf, smoothness=1)) == pytest.approx(1e100, rel=1e-12)
    # A billion sites of one record are worth a billion records.
    many = rates.solve_r(1, np.inf, 1, beta=0.5, d=1, count=10**9)
    assert float(many) == pytest.approx(10**-4.5, rel=1e-14)
    huge_d = rates.solve_r(10**6, np.inf, 1, beta=1, d=10**6)
    assert math.log(huge_d) == pytest.approx(-math.log(10**6) / (10**6 + 2), rel=1e-9)


@pytest.mark.parametrize("gamma", [1e3, 1e12, 1e110, 1e300])
@pytest.mark.parametrize("target", [0, 1, 50])
def test_studies_with_steep_sources(gamma: float, target: int) -> None:
    """A source of no use at all still leaves a record of finite numbers that add up."""
    rows = [Server(name="target", n=target, epsilon=math.inf)]
    rows.append(Server(name="steep", n=1000, epsilon=2.0, signal_exponent=gamma))
    study = TransferStudy(target=rows[0], sources=rows[1:], smoothness=0.5, dimension=1, margin=1)
    answer = rates.solve(study)
    alone = 1.0 if target == 0 else target**-0.5
    assert answer.r == pytest.approx(alone, rel=0.02)
    assert math.fsum(answer.shares) == pytest.approx(1)
    assert all(math.isfinite(e) for e in answer.elasticity_n + answer.elasticity_epsilon)
    assert abs(answer.residual) < 1e-9
