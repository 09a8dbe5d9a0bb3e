"""Result records: what a solved equation says about a study, with the evidence for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rates.answer.conditions import Condition
from rates.numbers import Brief, Framed, Terms, at_root

Array = NDArray[np.float64]
Limit = Literal["privacy", "sample", "none"]

RATE_SCALE = "up to constants and logs"
TIE = 1e-12  # relative, in logs; a tie reads as privacy


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Breakdown(Framed):
    """What each row contributes at the root; one entry per row, for all its servers together.

    Attributes:
        shares: Parts of the equation; they add to 1 (to 0 without information).
        limited_by: Which branch of the minimum (or which variance) is larger.
        elasticity_n: d log(r or D) / d log n_j; at a tie the privacy-side value.
        elasticity_epsilon: d log(r or D) / d log ε_j; at a tie the privacy-side value.
        elasticity_n_above: The sample-side value, which differs at a tie only.
        elasticity_epsilon_above: The sample-side value, which differs at a tie only.
        residual: log of the left side of the equation at the root; 0 if solved exactly.
    """

    _said: ClassVar[tuple[str, ...]] = ("shares", "limited_by")
    _columns: ClassVar[Mapping[str, str]] = {
        "shares": "share",
        "limited_by": "limited by",
        "elasticity_n": "d log root / d log n",
        "elasticity_epsilon": "d log root / d log epsilon",
    }

    shares: tuple[float, ...]
    limited_by: tuple[Limit, ...]
    elasticity_n: tuple[float, ...]
    elasticity_epsilon: tuple[float, ...]
    elasticity_n_above: tuple[float, ...]
    elasticity_epsilon_above: tuple[float, ...]
    residual: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TransferAnswer(Breakdown):
    """The rate of a `TransferStudy`, by the rate equation or by a named mechanism.

    Attributes:
        scale: "up to constants and logs", or the mechanism's name with its constants.
        r: Root of the equation, uncapped; ``inf`` without information.
        log_r: Its natural logarithm, which never overflows.
        rate: min(1, r^(β(1+α))); 1 is trivial.
        rate_uncapped: r^(β(1+α)); ``inf`` where it exceeds floating point.
        log_rate: Its natural logarithm.
        bandwidth: Bandwidth of the classifier, at most 1; None if a private delta is missing.
        effective_n: Unprotected target records that alone would give the same r.
        log_factor: The displayed upper order of L_N; an order, not a value; None as above.
        notes: What the theorem needs, checked with numbers.
    """

    _said: ClassVar[tuple[str, ...]] = ("r", "rate", "effective_n", "shares", "limited_by", "scale")

    scale: str
    r: float
    log_r: float
    rate: float
    rate_uncapped: float
    log_rate: float
    bandwidth: float | None
    effective_n: float
    log_factor: float | None
    notes: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RiskAnswer(Breakdown):
    """One of the two risks of a `FederatedStudy`.

    Attributes:
        D: Root of the equation, the effective number of basis functions; 0 without information.
        log_D: Its natural logarithm.
        rate: min(1, D^(-2g)), g the smoothness below.
        log_rate: log D^(-2g), uncapped.
        smoothness: g: α for the integrated risk, ν for the risk at a point.
        level: ceil(log2 D), at least 0; estimators use max(level, l0 + 1).
        effective_n: Unprotected records on one site that would give the same D.
    """

    _said: ClassVar[tuple[str, ...]] = ("D", "rate", "effective_n", "shares", "limited_by")

    D: float
    log_D: float
    rate: float
    log_rate: float
    smoothness: float
    level: int
    effective_n: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FederatedAnswer(Brief):
    """The rates of a `FederatedStudy`.

    Attributes:
        scale: "up to constants and logs", or the mechanism's name with its constants.
        integrated: Integrated squared error; the risk over the whole curve.
        pointwise: Squared error at one point.
        notes: What the theorems need, checked with numbers.
    """

    _said: ClassVar[tuple[str, ...]] = ("integrated", "pointwise", "scale")

    scale: str
    integrated: RiskAnswer
    pointwise: RiskAnswer
    notes: tuple[Condition, ...]


def breakdown(terms: Terms, u: float, sign: float, budget_power: Array | float = 1.0) -> Breakdown:
    """Take a solved equation apart, by implicit differentiation.

    With T_j the terms, e_j their slopes in u = log r and w_j the weight of the private
    branch, d log r / d log n_j = -(1 + w_j) T_j / sum e_i T_i and
    d log r / d log ε_j = -2 w_j T_j / sum e_i T_i.

    Args:
        terms: One equation.
        u: Its root; ``inf`` without information.
        sign: 1 for r, -1 for D = 1/r.
        budget_power: -d log(noise multiplier)/d log ε_j, 1 unless calibrated exactly.
    """
    rows = terms.shape[-1]
    idle: Limit = "none"
    if math.isinf(u):
        zeros: dict[str, Any] = {field.name: (0.0,) * rows for field in fields(Breakdown)}
        return Breakdown(**zeros | {"limited_by": (idle,) * rows, "residual": 0.0})
    log_terms, gap = at_root(terms, u)
    share = np.exp(log_terms)
    total = float(share.sum())
    share = share / total
    even = tie(terms)
    with np.errstate(over="ignore"):
        weight = 1.0 / (1.0 + np.exp(gap)) if terms.smooth else (gap <= even).astype(float)

    def sides(w: Array) -> tuple[tuple[float, ...], tuple[float, ...]]:
        slope = float(((terms.slope + terms.step * w) * share).sum())
        by_n = -sign * (1.0 + w) * share / slope
        by_epsilon = -sign * 2.0 * w * budget_power * share / slope
        return _floats(by_n), _floats(np.where(w * share > 0, by_epsilon, 0.0))

    below = sides(weight)
    above = below if terms.smooth else sides((gap < -even).astype(float))
    codes = np.where(np.isneginf(log_terms), 2, np.where(gap <= even, 0, 1))
    names: tuple[Limit, ...] = ("privacy", "sample", "none")
    limits: tuple[Limit, ...] = tuple(names[code] for code in codes.tolist())
    return Breakdown(
        shares=_floats(share),
        limited_by=limits,
        elasticity_n=below[0],
        elasticity_epsilon=below[1],
        elasticity_n_above=above[0],
        elasticity_epsilon_above=above[1],
        residual=math.log(total),
    )


def tie(terms: Terms) -> Array | float:
    """Return the gap between branches up to which privacy binds a term: 0, but for rounding."""
    scale = np.where(np.isfinite(terms.log_size), np.abs(terms.log_size), 0.0)
    return 0.0 if terms.smooth else np.asarray(TIE * np.maximum(1.0, scale))


def _floats(x: Array) -> tuple[float, ...]:
    return tuple((x + 0.0).tolist())  # + 0.0 turns -0.0 into 0.0
