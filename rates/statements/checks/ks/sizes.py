"""Checks of [KS] Sections 1 to 4: weights, truncation, regret, and the sizes that follow.

A parameter set with groups names their frequencies ``s1, t1, s2, t2, ...``: the share of the
group among the volunteers and in the population, before division by the sums.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, ndtr

from rates.hybrid import needs as hybrid
from rates.hybrid import project
from rates.ledger.functions.laws import drawn, even, integers, logs, spread, whole
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row

GROUPS = 6
RELATIVE = "in log of the ratio"
PROBABILITY = "in probability"


CHECKS = Checks()


def at_most(k: ArrayLike, n: ArrayLike, chance: ArrayLike) -> Array:
    """Return the probability that a binomial variable is at most k, for whole k below n."""
    top, size = np.asarray(k, float), np.asarray(n, float)
    inside = (top >= 0) & (top < size)
    held = np.where(inside, top, 0.0)
    tail = betainc(np.maximum(size - held, 1e-300), held + 1.0, 1.0 - np.asarray(chance, float))
    return np.asarray(np.where(inside, tail, np.where(top < 0, 0.0, 1.0)))


def _group_draws(generator: np.random.Generator, number: int) -> dict[str, Array]:
    out = {"accuracy": spread(generator, 1e-3, 0.124, number)}
    for j in range(1, GROUPS + 1):
        out[f"s{j}"] = spread(generator, 1e-4, 1, number)
        out[f"t{j}"] = spread(generator, 1e-4, 1, number) * (generator.uniform(size=number) < 0.8)
        out[f"in{j}"] = np.round(generator.uniform(size=number))
    out["t1"] = np.maximum(out["t1"], 1e-4)
    return out


def _tables(draws: Draws) -> tuple[Array, Array, Array]:
    """Frequencies of volunteers and population with groups last, and X from E_T w."""
    s = np.stack([draws[f"s{j}"] for j in range(1, GROUPS + 1)], axis=-1)
    t = np.stack([draws[f"t{j}"] for j in range(1, GROUPS + 1)], axis=-1)
    s, t = s / s.sum(axis=-1, keepdims=True), t / t.sum(axis=-1, keepdims=True)
    return s, t, (t * t / s).sum(axis=-1)


@CHECKS.add(_group_draws, RELATIVE, number=2000)
def _means(draws: Draws, form: Form) -> Array:
    s, t, x = _tables(draws)
    weight = t / s
    off = np.abs(np.log((s * weight**2).sum(axis=-1) / (t * weight).sum(axis=-1)))
    return np.asarray(np.where(x < 1 - 1e-12, 1.0, off))


@CHECKS.add(_group_draws, PROBABILITY, number=2000, tolerance=1e-12)
def _event(draws: Draws, form: Form) -> Array:
    s, t, x = _tables(draws)
    inside = np.stack([draws[f"in{j}"] for j in range(1, GROUPS + 1)], axis=-1)
    return np.asarray((t * inside).sum(axis=-1) - np.sqrt(x * (s * inside).sum(axis=-1)))


def _truncated(draws: Draws) -> tuple[Array, Array, Array, Array]:
    s, t, x = _tables(draws)
    return s, np.minimum(t / s, (4 * x / draws["accuracy"])[:, None]), x, draws["accuracy"]


@CHECKS.add(_group_draws, PROBABILITY, number=2000)
def _truncation(draws: Draws, form: Form) -> Array:
    s, u, _, a = _truncated(draws)
    return np.asarray(1 - a / 4 - (s * u).sum(axis=-1))


@CHECKS.add(_group_draws, "bits", number=2000)
def _divergence(draws: Draws, form: Form) -> Array:
    """The sample holds the groups in the proportions of the source."""
    s, u, x, a = _truncated(draws)
    total = (s * u).sum(axis=-1, keepdims=True)
    share = s * u / total
    bits = np.where(share > 0, share * np.log2(np.maximum(u, 1e-300) / total), 0.0).sum(axis=-1)
    return np.asarray(bits - np.log2(8 * x / a))


@CHECKS.add(_group_draws, "of the bound", number=2000)
def _potential(draws: Draws, form: Form) -> Array:
    """Density of the comparison weights, and the potential per κ n."""
    s, u, x, a = _truncated(draws)
    kappa = a / (8 * x)
    average = (s * u).sum(axis=-1) * a / (4 * x)
    inner = np.where(u > 0, 2 * u * np.log(np.maximum(2 * u, 1e-300)), 0.0) - 2 * u + 1
    potential = (s * inner).sum(axis=-1)
    factor = 4.0 if form == "printed" else 2 * (1 + a / 8)
    return np.asarray(
        np.maximum(np.log(kappa / average), potential / (factor * np.log(8 * x / a)) - 1)
    )


_tail_draws = drawn(accuracy=logs(0.01, 0.124), failure=logs(1e-6, 0.124), share=logs(0.01, 0.9))


@CHECKS.add(_tail_draws, RELATIVE, number=2000)
def _tail(draws: Draws, form: Form) -> Array:
    """Weights 1/ρ with probability ρ, else 0: the sum is binomial, its tails are exact."""
    a, b, share = draws["accuracy"], draws["failure"], draws["share"]
    n = np.ceil(150 / share * np.log(4 / b) / a**2)
    # More than k successes are fewer than n - k failures, without cancellation.
    above = at_most(n - np.floor((1 + a / 8) * n * share) - 1, n, 1 - share)
    below = at_most(np.ceil((1 - 3 * a / 8) * n * share) - 1, n, share)
    return np.log(np.maximum(np.maximum(above, below), 1e-300) / (b / 4))


_foot_draws = drawn(accuracy=logs(1e-4, 0.125), divergence=logs(1, 1e18))


@CHECKS.add(_foot_draws, RELATIVE, number=5000)
def _foot(draws: Draws, form: Form) -> Array:
    a, x = draws["accuracy"], draws["divergence"]
    ell = np.log((1.0 if form == "printed" else x) / a)
    small = a / np.sqrt(50 * x * ell)
    return np.log(small * np.sqrt((2 - np.log(small)) * x) / (a / 4))


_record_draws = drawn(
    accuracy=logs(1e-3, 0.124),
    failure=logs(1e-6, 0.124),
    divergence=logs(1, 1e40),
    dimension=whole(1, 1e4),
)


@CHECKS.add(_record_draws, RELATIVE, number=5000)
def _records(draws: Draws, form: Form) -> Array:
    """Whether 4 exp(d log(2en/d) - n α'^2/4) is at most β/2 at the stated n."""
    a, b, x, d = (draws[k] for k in ("accuracy", "failure", "divergence", "dimension"))
    extra = np.ones_like(x) if form == "printed" else x
    ell = np.log(extra / a)
    inner = d * np.log(400 * d * extra / a**3) + np.log(8 / b)
    n = 800 * x * ell / a**2 * inner
    needed = d * np.log(2 * math.e * n / d) + np.log(8 / b)
    return np.log(needed / (n * a**2 / (200 * x * ell)))


_regret_draws = drawn(
    accuracy=logs(0.01, 0.124),
    rounds=whole(20, 400),
    seed=integers(0, 2**31),
    density=even(0.1, 0.9),
)


def _regret_of(a: float, rounds: int, seed: float, kappa: float | None) -> float:
    """Play costs that favour the records of least weight; compare with a fixed distribution."""
    generator, n = np.random.default_rng(int(seed)), 12
    lean = generator.uniform(-3, 3)
    log_w, paid, totals = np.zeros(n), 0.0, np.zeros(n)
    start = 1.0 if kappa is None else kappa
    for _ in range(rounds):
        mu = np.exp(log_w - log_w.max()) if kappa is None else project(log_w, kappa)
        mu = mu / mu.sum()
        cost = (generator.random(n) < 1 / (1 + np.exp(lean * (mu * n - 1)))).astype(float)
        paid += float(mu @ cost)
        totals += cost
        log_w = log_w - a / 8 * cost
    if kappa is None:
        nu = generator.dirichlet(np.full(n, 0.3)) + 1e-300
        penalty = float(nu @ np.log(nu * n))
    else:
        weights = project(-3 * generator.exponential(size=n), kappa)  # sum κ n, none above 1
        nu = weights / weights.sum()
        penalty = float((weights * np.log(weights / start) - weights + start).sum()) / (kappa * n)
    return paid - float(nu @ totals) - a * rounds / 8 - penalty / (a / 8)


@CHECKS.add(_regret_draws, "of cost", number=40)
@by_row("accuracy rounds seed")
def _regret(form: Form, a: float, rounds: float, seed: float) -> float:
    return _regret_of(a, int(rounds), seed, None)


@CHECKS.add(_regret_draws, "of cost", number=30)
@by_row("accuracy rounds seed density")
def _dense_regret(form: Form, a: float, rounds: float, seed: float, kappa: float) -> float:
    return _regret_of(a, int(rounds), seed, kappa)


_size_draws = drawn(accuracy=logs(1e-3, 0.124), divergence=logs(1, 1e15))


def _halting(draws: Draws, *, private: bool, factor: float, sharp: bool) -> Array:
    """Largest T with 3αT/8 ≤ αT/8 + factor log(8X/α)/(α/8), over the T that is claimed."""
    a, x = draws["accuracy"], draws["divergence"]
    last = factor * np.log(8 * x / a) / (a / 8) / (a / 4)
    return np.log(last / hybrid.iterations(a, x, private=private, sharp=sharp))


@CHECKS.add(_size_draws, RELATIVE, number=2000)
def _rounds_open(draws: Draws, form: Form) -> Array:
    return _halting(draws, private=False, factor=1.0, sharp=False)


@CHECKS.add(_size_draws, RELATIVE, number=2000)
def _rounds_private(draws: Draws, form: Form) -> Array:
    return _halting(draws, private=True, factor=4.0, sharp=False)


@CHECKS.add(_size_draws, RELATIVE, number=2000)
def _rounds_sharp(draws: Draws, form: Form) -> Array:
    one = _halting(draws, private=False, factor=1.0, sharp=True)
    a = draws["accuracy"]
    last = 2 * (1 + a / 8) * np.log(8 * draws["divergence"] / a) / (a / 8) / (a / 4)
    other = np.log(last / hybrid.iterations(a, draws["divergence"], sharp=True))
    return np.maximum(one, other)


_user_draws = drawn(
    accuracy=even(0.05, 0.124),
    failure=logs(1e-4, 0.5),
    epsilon=logs(2, 100),
    delta=logs(1e-10, 1e-3),
    mean=even(0, 1),
)


@CHECKS.add(_user_draws, PROBABILITY, number=60)
@by_row("accuracy failure epsilon delta mean")
def _users(form: Form, a: float, b: float, e: float, delta: float, mean: float) -> float:
    """The exact failure of the mean of noisy answers of 0 or 1, minus β."""
    size = hybrid.users_for if form == "printed" else hybrid.users_enough
    n = max(1, int(np.ceil(float(size(a, b, e, delta)))))
    sigma = np.sqrt(2 * np.log(2 / delta) / n) / e
    k = np.arange(n + 1.0)
    mass = np.diff(np.concatenate([[0.0], at_most(k, n, mean)]))
    off = k / n - mean
    return float(mass @ (ndtr((-a - off) / sigma) + ndtr((off - a) / sigma))) - b


_corollary_draws = drawn(
    accuracy=logs(1e-3, 0.124),
    failure=logs(1e-6, 0.124),
    divergence=logs(1, 1e6),
    epsilon=logs(0.01, 1),
    delta=logs(1e-10, 0.9),
    hypotheses=logs(2, 1e30),
)


@CHECKS.add(_corollary_draws, RELATIVE, number=500)
@by_row("accuracy failure divergence epsilon delta hypotheses")
def _domination(
    form: Form, a: float, b: float, x: float, e: float, delta: float, size: float
) -> float:
    rounds = float(hybrid.iterations(a, x))
    sample = hybrid.learner_sample(a, b / rounds, 1.0, size)
    many = hybrid.records_for(sample, rounds, e, delta, hybrid.density(a, x))
    few = hybrid.chi_square_records(a, b, e, size, x)
    return float(np.log(few * 3000 / a / many))
