"""Checks of [BCMM] on the objective (6), its weights, and the bounds of Theorems 4.2 and 4.3."""

from __future__ import annotations

import numpy as np

from rates.ledger.functions.laws import choice, drawn, even, exponential, logs, of, spread, whole
from rates.statements.checks.base import Array, Checks, Draws, Form

RECORDS = 4  # two public and two private ones in the draws of (4) and (6)


CHECKS = Checks()


def _draw_problem(generator: np.random.Generator, number: int) -> Draws:
    """Two coefficients, four records in one dimension, inverse weights and penalties."""
    out = {
        "alpha": generator.uniform(0.02, 0.98, number),
        "gap": generator.exponential(0.5, number),
        "one": generator.exponential(0.5, number),
        "two": generator.exponential(0.5, number),
        "top": generator.exponential(0.5, number),
    }
    for side in ("a", "b"):
        out[f"w{side}"] = generator.uniform(-2, 2, number)
        for i in range(RECORDS):
            stretch = np.where(generator.uniform(size=number) < 0.3, 0, 1)
            out[f"u{side}{i}"] = 1 + stretch * generator.exponential(2, number)
    for i in range(RECORDS):
        out[f"x{i}"] = generator.uniform(-1, 1, number)
        out[f"y{i}"] = generator.uniform(-1, 1, number)
    return out


def _reference(draws: Draws) -> Array:
    a = draws["alpha"]
    return np.stack([a / 2, a / 2, (1 - a) / 2, (1 - a) / 2], axis=-1)


def _inverse(draws: Draws, side: str) -> Array:
    times = np.stack([draws[f"u{side}{i}"] for i in range(RECORDS)], axis=-1)
    return np.asarray(times / _reference(draws))


def _records(draws: Draws, w: Array) -> Array:
    """Losses, the discrepancy added to the public ones."""
    x, y = (np.stack([draws[f"{k}{i}"] for i in range(RECORDS)], axis=-1) for k in "xy")
    lift = np.stack([draws["gap"]] * 2 + [np.zeros_like(w)] * 2, axis=-1)
    return np.asarray((w[:, None] * x - y) ** 2 + lift)


def _objective(draws: Draws, w: Array, u: Array) -> Array:
    """F of (6)."""
    a = _reference(draws)
    held = draws["one"] * ((a**2 * u).sum(axis=-1) - 1)
    spread_ = draws["two"] * np.sqrt((u**-2.0).sum(axis=-1))
    value = (_records(draws, w) / u).sum(axis=-1) + held + spread_
    return np.asarray(value + draws["top"] / u.min(axis=-1))


@CHECKS.add(_draw_problem, "above the mean", number=4_000)
def _convex(draws: Draws, form: Form) -> Array:
    """F at the middle of two points over the mean of F at both."""
    ua, ub = _inverse(draws, "a"), _inverse(draws, "b")
    wa, wb = draws["wa"], draws["wb"]
    middle = _objective(draws, (wa + wb) / 2, (ua + ub) / 2)
    return np.asarray(middle - (_objective(draws, wa, ua) + _objective(draws, wb, ub)) / 2)


@CHECKS.add(_draw_problem, "above the bound", number=4_000)
def _upper(draws: Draws, form: Form) -> Array:
    """1 - sum 1/u over sum a² u - 1."""
    u, a = _inverse(draws, "a"), _reference(draws)
    return np.asarray(1 - (1 / u).sum(axis=-1) - ((a**2 * u).sum(axis=-1) - 1))


@CHECKS.add(_draw_problem, "larger with cut weights", number=4_000)
def _cap(draws: Draws, form: Form) -> Array:
    """The objective (4) with weights cut at the reference, over that with larger ones."""
    a = _reference(draws)
    q = np.minimum(a * np.stack([draws[f"ua{i}"] for i in range(RECORDS)], axis=-1), 1.0)
    q *= np.stack([np.abs(draws[f"x{i}"]) * 2 for i in range(RECORDS)], axis=-1)

    def value(weight: Array) -> Array:
        out = (weight * _records(draws, draws["wa"])).sum(axis=-1)
        out += draws["one"] * np.abs(weight - a).sum(axis=-1)
        out += draws["two"] * np.sqrt((weight**2).sum(axis=-1))
        return np.asarray(out + draws["top"] * weight.max(axis=-1))

    return np.asarray(value(np.minimum(q, a)) - value(q))


@CHECKS.add(_draw_problem, "log of a norm over its bound", number=4_000)
def _gradients(draws: Draws, form: Form) -> Array:
    """Log of each gradient's norm over its bound in Lemma 4.1 (i), the largest of three."""
    a, u, w = _reference(draws), _inverse(draws, "a"), draws["wa"]
    B, G = np.full_like(w, 9.0), np.full_like(w, 6.0)
    lift = np.minimum(draws["gap"], B)
    told = {**draws, "gap": lift}
    z = _records(told, w)
    x, y = (np.stack([draws[f"{k}{i}"] for i in range(RECORDS)], axis=-1) for k in "xy")
    slope = np.abs((2 * (w[:, None] * x - y) * x / u).sum(axis=-1))
    size = np.sqrt((u**-2.0).sum(axis=-1))[:, None]
    least = np.arange(RECORDS) == np.argmin(u, axis=-1)[:, None]
    one, two, top = (draws[k][:, None] for k in ("one", "two", "top"))
    grad = one * a**2 - z / u**2 - two / u**3 / size - top * least / u**2
    Bbar = B + draws["one"] + draws["two"] + draws["top"]
    public = np.sqrt((grad[:, :2] ** 2).sum(axis=-1)) / (draws["alpha"] ** 2 * (B + Bbar))
    private = np.sqrt((grad[:, 2:] ** 2).sum(axis=-1)) / ((1 - draws["alpha"]) ** 2 * Bbar)
    worst = np.maximum(slope / G, 2**1.5 * np.maximum(public, private))
    return np.asarray(np.log(np.maximum(worst, 1e-300)))


_draw_profile = drawn(loss=logs(1e-4, 10), penalty=logs(1e-2, 5))


@CHECKS.add(_draw_profile, "apart", number=500)
def _profile(draws: Draws, form: Form) -> Array:
    """Distance of the profiled loss to the least value over a fine grid of inverse weights."""
    z, k = draws["loss"], draws["penalty"]
    grid = np.exp(np.linspace(0, np.log(100), 2_001))
    brute = (z[:, None] / grid + k[:, None] * (grid - 1)).min(axis=-1)
    phi = np.where(z <= k, z, 2 * np.sqrt(k * z) - k)
    low = phi - brute  # never above, and below by at most the grid's width
    near = brute - phi - 2e-6 * np.maximum(np.sqrt(k * z), z)
    return np.asarray(np.maximum(low, near))


# How far weights move ------------------------------------------------------------------------


def _draw_moves(generator: np.random.Generator, number: int) -> Draws:
    bound = spread(generator, 1, 20, number)
    return {
        "m": np.round(spread(generator, 2, 1e4, number)),
        "alpha": generator.uniform(0.05, 0.95, number),
        "steps": np.round(spread(generator, 1, 200, number)),
        "bound": bound,
        "loss": bound * generator.uniform(0, 2, number),
        "penalty": generator.exponential(0.5, number),
        "start": 1 + generator.exponential(1, number),
    }


@CHECKS.add(_draw_moves, "log of the path over its bound", number=2_000)
def _moves(draws: Draws, form: Form) -> Array:
    """Log of a weight's relative path in T steps of Algorithm 1 over α√T/m^(3/2)."""
    m, a, T = draws["m"], draws["alpha"], draws["steps"]
    B, Bbar = draws["bound"], draws["bound"] + draws["penalty"]
    low, u = m / a, draws["start"] * m / a
    first = u.copy()
    eta = m**1.5 / (np.sqrt(T) * a**2 * (B + Bbar))
    for t in range(200):
        slope = draws["penalty"] / low**2 - draws["loss"] / u**2
        u = np.where(t < T, np.maximum(u - eta * slope, low), u)
    limit = a * np.sqrt(T) / m**1.5
    return np.asarray(np.log(np.maximum(np.abs(u - first) / low, 1e-300) / limit))


_draw_reach = drawn(
    m=whole(10, 1e5), alpha=even(0.05, 0.95), steps=whole(1, 1e6), change=logs(0.05, 10)
)


@CHECKS.add(_draw_reach, "relative change left")
def _reach(draws: Draws, form: Form) -> Array:
    """What is left of a relative change that the minimum asks for, after T steps or enough."""
    steps = draws["steps"]
    if form == "reading":
        steps = np.maximum(steps, (draws["change"] * draws["m"] ** 1.5 / draws["alpha"]) ** 2)
    return np.asarray(draws["change"] - draws["alpha"] * np.sqrt(steps) / draws["m"] ** 1.5)


_draw_condition = drawn(
    m=whole(1000, 1e6),
    alpha=even(0.01, 0.99),
    d=whole(1, 1000),
    change=logs(0.5, 10),
    radius=logs(0.01, 100),
    bound=logs(0.01, 100),
)


@CHECKS.add(_draw_condition, "log of 8e9 over the records asked for")
def _condition(draws: Draws, form: Form) -> Array:
    """Log of 8e9 people over the records that Theorem 4.3 asks for."""
    reach = draws["radius"] * draws["bound"]
    U = draws["m"] * (draws["change"] * draws["m"] / draws["alpha"]) ** 2
    ratio = (reach + 1) / (2 * reach)  # B over GΛ
    return np.asarray(np.log(8e9) - 2 * np.log(ratio * U) + np.log(draws["d"]))


# Theorem 4.2 ---------------------------------------------------------------------------------


_draw_start = drawn(
    bound=logs(0.1, 10), start=of("bound", even(-1, 1)), best=of("bound", even(-1, 1))
)


@CHECKS.add(_draw_start, "log of the squared distance over its bound")
def _start(draws: Draws, form: Form) -> Array:
    """Log of the squared distance of two points of the ball over Λ², or 4Λ²."""
    square = (draws["start"] - draws["best"]) ** 2
    times = 1.0 if form == "printed" else 4.0
    return np.asarray(np.log(np.maximum(square, 1e-300) / (times * draws["bound"] ** 2)))


_draw_descent = drawn(
    m=whole(1, 1e6),
    n=whole(1, 1e6),
    d=whole(1, 1000),
    steps=whole(1, 1e6),
    alpha=even(0.01, 0.99),
    radius=logs(0.1, 10),
    bound=logs(0.1, 10),
    epsilon=logs(0.05, 10),
    delta=choice(1e-8, 1e-5, 0.01),
    penalty=exponential(0.5),
    public_gap=logs(1e-3, 1e9),
    private_gap=logs(1e-3, 1e9),
)


@CHECKS.add(_draw_descent, "log of what the steps give over the bound")
def _descent(draws: Draws, form: Form) -> Array:
    """Log of what the steps give, from w = 0, over the explicit bound of Appendix C.2."""
    n, m, d, T = (draws[k] for k in ("n", "m", "d", "steps"))
    a, eps = 1 - draws["alpha"], draws["epsilon"]
    reach = draws["bound"] * draws["radius"] + 1
    B, G = reach**2, 2 * draws["radius"] * reach
    Bbar = B + draws["penalty"]
    unit = 2 * np.sqrt(T * np.log(3 / draws["delta"])) / eps
    s1, s2 = 2 * a * G / n * unit, a**2 * B / n**2 * unit
    eta_w = draws["bound"] / np.sqrt(T * (G**2 + d * s1**2))
    eta_v = n**1.5 / np.sqrt(T * (a**4 * Bbar**2 + n**4 * s2**2))
    eta_p = m**1.5 / (np.sqrt(T) * draws["alpha"] ** 2 * (B + Bbar))

    def regret(gap: Array, eta: Array, square: Array) -> Array:
        return np.asarray(gap / (2 * eta * T) + eta / 2 * square)

    own = regret(draws["bound"] ** 2, eta_w, G**2 + d * s1**2)
    own += regret(draws["private_gap"], eta_v, a**4 * Bbar**2 / n**3 + n * s2**2)
    own += regret(draws["public_gap"], eta_p, draws["alpha"] ** 4 * (B + Bbar) ** 2 / m**3)
    log = np.log(2 / draws["delta"])
    bound = draws["bound"] * G * np.sqrt(1 / T + 32 * a**2 * d * log / (n * eps) ** 2)
    weight = np.sqrt(Bbar**2 / T + 8 * B**2 * log / eps**2)
    bound += a**2 * (draws["private_gap"] + 1) / (2 * n**1.5) * weight
    public = draws["alpha"] ** 2 * (draws["public_gap"] + 1) * (B + Bbar)
    bound += public / (2 * m**1.5 * np.sqrt(T))
    return np.asarray(np.log(own / bound))


# Misprints -----------------------------------------------------------------------------------


_draw_sizes = drawn(m=whole(1, 1e4), n=whole(1, 1e4), alpha=even(0.01, 0.99))


@CHECKS.add(_draw_sizes, "private records without a constraint")
def _index(draws: Draws, form: Form) -> Array:
    """Private records m+1..m+n that no constraint of (5) names."""
    first = draws["n"] if form == "printed" else draws["m"]
    low = np.maximum(draws["m"], first)
    high = np.minimum(draws["m"] + draws["n"], first + draws["n"])
    return np.asarray(draws["n"] - np.maximum(high - low, 0))


@CHECKS.add(_draw_sizes, "log of the ratio of coefficients")
def _kappa(draws: Draws, form: Form) -> Array:
    """Log of the middle line's coefficient of κ₁ over that of the last line."""
    power = 1.0 if form == "printed" else 2.0
    return np.asarray((2.0 - power) * np.log(draws["m"]))
