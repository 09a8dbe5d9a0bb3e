r"""What a rate is made of, and its normal form: minima, maxima and sums of products of powers.

A node is what was typed; the normal form multiplies out. Products and positive powers go
through min, max and sums, negative powers turn min into max and cannot pass a sum:

.. math:: c \min(a, b) = \min(ca, cb), \qquad \min(a, b)^{-s} = \max(a^{-s}, b^{-s}).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, cast

from rates.orders.language.powers import Power, plain, plus, times

Kind = Literal["min", "max", "sum"]
MAX_LEAVES = 64


@dataclass(frozen=True, slots=True)
class Number:
    """A positive number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Letter:
    """A size or the unknown."""

    name: str


@dataclass(frozen=True, slots=True)
class Product:
    """Several factors."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Raised:
    """A base to a power."""

    base: Node
    power: Power


@dataclass(frozen=True, slots=True)
class Join:
    """A minimum, a maximum or a sum."""

    kind: Kind
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class OverSites:
    """The sum over sites of what differs by site."""

    body: Node


@dataclass(frozen=True, slots=True)
class Labelled:
    """A term with a label of its own."""

    label: str
    body: Node


Node = Number | Letter | Product | Raised | Join | OverSites | Labelled


@dataclass(frozen=True, slots=True)
class Leaf:
    """One product of powers, symbolic in the exponents.

    Attributes:
        label: What it is called; empty until it is numbered.
        powers: Letter and power, without zeros.
        factors: Base and power of each positive number in it, without ones.
    """

    label: str = ""
    powers: tuple[tuple[str, Power], ...] = ()
    factors: tuple[tuple[Fraction, Power], ...] = ()

    def power_of(self, letter: str) -> Power | None:
        """The power of a letter, None if the letter is absent."""
        return dict(self.powers).get(letter)


Branches = tuple["Normal", ...]
Normal = Leaf | tuple[str, Branches]  # a leaf, or its kind ("min", "max", "sum", "sites")
Tree = int | tuple[str, tuple["Tree", ...]]  # the same with leaves by their number
Signs = Callable[[Power], int]  # of a power; raises where it cannot be shown


class TooManyLeavesError(ValueError):
    """More leaves than are worked with."""


class NegativeSumError(ValueError):
    """A sum to a negative power."""


def leaves_of(tree: Normal) -> Iterator[Leaf]:
    """Yield the leaves in reading order."""
    if isinstance(tree, Leaf):
        yield tree
    else:
        for branch in tree[1]:
            yield from leaves_of(branch)


def has_sum(tree: Normal) -> bool:
    """Whether there is a sum in it."""
    return not isinstance(tree, Leaf) and (
        tree[0] in ("sum", "sites") or any(map(has_sum, tree[1]))
    )


def has_sites(tree: Normal) -> bool:
    """Whether there is a sum over sites in it."""
    return not isinstance(tree, Leaf) and (tree[0] == "sites" or any(map(has_sites, tree[1])))


def normal(
    node: Node, one: Power, signs: Signs, bound: Mapping[str, Normal] | None = None
) -> Normal:
    """Multiply a node out.

    Args:
        node: What was typed.
        one: The power 1, which says in which letters powers are.
        signs: The sign of a power, for powers of minima, maxima and sums.
        bound: What stands for a letter.

    Raises:
        TooManyLeavesError, NegativeSumError: It has no normal form that we work with.
    """

    def walk(node: Node) -> Normal:
        match node:
            case Number(value):
                return Leaf(factors=((value, one),) if value != 1 else ())
            case Letter(name):
                return (bound or {}).get(name) or Leaf(powers=((name, one),))
            case Product(factors):
                out = walk(factors[0])
                for factor in factors[1:]:
                    out = product(out, walk(factor))
                return out
            case Raised(base, power):
                return raised(walk(base), power, signs)
            case Join(kind, parts):
                return kind, tuple(map(walk, parts))
            case OverSites(body):
                return "sites", (walk(body),)
            case Labelled(label, body):
                return _mapped(walk(body), lambda leaf: replace(leaf, label=label))

    return walk(node)


def product(a: Normal, b: Normal) -> Normal:
    """Multiply two normal forms out."""
    if sum(1 for _ in leaves_of(a)) * sum(1 for _ in leaves_of(b)) > MAX_LEAVES:
        raise TooManyLeavesError
    if not isinstance(a, Leaf):
        return a[0], tuple(product(x, b) for x in a[1])
    if not isinstance(b, Leaf):
        return b[0], tuple(product(a, x) for x in b[1])
    label = a.label if b.label in ("", a.label) else f"{a.label}_{b.label}".lstrip("_")
    return Leaf(label, _added(a.powers, b.powers), _added(a.factors, b.factors))


def raised(tree: Normal, power: Power, signs: Signs) -> Normal:
    """Raise a normal form to a power."""
    if isinstance(tree, Leaf):
        if not power:
            return Leaf(tree.label)
        letters = tuple((letter, times(p, power)) for letter, p in tree.powers)
        return Leaf(tree.label, letters, tuple((base, times(p, power)) for base, p in tree.factors))
    side = signs(power)
    if side == 0:
        return Leaf()
    if side < 0 and has_sum(tree):
        raise NegativeSumError
    kind = tree[0]
    if side < 0:
        kind = "max" if kind == "min" else "min"
    return kind, tuple(raised(branch, power, signs) for branch in tree[1])


def _added(a: tuple, b: tuple) -> tuple:
    out = dict(a)
    for base, power in b:
        out[base] = plus(out[base], power) if base in out else power
    return tuple((base, power) for base, power in out.items() if power)


def _mapped(tree: Normal, change: Callable[[Leaf], Leaf]) -> Normal:
    if isinstance(tree, Leaf):
        return change(tree)
    return tree[0], tuple(_mapped(branch, change) for branch in tree[1])


def tropical(tree: Normal, unknown: str, rising: bool, one: Power) -> Normal:
    r"""Return the order of the root of tree = 1, every leaf of which has a power of the unknown.

    .. math:: c x^s = 1 \iff x = c^{-1/s}; \qquad \text{over sums and maxima the least of the
        roots if } s > 0, \text{ over minima the largest; for } s < 0 \text{ the other way round.}
    """
    if isinstance(tree, Leaf):
        steep = tree.power_of(unknown)
        back = -one / steep
        rest = tuple(pair for pair in tree.powers if pair[0] != unknown)
        out = raised(Leaf(tree.label, rest, tree.factors), back, lambda _: 1)
        return out
    kind = "min" if (tree[0] == "min") != rising else "max"
    return kind, tuple(tropical(branch, unknown, rising, one) for branch in tree[1])


def flat(tree: Normal) -> Normal:
    """Join a minimum inside a minimum, and a maximum inside a maximum."""
    if isinstance(tree, Leaf):
        return tree
    out: list[Normal] = []
    for branch in map(flat, tree[1]):
        if not isinstance(branch, Leaf) and branch[0] == tree[0] != "sites":
            out += branch[1]
        else:
            out.append(branch)
    return out[0] if len(out) == 1 and tree[0] != "sites" else (tree[0], tuple(out))


def numbered(tree: Normal) -> tuple[tuple[Leaf, ...], Tree]:
    """Return the leaves with labels, and how they are joined.

    A leaf without a label is called by its place, or by the next number that is free.
    """
    found = list(leaves_of(tree))
    taken = {leaf.label for leaf in found}
    out: list[Leaf] = []
    for place, leaf in enumerate(found, 1):
        label, number = leaf.label, place
        while not label:
            if str(number) not in taken:
                label = str(number)
                taken.add(label)
            number += 1
        out.append(replace(leaf, label=label))
    places = iter(range(len(found)))

    def index(tree: Normal) -> Tree:
        if isinstance(tree, Leaf):
            return next(places)
        return tree[0], tuple(map(index, tree[1]))

    return tuple(out), index(tree)


def as_node(tree: Normal, one: Power) -> Node:
    """Write a normal form as a node, letters of one power together."""
    if not isinstance(tree, Leaf):
        parts = [as_node(branch, one) for branch in tree[1]]
        return OverSites(parts[0]) if tree[0] == "sites" else joined(tree[0], parts)
    groups: dict[Power, list[Node]] = {}
    for base, power in tree.factors:
        groups.setdefault(power, []).append(Number(base))
    for name, power in tree.powers:
        groups.setdefault(power, []).append(Letter(name))
    groups |= {power: groups.pop(power) for power in (-one,) if power in groups}  # divisors last
    body = multiplied([to_the(multiplied(bases), power) for power, bases in groups.items()])
    return Labelled(tree.label, body) if tree.label else body


def multiplied(factors: Iterable[Node]) -> Node:
    """Make a product: flat, its numbers as one in front.

    >>> multiplied([Letter("n"), Number(Fraction(2)), Number(Fraction(1, 2))])
    Letter(name='n')
    """
    number = Fraction(1)
    rest: list[Node] = []
    for factor in factors:
        for part in factor.factors if isinstance(factor, Product) else (factor,):
            if isinstance(part, Number):
                number *= part.value
            else:
                rest.append(part)
    if number != 1 or not rest:
        rest.insert(0, Number(number))
    return rest[0] if len(rest) == 1 else Product(tuple(rest))


def to_the(base: Node, power: Power) -> Node:
    """Raise a node to a power; a power of a power is one power."""
    if isinstance(base, Raised):
        return to_the(base.base, times(base.power, power))
    if not power or base == Number(Fraction(1)):
        return Number(Fraction(1))
    known = plain(power)
    if known == 1:
        return base
    if known == -1 and isinstance(base, Number):
        return Number(1 / base.value)
    return Raised(base, power)


def joined(kind: str, parts: Iterable[Node]) -> Node:
    """Make a minimum, a maximum or a sum; a sum is flat."""
    out: list[Node] = []
    for part in parts:
        same = kind == "sum" and isinstance(part, Join) and part.kind == "sum"
        out += part.parts if same and isinstance(part, Join) else [part]
    return out[0] if len(out) == 1 else Join(cast(Kind, kind), tuple(out))
