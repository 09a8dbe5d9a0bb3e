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
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rates.numbers import DomainError
from rates.pieces import Form, Leaf, leaves_along
from rates.proofs.settle import ContradictionError, decide, parting

Pair = tuple[int, int]
End = tuple[int, ...]  # the pair of leaves that cross at a threshold, or one leaf

MOST_CHAMBERS = 32
_FAR = 100.0  # a log beyond which places are brought nearer
_APART = 1e-7  # thresholds in logs, at two points that a wall is put between
_TWO = Leaf("2", (), ((Fraction(2), Fraction(1)),))


@dataclass(frozen=True, slots=True)
class Wall:
    """That one threshold is at most another, or one leaf at most another that is parallel to it.

    Attributes:
        low: The pair of leaves that cross at the lower threshold, or (leaf,).
        high: Likewise of the higher one.
    """

    low: End
    high: End

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


def end_line(leaves: Sequence[Leaf], end: Sequence[int], along: str) -> Leaf:
    """Return a threshold, or a leaf, without the letter."""
    leaf = leaves[end[0]]
    return leaf.without(along) if len(end) == 1 else leaf.meets(leaves[end[1]], along)


def wall_line(leaves: Sequence[Leaf], wall: Wall, along: str) -> Leaf:
    """Return a wall as a product that is at most 1."""
    low, high = (end_line(leaves, end, along) for end in (wall.low, wall.high))
    return low.over(high)


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
    leaves, letter = form.leaves, Leaf("", ((along, Fraction(1)),))
    held = [*where, *(wall_line(leaves, wall, along) for wall in walls)]
    if piece.low is not None:
        held.append(end_line(leaves, piece.low, along).over(letter))
    if piece.high is not None:
        held.append(letter.over(end_line(leaves, piece.high, along)))
    return Form(form.letters, (leaves[piece.leaf],), 0), held


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
    form.check_lines()
    decide(form, form, where)  # conditions that nothing satisfies are refused
    found = list(_Search(form, along, where).explore((), None))
    return tuple(sorted(dict.fromkeys(found), key=lambda chamber: len(chamber.pieces)))


class _Search:
    def __init__(self, form: Form, along: str, where: Sequence[Leaf]) -> None:
        self.form, self.along, self.where = form, along, where
        self.tried = 0
        self.steep = [leaf.power_of(along) for leaf in form.leaves]
        pairs = list(itertools.combinations(range(len(form.leaves)), 2))
        self.crossing = [(a, b) for a, b in pairs if self.steep[a] != self.steep[b]]
        self.parallel = [((a,), (b,)) for a, b in pairs if self.steep[a] == self.steep[b]]
        self.ends: list[End] = [*((k,) for k in range(len(form.leaves))), *self.crossing]
        lines = tuple(end_line(form.leaves, end, along) for end in self.ends)
        self.lines = Form(form.letters, lines, 0)

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
            held = [wall_line(self.form.leaves, wall, self.along) for wall in walls]
            point = parting(one, two, [*self.where, *held])  # they differ everywhere
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

    def heights(self, point: Mapping[str, float]) -> dict[End, float]:
        """Return the logs of leaves, where the letter is 1, and of thresholds at a point."""
        at = self.lines.powers @ np.array([point[x] for x in self.form.letters])
        return dict(zip(self.ends, (self.lines.constants + at).tolist(), strict=True))

    def pieces(self, point: Mapping[str, float]) -> list[Piece]:
        """Return the pieces at a point, from below to above."""
        heights, steep = self.heights(point), np.array([float(x) for x in self.steep])
        level = np.array([heights[k,] for k in range(len(steep))])
        level /= max(1.0, *(abs(x) / _FAR for x in heights.values()))  # all crossings are floats
        _, leaf = leaves_along(self.form.tree, steep, level, -math.inf, math.inf)
        numbers = [number for number, _ in itertools.groupby(leaf.tolist())]
        cuts = [(min(pair), max(pair)) for pair in itertools.pairwise(numbers)]
        return list(map(Piece, numbers, [None, *cuts], [*cuts, None]))

    def between(
        self, pieces: Sequence[Piece], point: Mapping[str, float], other: Mapping[str, float]
    ) -> Wall:
        """Return a wall with a point inside and another one outside: of thresholds in use first."""
        here, there = (
            [piece.high for piece in side if piece.high is not None]
            for side in (pieces, self.pieces(other))
        )
        first, second = self.heights(point), self.heights(other)
        candidates: Iterable[tuple[End, End]] = itertools.chain(
            itertools.pairwise(here),
            itertools.pairwise(there),
            itertools.combinations(dict.fromkeys([*here, *there]), 2),
            itertools.combinations(dict.fromkeys([*here, *there, *self.crossing]), 2),
            self.parallel,
        )
        for a, b in candidates:
            gaps = first[a] - first[b], second[a] - second[b]
            if gaps[0] * gaps[1] < 0.0 and min(map(abs, gaps)) > _APART:
                return Wall(a, b) if gaps[0] < 0.0 else Wall(b, a)
        raise DomainError("The cases cannot be told apart: add conditions.", "cases", None)
