"""Checks of [ACC] Section 5: the grid, the maxima over weights, thresholds, privacy of (22)."""

from __future__ import annotations

import math

import numpy as np

from rates.ledger.functions.laws import at_corner, drawn, even, integers, logs, spread
from rates.numbers import gaussian
from rates.statements.checks.acc.draws import NEVER, Checks
from rates.statements.checks.acc.equation import equal_servers, root, servers, table
from rates.statements.checks.base import Array, Draws, Form, pick

RATIO = "is the log of the ratio of two bandwidths over its proved bound"
SCORE = "in the log of the signal-to-noise ratio"
MANY = 60  # random weights per draw


CHECKS = Checks()


def log_information(draws: Draws) -> Array:
    """Return log n_*, n_* = sum of n_j ^ n_j^2 eps_j^2."""
    n, e, _, _, _ = table(draws)
    return np.asarray(np.log(np.minimum(n, (n * e) ** 2).sum(axis=1)))


def _informative(generator: np.random.Generator, number: int) -> Draws:
    """Servers with n_* >= 1; the first set has a smallest bandwidth of almost 2 r."""
    draws = servers(generator, number)
    for j in range(4):
        draws[f"epsilon{j}"][0] = 1e-9 if j else np.inf
    draws["epsilon0"] = np.maximum(draws["epsilon0"], 1 / draws["n0"])
    return at_corner(draws, n0=31.0, d=5.0, beta=0.05)


@CHECKS.bounded(_informative, RATIO)
def _grid(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """The smallest bandwidth of the grid over r: at most 2 with the logarithm to base 2."""
    bits = log_information(draws) / math.log(2.0)
    ratio = -math.log(2.0) * np.floor(bits / draws["d"]) - root(draws)
    return ratio, np.full_like(ratio, -np.inf), np.full_like(ratio, math.log(2.0))


@CHECKS.add(_informative, "in log r below n_*^(-1/d)")
def _least_root(draws: Draws, form: Form) -> Array:
    return -root(draws) - log_information(draws) / draws["d"]


def _split_draws(generator: np.random.Generator, number: int) -> Draws:
    """Servers and a number of bandwidths; equal private ones first, where the bound is reached."""
    draws = servers(generator, number)
    draws["bandwidths"] = generator.integers(1, 21, number).astype(float)
    for j in range(4):
        at_corner(draws, **{f"n{j}": 1e6, f"epsilon{j}": 1e-5})
        if j:
            at_corner(draws, **{f"gamma{j}": 1.0})
    return at_corner(draws, beta=1.0, d=1.0, bandwidths=16.0)


@CHECKS.bounded(_split_draws, RATIO)
def _split(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """The root with the budgets eps/|H| over the root with eps: at most |H|^(1/(bg_min+d))."""
    _, _, g, b, d = table(draws)
    grid = draws["bandwidths"]
    ratio = root(draws, factor=1 / grid) - root(draws)
    return ratio, np.zeros_like(ratio), np.log(grid) / (b * g.min(axis=1) + d)


@CHECKS.add(_split_draws, "in log r above |H|^(2/d) times r")
def _loose(draws: Draws, form: Form) -> Array:
    """The same against |H|^(2/d)."""
    grid = draws["bandwidths"]
    return root(draws, factor=1 / grid) - root(draws) - 2 / draws["d"] * np.log(grid)


def _bracket_draws(generator: np.random.Generator, number: int) -> Draws:
    draws = dict(equal_servers(generator, number))
    grid = generator.integers(1, 21, number).astype(float)
    return at_corner(draws | {"bandwidths": grid}, bandwidths=1.0)


@CHECKS.bounded(_bracket_draws, RATIO)
def _bracket(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """The bandwidth of Theorem 5.1 over r against the maximum of its two factors."""
    _, _, g, b, d = table(draws)
    grid = draws["bandwidths"]
    total = log_information(draws) + np.log(grid)
    right = np.maximum(total * np.log(2 * grid / draws["delta"]), 1)
    ratio = root(draws, right, 1 / grid) - root(draws)
    by_logs = np.log(right) / (2 * b * g.min(axis=1) + d)
    return ratio, np.zeros_like(ratio), np.maximum(by_logs, 2 / d * np.log(grid))


def _statistics(generator: np.random.Generator, number: int) -> Draws:
    """Noisy statistics a_j and variances b_j of four servers at two bandwidths, and u_j."""
    draws: dict[str, Array] = {}
    for j in range(4):
        for h in "xy":
            draws[f"a{h}{j}"] = generator.normal(0.2, 1, number)
            draws[f"b{h}{j}"] = spread(generator, 0.1, 10, number)
        draws[f"u{j}"] = spread(generator, 0.1, 10, number)
    return draws


def _columns(draws: Draws, name: str) -> Array:
    return np.stack([draws[f"{name}{j}"] for j in range(4)], -1)


def best_weights(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the maximum of (w a)^2 / w^2 b over the simplex, and weights that reach it."""
    plus, minus = (np.maximum(s * a, 0) / b for s in (1, -1))
    up, down = (plus * a).sum(axis=-1), (-minus * a).sum(axis=-1)
    weights = np.where((up >= down)[..., None], plus, minus)
    return np.maximum(up, down), weights / weights.sum(axis=-1, keepdims=True)


def score(weights: Array, a: Array, b: Array) -> Array:
    """Return (w a)^2 / w^2 b."""
    return np.asarray((weights * a).sum(axis=-1) ** 2 / (weights**2 * b).sum(axis=-1))


def _against_random(a: Array, b: Array, weights: Array) -> Array:
    """No random weights score higher than the closed form, and its own weights reach it."""
    most, own = best_weights(a, b)
    tried = score(weights, a[:, None], b[:, None]).max(axis=1)
    with np.errstate(divide="ignore"):
        reached = np.abs(np.log(score(own, a, b)) - np.log(most))
        return np.asarray(np.maximum(np.log(tried) - np.log(most), reached))


@CHECKS.add(_statistics, SCORE, number=1000)
def _simplex(draws: Draws, form: Form) -> Array:
    a, b = _columns(draws, "ax"), _columns(draws, "bx")
    weights = np.random.default_rng(0).dirichlet(np.full(4, 0.5), (len(a), MANY))
    return _against_random(a, b, weights)


def two_groups(draws: Draws) -> tuple[Array, Array]:
    """Return statistic and variance of the target and of the weighted average of the sources."""
    a, b, u = (_columns(draws, name) for name in ("ax", "bx", "u"))
    share = u[:, 1:] / u[:, 1:].sum(axis=1, keepdims=True)
    mean = (share * a[:, 1:]).sum(axis=1)
    noise = (share**2 * b[:, 1:]).sum(axis=1)
    return np.stack([a[:, 0], mean], -1), np.stack([b[:, 0], noise], -1)


@CHECKS.add(_statistics, SCORE, number=1000)
def _homogeneous(draws: Draws, form: Form) -> Array:
    """The set W(h) of (17) is a segment: try it evenly, in the full formula (18)."""
    a, b, u = (_columns(draws, name) for name in ("ax", "bx", "u"))
    share = u[:, 1:] / u[:, 1:].sum(axis=1, keepdims=True)
    most, own = best_weights(*two_groups(draws))
    target = np.concatenate(
        [np.broadcast_to(np.linspace(0, 1, MANY), (len(a), MANY)), own[:, :1]], 1
    )
    weights = np.concatenate([target[..., None], (1 - target)[..., None] * share[:, None]], axis=-1)
    tried = score(weights, a[:, None], b[:, None])
    with np.errstate(divide="ignore"):
        logs = np.log(tried) - np.log(most)[:, None]
    return np.asarray(np.maximum(logs.max(axis=1), np.abs(logs[:, -1])))


@CHECKS.add(_statistics, SCORE, number=1000)
def _one_source(draws: Draws, form: Form) -> Array:
    """With m = 1 both algorithms maximise over the same weights and use the same threshold."""
    a, b = _columns(draws, "ax")[:, :2], _columns(draws, "bx")[:, :2]
    share = np.linspace(0, 1, MANY)
    both = np.stack([share, 1 - share], -1)
    segment = score(both[None], a[:, None], b[:, None]).max(axis=1)
    most, _ = best_weights(a, b)
    return np.asarray(np.log(segment) - np.log(most) + abs(4.5 - 2.25 * 2))


@CHECKS.add(_statistics, SCORE)
def _step_six(draws: Draws, form: Form) -> Array:
    """Weights that are best at another bandwidth lose at the one that is used."""
    used = (_columns(draws, "ax"), _columns(draws, "bx"))
    other = (_columns(draws, "ay"), _columns(draws, "by"))
    most, own = best_weights(*used)
    weights = own if form == "reading" else best_weights(*other)[1]
    with np.errstate(divide="ignore"):
        return np.log(most) - np.log(score(weights, *used))


# Trapezoidal kernels, flat up to 1 - slope; a constant surface and an interior point.
_kernel_draws = drawn(
    slope=even(0.05, 1), surface=even(0, 1), n=logs(1, 1e6), h=logs(0.01, 0.5), d=integers(1, 6)
)


@CHECKS.add(_kernel_draws, "in the log of the variance above its bound", number=500)
def _variance(draws: Draws, form: Form) -> Array:
    """The exact sampling variance, by integrals over one axis, against (18)'s first part."""
    slope, surface, n, h, d = pick(draws, "slope surface n h d")
    grid = (np.arange(400) + 0.5) / 200 - 1
    kernel = np.minimum(1, (1 - np.abs(grid)) / slope[:, None])
    kernel /= kernel.mean(axis=1, keepdims=True) * 2
    square = ((kernel**2).mean(axis=1) * 2) ** d
    variance = (square / 4 / h**d - (surface - 0.5) ** 2) / n
    return np.asarray(np.log(variance) - np.log(kernel.max(axis=1) ** d / (3 * n * h**d)))


_threshold_draws = drawn(m=integers(1, 11), information=logs(1, 1e9), bandwidths=integers(1, 21))


@CHECKS.add(_threshold_draws, "between the two thresholds for ρ")
def _threshold(draws: Draws, form: Form) -> Array:
    """The threshold in the text of Section 5.2 and the one in Algorithm 2."""
    m, information, grid = pick(draws, "m information bandwidths")
    constant = 2.25 * (m + 1)
    apart = np.abs(
        constant * np.log(information * grid * (m + 1)) - constant * np.log(2 * information * grid)
    )
    return np.where((m == 1) | (form == "printed"), apart, NEVER)


_release_draws = drawn(epsilon=logs(0.01, 1), delta=logs(1e-10, 1e-2), place=even(0.01, 0.99))


@CHECKS.add(_release_draws, "by which the exact δ exceeds the one that is promised", number=1000)
def _release(draws: Draws, form: Form) -> Array:
    """The exact delta of releasing 1{T > 0}, T a part of the sensitivity above 0.

    The neighbour moves T by the sensitivity, below 0. Without noise the answer changes for sure.
    """
    e, delta, place = pick(draws, "epsilon delta place")
    if form == "printed":
        yes, other = np.ones_like(e), np.zeros_like(e)
    else:
        noise = gaussian.printed_multiplier(e, delta, gaussian.ACC_PRINTED)
        yes, other = (
            np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in (shift / noise).tolist()])
            for shift in (place, place - 1)
        )
    exact = np.maximum(yes - np.exp(e) * other, (1 - other) - np.exp(e) * (1 - yes))
    return np.asarray(exact - delta)


def _ties_draws(generator: np.random.Generator, number: int) -> Draws:
    """A statistic that is 0 for want of records near the point, half of the time, and noise."""
    empty = generator.integers(0, 2, number).astype(float)
    value = np.where(empty == 1, 0.0, generator.normal(0, 1, number))
    return {"statistic": value, "noise": generator.normal(0, 1, number)}


@CHECKS.add(_ties_draws, "is 1 where the two labels differ")
def _ties(draws: Draws, form: Form) -> Array:
    """Whether 1{T >= 0} and 1{T > 0} agree: without noise (printed for both) and with it."""
    statistic, noise = pick(draws, "statistic noise")
    value = statistic + (noise if form == "reading" else 0.0)
    return np.where((value >= 0) != (value > 0), 1.0, 0.0)
