r"""Noise that makes a statistic private: what to add, how much, and what it guarantees.

The neighbour relation is replacement of one record everywhere. A released function gets
one Gaussian path as a whole, with covariance K((s-t)/h): noise drawn independently at each
point is not private at this scale, because its mean over nearby points is almost noise-free.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rates import numbers

Calibration = Literal["analytic", "ACC", "CCV"]

CALIBRATIONS: dict[str, tuple[str, float]] = {
    "analytic": ("Gaussian, exact calibration", 0.0),
    "ACC": ("Gaussian, sqrt(2 log(2/delta))/epsilon as printed in [ACC] (9)", numbers.ACC_PRINTED),
    "CCV": ("Gaussian, sqrt(4 log(2/delta))/epsilon as printed in [CCV]", numbers.CCV_PRINTED),
}

SENSITIVITY = numbers.Parameter(
    "sensitivity",
    "Δ",
    "[0, inf)",
    help="Most by which the statistic changes when one record is replaced.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism:
    """Additive noise with its guarantee.

    Attributes:
        name: Law and calibration.
        law: "Laplace", "Gaussian" or "none".
        scale: b of the Laplace law, the standard deviation of the Gaussian one; 0 for none.
        epsilon: Budget asked for.
        delta: Scale asked for on which the guarantee may fail; 0 for Laplace.
        sensitivity: Most by which one replaced record moves the statistic, in the norm of
            the law: sum of absolute changes for Laplace, Euclidean or RKHS norm for Gaussian.
        valid: Whether noise of this scale gives (epsilon, delta).
        guarantee: What holds, or why it does not, as a sentence.
    """

    name: str
    law: Literal["Laplace", "Gaussian", "none"]
    scale: float
    epsilon: float
    delta: float
    sensitivity: float
    valid: bool
    guarantee: str

    @property
    def sd(self) -> float:
        """Standard deviation of the noise in each coordinate."""
        return self.scale * math.sqrt(2.0) if self.law == "Laplace" else self.scale


def laplace(*, sensitivity: float, epsilon: float) -> Mechanism:
    """Return Laplace noise of scale Δ₁/ε, which is (ε, 0)-differentially private.

    Args:
        sensitivity: Δ₁, the largest sum of absolute changes, >= 0.
        epsilon: Positive; inf is no noise.

    Raises:
        DomainError: An argument is outside its set.

    Examples:
        >>> laplace(sensitivity=1.0, epsilon=0.5).scale
        2.0

    Source: Dwork, McSherry, Nissim, Smith (2006), Proposition 1.
    """
    width, budget = _checked(sensitivity, epsilon)
    if math.isinf(budget):
        return _unprotected(width)
    return Mechanism(
        name="Laplace",
        law="Laplace",
        scale=width / budget,
        epsilon=budget,
        delta=0.0,
        sensitivity=width,
        valid=True,
        guarantee=_promise(budget, 0.0),
    )


def gaussian(
    *, sensitivity: float, epsilon: float, delta: float, calibration: Calibration = "analytic"
) -> Mechanism:
    """Return Gaussian noise of standard deviation Δ₂ times a multiplier of (ε, δ).

    The printed multipliers, sqrt(2 log(2/δ))/ε and sqrt(4 log(2/δ))/ε, are too small when ε
    is large; the record then says so, with the δ that really holds. The same scale serves
    a function in a reproducing kernel Hilbert space, whose norm takes the place of the
    Euclidean one, if the noise is a path with the space's kernel as covariance.

    Args:
        sensitivity: Δ₂, the largest Euclidean or RKHS norm of the change, >= 0.
        epsilon: Positive; inf is no noise.
        delta: In (0, 1).
        calibration: "analytic" is exact; "ACC" and "CCV" are those papers' constants.

    Raises:
        DomainError: An argument is outside its set.

    Examples:
        >>> round(gaussian(sensitivity=1, epsilon=1, delta=1e-5).scale, 2)
        3.73
        >>> gaussian(sensitivity=1, epsilon=16, delta=1e-5, calibration="ACC").valid
        False

    Source: Balle and Wang (2018), Theorem 8; [ACC] eq. (9); [CCV] Section 3.1; for functions
    Hall, Rinaldo, Wasserman (2013), Corollary 9.
    """
    width, budget = _checked(sensitivity, epsilon)
    if calibration not in CALIBRATIONS:
        rule = f"calibration must be {' or '.join(CALIBRATIONS)}."
        raise numbers.DomainError(rule, field="calibration", value=calibration)
    scale_delta = numbers.DELTA.check(delta)
    if math.isinf(budget):
        return _unprotected(width)
    name, constant = CALIBRATIONS[calibration]
    multiplier = float(
        numbers.printed_multiplier(budget, scale_delta, constant)
        if constant
        else numbers.analytic_multiplier(budget, scale_delta)
    )
    actual = float(numbers.delta_of(multiplier, budget))
    valid = actual <= scale_delta * (1.0 + 1e-6)
    return Mechanism(
        name=name,
        law="Gaussian",
        scale=width * multiplier,
        epsilon=budget,
        delta=scale_delta,
        sensitivity=width,
        valid=valid,
        guarantee=_promise(budget, scale_delta)
        if valid
        else f"Not ({budget:.6g}, {scale_delta:.3g})-private: the printed constant is too small "
        f"for this epsilon, and delta is really {actual:.3g}.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What all releases of one server guarantee together, one record replaced.

    Attributes:
        epsilon: Budget asked for, finite.
        delta: Asked for.
        actual: The smallest delta that really holds at this epsilon.
    """

    epsilon: float
    delta: float
    actual: float

    @property
    def valid(self) -> bool:
        """Whether the releases are (epsilon, delta)-differentially private."""
        return self.actual <= self.delta * (1.0 + 1e-6)


@lru_cache(maxsize=4096)
def spent(multiplier: float, epsilon: float, delta: float, releases: int = 1) -> Spent:
    """Return what Gaussian releases of equal noise guarantee together.

    Args:
        multiplier: Sigma over sensitivity of each release, positive.
        epsilon: Budget asked for, positive and finite.
        delta: Asked for.
        releases: How many there are, each with noise of its own.

    >>> noise = float(numbers.analytic_multiplier(1.0, 1e-5))
    >>> spent(noise, 1.0, 1e-5).valid, spent(noise, 1.0, 1e-5, 4).valid
    (True, False)

    Source: Dong, Roth and Su (2022), Corollary 3.3; Balle and Wang (2018), Theorem 8.
    """
    actual = float(numbers.delta_of(multiplier / math.sqrt(releases), epsilon))
    return Spent(epsilon=epsilon, delta=delta, actual=actual)


def each_spent(budgets: Iterable[tuple[float, float]], mechanism: str) -> tuple[Spent, ...]:
    """Return what single releases guarantee; those without privacy or release are left out.

    Args:
        budgets: Pairs of epsilon and delta.
        mechanism: "analytic" or "printed", the constant of [ACC] (9).

    >>> [one.valid for one in each_spent([(8.0, 1e-6), (16.0, 1e-6)], "printed")]
    [True, False]
    """
    pairs = sorted({pair for pair in budgets if 0 < pair[0] < math.inf})
    return tuple(_one_spent(*pair, mechanism) for pair in pairs)


@lru_cache(maxsize=4096)
def _one_spent(epsilon: float, delta: float, mechanism: str) -> Spent:
    calibration: Calibration = "analytic" if mechanism == "analytic" else "ACC"
    made = gaussian(sensitivity=1.0, epsilon=epsilon, delta=delta, calibration=calibration)
    return spent(made.scale, epsilon, delta)


def _checked(sensitivity: object, epsilon: object) -> tuple[float, float]:
    width, budget = SENSITIVITY.check(sensitivity), numbers.EPSILON.check(epsilon)
    if budget == 0:
        rule = "epsilon must be positive for a release; with 0 nothing can be released."
        raise numbers.DomainError(rule, field="epsilon", value=budget)
    return width, budget


def _unprotected(width: float) -> Mechanism:
    return Mechanism(
        name="none",
        law="none",
        scale=0.0,
        epsilon=math.inf,
        delta=0.0,
        sensitivity=width,
        valid=True,
        guarantee="No protection: no noise is added.",
    )


def _promise(epsilon: float, delta: float) -> str:
    return f"({epsilon:.6g}, {delta:.3g})-differentially private per release, one record replaced."
