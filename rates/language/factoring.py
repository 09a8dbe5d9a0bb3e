"""A formula as a product of powers, so that what has its factors moved is known again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rates.language.arrays import Array, value
from rates.language.expression import Expression

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
