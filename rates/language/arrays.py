"""Expressions at arrays of their letters, and as products of powers."""

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
    # In logs the scale does not matter; at 0 there are none.
    both = (x > 0) & (y > 0)
    with np.errstate(all="ignore"):
        logs = np.log(np.where(both, x, 1.0)) - np.log(np.where(both, y, 1.0))
        plainly = (x - y) / np.maximum(np.abs(x) + np.abs(y), math.ulp(1.0))
    return np.asarray(np.where(both, logs, np.where(x == y, 0.0, plainly)), dtype=float)


_NUMBER = ("number", ())
_IN_ANY_ORDER = ("+", "*", "min", "max")


def factors(of: Expression, at: Mapping[str, Array]) -> dict[Any, Array]:
    """Return the powers of what an expression is a product of, at values of its letters.

    What is no product, quotient, power or root is a factor of its own; terms of sums and of minima
    stand in any order. Numbers are one factor, to the log of their product.

    >>> from rates.language import read
    >>> for factor, power in factors(read("n^b*(x + 1)/n"), {"b": np.array(3.0)}).items():
    ...     print(factor, power)
    ('n', ()) 2.0
    ('+', (('1', ()), ('x', ()))) 1.0
    """
    found: dict[Any, Array] = {}
    _gather(of, np.asarray(1.0), at, found)
    # What cancels up to rounding is no factor.
    return {factor: power for factor, power in found.items() if np.any(np.abs(power) > 1e-12)}


def _gather(of: Expression, power: Array, at: Mapping[str, Array], found: dict[Any, Array]) -> None:
    match of.of:
        case "*" | "/":
            first, second = of.args
            _gather(first, power, at, found)
            _gather(second, power if of.of == "*" else -power, at, found)
        case "^":
            _gather(of.args[0], power * value(of.args[1], at), at, found)
        case "sqrt":
            _gather(of.args[0], power / 2, at, found)
        case _ if of.number is not None and of.number > 0:
            found[_NUMBER] = found.get(_NUMBER, 0.0) + power * np.log(float(of.number))
        case _:
            found[unordered(of)] = found.get(unordered(of), 0.0) + power


def unordered(of: Expression) -> tuple[str, Any]:
    """Return what two expressions share that differ in labels and the order of terms alone.

    >>> from rates.language import read
    >>> unordered(read("a: x + y")) == unordered(read("y + x"))
    True
    """
    args = list(of.args)
    if of.of in _IN_ANY_ORDER:
        while inner := [one for one in args if one.of == of.of]:
            args.remove(inner[0])
            args += inner[0].args
        return of.of, tuple(sorted(map(unordered, args)))
    return of.of, tuple(map(unordered, args))
