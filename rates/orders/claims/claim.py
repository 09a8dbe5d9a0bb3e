"""Claims: under conditions, a rate equals an expression."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rates.numbers import DomainError
from rates.orders.claims.conditions import (
    Choice,
    Condition,
    notes_of,
    ranges_of,
    read_conditions,
    together,
)
from rates.orders.language import nodes
from rates.orders.order import Order
from rates.orders.read import rate_of


@dataclass(frozen=True)
class Claim:
    """Where conditions hold, a rate equals another.

    Attributes:
        order: The rate.
        equals: What it is said to equal: an order, or a text in the same letters.
        where: Conditions such as ``n >= 2``, ``n <= n0 <= m*n``, ``n <= m or eps >= 1``: products
            of powers, their minima, maxima and sums against each other; ``and`` binds before
            ``or``. ``<`` and ``>`` are read as ``<=`` and ``>=``, sums by their terms: `notes`.

    Raises:
        OrderError: A text cannot be read; the message names condition and column.
        DomainError: Letters differ, or a condition is not one of those above.

    Examples:
        >>> from rates.orders import parse
        >>> order = parse("max(1/n, (n*eps)^(-2))", sizes=["n", "eps"])
        >>> claim = Claim(order, "1/n", ("n*eps^2 > 1",))
        >>> claim.notes
        ('n*eps^2 > 1 is read with >=: what holds inside holds up to the border.',)
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
        assert self.choices is not None  # what cannot be read is refused here

    @property
    def other(self) -> Order:
        """What the rate is said to equal."""
        assert isinstance(self.equals, Order)
        return self.equals

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions, each as it was read."""
        return read_conditions(self.order, self.where)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Every way to meet all conditions: one, unless some have an ``or``.

        Every range that an infimum is taken over has its lower end at most its upper one.
        """
        return together((*self.conditions, *self.always))

    @property
    def always(self) -> tuple[Condition, ...]:
        """What is assumed without being typed."""
        return (*ranges_of(self.order), *ranges_of(self.other))

    @property
    def strict(self) -> bool:
        """Whether some condition says less than."""
        return any(choice.strict for choice in self.choices)

    @property
    def functions(self) -> set[str]:
        """Which functions, "log" and "expm1", it has somewhere."""
        lines = (line for choice in self.choices for line in choice.lines)
        leaves = (*self.order.leaves, *self.other.leaves, *lines)
        return {call.name for leaf in leaves for call, _ in leaf.calls}

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read otherwise than typed."""
        sides = [side for order in (self.order, self.other) for side in order.typed]
        best = [
            f"{part.kind}_{part.letter} is read with any {part.letter}, not with whole ones only."
            for side in sides
            for part in nodes.nodes_in(side)
            if isinstance(part, nodes.OverLetter) and part.kind == "best"
        ]
        ranges = (f"{choice.lines[0].label} is assumed." for (choice,) in self.always)
        return tuple(dict.fromkeys((*notes_of(self.order, self.where), *best, *ranges)))
