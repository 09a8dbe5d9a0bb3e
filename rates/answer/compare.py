"""A study against its alternatives, and along one common change of every budget.

All of it is done on whole arrays: one solve for all sites alone, one for a whole sweep.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import numbers
from rates.answer.lens import BY_EQUATION, KAPPAS, Lens
from rates.answer.mechanism import gaussian_noise
from rates.answer.terms import Equation, equation
from rates.study import Study, columns

Array = NDArray[np.float64]


def alone(study: Study, lens: Lens = BY_EQUATION) -> Array:
    """Return what one site of each row is worth alone, as an effective sample.

    >>> from rates.presets import preset
    >>> study = preset("hospitals").study
    >>> study.servers[int(alone(study).argmax())].name
    'Cleveland'

    Raises:
        DomainError: The mechanism needs a delta that is missing.
    """
    own = equation(study, lens)
    single = own.terms.times(-np.log(columns(study.servers)["count"]))
    return own.effective_n(numbers.solve_log(single[:, None]))  # every term an equation of its own


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
        half=_crossing(scale, kept[len(kept) // 2]) if len(kept) else math.nan,
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


def _elbow(own: Equation, u_free: float, private: NDArray[np.bool_]) -> float:
    """The least factor at which no private site's minimum is the private one."""
    if not private.any() or math.isinf(u_free):
        return math.nan
    _, gap = numbers.at_root(own.terms, u_free)  # gap grows by 2 log(factor)
    found = numbers.safe_exp(-0.5 * float(gap[private].min()))
    return found if math.isfinite(found) else math.nan  # beyond all numbers there is none


def _crossing(x: Array, y: Array, level: float = 0.5) -> float:
    """Where a rising curve on a log axis passes a level, by interpolation."""
    above = np.flatnonzero(y >= level)
    if not len(above) or above[0] == 0:
        return math.nan
    k = int(above[0])
    part = (level - y[k - 1]) / (y[k] - y[k - 1])
    return float(np.exp(np.log(x[k - 1]) + part * (np.log(x[k]) - np.log(x[k - 1]))))
