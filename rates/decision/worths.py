r"""What a study is worth to each who uses it, by both answers; and where a verdict turns.

A user's own records need no noise for the user itself. So user j solves the study's equation with
one site of row j unprotected,

.. math:: \sum_i T_i(u) - t_j(u) + s_j(u) = 1,

t_j the term of that site with its budget, s_j without. Few users are solved as whole equations;
for many, the sum over all rows is read once as a function of u, and every user's root from it.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import KAPPAS, Equation, Lens, equation
from rates.decision.records import VERDICTS, Codes, Tip
from rates.numbers import (
    Terms,
    analytic_multiplier,
    at_root,
    bracketed,
    budget_elasticity,
    solve_log,
)
from rates.plan import LEVERS, base
from rates.study import Server, Study, columns

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]
Sum = Callable[[Array], tuple[Array, Array]]  # from points, a curve and its slope there

FEW = 64  # users up to which each has an equation of its own
_SUM_NODES = 257  # of the sum's table: its error in u is below 1e-9 (see the tests)


def balances(study: Study, risk: str) -> tuple[Equation, Equation | None]:
    """Return a study's equations by the rate equation, and by the mechanism.

    Constants run along the axis before the last; further axes in front make a grid of studies.

    Returns:
        The mechanism's are None where it lacks a delta.

    >>> from rates.presets import preset
    >>> exact, named = balances(preset("hospitals").study, "classification")
    >>> exact.terms.shape, named.terms.shape
    ((1, 4), (3, 4))
    """
    lens = Lens(risk=risk)
    exact = equation(study, lens, kappas=KAPPAS)
    return exact, None if lens.lacks_delta(study) else equation(study, lens.named, kappas=KAPPAS)


def groups_of(servers: Sequence[Server], *, apart: bool = False) -> list[list[int]]:
    """Return which rows differ by name and count alone; the first row is apart if asked.

    >>> rows = [Server(name=x, n=5, epsilon=e) for x, e in (("A", 1), ("B", 2), ("C", 1))]
    >>> groups_of(rows), groups_of(rows, apart=True)
    ([[0, 2], [1]], [[0], [1], [2]])
    """
    out: dict[object, list[int]] = {}
    for j, s in enumerate(servers):
        first = apart and j == 0
        out.setdefault((first, s.n, s.epsilon, s.delta, s.signal_exponent), []).append(j)
    return list(out.values())


def in_house(own: Equation, users: Rows, count: Array, out: Flags | None = None) -> Array:
    """Return what a study is worth to one site of each of some rows, in house.

    Args:
        own: The study's equations.
        users: Rows.
        count: How many sites each row of the study stands for.
        out: Rows that stay out, for the others; a user keeps its own records.

    Returns:
        Effective records; users along the last axis, in place of the rows.
    """
    absent = np.zeros(len(count), bool) if out is None else out
    if len(users) <= FEW:
        return _each_alone(own, users, count, absent)
    return _from_table(own, users, count, absent)


def reaches(own: Equation, least: Array, users: Rows, count: Array) -> Flags:
    """Say for which users a study is worth at least so many records, in house; nothing is solved.

    It is where the terms add up to 1 or more at the root that the least has. Without users it is
    said of the study as it stands.

    Args:
        own: The study's equations.
        least: Effective records, positive; one number for each user, or one.
        users: Rows.
        count: How many sites each row of the study stands for.
    """
    root = (own.log_worth[:, None] - np.log(least)) / np.asarray(own.worth_power)[..., None]
    part = _at(own.terms[..., None, :], root)
    total = part.sum(axis=-1)
    if len(users):
        alone = _at(_own(own.terms, users, count)[..., None], root)[..., 0]
        total += alone - part[..., np.arange(len(users)), users] / count[users]
    return np.asarray(total >= 1.0 - 1e-11)


def _at(terms: Terms, u: Array) -> Array:
    return np.exp(np.minimum(at_root(terms, u)[0], 700.0))  # where it adds up to far above 1


def _each_alone(own: Equation, users: Rows, count: Array, out: Flags) -> Array:
    terms, rows = own.terms, np.arange(len(count))
    with np.errstate(divide="ignore"):
        left = np.where(rows == users[:, None], np.log((count - 1.0) / count), 0.0)
    left = np.where(out, -np.inf, left)
    others = terms[..., None, :].times(left)
    roots = solve_log(others.joined(_own(terms, users, count)[..., None]))
    wide = replace(
        own,
        log_worth=own.log_worth[:, None],
        worth_power=np.asarray(own.worth_power)[..., None],
    )
    return wide.effective_n(roots)


def _own(terms: Terms, users: Rows, count: Array) -> Terms:
    """One unprotected site of each user's row."""
    own = terms[..., users].times(-np.log(count[users]))
    return own.changed(log_budget=np.full(own.shape, np.inf))


def _from_table(own: Equation, users: Rows, count: Array, out: Flags) -> Array:
    """Solve for many users of a study whose rows have one slope, with one sum over all rows."""
    found = [
        _roots(own.terms[k, ~out], own.terms[k, users], count[users], ~out[users])
        for k in range(len(own.log_worth))
    ]
    wide = replace(own, log_worth=own.log_worth[:, None])
    return wide.effective_n(np.array(found))


def _roots(pool: Terms, own: Terms, count: Array, inside: Flags) -> Array:
    """Return the roots of users: pool less one of their sites, if inside, and own without noise.

    Below u0, the smaller root of pool and own records, each of both is at most e^{s (u - u0)}
    with s the least slope; so the root lies within log(2)/s below u0.
    """
    slope, step = float(own.slope.flat[0]), float(own.step.flat[0])
    pool = pool[~np.isneginf(at_root(pool, 0.0)[0])]  # what carries nothing adds nothing
    site = own.times(-np.log(count))
    free = site.changed(log_budget=np.full(site.shape, np.inf))
    alone = solve_log(free[:, None])
    high = np.minimum(alone, solve_log(pool))
    out = np.full(high.shape, np.inf)
    live = np.isfinite(high)
    if not live.any():
        return out
    site, free, high, inside = site[live], free[live], high[live], inside[live]
    low = high - math.log(2.0) / slope
    read = (_table if pool.smooth else _kinks) if pool.shape[-1] else _nothing
    total = read(pool, float(low.min()), float(high.max()))

    def at(u: Array) -> tuple[Array, Flags, float]:
        log_sum, rise = total(u)
        mine, theirs = at_root(free[:, None], u)[0][:, 0], at_root(site[:, None], u)
        minus = np.where(inside, np.exp(theirs[0][:, 0]), 0.0)
        weight = 1.0 / (1.0 + np.exp(np.minimum(theirs[1][:, 0], 700.0)))
        if not pool.smooth:
            weight = (theirs[1][:, 0] <= 0).astype(float)
        value = np.exp(log_sum) - minus + np.exp(mine)
        slope_now = np.exp(log_sum) * rise - minus * (slope + step * weight)
        slope_now = (slope_now + slope * np.exp(mine)) / value
        return np.log(value) / np.clip(slope_now, slope, slope + step), value > 1.0, 1.0

    out[live] = bracketed(at, high, low, high, settled=1e-14)
    return out


def _nothing(pool: Terms, low: float, high: float) -> Sum:
    """The log of an empty sum and its slope."""
    return lambda u: (np.full(u.shape, -np.inf), np.zeros(u.shape))


def _table(pool: Terms, low: float, high: float) -> Sum:
    """The log of a smooth sum and its slope, by cubic pieces through values and slopes."""
    x = np.linspace(low, high, _SUM_NODES) if high > low else np.array([low, low + 1.0])
    level, gap = at_root(pool, x)
    most = level.max(axis=-1)
    part = np.exp(level - most[:, None])
    total_part = part.sum(axis=-1)
    with np.errstate(over="ignore"):
        rise = pool.slope + pool.step / (1.0 + np.exp(gap))
    return cubic(x, most + np.log(total_part), (part * rise).sum(axis=-1) / total_part)


def cubic(x: Array, value: Array, slope: Array) -> Sum:
    """Return a curve and its slope from values and slopes at even points, along a first axis."""
    h = x[1] - x[0]

    def curve(at: Array) -> tuple[Array, Array]:
        k = np.clip(((at - x[0]) / h).astype(int), 0, len(x) - 2)
        t = ((at - x[k]) / h).reshape(at.shape + (1,) * (value.ndim - 1))
        a, b, c, d = value[k], h * slope[k], value[k + 1], h * slope[k + 1]
        bend, twist = 3.0 * (c - a) - 2.0 * b - d, 2.0 * (a - c) + b + d
        return a + t * (b + t * (bend + t * twist)), (b + t * (2.0 * bend + 3.0 * t * twist)) / h

    return curve


def _kinks(pool: Terms, low: float, high: float) -> Sum:
    """The log of a sum of minima and its slope, exactly: rows sorted by where they change sides."""
    slope, step = float(pool.slope.flat[0]), float(pool.step.flat[0])
    a, gap = at_root(pool, 0.0)  # terms at u = 0 are minima of both branches, gap apart
    sample = np.where(gap < 0, a - gap, a)
    private = sample + gap
    at = -gap / step
    order = np.argsort(at)
    none = np.array([-np.inf])
    flat = np.concatenate([none, np.logaddexp.accumulate(sample[order])])
    with np.errstate(invalid="ignore"):
        rising = np.logaddexp.accumulate(private[order][::-1])[::-1]
    steep = np.concatenate([rising, none])
    where = at[order]

    def total(u: Array) -> tuple[Array, Array]:
        k = np.searchsorted(where, u, side="right")
        low_part, high_part = flat[k] + slope * u, steep[k] + (slope + step) * u
        out = np.logaddexp(low_part, high_part)
        with np.errstate(invalid="ignore"):
            share = np.where(np.isneginf(out), 0.0, np.exp(high_part - out))
        return out, slope + step * share

    return total


# Where a verdict turns: one assumed number at a time, over its range ------------------------------

Judge = Callable[[Equation, Equation], Codes]  # of both answers on a grid, along its first axis

_LOW_BETA, _STEEPEST_CURVE = 0.25, 4.0
_TRIED = 25  # values over a range
_INNER = 15  # values between two, each time a turning point is narrowed down
_ROUNDS = 5
_UNPROTECTED = 700.0  # log of a budget that is no protection
_NOISE_NODES = (
    49  # of the table of noise: its error in log noise is below 2e-8, of half as many 3e-7
)
_FEW = 16
_MANY = 500  # rows from which fewer digits are looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """One assumed number of a study.

    Attributes:
        parameter: Its name.
        now: Its value.
        low: Where its range begins.
        high: Where it ends.
        at: From an answer's equations, whether they are the rate equation's, and values: the
            equations at each value, along a first axis.
    """

    parameter: str
    now: float
    low: float
    high: float
    at: Callable[[Equation, bool, Array], Equation]


def assumed(study: Study, risk: str, *, alike: bool) -> tuple[Assumed, ...]:
    """Return the numbers of a study that are assumed and that its worth depends on.

    The margin is not among them: worth is counted in records, in which it cancels. Nor are
    signal exponents where all sites are alike.
    """
    out = [_smoothness(study, risk)]
    for name, lever in sorted(LEVERS.items(), key=lambda x: bool(x[1].grown)):  # factors last
        on = lever.has(study)
        if not lever.assumed or not on.any() or (alike and lever.no_curve):
            continue
        values = [lever.today(server) for server, has in zip(study.servers, on, strict=True) if has]
        now = 1.0 if lever.grown else max(values)
        if lever.assumed[1] > now * sys.float_info.max:
            continue  # no factor reaches so far
        out.append(
            Assumed(
                parameter=name,
                now=now,
                low=min(now, lever.assumed[0]),
                high=max(now, lever.assumed[1]),
                at=functools.partial(_grown, study, risk, name, now),
            )
        )
    return tuple(x for x in out if x.low < x.high)


def _smoothness(study: Study, risk: str) -> Assumed:
    now, d = study.smoothness, float(study.dimension)
    rough = now - study.smoothness_of(risk)
    low, high = study.smoothness_ends
    least, most = max(_LOW_BETA, low + 0.01), min(high, _STEEPEST_CURVE)
    # So weak a signal carries nothing, and a slope beyond all numbers would be none.
    gamma = np.minimum(
        columns(study.servers)["signal_exponent"], sys.float_info.max / (4.0 * max(now, most))
    )

    def at(own: Equation, exact: bool, x: Array) -> Equation:
        twice = 2.0 * (x - rough)[:, None]
        terms = own.terms.changed(slope=(twice * gamma + d)[:, None, :])
        return replace(own, terms=terms, worth_power=twice + d)

    return Assumed(parameter="smoothness", now=now, low=min(now, least), high=max(now, most), at=at)


def _grown(
    study: Study, risk: str, name: str, now: float, own: Equation, exact: bool, x: Array
) -> Equation:
    """The equations with a number of all rows multiplied; a mechanism's noise is from a table."""
    lens, factors = Lens(risk=risk) if exact else Lens(risk=risk).named, x / now
    if name == "epsilon" and not (exact or risk == "pointwise"):
        curve, bare = _noise(study.servers)
        budget = np.where(np.isfinite(bare), curve(np.log(factors))[0], bare)
        return replace(own, terms=own.terms.changed(log_budget=budget[:, None, :]))
    every = base.of_terms(study, lens, own.terms)
    return replace(own, terms=LEVERS[name].scaled(every, factors[:, None, None]))


@functools.lru_cache(maxsize=16)  # moves of other numbers ask for the same sites' noise
def _noise(servers: tuple[Server, ...]) -> tuple[Sum, Array]:
    """Log budgets of all rows along the log of a factor on them; those no factor changes."""
    nodes = _NOISE_NODES if len(servers) <= _MANY else _NOISE_NODES // 2 + 1
    low, high = LEVERS["epsilon"].assumed or (1.0, 1.0)
    c, x = columns(servers), np.linspace(math.log(low), math.log(high), nodes)
    private = np.array([s.private for s in servers], dtype=bool)
    with np.errstate(over="ignore"):  # beyond all numbers is inf: no protection
        epsilon = np.exp(x)[:, None] * c["epsilon"][private]
    delta = np.broadcast_to(c["delta"][private], epsilon.shape)
    # Row by row where they are few: so many numbers load no special functions, and are kept.
    few = range(epsilon.shape[1]) if epsilon.shape[1] <= _FEW else [slice(None)]
    noise, rise = np.empty(epsilon.shape), np.empty(epsilon.shape)
    for j in few:
        noise[:, j] = analytic_multiplier(epsilon[:, j], delta[:, j])
        rise[:, j] = budget_elasticity(epsilon[:, j], noise[:, j])
    bare = np.where(private, 0.0, np.where(np.isinf(c["epsilon"]), np.inf, -np.inf))
    value, slope = np.zeros((2, nodes, len(servers)))
    with np.errstate(divide="ignore"):  # a multiplier that rounds to 0 is no protection
        value[:, private], slope[:, private] = -np.log(noise), rise
    always = np.isinf(value[0])
    bare = np.where(always, value[0], bare)
    # A row that some factors free of all noise has a budget beyond all others there.
    free = np.isinf(value)
    value, slope = np.where(free, _UNPROTECTED, value), np.where(free, 0.0, slope)
    return cubic(x, np.where(always, 0.0, value), slope), bare


def tips(given: Sequence[Assumed], exact: Equation, named: Equation, judge: Judge) -> list[Tip]:
    """Return the nearest value on either side at which the verdict changes, for each number."""

    def codes(one: Assumed, values: Array) -> Codes:
        return judge(one.at(exact, True, values), one.at(named, False, values))

    out = []
    rounds = _ROUNDS if exact.terms.shape[-1] <= _MANY else 2
    for one in given:
        log_scale = one.low > 0 and one.parameter != "smoothness"
        step = np.geomspace if log_scale else np.linspace
        values = np.unique(np.append(step(one.low, one.high, _TRIED), one.now))
        found = codes(one, values)
        place = int(np.searchsorted(values, one.now))
        differ = found != found[place]
        sides = [np.flatnonzero(differ[:place])[-1:], place + np.flatnonzero(differ[place:])[:1]]
        pairs = [
            (values[k + toward], values[k])
            for side, toward in zip(sides, (1, -1), strict=True)
            for k in side.tolist()
        ]
        if not pairs:
            continue
        near, far = (np.array(x) for x in zip(*pairs, strict=True))
        last = np.zeros(len(far), np.int8)
        for _ in range(rounds):
            part = np.arange(1, _INNER + 2) / (_INNER + 1)
            grid = near[:, None] + (far - near)[:, None] * part
            seen = codes(one, grid.ravel()).reshape(grid.shape)
            first = (seen != found[place]).argmax(axis=1)
            rows = np.arange(len(far))
            last, far = seen[rows, first], grid[rows, first]
            near = np.where(first > 0, grid[rows, first - 1], near)
        out += [
            Tip(parameter=one.parameter, value=float(x), now=one.now, verdict=VERDICTS[code])
            for x, code in zip(far, last, strict=True)
        ]
    return out
