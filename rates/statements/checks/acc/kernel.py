"""Checks of [ACC] Section 4: sensitivity, noise, weights, and the bound of Lemma 1."""

from __future__ import annotations

import math

import numpy as np

from rates.answer import transfer
from rates.ledger.functions.laws import (
    at_corner,
    drawn,
    logs,
    spread,
)
from rates.ledger.functions.transcripts import TESTS
from rates.numbers import gaussian
from rates.statements.checks.acc.draws import Checks
from rates.statements.checks.acc.equation import servers, table
from rates.statements.checks.base import Array, Draws, Form, pick

DELTAS = "in the log of the exact δ over the δ that is promised"


SNR = "in the log of the signal-to-noise ratio"
CHECKS = Checks()


def triangle(x: Array) -> Array:
    """Return the triangular kernel, Lipschitz, positive definite, with c_K = 1 and integral 1."""
    return np.asarray(np.maximum(1 - np.abs(x), 0))


def _sensitivity_draws(generator: np.random.Generator, number: int) -> Draws:
    """Two values of one record, (x, y) and (x', y'); first the same place, other label."""
    draws = {
        "n": np.round(spread(generator, 1, 1e4, number)),
        "h": spread(generator, 0.01, 1, number),
        "d": generator.integers(1, 6, number).astype(float),
        "apart": generator.uniform(0, 2, number),
        "same_label": generator.integers(0, 2, number).astype(float),
    }
    return at_corner(draws, apart=0.0, same_label=0.0)


@CHECKS.bounded(_sensitivity_draws, "is the log of the change over the bound (8)")
def _sensitivity(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """The exact RKHS norm of the change over sqrt(c_K)/(n h^d), product triangular kernel."""
    n, h, d, apart, same = pick(draws, "n h d apart same_label")
    size = 1 / (n * h**d)
    overlap = triangle(apart / h) * np.where(same == 1, 1.0, -1.0)
    norm = size * np.sqrt(0.25 + 0.25 - 0.5 * overlap)
    with np.errstate(divide="ignore"):
        ratio = np.log(norm) - np.log(1 / (n * h**d))
    return ratio, np.full_like(ratio, -np.inf), np.zeros_like(ratio)


def exact_delta(multiplier: float, epsilon: float) -> float:
    """Return the exact delta of Gaussian noise, P(Z > e/t - t/2) - e^e P(Z > e/t + t/2)."""
    t = 1 / multiplier
    far = (epsilon / t + t / 2) / math.sqrt(2)
    tail = 0.5 * math.erfc(far)
    second = math.exp(epsilon + math.log(tail)) if tail > 0 else 0.0
    return 0.5 * math.erfc((epsilon / t - t / 2) / math.sqrt(2)) - second


def _log_excess(multiplier: Array, epsilon: Array, delta: Array) -> Array:
    exact = [exact_delta(s, e) for s, e in zip(multiplier.tolist(), epsilon.tolist(), strict=True)]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.maximum(np.array(exact), 0)) - np.log(delta))


_budgets = drawn(epsilon=logs(0.05, 50), delta=logs(1e-10, 1e-2))


_small_budgets = drawn(epsilon=logs(0.02, 4 * math.log(2)), delta=logs(1e-10, 0.9))


@CHECKS.add(_budgets, DELTAS, number=1000, tolerance=1e-6)
@CHECKS.add(_small_budgets, DELTAS, name="privacy_small", number=1000, tolerance=1e-6)
def _privacy(draws: Draws, form: Form) -> Array:
    """The noise of (9) as printed; the exact calibration in our reading."""
    e, delta = pick(draws, "epsilon delta")
    noise = (
        gaussian.printed_multiplier(e, delta, gaussian.ACC_PRINTED)
        if form == "printed"
        else gaussian.analytic_multiplier(e, delta)
    )
    return _log_excess(noise, e, delta)


def _split_draws(generator: np.random.Generator, number: int) -> Draws:
    grid = generator.integers(1, 13, number).astype(float)
    budgets = _budgets(generator, number)
    return {**budgets, "bandwidths": grid}


@CHECKS.add(_split_draws, "in the log of the noise")
def _split(draws: Draws, form: Form) -> Array:
    """The factor of (16) is that of (9) at (eps/|H|, delta/|H|)."""
    e, delta, grid = pick(draws, "epsilon delta bandwidths")
    printed = np.sqrt(2 * np.log(2 * grid / delta)) * grid / e
    of_nine = gaussian.printed_multiplier(e / grid, delta / grid, gaussian.ACC_PRINTED)
    return np.asarray(np.abs(np.log(printed) - np.log(of_nine)))


def _weighted(draws: Draws) -> tuple[Array, Array, Array]:
    """Return bandwidth, precision n ^ n^2 eps^2 h^d and signal h^(beta gamma) of every server."""
    n, e, g, b, d = table(draws)
    right = np.log(2 / draws["delta"])[:, None]
    h = transfer.solve_r(n, e, g, beta=b[:, None], d=d[:, None], rhs=right)[:, None]
    with np.errstate(over="ignore"):
        precision = np.minimum(n, n**2 * e**2 * h ** d[:, None])
    return h, precision, h ** (b[:, None] * g)


def _snr(weights: Array, draws: Draws, h: Array, precision: Array, signal: Array) -> Array:
    """Return log of (sum w s)^2 / sum w^2 var with var = 1/(precision h^d)."""
    d = draws["d"][:, None]
    mean = np.log((weights * signal).sum(axis=1))
    noise = np.log((weights**2 / (precision * h**d)).sum(axis=1))
    return np.asarray(2 * mean - noise)


@CHECKS.add(servers, SNR)
def _weights(draws: Draws, form: Form) -> Array:
    """No other weights reach a larger signal-to-noise ratio than those of (12)."""
    h, precision, signal = _weighted(draws)
    best = _snr(precision * signal, draws, h, precision, signal)
    generator = np.random.default_rng(0)
    near = precision * signal * np.exp(generator.normal(0, 0.01, signal.shape))
    far = generator.dirichlet(np.ones(signal.shape[1]), len(signal))
    others = [_snr(w, draws, h, precision, signal) for w in (near, far, precision)]
    return np.asarray(np.max(others, axis=0) - best)


@CHECKS.add(servers, SNR)
def _equation_is_snr(draws: Draws, form: Form) -> Array:
    """At these weights the squared ratio is the left side of (11) at h."""
    h, precision, signal = _weighted(draws)
    best = _snr(precision * signal, draws, h, precision, signal)
    return np.asarray(np.abs(best - np.log(np.log(2 / draws["delta"]))))


def _some_alike(generator: np.random.Generator, number: int) -> Draws:
    draws = servers(generator, number)
    alike = generator.uniform(0, 1, number) < 0.5
    for j in (1, 2, 3):
        draws[f"gamma{j}"] = np.where(alike, 1.0, draws[f"gamma{j}"])
    return draws


@CHECKS.add(_some_alike, SNR)
def _inverse_variance(draws: Draws, form: Form) -> Array:
    """Inverse-variance weights never do better, and equal (12) where all exponents are 1."""
    h, precision, signal = _weighted(draws)
    best = _snr(precision * signal, draws, h, precision, signal)
    lost = best - _snr(precision, draws, h, precision, signal)
    _, _, g, _, _ = table(draws)
    return np.where((g == 1).all(axis=1), np.abs(lost), -lost)


def _precision_draws(generator: np.random.Generator, number: int) -> Draws:
    draws = {
        "n": spread(generator, 1, 1e8, number),
        "epsilon": spread(generator, 1e-4, 10, number),
        "r": spread(generator, 1e-3, 1, number),
        "d": generator.integers(1, 6, number).astype(float),
    }
    return at_corner(draws, n=100.0, epsilon=0.1, r=1.0)


@CHECKS.bounded(_precision_draws, "is the log of a ratio of variances over its proved bound")
def _precision(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """The sum of both variances over the inverse of (n ^ n^2 eps^2 r^d) r^d: from 1 to 2."""
    n, e, r, d = pick(draws, "n epsilon r d")
    variance = 1 / (n * r**d) + 1 / (n * e * r**d) ** 2
    ratio = np.log(variance * np.minimum(n, (n * e) ** 2 * r**d) * r**d)
    return ratio, np.zeros_like(ratio), np.full_like(ratio, math.log(2))


CHECKS["coupling"] = TESTS["coupling"]  # type: ignore[assignment]
