r"""What a rate is made of, and its normal form: minima, maxima and sums of products of powers.

A node is what was typed; the normal form multiplies out. Products and positive powers go
through min, max and sums; negative powers turn min into max, and max into min. A sum with a
negative power is read as a maximum:

.. math:: c \min(a, b) = \min(ca, cb), \qquad \min(a, b)^{-s} = \max(a^{-s}, b^{-s}), \qquad
    (a + b)^{-s} \asymp \min(a^{-s}, b^{-s}).

A letter over which an infimum or a supremum is taken is eliminated, see `projected`. Functions of
products are sizes of their own: log(x) is the larger of 1 and the natural logarithm, so it rises
with x and goes through min and max, and through a sum up to a constant; exp(x) is read as the
larger of 1 and exp(x) - 1, at most a factor of 2 away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal, cast

from rates.orders.language import trees
from rates.orders.language.powers import NoOrderError, Power, plain, plus, times
from rates.pieces import Call, Leaf, mapped

Kind = Literal["min", "max", "sum"]


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
class OverLetter:
    """The infimum or supremum over a letter, or the least over how many sites are used.

    Attributes:
        kind: "inf", "sup", or "best": whole numbers from 1 to the upper end.
        letter: The letter, which is positive.
        body: What it is taken of.
        low: Lower end of the letter's range, a product of powers; None without one.
        high: Upper end.
    """

    kind: str
    letter: str
    body: Node
    low: Node | None = None
    high: Node | None = None


@dataclass(frozen=True, slots=True)
class Labelled:
    """A term with a label of its own."""

    label: str
    body: Node


Node = Number | Letter | Product | Raised | Join | OverSites | OverLetter | Called | Labelled


def normal(
    node: Node,
    one: Power,
    signs: trees.Signs,
    bound: Mapping[str, trees.Normal] | None = None,
    side: int = 0,
) -> trees.Normal:
    """Multiply a node out.

    Args:
        node: What was typed.
        one: The power 1, which says in which letters powers are.
        signs: The sign of a power, for powers of minima, maxima and sums.
        bound: What stands for a letter.
        side: 0 keeps sums. With 1 what is returned is nowhere below the node, and with -1 nowhere
            above: sums are maxima, times the number of their terms or not.

    Raises:
        NoOrderError: It has no normal form that we work with.
    """

    def walk(node: Node, side: int = side) -> trees.Normal:
        match node:
            case Number(value):
                return Leaf(factors=((value, one),) if value != 1 else ())
            case Letter(name):
                return (bound or {}).get(name) or Leaf(powers=((name, one),))
            case Product(factors):
                return trees.product(*(walk(factor, side) for factor in factors))
            case Raised(base, power):
                # Of a single product a power loses nothing: there is no side to keep.
                plainly = not side or isinstance(walk(base, 0), Leaf)
                return trees.raised(
                    walk(base, side if plainly else side * signs(power)), power, signs
                )
            case Join(kind, parts):
                branches = (walk(part, side) for part in parts)
                if kind != "sum" or not side:
                    return kind, tuple(branches)
                count = Leaf(factors=((Fraction(len(parts)), one),) if side > 0 else ())
                return "max", tuple(trees.product(count, branch) for branch in branches)
            case OverSites(body):
                return "sites", (walk(body, side),)
            case Called(name, body):
                return called(name, walk(body, side), one, side)
            case OverLetter():
                low, high = (
                    None if x is None else cast(Leaf, walk(x)) for x in (node.low, node.high)
                )
                tree = walk(node.body, side)
                if node.kind == "best" and side > 0:
                    tree = mapped(tree, partial(_whole, letter=node.letter, signs=signs))
                return trees.projected(tree, f"{node.kind}_{node.letter}", low, high, signs)
            case Labelled(label, body):
                return mapped(walk(body, side), lambda leaf: replace(leaf, label=label))

    return walk(node)


def called(name: str, tree: trees.Normal, one: Power, side: int = 0) -> trees.Normal:
    """Apply a function to a normal form; ``side`` as in `normal`."""

    def of_leaf(leaf: Leaf) -> trees.Normal:
        if name == "log" and not (leaf.powers or leaf.factors or leaf.calls):
            return leaf
        # log(n*m) and log(m*n) are one function: letters stand in order.
        powers, factors, calls = (
            tuple(sorted(cast(Any, pairs), key=lambda pair: str(pair[0])))
            for pairs in (leaf.powers, leaf.factors, leaf.calls)
        )
        call = Call("log" if name == "log" else "expm1", Leaf("", powers, factors, calls))
        found = Leaf(leaf.label, calls=((call, one),))
        if name != "exp":
            return found
        # max(1, exp - 1) is at least half of exp: doubled it is nowhere below.
        twice = Leaf(factors=((Fraction(2), one),) if side > 0 else ())
        return "max", (replace(twice, label=leaf.label), found.times(twice, plus))

    if "sites" in trees.kinds_of(tree) or ("sum" in trees.kinds_of(tree) and name != "log"):
        what = "sum over sites" if "sites" in trees.kinds_of(tree) else "sum"
        raise NoOrderError(f"No {what} stands inside {name}: write max, or several factors.")
    found = mapped(
        trees.multiplied_out(tree), of_leaf, lambda kind: "max" if kind == "sum" else kind
    )
    if (
        sum(1 for _ in trees.leaves_of(found)) > trees.MAX_LEAVES
    ):  # each exp inside another doubles them
        raise NoOrderError(trees.MANY)
    return found


def _whole(leaf: Leaf, letter: str, signs: trees.Signs) -> Leaf:
    """Return what a product of powers is at most, at a whole number half to once as large."""
    power = leaf.power_of(letter)
    if not power or signs(power) > 0:
        return leaf
    return leaf.times(Leaf(factors=((Fraction(2), -power),)), plus)


def nodes_in(node: Node) -> Iterator[Node]:
    """Yield a node and all that it is made of, but for the ends of ranges."""
    yield node
    match node:
        case Product(parts) | Join(_, parts):
            for part in parts:
                yield from nodes_in(part)
        case Raised(part) | OverSites(part) | OverLetter(body=part) | Called(_, part):
            yield from nodes_in(part)
        case Labelled(_, part):
            yield from nodes_in(part)


def is_rounded(node: Node) -> bool:
    """Whether a node may be read above or below what it is: a sum, a function, a letter's range."""
    is_sum = isinstance(node, Join) and node.kind == "sum"
    return is_sum or isinstance(node, OverSites | OverLetter | Called)


def as_node(tree: trees.Normal, one: Power) -> Node:
    """Write a normal form as a node, letters of one power together."""
    if not isinstance(tree, Leaf):
        parts = [as_node(branch, one) for branch in tree[1]]
        if tree[0] == "times":
            return multiplied(parts)
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
    # One power each, so that equal rates are built alike.
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
