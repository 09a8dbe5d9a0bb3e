"""Two minima and maxima of lines under conditions: equal, equal up to a constant, or not."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rates.numbers import DomainError
from rates.pieces import Form, Leaf
from rates.proofs import exact, witness
from rates.proofs.certificate import Data, check
from rates.proofs.search import Gap, Problem


@dataclass(frozen=True, slots=True)
class Decision:
    """What holds between two forms for all sizes that meet the conditions.

    Attributes:
        holds: Whether they are equal there.
        constant: The least C with their ratio in [1/C, C] there; ``inf`` if there is none, the
            largest float if it is beyond all floats.
        counterexample: Small sizes that meet the conditions and where they differ, checked
            exactly: whole powers of two, or other fractions. None if they are equal, and where
            no such sizes were found.
        certificate: What `check` takes: weights of lines that show it; None unless equal.
    """

    holds: bool
    constant: float
    counterexample: dict[str, Fraction] | None
    certificate: Data | None


class ContradictionError(DomainError):
    """Conditions that no sizes meet.

    Attributes:
        conditions: Labels of a set of them that no sizes meet, though they do without any one.
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
    problem = Problem(first, second, where)
    if (weights := problem.contradiction()) is not None:
        order = [k for k in problem.where if k in weights]
        names, sizes_ = zip(*((problem.labels[k], weights[k]) for k in order), strict=True)
        raise ContradictionError(names, sizes_)
    up = problem.gap(problem.first, problem.second)
    down = problem.gap(problem.second, problem.first)
    if up.case is None and down.case is None:
        forms = (problem.first, problem.second)
        data = as_data(problem.lines, forms, problem.where, (up.proof, down.proof))
        if not check(data):
            raise ArithmeticError("a certificate failed its own check")
        return Decision(True, 1.0, None, data)
    gaps = sorted(
        ((factor(problem, gap), gap.case) for gap in (up, down) if gap.case is not None),
        key=lambda pair: -pair[0],
    )
    tried = (witness.counterexample(problem, case, math.log(size)) for size, case in gaps)
    found = next((at for at in tried if at is not None), None) if sizes else None
    if found is not None:
        letters = dict.fromkeys((*first.letters, *second.letters, *found))
        found = {x: found.get(x, Fraction(1)) for x in letters}
    return Decision(False, gaps[0][0], found, None)


def as_data(
    lines: Sequence[Leaf],
    forms: tuple[Any, Any],
    where: Sequence[int],
    proofs: tuple[Data | None, Data | None],
    text: Callable[[Any], str] = str,
) -> Data:
    """Return a certificate as plain data, as `check` takes it.

    Args:
        lines: The lines.
        forms: The first and the second tree over the lines' numbers.
        where: Numbers of lines that are at most 1.
        proofs: The cases that show the first nowhere above the second, and the other way round.
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
        "where": list(where),
        "below": proofs[0],
        "above": proofs[1],
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
