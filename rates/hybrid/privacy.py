r"""What repeated learning on subsamples costs one volunteer: one step, and all of them.

A projection keeps one record's influence bounded: of the weights none is large.

A learner that is (ε₀, δ₀)-private for m records sees m independent draws from weights of which
none exceeds 1/(κ n). Replacing one record changes the law of a draw by at most p = 1/(κ n) in
total variation; exchanging the laws draw by draw gives the step's privacy in closed form.
The neighbour relation is replacement of one record throughout.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, least

Array = NDArray[np.float64]
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


def binomial(counts: Array, trials: int, chance: float) -> Array:
    """Return the probabilities of counts of successes.

    >>> binomial(np.arange(3.0), 2, 0.5).round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    from scipy.special import gammaln, xlog1py, xlogy

    rest = trials - counts
    ways = gammaln(trials + 1.0) - gammaln(counts + 1.0) - gammaln(rest + 1.0)
    return np.asarray(np.exp(ways + xlogy(counts, chance) + xlog1py(rest, -chance)))


def composed_delta(step: float, steps: int, epsilon: float) -> float:
    r"""Return the smallest δ at which steps in a row are (ε, δ)-private, exact in the worst case.

    .. math:: \delta = \sum_l \mathrm{Bin}(l;T,q) \big(1-e^{\varepsilon-(T-2l)\varepsilon^*}\big)_+,
        \quad q = 1/(1+e^{\varepsilon^*}).

    Args:
        step: ε* of each step, at least 0.
        steps: T, at least 1.
        epsilon: The total, at least 0.

    >>> composed_delta(0.5, 1, 0.5)
    0.0

    Source: Kairouz, Oh, Viswanath (2017), Theorem 3.3, in the form above.
    """
    lies = np.arange(steps + 1.0)
    gain = -np.expm1(np.minimum(epsilon - (steps - 2.0 * lies) * step, 0.0))
    chance = 1.0 / (1.0 + math.exp(min(step, 700.0)))
    return float(binomial(lies, steps, chance) @ gain)


def composed_epsilon(step: float, steps: int, delta: float) -> float:
    """Return the smallest ε at which steps in a row are (ε, δ)-private, exact in the worst case.

    The inverse of `composed_delta` by bisection.

    Args:
        step: ε* of each step.
        steps: T, at least 1.
        delta: The total, in (0, 1).

    >>> round(composed_epsilon(0.03437, 40, 1e-6), 2)
    0.88

    Source: as `composed_delta`.
    """

    def holds(epsilon: float) -> bool:
        return composed_delta(step, steps, epsilon) <= delta

    high = float(steps * step)
    if math.isinf(high):
        return math.inf
    return 0.0 if holds(0.0) else least(holds, 0.0, high)


def _chance(density: float, records: float) -> float:
    """The most that one record can weigh, 1/(κ n)."""
    if density * records < 1.0:
        rule = "density times records must be at least 1, or one record could be drawn always."
        raise DomainError(rule, "density", density * records)
    return 1.0 / (density * records)


def project(log_weights: Array, density: float, counts: Array | None = None) -> Array:
    r"""Return min(c w, 1) with the least c at which the sum is κ n.

    Args:
        log_weights: log w, one per record or per group of equal records.
        density: κ in (0, 1].
        counts: Records in each group; one each by default.

    >>> project(np.log([1.0, 2.0, 5.0]), 2 / 3).round(3).tolist()
    [0.333, 0.667, 1.0]

    Source: [KS] equation (2), after Bun, Carmosino, Sorrell (2020).
    """
    number = np.ones(len(log_weights)) if counts is None else np.asarray(counts, float)
    order = np.argsort(-log_weights, kind="stable")
    w = np.exp(log_weights[order] - log_weights[order[0]])
    size = number[order]
    full = np.concatenate([[0.0], np.cumsum(size)[:-1]])  # records at 1 before each group
    rest = np.cumsum((w * size)[::-1])[::-1]
    target = density * float(size.sum())
    with np.errstate(over="ignore"):
        c = (target - full) / rest
        allowed = (c * w <= 1.0 + 1e-12) & (full <= target)
    found = float(c[int(np.argmax(allowed))]) if allowed.any() else math.inf
    out = np.empty(len(w))
    out[order] = np.minimum(found * w, 1.0)
    return out
