"""One common value for all rows: of n, or of the budget of every private row."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, make_terms, safe_exp, solve_log
from rates.plan.base import Basis, Rows, binding, join, log_budget_of, rows_at
from rates.plan.inverse import ALL, capped_sum_root
from rates.plan.lever import CLOSED, ITERATED, Needed, record, short_of

Array = NDArray[np.float64]

_FAR = (-700.0, 700.0)  # log epsilon beyond which no number is left


def common_needed(own: Basis, lever: str, fraction: float) -> Needed:
    """Solve for one common n of every row, or one common epsilon of every private row."""
    if lever not in ("n", "epsilon"):
        rule = "A common value for all rows is defined for n and epsilon."
        raise DomainError(rule, field="lever", value=lever)
    here = rows_at(own, own.wanted(fraction))
    with np.errstate(all="ignore"):  # silent and unprotected rows are limits of the algebra
        return (_common_n if lever == "n" else _common_epsilon)(own, fraction, here)


def _common_n(own: Basis, fraction: float, here: Rows) -> Needed:
    silent = np.isnan(here.budget)
    budget = np.where(silent, -np.inf, here.budget)
    zero = np.zeros(own.terms.shape)
    smooth = own.terms.smooth
    equation = make_terms(zero, budget, 1.0, 1.0, here.sample, here.private, smooth=smooth)
    x = float(solve_log(equation))
    level = join(here.sample + x, here.private + 2.0 * (x + budget), smooth)
    gap = here.private + 2.0 * budget + x - here.sample
    return _common_record(own, "n", fraction, safe_exp(x), level, gap, ITERATED)


def _common_epsilon(own: Basis, fraction: float, here: Rows) -> Needed:
    private = np.isfinite(here.epsilon) & np.isfinite(here.size)
    smooth = own.terms.smooth
    need = math.log(here.deficit + math.fsum(np.exp(here.level[private])))
    a, b = here.sample + here.size, here.private + 2.0 * here.size
    stated = own.laplace or not np.isnan(here.delta[private]).any()
    if not stated or not private.any() or _best_free(own, private) > fraction:
        return _common_unreached(own, fraction, private)
    if not smooth:
        x = safe_exp(capped_sum_root(a[private], b[private], need) / 2.0)
        method = CLOSED
    else:
        x, method = _common_root(own, here, private, a, b, need), ITERATED
    budget = log_budget_of(own, np.where(private, x, here.epsilon), here.delta)
    level = np.where(np.isneginf(a), -np.inf, join(a, b + 2.0 * budget, smooth))
    return _common_record(own, "epsilon", fraction, x, level, b + 2.0 * budget - a, method)


def _best_free(own: Basis, private: NDArray[np.bool_]) -> float:
    """The rate with those rows unprotected, over today's."""
    budget = np.where(private, np.inf, own.terms.log_budget)
    return float(own.fraction(float(solve_log(own.terms.changed(log_budget=budget)))))


def _common_root(
    own: Basis, here: Rows, private: NDArray[np.bool_], a: Array, b: Array, need: float
) -> float:
    from scipy.optimize import brentq

    a, b, delta = a[private], b[private], here.delta[private]

    def excess(x: float) -> float:
        budget = log_budget_of(own, np.full(a.shape, safe_exp(x)), delta)
        return float(np.logaddexp.reduce(join(a, b + 2.0 * budget, True))) - need

    known = here.epsilon[private & (here.epsilon > 0)]
    low = high = float(np.log(known.min())) if known.size else 0.0
    while excess(low) > 0:
        low -= 2.0
        if low < _FAR[0]:
            return 0.0
    while excess(high) < 0:
        high += 2.0
        if high > _FAR[1]:
            return math.inf
    return math.exp(brentq(excess, low, high, xtol=1e-14, rtol=1e-14)) if high > low else 0.0


def _common_record(
    own: Basis, lever: str, fraction: float, value: float, level: Array, gap: Array, method: str
) -> Needed:
    today, total = rows_at(own, own.u), float(np.exp(level).sum())
    heaviest, then = int(np.argmax(today.level)), int(np.argmax(level))
    return record(
        lever,
        ALL,
        fraction,
        now=_today(own, lever),
        value=value,
        best=0.0 if lever == "n" else _best_free(own, np.isfinite(today.epsilon)),
        binds=(
            binding(today.gap[heaviest], today.level[heaviest]),
            binding(gap[then], level[then]),
        ),
        share=total,
        residual=math.log(total) if 0 < total < math.inf else math.nan,
        reason="",
        method=method,
    )


def _today(own: Basis, lever: str) -> float:
    """The common value today; nan where the rows differ."""
    rows = [s for s in own.study.servers if s.private or lever == "n"]
    values = {float(getattr(s, lever)) for s in rows}
    return values.pop() if len(values) == 1 else math.nan


def _common_unreached(own: Basis, fraction: float, private: NDArray[np.bool_]) -> Needed:
    today = rows_at(own, own.u)
    best = _best_free(own, private)
    bound = bool((today.gap[private] > 0).all())
    because = ", because sampling binds every site" if bound else ""
    unstated = private & np.isnan(today.delta)
    name = reason = ""
    if not own.laplace and unstated.any():
        name = own.names[int(np.flatnonzero(unstated)[0])]
    elif not private.any():
        reason = "every site is unprotected already, so budgets are no lever"
    else:
        reason = short_of(best, fraction, "without privacy", because)
    top = int(np.argmax(today.level))
    return record(
        "epsilon",
        ALL,
        fraction,
        now=_today(own, "epsilon"),
        value=math.nan,
        best=best,
        binds=(binding(today.gap[top], today.level[top]), "sample"),
        share=math.nan,
        residual=math.nan,
        reason=reason,
        unstated=name,
    )
