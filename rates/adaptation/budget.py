"""What budget the printed noise of [BCMM] really gives, exactly.

The neighbour relation is replacement of one private record.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rates.adaptation.noise import BUDGET, PARTS
from rates.numbers import DELTA, DomainError, Parameter, crossing, delta_of

_RULE = np.polynomial.legendre.leggauss(64)
_NODES = (_RULE[0] + 1.0) / 2.0, _RULE[1] / 2.0  # of an integral over [0, 1]
COPIES = Parameter(
    "copies",
    "c",
    "[1, 1e6]",
    rule="Copies must be a number from 1 to 1e6.",
    help="Records per person.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueBudget:
    """What noise meant for (ε, δ) really gives, for replacement of one record.

    Attributes:
        nominal: The budget that it was meant for.
        delta: The δ that it was meant for.
        epsilon: Smallest ε at that δ.
        delta_at_nominal: Smallest δ at the nominal ε.
        valid: Whether the promise holds.
    """

    nominal: float
    delta: float
    epsilon: float
    delta_at_nominal: float
    valid: bool


def printed_mu(epsilon: float, delta: float) -> float:
    r"""Return μ of Algorithm 1: ε/√(2 log(3/δ)), whatever the number of steps.

    Each of T steps releases two normal vectors at s_j/σ_j = ε/(2√(T log(3/δ))); their squares
    add up to μ², in which T cancels.

    >>> round(printed_mu(10, 0.01), 3)
    2.961

    Source: [BCMM] Algorithm 1; Dong, Roth, Su (2022), Corollary 3.3 for the composition.
    """
    return epsilon / math.sqrt(2.0 * math.log(3.0 / delta))


def true_budget(epsilon: float, delta: float) -> TrueBudget:
    r"""Return the exact budget of Algorithm 1, as printed, run at nominal (ε, δ).

    .. math:: \delta(e) = \Phi(\tfrac\mu2 - \tfrac e\mu) - e^e\,\Phi(-\tfrac\mu2 - \tfrac e\mu).

    Raises:
        DomainError: ε is not positive and finite, or δ not in (0, 1).

    >>> found = true_budget(10, 0.01)
    >>> round(found.epsilon, 2), round(found.delta_at_nominal, 4), found.valid
    (10.54, 0.0158, False)

    Source: [BCMM] Theorem 4.2; Balle and Wang (2018), Theorem 8.
    """
    eps, dlt = _budget(epsilon, delta)
    multiplier = 1.0 / printed_mu(eps, dlt)
    return _true(eps, dlt, lambda e: float(delta_of(multiplier, e)))


def deployed_budget(epsilon: float, delta: float) -> TrueBudget:
    r"""Return the exact budget of the whole procedure: Laplace at ε/2, then Algorithm 1 at ε/2.

    The privacy loss of the Laplace release is averaged over: it is ε/2 with probability 1/2,
    -ε/2 with probability exp(-ε/2)/2, and in between has the density of (ε/2)(1 - 2x) for x
    with density (ε/4) exp(-εx/2) on [0, 1].

    >>> found = deployed_budget(10, 0.01)
    >>> round(found.epsilon, 2), found.valid
    (8.65, True)

    Source: [BCMM] Section 4; the composition is exact, by one integral.
    """
    eps, dlt = _budget(epsilon, delta)
    mu, half = printed_mu(eps / PARTS, dlt), eps / PARTS
    return _true(eps, dlt, lambda e: laplace_then(half, mu, e))


def _true(epsilon: float, delta: float, of: Callable[[float], float]) -> TrueBudget:
    """Return what is really given where so small a delta holds at each epsilon."""
    found = of(epsilon)
    return TrueBudget(
        nominal=epsilon,
        delta=delta,
        epsilon=_solved(of, delta),
        delta_at_nominal=found,
        valid=found <= delta,
    )


def validity_limit(delta: float) -> float:
    """Return the largest ε for which the printed noise of Algorithm 1 is (ε, δ)-private.

    >>> round(validity_limit(0.01), 2), round(validity_limit(1e-5), 2)
    (8.92, 10.25)

    Source: [BCMM] Algorithm 1, where `true_budget` meets the nominal one.
    """
    dlt = DELTA.check(delta)
    return float(
        crossing(lambda e: math.log(float(delta_of(1.0 / printed_mu(e, dlt), e)) / dlt), 0.1, 300.0)
    )


def person_budget(epsilon: float, delta: float, copies: float) -> float:
    """Return the exact ε of Algorithm 1 for a person who stands behind several records.

    Replacing c records moves each gradient c times as far, so μ becomes cμ. Records drawn with
    replacement from n₀ people have about n/n₀ copies each.

    >>> round(person_budget(15, 0.01, 16))
    2689

    Source: [BCMM] Appendix E, sampling with replacement; the exact form of group privacy here.
    """
    eps, dlt = _budget(epsilon, delta)
    multiplier = 1.0 / (printed_mu(eps, dlt) * COPIES.check(copies))
    return _solved(lambda e: float(delta_of(multiplier, e)), dlt)


def laplace_then(laplace: float, mu: float, epsilon: float) -> float:
    """Return the smallest δ of a Laplace release at a budget followed by a normal one at μ.

    >>> laplace_then(0.0, 1.0, 0.5) == float(delta_of(1.0, 0.5))
    True

    Source: the privacy losses of independent releases add up.
    """
    x, weight = _NODES
    left = epsilon - laplace * np.append(1.0 - 2.0 * x, [1.0, -1.0])
    there = delta_of(1.0 / mu, np.abs(left))
    # The roles of the neighbours exchanged give delta at a negative epsilon.
    after = np.where(left >= 0.0, there, 1.0 - np.exp(np.minimum(left, 0.0)) * (1.0 - there))
    between = weight * laplace * np.exp(-laplace * x)
    return float(0.5 * np.append(between, [1.0, math.exp(-laplace)]) @ after)


def _solved(of: Callable[[float], float], delta: float) -> float:
    """Return the ε at which a decreasing δ(ε) equals δ; 0 where δ(0) is already smaller."""

    def over(epsilon: float) -> float:
        return math.log(max(of(epsilon), 1e-300) / delta)  # nearly a parabola, unlike δ itself

    high = 1.0
    # Even the budget 0 is kept: noise is that large.
    if over(0.0) <= 0.0:
        return 0.0
    while over(high) > 0.0:
        high *= 2.0
    return crossing(over, 0.0, high)


def _budget(epsilon: float, delta: float) -> tuple[float, float]:
    eps, dlt = BUDGET.check(epsilon), DELTA.check(delta)
    if math.isinf(eps):
        raise DomainError("epsilon must be finite here.", "epsilon", eps)
    return eps, dlt
