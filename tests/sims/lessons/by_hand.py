"""What the lessons' truths rest on, written a second time and without the engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

Site = tuple[float, float, float, float]  # n, epsilon, sigma over sensitivity, signal exponent


def root(rises: Callable[[float], float], low: float = 1e-12, high: float = 1e12) -> float:
    """Where a rising function of a positive number is 0, by bisection of logs."""
    a, b = math.log(low), math.log(high)
    for _ in range(100):
        middle = 0.5 * (a + b)
        a, b = (a, middle) if rises(math.exp(middle)) > 0 else (middle, b)
    return math.exp(0.5 * (a + b))


def sigma(epsilon: float, delta: float) -> float:
    """The least Gaussian noise over sensitivity, by the public library."""
    from dp_accounting import gaussian_mechanism

    return float(gaussian_mechanism.get_sigma_gaussian(epsilon, delta)) if epsilon < math.inf else 0


# The classifier: sum_j r^(2 beta gamma_j) / V_j(r) = 1 ----------------------------------------


def transfer_terms(
    sites: Iterable[Site], r: float, beta: float, d: int, kappa: float | None
) -> list[float]:
    """Each site's part of the equation, of the mechanism where it has a kappa."""
    out = []
    for n, epsilon, noise, gamma in sites:
        if kappa is None:
            part = min(n * r**d, (n * epsilon) ** 2 * r ** (2 * d))
        else:
            h = (kappa * r) ** d
            part = 1.0 / (0.25 * (2 / 3) ** d / (n * h) + (noise / (n * h)) ** 2)
        out.append(r ** (2 * beta * gamma) * part)
    return out


def radius(sites: Sequence[Site], beta: float, d: int, kappa: float | None) -> float:
    return root(lambda r: sum(transfer_terms(sites, r, beta, d, kappa)) - 1.0)


# The curve: sum_j C D^(-2g) / V_j(D) = 1 --------------------------------------------------------


def series_terms(
    sites: Iterable[Site], K: float, g: float, b: float | None, v: float = 2.0
) -> list[float]:
    """Each site's part; of the mechanism with noise b times the square of noise over n."""
    if b is None:
        return [min((n * e) ** 2, n * K) * K ** (-2 * g - 2) for n, e, _, _ in sites]
    return [K ** (-2 * g) / (v * K / n + b * (K * s / n) ** 2) for n, _, s, _ in sites]


def dimension(sites: Sequence[Site], g: float, b: float | None) -> float:
    return root(lambda K: 1.0 - sum(series_terms(sites, K, g, b)))
