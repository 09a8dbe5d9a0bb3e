r"""Forms with logarithms and exponentials: equal up to a constant, or apart along a path.

What the lemmas of `rates.proofs.certificate` say of them are lines, so linear programs decide as
ever, in the cases in which each argument is above e or below it (above 1 or below it, for an
exponential).
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from rates.pieces import Call, Form, Leaf, mapped
from rates.proofs import certificate, exact
from rates.proofs.certificate import Data, check
from rates.proofs.rays import ray
from rates.proofs.search import Gap, Problem, TooLongError, Work
from rates.proofs.settle import ContradictionError, Decision, as_data

MOST_CALLS = 6
MOST_CASES = 200
_ROOTS = (1, 2, 4, 8, 16, 64, 256, 2**10, 2**12, 2**14)  # K of a lemma
_POWERS = (1, 2, 4, 8, 16)
_STEPS = 100  # that it takes to write a line down
_ONE = Leaf("1")
_NONE = Form((), (_ONE,), 0)


def compare(first: Form, second: Form, choices: Sequence[Sequence[Leaf]]) -> Decision:
    """Decide whether two forms are equal up to a constant where a choice of conditions holds.

    Raises:
        ContradictionError: No sizes meet the conditions of any choice.
        DomainError: It takes too many linear programs.

    Examples:
        >>> n = Leaf("n", (("n", Fraction(1)),))
        >>> log, root = Leaf("log", calls=((Call("log", n), Fraction(1)),)), n.each(lambda p: p / 4)
        >>> above = n.each(lambda p: -p)
        >>> larger = Form(("n",), (root, log), ("max", (0, 1)))
        >>> found = compare(larger, Form(("n",), (root,), 0), [[above]])
        >>> found.holds, round(found.constant, 2)
        (True, 1.47)
        >>> found = compare(Form(("n",), (log,), 0), Form(("n",), (_ONE,), 0), [[above]])
        >>> found.holds, str(found.ray)
        (False, 'n = 2^s')
    """
    prover = _Prover(first.multiplied, second.multiplied, choices)
    if len(prover.functions) > MOST_CALLS:
        many = f"there are more than {MOST_CALLS} different logarithms and exponentials"
        return Decision(None, math.nan, None, None, why=many)
    parts: list[Data] = []
    left = -1
    for place, where in enumerate(prover.choices):
        part = prover.part(where)
        if part is None:
            with contextlib.suppress(TooLongError):
                if path := ray(prover.first, prover.second, where, prover.functions):
                    return Decision(False, math.inf, path.sizes, None, place, path)
            part = prover.part(where, pairs=True)
        left = place if part is None else left
        parts.append(part or {})
    if left >= 0:
        why = "neither a proof nor sizes that contradict were found"
        return Decision(None, math.nan, None, None, left, why=why)
    return prover.decision(parts)


class _OpenError(Exception):
    """A case in which the gap has no end, as far as the lemmas say."""


class _Prover:
    """Looks for a proof, case by case.

    Attributes:
        functions: Of each letter that stands for a function what it is, those inside others first.
        lines: All lines, by their numbers; equal ones have one number.
    """

    def __init__(self, first: Form, second: Form, choices: Sequence[Sequence[Leaf]]) -> None:
        self.functions: dict[str, tuple[Call, Leaf]] = {}
        leaves = [tuple(map(self.plain, form.leaves)) for form in (first, second)]
        self.choices = [list(map(self.plain, where)) for where in choices]
        letters = (*dict.fromkeys((*first.letters, *second.letters)), *self.functions)
        self.first = Form(letters, leaves[0], first.tree)
        self.second = Form(letters, leaves[1], second.tree)
        self.pairs, self.cases = False, 0
        self.work = Work("logarithms and exponentials")
        self.lines: list[Leaf] = []
        self.alike: dict[Any, list[int]] = {}
        self.trees = tuple(
            mapped(form.tree, list(map(self.number, form.leaves)).__getitem__)
            for form in (self.first, self.second)
        )
        self.sizes: list[tuple[Problem, Gap]] = []
        self.contradictions: dict[str, Fraction] = {}

    def plain(self, leaf: Leaf) -> Leaf:
        """Return a line with a letter for each function."""
        powers = dict(leaf.powers)
        for call, power in leaf.calls:
            inner = self.plain(call.of)
            self.functions.setdefault(str(call), (call, inner))
            powers[str(call)] = powers.get(str(call), Fraction(0)) + power
        return Leaf(leaf.label, tuple((x, p) for x, p in powers.items() if p), leaf.factors)

    def number(self, leaf: Leaf) -> int:
        """Return the number of a line, whatever way its constant is written."""
        alike = self.alike.setdefault(frozenset(leaf.powers), [])
        for k in alike:
            off = ((base, -p) for base, p in leaf.factors)
            if not exact.sign_of([*self.lines[k].factors, *off]):
                return k
        alike.append(len(self.lines))
        self.lines.append(leaf)
        return alike[-1]

    def part(self, where: Sequence[Leaf], pairs: bool = False) -> Data | None:
        """Return a proof under some conditions, None if there is none this way.

        Args:
            where: The conditions.
            pairs: Whether to part cases also by which of two arguments is larger.
        """
        self.pairs, self.cases, before = pairs, 0, len(self.sizes)
        try:
            proof = self.calls(list(where), [], list(self.functions))
        except (_OpenError, TooLongError):
            del self.sizes[before:]
            return None
        return {"where": [self.number(leaf) for leaf in where], "cases": proof}

    def decision(self, parts: Sequence[Data]) -> Decision:
        """Return what the proofs under each choice of conditions show together."""
        if not self.sizes:
            names, weights = zip(*self.contradictions.items(), strict=True)
            raise ContradictionError(names, weights)
        constant = max((_above(problem, gap) for problem, gap in self.sizes), default=Fraction(1))
        calls = {
            name: {"name": call.name, "line": self.number(inner)}
            for name, (call, inner) in self.functions.items()
        }
        data = as_data(self.lines, self.trees, parts)
        data |= {"constant": str(constant), "calls": calls}
        if not check(data):
            raise ArithmeticError("a certificate failed its own check")
        return Decision(True, float(constant), None, data)

    def problem(self, first: Form, second: Form, held: Sequence[Leaf]) -> Problem:
        """Return two forms under what is held; its steps count with those of all others."""
        problem = Problem(first, second, held)
        problem.work = self.work
        self.work.spend(_STEPS * len(problem.lines))
        return problem

    # -- cases ------------------------------------------------------------------------------
    def calls(self, held: list[Leaf], known: list[Data], left: Sequence[str]) -> Data:
        """Close a case of which some lemmas are known, and the functions that are left."""
        self.cases += 1
        if self.cases > MOST_CASES:
            raise _OpenError
        problem = self.problem(_NONE, _NONE, held)
        if (weights := problem.contradiction()) is not None:
            for k, weight in weights.items():
                if problem.labels[k]:
                    self.contradictions.setdefault(problem.labels[k], weight)
            return {"lemmas": known, "contradiction": self.weights(problem, weights)}
        if not left:
            return self.compared(held, known)
        name, *rest = left
        held, known = list(held), list(known)
        line = self.about(held, known, name)
        return self.calls(held, known, rest) if line is None else self.split(line, held, known)

    def about(self, held: list[Leaf], known: list[Data], name: str) -> Leaf | None:
        """Add what is known of a function by itself; return a line to part cases by, if one is."""
        call, of = self.functions[name]
        log = call.name == "log"
        end = certificate.Q if log else Fraction(1)
        small = of.times(_number(1 / end))
        above, below = self.shown(held, small.each(lambda p: -p)), self.shown(held, small)
        if above is None and below is None:
            return small
        if log:
            self.lemma(held, known, {}, "log one", name)
            for power in _ROOTS if above is not None else ():
                self.lemma(held, known, above or {}, "log power", name, power=power)
        else:
            for power in _POWERS:
                self.lemma(held, known, {}, "exp above", name, power=power)
            if below is None and (most := self.most(held, of)):
                by = self.shown(held, of.times(_number(Fraction(1, most))))
                self.lemma(held, known, by or {}, "exp small", name, steps=most)
        if below is not None:
            self.lemma(held, known, below, "log below" if log else "exp small", name, steps=1)
        return None

    def split(self, line: Leaf, held: list[Leaf], known: list[Data]) -> Data:
        """Close both cases of a line that is at most 1 or at least."""
        sides = line, line.each(lambda p: -p)
        start = held[: len(held) - len(known)]  # lemmas are looked for again in each case
        left = list(self.functions)
        return {
            "split": [self.number(side) for side in sides],
            "cases": [self.calls([*start, side], [], left) for side in sides],
        }

    def compared(self, held: list[Leaf], known: list[Data]) -> Data:
        """Compare functions with each other, then both forms."""
        apart = [
            self.functions[name][1].over(self.functions[other][1])
            for name, other in itertools.combinations(self.functions, 2)
            if self.functions[name][0].name == self.functions[other][0].name
            and not any([self.related(held, known, *x) for x in ((name, other), (other, name))])
        ]
        problem = self.problem(self.first, self.second, held)
        up = problem.gap(problem.first, problem.second)
        down = problem.gap(problem.second, problem.first)
        if up.proof is None or down.proof is None:
            if not self.pairs or not apart:
                raise _OpenError
            return self.split(replace(apart[0], label=""), held, known)
        self.sizes += [(problem, up), (problem, down)]
        below, above = (self.renumbered(problem, gap.proof) for gap in (up, down))
        return {"lemmas": known, "below": below, "above": above}

    # -- lemmas -----------------------------------------------------------------------------
    def related(self, held: list[Leaf], known: list[Data], name: str, other: str) -> bool:
        """Add how one function is bounded by another; say whether it is."""
        (call, x), (_, y) = self.functions[name], self.functions[other]
        if call.name == "expm1":
            by = self.shown(held, x.over(y))
            if by is not None:
                self.lemma(held, known, by, "exp below", name, other)
            return by is not None
        power = self.least(held, x, y)
        if power is None:
            return False
        line = x.over(y.each(lambda p: p * power))
        found = self.sup(held, line)
        if found is None:
            return False
        problem, weights, bound = found
        log = exact.log(bound, problem.basis)
        steps = max(0, math.ceil(log / math.log(certificate.Q) - 1e-9))
        by = self.weights(problem, weights)
        self.lemma(held, known, by, "log below", name, other, power, steps)
        return True

    def lemma(
        self,
        held: list[Leaf],
        known: list[Data],
        by: dict[str, str],
        kind: str,
        name: str,
        other: str = "",
        power: Fraction | int = 0,
        steps: int = 0,
    ) -> None:
        """Add what a lemma says to what is held; ``by``: what shows its premise."""
        (own, x), *than = (
            (Leaf("", ((name, Fraction(1)),)), self.functions[name][1])
            for name in (name, other)
            if name
        )
        _, leaf = certificate.told(kind, own, x, than[0] if than else None, Fraction(power), steps)
        data = {"kind": kind, "of": name, "than": other, "power": str(power), "steps": steps}
        known.append({**data, "by": by, "line": self.number(leaf)})
        held.append(leaf)

    def shown(self, held: Sequence[Leaf], line: Leaf) -> dict[str, str] | None:
        """Return weights of what is held that show a line to be at most 1; None without any."""
        found = self.sup(held, line)
        if found is None or found[0].sign(found[2]) > 0:
            return None
        return self.weights(found[0], found[1])

    def sup(
        self, held: Sequence[Leaf], line: Leaf, *more: Leaf
    ) -> tuple[Problem, dict[int, Fraction], tuple[Fraction, ...]] | None:
        """Return weights that bound a line, and the bound; None if it has no bound."""
        letters = line.letters.union(*(leaf.letters for leaf in more))
        others = self.functions.keys() - letters  # what is known of these is no help
        held = [leaf for leaf in held if not leaf.letters & others]
        problem = self.problem(Form(tuple(letters), (line,), 0), _NONE, [*held, *more])
        found = problem.minimise([cast(int, problem.first)], [cast(int, problem.second)])
        return None if found is None else (problem, found[0][2], found[1])

    def least(self, held: Sequence[Leaf], x: Leaf, y: Leaf) -> Fraction | None:
        """Return the least power of y up to which x is bounded; None if there is none."""
        bare = [replace(leaf, factors=()) for leaf in held]
        price = Leaf("", y.powers, ((Fraction(1, 2), Fraction(1)),))
        found = self.sup(bare, replace(x, factors=()), price)
        if found is None:
            return None
        problem, weights, _ = found
        return sum((w for k, w in weights.items() if problem.lines[k].factors), Fraction(0))

    def most(self, held: Sequence[Leaf], line: Leaf) -> int:
        """Return a whole number that a line is at most, 0 if there is none up to 100."""
        found = self.sup(held, line)
        log = math.inf if found is None else exact.log(found[2], found[0].basis)
        return math.ceil(math.exp(log) - 1e-9) if log < math.log(100.0) else 0

    def weights(self, problem: Problem, weights: Mapping[int, Fraction]) -> dict[str, str]:
        """Return weights of a problem's lines by the numbers that lines have here."""
        return {str(self.number(problem.lines[k])): str(w) for k, w in weights.items()}

    def renumbered(self, problem: Problem, proof: Any) -> Data:
        """Return a proof of a problem with the numbers that lines have here."""
        if "split" in proof:
            return {**proof, "cases": [self.renumbered(problem, one) for one in proof["cases"]]}
        numbers = [self.number(line) for line in problem.lines]
        return {
            "weights": [
                {str(numbers[int(k)]): w for k, w in side.items()} for side in proof["weights"]
            ]
        }


def _number(base: Fraction) -> Leaf:
    return Leaf("", (), ((base, Fraction(1)),))


def _above(problem: Problem, gap: Gap) -> Fraction:
    """Return a number that a gap's factor is at most."""
    if gap.case is None or gap.size is None:
        return Fraction(1)
    log = exact.log(gap.size, problem.basis)
    if log > 500.0:
        return Fraction(2) ** math.ceil(log / math.log(2.0) + 1.0)
    near = Fraction(math.exp(log)).limit_denominator(1000)
    factors = [(Fraction(base), p) for base, p in zip(problem.basis, gap.size, strict=True)]
    if exact.sign_of([*factors, (near, Fraction(-1))]) <= 0:
        return near
    return Fraction(math.ceil(math.exp(log) * 1000.0 * (1.0 + 1e-9)), 1000)
