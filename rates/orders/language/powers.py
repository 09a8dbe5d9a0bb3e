r"""Powers with letters in them: ratios of polynomials in the exponents, their signs and values.

They live in a field of fractions, so that equal powers are equal objects, whatever was typed.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy.polys.domains import QQ
from sympy.polys.fields import FracField
from sympy.polys.orderings import lex

from rates.numbers import DomainError
from rates.pieces import Call, Leaf

Array = NDArray[np.float64]
Power = Any  # an element of sympy's field of fractions over the exponents

MAX_TERMS = 24  # of a polynomial in a power
MAX_DEGREE = 8
MAX_SIZE = 1000  # of a power, and of the numbers in one
MAX_DIGITS = 10**24  # of numerators and denominators in a power
_FACTORED = (8, 5)  # terms and degree up to which a polynomial is taken apart
_LONG = "A power has too many terms or digits."
_EXPANDED = 400  # terms that a polynomial may have in distances from its letters' ends


class NoOrderError(DomainError):
    """What has no order, or one that is too long to work with."""


@dataclass(frozen=True, slots=True)
class Range:
    """Where an exponent lies; signs are shown strictly between the ends.

    Attributes:
        letter: The exponent.
        low: Lower end, None for minus infinity.
        high: Upper end, None for infinity.
        stated: Whether the range was declared; without one the exponent is positive.
    """

    letter: str
    low: Fraction | None = Fraction(0)
    high: Fraction | None = None
    stated: bool = False

    def check(self, value: Fraction) -> Fraction:
        """Return a value of the exponent, or raise `DomainError` if it is outside."""
        low_ok = self.low is None or value > self.low or (self.stated and value == self.low)
        if low_ok and (self.high is None or value <= self.high):
            return value
        raise DomainError(f"{self.letter} must {self.allowed}.", self.letter, float(value))

    @property
    def allowed(self) -> str:
        """The allowed set as a verb: be positive, lie in [1, 2]."""
        if not self.stated:
            return "be positive"
        low = "(-inf" if self.low is None else f"[{float(self.low):.12g}"
        high = "inf)" if self.high is None else f"{float(self.high):.12g}]"
        return f"lie in {low}, {high}"


@lru_cache(maxsize=64)
def field_of(letters: tuple[str, ...]) -> Any:
    """Return the field of fractions of the polynomials in the letters."""
    return FracField(letters, QQ, lex)


@lru_cache(maxsize=4096)
def constant(letters: tuple[str, ...], value: Fraction | int) -> Power:
    """Return a number as a power."""
    number = Fraction(value)
    return field_of(letters)(QQ(number.numerator, number.denominator))


def _checked(of: Callable[[Power, Power], Power]) -> Callable[[Power, Power], Power]:
    """Return an operation on powers that refuses what becomes too long, before it takes long."""

    @lru_cache(maxsize=4096)
    def checked(a: Power, b: Power) -> Power:
        one, other = (max(len(x.numer), len(x.denom)) for x in (a, b))
        if one * other > 8 * MAX_TERMS:
            raise NoOrderError(_LONG)
        return short(of(a, b))

    return checked


def short(power: Power) -> Power:
    """Return a power, or raise `NoOrderError`."""
    for part in (power.numer, power.denom):
        if len(part) > MAX_TERMS:
            raise NoOrderError(_LONG)
        for degrees, number in part.terms():
            size = max(abs(int(number.numerator)), int(number.denominator))
            if sum(degrees) > MAX_DEGREE or size > MAX_DIGITS:
                raise NoOrderError(_LONG)
    return power


plus, times, over = map(_checked, (operator.add, operator.mul, operator.truediv))


def plain(power: Power) -> Fraction | None:
    """Return a power without letters as a number, None if it has letters."""
    if not power:
        return Fraction(0)
    if power.numer.is_ground and power.denom.is_ground:
        return _fraction(power.numer.LC) / _fraction(power.denom.LC)
    return None


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.numerator), int(number.denominator))


def sign(power: Power, ranges: tuple[Range, ...]) -> int | None:
    """Return the sign of a power strictly inside the ranges, None if it cannot be shown.

    Shown by coefficients of one sign, of the whole or of every factor, once each letter is written
    by a t above 0: as low + t, high - t, or (low + high t)/(1 + t) between two ends, which gives
    the coefficients of Bernstein.

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
    # To factor a long one can take longer than all the rest of a rate.
    if len(poly) > _FACTORED[0] or max(map(sum, poly.monoms())) > _FACTORED[1]:
        number, whole = poly.primitive()
        return number, [(whole, 1)]
    number, factors = poly.factor_list()
    return number, list(factors)


@lru_cache(maxsize=4096)
def _poly_sign(poly: Any, ranges: tuple[Range, ...]) -> int | None:
    if poly.is_ground:
        return 1 if poly.LC > 0 else -1
    # As a whole a polynomial may have a sign where a factor has none to be shown.
    if found := _shared_sign(poly, ranges):
        return found
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


def _shared_sign(poly: Any, ranges: tuple[Range, ...]) -> int:
    """Return the sign that all coefficients share in the t of `sign`, 0 if they do not."""
    terms = 1
    for k, degree in enumerate(poly.degrees()):
        low, high = (
            None if end is None else QQ(end.numerator, end.denominator)
            for end in (ranges[k].low, ranges[k].high)
        )
        if degree <= 0 or (low == 0 and high is None):
            continue
        t = poly.ring.gens[k]
        if low is not None and high is not None:
            above, below = low + high * t, 1 + t
        elif low is not None:
            above, below = low + t, poly.ring.one
        elif high is not None:
            above, below = high - t, poly.ring.one
        else:
            return 0
        # Every letter multiplies the number of terms; signs are not worth seconds.
        terms *= degree + 1
        if terms > _EXPANDED:
            return 0
        parts = _by_degree(poly, k).items()
        poly = sum((x * above**d * below ** (degree - d) for d, x in parts), poly.ring.zero)
    signs = {number > 0 for number in poly.coeffs()}
    return 0 if len(signs) > 1 else 1 if signs.pop() else -1


def _by_degree(poly: Any, place: int) -> dict[int, Any]:
    """Return a polynomial's coefficients in the letter at a place, by degree."""
    out: dict[int, dict[tuple[int, ...], Any]] = {}
    for degrees, number in poly.terms():
        rest = tuple(0 if k == place else degree for k, degree in enumerate(degrees))
        out.setdefault(degrees[place], {})[rest] = number
    return {degree: poly.ring.from_dict(part) for degree, part in out.items()}


Terms = tuple[tuple[Fraction, tuple[tuple[int, int], ...]], ...]


@lru_cache(maxsize=4096)
def _compiled(power: Power) -> tuple[Terms, Terms]:
    # As tuples of numbers: maps ask for thousands of values.
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
    return Fraction(_valued(power, values, lambda front: front))


def numeric(power: Power, values: tuple[Array, ...]) -> Array:
    """Return a power at arrays of exponents that broadcast, as `exact`."""
    return np.asarray(_valued(power, values, float))


def _valued(power: Power, values: tuple[Any, ...], number: Callable[[Fraction], Any]) -> Any:
    top, under = (
        sum(
            number(front) * math.prod(values[k] ** d for k, d in letters) for front, letters in part
        )
        for part in _compiled(power)
    )
    zero = under == 0  # np.any of one number takes longer than all the rest
    if zero.any() if isinstance(zero, np.ndarray) else zero:
        raise DomainError(f"{power.denom} is 0 at these exponents, and divides a power.")
    return top / under


@lru_cache(maxsize=4096)  # what a claim needs asks for the same lines again and again
def leaf_at(leaf: Leaf, values: tuple[Fraction, ...], label: str = "") -> Leaf:
    """Return a product of powers at given exponents; its label is the old one if none is given."""
    calls = tuple((Call(x.name, leaf_at(x.of, values)), power) for x, power in leaf.calls)
    found = replace(leaf, label=label or leaf.label, calls=calls)
    return found.each(lambda p: exact(p, values))
