"""What each site adds under every choice of how often its budget is doubled."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import (
    BY_EQUATION,
    KAPPAS,
    Lens,
    adds_by_group,
    equation,
    largest_apart,
    mechanism_budgets,
)
from rates.numbers import log0
from rates.study import Study, columns

Array = NDArray[np.float64]
MOST_GROUPS = 7
MOST_STOPS = 5  # of a budget: today's, and four doublings
MOST_CHOICES, MOST_CELLS = 1_024, 200_000  # of choices; of choices times rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Taps:
    """What each site adds, by the mechanism, or by the rate equation where a delta is missing.

    Attributes:
        groups: Rows of the study, by group; all but the last one may stand for one row only.
        stops: How many budgets a group can have: today's, twice, four times as much and so on.
        steps: By group, how far apart two choices stand that differ by one doubling of it alone; 0
            where there is no budget to double. The first choice is today's.
        epsilon: Budgets, a row per stop and a column per row of the study.
        adds: Effective records, a row per choice and a column per group.
        private: Whether privacy binds most of what the group adds.
        worth: Effective records of all, a row per constant of the mechanism.
        named: Whether it is by the mechanism.
    """

    groups: tuple[tuple[int, ...], ...]
    stops: int
    steps: tuple[int, ...]
    epsilon: Array
    adds: Array
    private: NDArray[np.bool_]
    worth: Array
    named: bool

    def doublings(self, choice: int) -> tuple[int, ...]:
        """How often each group's budget is doubled in a choice."""
        return tuple(choice // step % self.stops if step else 0 for step in self.steps)


def taps(study: Study, lens: Lens = BY_EQUATION) -> Taps:
    """Double budgets site by site, in every combination.

    Args:
        study: A study in which some site carries information.
        lens: Which risk.

    Returns:
        At most `MOST_GROUPS` sites, the largest alone and all others together, and as many
        doublings of each as there is room for.

    >>> from rates.presets import preset
    >>> found = taps(preset("hospitals").study)
    >>> [found.adds[choice].round(1).tolist() for choice in (0, found.steps[1])]
    [[3.8, 27.1, 6.0, 4.1], [2.6, 63.6, 4.3, 2.9]]

    Source: [ACC] eq. (5), [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    c = columns(study.servers)
    budget = np.isfinite(c["epsilon"]) & (c["epsilon"] > 0) & (c["n"] > 0)
    groups, opened, room = _groups(c["n"] * c["count"], budget)
    stops = next(k for k in range(MOST_STOPS, 0, -1) if k == 1 or k ** len(opened) <= room)
    place = dict(zip(opened, itertools.count(), strict=False))
    steps = tuple(stops ** place[k] if k in place else 0 for k in range(len(groups)))
    epsilon = np.where(budget, c["epsilon"] * 2.0 ** np.arange(stops)[:, None], c["epsilon"])
    choices = np.arange(stops ** len(opened))
    chosen = np.zeros((len(choices), len(budget)), dtype=int)
    for rows, step in zip(groups, steps, strict=True):
        if step:
            chosen[:, list(rows)] = (choices // step % stops)[:, None]
    named = not lens.lacks_delta(study)
    how = replace(lens.named if named else lens.plain, kappa=KAPPAS[len(KAPPAS) // 2])
    by_stop = mechanism_budgets(study, how, epsilon) if named else log0(epsilon)
    log_budget = by_stop[chosen, np.arange(len(budget))]
    adds, private = adds_by_group(equation(study, how, log_budget=log_budget), groups)
    every = equation(study, how, log_budget=log_budget, kappas=KAPPAS)
    return Taps(
        groups=groups,
        stops=stops,
        steps=steps,
        epsilon=epsilon,
        adds=adds[:, :-1],
        private=private[:, :-1],
        worth=every.worth().T,
        named=named,
    )


def _groups(
    size: Array, budget: NDArray[np.bool_]
) -> tuple[tuple[tuple[int, ...], ...], list[int], int]:
    """Rows by group, which groups have a budget to double, and for how many choices is room."""
    room = min(MOST_CHOICES, max(MOST_CELLS // len(size), 2))
    for most in range(MOST_GROUPS, 1, -1):
        groups = largest_apart(size, most)
        opened = [k for k, rows in enumerate(groups) if budget[list(rows)].any()]
        if 2 ** len(opened) <= room or most == 2:
            break
    return groups, opened, room
