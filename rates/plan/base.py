r"""What every planning question starts from: one answer to a study, solved, and a wanted rate.

At the root that belongs to a wanted rate every row's term is a known number,

.. math:: T_j = g(A_j n_j,\; B_j n_j^2 e^{2 l_j}), \qquad u^* = u + \log(f) / p,

with f the fraction of today's rate, p the power of r that is the rate, l_j the log budget and g
the smaller of both (rate equation) or their harmonic sum (mechanism). What is missing,
1 - sum T_j, is asked of one lever.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rates.answer import BY_EQUATION, Equation, Lens, Limit, equation, log0, multipliers
from rates.numbers import (
    ACC_PRINTED,
    CCV_PRINTED,
    MAX_ROWS,
    DomainError,
    Terms,
    Words,
    as_number,
    at_root,
    delta_of,
    listed,
    solve_log,
)
from rates.study import Server, Study, TransferStudy, columns

Array = NDArray[np.float64]

_SPAN = 80.0  # |log epsilon| inside which a budget is looked for
_HALVINGS = 64


@dataclass(frozen=True, kw_only=True)  # no slots: rows are kept once read
class Basis:
    """One answer to a study today: by the rate equation, or by a named mechanism.

    Attributes:
        study: The study.
        lens: Which answer; its risk is named.
        equation: The balance equation.
        u: Its root, log r.
    """

    study: Study
    lens: Lens
    equation: Equation
    u: float

    @property
    def terms(self) -> Terms:
        """The equation's pieces."""
        return self.equation.terms

    @property
    def power(self) -> float:
        """The power of r that is the rate."""
        return self.equation.rate_power

    @property
    def risk(self) -> str:
        """Which risk is meant."""
        return self.lens.risk_of(self.study)

    @cached_property
    def servers(self) -> tuple[Server, ...]:
        """The rows."""
        return self.study.servers

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The rows' names."""
        return tuple(server.name for server in self.servers)

    @property
    def laplace(self) -> bool:
        """Whether the budget enters as it is, without a delta."""
        return self.lens.mechanism is None or self.risk == "pointwise"

    def wanted(self, fraction: float) -> float:
        """Return u = log r at a fraction of today's rate."""
        return self.u + math.log(fraction) / self.power

    def fraction(self, u: Array | float) -> Array:
        """Return the rate at u as a fraction of today's, both uncapped; inf at u = inf."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.power * (np.asarray(u, dtype=float) - self.u)))


def basis(study: Study, lens: Lens = BY_EQUATION) -> Basis:
    """Solve a study's equation once, for all planning questions about it.

    Args:
        study: A study in which some site carries information.
        lens: Which risk, by which answer.

    Raises:
        DomainError: No site carries information, a delta that the mechanism needs is missing,
            or the study has no such risk.

    Examples:
        >>> from rates.presets import preset
        >>> round(float(np.exp(basis(preset("hospitals").study).u)), 4)
        0.099

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    own = equation(study, lens)
    u = float(solve_log(own.terms))
    if math.isinf(u):
        rule = "A plan needs a site that carries information: n and epsilon above 0."
        raise DomainError(rule, "servers", len(study.servers))
    return Basis(study=study, lens=lens, equation=own, u=u)


def both(study: Study, lens: Lens) -> tuple[Basis, Basis | None, str]:
    """Solve a study by both answers; where a delta is missing, say why there is one only."""
    own = basis(study, lens.plain)
    try:
        return own, basis(study, lens.named), ""
    except DomainError as error:
        return own, None, str(error)


class Rows(NamedTuple):
    """One equation at a given u, row by row; logs throughout, count included.

    Attributes:
        size: log n.
        budget: Log budget that goes with epsilon, for silent rows too; nan without delta.
        sample: Log of what one record adds if the sample binds, A.
        private: Log of the factor of (n e^budget)² if privacy binds, B.
        slope: Slope of the sample branch in u.
        step: Additional slope of the private branch.
        level: Log of the term.
        gap: Log of the private over the sample branch; privacy binds at most 0.
        epsilon: Budget.
        delta: Delta, nan where not stated.
        many: Number of identical sites.
        deficit: 1 - sum of the terms, at least 1e-16; a plain number.
    """

    size: Array
    budget: Array
    sample: Array
    private: Array
    slope: Array
    step: Array
    level: Array
    gap: Array
    epsilon: Array
    delta: Array
    many: Array
    deficit: float


def rows_at(own: Basis, u: float) -> Rows:
    """Take the equation apart at u."""
    terms = own.terms
    size, _, slope, step, sample, private = (
        np.broadcast_to(x, terms.shape) for x in terms.pieces()
    )
    level, gap = at_root(terms, u)
    c = columns(own.servers)
    return Rows(
        size=size,
        budget=log_budget_of(own, c["epsilon"], c["delta"]),
        sample=sample + slope * u,
        private=private + (slope + step) * u,
        slope=slope,
        step=step,
        level=level,
        gap=gap,
        epsilon=c["epsilon"],
        delta=c["delta"],
        many=c["count"],
        # Rounding may leave nothing of it within 1e-16 of today's rate.
        deficit=max(1e-16, 1.0 - math.fsum(np.exp(np.minimum(level, 700.0)))),
    )


def join(sample: Array, private: Array, smooth: bool) -> Array:
    """Return log g of two logs: the smaller, or minus the log of the sum of their inverses."""
    least = np.minimum(sample, private)
    if not smooth:
        return least
    with np.errstate(invalid="ignore", over="ignore"):
        far = np.where(np.isinf(least), np.inf, np.abs(private - sample))
    return np.asarray(least - np.log1p(np.exp(-far)))


def log_budget_of(own: Basis, epsilon: Array, delta: Array) -> Array:
    """Return the log budget of epsilons: log ε, or -log(noise multiplier); nan without delta."""
    if own.laplace:
        return log0(epsilon)
    epsilon, delta = np.broadcast_arrays(epsilon, delta)
    out = log0(np.where(np.isinf(epsilon), np.inf, 0.0))
    private = np.isfinite(epsilon) & (epsilon > 0)
    stated = private & np.isfinite(delta)
    mechanism = own.lens.mechanism
    assert mechanism is not None
    noise = multipliers(epsilon[stated], delta[stated], mechanism, _printed(own))
    out[stated] = -np.log(noise)
    out[private & ~stated] = np.nan
    return out


def epsilon_of(own: Basis, log_budget: Array, delta: Array) -> Array:
    r"""Return the least epsilon whose log budget is at least the one given.

    The exact calibration is inverted by halving an interval of log ε on
    δ(ε) = Φ(t/2 - ε/t) - e^ε Φ(-t/2 - ε/t), which falls in ε.
    """
    log_budget, delta = np.broadcast_arrays(log_budget, delta)
    if own.laplace:
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(log_budget))
    if own.lens.mechanism == "printed":
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.exp(log_budget) * np.sqrt(_printed(own) * np.log(2.0 / delta)))
    with np.errstate(over="ignore"):
        noise = np.exp(-log_budget)
    low, high = np.full(noise.shape, -_SPAN), np.full(noise.shape, _SPAN)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        # Far beyond the answer delta is 0, or not a number where its logs cancel.
        enough = ~(delta_of(noise, np.exp(middle)) > delta)
        high = np.where(enough, middle, high)
        low = np.where(enough, low, middle)
    out = np.where(high >= _SPAN, np.inf, np.exp(high))
    return np.asarray(np.where(np.isnan(delta) | np.isnan(log_budget), np.nan, out))


def _printed(own: Basis) -> float:
    return ACC_PRINTED if isinstance(own.study, TransferStudy) else CCV_PRINTED


def candidate_terms(own: Basis, candidates: Sequence[Server]) -> Terms:
    """Return the terms that further sites would bring into a study's equation.

    Raises:
        DomainError: A candidate does not fit the study, or a name is used twice.
    """
    first = replace(own.servers[0], name="The study's first row")
    parts = []
    for start in range(0, len(candidates), MAX_ROWS - 1):
        part = own.study.with_servers([first, *candidates[start : start + MAX_ROWS - 1]])
        parts.append(equation(part, own.lens).terms[1:])
    return parts[0].joined(*parts[1:])


def binding(gap: float, level: float) -> Limit:
    """Name what binds a row: "privacy", "sample", or "none" where it adds nothing."""
    if math.isinf(level) and level < 0:
        return "none"
    return "privacy" if gap <= 1e-12 else "sample"


def row_of(own: Basis, name: str) -> int:
    """Return a row's index, or raise `DomainError` with the names there are."""
    if name not in own.names:
        rule = f"The row must be one of {listed(list(own.names), 10)}, or all."
        raise DomainError(rule, "site", Words(name))
    return own.names.index(name)


def check_fraction(fraction: object) -> float:
    """Return the wanted fraction of today's rate, in (0, 1), or say what holds.

    >>> check_fraction(0.5)
    0.5
    >>> check_fraction(1)
    Traceback (most recent call last):
        ...
    rates.DomainError: Nothing needs to change: a rate of today's or more is already \
met, so the wanted fraction of today's rate must be below 1. fraction: got 1.
    """
    number = as_number(fraction)
    if number is None or math.isnan(number):
        rule = "The wanted fraction of today's rate must be a number between 0 and 1."
    elif number >= 1:
        rule = (
            "Nothing needs to change: a rate of today's or more is already met, so the wanted "
            "fraction of today's rate must be below 1."
        )
    elif number < 1e-300:
        rule = (
            "No finite study reaches a rate of 0, so the wanted fraction of today's rate must be "
            "above 0."
        )
    else:
        return float(number)
    raise DomainError(rule, "fraction", fraction)


def fraction_of_risk(now: float, wanted: float, *, floor: float = 0.0) -> float:
    r"""Return the fraction of today's rate at which a calibrated risk is reached.

    .. math:: f = (\text{wanted} - \text{floor}) / (\text{now} - \text{floor})

    Rates have unknown constants; a risk observed today fixes the constant, if the risk above the
    floor is proportional to the rate.

    Args:
        now: The risk observed today, such as an error share or a mean squared error.
        wanted: The risk wanted, in (floor, now).
        floor: The risk that no number of records removes, at least 0.

    Raises:
        DomainError: The risks are not in this order.

    >>> round(fraction_of_risk(0.30, 0.25, floor=0.20), 12)
    0.5

    Source: our reading; [ACC] eq. (6) and [CCV] eq. (14) bound the excess risk up to constants.
    """
    numbers = [as_number(x) for x in (now, wanted, floor)]
    a, b, c = (math.nan if x is None else float(x) for x in numbers)
    if not 0 <= c < b < a < math.inf:
        rule = "The risks must satisfy 0 <= floor < wanted < now: below the floor no study helps."
        raise DomainError(rule, "wanted", wanted)
    return (b - c) / (a - c)


def check_rate(rate: float) -> None:
    """Raise `DomainError` unless a wanted rate lies in (0, 1)."""
    number = isinstance(rate, int | float) and not isinstance(rate, bool)
    if not number or not 0.0 < rate < 1.0:
        raise DomainError("Target rate must be between 0 and 1.", "rate", rate)
