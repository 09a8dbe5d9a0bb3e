r"""What repeated learning on subsamples costs one volunteer: one step, and all of them.

A learner that is (ε₀, δ₀)-private for m records sees m independent draws from weights of which
none exceeds 1/(κ n). Replacing one record changes the law of a draw by at most p = 1/(κ n) in
total variation; exchanging the laws draw by draw gives the step's privacy in closed form.
The neighbour relation is replacement of one record throughout.
"""

from __future__ import annotations

import math

import numpy as np

from rates.numbers import DomainError, least

_WIDTH = 40.0  # standard deviations of the binomial that are summed


_LARGE = 30.0  # from here on e^ε₀ is taken out of the logarithm, which it would leave


def step_epsilon(epsilon: float, draws: float, density: float, records: float) -> float:
    r"""Return the privacy of one learning step for one volunteer.

    .. math:: \varepsilon^* = m\log\Big(1 + \frac{e^{\varepsilon_0}-1}{\kappa n}\Big).

    Swapping the law of one draw multiplies any probability by at most 1 + p (e^ε₀ - 1), since
    the learner is ε₀-private in that draw; there are m draws. A learner attains it.

    Args:
        epsilon: ε₀ of the learner, at least 0.
        draws: m, records that the learner sees.
        density: κ in (0, 1].
        records: n, with κ n at least 1.

    Raises:
        DomainError: κ n is below 1, so that no weights of that density exist.

    >>> round(step_epsilon(1.0, 400, 0.2, 100_000), 5)
    0.03436

    Source: our reading of [KS] Claim 4.1; printed 6 ε₀ m / (κ n).
    """
    chance = _chance(density, records)
    if epsilon < _LARGE:
        return draws * math.log1p(math.expm1(epsilon) * chance)
    return draws * (epsilon + math.log(chance + (1 - chance) * math.exp(-epsilon)))


def composed_delta(epsilon_step: float, delta_step: float, steps: int, epsilon: float) -> float:
    r"""Return the smallest δ at which steps in a row are (ε, δ)-private, exact in the worst case.

    .. math:: 1-\delta = (1-\delta^*)^T\Big(1 - \sum_l \mathrm{Bin}(l;T,q)
        \big(1-e^{\varepsilon-(T-2l)\varepsilon^*}\big)_+\Big), \quad q = 1/(1+e^{\varepsilon^*}).

    Args:
        epsilon_step: ε* of each step, at least 0.
        delta_step: δ* of each step, in [0, 1).
        steps: T, at least 1.
        epsilon: The total, at least 0.

    >>> composed_delta(0.5, 0.0, 1, 0.5)
    0.0

    Source: Kairouz, Oh, Viswanath (2017), Theorem 3.3, in the form above.
    """
    from scipy.special import expit, gammaln, xlog1py, xlogy

    slack = 0.0
    if epsilon_step > 0:
        chance = float(expit(-epsilon_step))
        most = math.ceil(0.5 * (steps - epsilon / epsilon_step)) - 1
        mean, deviation = steps * chance, math.sqrt(steps * chance * (1 - chance))
        low = max(0, math.floor(mean - _WIDTH * (deviation + 1.0)))
        if most >= low:
            top = min(most, math.ceil(mean + _WIDTH * (deviation + 1.0)))
            count = np.arange(low, top + 1, dtype=float)
            log_mass = (
                gammaln(steps + 1.0)
                - gammaln(count + 1.0)
                - gammaln(steps - count + 1.0)
                + xlogy(count, chance)
                + xlog1py(steps - count, -chance)
            )
            gain = -np.expm1(epsilon - (steps - 2.0 * count) * epsilon_step)
            slack = float(np.sum(np.exp(log_mass) * np.maximum(gain, 0.0)))
    kept = steps * math.log1p(-delta_step)
    return -math.expm1(kept) + math.exp(kept) * slack


def composed_epsilon(epsilon_step: float, delta_step: float, steps: int, delta: float) -> float:
    """Return the smallest ε at which steps in a row are (ε, δ)-private, exact in the worst case.

    The inverse of `composed_delta` by bisection.

    Args:
        epsilon_step: ε* of each step.
        delta_step: δ* of each step.
        steps: T, at least 1.
        delta: The total, in (0, 1).

    Returns:
        ε, or ``inf`` if the δ* alone exceed the total.

    >>> round(composed_epsilon(0.03437, 0.0, 40, 1e-6), 2)
    0.88

    Source: as `composed_delta`.
    """

    def holds(epsilon: float) -> bool:
        return composed_delta(epsilon_step, delta_step, steps, epsilon) <= delta

    high = float(steps * epsilon_step)
    if math.isinf(high) or not holds(high):
        return math.inf
    return 0.0 if holds(0.0) else least(holds, 0.0, high)


def _chance(density: float, records: float) -> float:
    """The most that one record can weigh, 1/(κ n)."""
    if density * records < 1.0:
        rule = "density times records must be at least 1, or one record could be drawn always."
        raise DomainError(rule, "density", density * records)
    return 1.0 / (density * records)
