"""Tests of [KS]: chances of many answers, tails of cut weights, and regret over whole games."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, ndtr

from rates.hybrid import needs, project
from rates.ledger.functions.base import Array, Draws, Tests, by_row
from rates.ledger.functions.laws import drawn, even, integers, logs, whole
from rates.ledger.texts import Form

TESTS = Tests()


def at_most(k: ArrayLike, n: ArrayLike, chance: ArrayLike) -> Array:
    """Return the probability that a binomial variable is at most k, for whole k below n."""
    top, size = np.asarray(k, float), np.asarray(n, float)
    inside = (top >= 0) & (top < size)
    held = np.where(inside, top, 0.0)
    tail = betainc(np.maximum(size - held, 1e-300), held + 1.0, 1.0 - np.asarray(chance, float))
    return np.asarray(np.where(inside, tail, np.where(top < 0, 0.0, 1.0)))


_answers = drawn(
    accuracy=even(0.05, 0.124),
    failure=logs(1e-4, 0.5),
    epsilon=logs(2, 100),
    delta=logs(1e-10, 1e-3),
    mean=even(0, 1),
)


@TESTS.add(_answers, "in probability", number=60)
@by_row("accuracy failure epsilon delta mean")
def _users(form: Form, a: float, b: float, e: float, delta: float, mean: float) -> float:
    """The exact failure of the mean of noisy answers of 0 or 1, minus β."""
    size = needs.users_for if form == "printed" else needs.users_enough
    n = max(1, int(np.ceil(float(size(a, b, e, delta)))))
    sigma = np.sqrt(2 * np.log(2 / delta) / n) / e
    k = np.arange(n + 1.0)
    mass = np.diff(np.concatenate([[0.0], at_most(k, n, mean)]))
    off = k / n - mean
    return float(mass @ (ndtr((-a - off) / sigma) + ndtr((off - a) / sigma))) - b


_cut = drawn(accuracy=logs(0.01, 0.124), failure=logs(1e-6, 0.124), share=logs(0.01, 0.9))


@TESTS.add(_cut, "in log of the ratio", number=2000)
def _sum(draws: Draws, form: Form) -> Array:
    """Weights 1/ρ with probability ρ, else 0: the sum is binomial, its tails are exact."""
    a, b, share = draws["accuracy"], draws["failure"], draws["share"]
    n = np.ceil(150 / share * np.log(4 / b) / a**2)
    # More than k successes are fewer than n - k failures, without cancellation.
    above = at_most(n - np.floor((1 + a / 8) * n * share) - 1, n, 1 - share)
    below = at_most(np.ceil((1 - 3 * a / 8) * n * share) - 1, n, share)
    return np.log(np.maximum(np.maximum(above, below), 1e-300) / (b / 4))


_games = drawn(
    accuracy=logs(0.01, 0.124),
    rounds=whole(20, 400),
    seed=integers(0, 2**31),
    density=even(0.1, 0.9),
)


@TESTS.add(_games, "of cost", number=20)
@by_row("accuracy rounds seed density")
def _dense_regret(form: Form, a: float, rounds: float, seed: float, kappa: float) -> float:
    """Play costs that favour the records of least weight; compare with a fixed distribution."""
    generator, n = np.random.default_rng(int(seed)), 12
    lean = generator.uniform(-3, 3)
    log_w, paid, totals = np.zeros(n), 0.0, np.zeros(n)
    for _ in range(int(rounds)):
        mu = project(log_w, kappa)
        mu = mu / mu.sum()
        cost = (generator.random(n) < 1 / (1 + np.exp(lean * (mu * n - 1)))).astype(float)
        paid += float(mu @ cost)
        totals += cost
        log_w = log_w - a / 8 * cost
    weights = project(-3 * generator.exponential(size=n), kappa)  # sum κ n, none above 1
    nu = weights / weights.sum()
    penalty = float((weights * np.log(weights / kappa) - weights + kappa).sum()) / (kappa * n)
    return paid - float(nu @ totals) - a * rounds / 8 - penalty / (a / 8)
