"""What a study is worth, by bisection from the formulas alone: nothing of the engine is used."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np


@dataclass(frozen=True)
class Plain:
    """A study as numbers. Rows: name, how many, records, epsilon, delta, gamma."""

    rows: tuple
    beta: float
    d: float = 1.0
    kind: str = "kernel"  # or "series" with Gaussian noise, or "point" with Laplace noise


def root(rising, low: float, high: float) -> float:  # type: ignore[no-untyped-def]
    for _ in range(70):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return 0.5 * (low + high)


@cache
def noise(epsilon: float, delta: float) -> float:
    """The least sigma over the sensitivity, by the exact condition of Balle and Wang."""

    def safe(log_sigma: float) -> float:
        s, c = math.exp(log_sigma), math.sqrt(0.5)
        gone = math.exp(epsilon) * math.erfc(c * (0.5 / s + epsilon * s))
        return delta - 0.5 * (math.erfc(c * (epsilon * s - 0.5 / s)) - gone)

    return math.exp(root(safe, -6.0, 16.0)) if epsilon else math.inf


def worth(p: Plain, kappa: float | None = None) -> float:
    """Unprotected records that would do as well; by the rate equation without a kappa."""
    _, many, n, epsilon, delta, gamma = zip(*p.rows, strict=True)
    a, b, exact = 1.0, 1.0, kappa is None
    if kappa is not None:
        a = 0.25 * (2 / 3) ** p.d / kappa**p.d if p.kind == "kernel" else 2.0
        b = {"kernel": kappa ** (-2 * p.d), "series": 128.0, "point": 512.0}[p.kind]
    laplace, by = exact or p.kind == "point", zip(epsilon, delta, strict=True)
    added = [0.0 if e == math.inf else 1 / e if laplace and e else noise(e, t) for e, t in by]
    with np.errstate(divide="ignore"):
        size, many = np.log(n), np.log(many)
        budget = -2 * np.log(added) - math.log(b)

    def total(u: float) -> float:
        x, y = size + p.d * u - math.log(a), 2 * size + 2 * p.d * u + budget
        least = np.minimum(x, y) if exact else -np.logaddexp(-x, -y)
        return float(np.logaddexp.reduce(least + 2 * p.beta * np.array(gamma) * u + many))

    power = 2 * p.beta + p.d
    return 0.0 if math.isinf(total(0.0)) else a * math.exp(-power * root(total, -300.0, 300.0))
