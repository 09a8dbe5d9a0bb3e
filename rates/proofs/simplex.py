r"""Small linear programs in whole numbers, with costs that are sums of logarithms.

.. math:: \min \sum_j c_j y_j \quad\text{with}\quad \sum_j m_j y_j = r,\; y \ge 0,
    \qquad c_j = \sum_k c_{jk} \log b_k.

Rows stay whole by dividing each pivot step by the last pivot, which is always exact. Nothing is
rounded, so there is no tolerance; Bland's rule takes over where the steepest column stalls, so
it ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rates.proofs import exact


@dataclass(frozen=True, slots=True)
class Least:
    """A smallest value: the multipliers of the columns in use, and their cost."""

    y: dict[int, Fraction]
    cost: tuple[Fraction, ...]


class Tableau:
    """A basis and all rows in it, over one common denominator.

    Args:
        columns: Whole entries, first of the rows, then of the costs.
        right: Right-hand sides, at least 0.
        spend: Told how many entries each step computes.
    """

    def __init__(
        self, columns: Sequence[Sequence[int]], right: Sequence[int], spend: Callable[[int], None]
    ) -> None:
        self.spend = spend
        self.height, self.width = len(right), len(columns)
        table = [list(row) for row in zip(*columns, strict=True)]
        self.rows = table[: self.height]
        self.costs = table[self.height :]
        for row, value in zip(self.rows, right, strict=True):
            row.append(value)
        for row in self.costs:
            row.append(0)
        self.basis = [-1] * self.height  # -1: an artificial column, which never comes back
        self.denominator = 1
        self.pivots = 0
        self.patience = 2 * (self.height + self.width)

    def pivot(self, place: int, column: int) -> None:
        """Bring a column into the basis at a row, in all rows and costs."""
        row = self.rows[place]
        if row[column] < 0:  # an artificial column at 0 leaves
            row = self.rows[place] = [-x for x in row]
        p, last = row[column], self.denominator
        for table in (self.rows, self.costs):
            for k, other in enumerate(table):
                if other is row:
                    continue
                f = other[column]
                if f:
                    table[k] = [(p * a - f * b) // last for a, b in zip(other, row, strict=True)]
                elif p != last:
                    table[k] = [p * a // last for a in other]
        self.denominator = p
        self.basis[place] = column
        self.pivots += 1
        self.spend(self.width * (self.height + len(self.costs)))

    def leaving(self, column: int) -> int | None:
        """Return the row whose basic column reaches 0 first as a column grows."""
        best: tuple[int, int, int, int] | None = None  # right, entry, basic column, row
        for k, row in enumerate(self.rows):
            entry, right = row[column], row[-1]
            if entry <= 0:
                continue
            if best is not None:
                gap = right * best[1] - best[0] * entry
                if gap > 0 or (gap == 0 and self.basis[k] > best[2]):
                    continue
            best = right, entry, self.basis[k], k
        return None if best is None else best[3]

    def descend(self, gain: Callable[[int], float]) -> bool:
        """Bring in columns while one gains; say whether none could grow without end."""
        while gains := {j: size for j in range(self.width) if (size := gain(j)) > 0}:
            # The largest gain, but the first one once patience has run out.
            late = self.pivots > self.patience
            column = min(gains) if late else max(gains, key=gains.__getitem__)
            place = self.leaving(column)
            if place is None:
                return False
            self.pivot(place, column)
        return True

    def feasible(self) -> bool:
        """Drive the artificial columns out; say whether that succeeds."""

        def artificial() -> list[int]:
            return [k for k in range(self.height) if self.basis[k] < 0]

        self.descend(lambda j: sum(self.rows[k][j] for k in artificial()))
        if any(self.rows[k][-1] for k in artificial()):
            return False
        for k in reversed(artificial()):
            entries = [j for j in range(self.width) if self.rows[k][j]]
            if entries:
                self.pivot(k, entries[0])
            else:
                del self.rows[k], self.basis[k]
                self.height -= 1
        return True


def least(
    columns: Sequence[Sequence[int]],
    right: Sequence[int],
    basis: Sequence[int],
    spend: Callable[[int], None],
) -> Least | None:
    """Return a smallest solution, None if there is no solution.

    Costs are bounded below wherever this is used.

    Args:
        columns: Of each variable its whole entries, first of the rows, then of the costs.
        right: Right-hand sides, at least 0.
        basis: The coprime numbers whose logs the costs count.
        spend: Told how many entries each step computes.

    Examples:
        >>> found = least([(1, 3), (1, 2)], [4], (2,), lambda entries: None)
        >>> {column: str(value) for column, value in found.y.items()}, str(found.cost[0])
        ({1: '4'}, '8')
    """
    if not columns:
        return None
    table = Tableau(columns, right, spend)
    if not table.feasible():
        return None
    logs = [math.log(base) for base in basis]

    def gain(j: int) -> float:
        return _gain([row[j] for row in table.costs], table.denominator, basis, logs)

    if table.costs and not table.descend(gain):
        return None
    d = table.denominator
    y = {j: Fraction(row[-1], d) for j, row in zip(table.basis, table.rows, strict=True) if row[-1]}
    return Least(y, tuple(Fraction(-row[-1], d) for row in table.costs))


def _gain(
    cost: Sequence[int], denominator: int, basis: Sequence[int], logs: Sequence[float]
) -> float:
    """Return minus a cost as a float whose sign is exact."""
    parts = [x / denominator * log for x, log in zip(cost, logs, strict=True)]
    total, width = math.fsum(parts), 1e-12 * sum(map(abs, parts))
    if abs(total) > width:
        return -total
    return -exact.sign(cost, basis) * max(width, 1e-300)
