"""Expressions at arrays of their letters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rates.language.expression import Expression

Array = NDArray[np.float64]


_ERFC = np.frompyfunc(math.erfc, 1, 1)  # loading SciPy takes longer than all claims do


def _normal(x: Array) -> Array:
    """The normal distribution function."""
    return np.asarray(0.5 * _ERFC(-np.asarray(x) / math.sqrt(2.0)), dtype=float)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
    "-": np.negative,
    "min": lambda *x: reduce(np.minimum, x),
    "max": lambda *x: reduce(np.maximum, x),
    "sqrt": np.sqrt,
    "abs": np.abs,
    "log": np.log,
    "log2": np.log2,
    "exp": np.exp,
    "Phi": _normal,
    "floor": np.floor,
    "ceil": np.ceil,
}


def value(of: Expression, at: Mapping[str, Array]) -> Array:
    """Return an expression at arrays of its letters.

    >>> from rates.language import read
    >>> value(read("n^2 + abs(log2(n))"), {"n": np.array([0.25])})
    array([2.0625])
    """
    return np.asarray(_value(of, at), dtype=float)


def _value(of: Expression, at: Mapping[str, Array]) -> Any:
    if of.args:
        return _OPERATIONS[of.of](*[_value(one, at) for one in of.args])
    if of.of in at:
        return at[of.of]
    return np.pi if of.of == "pi" else _number(of.of)


@cache
def _number(text: str) -> np.float64:
    return np.float64(Fraction(text))


def size(x: Array, y: Array) -> Array:
    """Return by how much x is above y: in logs where both are above 0, else relative to both."""
    both = (x > 0) & (y > 0)
    with np.errstate(all="ignore"):
        logs = np.log(np.where(both, x, 1.0)) - np.log(np.where(both, y, 1.0))
        plainly = (x - y) / np.maximum(np.abs(x) + np.abs(y), math.ulp(1.0))
    return np.asarray(np.where(both, logs, np.where(x == y, 0.0, plainly)), dtype=float)
