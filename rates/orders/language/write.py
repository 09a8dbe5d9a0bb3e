"""Rates as expressions, which are written as text that parses back, and as LaTeX."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rates.language import Expression, latex, number_text, text
from rates.orders.language import nodes
from rates.orders.language.powers import Power, factored, plain

_ONE = Expression("1")


def text_of(node: nodes.Node, gap: str = " ") -> str:
    """Return a node as it is typed; ``gap`` stands around + and after commas."""
    return text(expression(node), gap)


def tex_of(node: nodes.Node, sites: Collection[str] = ()) -> str:
    """Return a node as LaTeX; letters that differ by site have an index j."""
    return latex(expression(node), sites)


@lru_cache(maxsize=4096)
def power_text(power: Power) -> str:
    """Return a power in factored form, as it is typed: -beta/(2*beta+d)."""
    return text(_power(power), "")


# -- nodes ------------------------------------------------------------------------------------
def expression(node: nodes.Node) -> Expression:
    """Return a node as an expression."""
    match node:
        case nodes.Number(value):
            return Expression(number_text(value))
        case nodes.Letter(name):
            return Expression(name)
        case nodes.Labelled(label, body):
            return replace(expression(body), label=label)
        case nodes.OverSites(body):
            return Expression("sum_j", (expression(body),))
        case nodes.Called("expm1", body):
            less = Expression("-", (_ONE,))
            return Expression("+", (Expression("exp", (expression(body),)), less))
        case nodes.Called(name, body):
            return Expression(name, (expression(body),))
        case nodes.OverLetter(kind, letter, body, low, high):
            ends = [(expression(x),) if x else () for x in (low, high)]
            first = ends[1] if kind == "best" else _range(ends[0], letter, ends[1])
            return Expression(f"{kind}_{letter}", (*first, expression(body)))
        case nodes.Join(kind, parts):
            return Expression("+" if kind == "sum" else kind, tuple(map(expression, parts)))
        case nodes.Raised(base, power) if plain(power) == -1:
            return Expression("/", (_ONE, expression(base)))
        case nodes.Raised(base, power):
            return Expression("^", (expression(base), _power(power)))
        case nodes.Product(factors):
            return _product(factors)


def _range(
    low: tuple[Expression, ...], letter: str, high: tuple[Expression, ...]
) -> tuple[Expression, ...]:
    return (Expression("<=", (*low, Expression(letter), *high)),) if low or high else ()


def _product(factors: Sequence[nodes.Node]) -> Expression:
    """Join factors from the left; what has the power -1 divides what stands before it."""
    out = expression(factors[0])
    for part in factors[1:]:
        if isinstance(part, nodes.Raised) and plain(part.power) == -1:
            out = Expression("/", (out, expression(part.base)))
        elif out.of == "*" and not out.label:
            out = Expression("*", (*out.args, expression(part)))
        else:
            out = Expression("*", (out, expression(part)))
    return out


# -- powers -----------------------------------------------------------------------------------
@lru_cache(maxsize=4096)
def _power(power: Power) -> Expression:
    """Return a power in factored form."""
    if not power:
        return Expression("0")
    # A decimal would be shorter, and harder to read in a power.
    if plain(power) == Fraction(1, 2):
        return Expression("1/2")
    front, above = _factored(power.numer)
    under_front, below = _factored(power.denom)
    front /= under_front
    out = _times(abs(front.numerator), above)
    if front.denominator != 1 or below:
        out = Expression("/", (out, _times(front.denominator, below)))
    return Expression("-", (out,)) if front < 0 else out


@lru_cache(maxsize=4096)
def _factored(poly: Any) -> tuple[Fraction, tuple[Any, ...]]:
    """Return the number in front and the factors, each as often as it occurs."""
    number, factors = factored(poly)
    front, out = Fraction(int(number.numerator), int(number.denominator)), []
    for factor, often in factors:
        side = -1 if factor.LC < 0 else 1
        front *= side**often
        out += [factor * side] * often
    # Short factors first: equal powers are written alike, whatever was typed.
    out.sort(key=lambda f: (len(f), [[-d for d in degrees] for degrees in f.monoms()]))
    return front, tuple(out)


def _times(number: int, factors: tuple[Any, ...]) -> Expression:
    return _joined("*", _numbered(number, [_poly(factor) for factor in factors]))


def _poly(poly: Any) -> Expression:
    """Return a polynomial with whole coefficients, multiplied out."""
    names = [str(symbol) for symbol in poly.ring.symbols]
    terms = []
    for degrees, number in poly.terms():
        letters = [
            Expression(name)
            for name, degree in zip(names, degrees, strict=True)
            for _ in range(degree)
        ]
        term = _joined("*", _numbered(abs(int(number)), letters))
        terms.append(Expression("-", (term,)) if number < 0 else term)
    return _joined("+", terms)


def _numbered(number: int, factors: list[Expression]) -> list[Expression]:
    return factors if number == 1 and factors else [Expression(str(number)), *factors]


def _joined(of: str, parts: list[Expression]) -> Expression:
    """Join parts, one of the same kind taken apart."""
    args = [arg for part in parts for arg in (part.args if part.of == of else (part,))]
    return args[0] if len(args) == 1 else Expression(of, tuple(args))
