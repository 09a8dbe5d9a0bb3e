r"""Why the root lies where it lies: every row's term, and signal against noise, around it.

Write u = log r (for a federated study r = 1/D) and combine the rows as the papers do, with
weights w_j proportional to q_j s_j, where s_j is a row's signal at distance r and 1/q_j the
larger of its two variances:

.. math::
    s_j = r^{\beta\gamma_j},\quad
    V_j^{\mathrm{sampling}} = \frac{1}{n_j r^d},\quad
    V_j^{\mathrm{privacy}} = \frac{1}{n_j^2\varepsilon_j^2 r^{2d}},\quad
    \frac{1}{q_j} = \max(V_j^{\mathrm{sampling}}, V_j^{\mathrm{privacy}}).

Then q_j s_j² is the j-th term of the equation, so with F(r) the sum of the terms

.. math::
    \frac{\bigl(\sum w_j s_j\bigr)^2}{\sum w_j^2/q_j}
    = \frac{\bigl(\sum q_j s_j^2\bigr)^2}{\sum q_j s_j^2} = F(r),

whatever the weights add up to. At the root F = 1: the signal squared equals the noise in which
each row counts with the larger of its variances. As max(x, y) <= x + y <= 2 max(x, y), sampling
noise and privacy noise together lie between the signal squared and twice it. A federated
study is the case s_j = K^(-g), d = 1 at K = 1/r functions: the signal squared is then the
squared bias K^(-2g), and the variances are K/n_j and K²/(n_j ε_j)². A row of several identical
sites enters with count n_j and count n_j² ε_j² in the place of n_j and n_j² ε_j².
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rates.answer.mechanism import Lens
from rates.answer.terms import equation
from rates.numbers import Terms, at_root, log_sum, solve_log
from rates.study import Study

Array = NDArray[np.float64]

LEAST_REACH = math.log(8.0)  # the grid runs at least this far to either side of the root
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
        signal: Signal squared of the combined statistic, weights adding to 1.
        sampling: Its sampling variance.
        privacy: Its privacy variance; ``-inf`` if every row is unprotected.
        noise: Its variance if each row counts with the larger one; signal - noise = total.
    """

    log_r: Array
    root: float
    rows: tuple[int, ...]
    terms: Array
    kinks: tuple[float, ...]
    others: Array | None
    total: Array
    signal: Array
    sampling: Array
    privacy: Array
    noise: Array


def balance(study: Study, risk: str, *, most: int = 8, points: int = 121) -> Balance:
    r"""Evaluate a study's rate equation around its root.

    .. math:: F(r) = \sum_j (n_j \wedge n_j^2\varepsilon_j^2 r^d)\, r^{2\beta\gamma_j+d}

    Args:
        study: A study.
        risk: "classification" for a transfer study; "integrated" or "pointwise" otherwise.
        most: How many rows get a curve of their own, at least 1; the largest at the root do.
        points: Number of even grid points, to which the root and the kinks are added.

    Returns:
        Logs of the terms, of their sum, and of signal and noise.

    Examples:
        >>> from rates.presets import preset
        >>> out = balance(preset("hospitals").study, "classification")
        >>> bool(abs(np.interp(out.root, out.log_r, out.total)) < 1e-12), len(out.kinks)
        (True, 4)

    Source: [ACC] eqs. (5), (12); [CCV] eqs. (6), (13).
    """
    return balance_of(equation(study, Lens(risk=risk)).terms, most=most, points=points)


def balance_of(terms: Terms, *, most: int = 8, points: int = 121) -> Balance:
    r"""Evaluate a rate equation around its root; `balance` for equations without a study.

    .. math:: \log F(u) = \log \sum_j e^{\min(a_j,\, b_j + d u) + s_j u}, \quad u = \log r

    Args:
        terms: One equation, not a smooth one.
        most: How many rows get a curve of their own.
        points: Number of even grid points.

    Examples:
        One site of 10^6 unprotected records in one dimension: r = n^(-1/3), no kink.

        >>> from rates.numbers.implicit import make_terms
        >>> one = balance_of(make_terms([6.0], [np.inf], 3.0, 1.0))
        >>> one.root, one.kinks
        (-2.0, (nan,))

    Source: [ACC] eqs. (5), (12); [CCV] eqs. (6), (13).
    """
    root = float(solve_log(terms))
    if math.isinf(root):
        return _nothing()
    rows = terms.shape[-1]
    s, d = (np.broadcast_to(x, (rows,)) for x in (terms.slope, terms.step))
    level, gap = at_root(terms, root)
    live = np.isfinite(level)
    kinks = np.where(live & np.isfinite(gap), root - np.where(np.isfinite(gap), gap, 0.0) / d, 0.0)
    kinks = np.where(live & np.isfinite(gap), kinks, np.nan)
    shown = np.sort(np.argsort(-level, kind="stable")[:most])
    u = _grid(root, kinks[shown], points)
    level, gap = at_root(terms, u)
    rest = np.delete(level, shown, axis=1)
    curves = _combined(u, level[:, live], gap[:, live], s[live], d[live])
    return Balance(
        log_r=u,
        root=root,
        rows=tuple(shown.tolist()),
        terms=np.ascontiguousarray(level[:, shown].T),
        kinks=tuple(kinks[shown].tolist()),
        others=log_sum(rest) if rest.shape[1] else None,
        total=log_sum(level),
        **curves,
    )


def _combined(u: Array, level: Array, gap: Array, s: Array, d: Array) -> dict[str, Array]:
    """Log signal squared, sampling, privacy and larger variance of the weighted statistic."""
    at = u[:, None]
    signal = 0.5 * (s - d) * at  # log s_j
    weight = level - signal  # log q_j s_j
    weight = weight - log_sum(weight)[:, None]
    least = level - s * at + d * at  # log q_j; the gap leads from one variance to the other
    sampling = 2.0 * weight - least - np.maximum(-gap, 0.0)
    privacy = 2.0 * weight - least - np.maximum(gap, 0.0)
    return {
        "signal": 2.0 * log_sum(weight + signal),
        "sampling": log_sum(sampling),
        "privacy": log_sum(privacy),
        "noise": log_sum(2.0 * weight - least),
    }


def _grid(root: float, kinks: Array, points: int) -> Array:
    """Even points around the root that reach past the kinks nearby, with both added."""
    near = kinks[np.abs(kinks - root) <= MOST_REACH]  # false for nan
    reach = max([LEAST_REACH, *(1.15 * np.abs(near - root)).tolist()])
    even = np.linspace(root - reach, root + reach, points)
    return np.unique(np.concatenate([even, near, [root]]))


def _nothing() -> Balance:
    """The record of a study without information."""
    curves: dict[str, Any] = {field.name: np.empty(0) for field in fields(Balance)}
    rest = {"root": math.inf, "rows": (), "terms": np.empty((0, 0)), "kinks": (), "others": None}
    return Balance(**curves | rest)
