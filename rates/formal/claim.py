"""A formal claim: letters with ranges, conditions and relations; what is shown is what is tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.formal.terms import Array, Given, Term, latex, name, size, term, value
from rates.numbers import DomainError

Kind = Literal["size", "whole", "budget", "number"]
Sign = Literal["=", "<=", "<", ">=", ">"]
TOLERANCE = 1e-7
_SIGNS = {"=": "=", "<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}
_QUICK = 400
_STEPS = 70  # halvings of the logs of a root's ends: to rounding


@dataclass(frozen=True, slots=True)
class Range:
    """A letter with the values that it may take.

    Attributes:
        letter: Its name.
        kind: "size", a whole number drawn on a log scale; "budget", a real one likewise; "whole"
            and "number", drawn evenly.
        low: Least value.
        high: Largest value.
    """

    letter: str
    kind: Kind
    low: float
    high: float

    def __post_init__(self) -> None:
        positive = self.low > 0 or self.kind in ("whole", "number")
        if not (self.low <= self.high and positive):
            rule = "a range must have ends in order, above 0 on a log scale."
            raise DomainError(rule, field=self.letter, value=f"{self.low} to {self.high}")

    def draw(self, generator: np.random.Generator, number: int) -> Array:
        """Return values, one in ten of them at an end of the range."""
        u = generator.random(number)
        ends = generator.random(number)
        u = np.where(ends < 0.05, 0.0, np.where(ends > 0.95, 1.0, u))
        if self.kind in ("size", "budget"):
            x = np.exp(np.log(self.low) + u * np.log(self.high / self.low))
        else:
            x = self.low + u * (self.high - self.low)
        return np.asarray(np.round(x) if self.kind in ("size", "whole") else x)


@dataclass(frozen=True, slots=True)
class Relation:
    """Two terms with a sign between them."""

    left: Term
    sign: Sign
    right: Term

    def gap(self, at: Mapping[str, Array]) -> Array:
        """Return by how much it fails, in logs where both sides are above 0."""
        left, right = value(self.left, at), value(self.right, at)
        gap = size(left, right)
        gap = np.abs(gap) if self.sign == "=" else gap if self.sign[0] == "<" else -gap
        # A strict sign fails at a tie.
        strict = self.sign in ("<", ">") and np.abs(gap) <= 0
        return np.asarray(np.where(np.isnan(gap), np.inf, np.where(strict, 1.0, gap)))

    @property
    def latex(self) -> str:
        """Both sides as LaTeX."""
        return f"{latex(self.left)} {_SIGNS[self.sign]} {latex(self.right)}"


@dataclass(frozen=True, slots=True)
class Where:
    """A letter that is not drawn: a term, or what solves "term = 1", the term growing in it."""

    letter: str
    term: Term
    solves: bool = False

    @property
    def latex(self) -> str:
        """What the letter stands for, as LaTeX."""
        if self.solves:
            top, below = self.term.args if self.term.of == "/" else (self.term, term(1))
            return rf"{latex(top)} = {latex(below)} \text{{ defines }} {name(self.letter)}"
        return f"{name(self.letter)} = {latex(self.term)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One form of a statement as a formal object.

    Attributes:
        letters: What is drawn, each with its range.
        where: What other letters stand for, in an order in which they can be found.
        conditions: What the statement assumes.
        says: What it claims: all of it, or with `iff` that both relations hold or both fail.
        iff: Whether the two relations of `says` are claimed to be equivalent.
        at: For a contradicted claim, exact values of the letters at which it fails.
    """

    letters: tuple[Range, ...]
    says: tuple[Relation, ...]
    where: tuple[Where, ...] = ()
    conditions: tuple[Relation, ...] = ()
    iff: bool = False
    at: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        if not self.says or (self.iff and len(self.says) != 2):
            raise DomainError("a claim has relations, two of them to be equivalent.", "says", "")

    @property
    def latex(self) -> tuple[str, ...]:
        """The claim as lines of LaTeX: what the letters stand for, conditions, what is said."""
        lines = [one.latex for one in self.where]
        if self.conditions:
            lines.append(r",\quad ".join(one.latex for one in self.conditions) + r" \;\Rightarrow")
        lines.append((r" \iff " if self.iff else r",\quad ").join(one.latex for one in self.says))
        return tuple(lines)

    def draw(self, generator: np.random.Generator, number: int) -> dict[str, Array]:
        """Return values of all letters, those of `where` among them."""
        drawn = {one.letter: one.draw(generator, number) for one in self.letters}
        return self.complete(drawn)

    def complete(self, drawn: Mapping[str, Array]) -> dict[str, Array]:
        """Return drawn values with those of the letters of `where`."""
        at = dict(drawn)
        shape = np.broadcast_shapes(*(x.shape for x in at.values()))
        with np.errstate(all="ignore"):
            for one in self.where:
                found = solve(one, at) if one.solves else value(one.term, at)
                at[one.letter] = np.broadcast_to(found, shape)
        return at

    def inside(self, at: Mapping[str, Array]) -> NDArray[np.bool_]:
        """Return where the conditions hold."""
        number = next(iter(at.values())).shape
        found = np.ones(number, dtype=bool)
        with np.errstate(all="ignore"):
            for one in self.conditions:
                found &= np.broadcast_to(one.gap(at) <= 0, number)
        return found

    def gaps(self, at: Mapping[str, Array]) -> Array:
        """Return by how much the claim fails at each set of values, conditions aside."""
        with np.errstate(all="ignore"):
            gaps = [one.gap(at) for one in self.says]
        if not self.iff:
            return np.asarray(np.max(np.broadcast_arrays(*gaps), axis=0))
        first, second = np.broadcast_arrays(*gaps)
        tie = np.minimum(np.abs(first), np.abs(second)) <= TOLERANCE
        return np.asarray(np.where(((first <= 0) != (second <= 0)) & ~tie, 1.0, 0.0))

    def fails(self, at: Mapping[str, Array]) -> NDArray[np.bool_]:
        """Return where it fails inside its conditions."""
        return np.asarray(self.inside(at) & (self.gaps(at) > TOLERANCE))

    def contradicted(self, generator: np.random.Generator) -> bool:
        """Say whether it fails at its own numbers, or else at one of some hundred draws."""
        if self.at is None:
            at = self.draw(generator, _QUICK)
        else:
            at = self.complete({k: np.array([float(Fraction(v))]) for k, v in self.at.items()})
        return bool(self.fails(at).any())


def solve(one: Where, at: Mapping[str, Array]) -> Array:
    """Solve "term = 1" by halving an interval of the logs: the term grows in the letter."""
    shape = np.broadcast_shapes(*(x.shape for x in at.values()))
    low, high = np.full(shape, -345.0), np.full(shape, 345.0)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        above = value(one.term, {**at, one.letter: np.exp(middle)}) > 1
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return np.asarray(np.exp((low + high) / 2))


def relation(left: Given, sign: Sign, right: Given) -> Relation:
    """Return a relation of terms or numbers."""
    return Relation(term(left), sign, term(right))


def numbers(text: str) -> dict[str, str] | None:
    """Return the exact values of letters that a text such as "n=100 eps=1/2" gives, None if empty.

    >>> numbers("n=100 eps=1/2")
    {'n': '100', 'eps': '1/2'}
    """
    return dict(one.split("=") for one in text.split()) if text else None


def claim(
    *letters: Range,
    says: Relation | tuple[Relation, ...],
    where: tuple[Where, ...] = (),
    conditions: tuple[Relation, ...] = (),
    iff: bool = False,
    at: str = "",
) -> Claim:
    """Make a claim; the numbers at which a contradicted one fails are given as a text."""
    said = (says,) if isinstance(says, Relation) else says
    return Claim(
        letters=letters, where=where, conditions=conditions, says=said, iff=iff, at=numbers(at)
    )
