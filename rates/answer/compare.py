"""A study along one common change of every budget: one solve for a whole sweep."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import numbers
from rates.answer.mechanism import BY_EQUATION, KAPPAS, Lens, gaussian_noise
from rates.answer.records import tie
from rates.answer.terms import Equation, equation
from rates.study import Study, columns

Array = NDArray[np.float64]
FACTORS = tuple(10 ** (k / 15) for k in range(-30, 31))  # usual ones, by which budgets are scaled


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Sweep(numbers.Framed):
    """Effective sample kept when every private budget is multiplied by one factor.

    Attributes:
        factors: The factors, ascending.
        equation: Fraction of the unprotected effective sample, by the rate equation.
        mechanism: The same by the mechanism, one row per kappa; no rows where a delta is missing.
        elbow: Factor from which the rate equation sees no cost; nan without private sites.
        half: Factor at which the mechanism's middle row keeps one half; nan if off the range.
    """

    _columns: ClassVar[Mapping[str, str]] = {
        "factors": "factor on every budget",
        "equation": "part of the effective sample kept, rate equation",
        "mechanism": "part kept, mechanism",
    }

    factors: Array
    equation: Array
    mechanism: Array
    elbow: float
    half: float


def budget_sweep(
    study: Study,
    factors: ArrayLike,
    lens: Lens = BY_EQUATION,
    *,
    kappas: Sequence[float] = KAPPAS,
) -> Sweep:
    """Scale every private budget by each factor and solve both equations.

    >>> from rates.presets import preset
    >>> sweep = budget_sweep(preset("hospitals").study, [0.1, 1.0, 10.0])
    >>> sweep.equation.round(3).tolist(), round(sweep.elbow, 2)
    ([0.09, 1.0, 1.0], 0.94)

    Source: [ACC] eq. (5), [CCV] eq. (6); the elbow is where the last minimum leaves privacy.
    """
    scale = np.asarray(factors, dtype=float)
    epsilon, private = scaled_budgets(study, scale)
    own = equation(study, lens.plain, log_budget=numbers.log0(epsilon))
    free = equation(study.unprotected(), lens.plain)
    kept = np.zeros((0, len(scale)))
    if not lens.lacks_delta(study):
        budget = mechanism_budgets(study, lens.named, epsilon)
        every = equation(study, lens.named, log_budget=budget, kappas=kappas)
        kept = _kept(every, equation(study.unprotected(), lens.named, kappas=kappas)).T
    return Sweep(
        factors=scale,
        equation=_kept(own, free),
        mechanism=kept,
        elbow=_elbow(equation(study, lens.plain), float(numbers.solve_log(free.terms)), private),
        half=_half(scale, kept[len(kept) // 2]) if len(kept) else math.nan,
    )


def scaled_budgets(study: Study, factors: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return all rows' budgets, those of protected ones times each factor; and which these are."""
    private = np.array([s.private for s in study.servers], dtype=bool)
    epsilon = columns(study.servers)["epsilon"]
    with np.errstate(over="ignore"):  # a protected row stays one beyond all numbers
        scaled = np.minimum(epsilon * factors[:, None], np.finfo(float).max)
    return np.where(private, scaled, epsilon), private


def _kept(own: Equation, free: Equation) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(np.exp(own.worth_power * (free.roots - own.roots)))


def mechanism_budgets(
    study: Study, lens: Lens, epsilon: Array, delta: Array | None = None
) -> Array:
    """Return the log budgets that a mechanism's equation takes, for a grid of epsilons.

    Args:
        study: Whose mechanism it is.
        lens: Exact or printed Gaussian noise; the pointwise risk has Laplace noise.
        epsilon: Budgets; the last axis runs over the rows.
        delta: Their deltas, the study's where not given.

    Returns:
        A row whose delta is needed and not stated is silent.
    """
    if lens.risk == "pointwise" or lens.mechanism is None:
        return numbers.log0(epsilon)
    delta = columns(study.servers)["delta"] if delta is None else delta
    noise = gaussian_noise(epsilon, delta, lens.mechanism, study.printed)
    return -numbers.log0(np.where(np.isnan(noise), np.inf, noise))


def _half(factors: Array, kept: Array) -> float:
    """The factor at which one half is kept, between two on a log axis; nan where there is none."""
    return float(np.exp(np.interp(0.5, kept, np.log(factors), left=np.nan, right=np.nan)))


def _elbow(own: Equation, u_free: float, private: NDArray[np.bool_]) -> float:
    """The least factor at which no private site's minimum is the private one."""
    if not private.any() or math.isinf(u_free):
        return math.nan
    _, gap = numbers.at_root(own.terms, u_free)  # gap grows by 2 log(factor)
    found = numbers.safe_exp(-0.5 * float(gap[private].min()))
    return found if math.isfinite(found) else math.nan  # beyond all numbers there is none


# What survives privacy, site by site --------------------------------------------------------------
#
# A site's part is its share of the effective sample over the share that it would have without
# privacy; at most 1, since what a strict site leaves to do falls to the others.

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


def survival(study: Study, factors: ArrayLike, lens: Lens = BY_EQUATION) -> Survival:
    """Scale every private budget by each factor and say what is kept of each site.

    Args:
        study: A study.
        factors: What every private budget is multiplied by.
        lens: Which risk; kappa of the mechanism.

    Returns:
        A column for each of at most `MOST_SITES` groups: where there are more rows, the largest
        stand alone, the target among them, and all others together.

    >>> from rates.presets import preset
    >>> found = survival(preset("hospitals").study, [0.1, 1.0])
    >>> found.equation.part.round(3).tolist()[0], found.equation.private[1].tolist()
    ([0.069, 0.126, 0.059, 0.048, 0.09], [False, False, False, False, False])

    Source: [ACC] eq. (5), [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    epsilon, _ = scaled_budgets(study, np.asarray(factors, dtype=float))
    c = columns(study.servers)
    groups = largest_apart(c["n"] * c["count"], MOST_SITES)
    named = lens.named
    mechanism = None
    if not lens.lacks_delta(study):
        budget = mechanism_budgets(study, named, epsilon)
        mechanism = _kept_by_group(study, named, budget, groups)
    return Survival(
        groups=groups,
        epsilon=epsilon,
        noise=mean_noise(study, epsilon),
        equation=_kept_by_group(study, lens.plain, numbers.log0(epsilon), groups),
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


def _kept_by_group(
    study: Study, lens: Lens, budget: Array, groups: Sequence[Sequence[int]]
) -> Kept:
    own, private = adds_by_group(equation(study, lens, log_budget=budget), groups)
    without, _ = adds_by_group(equation(study.unprotected(), lens), groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(without > 0, np.minimum(own / without, 1.0), 0.0)
    return Kept(part=part, private=private)


def adds_by_group(of: Equation, groups: Sequence[Sequence[int]]) -> tuple[Array, NDArray[np.bool_]]:
    """Return the effective records that each group of rows adds, and whether privacy binds most.

    The last column is of all groups together.
    """
    u = of.roots
    level, gap = numbers.at_root(of.terms, u)
    with np.errstate(invalid="ignore", over="ignore"):
        amount = np.exp(level + (of.log_worth - of.worth_power * u)[..., None])
    amount = np.nan_to_num(amount)  # without information there is nothing
    member = np.zeros((amount.shape[-1], len(groups) + 1))
    for column, rows in enumerate(groups):
        member[list(rows), column] = 1.0
    member[:, -1] = 1.0
    total = amount @ member
    return total, (amount * (gap <= tie(of.terms))) @ member > 0.5 * total
