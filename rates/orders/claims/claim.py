"""Claims: under conditions, as they are typed, a rate equals an expression."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rates.language import TextError, Token, scan
from rates.numbers import DomainError
from rates.orders.language import exponents_at, nodes, powers, trees
from rates.orders.language.letters import BOUNDED, WORDS
from rates.orders.order import Order, single
from rates.orders.read import rate_of, sides_of
from rates.pieces import Leaf

MAX_CONDITIONS = 60
MAX_CHOICES = 32
MAX_PAIRS = 256
_READ = {"<": "<=", ">": ">="}
_BOUNDED = re.compile(
    rf"\s*(?:{BOUNDED}\s+(\w+)|(\w+)\s+{BOUNDED})(?:\s*(?:<=|by)\s*([0-9.]+))?\s*"
)
_WORDS = re.compile(rf"\b(?:{'|'.join([*WORDS, BOUNDED])})\b")
_BOUND = "2"  # of a bounded letter without one
Pairs = tuple[tuple[Leaf, Leaf, bool], ...]  # the first at most the second, or less than it


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to meet conditions.

    Attributes:
        name: What tells it from the others, empty where there are none.
        lines: Products of powers that are at most 1, called as the conditions were typed.
        strict: Those that are less than 1.
    """

    name: str
    lines: tuple[Leaf, ...]
    strict: tuple[Leaf, ...] = ()

    def at(self, order: Order, exponents: Mapping[str, Any]) -> tuple[Leaf, ...]:
        """Return the lines at given exponents."""
        values = exponents_at(order.known.ranges, exponents)
        return tuple(powers.leaf_at(line, values) for line in self.lines)

    def without_logs(self) -> Choice:
        """The same up to logarithms: what compares them alone leaves nothing."""
        kept = [x for x in self.lines if x.powers or not x.calls or x.without_logs().calls]
        return Choice(self.name, tuple(line.without_logs() for line in kept), self.strict)

    def inside(self, order: Order, exponents: Mapping[str, Any]) -> tuple[Leaf, ...]:
        """Return the lines that are less than 1 at given exponents."""
        return replace(self, lines=self.strict).at(order, exponents)


Condition = tuple[Choice, ...]  # one of them holds


def read_conditions(order: Order, texts: Sequence[str]) -> tuple[Condition, ...]:
    """Read conditions in the letters of an order, a text each.

    Raises:
        OrderError: A text cannot be read; the message names condition and column.
        DomainError: A condition is not between products of powers, or leaves too many choices.

    Examples:
        >>> from rates.orders import parse
        >>> (found,) = read_conditions(parse("n*m", sizes=["n", "m"]), ["n <= 3 or max(n, m) >= 9"])
        >>> [choice.name for choice in found]
        ['n <= 3', '9 <= n', '9 <= m']
    """
    if len(texts) > MAX_CONDITIONS:
        rule = f"A claim has at most {MAX_CONDITIONS} conditions."
        raise DomainError(rule, "where", len(texts))
    return tuple(_read(order, text, f"condition {k}") for k, text in enumerate(texts, 1))


def ranges_of(order: Order) -> tuple[Condition, ...]:
    """Return the conditions under which no letter's range is empty."""
    return tuple((Choice("", (line,)),) for line in order.ranges)


def together(conditions: Sequence[Condition]) -> Condition:
    """Return every way to meet all of some conditions.

    Raises:
        DomainError: There are too many.
    """
    # Counted before they are listed: each or multiplies their number.
    _few(math.prod(map(len, conditions)), "where")
    ways = list(itertools.product(*conditions))
    found: dict[frozenset[Leaf] | None, Choice] = {}
    for choices in ways:
        name = " and ".join(choice.name for choice in choices if choice.name)
        lines = tuple(line for choice in choices for line in choice.lines)
        strict = tuple(line for choice in choices for line in choice.strict)
        # Choices that say the same are decided once.
        same = frozenset(lines) if len(ways) > 1 else None
        found.setdefault(same, Choice(name, lines, strict))
    return tuple(found.values())


def relations(text: str, part: str) -> list[list[tuple[str, int]]]:
    """Return what stands between each ``or``, and there between each ``and``, with its column.

    >>> relations("n <= m and m <= 2 or n >= 3", "")
    [[('n <= m', 1), ('m <= 2', 12)], [('n >= 3', 22)]]

    Raises:
        TextError: A word has no condition beside it.
    """
    if not _WORDS.search(text):  # most have none
        return [[(text.strip(), 1 + len(text) - len(text.lstrip()))]]
    found, start, depth = [[]], 1, 0  # type: list[list[tuple[str, int]]], int, int
    for token in scan(text, part):
        depth += (token.text == "(") - (token.text == ")")
        last = token.kind == "end"
        if not last and not (token.kind == "name" and token.text in WORDS):
            continue
        if depth > 0 and not last:
            rule = f"{token.text} stands between conditions, outside of brackets"
            raise TextError(rule, text, token.start, token.end, part)
        piece = text[start - 1 : token.start - 1]
        if not piece.strip() and (not last or start > 1):
            raise TextError("A condition is wanted here", text, token.start, token.end, part)
        at = start + len(piece) - len(piece.lstrip())
        bounded = _BOUNDED.fullmatch(piece)
        found[-1].append((_ranged(bounded) if bounded else piece.strip(), at))
        found += [[]] if token.text == "or" else []
        start = token.end
    return found


def notes_of(order: Order, texts: Sequence[str]) -> Iterator[str]:
    """Yield what was read otherwise than typed."""
    for text in texts:
        if read := {_READ[token.text] for token in scan(text) if token.text in _READ}:
            yield (
                f"{text} is read with {' and '.join(sorted(read))}: what holds inside holds up to "
                "the border."
            )
        each = [one for way in relations(text, "") for one, _ in way]
        for one in each if BOUNDED in text else ():
            yield (
                f"{text} is read with {one}: another bound changes the constant, not whether there "
                "is one."
            )
        known = order.explicit_letters
        sides = (side for one in each for side in sides_of(one, known, "")[0])
        parts = (part for side in sides for part in nodes.nodes_in(side.left))
        if any(isinstance(part, nodes.Join) and part.kind == "sum" for part in parts):
            yield (
                f"In {text} a sum of k terms is read as from its largest term to k times that, so "
                "that no sizes are lost."
            )


def _ranged(found: re.Match[str]) -> str:
    """Return between which numbers a bounded letter is."""
    end = found[3] or _BOUND
    return f"1/{end} <= {found[1] or found[2]} <= {end}"


def _read(order: Order, text: str, part: str) -> Condition:
    if not isinstance(text, str):
        raise DomainError("A condition is a text such as n <= n0.", part, text)
    found: list[Choice] = []
    for branch in relations(text, part):
        # Blanks before a piece keep its columns those of the whole condition.
        choices = [_relation(order, " " * (at - 1) + piece, part) for piece, at in branch]
        _few(len(found) + math.prod(map(len, choices)), part)
        for chosen in itertools.product(*choices):
            name = " and ".join(name for name, _ in chosen)
            lines = [
                (replace(a.over(b), label=text), less)
                for _, pairs in chosen
                for a, b, less in pairs
            ]
            strict = tuple(line for line, less in lines if less)
            found.append(Choice(name, tuple(line for line, _ in lines), strict))
    return tuple(found) if len(found) > 1 else (replace(found[0], name=""),)


def _relation(order: Order, text: str, part: str) -> list[tuple[str, Pairs]]:
    """Return the ways to meet one relation, each with a name."""
    sides, signs = sides_of(text, order.explicit_letters, part)
    if not signs:
        rule = "A condition has <= or >= between its two sides"
        raise TextError(rule, text, len(text.rstrip()) + 1, part=part)
    found: list[Pairs] = [tuple((line, Leaf(), False) for side in sides for line in side.ranges)]
    for low, high, less in _in_order(sides, signs):
        # Read from below on the left and from above on the right, no sizes are lost.
        ways = _at_most(low.bound(-1), high.bound(1), part, less)
        _few(len(found) * len(ways), part)
        found = [(*pairs, *more) for pairs in found for more in ways]
    if (count := sum(map(len, found))) > MAX_PAIRS:
        rule = f"A condition is at most {MAX_PAIRS} comparisons of products when multiplied out."
        raise DomainError(rule, part, count)
    if len(found) == 1:
        return [(text.strip(), found[0])]
    return [(" and ".join(_written(order, *pair) for pair in pairs), pairs) for pairs in found]


def _in_order(
    sides: Sequence[Order], signs: Sequence[Token]
) -> Iterator[tuple[Order, Order, bool]]:
    """Yield what is at most what, and whether it is less."""
    for sign, left, right in zip(signs, sides, sides[1:], strict=False):
        if sign.text[0] in "<=":
            yield left, right, sign.text == "<"
        if sign.text[0] in ">=":
            yield right, left, sign.text == ">"


def _at_most(low: Any, high: Any, part: str, less: bool) -> list[Pairs]:
    """Return the ways in which one tree is at most another.

    A maximum is if all its branches are, a minimum if one is; above the other way round. A sum is
    read so that no sizes are lost: it is at least each of its k terms, and at most k times one.
    """
    # A product that is kept has no branches to compare.
    trees.multiplied_out(low), trees.multiplied_out(high)
    if isinstance(low, tuple):
        (kind, branches), every = low, "max"
        ways = [_at_most(branch, high, part, less) for branch in branches]
    elif isinstance(high, tuple):
        (kind, branches), every = high, "min"
        ways = [_at_most(low, branch, part, less) for branch in branches]
    else:
        return [((low, high, less),)]
    if kind != every:
        return list(itertools.chain.from_iterable(ways))
    _few(math.prod(map(len, ways)), part)
    return [tuple(itertools.chain.from_iterable(one)) for one in itertools.product(*ways)]


def _written(order: Order, low: Leaf, high: Leaf, less: bool) -> str:
    left, right = (single(leaf, order.explicit_letters) for leaf in (low, high))
    return f"{left} {'<' if less else '<='} {right}"


def _few(choices: int, where: str) -> None:
    if choices > MAX_CHOICES:
        rule = f"Conditions leave at most {MAX_CHOICES} choices, one for each way to read their or."
        raise DomainError(rule, where, choices)


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
        # Frozen for others; a list or a text becomes what it means once, here.
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
    def choices(self) -> tuple[Choice, ...]:
        """Every way to meet all conditions: one, unless some have an ``or``.

        Every range that an infimum is taken over has its lower end at most its upper one.
        """
        return together((*read_conditions(self.order, self.where), *self.always))

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
