"""Normal forms: minima, maxima and sums of products of powers, multiplied out.

A product that would have more than 64 terms stays one, of kind "times".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, TypeVar, cast

from rates.numbers import Words
from rates.orders.language.powers import NoOrderError, Power, plus, times
from rates.pieces import Leaf, mapped

T = TypeVar("T")
MAX_LEAVES = 64
MANY = f"A rate has at most {MAX_LEAVES} terms."
OUT = f"This takes a rate with at most {MAX_LEAVES} terms when multiplied out."
TURNED = {"min": "max", "max": "min", "sum": "min"}  # by a negative power

Normal = (
    Leaf | tuple[str, tuple["Normal", ...]]
)  # a leaf, or its kind ("min", "max", "sum", "times", "sites")
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


def product(*factors: Normal) -> Normal:
    """Multiply normal forms out, unless that makes too many terms."""
    trees = [x for x in factors if not isinstance(x, Leaf)]
    many = len(trees) > 1 and math.prod(sum(1 for _ in leaves_of(x)) for x in trees) > MAX_LEAVES
    if many or any(kind == "times" for kind, _ in trees):
        return _kept(factors)
    return reduce(_product, factors)


def _product(a: Normal, b: Normal) -> Normal:
    if not isinstance(a, Leaf):
        return a[0], tuple(_product(x, b) for x in a[1])
    if not isinstance(b, Leaf):
        return b[0], tuple(_product(a, x) for x in b[1])
    label = a.label if b.label in ("", a.label) else f"{a.label}_{b.label}".lstrip("_")
    return replace(a.times(b, plus), label=label)


def _kept(factors: Sequence[Normal]) -> Normal:
    """Return a product that stays one; its leaves go into the first factor that is none."""
    leaves = [x for x in factors if isinstance(x, Leaf)]
    trees = [x for x in factors if not isinstance(x, Leaf)]
    parts = [x for tree in trees for x in (tree[1] if tree[0] == "times" else (tree,))]
    return "times", (reduce(product, leaves, parts[0]), *parts[1:])


def multiplied_out(tree: Normal) -> Normal:
    """Return a normal form without a product in it.

    Raises:
        NoOrderError: It has one.
    """
    if "times" in kinds_of(tree):
        raise NoOrderError(OUT, "terms", Words("more"))
    return tree


def raised(tree: Normal, power: Power, signs: Signs) -> Normal:
    """Raise a normal form to a power."""

    def leaf_raised(leaf: Leaf) -> Leaf:
        return leaf.each(lambda p: times(p, power))

    if isinstance(tree, Leaf):
        return leaf_raised(tree)
    side = signs(power)
    if side == 0:
        return Leaf()
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
