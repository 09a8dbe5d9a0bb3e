"""One budget raised, row by row: what it adds to the effective sample, by both answers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, as_number, solve_log
from rates.plan import base
from rates.study import Study, columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Rise:
    """What a larger budget at each site of one row adds.

    Attributes:
        site: The row.
        epsilon: Its budget today.
        raised: The larger budget.
        gain: Effective records gained by the named mechanism; nan where a delta is missing.
        part: The same over today's effective sample; likewise.
        gain_equation: Effective records gained by the rate equation.
        part_equation: The same over today's.
    """

    site: str
    epsilon: float
    raised: float
    gain: float
    part: float
    gain_equation: float
    part_equation: float


def rises(study: Study, factor: float = 2.0, *, lens: Lens = BY_EQUATION) -> tuple[Rise, ...]:
    """Multiply the budget of one private row after the other, most gained first.

    Args:
        study: A study.
        factor: What budgets are multiplied by, above 1.
        lens: Which risk, and exact or printed Gaussian noise.

    Raises:
        DomainError: The factor is not a finite number above 1, or as for `rates.plan.base.basis`.

    Examples:
        >>> from rates.presets import preset
        >>> first = rises(preset("hospitals").study)[0]
        >>> first.site, round(first.gain, 1), round(first.part, 2), first.gain_equation
        ('Cleveland', 32.3, 0.79, 0.0)

    Source: [ACC] eq. (5) and [CCV] eq. (6) for the equation; `rates.calibrated` for the mechanism.
    """
    number = as_number(factor)
    if number is None or not 1 < number < math.inf:
        raise DomainError("Budgets are raised by a finite factor above 1.", "factor", factor)
    own, named, _ = base.both(study, lens)
    c = columns(study.servers)
    rows = np.flatnonzero(np.isfinite(c["epsilon"]) & (c["epsilon"] > 0))
    found = [_gains(by, rows, number) for by in (own, *([named] if named else []))]
    empty = np.full((2, len(rows)), np.nan)
    equation, mechanism = found[0], found[1] if named else empty
    order = np.argsort(-(mechanism if named else equation)[1], kind="stable")
    return tuple(
        Rise(
            site=own.names[rows[k]],
            epsilon=float(c["epsilon"][rows[k]]),
            raised=float(number * c["epsilon"][rows[k]]),
            gain=float(mechanism[0][k]),
            part=float(mechanism[1][k]),
            gain_equation=float(equation[0][k]),
            part_equation=float(equation[1][k]),
        )
        for k in order
    )


def _gains(own: base.Basis, rows: np.ndarray, factor: float) -> tuple[base.Array, base.Array]:
    """Effective records gained at each of some rows, and their part of today's."""
    c = columns(own.servers)
    raised = base.log_budget_of(own, factor * c["epsilon"], c["delta"])
    budgets = np.tile(np.broadcast_to(own.terms.log_budget, own.terms.shape), (len(rows), 1))
    line = np.arange(len(rows))
    budgets[line, rows] = raised[rows]
    u = solve_log(own.terms.changed(log_budget=budgets)) if len(rows) else np.zeros(0)
    now = float(own.equation.effective_n(np.asarray(own.u)))
    with np.errstate(over="ignore"):
        part = np.expm1(own.equation.worth_power * (own.u - u))
    part = np.where(np.abs(part) < 1e-12, 0.0, part)
    return now * part, part
