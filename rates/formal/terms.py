"""Formulas as plain trees: built with operators, shown as LaTeX, evaluated on arrays.

A tree is never read from text. What is shown, what is tried on draws and what stands in a
certificate all come from the same tree, so none of them can say something else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Values = Mapping[str, Array]
Given = Union["Term", int, Fraction, str]


def _normal(x: Array) -> Array:
    """The normal distribution function."""
    from scipy.special import ndtr  # here: loading it takes longer than all claims

    return np.asarray(ndtr(x))


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda *x: reduce(np.add, x),
    "*": lambda *x: reduce(np.multiply, x),
    "/": np.divide,
    "^": np.power,
    "-": np.negative,
    "min": lambda *x: reduce(np.minimum, x),
    "max": lambda *x: reduce(np.maximum, x),
    "log": np.log,
    "exp": np.exp,
    "Phi": _normal,
    "ceil": np.ceil,
}
_GREEK = {
    "eps": r"\varepsilon",
    "beta": r"\beta",
    "gamma": r"\gamma",
    "alpha": r"\alpha",
    "nu": r"\nu",
    "delta": r"\delta",
    "kappa": r"\kappa",
    "pi": r"\pi",
    "sigma": r"\sigma",
    "eta": r"\eta",
    "lam": r"\lambda",
    "omega": r"\omega",
    "tau": r"\tau",
}


_NUMBER = re.compile(r"\d|\\frac\{\d+\}\{\d+\}")  # two numbers side by side need a dot


@dataclass(frozen=True, slots=True)
class Term:
    r"""A number, a letter, or an operation on terms.

    Attributes:
        of: A letter's name, a number as text ("1/3"), or an operation.
        args: What the operation is applied to; empty for a letter and a number.

    Examples:
        >>> n, b = Term("n"), Term("beta")
        >>> print((2 * n) ** (-1 / (2 * b)))
        \left(2 n\right)^{-\frac{1}{2 \beta}}
    """

    of: str
    args: tuple[Term, ...] = ()

    def __add__(self, other: Given) -> Term:
        return Term("+", (self, term(other)))

    def __radd__(self, other: Given) -> Term:
        return Term("+", (term(other), self))

    def __sub__(self, other: Given) -> Term:
        return Term("+", (self, -term(other)))

    def __rsub__(self, other: Given) -> Term:
        return Term("+", (term(other), -self))

    def __mul__(self, other: Given) -> Term:
        return Term("*", (self, term(other)))

    def __rmul__(self, other: Given) -> Term:
        return Term("*", (term(other), self))

    def __truediv__(self, other: Given) -> Term:
        return Term("/", (self, term(other)))

    def __rtruediv__(self, other: Given) -> Term:
        return Term("/", (term(other), self))

    def __pow__(self, other: Given) -> Term:
        return Term("^", (self, term(other)))

    def __neg__(self) -> Term:
        return Term("-", (self,))

    def __str__(self) -> str:
        return latex(self)

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return not self.args and (self.of[0].isdigit() or self.of[0] == "-")


def term(given: Given) -> Term:
    """Return a term as it is, and a number, or its text, as a term."""
    if isinstance(given, Term):
        return given
    return Term(str(Fraction(given)))


def letters(names: str) -> list[Term]:
    """Return letters by their names, with spaces between them."""
    return [Term(name) for name in names.split()]


def least(*terms: Given) -> Term:
    """Return the minimum of terms."""
    return Term("min", tuple(map(term, terms)))


def most(*terms: Given) -> Term:
    """Return the maximum of terms."""
    return Term("max", tuple(map(term, terms)))


def log(of: Given) -> Term:
    """Return the natural logarithm of a term."""
    return Term("log", (term(of),))


def exp(of: Given) -> Term:
    """Return the exponential of a term."""
    return Term("exp", (term(of),))


def root(of: Given) -> Term:
    """Return the square root of a term."""
    return term(of) ** Fraction(1, 2)


def value(of: Term, at: Values) -> Array:
    """Return a term at arrays of its letters.

    >>> n = Term("n")
    >>> value(n**2 + 1, {"n": np.array([3.0])})
    array([10.])
    """
    if not of.args:
        if of.of == "pi":
            return np.asarray(np.pi)
        return np.asarray(float(Fraction(of.of)) if of.is_number else at[of.of], dtype=float)
    found = _OPERATIONS[of.of](*(value(one, at) for one in of.args))
    return np.asarray(found, dtype=float)


def plain(of: Term) -> Any:
    """Return a term as nested lists of text, as a certificate holds it.

    >>> plain(2 * Term("n"))
    ['*', '2', 'n']
    """
    return [of.of, *map(plain, of.args)] if of.args else of.of


def parts(of: Term, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Term]]:
    """Yield every part of a term with its place in it."""
    yield path, of
    for k, one in enumerate(of.args):
        yield from parts(one, (*path, k))


def put(of: Term, path: tuple[int, ...], new: Term) -> Term:
    """Return a term with another part at one place."""
    if not path:
        return new
    args = list(of.args)
    args[path[0]] = put(args[path[0]], path[1:], new)
    return Term(of.of, tuple(args))


def name(of: str) -> str:
    r"""Return a letter as LaTeX: digits are an index.

    >>> name("eps0"), name("A_t")
    ('\\varepsilon_{0}', 'A_{t}')
    """
    base = of.rstrip("0123456789*")
    index = of[len(base) :]
    base, _, low = base.partition("_")
    index = (low + index).replace("*", r"\ast")
    return _GREEK.get(base, base) + (f"_{{{index}}}" if index else "")


def latex(of: Term) -> str:
    """Return a term as LaTeX on one line."""
    return _show(of, 0)


def _show(of: Term, strength: int) -> str:
    """Show a term; in brackets where its operation binds less than the place asks for."""
    if not of.args:
        if not of.is_number:
            return name(of.of)
        x = Fraction(of.of)
        whole = x.denominator == 1
        text = str(x) if whole else rf"\frac{{{abs(x.numerator)}}}{{{x.denominator}}}"
        text = f"-{text}" if x < 0 and not whole else text
        loose = 1 if x < 0 else 3 if whole else 2  # the place at which it needs brackets
        return rf"\left({text}\right)" if strength > loose else text
    own, text = _operation(of)
    return rf"\left({text}\right)" if own < strength else text


def _operation(of: Term) -> tuple[int, str]:
    args = of.args
    match of.of:
        case "+":
            text = _show(args[0], 1)
            for one in args[1:]:
                minus = one.of == "-" and one.args
                part = f"-{_show(one.args[0], 2)}" if minus else _show(one, 1)
                text += f" - {part[1:]}" if part[0] == "-" else f" + {part}"
            return 1, text
        case "-":
            return 1, f"-{_show(args[0], 2)}"
        case "*":
            first = _show(args[0], 0)
            signed = first[0] == "-" and args[0].of != "+"  # a minus may stand in front
            own = 1 if signed else 2
            shown = [first if signed else _show(args[0], 2), *(_show(one, 2) for one in args[1:])]
            digits = [k > 0 and bool(_NUMBER.match(s)) for k, s in enumerate(shown)]
            return own, "".join(
                (r" \cdot " if dot else " " if k else "") + s
                for k, (s, dot) in enumerate(zip(shown, digits, strict=True))
            )
        case "/" if (top := _show(args[0], 0))[0] == "-" and args[0].of != "+":
            return 1, rf"-\frac{{{top[1:]}}}{{{latex(args[1])}}}"
        case "/":
            return 4, rf"\frac{{{latex(args[0])}}}{{{latex(args[1])}}}"
        case "^":
            if args[1] == term(Fraction(1, 2)):
                return 4, rf"\sqrt{{{latex(args[0])}}}"
            base = _show(args[0], 5 if args[0].of in ("/", "^") else 3)
            return 3, f"{base}^{{{latex(args[1])}}}"
        case "min" | "max":
            return 4, rf"\{of.of}\left({', '.join(map(latex, args))}\right)"
        case "log" | "exp":
            return 4, rf"\{of.of}\left({latex(args[0])}\right)"
        case "Phi":
            return 4, rf"\Phi\left({latex(args[0])}\right)"
        case _:
            return 4, rf"\lceil {latex(args[0])} \rceil"


def size(x: Array, y: Array) -> Array:
    """Return by how much x is above y: in logs where both are above 0, else relative to both."""
    both = (x > 0) & (y > 0)
    with np.errstate(all="ignore"):
        logs = np.log(np.where(both, x, 1.0)) - np.log(np.where(both, y, 1.0))
        plainly = (x - y) / np.maximum(np.abs(x) + np.abs(y), math.ulp(1.0))
    return np.asarray(np.where(both, logs, np.where(x == y, 0.0, plainly)), dtype=float)
