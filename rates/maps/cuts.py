"""The rate of a transfer study as its budgets grow: by the equation and by a mechanism."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import Equation, Lens, equation, mechanism_budgets
from rates.numbers import Framed, check_array, log0
from rates.study import TransferStudy

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Cut(Framed):
    """Rates along one common change of the budgets, capped at 1.

    Attributes:
        factors: What every private budget is multiplied by.
        equation: The rate by equation (5).
        mechanism: The rate by the named mechanism, one row per kappa; none without deltas.
    """

    _columns: ClassVar[Mapping[str, str]] = {
        "factors": "factor on every budget",
        "equation": "rate, rate equation",
        "mechanism": "rate, mechanism",
    }

    factors: Array
    equation: Array
    mechanism: Array


def rate_along(
    study: TransferStudy, factors: ArrayLike, *, kappas: Sequence[float] = (1.0, 2.0, 3.0)
) -> Cut:
    """Multiply every private budget by each factor and solve both equations.

    >>> from rates.presets import preset
    >>> cut = rate_along(preset("figure1").study, [0.05, 0.5, 5.0])  # budgets are 0.2
    >>> cut.equation.round(3).tolist()
    [0.323, 0.195, 0.121]

    Raises:
        DomainError: A factor is not positive and finite.

    Source: [ACC] eqs. (5), (6); `rates.calibrated` for the mechanism.
    """
    scale = check_array("factors", factors)
    private = np.array([s.private for s in study.servers], dtype=bool)
    fixed = np.array([s.epsilon for s in study.servers])
    grid = np.where(private, scale[:, None] * fixed, fixed)
    own = _rate(equation(study, log_budget=log0(grid)))
    named, lens = np.zeros((len(scale), 0)), Lens(mechanism="analytic")
    if not lens.lacks_delta(study):
        budget = mechanism_budgets(study, lens, grid)
        named = _rate(equation(study, lens, log_budget=budget, kappas=kappas))
    return Cut(factors=scale, equation=own, mechanism=named.T)


def _rate(of: Equation) -> Array:
    return np.asarray(np.exp(np.minimum(of.rate_power * of.roots, 0.0)))
