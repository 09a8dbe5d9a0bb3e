r"""Certificates: lines that add up, and a checker that needs no solver.

That one tree of minima and maxima of lines is nowhere above another where conditions hold is
shown by cases. Suppose it is above at some x. A minimum above a number has all branches above it,
a maximum has one: the cases split there (and the other way round below). Where enough lines f are
above and g below, weights a and b that add up to 1 each and weights c of conditions h <= 0, with

.. math:: \sum a_i f_i - \sum b_j g_j = \sum c_k h_k - s, \qquad a, b, c \ge 0,\; s \ge 0,

contradict it. A certificate has such weights in every case, both ways round for equality.

A product of trees that is not multiplied out is a line in new letters, one for each tree T: with
t = T, both t/T and T/t are at most 1. These are suppositions like the others, and split alike.

With a constant C the two trees are within a factor of C: then s >= -log C is enough. Logarithms
and exponentials are letters of their own; what is known of them is in `rates.proofs.lemmas`.

Everything here is done in whole numbers and fractions of the standard library.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any

from rates.proofs import exact, lemmas
from rates.proofs.lemmas import BrokenError

Data = dict[str, Any]
Path = tuple[int, ...]
EVERY = ("min", "max", "max")  # whose branches all are above the gap, below it, or at most 1
TURNED = {"min": "max", "max": "min"}
_ONE = Fraction(1)


class Asserted:
    """What is supposed in one case: lines above and below, and where it may split.

    Attributes:
        lines: Numbers of lines above the gap, below it, and at most 1.
        open: Trees of which one branch is, unknown which, by side (0 above, 1 below, 2 at most 1)
            and path.
    """

    def __init__(self) -> None:
        self.lines: tuple[frozenset[int], ...] = (frozenset(),) * 3
        self.open: dict[tuple[int, Path], Sequence[Any]] = {}

    def with_tree(self, side: int, path: Path, tree: Any) -> Asserted:
        """Suppose also that a tree is above the gap (side 0), below it (1), or at most 1 (2)."""
        new = Asserted()
        new.lines, new.open = self.lines, dict(self.open)
        new._add(side, path, tree)
        return new

    def split(self, side: int, path: Path) -> list[Asserted]:
        """Return the cases of an open tree, one per branch."""
        branches = self.open[side, path]
        rest = Asserted()
        rest.lines = self.lines
        rest.open = {key: value for key, value in self.open.items() if key != (side, path)}
        return [rest.with_tree(side, (*path, k), tree) for k, tree in enumerate(branches)]

    def _add(self, side: int, path: Path, tree: Any) -> None:
        if isinstance(tree, int):
            lines = list(self.lines)
            lines[side] |= {tree}
            self.lines = tuple(lines)
            return
        kind, branches = tree
        if len(branches) > 1 and kind != EVERY[side]:
            self.open[side, path] = branches
            return
        for k, branch in enumerate(branches):
            self._add(side, (*path, k), branch)


def start(above: Any, below: Any, facts: Iterable[tuple[int, Any]] = ()) -> Asserted:
    """Suppose that one tree is above the gap and the other below it, and numbered facts."""
    out = Asserted().with_tree(0, (), above).with_tree(1, (), below)
    for k, tree in facts:
        out = out.with_tree(2, (k,), tree)
    return out


def check(data: Data) -> bool:
    """Say whether a certificate shows that two trees are equal wherever its conditions hold.

    One with ``calls`` shows that they are equal up to its ``constant``, see `rates.proofs.lemmas`.

    Args:
        data: ``lines``: of each its ``powers`` (letter to fraction) and ``factors`` (pairs of
            base and power); ``first`` and ``second``: a line's number or ``[kind, branches]``;
            ``where``: numbers of lines that are at most 1; ``below``, ``above``: the cases.
            Fractions are texts. Of several ways to meet conditions each has the last three in
            ``choices``, or in place of the cases ``empty``: weights with which its conditions
            contradict each other. Some way is not empty. ``let`` has new letters, each with the
            ``tree`` it equals, and the trees that are then at most 1: ``most``, it over the tree,
            and ``least``, the tree over it.

    Examples:
        >>> data = {"lines": [{"powers": {"n": "1"}, "factors": []}, {"powers": {}, "factors": []}],
        ...         "first": ["max", [0, 1]], "second": 1, "where": [0],
        ...         "below": {"split": [0, []], "cases": [
        ...             {"weights": [{"0": "1"}, {"1": "1"}, {"0": "1"}]},
        ...             {"weights": [{"1": "1"}, {"1": "1"}, {}]}]},
        ...         "above": {"weights": [{"1": "1"}, {"1": "1"}, {}]}}
        >>> check(data)  # max(n, 1) is 1 where n <= 1
        True
        >>> check({**data, "where": []})
        False
    """
    try:
        parts = data.get("choices", [data])
        shown = [_shown({**data, "empty": None, **part}) for part in parts]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return any(shown)


def _shown(data: Data) -> bool:
    """Follow the proof of one choice; return whether it has cases and is not empty."""
    if data["empty"] is not None:
        weights = _weights(data["empty"])
        if not weights.keys() <= set(data["where"]):
            raise BrokenError("a line is used that is no condition")
        if combined(data["lines"], weights.items()) != ({}, 1):
            raise BrokenError("the conditions do not contradict each other")
        return False
    if "calls" in data:
        if data.get("let"):
            raise BrokenError("a new letter beside functions")
        return lemmas.follow(data, data["cases"], data["where"], both)
    both(data, data, data["where"])
    return True


def both(data: Data, proof: Data, held: Collection[int]) -> None:
    """Follow a proof that each tree is nowhere above the other, or raise `BrokenError`."""
    facts = list(enumerate(_facts(data)))
    _follow(data, start(data["first"], data["second"], facts), proof["below"], held)
    _follow(data, start(data["second"], data["first"], facts), proof["above"], held)


def _facts(data: Data) -> list[Any]:
    """Return what is at most 1 by the meaning of new letters; none occurs before it has one."""
    lets, out = data.get("let", []), []
    new = {let["letter"] for let in lets}
    if len(new) < len(lets) or new & _letters(data, data["where"]):
        raise BrokenError("a new letter is not new")
    for let in lets:
        if new & _letters(data, _numbers(let["tree"])):
            raise BrokenError("a new letter is not new")
        new.remove(let["letter"])
        _ratios(data, let["letter"], let["tree"], let["most"], let["least"])
        out += [let["most"], let["least"]]
    return out


def _numbers(tree: Any) -> list[int]:
    return [tree] if isinstance(tree, int) else [k for one in tree[1] for k in _numbers(one)]


def _letters(data: Data, numbers: Iterable[int]) -> set[str]:
    return {letter for k in numbers for letter in data["lines"][k]["powers"]}


def _ratios(data: Data, letter: str, tree: Any, most: Any, least: Any) -> None:
    """See that one tree is a letter over another, and a third the other over the letter."""
    if isinstance(tree, int):
        above = combined(data["lines"], [(most, _ONE), (tree, _ONE)])
        below = combined(data["lines"], [(least, _ONE), (tree, -_ONE)])
        if above != ({letter: _ONE}, 0) or below != ({letter: -_ONE}, 0):
            raise BrokenError("a line is not what a new letter says")
        return
    if most[0] != TURNED[tree[0]] or least[0] != tree[0]:
        raise BrokenError("a tree is not what a new letter says")
    for branches in zip(tree[1], most[1], least[1], strict=True):
        _ratios(data, letter, *branches)


def _weights(given: Data) -> dict[int, Fraction]:
    weights = {int(k): Fraction(weight) for k, weight in given.items()}
    if any(weight < 0 for weight in weights.values()):
        raise BrokenError("a weight is negative")
    return weights


def _follow(data: Data, case: Asserted, proof: Data, held: Collection[int]) -> None:
    if "split" in proof:
        side, path = proof["split"]
        cases = case.split(side, tuple(path))
        for inner, given in zip(cases, proof["cases"], strict=True):
            _follow(data, inner, given, held)
        return
    above, below, where = map(_weights, proof["weights"])
    if not (above.keys() <= case.lines[0] and below.keys() <= case.lines[1]):
        raise BrokenError("a line is used that is not supposed")
    if not where.keys() <= case.lines[2].union(held):
        raise BrokenError("a line is used that is no condition")
    if sum(above.values()) != 1 or sum(below.values()) != 1:
        raise BrokenError("weights do not add up to 1")
    weighted = [(above, 1), (below, -1), (where, -1)]
    powers, size = combined(
        data["lines"],
        [(k, sign * weight) for w, sign in weighted for k, weight in w.items()],
        1 / Fraction(data.get("constant", "1")),
    )
    if powers:
        raise BrokenError("the powers of a letter do not cancel")
    if size > 0:
        raise BrokenError("the numbers add up to more than 1")


def combined(
    lines: Sequence[Data], weights: Iterable[tuple[int, Fraction]], times: Fraction = _ONE
) -> tuple[dict[str, Fraction], int]:
    """Return the powers of a weighted product of lines, and the sign of the log of its number.

    ``times`` is a number that multiplies the product.

    Conditions at most 1 contradict each other if weights above 0 leave no power, and a sign of 1.

    >>> above = {"powers": {"n": "-1"}, "factors": [["2", "1"]]}  # n >= 2
    >>> below = {"powers": {"n": "1"}, "factors": [["3", "-1/2"]]}  # n <= sqrt(3)
    >>> combined([above, below], [(0, Fraction(1)), (1, Fraction(1))])
    ({}, 1)
    """
    powers: dict[str, Fraction] = {}
    factors = [(times, _ONE)]
    for k, weight in weights:
        for letter, power in lines[k]["powers"].items():
            powers[letter] = powers.get(letter, Fraction(0)) + weight * Fraction(power)
        factors += [(Fraction(base), weight * Fraction(p)) for base, p in lines[k]["factors"]]
    return {letter: power for letter, power in powers.items() if power}, exact.sign_of(factors)
