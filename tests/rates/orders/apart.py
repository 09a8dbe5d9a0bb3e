"""Claims from their texts by Python's own arithmetic, decided by SciPy: nothing of the language."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from scipy.optimize import linprog


class Line:
    """The log of a product of powers: a number first, then a power for each letter."""

    def __init__(self, row: np.ndarray) -> None:
        self.row = row

    def _plus(self, other: Any, sign: int) -> Line:
        row = self.row.copy()
        if isinstance(other, Line):
            return Line(row + sign * other.row)
        row[0] += sign * math.log(other)
        return Line(row)

    def __mul__(self, other: Any) -> Line:
        return self._plus(other, 1)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Line:
        return self._plus(other, -1)

    def __rtruediv__(self, other: Any) -> Line:
        return Line(-self.row)._plus(other, 1)

    def __pow__(self, power: float) -> Line:
        return Line(self.row * power)


Tree = Any  # a row, or ("min" or "max", trees)


def tree_of(text: str, letters: Sequence[str], exponents: Mapping[str, Any]) -> Tree:
    """A text with min and max of products, as a tree of rows."""
    names: dict[str, Any] = {
        x: Line(np.eye(len(letters) + 1)[k + 1]) for k, x in enumerate(letters)
    }
    names |= {x: float(value) for x, value in exponents.items()}
    names |= {kind: lambda *of, kind=kind: (kind, of) for kind in ("min", "max")}
    code = re.sub(r"\b\w+:", "", text).replace("^", "**").strip()

    def rows(tree: Any) -> Tree:
        if isinstance(tree, tuple):
            return tree[0], tuple(map(rows, tree[1]))
        return tree.row if isinstance(tree, Line) else np.eye(len(letters) + 1)[0] * math.log(tree)

    return rows(eval(code, {"__builtins__": {}}, names))


def value(tree: Tree, logs: np.ndarray) -> np.ndarray:
    """The log of a tree at rows of logs."""
    if isinstance(tree, tuple):
        of = {"min": np.minimum, "max": np.maximum}[tree[0]]
        return reduce(of, (value(branch, logs) for branch in tree[1]))
    return tree[0] + logs @ tree[1:]


Condition = list[
    list[tuple[Tree, Tree]]
]  # one of these lists of pairs, the first at most the second


def condition_of(text: str, letters: Sequence[str], exponents: Mapping[str, Any]) -> Condition:
    """A condition with or, and, <= and >= between trees."""
    out: Condition = []
    for branch in text.split(" or "):
        out.append([])
        for part in branch.split(" and "):
            sides = re.split(r"<=|>=", part)
            trees = [tree_of(side, letters, exponents) for side in sides]
            for sign, a, b in zip(re.findall(r"<=|>=", part), trees, trees[1:], strict=False):
                out[-1].append((a, b) if sign == "<=" else (b, a))
    return out


def met(condition: Condition, logs: np.ndarray, by: float = 0.0) -> np.ndarray:
    """Where a condition holds by at least something."""
    every = [[value(a, logs) <= value(b, logs) - by for a, b in pairs] for pairs in condition]
    return np.any([np.all(pairs, axis=0) for pairs in every], axis=0)


def sides(tree: Tree, every: str) -> list[list[np.ndarray]]:
    """Lists of rows: a tree is above ("min") or below ("max") a number if all rows of one are."""
    if not isinstance(tree, tuple):
        return [[tree]]
    parts = [sides(branch, every) for branch in tree[1]]
    if tree[0] != every:
        return list(itertools.chain.from_iterable(parts))
    return [list(itertools.chain.from_iterable(one)) for one in itertools.product(*parts)]


def ways(condition: Condition) -> list[list[np.ndarray]]:
    """Lists of rows: a condition holds where no row of one list is above 0."""
    out = []
    for pairs in condition:
        each = [itertools.product(sides(a, "max"), sides(b, "min")) for a, b in pairs]
        for chosen in itertools.product(*each):
            out.append([low - high for lows, highs in chosen for low in lows for high in highs])
    return out


def holds(first: Tree, second: Tree, conditions: Sequence[Condition]) -> bool:
    """Whether two trees are equal where conditions hold: a linear program for each case."""
    for chosen in itertools.product(*map(ways, conditions)):
        held = [(row, 0.0) for rows in chosen for row in rows]
        for over, under in ((first, second), (second, first)):
            for ups, downs in itertools.product(sides(over, "min"), sides(under, "max")):
                rows = [*held, *((b - a, 1.0) for a in ups for b in downs)]
                found = linprog(
                    [0.0] * (len(ups[0]) - 1) + [-1.0],
                    A_ub=[[*row[1:], t] for row, t in rows],
                    b_ub=[-row[0] for row, _ in rows],
                    bounds=[(None, None)] * (len(ups[0]) - 1) + [(None, 1.0)],
                )
                assert found.status in (0, 2), found.message
                if found.status == 0 and -found.fun > 1e-7:
                    return False
    return True


def smallest(first: Tree, second: Tree, conditions: Sequence[Condition]) -> set[frozenset[int]]:
    """All smallest sets of conditions under which two trees are equal, by trying every set."""
    found: list[frozenset[int]] = []
    for size in range(len(conditions) + 1):
        for kept in map(frozenset, itertools.combinations(range(len(conditions)), size)):
            if not any(one <= kept for one in found) and holds(
                first, second, [conditions[k] for k in sorted(kept)]
            ):
                found.append(kept)
    return set(found)
