"""Two minima and maxima of lines under conditions: equal, equal up to a constant, or not.

Small sizes at which they differ are looked for in floats and checked exactly.
"""

from __future__ import annotations

import itertools
import math
import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from rates.numbers import DomainError, Words
from rates.pieces import Form, Leaf
from rates.proofs import exact
from rates.proofs.certificate import Data, check
from rates.proofs.rays import Ray
from rates.proofs.search import Case, Gap, Problem

Array = NDArray[np.float64]
Sizes = dict[str, Fraction]
_STEPS = 40
_NEAR = (4.0, 16.0, 64.0, 256.0, 1000.0)  # of logs to base 2, where small sizes are looked for
_WIDE = (100.0, 3000.0)  # where a place amid others is
_FAR = 1000  # powers of two beyond this are not looked for
_NODES = 50  # of the search for whole powers
_CLEAR = 0.1  # a difference that one sees, in logs to base 2
_PARTS = (1, 10, 100, 10**4, 10**8, 10**12)  # largest denominators, of a size or of one over it
_LOG2 = math.log(2.0)


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
        ray: With logarithms or exponentials, sizes along which both drift apart.
        why: Why it was not decided, empty if it was; its constant is nan then.
        sum_factor: What sums and balances may add to the constant of a claim, as a factor; what is
            a factor of both sides adds nothing.
        choice: Of several ways to meet conditions, the one that the counterexample meets.
        logs: Whether logarithms were compared; False: up to logarithms; None: there are none.
    """

    holds: bool | None
    constant: float
    counterexample: dict[str, Fraction] | None
    certificate: Data | None
    place: int = 0
    ray: Ray | None = None
    why: str = ""
    sum_factor: float = 1.0
    choice: str = ""
    logs: bool | None = None


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


def decide(first: Form, second: Form, *choices: Sequence[Leaf], sizes: bool = True) -> Decision:
    r"""Decide whether two forms are equal wherever the conditions of at least one choice hold.

    .. math:: F(x) = E(x) \text{ for all } x \text{ with } h_k(x) \le 0

    Args:
        first: One form.
        second: The other.
        choices: Of each the lines that are at most 0 in logs: products that are at most 1.
        sizes: Whether to look for a counterexample.

    Raises:
        ContradictionError: No sizes meet the conditions of any choice.
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
        >>> decide(largest, Form(("n",), (n,), 0), [above], [Leaf("n <= 1", n.powers)]).place
        1
    """
    choices = choices or ((),)
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
        if not check(data):
            raise ArithmeticError("a certificate failed its own check")
        return Decision(True, 1.0, None, data)
    # The widest gap has the most room for small sizes.
    gaps.sort(key=lambda gap: -gap[0])
    constant, worst, _ = gaps[0]
    for size, place, case in gaps if sizes else ():
        problem.assume(choices[place])
        found = counterexample(problem, case, math.log(size))
        if found is not None:
            letters = dict.fromkeys((*first.letters, *second.letters, *found))
            found = {x: found.get(x, Fraction(1)) for x in letters}
            return Decision(False, constant, found, None, place)
    return Decision(False, constant, None, None, worst)


def has_inside(where: Sequence[Leaf], strict: Sequence[Leaf]) -> bool:
    """Whether each of some lines is less than 1 somewhere where conditions hold.

    Then all are less at once somewhere: in logs, amid the places where each is. Lines with
    logarithms or exponentials are left out.
    """
    held = [leaf for leaf in where if not leaf.calls]
    for line in (leaf for leaf in strict if not leaf.calls):
        over = Form(tuple(line.letters), (line.each(operator.neg),), 0)
        problem = Problem(over, Form((), (Leaf(),), 0), held)
        found = problem.minimise([cast(int, problem.first)], [cast(int, problem.second)])
        if found is not None and problem.sign(found[1]) <= 0:
            return False
    return True


def as_data(
    lines: Sequence[Leaf],
    forms: Sequence[Any],
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
            found = amid(problem, gap.case, math.log(factor(problem, gap)))
            logs = dict(zip(problem.letters, found.tolist(), strict=True))
            # Letters that matter nowhere get a general value, for the tables.
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


# Sizes at which they differ -----------------------------------------------------------------------


def difference(problem: Problem, sizes: Mapping[str, Fraction]) -> int | None:
    """Return the sign of first over second at sizes, exactly; None where a condition fails."""

    def sign(line: Leaf) -> int:
        return exact.sign_of([*((sizes[x], p) for x, p in line.powers), *line.factors])

    def decides(tree: Any) -> Leaf:
        if isinstance(tree, int):
            return problem.lines[tree]
        kind, branches = tree
        wanted = -1 if kind == "min" else 1
        best, *others = map(decides, branches)
        for other in others:
            if sign(other.over(best)) == wanted:
                best = other
        return best

    if any(sign(problem.lines[k]) > 0 for k in problem.where):
        return None
    return sign(decides(problem.first).over(decides(problem.second)))


def counterexample(problem: Problem, case: Case, gap: float) -> Sizes | None:
    """Return small sizes at which the forms differ, whole powers of two if there are such.

    Args:
        problem: Both forms and the conditions.
        case: Lines above and below the gap.
        gap: The log of its largest size; ``inf`` if it has no end.
    """
    for logs in _whole(problem, case, gap):
        pairs = zip(problem.letters, logs, strict=True)
        sizes = {x: Fraction(2) ** round(k) for x, k in pairs}
        # Floats only propose; what is returned was checked exactly.
        if difference(problem, sizes):
            return sizes
    for wide in _NEAR:
        found, *_ = _middle(problem, case, gap, 1.0, wide)
        if found is not None:
            break
    else:
        return None
    near = (found * _LOG2).tolist()
    for parts in _PARTS:
        pairs = zip(problem.letters, near, strict=False)
        sizes = {x: _rounded(log, parts) for x, log in pairs}
        if difference(problem, sizes):
            return sizes
    return None


def _rounded(log: float, parts: int) -> Fraction:
    """Return a simple fraction near a size."""
    size = Fraction(math.exp(min(abs(log), 700.0))).limit_denominator(parts)
    return size if log > 0 else 1 / size


def _rows(problem: Problem, lines: Sequence[int]) -> tuple[Array, Array]:
    """Return powers and constants of lines, in logs to base 2."""
    form = Form(problem.letters, tuple(problem.lines[k] for k in lines), 0)
    return form.powers, form.constants / _LOG2


def _region(problem: Problem, case: Case) -> tuple[Array, Array]:
    """Return the rows of a case: unknowns are the logs, the upper and the lower value."""
    (up, at_up), (down, at_down), (held, at_held) = (
        _rows(problem, lines) for lines in (*map(sorted, case), problem.where)
    )
    table = np.vstack(
        [
            np.hstack([-up, np.tile([1.0, 0.0], (len(up), 1))]),
            np.hstack([down, np.tile([0.0, -1.0], (len(down), 1))]),
            np.hstack([held, np.zeros((len(held), 2))]),
        ]
    )
    return table, np.concatenate([at_up, -at_down, -at_held])


def _whole(problem: Problem, case: Case, gap: float) -> Iterator[Array]:
    """Look for whole powers of two with the least sum of their sizes."""
    table, right = _region(problem, case)
    count = len(problem.letters)
    signed = np.hstack([table[:, :count], -table[:, :count], table[:, count:]])
    apart = np.concatenate([np.zeros(2 * count), [1.0, -1.0]])
    whole = np.array([1.0] * (2 * count) + [0.0, 0.0])
    ends = Bounds(np.where(whole > 0, 0.0, -np.inf), np.where(whole > 0, _FAR, np.inf))
    for margin in (min(gap / 2.0 / _LOG2, _CLEAR), min(gap / 2.0 / _LOG2, 1e-4)):
        found = milp(
            whole,
            constraints=[
                LinearConstraint(signed, -np.inf, right),
                LinearConstraint(apart, margin, np.inf),
            ],
            bounds=ends,
            integrality=whole,
            options={"node_limit": _NODES},
        )
        if found.x is not None:
            yield np.rint(found.x[:count] - found.x[count : 2 * count])


def _middle(
    problem: Problem, case: Case, gap: float, clear: float, wide: float
) -> tuple[Array | None, Array, Array]:
    """Return the middle of a widest ball amid a case's logs to base 2, and their rows and ends.

    Args:
        problem: Both forms and the conditions.
        case: Lines above and below the gap.
        gap: The log of its largest size.
        clear: How far apart both values are, if half the gap is not less.
        wide: How large a log may be.
    """
    table, right = _region(problem, case)
    count = len(problem.letters)
    box = np.hstack([np.eye(count), np.zeros((count, 2))])
    rows = np.vstack([table, np.concatenate([np.zeros(count), [-1.0, 1.0]]), box, -box])
    margin = min(gap / 2.0 / _LOG2, clear)
    ends = np.concatenate([right, [-margin], np.full(2 * count, wide)])
    found = linprog(
        np.concatenate([np.zeros(count + 2), [-1.0]]),
        A_ub=np.hstack([rows, np.linalg.norm(rows, axis=1)[:, None]]),
        b_ub=ends,
        bounds=[(None, None)] * (count + 2) + [(0.0, 1.0)],
        method="highs",
    )
    return None if found.x is None else found.x[:-1], rows, ends


def amid(problem: Problem, case: Case, gap: float) -> Array:
    """Return logs of sizes amid those of a case, some steps at random from their middle.

    Raises:
        DomainError: Rounding hides them.
    """
    rng = np.random.default_rng(0)
    for clear, wide in itertools.product((_CLEAR, 1e-6), _WIDE):
        at, rows, ends = _middle(problem, case, gap, clear, wide)
        if at is not None:
            for _ in range(_STEPS):
                at = _step(at, rows, ends, rng)
            return np.asarray(at[: len(problem.letters)] * _LOG2)
    rule = "Sizes must be apart by more than rounding for a table; conditions leave too little."
    raise DomainError(rule, "where", Words("too narrow a range"))


def _step(at: Array, rows: Array, ends: Array, rng: np.random.Generator) -> Array:
    """Go along a random line to somewhere between the ends of what is allowed."""
    way = rng.normal(size=len(at))
    speed, room = rows @ way, ends - rows @ at
    with np.errstate(divide="ignore", invalid="ignore"):
        times = room / speed
    forth = min(times[speed > 1e-12].min(initial=np.inf), 1e3)
    back = max(times[speed < -1e-12].max(initial=-np.inf), -1e3)
    return at + way * (back + rng.uniform(0.2, 0.8) * (forth - back)) if forth > back else at
