r"""What one answer says about the four questions of a planner, on whole arrays.

With terms T_j at the root, row j left out, a doubled budget and an unprotected study are the same
equation with one piece changed; all of them are solved at once. A row's part bounds what it can
move: every term's slope in log r is at least p, the effective sample falls as r^-w, so

.. math:: N_{-j} / N \ge (1 - T_j)^{w/p},

and rows for which this exceeds 1 - `MOVES` are not looked at one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import KAPPAS, Equation, Lens, equation, mechanism_budgets
from rates.numbers import Terms, at_root, crossing, safe_exp, solve_log
from rates.study import Study, TransferStudy, columns

Array = NDArray[np.float64]

MOVES = 0.05  # part of the effective sample from which a site moves the answer
MOST_ROWS = 64  # whose budgets are doubled one by one: those that gain most to first order
_FARTHEST = 40.0  # log of the largest factor on budgets or records that is looked for
_EXACT = 1e-6  # of the log of such a factor


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One answer to a study, with what it says of every row; all sizes in effective records.

    Attributes:
        lens: Which answer: the rate equation, or a mechanism with its constants.
        worth: The study as it is.
        free: The study without privacy.
        shares: Each row's part of the equation at its root.
        alone: One site of each row, alone.
        without: The study without each row; nan for rows that cannot move it by `MOVES`.
        doubled: The study with each row's budget doubled; nan for rows without a finite budget,
            and in large studies for those that would gain least.
        enough: Budget of each row from which more of it buys nothing; inf where it always buys
            (a mechanism), nan for rows without a finite budget.
    """

    lens: Lens
    worth: float
    free: float
    shares: tuple[float, ...]
    alone: tuple[float, ...]
    without: tuple[float, ...]
    doubled: tuple[float, ...]
    enough: tuple[float, ...]

    @property
    def best_alone(self) -> int:
        """The row of which one site alone is worth most; the first of equals."""
        return _first_best(self.alone)

    @property
    def carrier(self) -> int:
        """The row with the largest part; the first of equals."""
        return _first_best(self.shares)

    @property
    def movers(self) -> frozenset[int]:
        """Rows without which the study loses at least `MOVES` of its effective sample."""
        least = (1.0 - MOVES) * self.worth
        return frozenset(j for j, x in enumerate(self.without) if x <= least)

    @property
    def gains(self) -> tuple[float, ...]:
        """What doubling each row's budget adds, as a part of the effective sample."""
        return tuple(x / self.worth - 1.0 for x in self.doubled)

    @property
    def best_budget(self) -> int | None:
        """The row whose doubled budget adds most; None without a finite budget."""
        gains = [-1.0 if math.isnan(x) else x for x in self.gains]
        return _first_best(gains) if max(gains) > -1.0 else None


def _first_best(values: tuple[float, ...] | list[float]) -> int:
    """Index of the largest value; rounding does not decide between equals."""
    top = max(values)
    return next(j for j, x in enumerate(values) if x == top or x >= top - 1e-9 * abs(top))


def looks(study: Study, risk: str | None = None) -> tuple[Look, ...]:
    """Look at a study by the rate equation, then by the mechanism with each of its constants.

    Returns:
        The equation's look alone where the mechanism lacks a delta; nothing where by either
        answer no site carries information.

    >>> from rates.presets import preset
    >>> found = looks(preset("hospitals").study)
    >>> [round(x.worth / x.free, 3) for x in found], found[0].carrier
    ([1.0, 0.025, 0.032, 0.037], 1)

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    plain = Lens(risk=Lens(risk=risk).risk_of(study))
    lenses = [plain]
    if not plain.lacks_delta(study):
        kappas = KAPPAS if isinstance(study, TransferStudy) else KAPPAS[:1]
        lenses += [replace(plain.named, kappa=kappa) for kappa in kappas]
    free = study.unprotected()
    found = [_look(study, free, lens) for lens in lenses]
    held = tuple(x for x in found if x is not None and min(x.worth, max(x.alone)) > 0.0)
    return held if len(held) == len(found) else ()


def _look(study: Study, free: Study, lens: Lens) -> Look | None:
    own = equation(study, lens)
    terms, root = own.terms, solve_log(own.terms)
    if np.isinf(root):
        return None
    shares = np.exp(at_root(terms, float(root))[0])
    one_each = terms.times(-np.log(columns(study.servers)["count"]))
    return Look(
        lens=lens,
        worth=float(own.effective_n(root)),
        free=float(own.effective_n(solve_log(equation(free, lens).terms))),
        shares=tuple(shares.tolist()),
        alone=tuple(own.effective_n(solve_log(one_each[:, None])).tolist()),
        without=_without(own, shares),
        doubled=_doubled(study, own, lens, float(root)),
        enough=_enough(study, own),
    )


def _without(own: Equation, shares: Array) -> tuple[float, ...]:
    terms = own.terms
    slowest = float(np.min(np.broadcast_to(terms.slope, terms.shape)))
    with np.errstate(divide="ignore"):
        left = np.exp(own.worth_power / slowest * np.log1p(-np.minimum(shares, 1.0)))
    rows = np.flatnonzero(left <= 1.0 - MOVES)
    return _one_changed(own, rows, log_size=np.full(len(rows), -np.inf))


def _doubled(study: Study, own: Equation, lens: Lens, root: float) -> tuple[float, ...]:
    c = columns(study.servers)
    private = np.array([s.private for s in study.servers], dtype=bool)
    with np.errstate(over="ignore"):  # twice the largest budgets is inf: no protection
        twice = np.where(private, 2.0 * c["epsilon"], c["epsilon"])
    budget = mechanism_budgets(study, lens, twice[None, :])[0]
    gain = np.exp(at_root(own.terms.changed(log_budget=budget), root)[0])
    gain = np.where(private, gain - np.exp(at_root(own.terms, root)[0]), -np.inf)
    rows = np.argsort(-gain, kind="stable")[:MOST_ROWS]
    rows = rows[private[rows]]
    return _one_changed(own, rows, log_budget=budget[rows])


def _enough(study: Study, own: Equation) -> tuple[float, ...]:
    """Where a row's minimum leaves privacy, with the root that goes with it.

    At most `MOST_ROWS` rows with a finite budget are looked at, those with the largest parts.
    """
    c = columns(study.servers)
    out = np.where([s.private for s in study.servers], np.inf, np.nan)
    if own.terms.smooth:
        return tuple(out.tolist())
    level = at_root(own.terms, float(solve_log(own.terms)))[0]
    rows = np.argsort(-level, kind="stable")
    rows = rows[~np.isnan(out[rows]) & np.isfinite(level[rows])][:MOST_ROWS]
    budgets = np.tile(np.broadcast_to(own.terms.log_budget, own.terms.shape), (len(rows), 1))
    budgets[np.arange(len(rows)), rows] = np.inf
    roots = solve_log(own.terms.changed(log_budget=budgets)) if len(rows) else np.zeros(0)
    for j, u in zip(rows, roots, strict=True):
        gap = float(at_root(own.terms, float(u))[1][j])
        out[j] = safe_exp(math.log(c["epsilon"][j]) - 0.5 * gap)
    return tuple(out.tolist())


def _one_changed(own: Equation, rows: NDArray[np.intp], **piece: Array) -> tuple[float, ...]:
    """Effective samples with one piece of one row changed at a time; nan for the other rows."""
    ((name, values),) = piece.items()
    out = np.full(own.terms.shape[0], np.nan)
    if len(rows):
        grid = np.tile(np.broadcast_to(getattr(own.terms, name), own.terms.shape), (len(rows), 1))
        grid[np.arange(len(rows)), rows] = values
        out[rows] = own.effective_n(solve_log(own.terms.changed(**{name: grid})))
    return tuple(out.tolist())


def budget_factor(study: Study, lens: Lens, goal: float) -> float:
    """Return the factor on every finite budget that gives a goal in effective records.

    Returns:
        The factor, at least 1; ``inf`` where no factor up to e^40 does.

    >>> from rates.presets import preset
    >>> study, lens = preset("hospitals").study, Lens(mechanism="analytic")
    >>> round(budget_factor(study, lens, 200.0), 2)
    4.45
    """
    lens = replace(lens, risk=lens.risk_of(study))
    c = columns(study.servers)
    private = np.array([s.private for s in study.servers], dtype=bool)
    own = equation(study, lens)

    def terms(log_factor: float) -> Terms:
        with np.errstate(over="ignore"):  # beyond all numbers is inf: no protection
            epsilon = np.where(private, c["epsilon"] * math.exp(log_factor), c["epsilon"])
        return own.terms.changed(log_budget=mechanism_budgets(study, lens, epsilon[None, :])[0])

    return _factor(own, terms, goal)


def records_factor(study: Study, lens: Lens, goal: float) -> float:
    """Return the factor on every site's records that gives a goal in effective records.

    Returns:
        The factor, at least 1; ``inf`` where no factor up to e^40 does.

    >>> from rates.presets import preset
    >>> study, lens = preset("hospitals").study, Lens(mechanism="analytic")
    >>> round(records_factor(study, lens, 200.0), 2)
    3.59
    """
    own = equation(study, lens)
    return _factor(own, lambda x: own.terms.changed(log_size=own.terms.log_size + x), goal)


def _factor(own: Equation, terms: Callable[[float], Terms], goal: float) -> float:
    """Look for the factor at the goal's root, where the terms add up to 1."""
    root = (own.log_worth - math.log(goal)) / own.worth_power

    def log_sum(x: float) -> float:
        return float(np.logaddexp.reduce(at_root(terms(x), root)[0]))

    if log_sum(0.0) >= 0:
        return 1.0
    low, high = 0.0, 0.5
    while log_sum(high) < 0:
        if high == _FARTHEST:
            return math.inf
        low, high = high, min(4.0 * high, _FARTHEST)
    return math.exp(crossing(log_sum, low, high, xtol=_EXACT))
