r"""How far one tree of minima and maxima of lines rises above another: cases, each a program.

In each case lines f are above and g below the gap, and by duality of linear programs

.. math:: \max_{h(x) \le 0} \Big(\min_i f_i - \max_j g_j\Big) = \min_{a, b, c} s,

the smallest constant that weights of `certificate` reach. A case is closed once that is at most
the largest gap found so far; weights found once close every later case that supposes their lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rates.numbers import DomainError, Words
from rates.pieces import Form, Leaf, mapped
from rates.proofs import exact
from rates.proofs.certificate import EVERY, Asserted, Data, start

MOST_STEPS = 5_000_000  # entries of tableaus and comparisons of cases: one to three seconds
Numbers = tuple[Fraction, ...]
Case = tuple[frozenset[int], ...]  # lines above, and below
Known = tuple[frozenset[int], frozenset[int], Data]  # such lines, and weights that close a case


class TooLongError(DomainError):
    """What takes too many steps."""


@dataclass(slots=True)
class Work:
    """Counts steps, and refuses what takes too many."""

    what: str
    steps: int = 0

    def spend(self, steps: int) -> None:
        """Count, or raise `DomainError`."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            rule = (
                f"A claim may take at most {MOST_STEPS:,} steps of linear programs: use fewer "
                "terms, or more conditions."
            )
            raise TooLongError(rule, "claim", Words(self.what))


@dataclass(frozen=True)
class Gap:
    """The largest gap of one tree over another.

    Attributes:
        size: Powers of the problem's basis in its factor; None if it has no end.
        case: Lines above and below the gap where it is found; None if it is nowhere above 0.
        proof: Weights in every case that leave at most this; None if the gap has no end.
    """

    size: Numbers | None
    case: Case | None
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
        # Cases split at branches, which a product does not have.
        first, second = first.multiplied, second.multiplied
        self._numbers: dict[tuple[Any, Any], int] = {}
        self.lines: list[Leaf] = []
        leaves = [*first.leaves, *second.leaves]
        used = [*leaves, *where]
        self.basis = exact.bases(pair for leaf in used for pair in leaf.factors)
        self.letters = tuple(dict.fromkeys(x for leaf in used for x, power in leaf.powers if power))
        self.columns: list[tuple[list[int], list[int], int]] = []
        numbers = list(map(self._number, leaves))
        self.first = mapped(first.tree, numbers.__getitem__)
        self.second = mapped(second.tree, numbers[len(first.leaves) :].__getitem__)
        self.assume(where)
        self.work = Work(f"{len(self.lines)} terms and conditions")

    def assume(self, where: Sequence[Leaf]) -> None:
        """Take conditions in place of those before, each of which was among the first."""
        self.labels: dict[int, str] = {}
        for leaf in where:
            self.labels.setdefault(self._number(leaf), leaf.label)
        self.where = tuple(self.labels)

    def _number(self, leaf: Leaf) -> int:
        constants = exact.written(leaf.factors, self.basis)
        powers = {letter: power for letter, power in leaf.powers if power}
        row = [powers.get(letter, Fraction(0)) for letter in self.letters]
        # Lines that are equal, however written, share one column.
        key = (tuple(row), constants)
        if key not in self._numbers:
            self._numbers[key] = len(self.lines)
            self.lines.append(leaf)
            scale = math.lcm(*(x.denominator for x in (*row, *constants)))
            self.columns.append(
                ([int(x * scale) for x in row], [int(x * scale) for x in constants], scale)
            )
        return self._numbers[key]

    def sign(self, powers: Sequence[Fraction]) -> int:
        """Return the sign of a constant."""
        return exact.sign(powers, self.basis)

    def weighted(
        self, used: Sequence[tuple[int, int, int]], sides: int
    ) -> tuple[dict[int, Fraction], Numbers] | None:
        """Return weights whose powers cancel with the smallest constant, and it; None without any.

        Args:
            used: Of each line its side, its sign in the sum, and its number.
            sides: The weights of so many sides add up to 1 each.
        """
        columns = []
        for side, sign, number in used:
            powers, constants, scale = self.columns[number]
            ones = [scale * (side == k) for k in range(sides)]
            columns.append([*(sign * x for x in powers), *ones, *(sign * x for x in constants)])
        right = [0] * len(self.letters) + [1] * sides
        found = exact.least(columns, right, self.basis, self.work.spend)
        if found is None:
            return None
        return {j: y * self.columns[used[j][2]][2] for j, y in found[0].items()}, found[1]

    def minimise(
        self, above: Sequence[int], below: Sequence[int]
    ) -> tuple[list[dict[int, Fraction]], Numbers] | None:
        """Return the weights with the smallest constant, and it; None if the gap has no end."""
        sides = ((1, above), (-1, below), (-1, self.where))
        used = [(side, sign, k) for side, (sign, lines) in enumerate(sides) for k in lines]
        found = self.weighted(used, 2)
        if found is None:
            return None
        weights: list[dict[int, Fraction]] = [{}, {}, {}]
        for j, y in found[0].items():
            side, _, number = used[j]
            weights[side][number] = y
        return weights, found[1]

    def contradiction(self) -> dict[int, Fraction] | None:
        """Return weights of conditions that add up to a contradiction; none can be left out.

        A basic solution has the support of an extreme ray: leave one of its conditions out, and
        no weights cancel the letters, so the others can be met.
        """
        found = self.weighted([(0, -1, k) for k in self.where], 1)
        if found is None or self.sign(found[1]) >= 0:
            return None
        return {self.where[j]: y for j, y in found[0].items()}

    def gap(self, above: Any, below: Any) -> Gap:
        """Return the largest gap of one tree over the other where the conditions hold."""
        search = Search(self.work, problem=self)
        proof = search.explore(start(above, below))
        if search.over:
            return Gap(None, search.case, None)
        return Gap(search.best, search.case, proof)


class Search:
    """Weights for every case: those that are known, and those that a problem has.

    Attributes:
        known: Lines above and below that some weights add up, and these.
        over: Whether there is nothing more to look for.
        best: The size of the largest gap that was found.
        case: Lines above and below it.
    """

    def __init__(
        self, work: Work, known: Iterable[Known] = (), problem: Problem | None = None
    ) -> None:
        self.work, self.known, self.problem, self.over = work, list(known), problem, False
        self.best: Numbers = (Fraction(0),) * len(problem.basis if problem else ())
        self.case: Case | None = None

    def explore(self, case: Asserted, *, fresh: bool = True) -> Data:
        """Close a case or its cases; what it returns counts only if it closed them all."""
        if (proof := self.closed(case)) is not None or self.over:
            return proof or {}
        if (fresh or not case.open) and (proof := self.solve(case)) is not None:
            return proof
        if not case.open or self.over:
            return {}
        key, cases = self.split(case)
        proofs = [self.explore(inner, fresh=inner.lines != case.lines) for inner in cases]
        return {"split": [key[0], list(key[1])], "cases": proofs}

    def solve(self, case: Asserted) -> Data | None:
        """Return new weights that close a case; note the gap if nothing is left to split."""
        if self.problem is None:
            self.over = not case.open
            return None
        if not all(case.lines):
            return None
        found = self.problem.minimise(*map(sorted, case.lines))
        if found is None:
            if not case.open:
                self.case, self.over = case.lines, True
            return None
        weights, size = found
        larger = self.problem.sign([a - b for a, b in zip(size, self.best, strict=True)]) > 0
        if larger and case.open:
            return None
        proof = {"weights": [{str(k): str(v) for k, v in w.items()} for w in weights]}
        self.known.append((frozenset(weights[0]), frozenset(weights[1]), proof))
        if larger:
            self.case, self.best = case.lines, size
        return proof

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
        trees = (branches for key, branches in case.open.items() if key[0] == side)
        return math.prod(sum(_cases(branch, side) for branch in tree) for tree in trees)

    def closed(self, case: Asserted) -> Data | None:
        """Return weights that are known and close a case."""
        if shared := case.lines[0] & case.lines[1]:
            line = str(min(shared))
            return {"weights": [{line: "1"}, {line: "1"}, {}]}
        self.work.spend(30 + len(self.known))
        lines = case.lines
        for above, below, proof in self.known:
            if above <= lines[0] and below <= lines[1]:
                return proof
        return None


def weights_of(proof: Data) -> Iterator[list[dict[str, str]]]:
    """Yield the weights of every case of a proof, or of a certificate."""
    if "weights" in proof:
        yield proof["weights"]
    if "empty" in proof:
        yield [{}, {}, proof["empty"]]
    sides = (proof[side] for side in ("below", "above") if side in proof)
    for inner in (*proof.get("choices", ()), *proof.get("cases", ()), *sides):
        yield from weights_of(inner)


def _cases(tree: Any, side: int) -> int:
    if isinstance(tree, int):
        return 1
    kind, branches = tree
    counts = [_cases(branch, side) for branch in branches]
    return math.prod(counts) if kind == EVERY[side] else sum(counts)
