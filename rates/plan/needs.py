"""What one lever needs for a rate: `needed` as a fraction of today's, `smallest` as it is.

Both put what is missing at the wanted root into the same solver, that of the lever's record.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rates.answer import BY_EQUATION, Lens, equation
from rates.numbers import DomainError, Words, safe_exp, solve_log
from rates.plan.base import Basis, basis, binding, check_fraction, check_rate, row_of, rows_at
from rates.plan.catalogue import LEVERS, check_kind, check_lever, common_names, solved
from rates.plan.lever import (
    ALL,
    Lever,
    Needed,
    Unreachable,
    budget_for_all,
    n_for_all,
    record,
    short_of,
)
from rates.study import Server, Study


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
        lever: The name of one of `rates.plan.catalogue.LEVERS`.
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
    if asked.further:
        found = asked.further(asked, own, check_kind(kind), fraction)
    else:
        found = needed_at(asked, own, site, fraction)
    if not found.reached:
        by = "rate equation" if lens.mechanism is None else "mechanism"
        best = safe_exp(min(0.0, own.power * own.u + math.log(max(found.best, 1e-300))))
        raise Unreachable(f"By the {by} {found.reason}.", best)
    return found


def needed_at(lever: Lever, own: Basis, site: str, fraction: float) -> Needed:
    """Solve for one lever at a row, or for one common value of all rows."""
    if site != ALL:
        return rows_needed(lever, own, fraction, [row_of(own, site)])[0]
    if lever.common is None:
        rule = f"A common value for all rows is defined for {common_names()}."
        raise DomainError(rule, "lever", lever.name)
    return lever.common(lever, own, fraction)


@np.errstate(all="ignore")  # silent and unprotected rows are limits of the algebra
def rows_needed(
    lever: Lever, own: Basis, fraction: float, rows: Sequence[int]
) -> tuple[Needed, ...]:
    """Solve for one lever at each of some rows, one row at a time, all of them at once."""
    u = own.wanted(fraction)
    here, today = rows_at(own, u), rows_at(own, own.u)
    need = np.log(here.deficit + np.exp(here.level))
    value, level, gap, best = solved(lever, own, u, here, need)
    value = value.copy()
    refused = [j for j in rows if _refusal(lever, own, j, fraction)]
    value[refused] = np.nan
    limits = best(rows, value) if callable(best) else best
    # The value goes back in by the forward path; the other rows keep their terms.
    left = 1.0 - here.deficit - np.exp(here.level) + np.exp(level)
    out = []
    for j in rows:
        reached = bool(np.isfinite(value[j]))
        name = own.names[j]
        least, sampled = float(limits[j]), bool(today.gap[j] > 0)
        unstated = "" if reached or not _unstated(lever, own, j) else name
        why = reached or unstated
        out.append(
            record(
                lever,
                name,
                fraction,
                now=lever.today(own.servers[j]),
                value=float(value[j]),
                best=least,
                binds_now=binding(today.gap[j], today.level[j]),
                binds_after=binding(gap[j], level[j] if reached else here.level[j]),
                share_after=float(np.exp(level[j])) if reached else math.nan,
                residual=math.log(left[j]) if reached and 0 < left[j] < math.inf else math.nan,
                reason="" if why else _why(lever, own, j, least, fraction, sampled),
                unstated=unstated,
            )
        )
    return tuple(out)


def _refusal(lever: Lever, own: Basis, j: int, fraction: float) -> str:
    """Say why a row has no such lever; empty where it has."""
    server = own.servers[j]
    name = server.name
    if not lever.fits(own.study):
        return lever.no_curve
    if j not in lever.rows(own.study):
        return f"{name} is the target, whose {lever.name.replace('_', ' ')} is fixed at 1"
    if server.n == 0 and lever.supplies != "n":
        return f"{name} holds no records, so it carries nothing and nothing changes"
    if server.epsilon == 0 and lever.supplies != "epsilon":
        return f"{name} releases nothing (epsilon 0), so it carries nothing and nothing changes"
    return lever.refusal(own, j, fraction) if lever.refusal else ""


def _why(lever: Lever, own: Basis, j: int, best: float, fraction: float, sample_binds: bool) -> str:
    """Say why one row's lever does not reach the rate."""
    if refusal := _refusal(lever, own, j, fraction):
        return refusal
    because = ", because its part is too small"
    if lever.sampled and sample_binds:
        because = f", because sampling binds {own.names[j]}"
    return short_of(best, fraction, f"{lever.unlimited} at {own.names[j]}", because)


def _unstated(lever: Lever, own: Basis, j: int) -> bool:
    """Whether a missing delta is what keeps one row's lever from an answer."""
    server = own.servers[j]
    if own.laplace or server.delta is not None or math.isinf(server.epsilon):
        return False
    other = {"n": server.epsilon, "epsilon": float(server.n)}
    return other.get(lever.supplies, 0.0) > 0


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
    if quantity not in LEVERS or not LEVERS[quantity].common:
        raise DomainError(f"The quantity must be {common_names('or')}.", "quantity", quantity)
    check_rate(rate)
    names = [server.name for server in study.servers]
    if servers not in (ALL, *names):
        rule = f"The row must be one of {', '.join(names)}, or all."
        raise DomainError(rule, "servers", Words(servers))
    # The solver of `needed`, measured from the rate 1 in place of today's.
    lever = LEVERS[quantity]
    own = Basis(study=study, lens=BY_EQUATION, equation=equation(study), u=0.0)
    here = rows_at(own, own.wanted(rate))
    rows = np.array([servers in (ALL, name) for name in names])
    if quantity == "epsilon" and servers == ALL:
        rows &= np.isfinite(here.epsilon)
    rest = 1.0 - math.fsum(np.exp(np.minimum(here.level[~rows], 1.0)))
    need = math.log(rest) if rest > 0 else -math.inf
    if math.isinf(need):
        return 0.0
    if servers != ALL:
        at = own.wanted(rate)
        found = solved(lever, own, at, here, np.full(len(names), need))[0]
        value = float(found[names.index(servers)])
    elif quantity == "n":
        value = safe_exp(n_for_all(own, here))
    else:
        value = budget_for_all(own, here, need)
    if math.isfinite(value):
        return value
    free = own.terms
    if quantity == "epsilon":
        free = free.changed(log_budget=np.where(rows, np.inf, free.log_budget))
    best = min(1.0, float(own.fraction(solve_log(free))))
    who = "all of them" if servers == ALL else servers
    if quantity == "epsilon" and best > rate:
        why = f"even without privacy at {who} the rate is {best:.4g}"
    else:
        why = f"{who} can add nothing, and without them the rate is {best:.4g}"
    raise Unreachable(f"A rate of {rate:.4g} is out of reach: {why}.", best)
