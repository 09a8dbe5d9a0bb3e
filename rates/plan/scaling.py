r"""By what factor everything would have to grow: every budget, every size, or every count.

A factor lowers nothing, where one common value would lower what is larger. At the root of the goal
the terms add up to 1, so the factor is the root of one increasing function,

.. math:: \sum_j T_j(u_{\text{goal}}; f) = 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rates.answer import KAPPAS, Equation, Lens, equation, mechanism_budgets
from rates.numbers import Terms, at_root, crossing, solve_log
from rates.study import Study, TransferStudy, columns

Grown = Callable[[float], Terms]

_FARTHEST = 40.0  # log of the largest factor that is looked for
_EXACT = 1e-6  # of the log of a factor


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The factor on one quantity of all rows that reaches a goal.

    Attributes:
        quantity: "count" (rows of many alike sites only), "epsilon" or "n".
        low: The least factor over the mechanism's constants, at least 1; nan without every delta.
        high: The largest; ``inf`` where no factor is enough.
        equation: By the rate equation.
    """

    quantity: str
    low: float
    high: float
    equation: float


def scales(
    study: Study, *, needed: float | None = None, part: float = 0.5, risk: str | None = None
) -> tuple[Scale, ...]:
    """Return by what factor counts, budgets and sizes would have to grow, one at a time.

    Args:
        study: A study in which some site carries information.
        needed: Effective records that are aimed at; None for a part of what privacy costs.
        part: Which part of the distance to no privacy, in (0, 1].
        risk: "integrated" (taken by default) or "pointwise" for a federated study.

    Returns:
        The quantities that the study has: counts first, as more people are easier to find than
        more records of each.

    >>> from rates.presets import preset
    >>> budgets, sizes = scales(preset("hospitals").study, needed=200)
    >>> round(budgets.low, 2), round(budgets.high, 2), round(sizes.high, 2)
    (3.69, 6.15, 4.69)

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    plain = Lens(risk=Lens(risk=risk).risk_of(study))
    named: list[Lens] = []
    if not plain.lacks_delta(study):
        kappas = KAPPAS if isinstance(study, TransferStudy) else KAPPAS[:1]
        named = [replace(plain.named, kappa=kappa) for kappa in kappas]
    found = {lens: _of(study, lens, needed, part) for lens in (plain, *named)}
    out = []
    for quantity, exact in found[plain].items():
        factors = [found[lens][quantity] for lens in named] or [math.nan]
        out.append(Scale(quantity=quantity, low=min(factors), high=max(factors), equation=exact))
    return tuple(out)


def _of(study: Study, lens: Lens, needed: float | None, part: float) -> dict[str, float]:
    own = equation(study, lens)
    goal = needed
    if goal is None:
        now = float(own.effective_n(solve_log(own.terms)))
        free = float(own.effective_n(solve_log(equation(study.unprotected(), lens).terms)))
        goal = now + part * (free - now)
    if not 0.0 < goal < math.inf:
        return dict.fromkeys(_grown(study, own, lens), 1.0 if goal == 0.0 else math.inf)
    root = (own.log_worth - math.log(goal)) / own.worth_power
    return {name: _factor(terms, root) for name, terms in _grown(study, own, lens).items()}


def _grown(study: Study, own: Equation, lens: Lens) -> dict[str, Grown]:
    """The equation with one quantity of all rows multiplied, by the log of the factor."""
    c = columns(study.servers)
    private = np.array([s.private for s in study.servers], dtype=bool)
    out: dict[str, Grown] = {}
    if (many := c["count"] > 1).any():
        out["count"] = lambda x: own.terms.times(np.where(many, x, 0.0))
    if private.any():

        def budgets(x: float) -> Terms:
            with np.errstate(over="ignore"):  # beyond all numbers is inf: no protection
                epsilon = np.where(private, c["epsilon"] * math.exp(x), c["epsilon"])
            return own.terms.changed(log_budget=mechanism_budgets(study, lens, epsilon[None, :])[0])

        out["epsilon"] = budgets
    out["n"] = lambda x: own.terms.changed(log_size=own.terms.log_size + x)
    return out


def _factor(terms: Grown, root: float) -> float:
    def log_sum(x: float) -> float:
        return float(np.logaddexp.reduce(at_root(terms(x), root)[0]))

    if log_sum(0.0) >= -1e-9:  # the goal is reached, but for rounding
        return 1.0
    low, high = 0.0, 0.5
    while log_sum(high) < 0:
        if high == _FARTHEST:
            return math.inf
        low, high = high, min(4.0 * high, _FARTHEST)
    return math.exp(crossing(log_sum, low, high, xtol=_EXACT))
