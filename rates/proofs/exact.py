r"""Signs of sums of logarithms, and linear programs with such costs, in whole numbers alone.

A sum of c_k log b_k over pairwise coprime whole numbers b_k > 1 is zero only if every c_k is:
otherwise a common multiple of the denominators would make two different products of coprime
numbers equal. So its sign is found by enough digits. The programs are

.. math:: \min \sum_j c_j y_j \quad\text{with}\quad \sum_j m_j y_j = r,\; y \ge 0,
    \qquad c_j = \sum_k c_{jk} \log b_k.

Rows stay whole by dividing each pivot step by the last pivot, which is always exact. Nothing is
rounded, so there is no tolerance; Bland's rule takes over where the steepest column stalls, so
it ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

Factors = Iterable[tuple[Fraction, Any]]  # base and power


def coprime(numbers: Iterable[int]) -> tuple[int, ...]:
    """Return pairwise coprime numbers above 1 of which all the given ones are products.

    >>> coprime([12, 18, 5])
    (2, 3, 5)
    """
    basis: list[int] = []
    todo = [number for number in numbers if number > 1]
    while todo:
        number = todo.pop()
        for k, other in enumerate(basis):
            shared = math.gcd(number, other)
            if shared > 1:
                if number != other:
                    del basis[k]
                    todo += [x for x in (number // shared, other // shared, shared) if x > 1]
                break
        else:
            basis.append(number)
    return tuple(sorted(basis))


def bases(factors: Factors) -> tuple[int, ...]:
    """Return coprime numbers in which the given factors can be written.

    Raises:
        ValueError: A number is not positive.
    """
    found = list(factors)
    if any(base <= 0 for base, _ in found):
        raise ValueError("numbers are positive")
    return coprime({x for base, _ in found for x in (base.numerator, base.denominator)})


def written(factors: Factors, basis: Sequence[int]) -> tuple[Any, ...]:
    """Return the powers of the basis in a product of factors.

    >>> [str(x) for x in written([(Fraction(8, 9), Fraction(1, 2))], (2, 3))]
    ['3/2', '-1']
    """
    powers: list[Any] = [0] * len(basis)  # fractions, or anything that adds
    for base, power in factors:
        for sign, part in ((1, base.numerator), (-1, base.denominator)):
            for k, prime in enumerate(basis):
                left = part
                while left % prime == 0:
                    left //= prime
                    powers[k] += sign * power
    return tuple(powers)


def sign(powers: Sequence[Fraction | int], basis: Sequence[int]) -> int:
    """Return the sign of the log of a product of powers of coprime numbers.

    >>> sign([Fraction(19), Fraction(-12)], (2, 3))  # 2^19 < 3^12
    -1
    """
    terms = [(power, base) for power, base in zip(powers, basis, strict=True) if power]
    if not terms:
        return 0
    # Logs of numbers above 1 are positive: equal signs need no digits.
    if len(terms) == 1 or len({power > 0 for power, _ in terms}) == 1:
        return 1 if terms[0][0] > 0 else -1
    digits = 30
    while True:
        context = Context(prec=digits)
        total, width = Fraction(0), Fraction(0)
        for power, base in terms:
            log = Fraction(Decimal(base).ln(context))
            total += Fraction(power) * log
            width += abs(Fraction(power)) * log / 10 ** (digits - 2)  # correctly rounded, with room
        if abs(total) > width:
            return 1 if total > 0 else -1
        digits *= 2


def sign_of(factors: Factors) -> int:
    """Return the sign of the log of a product of powers of positive fractions.

    >>> sign_of([(Fraction(9, 8), Fraction(1)), (Fraction(2, 3), Fraction(1, 3))])
    -1
    """
    found = list(factors)
    basis = bases(found)
    return sign(written(found, basis), basis)


def log(powers: Sequence[Fraction | int], basis: Sequence[int]) -> float:
    """Return the log of a product of powers of coprime numbers as a float."""
    return math.fsum(
        float(power) * math.log(base) for power, base in zip(powers, basis, strict=True)
    )


# Linear programs ---------------------------------------------------------------------------------


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
) -> tuple[dict[int, Fraction], tuple[Fraction, ...]] | None:
    """Return the columns in use with their multipliers, and their cost; None without a solution.

    Costs are bounded below wherever this is used.

    Args:
        columns: Of each variable its whole entries, first of the rows, then of the costs.
        right: Right-hand sides, at least 0.
        basis: The coprime numbers whose logs the costs count.
        spend: Told how many entries each step computes.

    Examples:
        >>> found, cost = least([(1, 3), (1, 2)], [4], (2,), lambda entries: None)
        >>> {column: str(value) for column, value in found.items()}, str(cost[0])
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
    return y, tuple(Fraction(-row[-1], d) for row in table.costs)


def _gain(
    cost: Sequence[int], denominator: int, basis: Sequence[int], logs: Sequence[float]
) -> float:
    """Return minus a cost as a float whose sign is exact."""
    parts = [x / denominator * log for x, log in zip(cost, logs, strict=True)]
    total, width = math.fsum(parts), 1e-12 * sum(map(abs, parts))
    if abs(total) > width:
        return -total
    return -sign(cost, basis) * max(width, 1e-300)
