"""Claims: under conditions, a rate equals an expression; and how conditions are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rates import pieces
from rates.language import TextError, scan
from rates.numbers import DomainError
from rates.orders.language import exponents_at, powers
from rates.orders.order import Order
from rates.orders.read import rate_of, sides_of
from rates.pieces import Leaf

MAX_CONDITIONS = 60

_READ = {"<": "<=", ">": ">="}


@dataclass(frozen=True)
class Claim:
    """Where conditions hold, a rate equals another.

    Attributes:
        order: The rate.
        equals: What it is said to equal: an order, or a text in the same letters.
        where: Conditions such as ``n >= 2``, ``n <= n0 <= m*n``, ``eps <= 1``: products of powers
            against each other, also a maximum that is at most something, or a minimum that is at
            least something. ``<`` and ``>`` are read as ``<=`` and ``>=``, see `notes`.

    Raises:
        OrderError: A text cannot be read; the message names condition and column.
        DomainError: Letters differ, or a condition is not one of those above.

    Examples:
        >>> from rates.orders import parse
        >>> order = parse("max(1/n, (n*eps)^(-2))", sizes=["n", "eps"])
        >>> claim = Claim(order, "1/n", ("n*eps^2 > 1",))
        >>> claim.notes
        ('n*eps^2 > 1 is read with >=.',)
    """

    order: Order
    equals: Order | str
    where: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", tuple(self.where))
        if isinstance(self.equals, str):
            found = rate_of(self.equals, self.order.explicit_letters, "what it equals")
            object.__setattr__(self, "equals", found)
        else:
            known = {r.letter: r for r in self.order.known.ranges}
            for its in self.equals.known.ranges:
                if known.get(its.letter, its) != its:
                    rule = f"{its.letter} must have one range in both rates."
                    raise DomainError(rule, its.letter, its.allowed)
        assert self.conditions is not None  # what cannot be read is refused here

    @property
    def other(self) -> Order:
        """What the rate is said to equal."""
        assert isinstance(self.equals, Order)
        return self.equals

    @cached_property
    def conditions(self) -> tuple[Leaf, ...]:
        """The conditions: products of powers that are at most 1, called as they were typed.

        The ranges that an infimum is taken over have their lower end at most their upper one.
        """
        ranges = (*self.order.ranges, *self.other.ranges)
        return tuple(dict.fromkeys((*read_conditions(self.order, self.where), *ranges)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read otherwise than typed."""
        return tuple(
            f"{text} is read with {' and '.join(sorted(read))}."
            for text in self.where
            if (read := {_READ[token.text] for token in scan(text) if token.text in _READ})
        )

    def lines(self, exponents: Mapping[str, Any]) -> tuple[pieces.Leaf, ...]:
        """Return the conditions at given exponents."""
        return lines_at(self.order, self.conditions, exponents)


def lines_at(
    order: Order, conditions: tuple[Leaf, ...], exponents: Mapping[str, Any]
) -> tuple[pieces.Leaf, ...]:
    """Return conditions at given exponents, each a product of powers that is at most 1."""
    values = exponents_at(order.known.ranges, exponents)
    return tuple(powers.leaf_at(line, values) for line in conditions)


def read_conditions(order: Order, texts: tuple[str, ...]) -> tuple[Leaf, ...]:
    """Read conditions in the letters of an order.

    Raises:
        OrderError: A text cannot be read; the message names condition and column.
        DomainError: A condition is not between products of powers.
    """
    if len(texts) > MAX_CONDITIONS:
        rule = f"A claim has at most {MAX_CONDITIONS} conditions."
        raise DomainError(rule, "where", len(texts))
    return tuple(
        condition for k, text in enumerate(texts, 1) for condition in _read(order, text, k)
    )


def _read(order: Order, text: str, number: int) -> list[Leaf]:
    part = f"condition {number}"
    if not isinstance(text, str):
        raise DomainError("A condition is a text such as n <= n0.", part, text)
    sides, signs = sides_of(text, order.explicit_letters, part)
    if not signs:
        rule = "A condition has <= or >= between its two sides"
        raise TextError(rule, text, len(text.rstrip()) + 1, part=part)
    out: list[Leaf] = []
    for sign, left, right in zip(signs, sides, sides[1:], strict=False):
        if sign.text[0] in "<=":
            out += _at_most(text, left, right, part)
        if sign.text[0] in ">=":
            out += _at_most(text, right, left, part)
    return out


def _at_most(text: str, low: Order, high: Order, part: str) -> list[Leaf]:
    """Split max(a, b) <= min(c, d) into its pairs."""
    for side, kind in ((low, "max"), (high, "min")):
        found = (kind, (side.tree,)) if isinstance(side.tree, int) else side.tree
        if found[0] != kind or any(isinstance(branch, tuple) for branch in found[1]):
            rule = (
                "A condition stands between products of powers; a maximum may be at most, a "
                "minimum at least something."
            )
            raise DomainError(rule, part, text)
    return [replace(a.over(b), label=text) for a in low.leaves for b in high.leaves]
