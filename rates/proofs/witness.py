"""Small sizes at which two trees of lines differ: looked for in floats, checked exactly."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from rates.numbers import DomainError, Words
from rates.pieces import Form, Leaf
from rates.proofs import exact
from rates.proofs.search import Case, Problem

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


def difference(problem: Problem, sizes: Mapping[str, Fraction]) -> int | None:
    """Return the sign of first over second at sizes, exactly; None where a condition fails."""
    new = {let["letter"]: let["tree"] for let in problem.lets}

    def sign(line: Leaf) -> int:
        return exact.sign_of([*((sizes[x], p) for x, p in line.powers), *line.factors])

    def decides(tree: Any) -> Leaf:
        if isinstance(tree, int):
            line = problem.lines[tree]
            for x, power in line.powers:
                if x in new:
                    line = line.without(x).times(decides(new[x]).each(partial(mul, power)))
            return line
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
    new = {let["letter"] for let in problem.lets}
    for logs in _whole(problem, case, gap):
        pairs = zip(problem.letters, logs, strict=True)
        sizes = {x: Fraction(2) ** round(k) for x, k in pairs if x not in new}
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
        sizes = {x: _rounded(log, parts) for x, log in pairs if x not in new}
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
    above, below, facts = map(sorted, case)
    (up, at_up), (down, at_down), (held, at_held) = (
        _rows(problem, lines) for lines in (above, below, (*problem.where, *facts))
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
    new = {let["letter"] for let in problem.lets}
    own = [float(x not in new) for x in problem.letters]
    whole = np.array([*own, *own, 0.0, 0.0])
    signs = np.arange(len(whole)) < 2 * count
    ends = Bounds(np.where(signs, 0.0, -np.inf), np.where(whole > 0, _FAR, np.inf))
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
