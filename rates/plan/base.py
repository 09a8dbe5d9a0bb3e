r"""What every planning question starts from: one answer to a study, solved, and a wanted rate.

At the root that belongs to a wanted rate every row's term is a known number, T_j, at

.. math:: u^* = u + \log(f) / p,

with f the fraction of today's rate and p the power of r that is the rate. What is missing,
1 - sum T_j, is asked of a change: see `rates.plan.change`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import BY_EQUATION, Equation, Lens, equation, mechanism_budgets
from rates.numbers import MAX_ROWS, DomainError, Terms, Words, as_number, at_root, listed, solve_log
from rates.study import Server, Study, columns

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)  # no slots: columns are kept once read
class Basis:
    """One answer to a study today, by the rate equation or a named mechanism; or some of its rows.

    Attributes:
        study: The study.
        lens: Which answer; its risk is named.
        equation: The balance equation of the rows.
        u: The study's root, log r.
        servers: The rows.
    """

    study: Study
    lens: Lens
    equation: Equation
    u: float
    servers: tuple[Server, ...]

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
    def names(self) -> tuple[str, ...]:
        """The rows' names."""
        return tuple(server.name for server in self.servers)

    @cached_property
    def columns(self) -> dict[str, Array]:
        """The rows' numbers; a delta that is not stated is nan."""
        return columns(self.servers)

    @property
    def laplace(self) -> bool:
        """Whether the budget enters as it is, without a delta."""
        # A lone number is released at a point, so Laplace noise will do there.
        return self.lens.mechanism is None or self.risk == "pointwise"

    def wanted(self, fraction: float) -> float:
        """Return u = log r at a fraction of today's rate."""
        return self.u + math.log(fraction) / self.power

    def fraction(self, u: Array | float) -> Array:
        """Return the rate at u as a fraction of today's, both uncapped; inf at u = inf."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.power * (np.asarray(u, dtype=float) - self.u)))

    def levels(self, u: float, terms: Terms | None = None) -> tuple[Array, Array]:
        """Return the logs of the rows' terms at u, and how far privacy is from binding.

        Args:
            u: Log r.
            terms: The rows' equation after a change; as it is where not given.
        """
        terms = self.terms if terms is None else terms
        level, gap = at_root(terms, u)
        if np.isnan(level).any():  # of two branches without end there is no gap
            sharp, _ = at_root(replace(terms, smooth=False), u)
            level = np.where(np.isnan(level), sharp, level)
        return np.where(np.isnan(level), -np.inf, level), gap  # no records without end are none

    def missing(self, u: float) -> float:
        """Return what the terms lack of 1 at u."""
        total = math.fsum(np.exp(np.minimum(self.levels(u)[0], 700.0)))
        return max(1e-16, 1.0 - total)  # rounding may leave nothing within 1e-16 of today's rate

    def changed(self, terms: Terms) -> Basis:
        """Return the rows with another equation: after a change, which another may follow."""
        return replace(self, equation=replace(self.equation, terms=terms))

    def only(self, rows: ArrayLike) -> Basis:
        """Return some of the rows, by places or flags, in the company of the others' root."""
        at = np.asarray(rows)
        at = np.flatnonzero(at) if at.dtype == bool else at.astype(int)
        servers = tuple(self.servers[j] for j in at.tolist())
        return replace(self.changed(self.terms[..., at]), servers=servers)

    def beside(self, kinds: Sequence[Server]) -> Basis:
        """Return further sites as rows of their own: what they would bring into the equation.

        Raises:
            DomainError: A site does not fit the study, or a name is used twice.
        """
        if not kinds:
            return self.only([])
        first = replace(self.study.servers[0], name="The study's first row")
        parts = []
        # A study holds so many rows at most, candidates may be more: they come in parts, each
        # behind the first row, as a transfer study needs a target.
        for start in range(0, len(kinds), MAX_ROWS - 1):
            part = self.study.with_servers([first, *kinds[start : start + MAX_ROWS - 1]])
            parts.append(equation(part, self.lens).terms[1:])
        return replace(self.changed(parts[0].joined(*parts[1:])), servers=tuple(kinds))

    def without(self, rows: NDArray[np.intp]) -> Terms:
        """Return one equation for each of some rows, in which that row is silent."""
        many = len(self.servers)
        size = np.tile(np.broadcast_to(self.terms.log_size, (many,)), (len(rows), 1))
        size[np.arange(len(rows)), rows] = -np.inf
        return self.terms.changed(log_size=size)

    def log_budgets(self, epsilon: Array) -> Array:
        """Return the log budgets of epsilons: log ε, or -log(noise multiplier).

        A row whose delta is not stated is silent.
        """
        return mechanism_budgets(self.study, self.lens, epsilon, self.columns["delta"])


def basis(study: Study, lens: Lens = BY_EQUATION, *, u: float | None = None) -> Basis:
    """Solve a study's equation once, for all planning questions about it.

    Args:
        study: A study in which some site carries information.
        lens: Which risk, by which answer.
        u: What fractions are measured from in place of today's root.

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
    u = float(solve_log(own.terms)) if u is None else u
    if math.isinf(u):
        rule = "A plan needs a site that carries information: n and epsilon above 0."
        raise DomainError(rule, "servers", len(study.servers))
    found = Basis(study=study, lens=lens, equation=own, u=u, servers=study.servers)
    if found.columns["n"].all():
        return found
    # Rows without records have budgets, too: with some records they would count.
    budget = found.log_budgets(found.columns["epsilon"])
    return found.changed(own.terms.changed(log_budget=budget))


def of_terms(study: Study, lens: Lens, terms: Terms) -> Basis:
    """Return the rows of equations that have no common root, for changes alone."""
    own = Equation(terms=terms, worth_power=math.nan, log_worth=math.nan, rate_power=math.nan)
    return Basis(study=study, lens=lens, equation=own, u=math.nan, servers=study.servers)


def both(study: Study, lens: Lens) -> tuple[Basis, Basis | None, str]:
    """Solve a study by both answers; where a delta is missing, say why there is one only."""
    own = basis(study, lens.plain)
    try:
        return own, basis(study, lens.named), ""
    except DomainError as error:
        return own, None, str(error)


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


def fraction_of_risk(now: float, wanted: float) -> float:
    r"""Return the fraction of today's rate at which a calibrated risk is reached.

    Rates have unknown constants; a risk observed today fixes the constant, if the risk is
    proportional to the rate.

    Args:
        now: The risk observed today, such as an excess error or a mean squared error.
        wanted: The risk wanted, in (0, now).

    Raises:
        DomainError: The risks are not in this order.

    >>> fraction_of_risk(0.10, 0.05)
    0.5

    Source: our reading; [ACC] eq. (6) and [CCV] eq. (14) bound the excess risk up to constants.
    """
    if not 0 < wanted < now < math.inf:
        raise DomainError("The risks must satisfy 0 < wanted < now.", "wanted", wanted)
    return wanted / now


def check_rate(rate: float) -> None:
    """Raise `DomainError` unless a wanted rate lies in (0, 1)."""
    number = isinstance(rate, int | float) and not isinstance(rate, bool)
    if not number or not 0.0 < rate < 1.0:
        raise DomainError("Target rate must be between 0 and 1.", "rate", rate)
