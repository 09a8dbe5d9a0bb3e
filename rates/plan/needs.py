r"""What a change needs for a rate, found by search along its own forward map.

At the wanted root u* the terms of the rows that change have to add what is missing to what they
add today,

.. math:: \sum_j T_j(x; u^*) \ge \sum_j T_j(u^*) + 1 - \sum_i T_i(u^*),

with j over one row, or over all rows with one common value. The left side rises with x, and its
least x is found by `rates.numbers.rising`, for all rows at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from rates.answer import BY_EQUATION, Lens, TransferAnswer, solve
from rates.numbers import DomainError, Terms, Words, log0, rising, safe_exp, solve_log
from rates.plan.base import Array, Basis, basis, check_fraction, check_rate
from rates.plan.change import ALL, LEVERS, Change, check_lever, common
from rates.study import Server, Study

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
    reason: str = ""
    unstated: str = ""


def record(
    lever: Change,
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
    # As many digits as it takes to tell the two numbers apart.
    digits = next((d for d in range(2, 12) if f"{best:.{d}g}" != f"{fraction:.{d}g}"), 12)
    return (
        f"even {what} the rate would fall only to about {best:.{digits}g} of today's, "
        f"not {fraction:.{digits}g}"
    )


def unlimited(lever: Change, own: Basis) -> Terms:
    """Return the rows' terms with values that nothing limits."""
    with np.errstate(all="ignore"):
        return lever.change(own, np.full(len(own.servers), 0.0 if lever.largest else np.inf))


@np.errstate(all="ignore")  # silent and unprotected rows are limits of the algebra
def least(lever: Change, own: Basis, u: float, need: Array, *, alike: bool = False) -> Array:
    """Find the least value of a lever at each of some rows, or one for all of them.

    Args:
        lever: The lever.
        own: The rows.
        u: The wanted log r.
        need: The log of what each row's term has to be; of their sum for one common value.
        alike: Whether one common value is meant.

    Returns:
        Nan where even an unlimited value is not enough; infinite where it is too large to hold.
    """
    sign = -1.0 if lever.largest else 1.0  # of an exponent terms fall: its negative log is sought

    def added(terms: Terms) -> Array:
        level, _ = own.levels(u, terms)
        return np.logaddexp.reduce(level, keepdims=True) if alike else level

    # Where even that is too little there is no root to look for: those rows are held at 0.
    reach = added(unlimited(lever, own)) >= need
    now = lever.values(own)
    start = sign * log0(now.max(keepdims=True) if alike else now)
    found = rising(
        lambda x: np.where(reach, added(lever.change(own, np.exp(sign * x))) - need, 0.0),
        np.where(np.isfinite(start), start, 0.0),
    )
    return np.where(reach, np.exp(sign * found), np.nan)


def needed(
    study: Study,
    lever: str,
    site: str = ALL,
    *,
    fraction: float,
    kind: Server | None = None,
    lens: Lens = BY_EQUATION,
) -> Needed:
    r"""Solve for one unknown so that the rate falls to a fraction of today's.

    Args:
        study: A study.
        lever: The name of one of `rates.plan.change.LEVERS`.
        site: A row's name; "all" for one common n of every row, or one common epsilon of every
            private row. Not used for sites.
        fraction: The rate wanted over today's, both uncapped, in (0, 1).
        kind: The kind of further sites, for "sites"; its count is not used.
        lens: Which risk, by which answer.

    Returns:
        A record with the value and its evidence. With count > 1 the value is that of each of
        the row's sites.

    Raises:
        DomainError: An argument lies outside its set, or no row has that name.
        Unreachable: No value reaches the rate; the message says what holds.

    Examples:
        Half the rate asks a lone unprotected target for 2^3 times its records.

        >>> from rates.study import TransferStudy
        >>> lone = Server(name="target", n=50, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=1, dimension=1, margin=0)
        >>> needed(study, "n", "target", fraction=0.5).whole
        400

    Source: [ACC] eqs. (5), (6); [CCV] eqs. (14), (17), solved for one unknown.
    """
    fraction = check_fraction(fraction)
    asked, own = check_lever(lever), basis(study, lens)
    found = needed_at(asked, own, site, fraction, kind)
    if not found.reached:
        by = "rate equation" if lens.mechanism is None else "mechanism"
        best = safe_exp(min(0.0, own.power * own.u + math.log(max(found.best, 1e-300))))
        raise Unreachable(f"By the {by} {found.reason}.", best)
    return found


def needed_at(
    lever: Change, own: Basis, site: str, fraction: float, kind: Server | None = None
) -> Needed:
    """Solve for one lever at a row, for one common value of all rows, or for further sites."""
    if lever.further:
        return rows_needed(lever, own, fraction, own.beside([check_kind(kind)]))[0]
    rows = lever.among(own, site)
    return rows_needed(lever, own, fraction, own.only(rows), alike=site == ALL)[0]


def check_kind(kind: Server | None) -> Server:
    """Return one site of the kind of further ones, or raise `DomainError` where there is none."""
    if kind is None:
        rule = "Further sites need a kind: a Server that says what each of them holds."
        raise DomainError(rule, "kind", Words("nothing"))
    return replace(kind, count=1)


@np.errstate(all="ignore")  # silent and unprotected rows are limits of the algebra
def rows_needed(
    lever: Change, own: Basis, fraction: float, part: Basis, *, alike: bool = False
) -> tuple[Needed, ...]:
    """Solve for one lever at each of some rows, all of them at once; or for one value of all.

    Args:
        lever: The lever.
        own: The study.
        fraction: The rate wanted over today's.
        part: The rows that change: some of its own, or further ones.
        alike: Whether all of them change to one common value.
    """
    if not lever.fits(own.study) or not part.servers:
        none = partial(record, lever, fraction=fraction, now=math.nan, value=math.nan, best=1.0)
        if not part.servers:
            return (none(ALL, reason=lever.nobody),) if alike else ()
        return tuple(none(name, reason=lever.no_curve) for name in part.names)
    u, now = own.wanted(fraction), lever.values(part)
    # Today's value by the same map: a row without records adds nothing, whatever its budget.
    have = np.exp(part.levels(u, lever.change(part, now))[0])
    missing = own.missing(u) + (have.sum(keepdims=True) if alike else have)
    value = least(lever, part, u, np.log(missing), alike=alike)
    best = _best(lever, own, part, alike=alike)
    level, gap = part.levels(own.u)
    sampled = (gap > 0) | (level == -np.inf)
    groups: Sequence[tuple[Server, ...]] = [(server,) for server in part.servers]
    if alike:
        now = now[:1] if (now == now[0]).all() else np.array([np.nan])
        sampled, groups = sampled.all(keepdims=True), [part.servers]
    out = []
    for j, group in enumerate(groups):
        site = ALL if alike else group[0].name
        reason = "" if alike else refusal(lever, part, group[0], u)
        silent = next((s.name for s in group if unstated(lever, part, s)), "")
        if not reason and not silent and math.isnan(value[j]):
            binds = lever.sampled and bool(sampled[j])
            reason = _short(lever, site, float(best[j]), fraction, binds)
        out.append(
            record(
                lever,
                site,
                fraction,
                now=float(now[j]),
                value=float(value[j]),
                best=float(best[j]),
                reason=reason,
                unstated="" if reason else silent,
            )
        )
    return tuple(out)


def _best(lever: Change, own: Basis, part: Basis, *, alike: bool) -> Array:
    """The rate with an unlimited lever at each of some rows, or at all of them, over today's."""
    free = unlimited(lever, part)
    limit, _ = part.levels(own.u, free)
    if alike:
        rest = own.only([name not in set(part.names) for name in own.names])
        u = -np.inf if np.isposinf(limit).any() else solve_log(rest.terms.joined(free))
        return own.fraction(np.array([u]))
    out = np.where(np.isposinf(limit), 0.0, 1.0)
    if (some := np.flatnonzero(np.isfinite(limit))).size:
        place = {name: j for j, name in enumerate(own.names)}
        rows = np.array([place[part.names[k]] for k in some])
        out[some] = own.fraction(solve_log(own.without(rows).joined(free[..., some][:, None])))
    return out


def refusal(lever: Change, own: Basis, server: Server, u: float) -> str:
    """Say why there is no such lever at a row; empty where there is."""
    name, study = server.name, own.study
    if lever.further:
        empty = "no records" if server.n == 0 else "epsilon 0"
        nothing = f"a site like {name} with {empty} carries nothing and nothing changes"
        return "" if server.informative else nothing
    if study.target and not lever.of_target and name == study.target.name:
        return f"{name} is the target, whose {lever.name.replace('_', ' ')} is fixed at 1"
    if server.n == 0 and lever.name != "n":
        return f"{name} holds no records, so it carries nothing and nothing changes"
    if server.epsilon == 0 and lever.name != "epsilon":
        return f"{name} releases nothing (epsilon 0), so it carries nothing and nothing changes"
    return lever.refusal(own, server, u) if lever.refusal else ""


def unstated(lever: Change, own: Basis, server: Server) -> bool:
    """Whether a missing delta is what keeps a row's lever from an answer."""
    if own.laplace or server.delta is not None or math.isinf(server.epsilon):
        return False
    return {"n": server.epsilon, "epsilon": server.n}.get(lever.name, 0) > 0


def _short(lever: Change, site: str, best: float, fraction: float, sampled: bool) -> str:
    """Say how far a lever gets that does not reach the rate."""
    if site == ALL:
        because = ", because sampling binds every site" if sampled else ""
        return short_of(best, fraction, lever.unlimited, because)
    because = f"sampling binds {site}" if sampled else "its part is too small"
    return short_of(best, fraction, f"{lever.unlimited} at {site}", f", because {because}")


def smallest(study: Study, quantity: str, servers: str, *, rate: float) -> float:
    """Return the smallest size or budget at which the rate equation reaches a rate.

    Args:
        study: A study; for a federated one the rate is that of the integrated risk.
        quantity: "n" or "epsilon".
        servers: A row's name, or "all" for one common value: of every row's n, or of every
            private row's epsilon (unprotected rows stay so).
        rate: The rate wanted, in (0, 1).

    Returns:
        A real number; 0 if the rate is reached without those servers. With count > 1 the value
        is that of each of the row's servers.

    Raises:
        DomainError: An argument lies outside its set, or no row has that name.
        Unreachable: Even an infinite value does not reach the rate.

    Examples:
        A lone unprotected target needs n = r^-(2 beta + d) = 1000 for r = 0.1.

        >>> from rates.study import TransferStudy
        >>> lone = Server(name="target", n=50, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=1, dimension=1, margin=0)
        >>> round(smallest(study, "n", "target", rate=0.1), 9)
        1000.0

    Source: [ACC] eqs. (5), (6); [CCV] eq. (14), solved for one unknown.
    """
    lever = LEVERS.get(quantity)
    if lever is None or not lever.common:
        raise DomainError(f"The quantity must be {' or '.join(common())}.", "quantity", quantity)
    check_rate(rate)
    # As for `needed`, measured from the rate 1 in place of today's.
    own = basis(study, u=0.0)
    u, rows, alike = own.wanted(rate), lever.among(own, servers), servers == ALL
    part, others = own.only(rows), own.only(~rows)
    rest = 1.0 - math.fsum(np.exp(np.minimum(others.levels(u)[0], 1.0)))
    if rest <= 0:
        return 0.0
    value = math.nan
    if part.servers:
        value = float(least(lever, part, u, np.log(np.array([rest])), alike=alike)[0])
    if math.isfinite(value):
        return value
    free = unlimited(lever, part)
    limited = bool(np.isfinite(part.levels(u, free)[0]).any())  # else they add nothing, or no end
    every = others.terms.joined(free) if limited else own.terms
    best = min(1.0, float(own.fraction(solve_log(every))))
    who = "all of them" if alike else servers
    why = f"{who} can add nothing, and without them the rate is {best:.4g}"
    if limited and best > rate:
        why = f"even {lever.unlimited} at {who} the rate is {best:.4g}"
    raise Unreachable(f"A rate of {rate:.4g} is out of reach: {why}.", best)


NAMED = Lens(mechanism="analytic")
TOO_LARGE = "what would be needed is too large for a number"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAnswer:
    """The smallest value of one quantity that reaches a rate.

    Attributes:
        quantity: The name of the lever; of signal exponents the largest value is meant, of "sites"
            the number of further ones.
        servers: A row's name, or "all"; empty for further sites.
        rate: The rate wanted; above 1 where a fraction of a trivial rate is asked for.
        fraction: The same over today's, both uncapped.
        rate_now: The study's rate today, by the rate equation.
        reached: Whether some value reaches it by the rate equation.
        value: That value, a real number; nan where there is none.
        reason: Why there is none; empty where there is one.
        best: The rate at an unlimited value where there is none; nan otherwise, or where the
            value is too large for a number.
        mechanism_value: The value by the named mechanism at the same fraction of today's rate;
            nan where there is none, or where today's rate is enough.
        mechanism_reason: Why there is none; empty where there is one.
        text: Both as sentences.
    """

    quantity: str
    servers: str
    rate: float
    fraction: float
    rate_now: float
    reached: bool
    value: float
    reason: str
    best: float
    mechanism_value: float
    mechanism_reason: str
    text: str


def plan_answer(
    study: Study,
    quantity: str,
    servers: str = ALL,
    rate: float | None = None,
    *,
    fraction: float | None = None,
    kind: Server | None = None,
) -> PlanAnswer:
    """Find the smallest value by the rate equation, and what the mechanism needs beside it.

    The mechanism's rate has other constants, so it is asked for the same fraction of its own.

    Args:
        study: A study; for a federated one the integrated risk is meant.
        quantity: One of `rates.plan.change.LEVERS`.
        servers: A row's name, or "all" for n and epsilon; not used for sites.
        rate: The rate wanted, in (0, 1); for n and epsilon it may exceed today's.
        fraction: Instead of it the rate wanted over today's, in (0, 1).
        kind: What a further site is like, for "sites".

    Raises:
        DomainError: An argument lies outside its set.

    >>> from rates.presets import preset
    >>> hospitals = preset("hospitals").study
    >>> plan_answer(hospitals, "n", "Hungary", 0.08).text.split("; ")[0]
    'By the rate equation, Hungary needs n = 1097.4 for a rate of 0.08 (today 0.09898)'
    >>> plan_answer(hospitals, "count", "Cleveland", fraction=0.5).text.split("; ")[0]
    "By the rate equation, Cleveland needs count = 19.6316 for 0.5 of today's rate"

    Source: [ACC] eqs. (5), (6); [CCV] eq. (14).
    """
    if quantity not in LEVERS:
        raise DomainError(f"The quantity must be one of {', '.join(LEVERS)}.", "quantity", quantity)
    if (rate is None) == (fraction is None):
        both = Words("neither" if rate is None else "both")
        raise DomainError("A rate or a fraction of today's is wanted.", "rate", both)
    lever, answer = LEVERS[quantity], solve(study)
    risk = answer if isinstance(answer, TransferAnswer) else answer.integrated
    if rate is not None:
        check_rate(rate)
        log_fraction = math.log(rate) - risk.log_rate
        aim = f"a rate of {rate:.4g} (today {risk.rate:.4g})"
    else:
        log_fraction = math.log(check_fraction(fraction))
        aim = f"{fraction:.4g} of today's rate"
    ask = partial(needed, study, quantity, servers, kind=kind)
    value, best, reason = math.nan, math.nan, ""
    try:
        if rate is not None and lever.common:
            value = smallest(study, quantity, servers, rate=rate)
        else:
            value = ask(fraction=check_fraction(safe_exp(log_fraction))).value
    except Unreachable as error:
        best, reason = error.best, str(error)
    if math.isinf(value):  # strict JSON has no infinity, and a plan no use for it
        value, reason = math.nan, f"By the rate equation {TOO_LARGE}: {aim} is out of reach."
    named, why = _by_mechanism(ask, log_fraction)
    beside = why.removeprefix("By the mechanism ").removesuffix(".")
    beside = f": {beside}" if why else f" {lever.amount(named)} for the same fraction of today's"
    who = lever.everyone.lower() if servers == ALL else servers
    found = f"{'the study' if lever.further else who} needs {lever.amount(value)} for {aim}"
    exact = reason[:-1] if reason else f"By the rate equation, {found}"
    return PlanAnswer(
        quantity=quantity,
        servers="" if lever.further else servers,
        rate=safe_exp(log_fraction + risk.log_rate) if rate is None else rate,
        fraction=safe_exp(log_fraction),
        rate_now=risk.rate,
        reached=not reason,
        value=value,
        reason=reason,
        best=best,
        mechanism_value=named,
        mechanism_reason=why,
        text=f"{exact}; by the mechanism{beside}.",
    )


def _by_mechanism(ask: Callable[..., Needed], log_fraction: float) -> tuple[float, str]:
    """What the mechanism needs, or why there is nothing to say."""
    if not -690.0 < log_fraction < 0.0:  # exp of it is a number below 1 there
        return math.nan, "today's rate is enough" if log_fraction >= 0 else "too far from today's"
    try:
        return ask(fraction=math.exp(log_fraction), lens=NAMED).value, ""
    except (Unreachable, DomainError) as error:
        return math.nan, str(error)
