"""The letters of a rate: which are sizes, which exponents and where these lie."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rates.numbers import DomainError, as_number
from rates.orders.language.powers import Power, Range, constant

Exponents = Sequence[str] | Mapping[str, "tuple[object, object] | None"]
FUNCTIONS = ("min", "max", "sqrt", "log", "exp", "expm1", "sum_j", "inf_h", "sup_h", "best_k")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,19}")
WORDS = ("or", "and")  # between conditions
BOUNDED = "bounded"  # before or after a letter that is a constant
MAX_LETTERS = 40


@dataclass(frozen=True, slots=True)
class Letters:
    """What each letter of a rate is.

    Attributes:
        sizes: Positive letters.
        ranges: The exponents, with where they lie.
        unknown: The letter that a balance is solved for, empty without one.
        sites: Sizes and exponents that differ by site.
    """

    sizes: tuple[str, ...]
    ranges: tuple[Range, ...] = ()
    unknown: str = ""
    sites: tuple[str, ...] = ()

    @property
    def exponents(self) -> tuple[str, ...]:
        """The exponents' letters."""
        return tuple(r.letter for r in self.ranges)

    @property
    def one(self) -> Power:
        """The power 1."""
        return constant(self.exponents, 1)


def declared(
    sizes: Sequence[str], exponents: Exponents, unknown: str | None, sites: Sequence[str]
) -> Letters:
    """Check what is declared."""
    ranges = exponents if isinstance(exponents, Mapping) else dict.fromkeys(_listed(exponents))
    every = [*_listed(sizes), *_listed(tuple(exponents)), *([] if unknown is None else [unknown])]
    for name in every:
        if not isinstance(name, str) or not NAME.fullmatch(name):
            rule = "A letter is a word of at most 20 plain letters and digits, a letter first."
            raise DomainError(rule, "letters", name)
        if name in (*FUNCTIONS, *WORDS, BOUNDED):
            what = "function" if name in FUNCTIONS else "word of conditions"
            raise DomainError(f"{name} is a {what} and no letter.", "letters", name)
    # Not merely twice: the remedy differs, so that it is said first.
    for name in (both for both in _listed(sizes) if both in ranges):
        rule = (
            f"{name} is declared twice, as a size and as an exponent, and a power of a letter with "
            "itself in it is no line in logs: write another letter for one, or its number."
        )
        raise DomainError(rule, "letters", name)
    for what, names in (("letters", every), ("sites", list(_listed(sites)))):
        for name in (twice for twice in names if names.count(twice) > 1):
            raise DomainError(f"The letter {name} is declared twice.", what, name)
    if len(every) > MAX_LETTERS:
        raise DomainError(f"A rate has at most {MAX_LETTERS} letters.", "letters", len(every))
    for name in sites:
        if name not in every or name == unknown:
            rule = f"{name} must be a size or an exponent to differ by site."
            raise DomainError(rule, "sites", name)
    return Letters(
        tuple(sizes),
        tuple(_range(name, ends) for name, ends in ranges.items()),
        unknown or "",
        tuple(sites),
    )


def _listed(letters: Any) -> Sequence[str]:
    if isinstance(letters, str):
        raise DomainError("Letters are given as a list.", "letters", letters)
    return tuple(letters)


def _range(name: str, ends: object) -> Range:
    """Check a declared range."""
    if ends is None:
        return Range(name)
    rule = f"The range of {name} must be (low, high) with low below high."
    if not isinstance(ends, Sequence) or isinstance(ends, str) or len(ends) != 2:
        raise DomainError(rule, name, ends)
    try:
        low, high = (
            None if end is None or end in (-math.inf, math.inf) else as_fraction(name, end)
            for end in ends
        )
    except DomainError:
        rule = f"Both ends of the range of {name} must be finite numbers, without letters, or inf."
        raise DomainError(rule, name, ends) from None
    if ends[0] == math.inf or ends[1] == -math.inf:
        raise DomainError(rule, name, ends)
    if low is not None and high is not None and not low < high:
        raise DomainError(rule, name, ends)
    return Range(name, low, high, stated=True)


def as_fraction(name: str, value: object) -> Fraction:
    """Return an exponent given as a number or a text, exactly; a float by its shortest decimal.

    >>> as_fraction("beta", 0.1), as_fraction("beta", "1/3")
    (Fraction(1, 10), Fraction(1, 3))

    Raises:
        DomainError: It is no finite number.
    """
    if isinstance(value, Fraction):
        return value
    number = None if isinstance(value, str) else as_number(value)
    text = value.strip() if isinstance(value, str) else repr(number)
    top, _, under = text.partition("/")
    try:
        # Exact, 1e999999999 would be a number of a billion digits.
        if len(text) <= 60 and abs(float(top)) < 1e30 and abs(float(under or 1)) < 1e30:
            return Fraction(top) / Fraction(under or 1)
    except (ValueError, ZeroDivisionError):
        pass
    raise DomainError(f"{name} must be a finite number.", name, value)


def exponents_at(ranges: tuple[Range, ...], given: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """Return the exponents in the order of their letters, each checked against its range.

    Raises:
        DomainError: One is missing, no number, or outside its range.
    """
    return tuple(r.check(as_fraction(r.letter, given_for(given, r.letter))) for r in ranges)


def given_for(given: Mapping[str, Any], letter: str) -> Any:
    """Return what is given for a letter, or raise `DomainError`."""
    try:
        return given[letter]
    except KeyError:
        raise DomainError(f"A number is needed for {letter}.", letter, None) from None
