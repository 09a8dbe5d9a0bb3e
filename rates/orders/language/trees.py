r"""Normal forms: minima, maxima and sums of products of powers, multiplied out.

A product that would have more than 64 terms stays one, of kind "times".

A letter is taken out, by an infimum or a supremum over it, exactly. An infimum goes through minima.
Of a maximum of products of powers it is the maximum of what is free of the letter and of every pair
that meets, one rising with the letter and one falling:

.. math:: \inf_{h > 0} \max(z,\; a h^p,\; b h^{-q}) = \max\bigl(z,\; a^{q/(p+q)} b^{p/(p+q)}\bigr).

From a lower end on, each rising one counts where it begins; up to an upper end, each falling one
where it ends. This is the elimination of a variable of Fourier and Motzkin: nothing is lost.
Maxima of minima are multiplied out first. A supremum is one over the infimum of one over it.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any, TypeVar, cast

from rates.numbers import Words
from rates.orders.language.powers import NoOrderError, Power, over, plus, times
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
Clause = dict[int, None]  # numbers of parts that a maximum joins, in reading order
_MOST_CLAUSES = 256


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
    # Multiplied out, a few factors of three terms are hundreds.
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
    # Minima and maxima keep their kind only under positive powers.
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
        # Numbers that are labels already are left to those who chose them.
        label, number = leaf.label, place
        while not label:
            if str(number) not in taken:
                label = str(number)
                taken.add(label)
            number += 1
        out.append(replace(leaf, label=label))
    places = iter(range(len(found)))
    return tuple(out), mapped(cast(Any, tree), lambda _: next(places))


# A letter taken out -----------------------------------------------------------------------------


def projected(tree: Normal, name: str, low: Leaf | None, high: Leaf | None, signs: Signs) -> Normal:
    """Return an infimum or supremum over a letter.

    Args:
        tree: The normal form of what it is taken of.
        name: As "inf_h", "sup_h" or "best_h".
        low: Lower end of the letter's range; None for 0.
        high: Upper end; None for infinity.
        signs: The sign of a power.

    Raises:
        NoOrderError: It is 0 or infinite, or has too many terms.
    """
    if "sites" in kinds_of(tree):
        raise NoOrderError(f"{name} has no sum over sites inside.")
    letter = name.partition("_")[2]
    calls = (call for leaf in leaves_of(tree) for call, _ in leaf.calls)
    if any(letter in call.of.letters for call in calls):
        raise NoOrderError(f"{name} has no logarithm or exponential of {letter} inside.")
    tree = mapped(
        multiplied_out(tree),
        lambda leaf: leaf,
        lambda kind: "min" if kind == "min" else "max",
    )
    largest = name.startswith("sup_")
    found = _Out(name, low, high, signs).least(_turned(tree) if largest else tree)
    return _turned(found) if largest else found


def _turned(tree: Normal) -> Normal:
    """Return one over a normal form."""
    return mapped(tree, lambda leaf: leaf.each(operator.neg), TURNED.__getitem__)


class _Out:
    """Takes one letter out of normal forms."""

    def __init__(self, name: str, low: Leaf | None, high: Leaf | None, signs: Signs) -> None:
        self.name, self.letter = name, name.partition("_")[2]
        self.low, self.high, self.signs = low, high, signs
        # Signs are slow to show, and terms share their powers.
        self.sides: dict[Power, int] = {}  # of a power
        self.parts: dict[Normal, int] = {}  # leaves with the letter, and trees without it

    def least(self, tree: Normal) -> Normal:
        """Return the infimum of a tree."""
        # Clauses that say more than another one only make the result longer.
        numbers, parts = _needed(self.clauses(tree)), list(self.parts)
        clauses = [[parts[k] for k in clause] for clause in numbers]
        self.few(sum(map(self.left, clauses)))
        found = list(map(self.of_clause, clauses))
        return found[0] if len(found) == 1 else ("min", tuple(found))

    def few(self, count: int, most: int = MAX_LEAVES) -> None:
        """Refuse what has too many terms."""
        if count > most:
            raise NoOrderError(f"Taking {self.letter} out leaves more than {most} terms.")

    def free(self, tree: Normal) -> bool:
        """Whether the letter is in no leaf."""
        return not any(leaf.power_of(self.letter) for leaf in leaves_of(tree))

    def clauses(self, tree: Normal) -> list[Clause]:
        """Return a tree as a minimum of maxima."""
        if isinstance(tree, Leaf) or self.free(tree):
            return [{self.parts.setdefault(tree, len(self.parts)): None}]
        kind, branches = tree
        out: list[Clause] = [{}] if kind == "max" else []
        for branch in branches:
            its = self.clauses(branch)
            if kind == "min":
                out += its
                continue
            self.few(len(out) * len(its), _MOST_CLAUSES)
            out = [a | b for a in out for b in its]
        return out

    def left(self, clause: Sequence[Normal]) -> int:
        """Return how many terms the infimum of a maximum has."""
        sides = Counter(self.side(part) for part in clause if isinstance(part, Leaf))
        free = (part for part in clause if self.free(part))
        ends = sides[1] * bool(self.low) + sides[-1] * bool(self.high)
        return sides[1] * sides[-1] + ends + sum(1 for part in free for _ in leaves_of(part))

    def of_clause(self, clause: Sequence[Normal]) -> Normal:
        """Return the infimum of a maximum."""
        out = [part for part in clause if self.free(part)]
        leaves = [part for part in clause if isinstance(part, Leaf)]
        rising, falling = ([x for x in leaves if self.side(x) == side] for side in (1, -1))
        out += itertools.starmap(self.meet, itertools.product(rising, falling))
        out += [self.at(leaf, self.low) for leaf in rising if self.low]
        out += [self.at(leaf, self.high) for leaf in falling if self.high]
        if not out:
            what = "has no upper end" if self.name.startswith("sup_") else "is 0"
            way = "go to 0" if rising else "grow"
            raise NoOrderError(f"{self.name}(...) {what}: let {self.letter} {way}.")
        return out[0] if len(out) == 1 else ("max", tuple(out))

    def side(self, leaf: Leaf) -> int:
        """Return whether a product rises or falls with the letter, 0 if neither."""
        power = leaf.power_of(self.letter)
        if power not in self.sides:
            self.sides[power] = self.signs(power) if power else 0
        return self.sides[power]

    def meet(self, rising: Leaf, falling: Leaf) -> Normal:
        """Return the value where two are equal: the letter cancels."""
        up, down = rising.power_of(self.letter), -falling.power_of(self.letter)
        both = plus(up, down)
        parts = ((rising, over(down, both)), (falling, over(up, both)))
        return product(*(x.without(self.letter).each(partial(times, w)) for x, w in parts))

    def at(self, leaf: Leaf, end: Leaf) -> Normal:
        """Return a product with an end in the letter's place."""
        power = leaf.power_of(self.letter)
        return product(leaf.without(self.letter), end.each(partial(times, power)))


def _needed(clauses: Sequence[Clause]) -> list[Clause]:
    """Return maxima of which no other has all parts: a minimum of the others is the same."""
    out: list[Clause] = []
    for clause in sorted(clauses, key=len):
        if not any(one.keys() <= clause.keys() for one in out):
            out.append(clause)
    return sorted(out, key=clauses.index)
