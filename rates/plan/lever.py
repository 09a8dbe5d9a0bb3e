"""What a lever is, what is found for one, and one common value of n or epsilon for all rows.

The levers themselves stand in `catalogue`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rates.answer import Limit
from rates.numbers import Terms, crossing, make_terms, safe_exp, solve_log
from rates.plan.base import Basis, Rows, binding, join, log_budget_of, rows_at
from rates.study import Server, Study, TransferStudy

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

Best = Array | Callable[[Sequence[int], Array], Array]
Solved = tuple[Array, Array, Array, Best]  # values, log terms with them, gaps, best fractions

ALL = "all"
CLOSED, ITERATED = "closed form", "iteration"
_ENDS = (-700.0, 700.0)  # log epsilon beyond which no number is left
_SAME = 1e-9  # a rate that changes by less than this part does not change


class Unreachable(ValueError):  # noqa: N818 (a public name)
    """No value of the quantity reaches the rate; the message says what remains out of reach.

    Attributes:
        best: The rate that an infinite value would give.
    """

    def __init__(self, message: str, best: float) -> None:
        self.best = best
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lever:
    """One thing that can be changed at the rows of a study, with all that is said of it.

    Attributes:
        name: Its name in signatures, files and on the command line.
        title: Its name on pages.
        words: What a row needs of it, with ``{site}`` and ``{value}``.
        change: From a basis, the rows that change, values, and the kind of further sites: the
            equation at each value, along the first axis.
        solve: From a basis, u = log r, its rows there and the log of what each row's own term has
            to be: the least values, in closed form. None: it is found by search along ``change``.
        now: Its value today at one of a row's sites; an attribute of that name where not given.
        common: From the lever, a basis and a fraction: the least value common to all rows; None
            where that has no meaning.
        common_words: What it is then said to need, with ``{value}``.
        everyone: What "all" means for it, for pages.
        who: The same for the command line.
        whole: Whether only whole numbers make sense.
        largest: Whether the largest value is meant that is good enough.
        unlimited: What an unlimited value is like, where it may fall short of a rate.
        sampled: Whether a row's own sample may be what stops it.
        supplies: Which of "n" and "epsilon" it is, so that a row without any is no obstacle.
        of_target: Whether the target of a transfer study has it.
        no_curve: Why a federated study does not have it; empty where it has.
        refusal: From a basis, a row and a fraction: why it is no lever there; empty where it is.
        stops: How it stops mattering: "nearly" near its best rate, "exactly" by the rate
            equation's minimum and else nearly, or "never".
        further: For further sites of one kind in place of rows, what `common` is for all rows:
            from the lever, a basis, the kind and a fraction; None for a lever at rows.
    """

    name: str
    title: str
    words: str
    change: Callable[[Basis, Flags, Array, Server | None], Terms]
    solve: Callable[[Basis, float, Rows, Array], Solved] | None = None
    now: Callable[[Server], float] | None = None
    common: Callable[[Lever, Basis, float], Needed] | None = None
    common_words: str = ""
    everyone: str = "Every site"
    who: str = "every row"
    whole: bool = False
    largest: bool = False
    unlimited: str = "with an unlimited value"
    sampled: bool = False
    supplies: str = ""
    of_target: bool = True
    no_curve: str = ""
    refusal: Callable[[Basis, int, float], str] | None = None
    stops: Literal["nearly", "exactly", "never"] = "nearly"
    further: Callable[[Lever, Basis, Server, float], Needed] | None = None

    def fits(self, study: Study) -> bool:
        """Whether a study of this kind has it."""
        return isinstance(study, TransferStudy) or not self.no_curve

    def rows(self, study: Study) -> range:
        """The rows of a study that may have it."""
        fixed = isinstance(study, TransferStudy) and not self.of_target
        return range(int(fixed), len(study.servers))

    def today(self, server: Server) -> float:
        """Its value today at one of a row's sites."""
        return float(self.now(server) if self.now else getattr(server, self.name))

    def amount(self, value: float) -> str:
        """A value with the lever's name, as the command line says it."""
        if self.further:
            return f"{value:.6g} further {self.name}"
        return f"{self.name} {'<=' if self.largest else '='} {value:.6g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """The least value of one lever at which the rate falls to a fraction of today's.

    Attributes:
        lever: The name of one of `LEVERS`.
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
    method: str = CLOSED
    residual: float
    reason: str
    unstated: str = ""


def record(
    lever: Lever,
    site: str,
    fraction: float,
    *,
    value: float,
    reason: str = "",
    unstated: str = "",
    **found: Any,
) -> Needed:
    """Put one record together; a reason means that the rate is out of reach."""
    if unstated:
        reason = f"the noise at {unstated} needs a delta, which is not stated"
    if not reason and not math.isfinite(value):
        reason = "what would be needed is too large for a number"
    reached = not reason
    whole = None
    if reached and lever.whole and value < 1e15:
        whole = math.ceil(value * (1.0 - 1e-12))
    return Needed(
        lever=lever.name,
        site=site,
        fraction=fraction,
        value=value if reached else math.nan,
        whole=whole,
        reached=reached,
        reason=reason,
        unstated=unstated,
        **found,
    )


def short_of(best: float, fraction: float, what: str, because: str) -> str:
    """Say how far an unlimited lever gets, where that is not far enough."""
    if best >= 1.0 - _SAME:
        return f"nothing changes even {what}{because}"
    if best > 0.99:
        return f"even {what} the rate would fall by less than 1%, not to {fraction:.2g} of today's"
    digits = next((d for d in range(2, 12) if f"{best:.{d}g}" != f"{fraction:.{d}g}"), 12)
    return (
        f"even {what} the rate would fall only to about {best:.{digits}g} of today's, "
        f"not {fraction:.{digits}g}"
    )


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
        if low < _ENDS[0]:
            return 0.0
    while excess(high) < 0:
        high += 2.0
        if high > _ENDS[1]:
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
