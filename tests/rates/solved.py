"""What a study is worth, by SciPy's root of the formulas alone: nothing of the engine is used."""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from rates.study import Study, TransferStudy

FIELDS = ("name", "count", "n", "epsilon", "delta", "signal_exponent")


class Plain(NamedTuple):
    """A study as numbers. Rows: name, how many, records, epsilon, delta, gamma."""

    rows: tuple[Any, ...]
    beta: float
    d: float = 1.0
    kind: str = "kernel"  # or "series" with Gaussian noise, or "point" with Laplace noise


def plain(study: Study, risk: str | None = None) -> Plain:
    """A study as numbers."""
    rows = tuple(tuple(getattr(s, field) for field in FIELDS) for s in study.servers)
    if isinstance(study, TransferStudy):
        return Plain(rows, study.smoothness, float(study.dimension))
    if risk == "pointwise":
        return Plain(rows, study.smoothness - 1 / study.integrability, kind="point")
    return Plain(rows, study.smoothness, kind="series")


root = partial(brentq, xtol=1e-15, rtol=1e-15)  # of a rising function, between two ends


@cache
def noise(epsilon: float, delta: float) -> float:
    """The least sigma over the sensitivity, by the exact condition of Balle and Wang."""

    def safe(log_sigma: float) -> float:
        s, x = math.exp(log_sigma) * math.sqrt(2), math.exp(-log_sigma) / math.sqrt(8)
        far = 0.5 * epsilon * s + x  # its square is at least epsilon
        if far < 25:
            return 2 * delta - math.erfc(0.5 * epsilon * s - x) + math.exp(epsilon) * math.erfc(far)
        gone = math.exp(epsilon - far**2) / far / math.sqrt(math.pi) * (1 - 0.5 / far**2)
        return 2 * delta - math.erfc(0.5 * epsilon * s - x) + gone

    return math.exp(root(safe, -20.0, 30.0)) if epsilon else math.inf


@cache
def worth(p: Plain, kappa: float | None = None) -> float:
    """Unprotected records that would do as well; by the rate equation without a kappa."""
    _, count, n, epsilon, delta, gamma = zip(*p.rows, strict=True)
    a, b, exact = 1.0, 1.0, kappa is None
    if kappa is not None:
        a = 0.25 * (2 / 3) ** p.d / kappa**p.d if p.kind == "kernel" else 2.0
        b = {"kernel": kappa ** (-2 * p.d), "series": 128.0, "point": 512.0}[p.kind]
    plain, by = exact or p.kind == "point", zip(epsilon, delta, strict=True)
    added = [0.0 if e == math.inf else 1 / e if plain and e else noise(e, t) for e, t in by]
    with np.errstate(divide="ignore"):
        size, many = np.log(n), np.log(count)
        budget = np.minimum(-2 * np.log(added), 1e9) - math.log(b)

    def total(u: float) -> float:
        x, y = size + p.d * u - math.log(a), 2 * size + 2 * p.d * u + budget
        least = np.minimum(x, y) if exact else -np.logaddexp(-x, -y)
        return float(np.logaddexp.reduce(least + 2 * p.beta * np.array(gamma) * u + many))

    power = 2 * p.beta + p.d
    return 0.0 if math.isinf(total(0.0)) else a * math.exp(-power * root(total, -300.0, 300.0))
