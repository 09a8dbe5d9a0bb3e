"""Where a verdict turns: one assumed number at a time, over its range."""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import Equation, Lens
from rates.decision.records import VERDICTS, Codes, Tip
from rates.decision.worths import Sum, cubic
from rates.numbers import analytic_multiplier, budget_elasticity
from rates.plan import LEVERS, base
from rates.study import Server, Study, columns

Array = NDArray[np.float64]
Judge = Callable[[Equation, Equation], Codes]  # of both answers on a grid, along its first axis

_LOW_BETA, _STEEPEST_CURVE = 0.25, 4.0
_TRIED = 25  # values over a range
_INNER = 15  # values between two, each time a turning point is narrowed down
_ROUNDS = 5
_UNPROTECTED = 700.0  # log of a budget that is no protection
_NODES = 49  # of the table of noise: its error in log noise is below 2e-8, of half as many 3e-7
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
    gamma = columns(study.servers)["signal_exponent"]
    rough = now - study.smoothness_of(risk)
    low, high = study.smoothness_ends
    least, most = max(_LOW_BETA, low + 0.01), min(high, _STEEPEST_CURVE)

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
    nodes = _NODES if len(servers) <= _MANY else _NODES // 2 + 1
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
