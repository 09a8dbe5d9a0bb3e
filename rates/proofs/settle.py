"""Two minima and maxima of lines under conditions: equal, equal up to a constant, or not."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from rates.numbers import DomainError
from rates.pieces import Form, Leaf
from rates.proofs import exact, witness
from rates.proofs.certificate import Data, check
from rates.proofs.search import Case, Gap, Problem


@dataclass(frozen=True, slots=True)
class Decision:
    """What holds between two forms for all sizes that meet the conditions.

    Attributes:
        holds: Whether they are equal there; None where that was not decided.
        constant: The least C with their ratio in [1/C, C] there; ``inf`` if there is none, the
            largest float if it is beyond all floats.
        counterexample: Small sizes that meet the conditions and where they differ, checked
            exactly: whole powers of two, or other fractions. None if they are equal, and where
            no such sizes were found.
        certificate: What `check` takes: weights of lines that show it; None unless equal.
        place: Of several choices of conditions, the one that the counterexample meets.
    """

    holds: bool | None
    constant: float
    counterexample: dict[str, Fraction] | None
    certificate: Data | None
    place: int = 0


class ContradictionError(DomainError):
    """Conditions that no sizes meet.

    Attributes:
        conditions: Labels of a set of them that no sizes meet; where there is one choice of
            conditions, some do without any one.
        weights: Their weights: the powers cancel, and a number above 1 would be at most 1.
    """

    def __init__(self, conditions: tuple[str, ...], weights: tuple[Fraction, ...]) -> None:
        self.conditions, self.weights = conditions, weights
        super().__init__(
            "Conditions must be met by some sizes; no sizes meet these together.",
            "where",
            " and ".join(dict.fromkeys(conditions)),
        )


def decide(
    first: Form, second: Form, where: Sequence[Leaf] = (), *, sizes: bool = True
) -> Decision:
    r"""Decide whether two forms are equal wherever conditions hold.

    .. math:: F(x) = E(x) \text{ for all } x \text{ with } h_k(x) \le 0

    Args:
        first: One form.
        second: The other.
        where: Lines that are at most 0 in logs: products of powers that are at most 1.
        sizes: Whether to look for a counterexample.

    Raises:
        ContradictionError: No sizes meet the conditions.
        DomainError: It takes too many linear programs.

    Examples:
        >>> n, one = Leaf("n", (("n", Fraction(1)),)), Leaf("1")
        >>> largest = Form(("n",), (n, one), ("max", (0, 1)))
        >>> above = Leaf("n >= 2", (("n", Fraction(-1)),), ((Fraction(2), Fraction(1)),))
        >>> decide(largest, Form(("n",), (n,), 0), [above]).holds
        True
        >>> found = decide(largest, Form(("n",), (n,), 0))
        >>> found.constant, {x: str(size) for x, size in found.counterexample.items()}
        (inf, {'n': '1/2'})
    """
    return decide_each(first, second, [where], sizes=sizes)


def decide_each(
    first: Form, second: Form, choices: Sequence[Sequence[Leaf]], *, sizes: bool = True
) -> Decision:
    """Decide as `decide` does where the conditions of at least one of several choices hold.

    Raises:
        ContradictionError: No sizes meet the conditions of any choice.
        DomainError: It takes too many linear programs.

    Examples:
        >>> n, one = Leaf("n", (("n", Fraction(1)),)), Leaf("1")
        >>> largest = Form(("n",), (n, one), ("max", (0, 1)))
        >>> above, below = Leaf("n >= 1", (("n", Fraction(-1)),)), Leaf("n <= 1", n.powers)
        >>> found = decide_each(largest, Form(("n",), (n,), 0), [[above], [below]])
        >>> found.holds, found.place, str(found.counterexample["n"])
        (False, 1, '1/2')
    """
    problem = Problem(first, second, [leaf for lines in choices for leaf in lines])
    forms = (problem.first, problem.second)
    parts: list[Data] = []
    gaps: list[tuple[float, int, Case]] = []
    empty: dict[int, tuple[str, Fraction]] = {}
    for place, lines in enumerate(choices):
        problem.assume(lines)
        if (weights := problem.contradiction()) is not None:
            empty |= {k: (problem.labels[k], weights[k]) for k in problem.where if k in weights}
            shown = {str(k): str(weight) for k, weight in weights.items()}
            parts.append({"where": list(problem.where), "empty": shown})
            continue
        up, down = problem.gap(*forms), problem.gap(*forms[::-1])
        gaps += ((factor(problem, g), place, g.case) for g in (up, down) if g.case is not None)
        parts.append({"where": list(problem.where), "below": up.proof, "above": down.proof})
    if all("empty" in part for part in parts):
        raise ContradictionError(*zip(*empty.values(), strict=True))
    if not gaps:
        data = as_data(problem.lines, forms, parts)
        data |= {"let": problem.lets} if problem.lets else {}
        if not check(data):
            raise ArithmeticError("a certificate failed its own check")
        return Decision(True, 1.0, None, data)
    gaps.sort(key=lambda gap: -gap[0])
    constant, worst, _ = gaps[0]
    for size, place, case in gaps if sizes else ():
        problem.assume(choices[place])
        found = witness.counterexample(problem, case, math.log(size))
        if found is not None:
            letters = dict.fromkeys((*first.letters, *second.letters, *found))
            found = {x: found.get(x, Fraction(1)) for x in letters}
            return Decision(False, constant, found, None, place)
    return Decision(False, constant, None, None, worst)


def border(where: Sequence[Leaf], strict: Sequence[Leaf]) -> Leaf | None:
    """Return a line that is nowhere less than 1 where conditions hold, None if each one is.

    Then all are less at once somewhere: in logs, amid the places where each is. Lines with
    logarithms or exponentials are left out.
    """
    held = [leaf for leaf in where if not leaf.calls]
    for line in strict:
        over = Form(tuple(line.letters), (line.each(operator.neg),), 0)
        problem = Problem(over, Form((), (Leaf(),), 0), held)
        found = problem.minimise([cast(int, problem.first)], [cast(int, problem.second)])
        if found is not None and not line.calls and problem.sign(found[1]) <= 0:
            return line
    return None


def as_data(
    lines: Sequence[Leaf],
    forms: tuple[Any, Any],
    parts: Sequence[Data],
    text: Callable[[Any], str] = str,
) -> Data:
    """Return a certificate as plain data, as `check` takes it.

    Args:
        lines: The lines.
        forms: The first and the second tree over the lines' numbers.
        parts: For each way to meet the conditions the numbers of its lines, and the cases that
            show the first nowhere above the second and the other way round, or that it is empty.
        text: How a power is written.
    """
    return {
        "lines": [
            {
                "label": line.label,
                "powers": {letter: text(power) for letter, power in line.powers},
                "factors": [[str(base), text(power)] for base, power in line.factors],
            }
            for line in lines
        ],
        "first": forms[0],
        "second": forms[1],
        **(parts[0] if len(parts) == 1 else {"choices": list(parts)}),
    }


def parting(first: Form, second: Form, where: Sequence[Leaf]) -> dict[str, float] | None:
    """Return the logs of sizes amid those where two forms differ, None if there are none.

    The place is a general one, on no line that only happens to be there.
    """
    problem = Problem(first, second, where)
    if problem.contradiction() is not None:
        return None
    for above, below in ((problem.first, problem.second), (problem.second, problem.first)):
        gap = problem.gap(above, below)
        if gap.case is not None:
            found = witness.amid(problem, gap.case, math.log(factor(problem, gap)))
            logs = dict(zip(problem.letters, found.tolist(), strict=True))
            free = np.random.default_rng(1).uniform(-10.0, 10.0, len(first.letters))
            return {**dict(zip(first.letters, free.tolist(), strict=True)), **logs}
    return None


def factor(problem: Problem, gap: Gap) -> float:
    """Return the factor of a gap as a float; one beyond floats as the largest of them."""
    if gap.size is None:
        return math.inf
    pairs = list(zip(problem.basis, gap.size, strict=True))
    log = exact.log([power for _, power in pairs], problem.basis)
    if any(abs(float(power)) * math.log(base) > 300.0 for base, power in pairs):
        return math.exp(log) if log < 709.0 else sys.float_info.max
    return math.prod([float(base) ** float(power) for base, power in pairs], start=1.0)
