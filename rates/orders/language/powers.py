r"""Powers with letters in them: ratios of polynomials in the exponents, their signs and values.

They live in a field of fractions, so that equal powers are equal objects, whatever was typed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sympy.polys.domains import QQ
from sympy.polys.fields import FracField
from sympy.polys.orderings import lex

from rates.numbers import DomainError

Array = NDArray[np.float64]
Power = Any  # an element of sympy's field of fractions over the exponents

MAX_TERMS = 24  # of a polynomial in a power
MAX_DEGREE = 8
MAX_SIZE = 1000  # of a power, and of the numbers in one
MAX_DIGITS = 10**24  # of numerators and denominators in a power
_FACTORED = (8, 5)  # terms and degree up to which a polynomial is taken apart
_CORNERS = 4  # letters with two ends whose corners are all tried


class TooLongError(DomainError):
    """A power has more terms or digits than are worked with."""

    def __init__(self) -> None:
        super().__init__("A power has too many terms or digits.")


class Ends(Protocol):
    """A range: its ends, None where infinite."""

    @property
    def low(self) -> Fraction | None:
        """Lower end."""

    @property
    def high(self) -> Fraction | None:
        """Upper end."""


@lru_cache(maxsize=64)
def field_of(letters: tuple[str, ...]) -> Any:
    """Return the field of fractions of the polynomials in the letters."""
    return FracField(letters, QQ, lex)


@lru_cache(maxsize=4096)
def constant(letters: tuple[str, ...], value: Fraction | int) -> Power:
    """Return a number as a power."""
    number = Fraction(value)
    return field_of(letters)(QQ(number.numerator, number.denominator))


@lru_cache(maxsize=4096)
def times(a: Power, b: Power) -> Power:
    """Return the product of two powers."""
    _room(len(a.numer) * len(b.numer), len(a.denom) * len(b.denom))
    return _short(a * b)


@lru_cache(maxsize=4096)
def plus(a: Power, b: Power) -> Power:
    """Return the sum of two powers."""
    if a.denom != b.denom:
        cross = len(a.numer) * len(b.denom) + len(b.numer) * len(a.denom)
        _room(cross, len(a.denom) * len(b.denom))
    return _short(a + b)


@lru_cache(maxsize=4096)
def over(a: Power, b: Power) -> Power:
    """Return the ratio of two powers; the second is not 0."""
    _room(len(a.numer) * len(b.denom), len(a.denom) * len(b.numer))
    return _short(a / b)


def minus(a: Power, b: Power) -> Power:
    """Return the difference of two powers."""
    return plus(a, -b)


def _room(*terms: int) -> None:
    if max(terms) > 8 * MAX_TERMS:
        raise TooLongError


def _short(power: Power) -> Power:
    for part in (power.numer, power.denom):
        if len(part) > MAX_TERMS:
            raise TooLongError
        for degrees, number in part.terms():
            size = max(abs(int(number.numerator)), int(number.denominator))
            if sum(degrees) > MAX_DEGREE or size > MAX_DIGITS:
                raise TooLongError
    return power


def plain(power: Power) -> Fraction | None:
    """Return a power without letters as a number, None if it has letters."""
    if not power:
        return Fraction(0)
    if power.numer.is_ground and power.denom.is_ground:
        return _fraction(power.numer.LC) / _fraction(power.denom.LC)
    return None


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.numerator), int(number.denominator))


def sign(power: Power, ranges: tuple[Ends, ...]) -> int | None:
    """Return the sign of a power strictly inside the ranges, None if it cannot be shown.

    Shown by the least and largest value of each term, by coefficients of one sign in distances
    from ends of the ranges, or so for every factor.

    >>> from rates.orders import Range
    >>> letters = ("a", "b")
    >>> a, b = field_of(letters).gens
    >>> sign((a - 1) / (a + b), (Range("a", Fraction(1), Fraction(2), True), Range("b")))
    1
    >>> sign(a - b, (Range("a"), Range("b"))) is None
    True
    """
    if not power:
        return 0
    top, under = _poly_sign(power.numer, ranges), _poly_sign(power.denom, ranges)
    return None if top is None or under is None else top * under


def factored(poly: Any) -> tuple[Any, list[tuple[Any, int]]]:
    """Return the number in front and the factors, each with how often; a long one stays whole."""
    if poly.is_ground:
        return poly.LC, []
    if len(poly) > _FACTORED[0] or max(map(sum, poly.monoms())) > _FACTORED[1]:
        number, whole = poly.primitive()
        return number, [(whole, 1)]
    number, factors = poly.factor_list()
    return number, list(factors)


@lru_cache(maxsize=4096)
def _poly_sign(poly: Any, ranges: tuple[Ends, ...]) -> int | None:
    if poly.is_ground:
        return 1 if poly.LC > 0 else -1
    used = [k for k, degree in enumerate(poly.degrees()) if degree > 0]
    if found := _by_terms(poly, [ranges[k] for k in used], used):
        return found
    if len(used) > _CORNERS or any(ranges[k].low is None and ranges[k].high is None for k in used):
        corners: Iterable[tuple[str, ...]] = ()
    else:
        sides = [[s for s in ("low", "high") if getattr(ranges[k], s) is not None] for k in used]
        corners = itertools.product(*sides)
    for corner in corners:
        moved = poly
        for k, side in zip(used, corner, strict=True):
            end = getattr(ranges[k], side)
            x = poly.ring.gens[k]
            far = x if side == "low" else -x
            if end != 0 or side == "high":
                moved = moved.compose(x, far + QQ(end.numerator, end.denominator))
        signs = {1 if number > 0 else -1 for number in moved.coeffs()}
        if len(signs) == 1:
            return signs.pop()
    number, factors = factored(poly)
    if len(factors) == 1 and factors[0][1] == 1:
        return None
    out = 1 if number > 0 else -1
    for factor, times_ in factors:
        its = _poly_sign(factor, ranges)
        if its is None:
            return None
        out *= its**times_
    return out


def _by_terms(poly: Any, ends: list[Ends], used: list[int]) -> int:
    """Return the sign that bounds of the terms show, 0 if they show none.

    Where no letter is negative a term grows with each, so that inside it is no bound of its own.
    """
    if any(end.low is None or end.low < 0 for end in ends):
        return 0
    least: Fraction | None = Fraction(0)  # None stands for infinity, of either sign
    most: Fraction | None = Fraction(0)
    for degrees, number in poly.terms():
        low: Fraction | None = _fraction(number)
        high = low
        for end, k in zip(ends, used, strict=True):
            if degrees[k]:
                low = low * (end.low or Fraction(0)) ** degrees[k] if low is not None else None
                both = high is not None and end.high is not None
                high = high * end.high ** degrees[k] if both else None
        if number < 0:
            low, high = high, low
        least = None if least is None or low is None else least + low
        most = None if most is None or high is None else most + high
    if least is not None and least >= 0:
        return 1
    return -1 if most is not None and most <= 0 else 0


Terms = tuple[tuple[Fraction, tuple[tuple[int, int], ...]], ...]


@lru_cache(maxsize=4096)
def _compiled(power: Power) -> tuple[Terms, Terms]:
    top, under = (
        tuple(
            (_fraction(number), tuple((k, d) for k, d in enumerate(degrees) if d))
            for degrees, number in part.terms()
        )
        for part in (power.numer, power.denom)
    )
    return top, under


def exact(power: Power, values: tuple[Fraction, ...]) -> Fraction:
    """Return a power at given exponents, in the order of the letters.

    Raises:
        DomainError: Its denominator is 0 there.
    """
    top, under = (
        sum(
            (number * math.prod((values[k] ** d for k, d in letters), start=Fraction(1)))
            for number, letters in part
        )
        for part in _compiled(power)
    )
    if under == 0:
        raise DomainError(f"{power.denom} is 0 at these exponents, and divides a power.")
    return Fraction(top) / Fraction(under)


def by_degree(poly: Any, place: int) -> dict[int, Power]:
    """Return a polynomial's coefficients in the letter at a place, by degree.

    >>> a, b = field_of(("a", "b")).gens
    >>> by_degree((a * a * b + 2 * a + a * b).numer, 0)
    {2: b, 1: b + 2}
    """
    out: dict[int, dict[tuple[int, ...], Any]] = {}
    for degrees, number in poly.terms():
        rest = tuple(0 if k == place else degree for k, degree in enumerate(degrees))
        out.setdefault(degrees[place], {})[rest] = number
    field = poly.ring.to_field()
    return {degree: field(poly.ring.from_dict(part)) for degree, part in out.items()}


def log_number(base: Fraction) -> float:
    """Return the log of a positive number, however large."""
    return math.log(base.numerator) - math.log(base.denominator)


def numeric(power: Power, values: tuple[Array, ...]) -> Array:
    """Return a power at arrays of exponents that broadcast, in the order of the letters."""
    parts = []
    for part in _compiled(power):
        total: Array = np.asarray(0.0)
        for number, letters in part:
            term: Array = np.asarray(float(number))
            for k, d in letters:
                term = term * values[k] ** d
            total = total + term
        parts.append(total)
    if np.any(parts[1] == 0):
        raise DomainError(f"{power.denom} is 0 at these exponents, and divides a power.")
    return np.asarray(parts[0] / parts[1])
