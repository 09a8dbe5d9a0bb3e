"""Claims from their texts by Python's own arithmetic, decided by SciPy: nothing of the language."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from scipy.optimize import linprog

Tree = Any  # a row: a number's log, then the power of each letter; or ("min" or "max", trees)


class Rate:
    """A tree of rows, which adds up as its texts multiply."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def each(self, change: Any, flip: bool = False) -> Rate:
        if not isinstance(self.tree, tuple):
            return Rate(change(self.tree))
        kind = {"min": "max", "max": "min"}[self.tree[0]] if flip else self.tree[0]
        return Rate((kind, tuple(Rate(x).each(change, flip).tree for x in self.tree[1])))

    def __mul__(self, other: Any) -> Rate:
        if not isinstance(other, Rate):
            return self.each(lambda row: row + math.log(other) * np.eye(len(row))[0])
        if isinstance(self.tree, tuple):
            return Rate((self.tree[0], tuple((Rate(x) * other).tree for x in self.tree[1])))
        return other.each(lambda row: row + self.tree)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Rate:
        return self * other**-1

    def __rtruediv__(self, other: Any) -> Rate:
        return self**-1 * other

    def __pow__(self, power: float) -> Rate:
        return self.each(lambda row: row * power, power < 0)


def tree_of(text: str, letters: Sequence[str], exponents: Mapping[str, Any]) -> Tree:
    """A text with products, powers, min and max, as a tree of rows."""
    one, *each = np.eye(len(letters) + 1)

    def tree(of: Any) -> Tree:
        return of.tree if isinstance(of, Rate) else math.log(of) * one

    names: dict[str, Any] = dict(zip(letters, map(Rate, each), strict=True))
    names |= {x: float(value) for x, value in exponents.items()}
    names |= {k: lambda *of, k=k: Rate((k, tuple(map(tree, of)))) for k in ("min", "max")}
    names["sqrt"] = lambda of: of**0.5
    code = re.sub(r"\b\w+:", "", text).replace("^", "**").strip()
    return tree(eval(code, {"__builtins__": {}}, names))


def value(tree: Tree, logs: np.ndarray) -> np.ndarray:
    """The log of a tree at rows of logs."""
    if isinstance(tree, tuple):
        of = {"min": np.minimum, "max": np.maximum}[tree[0]]
        return reduce(of, (value(branch, logs) for branch in tree[1]))
    return tree[0] + logs @ tree[1:]


# One of these lists of pairs holds, the first at most the second.
Condition = list[list[tuple[Tree, Tree]]]


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


def ways(condition: Condition) -> Iterator[list[np.ndarray]]:
    """Lists of rows: a condition holds where no row of one list is above 0."""
    for pairs in condition:
        each = [itertools.product(sides(a, "max"), sides(b, "min")) for a, b in pairs]
        for chosen in itertools.product(*each):
            yield [low - high for lows, highs in chosen for low in lows for high in highs]


def holds(first: Tree, second: Tree, conditions: Sequence[Condition]) -> bool:
    """Whether two trees are equal where conditions hold: a linear program for each case."""
    for chosen in itertools.product(*map(ways, conditions)):
        held = [(row, 0.0) for rows in chosen for row in rows]
        for over, under in ((first, second), (second, first)):
            for ups, downs in itertools.product(sides(over, "min"), sides(under, "max")):
                rows = [*held, *((b - a, 1.0) for a in ups for b in downs)]
                left, letters = [[*row[1:], t] for row, t in rows], len(ups[0]) - 1
                free = [(None, None)] * letters + [(None, 1.0)]
                best = [0.0] * letters + [-1.0]
                found = linprog(best, A_ub=left, b_ub=[-row[0] for row, _ in rows], bounds=free)
                assert found.status in (0, 2), found.message
                if found.status == 0 and -found.fun > 1e-7:
                    return False
    return True


def smallest(first: Tree, second: Tree, conditions: Sequence[Condition]) -> set[frozenset[int]]:
    """All smallest sets of conditions under which two trees are equal, by trying every set."""
    found: list[frozenset[int]] = []
    for size in range(len(conditions) + 1):
        for kept in map(frozenset, itertools.combinations(range(len(conditions)), size)):
            under = [conditions[k] for k in sorted(kept)]
            if not any(one <= kept for one in found) and holds(first, second, under):
                found.append(kept)
    return set(found)
