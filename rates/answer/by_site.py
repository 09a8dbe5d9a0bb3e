"""What survives privacy, site by site, as all budgets change together.

A site's part is its share of the effective sample over the share that it would have without
privacy; at most 1, since what a strict site leaves to do falls to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import numbers
from rates.answer.compare import mechanism_budgets, scaled_budgets
from rates.answer.lens import BY_EQUATION, Lens
from rates.answer.mechanism import gaussian_noise
from rates.answer.records import tie
from rates.answer.terms import Equation, equation
from rates.study import Study, columns

Array = NDArray[np.float64]
MOST_SITES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """By one answer: a row per factor, a column per group of sites, and the last for all together.

    Attributes:
        part: Fraction kept of what the group would add without privacy.
        private: Whether privacy binds most of what the group adds.
    """

    part: Array
    private: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survival:
    """What survives of each site under each common factor on the budgets.

    Attributes:
        groups: Rows of the study, by group; all but the last one may stand for one row only.
        epsilon: Budgets, a row per factor and a column per row of the study.
        noise: Standard deviation of the mean of a site's records, as `mean_noise` has it.
        equation: By the rate equation.
        mechanism: By the named mechanism; None where a delta is missing.
    """

    groups: tuple[tuple[int, ...], ...]
    epsilon: Array
    noise: Array
    equation: Kept
    mechanism: Kept | None


def survival(
    study: Study, factors: ArrayLike, lens: Lens = BY_EQUATION, *, most: int = MOST_SITES
) -> Survival:
    """Scale every private budget by each factor and say what is kept of each site.

    Args:
        study: A study.
        factors: What every private budget is multiplied by.
        lens: Which risk; kappa of the mechanism.
        most: Groups; where there are more rows, the largest stand alone, the target among them,
            and all others together.

    >>> from rates.presets import preset
    >>> found = survival(preset("hospitals").study, [0.1, 1.0])
    >>> found.equation.part.round(3).tolist()[0], found.equation.private[1].tolist()
    ([0.069, 0.126, 0.059, 0.048, 0.09], [False, False, False, False, False])

    Source: [ACC] eq. (5), [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    epsilon, _ = scaled_budgets(study, np.asarray(factors, dtype=float))
    c = columns(study.servers)
    groups = largest_apart(c["n"] * c["count"], most)
    named = lens.named
    mechanism = None
    if not lens.lacks_delta(study):
        budget = mechanism_budgets(study, named, epsilon)
        mechanism = _kept(study, named, budget, groups)
    return Survival(
        groups=groups,
        epsilon=epsilon,
        noise=mean_noise(study, epsilon),
        equation=_kept(study, lens.plain, numbers.log0(epsilon), groups),
        mechanism=mechanism,
    )


def mean_noise(study: Study, epsilon: Array) -> Array:
    """Return the noise with which a site of the study may send the mean of its records.

    Each record is a number between 0 and 1, so that one replaced moves the mean by at most 1/n;
    the noise is the least Gaussian that is (epsilon, delta)-private. It is 0 at an unprotected
    site, infinite where nothing is sent, and nan where delta is missing.

    Args:
        study: Gives records and deltas.
        epsilon: Budgets; the last axis runs over the rows.

    >>> from rates.presets import preset
    >>> mean_noise(preset("hospitals").study, np.ones((1, 4))).round(3).tolist()
    [[0.03, 0.014, 0.03, 0.036]]

    Source: Balle and Wang (2018), Theorem 8.
    """
    c = columns(study.servers)
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = gaussian_noise(epsilon, c["delta"]) / c["n"]
    return np.asarray(np.where(c["n"] > 0, noise, np.inf))


def largest_apart(size: Array, most: int) -> tuple[tuple[int, ...], ...]:
    """Rows by group, in the order of the study; the rows that are no largest ones come last."""
    rows = range(len(size))
    if len(rows) <= most:
        return tuple((row,) for row in rows)
    largest = sorted(rows[1:], key=lambda row: -size[row])[: most - 2]
    alone = sorted([0, *largest])
    return *((row,) for row in alone), tuple(sorted({*rows} - {*alone}))


def _kept(study: Study, lens: Lens, budget: Array, groups: Sequence[Sequence[int]]) -> Kept:
    free = equation(study.unprotected(), lens)
    base = numbers.solve_log(free.terms)
    own, private = _amounts(equation(study, lens, log_budget=budget), base, groups)
    without, _ = _amounts(free, base, groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(without > 0, np.minimum(own / without, 1.0), 0.0)
    return Kept(part=part, private=private)


def _amounts(
    of: Equation, base: Array, groups: Sequence[Sequence[int]]
) -> tuple[Array, NDArray[np.bool_]]:
    """Effective samples by group over the one at the root `base`, and what binds most of each."""
    u = numbers.solve_log(of.terms)
    return _at(of, u, of.worth_power * (base - u), groups)


def adds_by_group(of: Equation, groups: Sequence[Sequence[int]]) -> tuple[Array, NDArray[np.bool_]]:
    """Return the effective records that each group of rows adds, and whether privacy binds it."""
    u = numbers.solve_log(of.terms)
    total, private = _at(of, u, of.log_worth - of.worth_power * u, groups)
    return total[..., :-1], private[..., :-1]


def _at(
    of: Equation, u: Array, log_whole: Array, groups: Sequence[Sequence[int]]
) -> tuple[Array, NDArray[np.bool_]]:
    """Amounts by group and of all at a root, where the log of the whole is known."""
    level, gap = numbers.at_root(of.terms, u)
    with np.errstate(invalid="ignore", over="ignore"):
        amount = np.exp(level + log_whole[..., None])
    amount = np.nan_to_num(amount)  # without information there is nothing
    member = np.zeros((amount.shape[-1], len(groups) + 1))
    for column, rows in enumerate(groups):
        member[list(rows), column] = 1.0
    member[:, -1] = 1.0
    total = amount @ member
    return total, (amount * (gap <= tie(of.terms))) @ member > 0.5 * total
