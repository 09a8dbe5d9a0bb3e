r"""How far one tree of minima and maxima of lines rises above another: cases, each a program.

In each case lines f are above and g below the gap, and by duality of linear programs

.. math:: \max_{h(x) \le 0} \Big(\min_i f_i - \max_j g_j\Big) = \min_{a, b, c} s,

the smallest constant that weights of `certificate` reach. A case is closed once that is at most
the largest gap found so far; weights found once close every later case that supposes their lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rates.numbers import DomainError, Words
from rates.pieces import Form, Leaf
from rates.proofs import exact, simplex
from rates.proofs.certificate import Asserted, Data, start

MOST_STEPS = 5_000_000  # entries of tableaus and comparisons of cases: one to three seconds
Numbers = tuple[Fraction, ...]


@dataclass(frozen=True)
class Gap:
    """The largest gap of one tree over another.

    Attributes:
        size: Powers of the problem's basis in its factor; None if it has no end.
        case: Lines above and below the gap where it is found; None if it is nowhere above 0.
        proof: Weights in every case; None if the gap is above 0.
    """

    size: Numbers | None
    case: tuple[frozenset[int], frozenset[int]] | None
    proof: Data | None


class Problem:
    """Two forms and conditions over one list of lines.

    Attributes:
        letters: Letters of the forms and the conditions.
        lines: All different lines.
        first: The first form's tree over the lines' numbers.
        second: The second form's.
        where: Numbers of the lines that are at most 1.
        labels: What each of these conditions is called.
        basis: Coprime numbers in which all constants are written.
    """

    def __init__(self, first: Form, second: Form, where: Sequence[Leaf]) -> None:
        self._numbers: dict[tuple[Any, Any], int] = {}
        self.lines: list[Leaf] = []
        used = [*first.leaves, *second.leaves, *where]
        self.basis = exact.bases(pair for leaf in used for pair in leaf.factors)
        self.letters = tuple(dict.fromkeys(x for leaf in used for x, power in leaf.powers if power))
        self.constants: list[Numbers] = []
        self.columns: list[tuple[list[int], list[int], int]] = []
        self.first = _renumbered(first.tree, [self._number(leaf) for leaf in first.leaves])
        self.second = _renumbered(second.tree, [self._number(leaf) for leaf in second.leaves])
        self.labels: dict[int, str] = {}
        for leaf in where:
            self.labels.setdefault(self._number(leaf), leaf.label)
        self.where = tuple(self.labels)
        self.steps = 0

    def _number(self, leaf: Leaf) -> int:
        constants = exact.written(leaf.factors, self.basis)
        powers = {letter: power for letter, power in leaf.powers if power}
        row = [powers.get(letter, Fraction(0)) for letter in self.letters]
        key = (tuple(row), constants)
        if key not in self._numbers:
            self._numbers[key] = len(self.lines)
            self.lines.append(leaf)
            self.constants.append(constants)
            scale = math.lcm(*(x.denominator for x in (*row, *constants)))
            self.columns.append(
                ([int(x * scale) for x in row], [int(x * scale) for x in constants], scale)
            )
        return self._numbers[key]

    def sign(self, powers: Numbers) -> int:
        """Return the sign of a constant."""
        return exact.sign(powers, self.basis)

    def spend(self, steps: int) -> None:
        """Count work, and raise `DomainError` where it is too much."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise DomainError(
                f"A claim may take at most {MOST_STEPS:,} steps of linear programs: use fewer "
                "terms, or more conditions.",
                "claim",
                Words(f"{len(self.lines)} terms and conditions"),
            )

    def minimise(
        self, above: Sequence[int], below: Sequence[int]
    ) -> tuple[list[dict[int, Fraction]], Numbers] | None:
        """Return the weights with the smallest constant, and it; None if the gap has no end."""
        used: list[tuple[int, int]] = []
        columns: list[list[int]] = []
        for side, numbers in enumerate((above, below, self.where)):
            for number in numbers:
                powers, constants, scale = self.columns[number]
                flip = 1 if side == 0 else -1
                ones = [scale if side == k else 0 for k in (0, 1)]
                columns.append([*(flip * x for x in powers), *ones, *(flip * x for x in constants)])
                used.append((side, number))
        right = [0] * len(self.letters) + [1, 1]
        found = simplex.least(columns, right, self.basis, self.spend)
        if found is None:
            return None
        weights: list[dict[int, Fraction]] = [{}, {}, {}]
        for j, value in found.y.items():
            side, number = used[j]
            weights[side][number] = value * self.columns[number][2]
        return weights, found.cost

    def contradiction(self) -> dict[int, Fraction] | None:
        """Return weights of conditions that add up to a contradiction; none can be left out.

        A basic solution has the support of an extreme ray: leave one of its conditions out, and
        no weights cancel the letters, so the others can be met.
        """
        if not self.where:
            return None
        columns = []
        for number in self.where:
            powers, constants, scale = self.columns[number]
            columns.append([*powers, scale, *(-x for x in constants)])
        right = [0] * len(self.letters) + [1]
        found = simplex.least(columns, right, self.basis, self.spend)
        if found is None or self.sign(found.cost) >= 0:
            return None
        return {self.where[j]: y * self.columns[self.where[j]][2] for j, y in found.y.items()}

    def gap(self, above: Any, below: Any) -> Gap:
        """Return the largest gap of one tree over the other where the conditions hold."""
        return _Search(self).run(above, below)


class _Search:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.best: Numbers = (Fraction(0),) * len(problem.basis)
        self.case: tuple[frozenset[int], frozenset[int]] | None = None
        self.endless = False
        # weights that closed a case: their lines above and below, and what they prove
        self.known: list[tuple[frozenset[int], frozenset[int], Data]] = []

    def run(self, above: Any, below: Any) -> Gap:
        proof = self.explore(start(above, below), fresh=True)
        size = None if self.endless else self.best
        return Gap(size, self.case, proof if self.case is None else None)

    def explore(self, case: Asserted, *, fresh: bool) -> Data:
        """Close a case or its cases; what it returns counts only if no gap was found."""
        if (proof := self.closed(case)) is not None or self.endless:
            return proof or {}
        if (fresh or not case.open) and (proof := self.solve(case)) is not None:
            return proof
        if not case.open or self.endless:
            return {}
        key, cases = self.split(case)
        proofs = [self.explore(inner, fresh=inner.lines != case.lines) for inner in cases]
        return {"split": [key[0], list(key[1])], "cases": proofs}

    def split(self, case: Asserted) -> tuple[tuple[int, tuple[int, ...]], list[Asserted]]:
        """Choose an open tree: of which at most one case is left, or of the side with fewer."""
        options = []
        for key, branches in case.open.items():
            cases = case.split(*key)
            left = sum(self.closed(inner) is None for inner in cases)
            options.append((left > 1, self.count(case, key[0]), left, len(branches), key, cases))
        *_, key, cases = min(options, key=lambda option: option[:5])
        return key, cases

    def count(self, case: Asserted, side: int) -> int:
        """Return into how many cases a side splits in all."""
        return math.prod(_clauses(case.open[key], side) for key in case.open if key[0] == side)

    def closed(self, case: Asserted) -> Data | None:
        shared = case.lines[0] & case.lines[1]
        if shared:
            line = str(min(shared))
            return {"weights": [{line: "1"}, {line: "1"}, {}]}
        self.problem.spend(30 + len(self.known))
        for above, below, proof in self.known:
            if above <= case.lines[0] and below <= case.lines[1]:
                return proof
        return None

    def solve(self, case: Asserted) -> Data | None:
        """Return weights that close a case; note the gap if nothing is left to split."""
        if not all(case.lines):
            return None
        found = self.problem.minimise(sorted(case.lines[0]), sorted(case.lines[1]))
        if found is not None:
            weights, size = found
            more = tuple(a - b for a, b in zip(size, self.best, strict=True))
            if self.problem.sign(more) <= 0:
                proof = {"weights": [{str(k): str(v) for k, v in w.items()} for w in weights]}
                self.known.append((frozenset(weights[0]), frozenset(weights[1]), proof))
                return proof
        if not case.open:
            self.case = case.lines
            if found is None:
                self.endless = True
            else:
                self.best = size
                self.known.append((frozenset(weights[0]), frozenset(weights[1]), {}))
        return None


def _renumbered(tree: Any, numbers: Sequence[int]) -> Any:
    if isinstance(tree, int):
        return numbers[tree]
    kind, branches = tree
    return [kind, [_renumbered(branch, numbers) for branch in branches]]


def _clauses(branches: Sequence[Any], side: int) -> int:
    return sum(_cases(branch, side) for branch in branches)


def _cases(tree: Any, side: int) -> int:
    if isinstance(tree, int):
        return 1
    kind, branches = tree
    counts = [_cases(branch, side) for branch in branches]
    return math.prod(counts) if kind == ("min", "max")[side] else sum(counts)
