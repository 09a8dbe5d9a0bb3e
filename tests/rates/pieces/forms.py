"""Random piecewise linear forms, and their value by the plainest evaluation there is."""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.pieces import Form, Leaf, Polygon, Tree

LETTERS = ("x", "y", "z")


def random_form(rng: random.Random, count: int, *, steps: int = 6) -> Form:
    """Draw a form; now and then leaves are equal or parallel, or lack a letter."""
    leaves: list[Leaf] = []
    for k in range(count):
        powers = {s: Fraction(rng.randint(-12, 12), rng.randint(1, steps)) for s in LETTERS}
        if leaves and rng.random() < 0.3:
            powers = {s: Fraction(0) for s in LETTERS} | dict(rng.choice(leaves).powers)
        base = rng.choice([None, Fraction(rng.randint(1, 50), rng.randint(1, 50))])
        factors = () if base is None else ((base, Fraction(rng.randint(-3, 3), rng.randint(1, 3))),)
        kept = tuple((s, p) for s, p in powers.items() if p and rng.random() < 0.9)
        leaves.append(Leaf(str(k + 1), kept, factors))
    return Form(LETTERS, tuple(leaves), _tree(rng, list(range(count)), rng.choice(["min", "max"])))


def _tree(rng: random.Random, leaves: list[int], kind: str) -> Tree:
    if len(leaves) == 1:
        return leaves[0]
    parts = min(len(leaves), rng.choice([2, 2, 3, 4, len(leaves)]))
    cuts = [0, *sorted(rng.sample(range(1, len(leaves)), parts - 1)), len(leaves)]
    other = "min" if kind == "max" else "max"
    branches = tuple(_tree(rng, leaves[a:b], other) for a, b in itertools.pairwise(cuts))
    return (kind, branches)  # type: ignore[return-value]


def brute(form: Form, at: Mapping[str, ArrayLike]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The log of the value, by recursion with min and max, and those of the leaves by label."""
    logs = []
    for leaf in form.leaves:
        terms = [float(p) * np.log(at[s]) for s, p in leaf.powers]
        terms += [np.asarray(float(p) * math.log(base)) for base, p in leaf.factors]
        logs.append(sum(terms, np.zeros(np.broadcast_shapes(*(np.shape(v) for v in at.values())))))

    def value(tree: Tree) -> np.ndarray:
        if isinstance(tree, int):
            return logs[tree]
        best = {"min": np.minimum, "max": np.maximum}[tree[0]]
        return functools.reduce(best, map(value, tree[1]))

    return value(form.tree), {x.label: v for x, v in zip(form.leaves, logs, strict=True)}


def area(polygon: Polygon, log_x: bool = True, log_y: bool = True) -> float:
    """The area, with the first corner as origin."""
    x = np.log(polygon.x / polygon.x[0]) if log_x else polygon.x - polygon.x[0]
    y = np.log(polygon.y / polygon.y[0]) if log_y else polygon.y - polygon.y[0]
    return abs(float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))) / 2


def inside(
    polygon: Polygon, x: ArrayLike, y: ArrayLike, log_x: bool = True, log_y: bool = True
) -> NDArray[np.bool_]:
    """Whether points lie in it, by the even-odd rule."""
    px, x = (np.log(v) if log_x else np.asarray(v) for v in (polygon.x, x))
    py, y = (np.log(v) if log_y else np.asarray(v) for v in (polygon.y, y))
    out = np.zeros(np.broadcast_shapes(x.shape, y.shape), dtype=bool)
    for x1, y1, x2, y2 in zip(px[:-1], py[:-1], px[1:], py[1:], strict=True):
        if y1 != y2:
            spans = (y1 > y) != (y2 > y)
            out ^= spans & (x < x1 + (y - y1) / (y2 - y1) * (x2 - x1))
    return out
