"""Errors as factors of one, against the size that a lesson changes."""

from __future__ import annotations

from functools import cache

import numpy as np

from rates.numbers import decades
from rates.tally import coin_error, laplace_error
from sims.engine import Array
from sims.lessons.catalogue import BUDGET, PEOPLE, REGISTRY, question
from sims.lessons.classmates import simulated

START = {"class": float(PEOPLE), "twice": float(REGISTRY), "spread": 10.0}  # where the factor is 1
CLASSES = (8.0, 1_500.0)  # people in the smallest and the largest class


@cache
def curves(key: str) -> list[tuple[Array, Array]]:
    """Return sizes and factors: in `class` of coins and of noise on the tally, else exact ones.

    In `twice` and `spread` those without privacy come first; between their points errors are
    interpolated by logarithms.
    """
    if key == "class":
        sizes = [int(x) for x in decades(1, 3, whole=True) if CLASSES[0] <= x <= CLASSES[1]]
        unit = laplace_error(PEOPLE, BUDGET)
        errors = ([law(n, BUDGET) / unit for n in sizes] for law in (coin_error, laplace_error))
        return [(np.array(sizes, dtype=float), np.array(one)) for one in errors]
    from sims.ccv import exact_curves

    found = exact_curves(simulated(question(key)).values, count=24)
    out = []
    for name in sorted(found, key=lambda name: name != "no privacy"):
        curve, at = found[name], np.log(START[key])
        unit = np.exp(np.interp(at, np.log(curve.x), np.log(curve.risk)))
        out.append((curve.x, curve.risk / unit))
    return out
