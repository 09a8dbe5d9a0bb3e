r"""What a rate is made of, and its normal form: minima, maxima and sums of products of powers.

A node is what was typed; the normal form multiplies out. Products and positive powers go
through min, max and sums, negative powers turn min into max and cannot pass a sum:

.. math:: c \min(a, b) = \min(ca, cb), \qquad \min(a, b)^{-s} = \max(a^{-s}, b^{-s}).

Functions of products are sizes of their own. log(x) is the larger of 1 and the natural logarithm,
so it rises with x and goes through min and max, and through a sum up to a constant; exp(x) is
read as the larger of 1 and exp(x) - 1, at most a factor of 2 away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeVar, cast

from rates.orders.language.powers import NoOrderError, Power, plain, plus, times
from rates.pieces import Call, Leaf, mapped

T = TypeVar("T")
Kind = Literal["min", "max", "sum"]
MAX_LEAVES = 64
MANY = f"A rate has at most {MAX_LEAVES} terms when multiplied out."
TURNED = {"min": "max", "max": "min"}  # by a negative power


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
class Called:
    """A function, "log", "exp" or "expm1", of a size."""

    name: str
    body: Node


@dataclass(frozen=True, slots=True)
class Labelled:
    """A term with a label of its own."""

    label: str
    body: Node


Node = Number | Letter | Product | Raised | Join | OverSites | Called | Labelled


Branches = tuple["Normal", ...]
Normal = Leaf | tuple[str, Branches]  # a leaf, or its kind ("min", "max", "sum", "sites")
Tree = int | tuple[str, tuple["Tree", ...]]  # the same with leaves by their number
Signs = Callable[[Power], int]  # of a power; raises where it cannot be shown


def leaves_of(tree: Normal) -> Iterator[Leaf]:
    """Yield the leaves in reading order."""
    if isinstance(tree, Leaf):
        yield tree
    else:
        for branch in tree[1]:
            yield from leaves_of(branch)


def kinds_of(tree: Normal) -> set[str]:
    """Return the kinds of joints in it."""
    return set() if isinstance(tree, Leaf) else {tree[0]}.union(*map(kinds_of, tree[1]))


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
        NoOrderError: It has no normal form that we work with.
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
            case Called(name, body):
                return called(name, walk(body), one)
            case Labelled(label, body):
                return mapped(walk(body), lambda leaf: replace(leaf, label=label))

    return walk(node)


def called(name: str, tree: Normal, one: Power) -> Normal:
    """Apply a function to a normal form."""

    def of_leaf(leaf: Leaf) -> Normal:
        if name == "log" and not (leaf.powers or leaf.factors or leaf.calls):
            return leaf
        sides = (tuple(sorted(side, key=lambda x: str(x[0]))) for side in _sides(leaf))
        call = Leaf(
            leaf.label, calls=((Call("log" if name == "log" else "expm1", Leaf("", *sides)), one),)
        )
        return ("max", (Leaf(leaf.label), call)) if name == "exp" else call

    if "sites" in kinds_of(tree) or ("sum" in kinds_of(tree) and name != "log"):
        what = "sum over sites" if "sites" in kinds_of(tree) else "sum"
        raise NoOrderError(f"No {what} stands inside {name}: write max, or several factors.")
    return mapped(tree, of_leaf, lambda kind: "max" if kind == "sum" else kind)


def _sides(leaf: Leaf) -> tuple[tuple[Any, ...], ...]:
    return leaf.powers, leaf.factors, leaf.calls


def product(a: Normal, b: Normal) -> Normal:
    """Multiply two normal forms out."""
    if sum(1 for _ in leaves_of(a)) * sum(1 for _ in leaves_of(b)) > MAX_LEAVES:
        raise NoOrderError(MANY)
    if not isinstance(a, Leaf):
        return a[0], tuple(product(x, b) for x in a[1])
    if not isinstance(b, Leaf):
        return b[0], tuple(product(a, x) for x in b[1])
    label = a.label if b.label in ("", a.label) else f"{a.label}_{b.label}".lstrip("_")
    return replace(a.times(b, plus), label=label)


def raised(tree: Normal, power: Power, signs: Signs) -> Normal:
    """Raise a normal form to a power."""

    def leaf_raised(leaf: Leaf) -> Leaf:
        return leaf.each(lambda p: times(p, power))

    if isinstance(tree, Leaf):
        return leaf_raised(tree)
    side = signs(power)
    if side == 0:
        return Leaf()
    if side < 0 and kinds_of(tree) & {"sum", "sites"}:
        raise NoOrderError("No sum divides or has a negative power: write max for the sum.")
    turned = TURNED if side < 0 else {}
    return mapped(tree, leaf_raised, lambda kind: turned.get(kind, kind))


def tropical(tree: Normal, unknown: str, rising: bool) -> Normal:
    r"""Return the order of the root of tree = 1, every leaf of which has a power of the unknown.

    .. math:: c x^s = 1 \iff x = c^{-1/s}; \qquad \text{over sums and maxima the least of the
        roots if } s > 0, \text{ over minima the largest; for } s < 0 \text{ the other way round.}
    """
    return mapped(
        tree,
        lambda leaf: raised(leaf.without(unknown), -1 / leaf.power_of(unknown), lambda _: 1),
        lambda kind: "min" if (kind == "min") != rising else "max",
    )


def flat(tree: T) -> T:
    """Join a minimum inside a minimum, and a maximum inside a maximum."""
    if not isinstance(tree, tuple):
        return tree
    out: list[Any] = []
    for branch in map(flat, tree[1]):
        same = isinstance(branch, tuple) and branch[0] == tree[0] != "sites"
        out += branch[1] if same else [branch]
    alone = len(out) == 1 and tree[0] != "sites"
    return cast(T, out[0] if alone else (tree[0], tuple(out)))


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
    return tuple(out), mapped(cast(Any, tree), lambda _: next(places))


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
    for call, power in tree.calls:
        groups.setdefault(power, []).append(Called(call.name, as_node(call.of, one)))
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
