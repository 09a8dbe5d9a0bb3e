r"""By what factor everything would have to grow: every budget, every size, or every count.

A factor lowers nothing, where one common value would lower what is larger. At the root of the goal
the terms add up to 1, so the factor is the root of one increasing function,

.. math:: \sum_j T_j(u_{\text{goal}}; f) = 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import KAPPAS, Equation, Lens, equation, mechanism_budgets
from rates.numbers import Terms, at_root, solve_log
from rates.study import Study, TransferStudy, columns

Array = NDArray[np.float64]
Grown = Callable[[Array], Terms]

_FARTHEST = 40.0  # log of the largest factor that is looked for
_EXACT = 1e-7  # of the log of a sum, or of a factor
_STEPS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The factor on one quantity of all rows that reaches a goal.

    Attributes:
        quantity: "count" (rows of many alike sites only), "epsilon" or "n".
        low: The least factor over the mechanism's constants, at least 1; nan without every delta.
        high: The largest; ``inf`` where no factor is enough.
        equation: By the rate equation.
    """

    quantity: str
    low: float
    high: float
    equation: float


def scales(
    study: Study, *, needed: float | None = None, part: float = 0.5, risk: str | None = None
) -> tuple[Scale, ...]:
    """Return by what factor counts, budgets and sizes would have to grow, one at a time.

    Args:
        study: A study in which some site carries information.
        needed: Effective records that are aimed at; None for a part of what privacy costs.
        part: Which part of the distance to no privacy, in (0, 1].
        risk: "integrated" (taken by default) or "pointwise" for a federated study.

    Returns:
        The quantities that the study has: counts first, as more people are easier to find than
        more records of each.

    >>> from rates.presets import preset
    >>> budgets, sizes = scales(preset("hospitals").study, needed=200)
    >>> round(budgets.low, 2), round(budgets.high, 2), round(sizes.high, 2)
    (3.69, 6.15, 4.69)

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    plain = Lens(risk=Lens(risk=risk).risk_of(study))
    named: list[Lens] = []
    if not plain.lacks_delta(study):
        kappas = KAPPAS if isinstance(study, TransferStudy) else KAPPAS[:1]
        named = [replace(plain.named, kappa=kappa) for kappa in kappas]
    exact = _factors(study, (plain,), needed, part)
    factors = _factors(study, named, needed, part) if named else {}
    unknown = np.array([math.nan])
    return tuple(
        Scale(
            quantity=quantity,
            low=float(factors.get(quantity, unknown).min()),
            high=float(factors.get(quantity, unknown).max()),
            equation=float(x[0]),
        )
        for quantity, x in exact.items()
    )


def _factors(
    study: Study, lenses: Sequence[Lens], needed: float | None, part: float
) -> dict[str, Array]:
    """The factor on each quantity of the study, by each of some answers of one kind."""
    own = [equation(study, lens) for lens in lenses]
    goals = [_goal(study, e, lens, needed, part) for e, lens in zip(own, lenses, strict=True)]
    roots = np.array(
        [
            (e.log_worth - math.log(goal)) / e.worth_power if goal > 0 else math.inf
            for e, goal in zip(own, goals, strict=True)
        ]
    )
    rows = own[0].terms.shape
    terms = own[0].terms.changed(
        log_sample=np.stack([np.broadcast_to(e.terms.log_sample, rows) for e in own]),
        log_private=np.stack([np.broadcast_to(e.terms.log_private, rows) for e in own]),
    )
    out = {}
    for quantity, grown in _grown(study, terms, lenses[0]).items():

        def log_sums(x: Array, grown: Grown = grown) -> Array:
            level = at_root(grown(x[:, None]), np.where(roots < math.inf, roots, 0.0))[0]
            most = level.max(axis=-1)
            with np.errstate(invalid="ignore", divide="ignore"):
                total = most + np.log(np.exp(level - most[:, None]).sum(axis=-1))
            total = np.where(np.isneginf(most), -np.inf, total)
            return np.where(roots < math.inf, total, 0.0)

        out[quantity] = np.exp(_roots(log_sums, len(own)))
    return out


def _goal(study: Study, own: Equation, lens: Lens, needed: float | None, part: float) -> float:
    if needed is not None:
        return needed
    now = float(own.effective_n(solve_log(own.terms)))
    free = float(own.effective_n(solve_log(equation(study.unprotected(), lens).terms)))
    return now + part * (free - now)


def _grown(study: Study, terms: Terms, lens: Lens) -> dict[str, Grown]:
    """The equations with one quantity of all rows grown, from the logs of factors, one for each."""
    c = columns(study.servers)
    private = np.array([s.private for s in study.servers], dtype=bool)
    out: dict[str, Grown] = {}
    if (many := c["count"] > 1).any():
        out["count"] = lambda x: terms.times(np.where(many, x, 0.0))
    if private.any():

        def budgets(x: Array) -> Terms:
            with np.errstate(over="ignore"):  # beyond all numbers is inf: no protection
                epsilon = np.where(private, c["epsilon"] * np.exp(x), c["epsilon"])
            return terms.changed(log_budget=mechanism_budgets(study, lens, epsilon))

        out["epsilon"] = budgets
    out["n"] = lambda x: terms.changed(log_size=terms.log_size + x)
    return out


def _roots(log_sums: Callable[[Array], Array], many: int) -> Array:
    """Return where rising functions pass 0, all of them at once; 0 where they have, inf if never.

    A bracket of each is cut where the chord passes 0, by the rule of Illinois.
    """
    low = np.zeros(many)
    f_low = log_sums(low)
    done = f_low >= -1e-9  # reached already, but for rounding
    # No log sum rises faster than 2, so that the first step stays below; the next goes beyond.
    low = np.where(done, 0.0, np.minimum(-0.5 * f_low, 0.9 * _FARTHEST))
    f_low = np.where(done, f_low, np.minimum(log_sums(low), 0.0))
    high = np.minimum(1.1 * low + 1.5 * np.minimum(-f_low, _FARTHEST) + 0.01, _FARTHEST)
    f_high = log_sums(high)
    while (short := ~done & (f_high < 0) & (high < _FARTHEST)).any():
        low, f_low = np.where(short, high, low), np.where(short, f_high, f_low)
        high = np.where(short, np.minimum(2.0 * high, _FARTHEST), high)
        f_high = log_sums(high)
    never = ~done & (f_high < 0)
    live = ~done & ~never
    side = np.zeros(many)
    for _ in range(_STEPS):
        if not (live & (high - low > _EXACT)).any():
            break
        with np.errstate(invalid="ignore", divide="ignore"):
            chord = high - f_high * (high - low) / (f_high - f_low)
        inside = (chord > low) & (chord < high)
        x = np.where(live & inside, chord, 0.5 * (low + high))
        f = log_sums(x)
        above = f >= 0
        f_low = np.where(above, np.where(side > 0, 0.5 * f_low, f_low), f)
        f_high = np.where(above, f, np.where(side < 0, 0.5 * f_high, f_high))
        low, high = np.where(above, low, x), np.where(above, x, high)
        side = np.where(above, 1.0, -1.0)
        live &= np.abs(f) > _EXACT
    out = np.where(np.abs(f_high) < np.abs(f_low), high, low)
    return np.where(done, 0.0, np.where(never, np.inf, out))
