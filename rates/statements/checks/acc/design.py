"""Checks of [ACC] Remark 2.2 and of the regression functions simulated in Section 6.1."""

from __future__ import annotations

import math

import numpy as np

from rates.ledger.functions.laws import at_corner, drawn, logs, spread
from rates.statements.checks.acc.draws import Checks
from rates.statements.checks.base import Array, Draws, Form, pick

LIPSCHITZ = 2 ** (11 / 8)  # the Hoelder constant that we prove


CHECKS = Checks()


def _crossing_draws(generator: np.random.Generator, number: int) -> Draws:
    """eta_0 - 1/2 = A sign(x_1 - c) |x_1 - c|^kappa with kappa >= beta, X uniform."""
    beta = generator.uniform(0.05, 1, number)
    draws = {
        "beta": beta,
        "kappa": beta * generator.uniform(1, 3, number),
        "d": generator.integers(1, 6, number).astype(float),
        "centre": generator.uniform(0.1, 0.9, number),
        "height": generator.uniform(0.05, 0.5, number),
    }
    return at_corner(draws, beta=0.5, kappa=0.5)


def _margin_exponent(draws: Draws) -> Array:
    """Return the largest alpha from the probabilities of |eta_0 - 1/2| <= t at two small t.

    Probabilities are counted on an even grid of the interval around the crossing.
    """
    kappa, centre, height = pick(draws, "kappa centre height")
    grid = np.linspace(-1, 1, 2001) * 0.05
    levels = []
    for width in (0.02, 0.04):
        t = height * width**kappa
        inside = (centre[:, None] + grid > 0) & (centre[:, None] + grid < 1)
        near = (
            height[:, None] * np.abs(grid) ** kappa[:, None] <= t[:, None] * (1 + 1e-9)
        ) & inside
        levels.append((np.log(near.mean(axis=1)), np.log(t)))
    (p, s), (q, t) = levels
    return np.asarray((q - p) / (t - s))


@CHECKS.add(_crossing_draws, "in αβ above d", number=400, tolerance=0.02)
def _crossing(draws: Draws, form: Form) -> Array:
    """Remark 2.2: no crossing with alpha beta > d."""
    return np.asarray(_margin_exponent(draws) * draws["beta"] - draws["d"])


@CHECKS.add(_crossing_draws, "in αβ above 1", number=400, tolerance=0.02)
def _crossing_sharp(draws: Draws, form: Form) -> Array:
    """Already alpha beta <= 1 for a function that crosses."""
    return np.asarray(_margin_exponent(draws) * draws["beta"] - 1)


def eta(x: Array, y: Array) -> Array:
    """Return eta_T - 1/2 of Section 6.1, by hand."""
    u, v = x - 0.5, y - 0.5
    return np.asarray(np.clip(np.sign(u * v) * np.abs(u) ** 0.25 * np.abs(v) ** 0.25, -0.5, 0.5))


_margin_draws = drawn(t=logs(0.01, 0.7))


@CHECKS.add(_margin_draws, "in the log of the probability", number=300, tolerance=1e-4)
def _margin(draws: Draws, form: Form) -> Array:
    """P(|u v|^(1/4) <= t) by one integral, with |u| = exp(-y)/2, against the formula."""
    t, step = draws["t"], 0.01
    y = np.arange(step / 2, 40, step)
    share = (np.minimum(np.exp(-y), 4 * t[:, None] ** 4) * step).sum(axis=1)
    level = 4 * t**4
    return np.asarray(np.abs(np.log(share) - np.log(level * (1 + np.log(1 / level)))))


def _pairs(generator: np.random.Generator, number: int) -> Draws:
    """Two points of the square, half of them close; the first pair straddles x_1 = 1/2."""
    draws = {name: generator.uniform(0, 1, number) for name in ("x", "y")}
    size = spread(generator, 1e-4, 1, number)
    for name in ("x", "y"):
        moved = draws[name] + size * generator.uniform(-1, 1, number)
        draws[f"{name}2"] = np.clip(moved, 0, 1)
    return at_corner(draws, x=0.45, x2=0.55, y=1.0, y2=1.0)


@CHECKS.bounded(_pairs, "is the log of the Hölder quotient over its proved bound")
def _holder(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """|eta(x) - eta(x')| over |x - x'|^(1/4): at most 2^(11/8)."""
    x, y, x2, y2 = pick(draws, "x y x2 y2")
    far = np.hypot(x - x2, y - y2)
    with np.errstate(divide="ignore"):
        ratio = np.log(np.abs(eta(x, y) - eta(x2, y2))) - 0.25 * np.log(far)
    return ratio, np.full_like(ratio, -np.inf), np.full_like(ratio, math.log(LIPSCHITZ))


def _source_draws(generator: np.random.Generator, number: int) -> Draws:
    draws = {
        "x": generator.uniform(0, 1, number),
        "y": generator.uniform(0, 1, number),
        "gamma": generator.uniform(0.2, 4, number),
    }
    return at_corner(draws, x=0.0, y=0.0, gamma=0.2)


@CHECKS.bounded(_source_draws, "is the log of C_j over its proved bound")
def _signal(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """|eta_S - 1/2| over |eta_T - 1/2|^gamma: from 2^(gamma-1) ^ 1 to 1."""
    x, y, g = pick(draws, "x y gamma")
    target = np.abs(eta(x, y))
    source = np.abs(np.clip(np.sign(eta(x, y)) * target**g, -0.5, 0.5))
    ratio = np.log(source) - g * np.log(target)
    return ratio, np.minimum(g - 1, 0) * math.log(2), np.zeros_like(ratio)
