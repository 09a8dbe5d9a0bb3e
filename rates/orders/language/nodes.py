r"""What a rate is made of, and its normal form: minima, maxima and sums of products of powers.

A node is what was typed; the normal form multiplies out. Products and positive powers go
through min, max and sums; negative powers turn min into max, and max into min. A sum with a
negative power is read as a maximum:

.. math:: c \min(a, b) = \min(ca, cb), \qquad \min(a, b)^{-s} = \max(a^{-s}, b^{-s}), \qquad
    (a + b)^{-s} \asymp \min(a^{-s}, b^{-s}).

A letter over which an infimum or a supremum is taken is eliminated, see `projected`. Logarithms of
products are sizes of their own: log(x) is the larger of 1 and the natural logarithm, so it rises
with x and goes through min and max, and through a sum up to a constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, cast

from rates.orders.language import trees
from rates.orders.language.powers import NoOrderError, Power, plain, times
from rates.pieces import Leaf, mapped

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
class Log:
    """The larger of 1 and the natural logarithm of a size."""

    body: Node


@dataclass(frozen=True, slots=True)
class OverLetter:
    """The infimum ("inf") or supremum ("sup") over a letter, which is positive."""

    kind: str
    letter: str
    body: Node


@dataclass(frozen=True, slots=True)
class Labelled:
    """A term with a label of its own."""

    label: str
    body: Node


Node = Number | Letter | Product | Raised | Join | OverSites | OverLetter | Log | Labelled


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
            case Log(body):
                return _log(walk(body, side), one)
            case OverLetter(kind, letter, body):
                return trees.projected(walk(body, side), f"{kind}_{letter}", signs)
            case Labelled(label, body):
                return mapped(walk(body, side), lambda leaf: replace(leaf, label=label))

    return walk(node)


def _log(tree: trees.Normal, one: Power) -> trees.Normal:
    """Return the logarithm of a normal form, a sum read as a maximum."""

    def of_leaf(leaf: Leaf) -> trees.Normal:
        if not (leaf.powers or leaf.factors or leaf.logs):
            return leaf
        # log(n*m) and log(m*n) are one function: letters stand in order.
        powers, factors, logs = (
            tuple(sorted(cast(Any, pairs), key=lambda pair: str(pair[0])))
            for pairs in (leaf.powers, leaf.factors, leaf.logs)
        )
        return Leaf(leaf.label, logs=((Leaf("", powers, factors, logs), one),))

    if "sites" in trees.kinds_of(tree):
        raise NoOrderError("No sum over sites stands inside log: write max, or several factors.")
    return mapped(tree, of_leaf, lambda kind: "max" if kind == "sum" else kind)


def nodes_in(node: Node) -> Iterator[Node]:
    """Yield a node and all that it is made of."""
    yield node
    match node:
        case Product(parts) | Join(_, parts):
            for part in parts:
                yield from nodes_in(part)
        case Raised(part) | OverSites(part) | OverLetter(body=part) | Log(part) | Labelled(_, part):
            yield from nodes_in(part)


def is_rounded(node: Node) -> bool:
    """Whether a node may be read above or below what it is: a sum, a logarithm, an infimum."""
    is_sum = isinstance(node, Join) and node.kind == "sum"
    return is_sum or isinstance(node, OverSites | OverLetter | Log)


def as_node(tree: trees.Normal, one: Power) -> Node:
    """Write a normal form as a node, letters of one power together."""
    if not isinstance(tree, Leaf):
        parts = [as_node(branch, one) for branch in tree[1]]
        return OverSites(parts[0]) if tree[0] == "sites" else joined(tree[0], parts)
    groups: dict[Power, list[Node]] = {}
    for base, power in tree.factors:
        groups.setdefault(power, []).append(Number(base))
    for name, power in tree.powers:
        groups.setdefault(power, []).append(Letter(name))
    for of, power in tree.logs:
        groups.setdefault(power, []).append(Log(as_node(of, one)))
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
