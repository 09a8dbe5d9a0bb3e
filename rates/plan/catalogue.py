r"""The levers, one record each: what it changes, and its least value for a wanted rate.

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
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, Terms, Words, at_root, crossing, safe_exp, solve_log
from rates.plan import base
from rates.plan.lever import Flags, Lever, Needed, Solved, common_epsilon, common_n, record
from rates.study import Server, TransferStudy, columns

Array = NDArray[np.float64]

_FAR = 80.0  # |log value| inside which a value is looked for


def _log(x: Array) -> Array:
    """Logs of values, down the first axis."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(x)[:, None])


def _budgets(own: base.Basis) -> tuple[Array, Array]:
    c = columns(own.servers)
    return c["epsilon"], c["delta"]


def _solve_n(own: base.Basis, u: float, here: base.Rows, need: Array) -> Solved:
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
        level = base.join(a + size, b + 2.0 * size, own.terms.smooth)
        return value, level, b + size - a, np.where(np.isfinite(value), 0.0, 1.0)


def _change_n(own: base.Basis, rows: Flags, x: Array, kind: Server | None) -> Terms:
    budget = base.log_budget_of(own, *_budgets(own))
    quiet = np.where(np.isnan(budget), -np.inf, budget)
    return own.terms.changed(log_size=np.where(rows, _log(x), own.terms.log_size), log_budget=quiet)


N = Lever(
    name="n",
    title="Records n",
    words="{site} needs {value} records",
    change=_change_n,
    solve=_solve_n,
    common=common_n,
    common_words="every site needs {value} records",
    whole=True,
    supplies="n",
    stops="never",
)


def _solve_epsilon(own: base.Basis, u: float, here: base.Rows, need: Array) -> Solved:
    a, b = here.sample + here.size, here.private + 2.0 * here.size
    lever = np.isfinite(here.size) & ((need < a) | (need == a) & (not own.terms.smooth))
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        wanted = need - np.log(-np.expm1(need - a)) if own.terms.smooth else need
        value = base.epsilon_of(own, np.where(lever, 0.5 * (wanted - b), np.nan), here.delta)
        value = np.where(lever, value, np.nan)
        budget = base.log_budget_of(own, np.where(lever, value, np.inf), here.delta)
        level, gap = base.join(a, b + 2.0 * budget, own.terms.smooth), b + 2.0 * budget - a

    def best(rows: Sequence[int], found: Array) -> Array:
        out = np.ones(len(found))
        out[lever] = 0.0
        asked = [j for j in rows if np.isfinite(here.size[j]) and np.isfinite(here.epsilon[j])]
        budgets = np.tile(np.broadcast_to(own.terms.log_budget, own.terms.shape), (len(asked), 1))
        budgets[np.arange(len(asked)), asked] = np.inf
        out[asked] = own.fraction(solve_log(own.terms.changed(log_budget=budgets)))
        return out

    return value, level, gap, best


def _change_epsilon(own: base.Basis, rows: Flags, x: Array, kind: Server | None) -> Terms:
    epsilon, delta = _budgets(own)
    grid = np.where(rows, x[:, None], epsilon)
    moved = base.log_budget_of(own, grid, np.broadcast_to(delta, grid.shape))
    return own.terms.changed(log_budget=np.where(np.isnan(moved), -np.inf, moved))


def _no_budget(own: base.Basis, j: int, fraction: float) -> str:
    server = own.servers[j]
    unprotected = f"{server.name} is unprotected already, so its budget is no lever"
    return unprotected if math.isinf(server.epsilon) else ""


EPSILON = Lever(
    name="epsilon",
    title="Budget ε",
    words="{site} needs epsilon {value}",
    change=_change_epsilon,
    solve=_solve_epsilon,
    common=common_epsilon,
    common_words="every private site needs epsilon {value}",
    everyone="Every protected site",
    who="every private row",
    unlimited="without privacy",
    sampled=True,
    supplies="epsilon",
    refusal=_no_budget,
    stops="exactly",
)


def _solve_count(own: base.Basis, u: float, here: base.Rows, need: Array) -> Solved:
    lever = np.isfinite(here.level)
    if isinstance(own.study, TransferStudy):
        lever[0] = False
    with np.errstate(over="ignore", invalid="ignore"):
        value = np.where(lever, here.many * np.exp(need - here.level), np.nan)
        level = here.level + np.log(value / here.many)
    return value, level, here.gap, np.where(lever, 0.0, 1.0)


def _change_count(own: base.Basis, rows: Flags, x: Array, kind: Server | None) -> Terms:
    many = columns(own.servers)["count"]
    return own.terms.times(np.where(rows, _log(x) - np.log(many), 0.0))


COUNT = Lever(
    name="count",
    title="Number of such sites",
    words="{value} sites like {site} are needed",
    everyone="Every row of sites alike",
    change=_change_count,
    solve=_solve_count,
    whole=True,
    of_target=False,
    stops="never",
)


def _solve_gamma(own: base.Basis, u: float, here: base.Rows, need: Array) -> Solved:
    out = np.full(own.terms.shape, np.nan)
    best = np.ones(own.terms.shape)
    if not isinstance(own.study, TransferStudy) or u >= 0:
        return out, here.level, here.gap, best
    gamma = np.array([s.signal_exponent for s in own.servers])
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


def _change_gamma(own: base.Basis, rows: Flags, x: Array, kind: Server | None) -> Terms:
    if not isinstance(own.study, TransferStudy):
        rule = "Sites of a federated study share one curve: there is no signal exponent."
        raise DomainError(rule, "lever", "signal_exponent")
    gamma = np.where(rows, x[:, None], columns(own.servers)["signal_exponent"])
    slope = 2.0 * own.study.smoothness * gamma + own.study.dimension
    return own.terms.changed(slope=slope)


def _no_signal(own: base.Basis, j: int, fraction: float) -> str:
    if own.wanted(fraction) < 0:
        return ""
    return "the rate stays trivial at this target, and a signal exponent has no meaning there"


SIGNAL_EXPONENT = Lever(
    name="signal_exponent",
    title="Signal γ",
    words="{site} needs a signal exponent of at most {value}",
    change=_change_gamma,
    solve=_solve_gamma,
    largest=True,
    unlimited="with a signal exponent near 0",
    of_target=False,
    no_curve="the sites of a federated study share one curve, so there is no signal exponent",
    refusal=_no_signal,
)


def _one_more(own: base.Basis, kind: Server) -> Terms:
    """The term of one further site."""
    return base.candidate_terms(own, [replace(kind, count=1)])


def _change_sites(own: base.Basis, rows: Flags, x: Array, kind: Server | None) -> Terms:
    return own.terms.joined(_one_more(own, check_kind(kind)).times(_log(x)))


def check_kind(kind: Server | None) -> Server:
    """Return the kind of further sites, or raise `DomainError` where there is none."""
    if kind is None:
        rule = "Further sites need a kind: a Server that says what each of them holds."
        raise DomainError(rule, "kind", Words("nothing"))
    return kind


def _sites_needed(lever: Lever, own: base.Basis, kind: Server, fraction: float) -> Needed:
    """Solve for the number of further sites of one kind."""
    u = own.wanted(fraction)
    (level,), (gap,) = at_root(_one_more(own, kind), u)
    deficit = base.rows_at(own, u).deficit
    reached = level > -math.inf
    empty = "no records" if kind.n == 0 else "epsilon 0"
    reason = f"a site like {kind.name} with {empty} carries nothing and nothing changes"
    value = safe_exp(math.log(deficit) - level) if reached else math.nan
    return record(
        lever,
        kind.name,
        fraction,
        now=0.0,
        value=value,
        best=0.0 if reached else 1.0,
        binds_now="none",
        binds_after=base.binding(gap, level),
        share_after=deficit if reached else math.nan,
        residual=math.log1p(math.expm1(math.log(value) + level - math.log(deficit)) * deficit)
        if reached and 0 < value < math.inf
        else math.nan,
        reason="" if reached else reason,
    )


SITES = Lever(
    name="sites",
    title="Further sites",
    words="{value} further sites like {site} are needed",
    change=_change_sites,
    whole=True,
    stops="never",
    further=_sites_needed,
)

LEVERS: dict[str, Lever] = {x.name: x for x in (N, EPSILON, COUNT, SIGNAL_EXPONENT, SITES)}


def check_lever(name: object) -> Lever:
    """Return the lever of a name, or raise `DomainError`."""
    if not isinstance(name, str) or name not in LEVERS:
        raise DomainError(f"The lever must be one of {', '.join(LEVERS)}.", "lever", name)
    return LEVERS[name]


def common_names(word: str = "and") -> str:
    """The names of the levers that may have one common value for all rows."""
    return f" {word} ".join(name for name, lever in LEVERS.items() if lever.common)


def solved(lever: Lever, own: base.Basis, u: float, here: base.Rows, need: Array) -> Solved:
    """Solve for the value of every row whose own term has to be e^need at u = log r."""
    with np.errstate(all="ignore"):  # silent and unprotected rows are limits of the algebra
        return (lever.solve or partial(_searched, lever))(own, u, here, need)


def _searched(lever: Lever, own: base.Basis, u: float, here: base.Rows, need: Array) -> Solved:
    """Look for the values along the equation itself; terms rise with the lever."""
    shape = own.terms.shape
    value, best = np.full(shape, np.nan), np.ones(shape)
    level, gap = here.level.copy(), here.gap.copy()
    end = -_FAR if lever.largest else _FAR
    for j in lever.rows(own.study):
        row = np.arange(shape[0]) == j

        def at(x: float, row: Flags = row) -> Terms:
            return lever.change(own, row, np.array([safe_exp(x)]), None)[0]

        def short(x: float, j: int = j, at: Callable[[float], Terms] = at) -> float:
            return float(at_root(at(x), u)[0][j] - need[j])

        if not short(end) >= 0:
            best[j] = own.fraction(solve_log(at(end)))
            continue
        best[j], value[j] = 0.0, 0.0
        if short(-end) < 0:
            value[j] = math.exp(crossing(short, -_FAR, _FAR, xtol=1e-13, rtol=1e-13))
            terms, gaps = at_root(at(math.log(value[j])), u)
            level[j], gap[j] = terms[j], gaps[j]
    return value, level, gap, best


def enough(lever: Lever, own: base.Basis, u: float, here: base.Rows, gain: Array | float) -> Array:
    """Return the least value of each row that adds a gain to its term; inf or nan where none."""
    with np.errstate(all="ignore"):
        need = np.log(gain + np.exp(here.level))
    return solved(lever, own, u, here, need)[0]
