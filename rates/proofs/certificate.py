r"""Certificates: lines that add up, and a checker that needs no solver.

That one tree of minima and maxima of lines is nowhere above another where conditions hold is
shown by cases. Suppose it is above at some x. A minimum above a number has all branches above it,
a maximum has one: the cases split there (and the other way round below). Where enough lines f are
above and g below, weights a and b that add up to 1 each and weights c of conditions h <= 0, with

.. math:: \sum a_i f_i - \sum b_j g_j = \sum c_k h_k - s, \qquad a, b, c \ge 0,\; s \ge 0,

contradict it. A certificate has such weights in every case, both ways round for equality. With a
constant C the two trees are within a factor of C: then s >= -log C is enough.

Logarithms and exponentials are letters of their own. Let L(x) be the larger of 1 and log x, M(x)
exp(x) - 1, and q = 19/7 < e. A proof may use these lemmas, under premises that it shows:

.. math::
    1 \le L(x), \qquad x \ge q \Rightarrow L(x) \le \frac{K}{q} x^{1/K}, \qquad
    x \le q^l y^a \Rightarrow L(x) \le \max(1, a + l) L(y), \\
    \frac{x^K}{K!} \le M(x), \qquad x \le l \Rightarrow M(x) \le \frac{(11/4)^l - 1}{l} x,
    \qquad x \le y \Rightarrow M(x) \le M(y).

The second is log y <= y/e at y = x^{1/K}; the third: where log x > 1 it is at most a log y + l,
and L(y) is at least 1 and at least log y; the rest is the series of exp, and e < 11/4.

Everything here is done in whole numbers and fractions of the standard library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rates.proofs import exact

Data = dict[str, Any]
Path = tuple[int, ...]
EVERY = ("min", "max")  # whose branches all are above the gap, or below it
Q = Fraction(19, 7)
_ABOVE_E = Fraction(11, 4)
_ONE = Fraction(1)


class BrokenError(ValueError):
    """A certificate does not show what it claims."""


class Asserted:
    """What is supposed in one case: lines above and below, and where it may split.

    Attributes:
        lines: Numbers of lines above the gap, and below it.
        open: Trees of which one branch is, unknown which, by side (0 above, 1 below) and path.
    """

    def __init__(
        self, lines: tuple[frozenset[int], ...], trees: Mapping[tuple[int, Path], Sequence[Any]]
    ) -> None:
        self.lines, self.open = lines, dict(trees)

    def split(self, side: int, path: Path) -> list[Asserted]:
        """Return the cases of an open tree, one per branch."""
        cases = []
        # A path names a tree for prover and checker alike.
        for k, tree in enumerate(self.open[side, path]):
            case = Asserted(self.lines, self.open)
            del case.open[side, path]
            case.add(side, (*path, k), tree)
            cases.append(case)
        return cases

    def add(self, side: int, path: Path, tree: Any) -> None:
        """Suppose also that a tree is above the gap (side 0) or below it (1)."""
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
            self.add(side, (*path, k), branch)


def start(above: Any, below: Any) -> Asserted:
    """Suppose that one tree is above the gap and the other below it."""
    out = Asserted((frozenset(), frozenset()), {})
    out.add(0, (), above)
    out.add(1, (), below)
    return out


def check(data: Data) -> bool:
    """Say whether a certificate shows that two trees are equal wherever its conditions hold.

    Args:
        data: ``lines``: of each its ``powers`` (letter to fraction) and ``factors`` (pairs of
            base and power); ``first`` and ``second``: a line's number or ``[kind, branches]``;
            ``where``: numbers of lines that are at most 1; ``below``, ``above``: the cases.
            Fractions are texts. Of several ways to meet conditions each has the last three in
            ``choices``, or in place of the cases ``empty``: weights with which its conditions
            contradict each other. Some way is not empty. With ``constant`` the trees are equal up
            to it; ``calls`` has the function and the line of each letter of a function, and then
            ``cases`` the proof, see `_follow`.

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
    # Data of others: whatever is wrong with it, it shows nothing.
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return any(shown)


def _shown(data: Data) -> bool:
    """Follow the proof of one choice; return whether it has cases and is not empty."""
    if data["empty"] is not None:
        _contradicts(data, data["empty"], data["where"])
        return False
    return _follow(data, data["cases"] if "calls" in data else data, data["where"])


def _follow(data: Data, proof: Data, held: Collection[int]) -> bool:
    """Follow a proof, or raise `BrokenError`; say if some case of it is not empty.

    Args:
        data: The certificate.
        proof: ``split``: two lines, one over the other, of which one is at most 1, and ``cases``;
            or ``lemmas``, and then ``contradiction``: weights, or ``below`` and ``above``.
        held: Numbers of lines that are at most 1 here.
    """
    if "split" in proof:
        if combined(data["lines"], [(k, _ONE) for k in proof["split"]]) != ({}, 0):
            raise BrokenError("two cases leave something out")
        sides = zip(proof["split"], proof["cases"], strict=True)
        return any([_follow(data, inner, [*held, line]) for line, inner in sides])
    for lemma in proof.get("lemmas", ()):
        _known(data, lemma, held)
        held = [*held, lemma["line"]]
    if "contradiction" in proof:
        _contradicts(data, proof["contradiction"], held)
        return False
    _closed(data, start(data["first"], data["second"]), proof["below"], held)
    _closed(data, start(data["second"], data["first"]), proof["above"], held)
    return True


def _contradicts(data: Data, given: Data, held: Collection[int]) -> None:
    """See that a product of what is at most 1 is above 1."""
    if combined(data["lines"], _weights(given, held).items()) != ({}, 1):
        raise BrokenError("the conditions do not contradict each other")


def _weights(given: Data, held: Collection[int]) -> dict[int, Fraction]:
    weights = {int(k): Fraction(weight) for k, weight in given.items()}
    if any(weight < 0 for weight in weights.values()):
        raise BrokenError("a weight is negative")
    if not weights.keys() <= set(held):
        raise BrokenError("a line is used that is not supposed")
    return weights


def _closed(data: Data, case: Asserted, proof: Data, held: Collection[int]) -> None:
    """See that a case and all its cases contradict what is supposed."""
    if "split" in proof:
        side, path = proof["split"]
        cases = case.split(side, tuple(path))
        for inner, given in zip(cases, proof["cases"], strict=True):
            _closed(data, inner, given, held)
        return
    sides = zip(proof["weights"], (*case.lines, held), strict=True)
    above, below, where = (_weights(given, lines) for given, lines in sides)
    if sum(above.values()) != 1 or sum(below.values()) != 1:
        raise BrokenError("weights do not add up to 1")
    signed = [(k, s * y) for s, w in ((1, above), (-1, below), (-1, where)) for k, y in w.items()]
    _at_most_1(data, signed, Line((), ((1 / Fraction(data.get("constant", "1")), _ONE),)))


def _at_most_1(data: Data, weights: Iterable[tuple[int, Fraction]], times: Any) -> None:
    powers, size = combined(data["lines"], weights, times)
    if powers or size > 0:
        raise BrokenError("the powers of a letter do not cancel, or a number above 1 is left")


# Lines ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A product of powers of letters, and of numbers; what `told` takes of `rates.pieces.Leaf`."""

    powers: tuple[tuple[str, Fraction], ...] = ()
    factors: tuple[tuple[Fraction, Fraction], ...] = ()

    def times(self, other: Line) -> Line:
        """Return the product of two."""
        return Line(self.powers + other.powers, self.factors + other.factors)

    def each(self, change: Callable[[Fraction], Fraction]) -> Line:
        """Return it with every power changed."""
        return Line(
            tuple((x, change(p)) for x, p in self.powers),
            tuple((x, change(p)) for x, p in self.factors),
        )


_EMPTY = Line()


def combined(
    lines: Sequence[Data], weights: Iterable[tuple[int, Fraction]], times: Any = _EMPTY
) -> tuple[dict[str, Fraction], int]:
    """Return the powers of a weighted product of lines, and the sign of the log of its number.

    ``times`` is a line that multiplies the product.

    Conditions at most 1 contradict each other if weights above 0 leave no power, and a sign of 1.

    >>> above = {"powers": {"n": "-1"}, "factors": [["2", "1"]]}  # n >= 2
    >>> below = {"powers": {"n": "1"}, "factors": [["3", "-1/2"]]}  # n <= sqrt(3)
    >>> combined([above, below], [(0, Fraction(1)), (1, Fraction(1))])
    ({}, 1)
    """
    pairs, factors = list(times.powers), list(times.factors)
    for k, weight in weights:
        pairs += [(x, weight * Fraction(p)) for x, p in lines[k]["powers"].items()]
        factors += [(Fraction(base), weight * Fraction(p)) for base, p in lines[k]["factors"]]
    powers: dict[str, Fraction] = {}
    for letter, power in pairs:
        powers[letter] = powers.get(letter, Fraction(0)) + power
    return {letter: power for letter, power in powers.items() if power}, exact.sign_of(factors)


# Lemmas -----------------------------------------------------------------------------------------


def told(
    kind: str, own: Any, x: Any, other: tuple[Any, Any] | None, power: Fraction, steps: int
) -> tuple[Any, Any]:
    """Return a lemma's premise, None if it has none, and what it says: lines that are at most 1.

    Args:
        kind: "log one", "log power", "log below", "exp above", "exp small", "exp below".
        own: The letter that stands for the function, as a line.
        x: What it is a function of.
        other: The letter, and what it is a function of, that it is compared with.
        power: K or a.
        steps: l.

    Raises:
        BrokenError: There is no such lemma.
    """

    def number(base: Fraction) -> Any:
        return replace(own, powers=(), factors=((base, _ONE),))

    def to(line: Any, by: Fraction | int) -> Any:
        return line.each(lambda p: p * by)

    # Bounds on K and l keep a checker from working without end.
    whole = power.denominator == 1 and 1 <= power <= 10**6
    match kind:
        case "log one":
            return None, to(own, -1)
        case "log power" if whole:
            premise = to(x, -1).times(number(Q))
            return premise, own.times(to(x, -1 / power)).times(number(Q / power))
        case "log below" if power >= 0 and 0 <= steps <= 10**4 and (other or not power):
            premise = x.times(number(Q**-steps))
            line = own.times(number(1 / max(_ONE, power + steps)))
            if other:
                premise, line = premise.times(to(other[1], -power)), line.times(to(other[0], -1))
            return premise, line
        case "exp above" if whole and power <= 100:
            least = Fraction(1, math.factorial(int(power)))
            return None, to(x, power).times(to(own, -1)).times(number(least))
        case "exp small" if 1 <= steps <= 100:
            least = steps / (_ABOVE_E**steps - 1)
            return x.times(number(Fraction(1, steps))), own.times(to(x, -1)).times(number(least))
        case "exp below" if other:
            return x.times(to(other[1], -1)), own.times(to(other[0], -1))
    raise BrokenError("there is no such lemma")


def _known(data: Data, lemma: Data, held: Collection[int]) -> None:
    """See that a lemma says what its line says, and that its premise is shown."""
    kind, names = lemma["kind"], [x for x in (lemma["of"], lemma.get("than")) if x]
    pairs = []
    for name in names:
        call = data["calls"][name]
        if {"log": "log", "exp": "expm1"}[kind[:3]] != call["name"]:
            raise BrokenError("a lemma of another function")
        pairs.append((Line(((name, _ONE),)), _line(data["lines"][call["line"]])))
    power, steps = Fraction(lemma.get("power", 0)), int(lemma.get("steps", 0))
    premise, line = told(kind, *pairs[0], pairs[1] if pairs[1:] else None, power, steps)
    if combined(data["lines"], [(lemma["line"], -_ONE)], line) != ({}, 0):
        raise BrokenError("a lemma says something else")
    if premise is not None:
        weights = _weights(lemma["by"], held)
        _at_most_1(data, [(k, -weight) for k, weight in weights.items()], premise)


def _line(given: Data) -> Line:
    return Line(
        tuple((x, Fraction(power)) for x, power in given["powers"].items()),
        tuple((Fraction(base), Fraction(power)) for base, power in given["factors"]),
    )
