r"""How far one tree of minima and maxima of lines rises above another: cases, each a program.

In each case lines f are above and g below the gap, and by duality of linear programs

.. math:: \max_{h(x) \le 0} \Big(\min_i f_i - \max_j g_j\Big) = \min_{a, b, c} s,

the smallest constant that weights of `certificate` reach. A case is closed once that is at most
the largest gap found so far; weights found once close every later case that supposes their lines.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rates.numbers import DomainError, Words
from rates.pieces import Form, Leaf, mapped
from rates.proofs import exact, simplex
from rates.proofs.certificate import EVERY, TURNED, Asserted, Data, start

MOST_STEPS = 5_000_000  # entries of tableaus and comparisons of cases: one to three seconds
Numbers = tuple[Fraction, ...]
Case = tuple[frozenset[int], ...]  # lines above, below, and at most 1 beside the conditions
Known = tuple[frozenset[int], frozenset[int], frozenset[int], Data]


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
        lets: New letters for the factors of products, as `certificate.check` takes them.
        basis: Coprime numbers in which all constants are written.
    """

    def __init__(self, first: Form, second: Form, where: Sequence[Leaf]) -> None:
        self._numbers: dict[tuple[Any, Any], int] = {}
        self.lines: list[Leaf] = []
        new = _New()
        trees = [new.tree(form.tree, form.leaves) for form in (first, second)]
        used = [*leaves_in([*trees, *(tree for _, tree in new.lets)]), *where]
        self.basis = exact.bases(pair for leaf in used for pair in leaf.factors)
        self.letters = tuple(dict.fromkeys(x for leaf in used for x, power in leaf.powers if power))
        self.constants: list[Numbers] = []
        self.columns: list[tuple[list[int], list[int], int]] = []
        self.first, self.second = (mapped(tree, self._number) for tree in trees)
        self.lets = [self._let(*let) for let in new.lets]
        self.assume(where)
        self.work = Work(f"{len(self.lines)} terms and conditions")

    def assume(self, where: Sequence[Leaf]) -> tuple[int, ...]:
        """Take conditions in place of those before, each of which was among the first.

        Returns:
            Their numbers.
        """
        self.labels: dict[int, str] = {}
        for leaf in where:
            self.labels.setdefault(self._number(leaf), leaf.label)
        self.where = tuple(self.labels)
        return self.where

    def _let(self, letter: str, tree: Any) -> Data:
        one = Leaf(letter, ((letter, Fraction(1)),))
        return {
            "letter": letter,
            "tree": mapped(tree, self._number),
            "most": mapped(tree, lambda leaf: self._number(one.over(leaf)), TURNED.__getitem__),
            "least": mapped(tree, lambda leaf: self._number(leaf.over(one))),
        }

    def supposed(self, above: Any, below: Any) -> Asserted:
        """Suppose one tree above and one below the gap, and what bounds new letters in them.

        Those above the gap are bounded from above, those below it from below.
        """
        out: list[tuple[int, Any]] = []
        for side, (tree, of) in enumerate(((above, "most"), (below, "least"))):
            used = {x for k in leaves_in([tree]) for x, _ in self.lines[k].powers}
            for place, let in reversed(list(enumerate(self.lets))):
                if let["letter"] in used:
                    used |= {x for k in leaves_in([let["tree"]]) for x, _ in self.lines[k].powers}
                    out.append((2 * place + side, let[of]))
        return start(above, below, out)

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
        found = simplex.least(columns, right, self.basis, self.work.spend)
        if found is None:
            return None
        return {j: y * self.columns[used[j][2]][2] for j, y in found.y.items()}, found.cost

    def minimise(
        self, above: Sequence[int], below: Sequence[int], held: Sequence[int] = ()
    ) -> tuple[list[dict[int, Fraction]], Numbers] | None:
        """Return the weights with the smallest constant, and it; None if the gap has no end."""
        sides = ((1, above), (-1, below), (-1, (*self.where, *held)))
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
        return _Largest(self).run(above, below)

    def shown(self, known: list[Known]) -> frozenset[int] | None:
        """Return the conditions that show both trees equal, or contradict; None if they do not.

        Args:
            known: Weights found under any conditions of the problem; new ones are added.
        """
        if (weights := self.contradiction()) is not None:
            return frozenset(weights)
        used: set[int] = set()
        for trees in ((self.first, self.second), (self.second, self.first)):
            search = _Largest(self, known, stop=True)
            before = len(search.known)
            proof = search.explore(self.supposed(*trees))
            known += search.known[before:]
            if search.case is not None:
                return None
            used |= {k for weights in weights_of(proof) for k in map(int, weights[2])}
        return frozenset(used.intersection(self.where))


class Search:
    """Weights for every case; here only those that are known.

    Attributes:
        known: Lines above and below that some weights add up, and these.
        over: Whether there is nothing more to look for.
    """

    def __init__(self, work: Work, known: Iterable[Known] = ()) -> None:
        self.work, self.known, self.over = work, list(known), False

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
        """Return new weights that close a case; None if there are none."""
        self.over = not case.open
        return None

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
        for above, below, held, proof in self.known:
            if above <= lines[0] and below <= lines[1] and held <= lines[2]:
                return proof
        return None


class _Largest(Search):
    """The largest gap: weights are looked for in each case."""

    def __init__(
        self, problem: Problem, known: Iterable[Known] = (), *, stop: bool = False
    ) -> None:
        facts = leaves_in(let[of] for let in problem.lets for of in ("most", "least"))
        held = {str(k) for k in (*problem.where, *facts)}
        super().__init__(problem.work, (x for x in known if x[3]["weights"][2].keys() <= held))
        self.problem, self.stop = problem, stop  # whether any gap will do
        self.best: Numbers = (Fraction(0),) * len(problem.basis)
        self.case: Case | None = None

    def run(self, above: Any, below: Any) -> Gap:
        """Return the largest gap of one tree over the other."""
        proof = self.explore(self.problem.supposed(above, below))
        return Gap(None if self.over else self.best, self.case, None if self.over else proof)

    def solve(self, case: Asserted) -> Data | None:
        """Return weights that close a case; note the gap if nothing is left to split."""
        if not all(case.lines[:2]):
            return None
        found = self.problem.minimise(*map(sorted, case.lines))
        if found is None:
            if not case.open:
                self.case, self.over = case.lines, True
            return None
        weights, size = found
        proof = {"weights": [{str(k): str(v) for k, v in w.items()} for w in weights]}
        larger = self.problem.sign([a - b for a, b in zip(size, self.best, strict=True)]) > 0
        if larger and case.open:
            return None
        if larger and self.stop:
            self.case, self.over = case.lines, True
            return None
        above, below, held = map(frozenset, weights)
        self.known.append((above, below, held.difference(self.problem.where), proof))
        if larger:
            self.case, self.best = case.lines, size
        return proof


def weights_of(proof: Data) -> Iterator[list[dict[str, str]]]:
    """Yield the weights of every case of a proof."""
    if "weights" in proof:
        yield proof["weights"]
    for inner in proof.get("cases", ()):
        yield from weights_of(inner)


def _cases(tree: Any, side: int) -> int:
    if isinstance(tree, int):
        return 1
    kind, branches = tree
    counts = [_cases(branch, side) for branch in branches]
    return math.prod(counts) if kind == EVERY[side] else sum(counts)


def leaves_in(trees: Iterable[Any]) -> list[Any]:
    """Return the leaves of trees, in reading order."""
    return [leaf for x in trees for leaf in (leaves_in(x[1]) if isinstance(x, tuple) else [x])]


class _New:
    """Letters that stand for the factors of products.

    Attributes:
        lets: Each letter with its factor, equal factors once.
    """

    def __init__(self) -> None:
        self.lets: list[tuple[str, Any]] = []
        self._known: dict[Any, Leaf] = {}

    def tree(self, tree: Any, leaves: Sequence[Leaf]) -> Any:
        """Return a tree of leaves, a product in it as one leaf in new letters."""
        if isinstance(tree, int):
            return leaves[tree]
        branches = [self.tree(branch, leaves) for branch in tree[1]]
        if tree[0] != "times":
            return tree[0], tuple(branches)
        return functools.reduce(Leaf.times, map(self.letter, branches))

    def letter(self, factor: Any) -> Leaf:
        """Return the letter of a factor; a leaf is itself."""
        if isinstance(factor, Leaf):
            return factor
        key = mapped(factor, lambda leaf: (frozenset(leaf.powers), frozenset(leaf.factors)))
        if key not in self._known:
            name = f"factor {len(self.lets) + 1}"  # with a space, as no letter has
            self.lets.append((name, factor))
            self._known[key] = Leaf(name, ((name, Fraction(1)),))
        return self._known[key]
