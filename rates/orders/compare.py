"""Two rates set against each other: which is smaller, where, and with what constant.

That one is at most a constant times the other is decided as a claim, with a certificate.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf, isclose, isnan, sqrt
from typing import Any

from rates.numbers import DomainError, Words
from rates.orders import draft, printed, reading
from rates.orders.axes import crossings, intervals
from rates.orders.claims import Claim, decide
from rates.orders.inquiry import FREE, Inquiry, Span
from rates.orders.language.nodes import Join, Labelled, Node, Number, multiplied
from rates.orders.order import Order, single
from rates.orders.printed import Printed
from rates.pieces import Form

Ends = tuple[tuple[str, Span], ...]
VERDICTS = {
    "equal": "equal up to constants",
    "smaller": "at most a constant times the other",
    "larger": "at least a constant times the other",
    "either": "smaller here, larger there",
    "open": "not decided against the other",
}
SIDES = ("first", "second")
_SAME = 1e-9  # relative difference of what is equal
_BESIDE = 1e-6  # how far beside a place its sides are looked at


@dataclass(frozen=True, slots=True)
class Change:
    """Where the smaller of two rates changes along a size.

    Attributes:
        letter: The size.
        at: Where, at the values of the others.
        formula: The same in the other letters; None if it has no such form.
        before: Which rate is smaller below: "first", "second" or "equal" for neither.
        after: Which is smaller above.
    """

    letter: str
    at: float
    formula: Order | None
    before: str
    after: str


@dataclass(frozen=True)
class Comparison:
    """Two rates in the same letters.

    Attributes:
        one: The first.
        other: The second; a letter of both means the same.
        logs: Whether logarithms count.

    Raises:
        DomainError: A letter is a size in one and an exponent in the other, they have no size in
            common, or one of them has no explicit form.
    """

    one: Inquiry
    other: Inquiry
    logs: bool = True

    def __post_init__(self) -> None:
        for letter in self.sizes:
            if letter in self.exponents:
                rule = f"{letter} is a size in one rate and an exponent in the other."
                raise DomainError(rule, letter, letter)
        if not {*self.one.sizes} & {*self.other.sizes}:
            raise DomainError("The two rates have no size in common.", "letters", Words("none"))
        assert self.orders  # what has no explicit form is refused here

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """The sizes of both."""
        return tuple(dict.fromkeys((*self.one.sizes, *self.other.sizes)))

    @cached_property
    def exponents(self) -> dict[str, Span]:
        """The exponents of both; one of both lies in both ranges."""
        out = dict(self.one.exponents)
        for letter, (low, high) in self.other.exponents:
            first = out.get(letter, FREE)
            # What is claimed of both holds where both are stated.
            out[letter] = max(low, first[0]), min(high, first[1])
        return out

    @cached_property
    def values(self) -> dict[str, float]:
        """Values of all letters; of one of both that in the first."""
        return {**self.other.values, **self.one.values}

    @property
    def powers(self) -> dict[str, float]:
        """Values of the exponents."""
        return {x: self.values[x] for x in self.exponents}

    @cached_property
    def where(self) -> tuple[str, ...]:
        """The conditions of both."""
        return tuple(dict.fromkeys((*self.one.where, *self.other.where)))

    @cached_property
    def orders(self) -> tuple[Order, Order]:
        """Both rates, explicitly, in all letters."""
        powers = tuple(self.exponents.items())
        both = (_order(asked, powers) for asked in (self.one, self.other))
        one, other = (replace(x, known=replace(x.known, sizes=self.sizes)) for x in both)
        return one, other

    @cached_property
    def forms(self) -> tuple[Form, Form]:
        """Both at the values of the exponents, without logarithms, as borders are drawn."""
        one, other = (order.at(self.powers).without_logs() for order in self.orders)
        return one, other

    @cached_property
    def smaller(self) -> Order:
        """The smaller of both; its terms are called "first" and "second"."""
        return self._joined(
            "min", [Labelled(x, y.left) for x, y in zip(SIDES, self.orders, strict=True)]
        )

    @cached_property
    def alike(self) -> Order:
        """The same with a third term, "equal", where they are within a factor of two."""
        one, other = self.orders
        # Half of the larger is the least of the three where both are within a factor of two.
        half = multiplied([Number(Fraction(1, 2)), Join("max", (one.left, other.left))])
        return self._joined("min", [self.smaller.left, Labelled("equal", half)])

    def _joined(self, kind: Any, parts: list[Node]) -> Order:
        return Order(Join(kind, tuple(parts)), None, None, self.orders[0].known)

    def constant(self, first: bool) -> float:
        """Return a C such that one rate is at most C times the other, inf if there is none.

        Args:
            first: Whether it is the first that is bounded.

        Returns:
            The constant; nan where it could not be decided.

        Raises:
            DomainError: The conditions contradict each other, or cannot be read.
        """
        low, high = self.orders if first else self.orders[::-1]
        # The larger of both is one of them, up to C, just where the other is at most C times it.
        claim = Claim(self._joined("max", [low.left, high.left]), high, self.where)
        found = decide(claim, self.powers, logs=self.logs)
        return found.constant * found.sum_factor

    @cached_property
    def verdict(self) -> str:
        """What holds of the first, one of `VERDICTS`, under the conditions of both.

        Raises:
            DomainError: As `constant`.
        """
        low, high = self.constant(first=True), self.constant(first=False)
        if isnan(low) or isnan(high):
            return "open"
        below, above = low < inf, high < inf
        return (
            "equal" if below and above else "smaller" if below else "larger" if above else "either"
        )

    def ends(self, letter: str) -> Span:
        """Where a size is looked at."""
        return {**dict(self.other.spans), **dict(self.one.spans)}.get(letter, draft.span(letter))

    def at(self, place: Mapping[str, float]) -> str:
        """Which rate is smaller at given sizes, others at their values; "equal" where neither.

        Logarithms are left out, as in borders.
        """
        sizes = {x: self.values[x] for x in self.sizes} | dict(place)
        one, other = (float(form.value(sizes)) for form in self.forms)
        return "equal" if isclose(one, other, rel_tol=_SAME) else SIDES[one > other]

    def changes(self, along: str) -> list[Change]:
        """Return where the smaller rate changes along a size, others at their values.

        Raises:
            DomainError: A letter or a number is outside its domain.
        """
        sizes = {x: self.values[x] for x in self.sizes if x != along}
        # Between two changes one rate is smaller throughout: the middle in logs tells which.
        low, high = self.ends(along)
        found = intervals(self.smaller, along, sizes, self.powers, lo=low, hi=high)
        sides = [self.at({along: sqrt(step.lo * step.hi)}) for step in found]
        return [
            Change(along, step.hi, self._formula(along, step.hi), side, then)
            for step, side, then in zip(found, sides, sides[1:], strict=False)
            if side != then
        ]

    def _formula(self, along: str, at: float) -> Order | None:
        """A change in the other letters: two terms that decide beside it are equal there."""
        # Just below and above a change the terms that decide are those that meet there.
        sizes = {x: self.values[x] for x in self.sizes}
        terms: list[Node] = []
        sides = list(zip(self.orders, self.forms, strict=True))
        for near, (order, form) in itertools.product((1 - _BESIDE, 1 + _BESIDE), sides):
            label = str(form.deciding(sizes | {along: near * at}))
            leaf = next(leaf for leaf in order.leaves if leaf.label == label).without_logs()
            terms.append(single(replace(leaf, label=""), order.known).left)
        for pair in itertools.combinations(terms, 2):
            for met in crossings(self._joined("min", [*pair]), along):
                if isclose(float(met.at.value(sizes, self.powers)), at, rel_tol=_BESIDE):
                    return met.at
        return None


@lru_cache(maxsize=512)
def _order(asked: Inquiry, powers: Ends) -> Order:
    return reading.order_of(replace(asked, exponents=powers)).explicit()


# Printed rates ------------------------------------------------------------------------------------


def between(one: Printed, other: Printed) -> Comparison:
    """Set two printed rates against each other, in the letters of the first, by what they mean.

    Raises:
        DomainError: They measure different things, or as `Comparison`.
    """
    if one.measures != other.measures:
        rule = f"One is of {one.measures}, the other of {other.measures}."
        raise DomainError(rule, "measures", Words(other.key))
    # A rate that is printed up to logarithms says nothing about them.
    logs = "logs" not in (one.up_to, other.up_to)
    names = printed.both(one, other)
    return Comparison(one.written(names), other.written(names), logs)


def against(asked: Inquiry, other: Printed) -> Comparison:
    """Set any rate against a printed one; letters of one's own mean what they are called.

    Raises:
        DomainError: As `between`.
    """
    known = printed.of(asked)
    if known is not None:
        return between(replace(known, asked=asked), other)
    return Comparison(asked, other.asked, logs=other.up_to != "logs")


def related(asked: Inquiry) -> Iterator[Printed]:
    """Yield the printed rates with which one can be compared: the same measure and letters."""
    known = printed.of(asked)
    for other in printed.printed().values():
        # Letters of one's own mean what they are called; those of papers what the paper says.
        mine = {*known.meanings.values()} if known else _letters(asked)
        theirs = {*other.meanings.values()} if known else _letters(other.asked)
        same = known is None or known.measures == other.measures
        if other is not known and same and (mine <= theirs or theirs <= mine):
            yield other


@lru_cache(maxsize=512)
def _letters(asked: Inquiry) -> set[str]:
    return {*asked.sizes, *(x for x, _ in asked.exponents)}


def pairs() -> Iterator[tuple[Printed, Printed, str]]:
    """Yield every two printed rates of the same measure and letters, with the verdict on the first.

    >>> from itertools import islice
    >>> [(one.key, other.key, said) for one, other, said in islice(pairs(), 1)]
    [('acc-target', 'acc-theorem-3-1', 'larger')]
    """
    place = {one.key: k for k, one in enumerate(printed.printed().values())}
    for one in printed.printed().values():
        for other in related(one.asked):
            # Each pair once, in the order of the file.
            if place[one.key] < place[other.key]:
                yield one, other, between(one, other).verdict
