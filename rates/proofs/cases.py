r"""The table of cases of a form along one letter: chambers of the other letters, each with pieces.

With L the log of the letter, leaves are lines in L, and the leaf that decides changes at
thresholds, where two leaves cross. In a chamber of the other letters the same leaves decide in the
same order. Chambers are found by trial: take a point, read its pieces off, and try each of them as
a claim; where one fails, cut between that place and the point, along thresholds that change order.
So what is returned has been proved. It covers whatever the conditions leave, at any exponents at
which these thresholds exist: every cut keeps both sides, and a wall is only ever taken away.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError
from rates.pieces import Form, Leaf, choose
from rates.proofs.settle import ContradictionError, decide, parting

Array = NDArray[np.float64]
Pair = tuple[int, int]
Product = tuple[Mapping[str, Any], Sequence[tuple[Fraction, Any]]]  # powers, factors

MOST_CHAMBERS = 32
_TWO = Leaf("2", (), ((Fraction(2), Fraction(1)),))


@dataclass(frozen=True, slots=True)
class Wall:
    """That one threshold is at most another, or one leaf at most another that is parallel to it.

    Attributes:
        low: The pair of leaves that cross at the lower threshold, or (leaf,).
        high: Likewise of the higher one.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def turned(self) -> Wall:
        """The other side of it."""
        return Wall(self.high, self.low)


@dataclass(frozen=True, slots=True)
class Piece:
    """Between two thresholds one leaf decides.

    Attributes:
        leaf: Its number.
        low: The pair of leaves that cross at the lower threshold, None without one.
        high: Likewise at the upper one.
    """

    leaf: int
    low: Pair | None
    high: Pair | None


@dataclass(frozen=True, slots=True)
class Chamber:
    """Where walls say so, the pieces are these, in ascending order of the letter.

    Attributes:
        walls: Conditions on the other letters.
        pieces: What decides, also where the conditions leave nothing.
    """

    walls: tuple[Wall, ...]
    pieces: tuple[Piece, ...]


def threshold(leaves: Sequence[Product], pair: Pair, along: str) -> Product:
    """Return where two leaves cross along a letter, as a product of powers of the others.

    >>> n, e = ({"n": Fraction(-1)}, []), ({"n": Fraction(1), "eps": Fraction(2)}, [])
    >>> powers, _ = threshold([n, e], (0, 1), "eps")
    >>> {letter: str(power) for letter, power in powers.items()}
    {'n': '-1'}
    """
    (one, numbers), (other, others) = leaves[pair[0]], leaves[pair[1]]
    steep = one.get(along, 0) - other.get(along, 0)
    powers = {
        x: (other.get(x, 0) - one.get(x, 0)) / steep
        for x in dict.fromkeys((*one, *other))
        if x != along
    }
    factors = [(base, -p / steep) for base, p in numbers]
    factors += [(base, p / steep) for base, p in others]
    return {x: p for x, p in powers.items() if p}, factors


def over(one: Product, other: Product) -> Product:
    """Return the ratio of two products."""
    powers = {x: one[0].get(x, 0) - other[0].get(x, 0) for x in dict.fromkeys((*one[0], *other[0]))}
    factors = [*one[1], *((base, -p) for base, p in other[1])]
    return {x: p for x, p in powers.items() if p}, factors


def wall_line(leaves: Sequence[Product], wall: Wall, along: str) -> Product:
    """Return a wall as a product that is at most 1."""
    low, high = (
        leaves[side[0]] if len(side) == 1 else threshold(leaves, (side[0], side[1]), along)
        for side in (wall.low, wall.high)
    )
    powers, factors = over(low, high)
    return {x: p for x, p in powers.items() if x != along}, factors


def piece_lines(leaves: Sequence[Product], piece: Piece, along: str, one: Any) -> list[Product]:
    """Return the ends of a piece as products that are at most 1; `one` is the power 1."""
    letter: Product = ({along: one}, [])
    out = []
    if piece.low is not None:
        out.append(over(threshold(leaves, piece.low, along), letter))
    if piece.high is not None:
        out.append(over(letter, threshold(leaves, piece.high, along)))
    return out


def leaf_of(label: str, product: Product) -> Leaf:
    """Return a product at given exponents as a leaf."""
    return Leaf(label, tuple(product[0].items()), tuple((b, p) for b, p in product[1] if p))


def products(form: Form) -> list[Product]:
    """Return the leaves of a form as products."""
    return [(dict(leaf.powers), leaf.factors) for leaf in form.leaves]


def piece_holds(
    form: Form, along: str, where: Sequence[Leaf], walls: Sequence[Wall], piece: Piece
) -> bool | None:
    """Return whether a piece's leaf is the form between its ends; None where there is nothing."""
    try:
        claim, held = _claim(form, along, where, walls, piece)
        return decide(form, claim, held, sizes=False).holds
    except ContradictionError:
        return None


def _claim(
    form: Form, along: str, where: Sequence[Leaf], walls: Sequence[Wall], piece: Piece
) -> tuple[Form, list[Leaf]]:
    leaves = products(form)
    lines = [wall_line(leaves, wall, along) for wall in walls]
    lines += piece_lines(leaves, piece, along, Fraction(1))
    held = [*where, *(leaf_of("wall", line) for line in lines)]
    return Form(form.letters, (form.leaves[piece.leaf],), 0), held


def chambers(form: Form, along: str, where: Sequence[Leaf] = ()) -> tuple[Chamber, ...]:
    """Return the table of cases of a form along a letter.

    Args:
        form: A minimum or maximum of lines.
        along: One of its letters.
        where: Lines that are at most 0 in logs.

    Raises:
        ContradictionError: Nothing satisfies the conditions.
        DomainError: There are too many cases.

    Examples:
        >>> n, e = Leaf("n", (("n", Fraction(1)),)), Leaf("e", (("e", Fraction(1)),))
        >>> form = Form(("n", "e"), (n, e), ("max", (0, 1)))
        >>> [(c.walls, [p.leaf for p in c.pieces]) for c in chambers(form, "e")]
        [((), [0, 1])]
    """
    decide(form, form, where)  # conditions that nothing satisfies are refused
    found = list(_Search(form, along, where).explore((), None))
    return tuple(sorted(dict.fromkeys(found), key=lambda chamber: len(chamber.pieces)))


class _Search:
    def __init__(self, form: Form, along: str, where: Sequence[Leaf]) -> None:
        self.form, self.along, self.where = form, along, where
        self.leaves = products(form)
        self.steep = [leaf[0].get(along, Fraction(0)) for leaf in self.leaves]
        self.tried = 0
        pairs = list(itertools.combinations(range(len(self.leaves)), 2))
        self.crossing = [pair for pair in pairs if self.steep[pair[0]] != self.steep[pair[1]]]
        self.parallel = [pair for pair in pairs if self.steep[pair[0]] == self.steep[pair[1]]]
        others = [x for x in form.letters if x != along]
        self.height = _compiled([threshold(self.leaves, p, along) for p in self.crossing], others)
        self.level = _compiled(self.leaves, others)

    def explore(
        self, walls: tuple[Wall, ...], point: Mapping[str, float] | None
    ) -> Iterator[Chamber]:
        """Yield chambers that cover the inside of some walls."""
        self.tried += 1
        if self.tried > 2 * MOST_CHAMBERS:  # with the cuts between them
            rule = f"A table has at most {MOST_CHAMBERS} cases: add conditions."
            raise DomainError(rule, "cases", self.tried)
        if point is None:
            one, two = (Form(self.form.letters, (x,), 0) for x in (Leaf("1"), _TWO))
            point = parting(one, two, self.lines(walls))  # they differ everywhere
            if point is None:  # nothing inside
                return
        pieces = self.pieces(point)
        for piece in pieces:
            claim, where = _claim(self.form, self.along, self.where, walls, piece)
            other = parting(self.form, claim, where)
            if other is not None:
                wall = self.between(pieces, point, other)
                yield from self.explore((*walls, wall), point)
                yield from self.explore((*walls, wall.turned), other)
                return
        yield Chamber(self.needed(walls, pieces), tuple(pieces))

    def lines(self, walls: Sequence[Wall]) -> list[Leaf]:
        """Return the conditions and walls as lines."""
        made = [leaf_of("wall", wall_line(self.leaves, wall, self.along)) for wall in walls]
        return [*self.where, *made]

    def needed(self, walls: tuple[Wall, ...], pieces: Sequence[Piece]) -> tuple[Wall, ...]:
        """Return walls without those that the pieces hold without."""
        for wall in walls:
            fewer = tuple(w for w in walls if w != wall)
            if all(
                piece_holds(self.form, self.along, self.where, fewer, piece) is not False
                for piece in pieces
            ):
                walls = fewer
        return walls

    def pieces(self, point: Mapping[str, float]) -> list[Piece]:
        """Return the pieces at a point, from below to above."""
        level, height = self.level(point), self.height(point)
        order = np.argsort(height, kind="stable")
        edges = height[order]
        middles = np.array([0.0])
        if len(edges):
            ends = [edges[0] - 1.0], [edges[-1] + 1.0]
            middles = np.concatenate([ends[0], (edges[1:] + edges[:-1]) / 2, ends[1]])
        steep = np.array([float(x) for x in self.steep])
        _, leaf = choose(self.form.tree, level + middles[:, None] * steep)
        out: list[Piece] = []
        low: Pair | None = None
        for k, number in enumerate(leaf.tolist()):
            if k + 1 < len(leaf) and leaf[k + 1] == number:
                continue
            high: Pair | None = None
            if k + 1 < len(leaf):
                one, other = sorted((number, int(leaf[k + 1])))
                high = (
                    (one, other)
                    if self.steep[one] != self.steep[other]
                    else self.crossing[order[k]]
                )
            out.append(Piece(number, low, high))
            low = high
        return out

    def between(
        self, pieces: Sequence[Piece], point: Mapping[str, float], other: Mapping[str, float]
    ) -> Wall:
        """Return a wall with a point inside and another one outside: of thresholds in use first."""
        here = [piece.high for piece in pieces if piece.high is not None]
        there = [piece.high for piece in self.pieces(other) if piece.high is not None]
        at = {pair: k for k, pair in enumerate(self.crossing)}
        heights = self.height(point), self.height(other)
        used = dict.fromkeys([*here, *there])
        every = itertools.chain(
            itertools.pairwise(here),
            itertools.pairwise(there),
            itertools.combinations(used, 2),
            ((a, b) for a in used for b in self.crossing if a != b),
            itertools.combinations(self.crossing, 2),
        )
        for a, b in every:
            gaps = [height[at[a]] - height[at[b]] for height in heights]
            if gaps[0] * gaps[1] < 0.0 and min(map(abs, gaps)) > 1e-7:
                return Wall(a, b) if gaps[0] < 0.0 else Wall(b, a)
        levels = self.level(point), self.level(other)
        for one, two in self.parallel:
            gaps = [level[one] - level[two] for level in levels]
            if gaps[0] * gaps[1] < 0.0 and min(map(abs, gaps)) > 1e-7:
                return Wall((one,), (two,)) if gaps[0] < 0.0 else Wall((two,), (one,))
        raise DomainError("The cases cannot be told apart: add conditions.", "cases", None)


def _compiled(
    lines: Sequence[Product], letters: Sequence[str]
) -> Callable[[Mapping[str, float]], Array]:
    """Return a function from logs of the letters to logs of products."""
    leaves = [leaf_of("", line) for line in lines]
    powers = np.array([[float(line[0].get(x, 0)) for x in letters] for line in lines])
    constants = np.array([leaf.log_constant for leaf in leaves])

    def at(logs: Mapping[str, float]) -> Array:
        if not lines:
            return constants
        return np.asarray(constants + powers @ np.array([logs[x] for x in letters]))

    return at
