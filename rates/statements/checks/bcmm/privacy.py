"""Checks of [BCMM] on privacy: sensitivities, the noise of Algorithm 1, people and records."""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr

from rates.adaptation import laplace_then, person_budget, printed_mu, validity_limit
from rates.ledger.functions.laws import choice, drawn, even, logs, spread, whole
from rates.numbers import analytic_multiplier
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row

DELTAS = (1e-8, 1e-5, 1e-3, 0.01)


CHECKS = Checks()


def _log_delta(mu: Array, epsilon: Array) -> Array:
    """Log of the smallest δ of a normal release at distance μ, by two normal tails."""
    high = log_ndtr(mu / 2 - epsilon / mu)
    low = epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return np.asarray(high + np.log1p(-np.exp(np.minimum(low - high, -1e-15))))


# Sensitivities -----------------------------------------------------------------------------


def _draw_records(generator: np.random.Generator, number: int) -> Draws:
    """A coefficient w in [-Λ, Λ], two records in one dimension, n and α; half at the extremes."""
    bound = spread(generator, 0.1, 5, number)
    radius = spread(generator, 0.1, 5, number)
    edge = generator.uniform(size=number) < 0.5

    def inside(limit: Array) -> Array:
        free = generator.uniform(-1, 1, number)
        return limit * np.where(edge, np.where(free < 0, -1.0, 1.0), free)

    return {
        "bound": bound,
        "radius": radius,
        "w": inside(bound),
        "x1": inside(radius),
        "y1": inside(np.ones(number)),
        "x2": inside(radius),
        "y2": inside(np.ones(number)),
        "n": np.round(spread(generator, 1, 1e4, number)),
        "alpha": generator.uniform(0.01, 0.99, number),
        "factor": 1 + generator.exponential(0.5, number) * ~edge,
    }


def _bounds(draws: Draws) -> tuple[Array, Array]:
    reach = draws["bound"] * draws["radius"] + 1
    return reach**2, 2 * draws["radius"] * reach


def _losses(draws: Draws) -> tuple[Array, Array]:
    return (
        (draws["w"] * draws["x1"] - draws["y1"]) ** 2,
        (draws["w"] * draws["x2"] - draws["y2"]) ** 2,
    )


@CHECKS.add(_draw_records, "log of the change over B/n", constants=True)
def _discrepancy(draws: Draws, form: Form) -> Array:
    """Log of the change of |mean private - mean public loss| over B/n, at one coefficient."""
    first, second = _losses(draws)
    B, _ = _bounds(draws)
    return np.log(np.maximum(np.abs(first - second), 1e-300) / B)


@CHECKS.add(_draw_records, "log of the change over the bound", constants=True)
def _gradient_w(draws: Draws, form: Form) -> Array:
    """Log of the change of the gradient in w over 2(1 - α)G/n."""
    _, G = _bounds(draws)
    weight = (1 - draws["alpha"]) / draws["n"] / draws["factor"]
    slopes = [2 * (draws["w"] * draws[f"x{i}"] - draws[f"y{i}"]) * draws[f"x{i}"] for i in (1, 2)]
    moved = weight * np.abs(slopes[0] - slopes[1])
    limit = 2 * (1 - draws["alpha"]) * G / draws["n"]
    return np.log(np.maximum(moved, 1e-300) / limit)


@CHECKS.add(_draw_records, "log of the change over the bound", constants=True)
def _gradient_u(draws: Draws, form: Form) -> Array:
    """Log of the change of the gradient in u over (1 - α)² B/n²."""
    B, _ = _bounds(draws)
    first, second = _losses(draws)
    weight = (1 - draws["alpha"]) / draws["n"] / draws["factor"]
    limit = ((1 - draws["alpha"]) / draws["n"]) ** 2 * B
    return np.log(np.maximum(weight**2 * np.abs(first - second), 1e-300) / limit)


# The noise of Algorithm 1 --------------------------------------------------------------------


_draw_budget = drawn(epsilon=logs(0.05, 30), delta=choice(*DELTAS), steps=whole(1, 1e6))


def _composed(draws: Draws) -> Array:
    """μ of 2T releases, each at s/σ, added up as squares."""
    ratio = draws["epsilon"] / (2 * np.sqrt(draws["steps"] * np.log(3 / draws["delta"])))
    return np.asarray(np.sqrt(2 * draws["steps"]) * ratio)


@CHECKS.add(_draw_budget, "log of the true δ over the promised one", number=2_000, tolerance=1e-6)
def _privacy(draws: Draws, form: Form) -> Array:
    """Log of the δ that holds at ε, over the δ promised."""
    mu = _composed(draws)
    if form == "reading":
        mu = 1 / analytic_multiplier(draws["epsilon"], draws["delta"])
    return _log_delta(mu, draws["epsilon"]) - np.log(draws["delta"])


@CHECKS.add(_draw_budget, "relative difference")
def _cancels(draws: Draws, form: Form) -> Array:
    """Relative difference of the composed μ and ε/√(2 log(3/δ))."""
    closed = draws["epsilon"] / np.sqrt(2 * np.log(3 / draws["delta"]))
    return np.asarray(np.abs(_composed(draws) / closed - 1))


def _draw_moderate(generator: np.random.Generator, number: int) -> Draws:
    delta = generator.choice(DELTAS, number)
    most = {d: validity_limit(float(d)) for d in DELTAS}
    limit = np.array([most[float(d)] for d in delta])
    part = generator.uniform(0.01, 1, number)
    return {"epsilon": part * 2 * limit, "delta": delta}


@CHECKS.add(_draw_moderate, "log of the true δ over the promised one", number=60)
@by_row("epsilon delta")
def _deployed(form: Form, e: float, delta: float) -> float:
    """Log of the δ of Laplace at ε/2 and Algorithm 1 at ε/2, over the δ promised."""
    return float(np.log(max(laplace_then(e / 2, printed_mu(e / 2, delta), e), 1e-300) / delta))


# People and records --------------------------------------------------------------------------


_draw_copies = drawn(epsilon=logs(0.05, 8), delta=choice(1e-5, 1e-3, 0.01), copies=whole(1, 40))


@CHECKS.add(_draw_copies, "log of the true δ over the promised one", number=100, tolerance=1e-6)
def _copies(draws: Draws, form: Form) -> Array:
    """Log of a person's δ over the δ promised, at the ε promised or at a person's own."""
    mu = draws["copies"] * draws["epsilon"] / np.sqrt(2 * np.log(3 / draws["delta"]))
    epsilon = draws["epsilon"]
    if form == "reading":
        rows = zip(*(draws[k].tolist() for k in ("epsilon", "delta", "copies")), strict=True)
        epsilon = np.array([person_budget(*row) for row in rows])
    gap = _log_delta(mu, epsilon) - np.log(draws["delta"])
    return gap if form == "printed" else np.where(epsilon > 0, gap, np.minimum(gap, 0))


# The logistic loss ---------------------------------------------------------------------------


_draw_logistic = drawn(radius=logs(0.05, 10), bound=logs(0.05, 10), cosine=even(-1, 1))


@CHECKS.add(_draw_logistic, "above the bound")
def _logistic(draws: Draws, form: Form) -> Array:
    """By how much log(1 + exp(-y w.x)) exceeds GΛ, or its value at w = 0 plus GΛ."""
    reach = draws["radius"] * draws["bound"]
    loss = np.logaddexp(0, reach * draws["cosine"])
    return np.asarray(loss - reach - (np.log(2) if form == "reading" else 0.0))
