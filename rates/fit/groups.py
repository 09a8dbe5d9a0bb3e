"""Rows that are nearly alike, taken together: a small problem that stands for a large one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rates.fit.problem import Problem, bounds
from rates.fit.ranges import Box

MOST = 100  # rows up to which nothing is grouped


def grouped(problem: Problem, ranges: Box) -> tuple[Problem, Box] | None:
    """Take rows of like ranges and like n_j eps_j^2 together; None where there are few rows.

    A group holds what its rows hold together, without privacy and with it. Groups are cut so
    that each carries a like part of the equation, of the free one and of the rows.
    """
    ends = bounds(ranges, problem.risk)
    low, high = (x[2:] for x in ends)
    if len(low) <= MOST:
        return None
    order = np.lexsort((problem.apart[0], high, low))
    weight = np.full(len(low), 1.0 / len(low))
    for part in problem.middle(0.5 * (ends[0][0] + ends[1][0]), np.sqrt(low * high)):
        weight += part
    total = np.cumsum(weight[order])
    cut = np.floor((total - 0.5 * weight[order]) / total[-1] * (MOST - 4)).astype(int)
    kind = np.isinf(problem.apart[0])[order]  # unprotected, or without a budget
    new = np.concatenate([[True], (np.diff(cut) > 0) | (np.diff(kind.astype(int)) != 0)])
    number = np.cumsum(new) - 1
    of = np.empty(len(low), dtype=np.intp)
    of[order] = number
    size = np.bincount(of)
    signal = [(np.bincount(of, weights=x) / size).tolist() for x in (low, high)]
    return problem.merged(of), replace(ranges, signal=tuple(zip(*signal, strict=True)))
