"""Checks of what [DPLR] says of privacy: sensitivity, noise, budgets, and what they promise.

A record is (x, y) with covariates in R^p; its coefficients are those of the polynomial (10) in w:
x_j (1/2 - y), x_j²/8 and x_i x_j / 4. Budgets are privacy losses, computed from two densities.
"""

from __future__ import annotations

import numpy as np

from rates.ledger.functions.laws import drawn, even, integers, logs, spread
from rates.logistic import record_sum, refined_sensitivity
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row

_P = 4  # covariates of the drawn records


CHECKS = Checks()


def _coefficients(x: Array, y: Array) -> Array:
    """Coefficients of records, shape (number, p + p(p+1)/2)."""
    rows, columns = np.triu_indices(x.shape[1])
    cross = x[:, rows] * x[:, columns] * np.where(rows == columns, 0.125, 0.25)
    return np.concatenate([x * (0.5 - y)[:, None], cross], axis=1)


def _pair_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw two records of norm at most 1; a fifth of the pairs are opposite corners."""
    out: dict[str, Array] = {}
    corner = generator.uniform(size=number) < 0.2
    for name, sign in (("x", 1.0), ("z", -1.0)):
        v = generator.standard_normal((number, _P))
        v *= (generator.uniform(size=number) ** 0.2 / np.linalg.norm(v, axis=1))[:, None]
        v = np.where(corner[:, None], sign / np.sqrt(_P), v)
        out |= {f"{name}{j}": v[:, j] for j in range(_P)}
        out[f"y_{name}"] = generator.integers(0, 2, number).astype(float)
    return out


@CHECKS.add(_pair_draws, "in the sum of changes over (8)", number=3000)
def _sensitivity(draws: Draws, form: Form) -> Array:
    """How far two records' coefficients are apart, over (8)."""
    x, z = (np.stack([draws[f"{name}{j}"] for j in range(_P)], axis=1) for name in "xz")
    apart = np.abs(_coefficients(x, draws["y_x"]) - _coefficients(z, draws["y_z"])).sum(axis=1)
    return np.asarray(apart - refined_sensitivity(_P))


_closed_draws = drawn(dimension=integers(1, 60), radius=logs(0.1, 10), scale=logs(1e-3, 100))


@CHECKS.add(_closed_draws, "in the log of epsilon", number=300)
@by_row("dimension radius scale")
def _closed(form: Form, p: float, radius: float, scale: float) -> float:
    """The engine's epsilon against twice the coefficients of the worst record, over the scale."""
    x = np.full((1, int(p)), radius / np.sqrt(p))
    worst = 2 * np.abs(_coefficients(x, np.ones(1))).sum() / scale
    return abs(float(np.log(refined_sensitivity(int(p), radius) / scale / worst)))


_norm_draws = drawn(**{f"x{i}{j}": even(-1.5, 1.5) for i in (1, 2) for j in (1, 2)})


@CHECKS.add(_norm_draws, "in a squared norm", number=3000)
def _norm(draws: Draws, form: Form) -> Array:
    """Largest squared norm of two records over 1, where the condition holds."""
    norms = [draws[f"x{i}1"] ** 2 + draws[f"x{i}2"] ** 2 for i in (1, 2)]
    largest = np.maximum(*norms)
    # As printed the sum runs over the records, each with its last covariate.
    bounded = draws["x12"] ** 2 + draws["x22"] ** 2 if form == "printed" else largest
    return np.where(bounded <= 1, largest - 1, -np.inf)


_event_draws = drawn(epsilon=logs(0.01, 10), scale=logs(1e-3, 100))


@CHECKS.add(_event_draws, "in epsilon", number=3000)
def _event(draws: Draws, form: Form) -> Array:
    """Privacy loss of Laplace noise on a mean of sensitivity 1, where the condition holds.

    Single outputs have probability 0 on both sides, so the printed condition always holds.
    """
    actual = 1.0 / draws["scale"]
    holds = np.ones(actual.shape, bool) if form == "printed" else actual <= draws["epsilon"]
    return np.where(holds, actual - draws["epsilon"], -np.inf)


def _unclipped_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw a budget and a record's norms: |x|_1 is between |x| and sqrt(p) |x|."""
    p = generator.integers(1, 60, number).astype(float)
    norm = np.sqrt(p) * spread(generator, 0.05, 20, number)
    return {
        "dimension": p,
        "norm": norm,
        "spread": generator.uniform(size=number),
        "epsilon": spread(generator, 0.1, 1000, number),
        "scale": spread(generator, 0.01, 0.1, number),
        "radius": spread(generator, 0.5, 10, number),
    }


@CHECKS.add(_unclipped_draws, "in the log of loss over epsilon", number=1000)
def _unclipped(draws: Draws, form: Form) -> Array:
    """Privacy loss of one release over epsilon, for a record replaced by zeros."""
    p, epsilon = draws["dimension"], draws["epsilon"]
    norm = draws["norm"] if form == "printed" else np.minimum(draws["norm"], draws["radius"])
    sums = norm * p ** (0.5 * draws["spread"])
    used = np.array([record_sum(x) for x in sums.tolist()])
    if form == "printed":
        return np.asarray(np.log(used / draws["scale"] / epsilon))
    pairs = zip(p.astype(int).tolist(), draws["radius"].tolist(), strict=True)
    width = np.array([refined_sensitivity(k, R) for k, R in pairs])
    return np.asarray(np.log(used / width))


def _place_draws(generator: np.random.Generator, number: int) -> Draws:
    return {
        "n": np.floor(spread(generator, 2, 1e6, number)),
        "scale": spread(generator, 0.01, 100, number),
    }


@CHECKS.add(_place_draws, "in the log of a variance", number=1000)
def _place(draws: Draws, form: Form) -> Array:
    """Log of the noise variance of a summed coefficient over that of (9)."""
    each = 2 * draws["scale"] ** 2
    summed = draws["n"] * each if form == "printed" else each
    return np.asarray(np.abs(np.log(summed / each)))


_twice_draws = drawn(epsilon=logs(0.01, 100))


@CHECKS.add(_twice_draws, "in loss over epsilon", number=1000)
def _twice(draws: Draws, form: Form) -> Array:
    """Privacy loss of both steps over epsilon, p = 1, the record (1, 1) replaced by (-1, 1).

    The linear coefficient moves by 1, the square does not; the scale is (8) over epsilon. At an
    output below both the loss of a release is 1 over the scale.
    """
    scale = refined_sensitivity(1) / draws["epsilon"]
    output = -5.0
    one = (np.abs(output - 0.5) - np.abs(output + 0.5)) / scale
    releases = 2.0 if form == "printed" else 1.0  # our reading computes both steps from one
    return np.asarray(releases * one / draws["epsilon"] - 1)


def _indefinite_draws(generator: np.random.Generator, number: int) -> Draws:
    scale = spread(generator, 0.1, 100, number)
    return {
        "square": generator.uniform(0, 50, number),
        "noise": generator.laplace(0.0, scale),
        "linear": generator.uniform(-20, 20, number),
    }


@CHECKS.add(_indefinite_draws, "in the curvature", number=3000)
def _indefinite(draws: Draws, form: Form) -> Array:
    """How negative the curvature of the noisy objective is, p = 1."""
    curvature = draws["square"] + draws["noise"]
    if form == "reading":
        curvature = np.maximum(curvature, 1e-3)
    return np.asarray(-curvature)
