"""What releases with Gaussian noise guarantee, beside what was asked for.

The neighbour relation is replacement of one record everywhere. A released function gets
one Gaussian path as a whole, with covariance K((s-t)/h): noise drawn independently at each
point is not private at this scale, because its mean over nearby points is almost noise-free.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rates import numbers
from rates.answer import multipliers


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
def spent(multiplier: float, epsilon: float, delta: float, releases: int = 1) -> Spent | None:
    """Return what Gaussian releases of equal noise guarantee together; None without privacy.

    The same holds for a function in a reproducing kernel Hilbert space, whose norm takes the
    place of the Euclidean one, if the noise is a path with the space's kernel as covariance.

    Args:
        multiplier: Sigma over sensitivity of each release, positive.
        epsilon: Budget asked for, positive; inf is no privacy.
        delta: Asked for.
        releases: How many there are, each with noise of its own.

    >>> noise = float(numbers.analytic_multiplier(1.0, 1e-5))
    >>> spent(noise, 1.0, 1e-5).valid, spent(noise, 1.0, 1e-5, 4).valid
    (True, False)

    Source: Dong, Roth and Su (2022), Corollary 3.3; Balle and Wang (2018), Theorem 8; for
    functions Hall, Rinaldo, Wasserman (2013), Corollary 9.
    """
    if math.isinf(epsilon):
        return None
    actual = float(numbers.delta_of(multiplier / math.sqrt(releases), epsilon))
    return Spent(epsilon=epsilon, delta=delta, actual=actual)


def each_spent(
    budgets: Iterable[tuple[float, float]], mechanism: numbers.Mechanism
) -> tuple[Spent, ...]:
    """Return what single releases guarantee; those without privacy or release are left out.

    Args:
        budgets: Pairs of epsilon and delta.
        mechanism: "analytic" or "printed", the constant of [ACC] (9).

    >>> [one.valid for one in each_spent([(8.0, 1e-6), (16.0, 1e-6)], "printed")]
    [True, False]
    """
    pairs = sorted({pair for pair in budgets if pair[0] > 0})
    found = (spent(multiplier(*pair, mechanism), *pair) for pair in pairs)
    return tuple(one for one in found if one)


@lru_cache(maxsize=4096)
def multiplier(epsilon: float, delta: float, mechanism: numbers.Mechanism) -> float:
    """Return sigma over sensitivity of a release; 0 without privacy.

    Args:
        epsilon: Positive; inf is no privacy.
        delta: In (0, 1).
        mechanism: "analytic" or "printed", the constant of [ACC] (9).

    >>> round(multiplier(1.0, 500.0**-2, "printed"), 3), multiplier(math.inf, 0.5, "analytic")
    (5.123, 0.0)
    """
    if math.isinf(epsilon):
        return 0.0
    one = multipliers(np.array([epsilon]), np.array([delta]), mechanism, numbers.ACC_PRINTED)
    return float(one[0])
