r"""A study's balance equations as values, and why the root lies where it lies.

By the rate equation, or by a named mechanism. Around the root stand every row's term: with
u = log r (for a federated study r = 1/D) row j adds q_j s_j², its squared signal over the larger of
its two variances,

.. math::
    s_j = r^{\beta\gamma_j},\quad
    \frac{1}{q_j} = \max\Bigl(\frac{1}{n_j r^d}, \frac{1}{n_j^2\varepsilon_j^2 r^{2d}}\Bigr),

and at the root the terms add up to 1. A federated study is the case s_j = K^(-g), d = 1 at K = 1/r
functions. A row of several identical sites enters with count n_j and count n_j² ε_j² in the place
of n_j and n_j² ε_j².
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rates.answer.mechanism import BY_EQUATION, Lens, constants, noise_multipliers
from rates.numbers import Terms, at_root, log0, log_sum, solve_log
from rates.study import Study, columns

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)  # no slots: the roots are kept once found
class Equation:
    """A balance equation, or a grid of them, with what turns its root u = log r into an answer.

    Attributes:
        terms: The equation.
        worth_power: The effective sample is exp(log_worth - worth_power u); a number, or an array
            that broadcasts against the roots.
        log_worth: The log of its constant; one for each constant of a mechanism if there are more.
        rate_power: The rate is exp(rate_power u), uncapped.
        budget_power: -d log(noise multiplier)/d log ε_j; 1 unless calibrated exactly.
    """

    terms: Terms
    worth_power: Any
    log_worth: Any
    rate_power: float
    budget_power: Array | float = 1.0

    def effective_n(self, u: Array) -> Array:
        """Effective sample size at u = log r; 0 where nothing carries information."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.log_worth - self.worth_power * u))

    @cached_property
    def roots(self) -> Array:
        """The roots, log r."""
        return solve_log(self.terms)

    def worth(self, out: NDArray[np.bool_] | None = None) -> Array:
        """Effective records at the roots, without the rows of ``out``."""
        return self.effective_n(self.roots if out is None else solve_log(self.terms[..., ~out]))

    def times(self, log_count: Array) -> Equation:
        """The same with every row counted as often as said, by the log."""
        return replace(self, terms=self.terms.times(log_count))

    @property
    def shares(self) -> Array:
        """Each row's part of the equation at its root; 0 without information."""
        u = self.roots
        level, _ = at_root(self.terms, np.where(np.isinf(u), 0.0, u))
        return np.where(np.isinf(u)[..., None], 0.0, np.exp(level))


def equation(
    study: Study,
    lens: Lens = BY_EQUATION,
    *,
    log_budget: Array | None = None,
    kappas: Sequence[float] = (),
) -> Equation:
    """Return the rate equation of one risk, or that of a named mechanism.

    Args:
        study: A study.
        lens: Which risk, by which answer.
        log_budget: Instead of the study's own budgets, their logs (the logs of
            1/noise multiplier for Gaussian noise); leading axes make a grid.
        kappas: Bandwidths of the mechanism in place of the lens's, along the axis before the last;
            the rate equation and a curve have one only.

    Raises:
        DomainError: The study has no such risk, or the mechanism needs a delta that is missing.
    """
    risk = lens.risk_of(study)
    powers, logs = study.powers(risk), [(0.0, 0.0)]
    budget_power: Array | float = 1.0
    if lens.mechanism is not None:
        if log_budget is None and risk != "pointwise":  # there the noise is Laplace's
            noise, budget_power = noise_multipliers(study.servers, lens.mechanism, study.printed)
            log_budget = -log0(noise)
        widths = lens.at_widths(study, kappas) if kappas else (lens,)
        logs = [constants(study, risk, by) for by in widths]
    every = np.array(logs).T
    log_sample, log_private = every[..., None] if kappas else every[:, 0]
    if kappas and log_budget is not None and log_budget.ndim > 1:
        log_budget = log_budget[..., None, :]
    return Equation(
        terms=study.terms(
            risk,
            log_budget=log_budget,
            log_sample=log_sample,
            log_private=log_private,
            smooth=lens.mechanism is not None,
        ),
        worth_power=powers.worth,
        log_worth=-every[0] if kappas else -float(every[0, 0]),
        rate_power=powers.rate,
        budget_power=budget_power,
    )


@dataclass(frozen=True, slots=True)
class SiteTerm:
    """One row of the rate equation with its numbers filled in.

    Attributes:
        name: The site.
        sample: What its sample allows: n_j (CCV: n_j D).
        privacy: What its privacy allows: n_j² ε_j² r^d (CCV: n_j² ε_j²); ``inf`` unprotected.
        factor: What the smaller of both is multiplied by, count included.
        term: The row's term.
    """

    name: str
    sample: float
    privacy: float
    factor: float
    term: float


def site_terms(study: Study, risk: str) -> tuple[SiteTerm, ...]:
    """Return the rate equation at its root, row by row; empty without information.

    >>> from rates.presets import preset
    >>> rows = site_terms(preset("hospitals").study, "classification")
    >>> round(rows[0].sample), round(rows[0].privacy, 1), round(sum(row.term for row in rows), 9)
    (142, 197.5, 1.0)

    Source: [ACC] eq. (5); [CCV] eq. (6).
    """
    own = equation(study, Lens(risk=risk))
    terms, u = own.terms, float(own.roots)
    if math.isinf(u):
        return ()
    level, gap = at_root(terms, u)
    c = columns(study.servers)
    shift = 0.0 if study.kind == "transfer" else -u
    log_sample = log0(c["n"]) + shift
    with np.errstate(invalid="ignore", over="ignore"):
        sample, privacy = np.exp(log_sample), np.exp(log_sample + gap)
        least = np.minimum(log_sample, np.where(np.isnan(gap), np.inf, log_sample + gap))
        factor = np.exp(level - least)
        if study.kind == "federated":  # its left side is D^(2g+2), not 1
            factor = c["count"]
    term = factor * np.exp(least)
    table = np.nan_to_num(np.array([sample, privacy, factor, term]), posinf=np.inf)
    rows = zip(study.servers, table.T.tolist(), strict=True)
    return tuple(SiteTerm(server.name, *numbers) for server, numbers in rows)


# Around the root ----------------------------------------------------------------------------------

LEAST_REACH = math.log(8.0)  # the grid runs at least this far to either side of the root
MOST_ROWS = 8  # that have a curve of their own, the largest at the root
POINTS = 121  # of the even grid, to which the root and the kinks are added
MOST_REACH = math.log(30.0)  # kinks farther away than this do not widen the grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Curves around the root of one balance equation; all values are natural logs.

    Attributes:
        log_r: Grid of log r, ascending, with the root and the kinks near it; D = 1/r.
            Empty without information.
        root: log r at the root; ``inf`` without information.
        rows: The rows that have a curve of their own, in table order.
        terms: Their terms, one line per entry of ``rows``.
        kinks: Their log r up to which privacy binds; nan where it never or always does.
        others: Sum of all other rows' terms; None if there are none.
        total: Sum of all terms; 0 at the root.
    """

    log_r: Array
    root: float
    rows: tuple[int, ...]
    terms: Array
    kinks: tuple[float, ...]
    others: Array | None
    total: Array


def balance(study: Study, risk: str) -> Balance:
    r"""Evaluate a study's rate equation around its root.

    .. math:: F(r) = \sum_j (n_j \wedge n_j^2\varepsilon_j^2 r^d)\, r^{2\beta\gamma_j+d}

    Args:
        study: A study.
        risk: "classification" for a transfer study; "integrated" or "pointwise" otherwise.

    Returns:
        Logs of the terms, and of their sum.

    Examples:
        >>> from rates.presets import preset
        >>> out = balance(preset("hospitals").study, "classification")
        >>> bool(abs(np.interp(out.root, out.log_r, out.total)) < 1e-12), len(out.kinks)
        (True, 4)

    Source: [ACC] eqs. (5), (12); [CCV] eqs. (6), (13).
    """
    own = equation(study, Lens(risk=risk))
    terms, root = own.terms, float(own.roots)
    if math.isinf(root):
        return _nothing()
    rows = terms.shape[-1]
    d = np.broadcast_to(terms.step, (rows,))
    level, gap = at_root(terms, root)
    live = np.isfinite(level)
    kinks = np.full(rows, np.nan)
    turns = live & np.isfinite(gap)
    kinks[turns] = root - gap[turns] / d[turns]
    shown = np.sort(np.argsort(-level, kind="stable")[:MOST_ROWS])
    u = _grid(root, kinks[shown])
    level, _ = at_root(terms, u)
    rest = np.delete(level, shown, axis=1)
    return Balance(
        log_r=u,
        root=root,
        rows=tuple(shown.tolist()),
        terms=np.ascontiguousarray(level[:, shown].T),
        kinks=tuple(kinks[shown].tolist()),
        others=log_sum(rest) if rest.shape[1] else None,
        total=log_sum(level),
    )


def _grid(root: float, kinks: Array) -> Array:
    """Even points around the root that reach past the kinks nearby, with both added."""
    near = kinks[np.abs(kinks - root) <= MOST_REACH]  # false for nan
    reach = max([LEAST_REACH, *(1.15 * np.abs(near - root)).tolist()])
    even = np.linspace(root - reach, root + reach, POINTS)
    return np.unique(np.concatenate([even, near, [root]]))


def _nothing() -> Balance:
    """The record of a study without information."""
    curves: dict[str, Any] = {field.name: np.empty(0) for field in fields(Balance)}
    rest = {"root": math.inf, "rows": (), "terms": np.empty((0, 0)), "kinks": (), "others": None}
    return Balance(**curves | rest)
