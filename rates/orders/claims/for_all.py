"""Claims proved for all exponents in their ranges, by weights whose signs can be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rates import pieces, proofs
from rates.orders.claims.claim import Claim
from rates.orders.claims.deciding import Exponents, drawn
from rates.orders.language import exponents_at, nodes, powers, write
from rates.orders.language.powers import Power, TooLongError
from rates.pieces import Leaf
from rates.proofs import Asserted, exact, start

_MOST_CASES = 2_000

Support = tuple[frozenset[int], frozenset[int], frozenset[int]]
Weights = tuple[dict[int, Power], dict[int, Power], dict[int, Power]]


@dataclass(frozen=True, slots=True)
class Shown:
    """Whether a claim was proved for all exponents strictly inside their ranges.

    Attributes:
        shown: Whether it was. If not, it may still hold.
        why: Why not, empty if it was.
        fails: Exponents at which it does not hold, None if none were met.
        certificate: As of a decision, powers and weights as texts in the exponents; None unless
            shown. In numbers at any exponents inside, it is one that `proofs.check` accepts.
    """

    shown: bool
    why: str
    fails: Exponents | None
    certificate: dict[str, Any] | None


def decide_symbolic(claim: Claim, *, draws: int = 8, seed: int = 0) -> Shown:
    """Try to prove a claim for all exponents in their ranges, and all sizes.

    Certificates at drawn exponents say which lines add up; their weights are found again as
    rational functions of the exponents, and a proof may use those that are nowhere negative.

    Args:
        claim: The rate, what it equals, and where.
        draws: How many exponents to learn from.
        seed: Of the draws.

    Raises:
        DomainError: There are too many terms, or the rate sums over sites.

    Examples:
        >>> from rates.orders import parse
        >>> order = parse("max(n^(-1/(2*b+1)), (n*eps)^(-1/(b+1)))",
        ...               sizes=["n", "eps"], exponents=["b"])
        >>> claim = Claim(order, "n^(-1/(2*b+1))", ("eps >= n^(-b/(2*b+1))",))
        >>> decide_symbolic(claim).shown
        True
        >>> decide_symbolic(Claim(order, "n^(-1/(2*b+1))", ("eps >= n^(-1/3)",))).shown
        False
    """
    problem = _Symbolic(claim)
    supports: dict[Support, None] = {}
    met = 0
    for exponents in drawn(claim.order, draws, seed):
        try:
            found = problem.at(exponents)
        except proofs.ContradictionError:
            continue
        if not found.holds:
            return Shown(False, "It does not hold at all exponents.", exponents, None)
        met += 1
        assert found.certificate is not None
        supports.update(dict.fromkeys(_supports(found.certificate)))
    if not met:
        return Shown(False, "No sizes meet the conditions at the exponents drawn.", None, None)
    known = [w for support in supports if (w := problem.weights(support)) is not None]
    below = problem.prove(problem.first, problem.second, known)
    above = problem.prove(problem.second, problem.first, known)
    if below is None or above is None:
        why = "It holds at all exponents drawn; the signs of the weights are not all known."
        return Shown(False, why, None, None)
    return Shown(True, "", None, problem.certificate(below, above))


class _Symbolic:
    """A claim's lines in symbols, with one number for equal ones."""

    def __init__(self, claim: Claim) -> None:
        self.claim, self.ranges = claim, claim.order.known.ranges
        self.letters = claim.order.sizes
        self.zero = claim.order.known.one - claim.order.known.one
        self.lines: list[Leaf] = []
        self._numbers: dict[Any, int] = {}
        ours, theirs = ([self._number(x) for x in o.leaves] for o in (claim.order, claim.other))
        self.first, self.second = _maxima(claim.order.tree, ours), _maxima(claim.other.tree, theirs)
        self.where = list(dict.fromkeys(self._number(c.line) for c in claim.conditions))
        self.basis = exact.bases((base, Fraction(1)) for x in self.lines for base, _ in x.factors)
        self.left = _MOST_CASES

    def _number(self, leaf: Leaf) -> int:
        key = (frozenset(leaf.powers), frozenset(leaf.factors))
        if key not in self._numbers:
            self._numbers[key] = len(self.lines)
            self.lines.append(leaf)
        return self._numbers[key]

    def at(self, exponents: Exponents) -> proofs.Decision:
        """Decide at given exponents; labels are the lines' numbers."""
        values = exponents_at(self.ranges, exponents)
        lines = tuple(powers.leaf_at(leaf, values, str(k)) for k, leaf in enumerate(self.lines))
        first, second = (
            pieces.Form(self.letters, lines, _tuples(tree)) for tree in (self.first, self.second)
        )
        return proofs.decide(first, second, [lines[k] for k in self.where], sizes=False)

    def weights(self, support: Support) -> Weights | None:
        """Return the weights of some lines that add up, if none can be negative."""
        used = [(side, number) for side in range(3) for number in sorted(support[side])]
        signs = (1, -1, -1)
        rows = [
            [signs[side] * (self.lines[k].power_of(letter) or self.zero) for side, k in used]
            + [self.zero]
            for letter in self.letters
        ]
        one = self.claim.order.known.one
        for wanted in (0, 1):
            rows.append([one if side == wanted else self.zero for side, _ in used] + [one])
        try:
            found = _solved(rows)
            if found is None or any(self.sign(y) not in (0, 1) for y in found):
                return None
            total: dict[int, Power] = dict.fromkeys(range(len(self.basis)), self.zero)
            for (side, k), y in zip(used, found, strict=True):
                for base, power in self.lines[k].factors:
                    count = exact.written([(base, Fraction(1))], self.basis)
                    for place, often in enumerate(count):
                        if often:
                            more = signs[side] * int(often) * y * power
                            total[place] = powers.plus(total[place], more)
            if any(self.sign(power) not in (0, -1) for power in total.values()):
                return None
        except TooLongError:
            return None
        out: Weights = ({}, {}, {})
        for (side, k), y in zip(used, found, strict=True):
            if y:
                out[side][k] = y
        return out

    def sign(self, power: Power) -> int | None:
        """Return the sign of a power inside the ranges, None if it cannot be shown."""
        return powers.sign(power, self.ranges)

    def prove(self, above: Any, below: Any, known: Sequence[Weights]) -> dict[str, Any] | None:
        """Return weights in every case, None if some case has none."""
        return self._case(start(above, below), known)

    def _case(self, case: Asserted, known: Sequence[Weights]) -> dict[str, Any] | None:
        if (proof := self._closed(case, known)) is not None:
            return proof
        self.left -= 1
        if not case.open or self.left < 0:
            return None
        options = [(key, case.split(*key)) for key in case.open]
        key, cases = min(
            options, key=lambda o: sum(self._closed(inner, known) is None for inner in o[1])
        )
        proofs_: list[dict[str, Any]] = []
        for inner in cases:
            found = self._case(inner, known)
            if found is None:
                return None
            proofs_.append(found)
        return {"split": [key[0], list(key[1])], "cases": proofs_}

    def _closed(self, case: Asserted, known: Sequence[Weights]) -> dict[str, Any] | None:
        if shared := case.lines[0] & case.lines[1]:
            line = str(min(shared))
            return {"weights": [{line: "1"}, {line: "1"}, {}]}
        for weights in known:
            if weights[0].keys() <= case.lines[0] and weights[1].keys() <= case.lines[1]:
                texts = [{str(k): write.power_text(y) for k, y in w.items()} for w in weights]
                return {"weights": texts}
        return None

    def certificate(self, below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
        """Return the proof as plain data, powers as texts."""
        lines = [
            {
                "powers": {x: write.power_text(p) for x, p in line.powers},
                "factors": [[str(base), write.power_text(p)] for base, p in line.factors],
            }
            for line in self.lines
        ]
        return {
            "lines": lines,
            "first": self.first,
            "second": self.second,
            "where": self.where,
            "below": below,
            "above": above,
        }


def _supports(data: Mapping[str, Any]) -> Iterator[Support]:
    """Yield the numbers of the lines that add up in each case of a certificate."""
    numbers = [int(line["label"]) for line in data["lines"]]
    todo = [data["below"], data["above"]]
    while todo:
        proof = todo.pop()
        if "split" in proof:
            todo += proof["cases"]
            continue
        above, below, where = (frozenset(numbers[int(k)] for k in w) for w in proof["weights"])
        yield above, below, where


def _solved(rows: list[list[Power]]) -> list[Power] | None:
    """Solve linear equations; None without exactly one solution."""
    count = len(rows[0]) - 1
    for place in range(count):
        pivot = next((k for k in range(place, len(rows)) if rows[k][place]), None)
        if pivot is None:
            return None
        rows[place], rows[pivot] = rows[pivot], rows[place]
        head = rows[place][place]
        rows[place] = [powers.over(x, head) if x else x for x in rows[place]]
        for k, row in enumerate(rows):
            f = row[place]
            if k != place and f:
                rows[k] = [
                    powers.plus(x, -powers.times(f, y)) if y else x
                    for x, y in zip(row, rows[place], strict=True)
                ]
    if any(row[-1] for row in rows[count:]):
        return None
    return [row[-1] for row in rows[:count]]


def _maxima(tree: nodes.Tree, numbers: Sequence[int]) -> Any:
    if isinstance(tree, int):
        return numbers[tree]
    kind = "min" if tree[0] == "min" else "max"
    return [kind, [_maxima(branch, numbers) for branch in tree[1]]]


def _tuples(tree: Any) -> pieces.Tree:
    return tree if isinstance(tree, int) else (tree[0], tuple(map(_tuples, tree[1])))
