"""Checks of the surrogate loss of [DPLR]: its expansion, its reduction, what it estimates."""

from __future__ import annotations

import math

import numpy as np

from rates.ledger.functions.laws import drawn, even, integers, logs
from rates.logistic import shrinkage
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row

_RECORDS = 4
LAWS = ("normal", "mixture", "t3", "logistic")


CHECKS = Checks()


def _expansion_draws(generator: np.random.Generator, number: int) -> Draws:
    return {
        "z": generator.standard_normal(number) * 10 ** generator.uniform(-2, 1, number),
        "y": generator.integers(0, 2, number).astype(float),
    }


@CHECKS.add(_expansion_draws, "in the loss", number=3000, tolerance=1e-8)
def _expansion(draws: Draws, form: Form) -> Array:
    """By how much the surrogate misses the loss, beyond z⁴/192 above and 0 below."""
    z, y = draws["z"], draws["y"]
    exact = np.logaddexp(0.0, z) - y * z
    over = 0.5 * z + z * z / 8 - y * z + math.log(2) - exact
    return np.asarray(np.maximum(over - z**4 / 192, -over))


_star_draws = drawn(**{f"x{i}": even(0.2, 2) for i in range(_RECORDS)})


@CHECKS.add(_star_draws, "in the slope", number=1000, tolerance=1e-8)
def _star(draws: Draws, form: Form) -> Array:
    """Slope of the objective at the logistic fit; labels 1, 0, 1, 0, one covariate.

    As printed the first term does not move with ω, so that the slope is -sum y x everywhere.
    """
    x = np.stack([draws[f"x{i}"] for i in range(_RECORDS)])
    y = (np.arange(_RECORDS) % 2 == 0).astype(float)[:, None]
    if form == "printed":
        return np.asarray(np.abs((y * x).sum(axis=0)))
    w = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-x * w))
        w = w - ((p - y) * x).sum(axis=0) / (p * (1 - p) * x * x).sum(axis=0)
    return np.asarray(np.abs(((1 / (1 + np.exp(-x * w)) - y) * x).sum(axis=0)))


def _matrix_draws(generator: np.random.Generator, number: int) -> Draws:
    out = {f"w{j}": generator.standard_normal(number) for j in range(2)}
    for i in range(_RECORDS):
        out |= {f"x{i}{j}": generator.standard_normal(number) for j in range(2)}
        out[f"y{i}"] = generator.integers(0, 2, number).astype(float)
    return out


def _record_loss(draws: Draws) -> Array:
    """Sum over the records of the surrogate."""
    out = np.zeros_like(draws["w0"])
    for i in range(_RECORDS):
        z = draws[f"x{i}0"] * draws["w0"] + draws[f"x{i}1"] * draws["w1"]
        out = out + 0.5 * z + z * z / 8 - draws[f"y{i}"] * z + math.log(2)
    return out


def _from_statistics(draws: Draws, cross: bool) -> Array:
    """The same from (G, b, n), with or without the cross terms."""
    x = np.array([[draws[f"x{i}{j}"] for j in range(2)] for i in range(_RECORDS)])
    y = np.array([draws[f"y{i}"] for i in range(_RECORDS)])
    w = np.array([draws["w0"], draws["w1"]])
    G = np.einsum("ijk,ilk->jlk", x, x)
    if not cross:
        G = G * np.eye(2)[:, :, None]
    b = np.einsum("ijk,ik->jk", x, 0.5 - y)
    quadratic = np.einsum("jk,jlk,lk->k", w, G, w) / 8
    return np.asarray((b * w).sum(axis=0) + quadratic + _RECORDS * math.log(2))


@CHECKS.add(_matrix_draws, "in the objective", number=1000)
def _square(draws: Draws, form: Form) -> Array:
    return np.abs(_record_loss(draws) - _from_statistics(draws, form == "reading"))


@CHECKS.add(_matrix_draws, "in the objective", number=1000)
def _reduction(draws: Draws, form: Form) -> Array:
    return np.abs(_record_loss(draws) - _from_statistics(draws, True))


@CHECKS.add(_matrix_draws, "in the objective", number=1000)
def _constant(draws: Draws, form: Form) -> Array:
    """The sums without and with the term of degree 0."""
    whole = _from_statistics(draws, True)
    without = whole - _RECORDS * math.log(2) if form == "printed" else whole
    return np.abs(_record_loss(draws) - without)


_bias_draws = drawn(law=integers(0, len(LAWS)), variance=logs(0.5, 100))


def _density(law: str, u: Array) -> Array:
    """Density of an error, written down apart from the engine's mixtures."""
    if law == "logistic":
        return np.asarray(0.25 / np.cosh(0.5 * u) ** 2)
    if law == "t3":
        return np.asarray(2 / (math.pi * math.sqrt(3) * (1 + u * u / 3) ** 2))
    narrow = np.exp(-0.5 * u * u) / math.sqrt(2 * math.pi)
    if law == "normal":
        return np.asarray(narrow)
    return np.asarray(0.9 * narrow + 0.1 * np.exp(-u * u / 32) / (4 * math.sqrt(2 * math.pi)))


def _factor(law: str, variance: float) -> float:
    """4 times the mean density of the error at a normal signal, by the trapezoid rule."""
    sd = math.sqrt(variance)
    u = np.linspace(-12 * max(sd, 1e-9), 12 * max(sd, 1e-9), 6001)
    normal = np.exp(-0.5 * (u / sd) ** 2) / (sd * math.sqrt(2 * math.pi))
    return 4 * float(np.sum(normal * _density(law, u)) * (u[1] - u[0]))


@CHECKS.add(_bias_draws, "in the log of a length", number=200, tolerance=1e-3)
@by_row("law variance")
def _bias(form: Form, which: float, variance: float) -> float:
    """Log of the surrogate's minimiser over β, or over the engine's cβ."""
    law = LAWS[int(which)]
    claimed = 1.0 if form == "printed" else shrinkage(variance, law)
    return abs(math.log(_factor(law, variance) / claimed))


_floor_draws = drawn(sparsity=integers(1, 34))


@CHECKS.add(_floor_draws, "in the error", number=60, tolerance=1e-6)
@by_row("sparsity")
def _floor(form: Form, s: float) -> float:
    """The engine's (1 - c) sqrt(s) against c by quadrature, normal errors, β = 1 on s."""
    lags = np.arange(1, s)
    variance = s + 2 * float(((s - lags) * 0.5**lags).sum())
    least = (1 - _factor("normal", variance)) * math.sqrt(s)
    return abs(least - (1 - shrinkage(variance)) * math.sqrt(s))
