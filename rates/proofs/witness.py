"""Small sizes at which two trees of lines differ: looked for in floats, checked exactly."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from rates.numbers import DomainError, Words
from rates.pieces import Leaf
from rates.proofs import exact
from rates.proofs.search import Problem

Array = NDArray[np.float64]
Case = tuple[frozenset[int], frozenset[int]]
Sizes = dict[str, Fraction]

_STEPS = 40
_WIDE = (100.0, 3000.0)  # of logs to base 2, where a place amid others is looked for
_FAR = 1000  # powers of two beyond this are not looked for
_NODES = 50  # of the search for whole powers
_CLEAR = 0.1  # a difference that one sees, in logs to base 2
_ROUNDED: tuple[tuple[str, int], ...] = (  # significant digits, or the largest denominator
    *(("digits", 1), ("parts", 1), ("digits", 2), ("parts", 10), ("digits", 3), ("parts", 100)),
    *(("digits", 5), ("parts", 10**4), ("digits", 8), ("parts", 10**8)),
    *(("digits", 12), ("parts", 10**12)),
)
_LOG2 = math.log(2.0)


def difference(problem: Problem, sizes: Mapping[str, Fraction]) -> int | None:
    """Return the sign of first over second at sizes, exactly; None where a condition fails."""
    value = _Exact(problem, sizes)
    if any(value.compare(line, None) > 0 for line in problem.where):
        return None
    return value.compare(value.decides(problem.first), value.decides(problem.second))


class _Exact:
    def __init__(self, problem: Problem, sizes: Mapping[str, Fraction]) -> None:
        self.lines, self.sizes = problem.lines, sizes

    def compare(self, first: int, second: int | None) -> int:
        """Return the sign of one line over another, or over 1."""
        factors = self.factors(self.lines[first], 1)
        if second is not None:
            factors += self.factors(self.lines[second], -1)
        basis = exact.bases(factors)
        return exact.sign(exact.written(factors, basis), basis)

    def factors(self, leaf: Leaf, flip: int) -> list[tuple[Fraction, Fraction]]:
        sizes = [(self.sizes[letter], flip * power) for letter, power in leaf.powers]
        return sizes + [(base, flip * power) for base, power in leaf.factors]

    def decides(self, tree: Any) -> int:
        if isinstance(tree, int):
            return tree
        kind, branches = tree
        wanted = -1 if kind == "min" else 1
        best, *others = (self.decides(branch) for branch in branches)
        for other in others:
            if self.compare(other, best) == wanted:
                best = other
        return best


def counterexample(problem: Problem, case: Case, gap: float) -> Sizes | None:
    """Return small sizes at which the forms differ, whole powers of two if there are such.

    Args:
        problem: Both forms and the conditions.
        case: Lines above and below the gap.
        gap: The log of its largest size; ``inf`` if it has no end.
    """
    for logs in _whole(problem, case, gap):
        sizes = {x: Fraction(2) ** int(k) for x, k in zip(problem.letters, logs, strict=True)}
        if difference(problem, sizes):
            return sizes
    found = place(problem, case, gap)
    for way, limit in _ROUNDED if found is not None else ():
        pairs = zip(problem.letters, found if found is not None else (), strict=True)
        sizes = {letter: _rounded(log, way, limit) for letter, log in pairs}
        if difference(problem, sizes):
            return sizes
    return None


def _rounded(log: float, way: str, limit: int) -> Fraction:
    """Return a simple fraction near a size."""
    size = math.exp(min(max(log, -700.0), 700.0))
    if way == "digits":
        return Fraction(f"{size:.{limit}g}")
    if log < 0:
        return 1 / (1 / Fraction(size)).limit_denominator(limit)
    return Fraction(size).limit_denominator(limit)


def _rows(problem: Problem, lines: Sequence[int]) -> tuple[Array, Array]:
    """Return powers and constants of lines, in logs to base 2."""
    leaves = [dict(problem.lines[k].powers) for k in lines]
    powers = [[float(row.get(letter, 0)) for letter in problem.letters] for row in leaves]
    constants = [problem.lines[k].log_constant / _LOG2 for k in lines]
    return np.array(powers).reshape(len(lines), len(problem.letters)), np.array(constants)


def _region(problem: Problem, case: Case) -> tuple[Array, Array, int]:
    """Return the rows of a case: unknowns are the logs, the upper and the lower value.

    The last number says how many rows are conditions; they come last.
    """
    above, below = (sorted(lines) for lines in case)
    up, at_up = _rows(problem, above)
    down, at_down = _rows(problem, below)
    held, at_held = _rows(problem, problem.where)
    table = np.vstack(
        [
            np.hstack([-up, np.ones((len(up), 1)), np.zeros((len(up), 1))]),
            np.hstack([down, np.zeros((len(down), 1)), -np.ones((len(down), 1))]),
            np.hstack([held, np.zeros((len(held), 2))]),
        ]
    )
    return table, np.concatenate([at_up, -at_down, -at_held]), len(held)


def _whole(problem: Problem, case: Case, gap: float) -> Iterator[Array]:
    """Look for whole powers of two with the least sum of their sizes."""
    table, right, _ = _region(problem, case)
    count = len(problem.letters)
    signed = np.hstack([table[:, :count], -table[:, :count], table[:, count:]])
    apart = np.concatenate([np.zeros(2 * count), [1.0, -1.0]])
    least = [0.0] * (2 * count) + [-np.inf] * 2
    most = [float(_FAR)] * (2 * count) + [np.inf] * 2
    for margin in (min(gap / 2.0 / _LOG2, _CLEAR), min(gap / 2.0 / _LOG2, 1e-4)):
        found = milp(
            np.concatenate([np.ones(2 * count), np.zeros(2)]),
            constraints=[
                LinearConstraint(signed, -np.inf, right),
                LinearConstraint(apart, margin, np.inf),
            ],
            bounds=Bounds(least, most),
            integrality=np.concatenate([np.ones(2 * count), np.zeros(2)]),
            options={"node_limit": _NODES},
        )
        if found.x is not None:
            yield np.rint(found.x[:count]) - np.rint(found.x[count : 2 * count])


def place(problem: Problem, case: Case, gap: float) -> Array | None:
    """Return natural logs of sizes inside the conditions, as far as these leave room, with a gap.

    Half the largest gap is kept, or a factor of two, and the sum of the logs is the least.
    """
    table, right, held = _region(problem, case)
    count = len(problem.letters)
    room = np.vstack([np.zeros((len(table) - held, held)), np.eye(held)])
    margin = min(gap / 2.0 / _LOG2, 1.0)
    apart = np.concatenate([np.zeros(count), [-1.0, 1.0]])
    first = linprog(  # over logs, the upper and the lower value, and the room at each condition
        np.concatenate([np.zeros(count + 2), -np.ones(held)]),
        A_ub=np.vstack([np.hstack([table, room]), np.concatenate([apart, np.zeros(held)])]),
        b_ub=np.concatenate([right, [-margin]]),
        bounds=[(-_FAR, _FAR)] * count + [(None, None)] * 2 + [(0.0, 1.0)] * held,
        method="highs",
    )
    if first.x is None:
        return None
    kept = room @ (0.5 * first.x[count + 2 :])
    size = np.eye(count)
    wide = np.vstack(
        [
            np.hstack([table, np.zeros((len(table), count))]),
            np.hstack([np.zeros((1, count)), [[-1.0, 1.0]], np.zeros((1, count))]),
            np.hstack([size, np.zeros((count, 2)), -size]),
            np.hstack([-size, np.zeros((count, 2)), -size]),
        ]
    )
    second = linprog(
        np.concatenate([np.zeros(count + 2), np.ones(count)]),
        A_ub=wide,
        b_ub=np.concatenate([right - kept, [-margin], np.zeros(2 * count)]),
        bounds=[(None, None)] * (count + 2) + [(0.0, None)] * count,
        method="highs",
    )
    found = first.x if second.x is None else second.x
    return np.asarray(found[:count] * _LOG2)


def amid(problem: Problem, case: Case, gap: float) -> Array:
    """Return logs of sizes amid those of a case, some steps at random from their middle.

    Raises:
        DomainError: Rounding hides them.
    """
    table, right, _ = _region(problem, case)
    count = len(problem.letters)
    rng = np.random.default_rng(0)
    box = np.hstack([np.eye(count), np.zeros((count, 2))])
    rows = np.vstack([table, np.concatenate([np.zeros(count), [-1.0, 1.0]]), box, -box])
    width = np.linalg.norm(rows, axis=1)[:, None]
    for clear, wide in itertools.product((_CLEAR, 1e-6), _WIDE):
        margin = min(gap / 2.0 / _LOG2, clear)
        ends = np.concatenate([right, [-margin], np.full(2 * count, wide)])
        found = linprog(  # the middle of the widest ball inside
            np.concatenate([np.zeros(count + 2), [-1.0]]),
            A_ub=np.hstack([rows, width]),
            b_ub=ends,
            bounds=[(None, None)] * (count + 2) + [(0.0, 1.0)],
            method="highs",
        )
        if found.x is not None:
            at = found.x[:-1]
            for _ in range(_STEPS):
                at = _step(at, rows, ends, rng)
            return np.asarray(at[:count] * _LOG2)
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
