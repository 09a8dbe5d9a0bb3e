"""One common value for all rows: of n, or of the budget of every private row."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rates.numbers import crossing, make_terms, safe_exp, solve_log
from rates.plan.base import Basis, Rows, binding, join, log_budget_of, rows_at
from rates.plan.lever import ALL, CLOSED, ITERATED, Lever, Needed, record, short_of

Array = NDArray[np.float64]

_FAR = (-700.0, 700.0)  # log epsilon beyond which no number is left


def common_n(lever: Lever, own: Basis, fraction: float) -> Needed:
    """Solve for one common n of every row."""
    here = rows_at(own, own.wanted(fraction))
    value, silent = safe_exp(n_for_all(own, here)), np.isnan(here.budget)
    with np.errstate(all="ignore"):
        budget, x = np.where(silent, -np.inf, here.budget), np.log(value)
        level = join(here.sample + x, here.private + 2.0 * (x + budget), own.terms.smooth)
        gap = here.private + 2.0 * budget + x - here.sample
    return _common_record(lever, own, fraction, value, level, gap, ITERATED)


def n_for_all(own: Basis, here: Rows) -> float:
    """Return the log of the least common n; the root of an equation of the kernel's own kind."""
    budget = np.where(np.isnan(here.budget), -np.inf, here.budget)
    zero, smooth = np.zeros(own.terms.shape), own.terms.smooth
    return float(
        solve_log(make_terms(zero, budget, 1.0, 1.0, here.sample, here.private, smooth=smooth))
    )


def common_epsilon(lever: Lever, own: Basis, fraction: float) -> Needed:
    """Solve for one common epsilon of every private row."""
    here = rows_at(own, own.wanted(fraction))
    private = private_rows(here)
    stated = own.laplace or not np.isnan(here.delta[private]).any()
    if not stated or not private.any() or best_free(own, private) > fraction:
        return _common_unreached(lever, own, fraction, private)
    need = math.log(here.deficit + math.fsum(np.exp(here.level[private])))
    with np.errstate(all="ignore"):  # silent and unprotected rows are limits of the algebra
        value = budget_for_all(own, here, need)
        a, b = here.sample + here.size, here.private + 2.0 * here.size
        budget = log_budget_of(own, np.where(private, value, here.epsilon), here.delta)
        level = np.where(np.isneginf(a), -np.inf, join(a, b + 2.0 * budget, own.terms.smooth))
        gap = b + 2.0 * budget - a
    method = ITERATED if own.terms.smooth else CLOSED
    return _common_record(lever, own, fraction, value, level, gap, method)


def private_rows(here: Rows) -> NDArray[np.bool_]:
    """The rows with records and a finite budget."""
    return np.asarray(np.isfinite(here.epsilon) & np.isfinite(here.size))


def budget_for_all(own: Basis, here: Rows, need: float) -> float:
    """Return the least common epsilon of the private rows; their terms have to add to e^need."""
    private = private_rows(here)
    a, b = here.sample + here.size, here.private + 2.0 * here.size
    if own.terms.smooth:
        return _common_root(own, here, private, a, b, need)
    return safe_exp(capped_sum_root(a[private], b[private], need) / 2.0)


def capped_sum_root(a: Array, b: Array, level: float) -> float:
    """Return x, least with sum_i min(e^a_i, e^(b_i + x)) >= e^level; infinity if there is none."""
    order = np.argsort(a - b)
    flat = np.concatenate([[-np.inf], np.logaddexp.accumulate(a[order])]) if a.size else a
    if not a.size or flat[-1] < level:
        return math.inf
    rising = np.logaddexp.accumulate(b[order][::-1])[::-1]
    # Between the k-th and the next saturation, k terms are flat and the others rise.
    for k in range(a.size):
        rest = level + math.log(-math.expm1(flat[k] - level)) if flat[k] < level else -math.inf
        x = rest - float(rising[k])
        if x <= float((a - b)[order][k]):
            return x
    return float((a - b)[order][-1])


def best_free(own: Basis, private: NDArray[np.bool_]) -> float:
    """The rate with those rows unprotected, over today's."""
    budget = np.where(private, np.inf, own.terms.log_budget)
    return float(own.fraction(float(solve_log(own.terms.changed(log_budget=budget)))))


def _common_root(
    own: Basis, here: Rows, private: NDArray[np.bool_], a: Array, b: Array, need: float
) -> float:
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
    return math.exp(crossing(excess, low, high, xtol=1e-14, rtol=1e-14)) if high > low else 0.0


def _common_record(
    lever: Lever, own: Basis, fraction: float, value: float, level: Array, gap: Array, method: str
) -> Needed:
    today, total = rows_at(own, own.u), float(np.exp(level).sum())
    heaviest, then = int(np.argmax(today.level)), int(np.argmax(level))
    return record(
        lever,
        ALL,
        fraction,
        now=_today(lever, own),
        value=value,
        best=0.0 if lever.supplies == "n" else best_free(own, np.isfinite(today.epsilon)),
        binds_now=binding(today.gap[heaviest], today.level[heaviest]),
        binds_after=binding(gap[then], level[then]),
        share_after=total,
        residual=math.log(total) if 0 < total < math.inf else math.nan,
        method=method,
    )


def _today(lever: Lever, own: Basis) -> float:
    """The common value today; nan where the rows differ."""
    rows = [s for s in own.servers if s.private or lever.supplies == "n"]
    values = {lever.today(s) for s in rows}
    return values.pop() if len(values) == 1 else math.nan


def _common_unreached(
    lever: Lever, own: Basis, fraction: float, private: NDArray[np.bool_]
) -> Needed:
    today = rows_at(own, own.u)
    best = best_free(own, private)
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
        lever,
        ALL,
        fraction,
        now=_today(lever, own),
        value=math.nan,
        best=best,
        binds_now=binding(today.gap[top], today.level[top]),
        binds_after="sample",
        share_after=math.nan,
        residual=math.nan,
        reason=reason,
        unstated=name,
    )
