r"""The typical error of a share of yes, with coins in every hand or noise once on the count.

With coins everybody answers the truth with probability p = e^ε/(1 + e^ε) and the opposite
otherwise; with noise on the tally somebody trusted adds discrete Laplace noise to the count. Both
are ε-differentially private where one answer is replaced. The answers are held fixed: what varies
is the coins, or the noise.

An attacker knows all of a count but one record, 0 or 1 and equally likely, and sees the count with
Laplace noise of scale 1/ε. Whoever names the nearer value is right as often as anybody can be with
this noise; with ε alone, whatever the mechanism, nobody is right more often than with the share
e^ε/(1 + e^ε), which the coins reach.
"""

from __future__ import annotations

import math

from rates.numbers import EPSILON, Parameter

PEOPLE = Parameter(
    "n", "n", "1, ..., 1e15", noun="The number of people", help="How many answer, each once."
)
_BUDGET = EPSILON.within("(0, inf]")
_FINITE = EPSILON.within("(0, inf)")
_FAR = 1400.0  # from here on sinh(epsilon/2) overflows


def truth_chance(epsilon: float) -> float:
    r"""Return the probability with which the coins let the truth through, e^ε/(1 + e^ε).

    Args:
        epsilon: Budget, positive; inf is always.

    Raises:
        DomainError: The budget is outside its set.

    >>> round(truth_chance(math.log(3)), 12)
    0.75

    Source: Warner (1965).
    """
    return 1.0 / (1.0 + math.exp(-_BUDGET.check(epsilon)))


def noise_decay(epsilon: float) -> float:
    r"""Return a = e^-ε: the noise on the count is k with probability (1 - a)/(1 + a) a^|k|.

    Args:
        epsilon: Budget, positive; inf is no noise.

    Raises:
        DomainError: The budget is outside its set.

    >>> round(noise_decay(math.log(3)), 12)
    0.333333333333

    Source: Ghosh, Roughgarden and Sundararajan (2012), the geometric mechanism.
    """
    return math.exp(-_BUDGET.check(epsilon))


def coin_estimate(share: float, epsilon: float) -> float:
    r"""Return the share of yes that coins mean, (reported - (1 - p))/(2p - 1); not clipped.

    It is right on average, and may lie outside [0, 1].

    Args:
        share: Reported share of yes.
        epsilon: Budget of the coins.

    Raises:
        DomainError: The budget is outside its set.

    >>> coin_estimate(0.5, 1.0)
    0.5
    """
    # 2p - 1 is tanh(epsilon/2).
    return 0.5 + (share - 0.5) / math.tanh(_BUDGET.check(epsilon) / 2.0)


def coin_error(n: int, epsilon: float) -> float:
    r"""Return the standard deviation of the share that coins mean.

    .. math:: \frac{\sqrt{p(1-p)/n}}{2p-1} = \frac1{2\sqrt n\,\sinh(\varepsilon/2)}

    Args:
        n: People, whole and at least 1.
        epsilon: Budget of each, positive; inf is no error.

    Raises:
        DomainError: An argument is outside its set.

    >>> round(coin_error(60, math.log(3)), 4)
    0.1118

    Source: Warner (1965), with the true answers held fixed.
    """
    return 0.5 / (math.sqrt(PEOPLE.check(n)) * _sinh(epsilon))


def laplace_error(n: int, epsilon: float) -> float:
    r"""Return the standard deviation of the share where noise was added once to the count.

    .. math:: \frac{\sqrt{2a}}{(1-a)\,n} = \frac1{\sqrt2\,n\,\sinh(\varepsilon/2)},
        \qquad a = e^{-\varepsilon}

    The coins' error over it is the root of n/2, whatever ε is.

    Args:
        n: People, whole and at least 1.
        epsilon: Budget, positive; inf is no error.

    Raises:
        DomainError: An argument is outside its set.

    >>> round(laplace_error(60, math.log(3)), 4)
    0.0204

    Source: Ghosh, Roughgarden and Sundararajan (2012), the variance of their noise.
    """
    return math.sqrt(0.5) / (PEOPLE.check(n) * _sinh(epsilon))


def _sinh(epsilon: float) -> float:
    budget = _BUDGET.check(epsilon)
    return math.sinh(budget / 2.0) if budget < _FAR else math.inf


# The attacker -------------------------------------------------------------------------------


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
    return 0.5 * _FINITE.check(epsilon) * math.exp(-epsilon * abs(x))


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
    return 1.0 - 0.5 * math.exp(-0.5 * _FINITE.check(epsilon))


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
