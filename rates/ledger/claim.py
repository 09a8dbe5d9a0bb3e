r"""A claim as text: letters with ranges, what others stand for, conditions, and what is said.

    for  beta in [0.2, 1]; d in {1..5}; n, n0 in {2..1e6} log; eps in [1e-7, 1] log
    let  k = 2*beta + d; x solves n*x^k = 1
    if   n <= n0; eps < 1
    then x = n^(-1/k)
    at   n = 10; n0 = 100; beta = 1/2; d = 2; eps = 1/2

A range is ``[a, b]`` for real numbers and ``{a..b}`` for whole ones, drawn evenly, or with ``log``
on a log scale. Letters without one have the ranges that the paper's text gives once for all, and
its definitions stand in for letters that are in none of ``for`` and ``let``.
``x solves left = right`` names the root of a balance whose left side over the right one grows in
it. Relations of ``then`` are claimed together, or with ``iff`` between two of them to hold and fail
together. A reading repeats only the parts that differ, ``none`` for an empty one. ``at`` gives
exact numbers at which a contradicted claim fails. What is shown, drawn, evaluated and certified is
read from this text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rates.language import (
    SIGNS,
    Array,
    Expression,
    Sign,
    factors,
    latex,
    letters_of,
    name,
    read,
    read_relation,
    size,
    substituted,
    value,
)
from rates.numbers import DomainError

KEYWORDS = ("for", "let", "if", "then", "at")
TOLERANCE = 1e-7
_KEYWORD = re.compile(rf"^\s*({'|'.join(KEYWORDS)})\s", re.MULTILINE)
_LETTER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RANGE = re.compile(
    r"(?:\[(?P<low>[^,\]]+),(?P<high>[^\]]+)\]|\{(?P<first>[^.}]+)\.\.(?P<last>[^}]+)\})"
    r"(?P<log>\s+log)?"
)
_IFF = re.compile(r"\biff\b")
_TRIES = 3  # sets of numbers at which exponents are compared
Shared = Mapping[str, Mapping[str, str]]  # "ranges" and "lets" of the claims of a paper
_NONE: Mapping[str, Any] = {}
_STEPS = 56  # halvings of the logs of a root's ends: to rounding


@dataclass(frozen=True, slots=True)
class Range:
    """A letter with the values that it may take.

    Attributes:
        letter: Its name.
        low: Least value.
        high: Largest value.
        whole: Whether it is a whole number.
        log: Whether it is drawn on a log scale.
    """

    letter: str
    low: Fraction
    high: Fraction
    whole: bool = False
    log: bool = False

    def draw(self, generator: np.random.Generator, number: int) -> Array:
        """Return values, one in ten of them at an end of the range."""
        u, ends = generator.random(number), generator.random(number)
        # Claims fail at the ends of ranges first, which even draws would hardly meet.
        u = np.where(ends < 0.05, 0.0, np.where(ends > 0.95, 1.0, u))
        low, high = float(self.low), float(self.high)
        x = np.exp(np.log(low) + u * np.log(high / low)) if self.log else low + u * (high - low)
        return np.asarray(np.round(x) if self.whole else x)

    def allows(self, x: Fraction) -> bool:
        """Whether a number lies in it."""
        return self.low <= x <= self.high and (not self.whole or x.denominator == 1)


@dataclass(frozen=True, slots=True)
class Relation:
    """Two expressions with a sign between them, and their text."""

    left: Expression
    sign: Sign
    right: Expression
    source: str = field(default="", compare=False)

    def gap(self, at: Mapping[str, Array]) -> Array:
        """Return by how much it fails, in logs where both sides are above 0."""
        left, right = value(self.left, at), value(self.right, at)
        # In logs one tolerance fits all sizes; a side of 0 or below has none.
        gap = size(left, right)
        gap = np.abs(gap) if self.sign == "=" else gap if self.sign[0] == "<" else -gap
        tie = self.strict & (gap == 0)  # at which a strict sign fails
        return np.asarray(np.where(np.isnan(gap), np.inf, np.where(tie, 1.0, gap)))

    @property
    def strict(self) -> bool:
        """Whether equal sides contradict it."""
        return self.sign in ("<", ">")

    @property
    def letters(self) -> set[str]:
        """The letters on both sides."""
        return letters_of(self.left) | letters_of(self.right)

    @property
    def latex(self) -> str:
        """Both sides as LaTeX."""
        return f"{latex(self.left)} {SIGNS[self.sign]} {latex(self.right)}"

    def put(self, by: Mapping[str, Expression]) -> Relation:
        """Return it with expressions in place of letters."""
        return replace(self, left=substituted(self.left, by), right=substituted(self.right, by))

    def repeats(self, other: Relation, at: Mapping[str, Array]) -> bool:
        """Whether it says what another says, with factors moved or not; exponents at values."""
        if other.sign != "=" and (self.sign == "=" or (self.strict and not other.strict)):
            return False
        own, its = (factors(Expression("/", (x.left, x.right)), at) for x in (self, other))
        turned = self.sign[0] != other.sign[0]
        signs = (1, -1) if other.sign == "=" else (-1,) if turned else (1,)
        return own.keys() == its.keys() and any(
            all(np.allclose(power, sign * its[factor]) for factor, power in own.items())
            for sign in signs
        )


@dataclass(frozen=True, slots=True)
class Let:
    """A letter that is not drawn: an expression, or the root of a balance.

    Attributes:
        letter: Its name.
        left: What it stands for, or the balance's left side.
        right: The balance's right side; None for what is no root.
        source: The letter and the texts of both.
    """

    letter: str
    left: Expression
    right: Expression | None = None
    source: tuple[str, ...] = field(default=(), compare=False)

    @property
    def shown(self) -> str:
        """What the letter stands for, with formulas between ``$``."""
        if self.right is None:
            return f"${name(self.letter)} = {latex(self.left)}$"
        return f"${name(self.letter)}$ solves ${Relation(self.left, '=', self.right).latex}$"

    @property
    def needs(self) -> set[str]:
        """The letters that have to be known before."""
        if self.right is None:
            return letters_of(self.left)
        return (letters_of(self.left) | letters_of(self.right)) - {self.letter}

    def solve(self, at: Mapping[str, Array]) -> Array:
        """Return the root by halving an interval of its logs; left over right grows in it."""
        assert self.right is not None
        shape = np.broadcast_shapes(*(x.shape for x in at.values()))
        # From 1e-150 to 1e150, so that the square of a root is still a number.
        low, high = np.full(shape, -345.0), np.full(shape, 345.0)
        for _ in range(_STEPS):
            middle = (low + high) / 2
            here = {**at, self.letter: np.exp(middle)}
            above = value(self.left, here) / value(self.right, here) > 1
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return np.asarray(np.exp((low + high) / 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One form of a statement.

    Attributes:
        letters: What is drawn, each with its range.
        lets: What other letters stand for, in an order in which they can be found.
        conditions: What the statement assumes.
        says: What it claims: all of it, or with `iff` that both relations hold or both fail.
        iff: Whether the two relations of `says` are claimed to be equivalent.
        at: Exact values of the letters at which it fails; None where none are given.
    """

    letters: tuple[Range, ...]
    says: tuple[Relation, ...]
    lets: tuple[Let, ...] = ()
    conditions: tuple[Relation, ...] = ()
    iff: bool = False
    at: Mapping[str, Fraction] | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        r"""The claim to be read: what is said, what its letters stand for, and its conditions.

        >>> read_claim("for n in {2..9} \n let x = n^2 \n if n < 5 \n then x <= 3*n").lines
        ('$x \\le 3 n$', 'where $x = n^{2}$', 'if $n < 5$')
        """
        says = [f"${one.latex}$" for one in self.says]
        where = [f"where {one.shown}" for one in self.lets]
        given = ", ".join(f"${one.latex}$" for one in self.conditions)
        says = [" if and only if ".join(says)] if self.iff else says
        return (*says, *where, *([f"if {given}"] if given else []))

    @property
    def said(self) -> dict[str, Any]:
        """All that it says, as plain data: what a certificate holds of it."""
        return {
            "for": {
                one.letter: [str(one.low), str(one.high), "whole" if one.whole else "real"]
                for one in self.letters
            },
            "let": [list(one.source) for one in self.lets],
            "if": [one.source for one in self.conditions],
            "then": [one.source for one in self.says],
            "iff": self.iff,
            "at": {letter: str(x) for letter, x in (self.at or {}).items()},
        }

    def draw(self, generator: np.random.Generator, number: int) -> dict[str, Array]:
        """Return values of all letters, those of `lets` among them."""
        return self.complete({one.letter: one.draw(generator, number) for one in self.letters})

    def example(self) -> dict[str, Array]:
        """Return the values at its own numbers, as arrays of one."""
        numbers = self.at or {}
        return self.complete({k: np.array([float(x)]) for k, x in numbers.items()})

    def complete(self, drawn: Mapping[str, Array]) -> dict[str, Array]:
        """Return drawn values with those of the letters of `lets`."""
        at = dict(drawn)
        shape = np.broadcast_shapes(*(x.shape for x in at.values()))
        with np.errstate(all="ignore"):
            for one in self.lets:
                found = value(one.left, at) if one.right is None else one.solve(at)
                at[one.letter] = np.broadcast_to(found, shape)
        return at

    def inside(self, at: Mapping[str, Array]) -> NDArray[np.bool_]:
        """Return where the conditions hold."""
        # A condition may have no letter that is drawn: its one value counts for every draw.
        shape = next(iter(at.values())).shape
        with np.errstate(all="ignore"):
            holds = [np.broadcast_to(one.gap(at) <= 0, shape) for one in self.conditions]
        return np.asarray(np.all([np.ones(shape, dtype=bool), *holds], axis=0))

    def gaps(self, at: Mapping[str, Array]) -> Array:
        """Return by how much the claim fails at each set of values; outside of its conditions 0."""
        with np.errstate(all="ignore"):
            gaps = np.broadcast_arrays(*(one.gap(at) for one in self.says))
        found = np.asarray(np.max(gaps, axis=0))
        if self.iff:
            # Rounding may turn a tie either way: it makes two sides equal, and decides no <.
            near = [np.abs(gap) <= TOLERANCE for gap in gaps]
            first, second = (
                near[k] if one.sign == "=" else gaps[k] <= 0 for k, one in enumerate(self.says)
            )
            tie = np.any([x for x, one in zip(near, self.says, strict=True) if one.sign != "="], 0)
            found = np.where((first != second) & ~tie, 1.0, 0.0)
        shape = next(iter(at.values())).shape
        return np.asarray(np.where(self.inside(at), np.broadcast_to(found, shape), 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a test found for one form of an entry.

    Attributes:
        number: Draws made inside the conditions.
        violations: Draws at which the form fails.
        worst: Largest gap found; minus infinity without draws.
        at: The letters or parameters of the largest gap.
        example: Gap at the stored example; None where none is stored.
        unit: What a gap measures.
        tolerance: Largest gap that rounding may explain.
    """

    number: int
    violations: int
    worst: float
    at: Mapping[str, float]
    example: float | None = None
    unit: str = "log of the ratio of both sides"
    tolerance: float = TOLERANCE

    @property
    def fails(self) -> bool:
        """Whether a draw or the example contradicts the form."""
        return self.violations > 0 or (self.example is not None and self.example > self.tolerance)


def read_claim(text: str, of: str = "", base: Claim | None = None, shared: Shared = _NONE) -> Claim:
    r"""Return the claim that a text says.

    Args:
        text: Lines that begin with one of `KEYWORDS`; a line without one goes on with the last.
        of: What a refusal calls the claim, such as a statement's id.
        base: A claim from which parts that the text leaves out are taken, except `at`.
        shared: What a paper's text gives once for all of its claims: "ranges" of letters that
            are named without one, "lets" that stand for letters which are used and not defined.

    Raises:
        DomainError: A part is missing, unknown or twice; a letter is unknown, defined twice or out
            of its range; or what is said is nothing but a definition or a condition.

    Examples:
        >>> read_claim("for n in {2..100}; b in [0, 1] \n then n^b <= n").lines
        ('$n^{b} \\le n$',)
        >>> read_claim("for n in [1, 9] \n let x = n^2 \n then x = n^2")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rates.DomainError: then must be more than what is defined or assumed; x = n^{2} says ...
    """
    parts = _parts(text, of)
    if "then" not in parts and base is None:
        _refuse("then", "", "there: what is claimed", of)
    old = base or Claim(letters=(), says=())
    letters, lets, conditions, says, iff = old.letters, old.lets, old.conditions, old.says, old.iff
    if "for" in parts:
        letters = tuple(
            x for part in parts["for"] for x in ranges_of(part, shared.get("ranges", {}), of)
        )
    if "let" in parts:
        lets = tuple(_let(part, of) for part in parts["let"])
    if "if" in parts:
        conditions = tuple(_relation(part, of) for part in parts["if"])
    if "then" in parts:
        pair = _IFF.split("; ".join(parts["then"]))
        iff = len(pair) > 1
        says = tuple(_relation(part, of) for part in (pair if iff else parts["then"]))
    claim = Claim(
        letters=letters,
        lets=_with_shared(letters, lets, (*conditions, *says), shared, of),
        conditions=conditions,
        says=says,
        iff=iff,
        at=dict(_number(part, of) for part in parts["at"]) if "at" in parts else None,
    )
    _check(claim, of)
    return claim


def arguing(claim: Claim, steps: tuple[Relation, ...], shared: Shared, of: str = "") -> Claim:
    """Return a claim that says the steps of an argument, with the definitions that they use.

    Raises:
        DomainError: A step has an unknown letter, or the same on both sides.
    """
    lets = _with_shared(claim.letters, claim.lets, steps, shared, of)
    known = set(_names(claim.letters, lets))
    for one in steps:
        if one.left == one.right:
            _refuse("argument", one.latex, "of relations with two different sides", of)
        if extra := one.letters - known:
            _refuse("argument", ", ".join(sorted(extra)), "in letters of the claim", of)
    return replace(claim, lets=lets, says=steps, iff=False, at=None)


def _refuse(field: str, value: object, domain: str, of: str) -> NoReturn:
    raise DomainError(f"{field} must be {domain}.", field=field, value=value, where=of)


def _names(letters: tuple[Range, ...], lets: tuple[Let, ...]) -> list[str]:
    return [*(one.letter for one in letters), *(one.letter for one in lets)]


def _parts(text: str, of: str) -> dict[str, list[str]]:
    """Return what stands behind each keyword, part by part."""
    before, *rest = _KEYWORD.split(text)
    if before.strip():
        _refuse("claim", before.strip(), f"lines that begin with {', '.join(KEYWORDS)}", of)
    if len(set(rest[::2])) < len(rest[::2]):
        _refuse("claim", ", ".join(rest[::2]), "of parts that are there once", of)
    found = {}
    for word, said in zip(rest[::2], rest[1::2], strict=True):
        line = " ".join(filter(None, map(str.strip, said.splitlines())))
        found[word] = [x.strip() for x in line.split(";") if x.strip() not in ("", "none")]
    return found


def ranges_of(part: str, ranges: Mapping[str, str] = _NONE, of: str = "") -> Iterator[Range]:
    """Yield the letters of "n, m in {1..1e3} log", or of "n, m" with the ranges that they have."""
    names, here, given = part.partition(" in ")
    for letter in map(str.strip, names.split(",")):
        if not here and letter not in ranges:
            _refuse("for", letter, "letters with a range, here or in the paper's text", of)
        text = given.strip() if here else ranges[letter]
        match = _RANGE.fullmatch(text)
        if match is None:
            _refuse("for", part, "letters in [a, b] or {a..b}, with log behind it or not", of)
        whole = match["first"] is not None
        pair = (match["first"], match["last"]) if whole else (match["low"], match["high"])
        low, high = (_fraction(end, text, of) for end in pair)
        if low > high or (match["log"] and low <= 0):
            _refuse("for", part, "a range with ends in order, above 0 on a log scale", of)
        if whole and not low.denominator == high.denominator == 1:
            _refuse("for", part, "a range of whole numbers between whole ends", of)
        yield Range(letter, low, high, whole, bool(match["log"]))


def _with_shared(
    letters: tuple[Range, ...],
    lets: tuple[Let, ...],
    relations: tuple[Relation, ...],
    known_to_all: Shared,
    of: str,
) -> tuple[Let, ...]:
    """Return definitions with those of the paper's that are used, each as soon as it can be."""
    own, shared = _names(letters, lets), known_to_all.get("lets", {})
    used = {x for one in lets for x in one.needs} | {x for one in relations for x in one.letters}
    wanted: list[Let] = []
    for letter in reversed(tuple(shared)):
        if letter in used and letter not in own:
            sign = " " if shared[letter].startswith("solves ") else " = "
            wanted.insert(0, _let(letter + sign + shared[letter], of))
            used |= wanted[0].needs
    left, known = [*wanted, *lets], {x.letter for x in letters}
    found: list[Let] = []
    while ready := next((x for x in left if x.needs <= known), None):
        left.remove(ready)
        found.append(ready)
        known.add(ready.letter)
    return (*found, *left)


def _let(part: str, of: str) -> Let:
    """Return a definition such as "x = 2*n" or "x solves n*x^2 = 1"."""
    letter, root, rest = part.partition(" solves ")
    if root:
        relation = _relation(rest, of)
        if relation.sign != "=":
            _refuse("let", part, "a balance: letter solves left = right", of)
        sides = map(str.strip, rest.split("="))
        return Let(letter.strip(), relation.left, relation.right, (letter.strip(), *sides))
    letter, equals, rest = (text.strip() for text in part.partition("="))
    if not equals or not _LETTER.fullmatch(letter):
        _refuse("let", part, "letter = expression, or letter solves left = right", of)
    return Let(letter, read(rest, f"the definition of {letter} in {of}"), None, (letter, rest))


def _relation(part: str, of: str) -> Relation:
    return Relation(*read_relation(part, of), part.strip())


def _number(part: str, of: str) -> tuple[str, Fraction]:
    letter, _, number = part.partition("=")
    return letter.strip(), _fraction(number, part, of)


def _fraction(text: str, part: str, of: str) -> Fraction:
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        _refuse("number", part, "a number such as 12, 0.5, 1e-7 or 1/3", of)


def _check(claim: Claim, of: str) -> None:
    """Refuse unknown letters, numbers outside of their ranges, and what says nothing."""
    names = _names(claim.letters, claim.lets)
    if twice := sorted({one for one in names if names.count(one) > 1}):
        _refuse("letter", ", ".join(twice), "defined once", of)
    known = {one.letter for one in claim.letters}
    for let in claim.lets:
        if extra := let.needs - known:
            _refuse("let", ", ".join(sorted(extra)), "of letters that stand before it", of)
        known.add(let.letter)
    for one in (*claim.conditions, *claim.says):
        if extra := one.letters - known:
            _refuse("letter", ", ".join(sorted(extra)), "in for or let", of)
    if claim.iff and len(claim.says) != 2:
        _refuse("then", len(claim.says), "two relations with one iff between them", of)
    if claim.at is not None:
        ranges = {one.letter: one for one in claim.letters}
        if set(claim.at) != set(ranges):
            _refuse("at", ", ".join(claim.at), f"a number for each of {', '.join(ranges)}", of)
        for letter, number in claim.at.items():
            if not ranges[letter].allows(number):
                _refuse("at", f"{letter} = {number}", "inside the range of each letter", of)
    if empty := _empty(claim):
        rule = f"more than what is defined or assumed; {empty} says nothing new"
        _refuse("then", empty, rule, of)


def _empty(claim: Claim) -> str:
    """Return the LaTeX of a relation that repeats a definition, a balance or a condition."""
    generator = np.random.default_rng(0)
    names = _names(claim.letters, claim.lets)
    # Exponents are compared at numbers: two that agree at three random ones agree everywhere.
    at = {letter: generator.uniform(1, 2, _TRIES) for letter in names}
    by: dict[str, Expression] = {}
    given = []
    for let in claim.lets:
        if let.right is None:
            by[let.letter] = substituted(let.left, by)
        else:
            given.append(Relation(let.left, "=", let.right).put(by))
    given += [one.put(by) for one in claim.conditions]
    for said in claim.says:
        full = said.put(by)
        if full.left == full.right or any(full.repeats(other, at) for other in given):
            return said.latex
    return ""
