r"""One lever at a time: its least value at which the rate falls to a fraction of today's.

At the wanted root u* row j is asked for need_j = 1 - sum of the other rows' terms, and its own
term is solved by hand:

* n: by the rate equation max(need/A, sqrt(need/B)); by a mechanism, whose variances add,
  1/need = 1/(A n) + 1/(B n²);
* epsilon: l = log(need'/(B n²))/2 with need' = need, or 1/need' = 1/need - 1/(A n) by a
  mechanism, and then the noise is inverted; out of reach where need exceeds A n;
* count: need/T_j per site of the row, real;
* signal exponent: γ_j + log(need/T_j) / (2 β u*), as T_j is exp(2 β γ_j u*) up to a constant;
* further sites of one kind: what is missing over one site's term;
* one common n: the root of an equation of the kernel's own kind, slopes 1 and 2 in log n;
* one common epsilon: sum min(A, B e^{2l}) by hand; by a mechanism one root in log ε.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import Limit
from rates.numbers import DomainError, at_root, safe_exp, solve_log
from rates.plan.base import (
    Basis,
    Rows,
    binding,
    candidate_terms,
    epsilon_of,
    join,
    log_budget_of,
    rows_at,
)
from rates.study import Server, TransferStudy

Array = NDArray[np.float64]

Best = Array | Callable[[Sequence[int], Array], Array]
Solved = tuple[Array, Array, Array, Best]  # values, log terms with them, gaps, best fractions

LEVERS = ("n", "epsilon", "count", "signal_exponent", "sites")
WHOLE = ("n", "count", "sites")
CLOSED, ITERATED = "closed form", "iteration"
_SAME = 1e-9  # a rate that changes by less than this part does not change


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """The least value of one lever at which the rate falls to a fraction of today's.

    Attributes:
        lever: One of `LEVERS`.
        site: The row, "all" for one common value, or the kind's name for further sites.
        fraction: The rate wanted, over today's.
        now: The lever's value today; nan for a common value of rows that differ.
        value: The value needed, a real number (for a signal exponent the largest that is good
            enough; for sites the number of further ones); nan where it is out of reach.
        whole: The value rounded up, for n, count and sites; None otherwise or above 1e15.
        reached: Whether some value reaches the rate.
        best: The rate at an unlimited lever over today's; 0 where nothing stops it.
        binds_now: Which branch of the row's term is smaller today.
        binds_after: The same at the value needed, or at an unlimited lever.
        share_after: The row's part of the equation there; nan where it is out of reach.
        method: "closed form" or "iteration".
        residual: Log of the left side at the wanted root with the value put in; 0 if exact.
        reason: Why it is out of reach, without a capital or full stop; empty where reached.
        unstated: The row whose missing delta is the reason; empty otherwise.
    """

    lever: str
    site: str
    fraction: float
    now: float
    value: float
    whole: int | None
    reached: bool
    best: float
    binds_now: Limit
    binds_after: Limit
    share_after: float
    method: str
    residual: float
    reason: str
    unstated: str = ""


def check_lever(lever: object) -> None:
    """Raise `DomainError` unless the name is one of `LEVERS`."""
    if lever not in LEVERS:
        rule = f"The lever must be one of {', '.join(LEVERS)}."
        raise DomainError(rule, field="lever", value=lever)


def rows_needed(own: Basis, lever: str, fraction: float, rows: Sequence[int]) -> tuple[Needed, ...]:
    """Solve for one lever at each of some rows, one row at a time, all of them at once."""
    with np.errstate(all="ignore"):  # silent and unprotected rows are limits of the algebra
        return _rows_needed(own, lever, fraction, rows)


def _rows_needed(
    own: Basis, lever: str, fraction: float, rows: Sequence[int]
) -> tuple[Needed, ...]:
    u = own.wanted(fraction)
    here, today = rows_at(own, u), rows_at(own, own.u)
    need = np.log(here.deficit + np.exp(here.level))
    value, level, gap, best = _SOLVERS[lever](own, u, here, need)
    limits = best(rows, value) if callable(best) else best
    # The value goes back in by the forward path; the other rows keep their terms.
    left = 1.0 - here.deficit - np.exp(here.level) + np.exp(level)
    out = []
    for j in rows:
        reached = bool(np.isfinite(value[j]))
        name = own.names[j]
        least, sampled = float(limits[j]), bool(today.gap[j] > 0)
        unstated = "" if reached or not _unstated(own, lever, j) else name
        why = reached or unstated
        out.append(
            record(
                lever,
                name,
                fraction,
                now=_now(own, lever, j),
                value=float(value[j]),
                best=least,
                binds=(
                    binding(today.gap[j], today.level[j]),
                    binding(gap[j], level[j] if reached else here.level[j]),
                ),
                share=float(np.exp(level[j])) if reached else math.nan,
                residual=math.log(left[j]) if reached and 0 < left[j] < math.inf else math.nan,
                reason="" if why else _why(own, lever, j, least, fraction, sampled),
                unstated=unstated,
            )
        )
    return tuple(out)


def record(
    lever: str,
    site: str,
    fraction: float,
    *,
    now: float,
    value: float,
    best: float,
    binds: tuple[Limit, Limit],
    share: float,
    residual: float,
    reason: str = "",
    unstated: str = "",
    method: str = CLOSED,
) -> Needed:
    """Put one record together; a reason means that the rate is out of reach."""
    if unstated:
        reason = f"the noise at {unstated} needs a delta, which is not stated"
    if not reason and not math.isfinite(value):
        reason = "what would be needed is too large for a number"
    reached = not reason
    whole = None
    if reached and lever in WHOLE and value < 1e15:
        whole = math.ceil(value * (1.0 - 1e-12))
    return Needed(
        lever=lever,
        site=site,
        fraction=fraction,
        now=now,
        value=value if reached else math.nan,
        whole=whole,
        reached=reached,
        best=best,
        binds_now=binds[0],
        binds_after=binds[1],
        share_after=share,
        method=method,
        residual=residual,
        reason=reason,
        unstated=unstated,
    )


def enough(own: Basis, lever: str, u: float, here: Rows, gain: Array | float) -> Array:
    """Return the least n or epsilon of each row that adds a gain to its term at u.

    Infinite or nan where no value does.
    """
    with np.errstate(all="ignore"):
        need = np.log(gain + np.exp(here.level))
        return np.asarray(_SOLVERS[lever](own, u, here, need)[0])


def _solve_n(own: Basis, u: float, here: Rows, need: Array) -> Solved:
    """Return n, the terms with it, the gaps, and the best fraction: 0, or 1 for silent rows."""
    a, b = here.sample, here.private + 2.0 * here.budget
    with np.errstate(invalid="ignore", over="ignore"):
        if own.terms.smooth:
            inner = np.logaddexp(0.0, math.log(4.0) + 2.0 * a - need - b)
            size = need - a - math.log(2.0) + np.logaddexp(0.0, 0.5 * inner)
        else:
            size = np.maximum(need - a, 0.5 * (need - b))
        size = np.where(np.isneginf(b), np.inf, size)
        value = np.exp(size)
        level = join(a + size, b + 2.0 * size, own.terms.smooth)
        return value, level, b + size - a, np.where(np.isfinite(value), 0.0, 1.0)


def _solve_epsilon(own: Basis, u: float, here: Rows, need: Array) -> Solved:
    a, b = here.sample + here.size, here.private + 2.0 * here.size
    lever = np.isfinite(here.size) & np.isfinite(here.epsilon) & (need < a)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        wanted = need - np.log(-np.expm1(need - a)) if own.terms.smooth else need
        value = epsilon_of(own, np.where(lever, 0.5 * (wanted - b), np.nan), here.delta)
        value = np.where(lever, value, np.nan)
        budget = log_budget_of(own, np.where(lever, value, np.inf), here.delta)
        level, gap = join(a, b + 2.0 * budget, own.terms.smooth), b + 2.0 * budget - a

    def best(rows: Sequence[int], found: Array) -> Array:
        out = np.ones(len(found))
        out[lever] = 0.0
        asked = [j for j in rows if np.isfinite(here.size[j]) and np.isfinite(here.epsilon[j])]
        budgets = np.tile(np.broadcast_to(own.terms.log_budget, own.terms.shape), (len(asked), 1))
        budgets[np.arange(len(asked)), asked] = np.inf
        out[asked] = own.fraction(solve_log(own.terms.changed(log_budget=budgets)))
        return out

    return value, level, gap, best


def _solve_count(own: Basis, u: float, here: Rows, need: Array) -> Solved:
    lever = np.isfinite(here.level)
    if isinstance(own.study, TransferStudy):
        lever[0] = False
    with np.errstate(over="ignore", invalid="ignore"):
        value = np.where(lever, here.many * np.exp(need - here.level), np.nan)
        level = here.level + np.log(value / here.many)
    return value, level, here.gap, np.where(lever, 0.0, 1.0)


def _solve_gamma(own: Basis, u: float, here: Rows, need: Array) -> Solved:
    out = np.full(own.terms.shape, np.nan)
    best = np.ones(own.terms.shape)
    if not isinstance(own.study, TransferStudy) or u >= 0:
        return out, here.level, here.gap, best
    gamma = np.array([s.signal_exponent for s in own.study.servers])
    per = 2.0 * own.study.smoothness * u
    lever = np.isfinite(here.level)
    lever[0] = False
    value = gamma + np.where(lever, need - here.level, np.nan) / per
    value = np.where(value > 0, value, np.nan)
    level = here.level + per * (value - gamma)

    def limits(rows: Sequence[int], found: Array) -> Array:
        asked = [j for j in rows if lever[j]]
        slopes = np.tile(here.slope, (len(asked), 1))
        slopes[np.arange(len(asked)), asked] = here.step[asked]
        best[asked] = own.fraction(solve_log(own.terms.changed(slope=slopes)))
        return best

    return value, level, here.gap, limits


_SOLVERS = {
    "n": _solve_n,
    "epsilon": _solve_epsilon,
    "count": _solve_count,
    "signal_exponent": _solve_gamma,
}


def _now(own: Basis, lever: str, j: int) -> float:
    return float(getattr(own.study.servers[j], lever))


def _why(own: Basis, lever: str, j: int, best: float, fraction: float, sample_binds: bool) -> str:
    """Say why one row's lever does not reach the rate."""
    server = own.study.servers[j]
    name = server.name
    if lever == "signal_exponent" and not isinstance(own.study, TransferStudy):
        return "the sites of a federated study share one curve, so there is no signal exponent"
    if lever in ("signal_exponent", "count") and j == 0 and isinstance(own.study, TransferStudy):
        return f"{name} is the target, whose {lever.replace('_', ' ')} is fixed at 1"
    if server.n == 0 and lever != "n":
        return f"{name} holds no records, so it carries nothing and nothing changes"
    if server.epsilon == 0 and lever != "epsilon":
        return f"{name} releases nothing (epsilon 0), so it carries nothing and nothing changes"
    if lever == "epsilon" and math.isinf(server.epsilon):
        return f"{name} is unprotected already, so its budget is no lever"
    if lever == "signal_exponent" and own.wanted(fraction) >= 0:
        return "the rate stays trivial at this target, and a signal exponent has no meaning there"
    what = "without privacy" if lever == "epsilon" else "with a signal exponent near 0"
    because = ", because its part is too small"
    if lever == "epsilon" and sample_binds:
        because = f", because sampling binds {name}"
    return short_of(best, fraction, f"{what} at {name}", because)


def _unstated(own: Basis, lever: str, j: int) -> bool:
    """Whether a missing delta is what keeps one row's lever from an answer."""
    server = own.study.servers[j]
    if own.laplace or server.delta is not None or math.isinf(server.epsilon):
        return False
    return (lever == "n" and server.epsilon > 0) or (lever == "epsilon" and server.n > 0)


def short_of(best: float, fraction: float, what: str, because: str) -> str:
    """Say how far an unlimited lever gets, where that is not far enough."""
    if best >= 1.0 - _SAME:
        return f"nothing changes even {what}{because}"
    if best > 0.99:
        return f"even {what} the rate would fall by less than 1 %, not to {fraction:.2g} of today's"
    digits = next((d for d in range(2, 12) if f"{best:.{d}g}" != f"{fraction:.{d}g}"), 12)
    return (
        f"even {what} the rate would fall only to about {best:.{digits}g} of today's, "
        f"not {fraction:.{digits}g}"
    )


def sites_needed(own: Basis, kind: Server, fraction: float) -> Needed:
    """Solve for the number of further sites of one kind."""
    level, gap = _kind_term(own, kind, own.wanted(fraction))
    deficit = rows_at(own, own.wanted(fraction)).deficit
    reached = level > -math.inf
    reason = (
        ""
        if reached
        else (
            f"a site like {kind.name} with "
            + ("no records" if kind.n == 0 else "epsilon 0")
            + " carries nothing and nothing changes"
        )
    )
    value = safe_exp(math.log(deficit) - level) if reached else math.nan
    return record(
        "sites",
        kind.name,
        fraction,
        now=0.0,
        value=value,
        best=0.0 if reached else 1.0,
        binds=("none", binding(gap, level)),
        share=deficit if reached else math.nan,
        residual=math.log1p(math.expm1(math.log(value) + level - math.log(deficit)) * deficit)
        if reached and 0 < value < math.inf
        else math.nan,
        reason=reason,
    )


def _kind_term(own: Basis, kind: Server, u: float) -> tuple[float, float]:
    """Return one further site's log term and gap at u."""
    level, gap = at_root(candidate_terms(own, [replace(kind, count=1)]), u)
    return float(level[0]), float(gap[0])
