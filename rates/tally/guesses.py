r"""An attacker who knows all of a count but one record, and sees it with Laplace noise.

The record is 0 or 1, equally likely, and the noise has the scale 1/ε. Whoever names the nearer
value is right as often as anybody can be with this noise; with ε alone, whatever the mechanism,
nobody is right more often than with the share e^ε/(1 + e^ε), which the coins of `truth_chance`
reach.
"""

from __future__ import annotations

import math

from rates.numbers import EPSILON

_BUDGET = EPSILON.within("(0, inf)")


def laplace_density(x: float, epsilon: float) -> float:
    r"""Return the density of the noise at a distance from the record, (ε/2) e^(-ε|x|).

    Args:
        x: The distance.
        epsilon: Budget of the release, positive.

    Raises:
        DomainError: The budget is outside its set.

    >>> laplace_density(0.0, 1.0)
    0.5

    Source: Dwork, McSherry, Nissim and Smith (2006), at sensitivity 1.
    """
    return 0.5 * _BUDGET.check(epsilon) * math.exp(-epsilon * abs(x))


def best_guess(epsilon: float) -> float:
    r"""Return how often the best attacker is right with this noise, 1 - e^(-ε/2)/2.

    He names the record that is nearer to what is released, and errs where the noise is larger than
    one half, and to the other side.

    Args:
        epsilon: Budget of the release, positive.

    Raises:
        DomainError: The budget is outside its set.

    >>> round(best_guess(1.0), 4)
    0.6967
    """
    return 1.0 - 0.5 * math.exp(-0.5 * _BUDGET.check(epsilon))


def guess_error(share: float, rounds: int) -> float:
    """Return the standard error of a share of right guesses after independent rounds.

    >>> guess_error(0.5, 100)
    0.05
    """
    return math.sqrt(share * (1.0 - share) / rounds)


def by_chance(right: int, rounds: int) -> float:
    """Return how likely a thrown coin is right at least so often.

    >>> round(by_chance(14, 20), 4)
    0.0577
    """
    return float(sum(math.comb(rounds, k) for k in range(right, rounds + 1)) / 2**rounds)
