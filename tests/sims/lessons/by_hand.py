"""What the lessons' truths rest on, written a second time and without the engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np

from sims.curves import curve, curve_means

Site = tuple[float, float, float, float]  # n, epsilon, sigma over sensitivity, signal exponent
CELLS, CLIP, DELTA = 8192, 4.0, 1e-5


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


# The exact risk of the series estimator --------------------------------------------------------


@cache
def _world() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Four random curves, clipped moments by summation, and the integral of Daubechies' phi."""
    import pywt

    f = np.stack([curve_means(curve("fourier", smoothness=1.0, seed=s), CELLS) for s in range(4)])
    z = np.linspace(-8.0, 8.0, 2001)
    weight = np.exp(-0.5 * z * z)
    weight /= weight.sum()
    at = np.linspace(f.min(), f.max(), 300)
    y = np.clip(at[:, None] + z, -CLIP, CLIP)
    phi, _, x = pywt.Wavelet("db2").wavefun(level=12)
    whole = np.concatenate([[0.0], np.cumsum(0.5 * (phi[1:] + phi[:-1]) * np.diff(x))])
    return f, np.interp(f, at, y @ weight), np.interp(f, at, y**2 @ weight), x, whole


@cache
def parts(K: int) -> tuple[float, float, float]:
    """Squared bias, variance of a record's part, and the largest sum of squares of the basis."""
    f, first, second, x, whole = _world()
    edges = np.arange(CELLS + 1) * (K / CELLS)
    phi = np.zeros((K, CELLS))
    for k in range(K):
        for turn in range(-(3 // K) - 1, 2):  # once around the circle and on
            ends = np.interp(edges - k - turn * K, x, whole, left=0.0, right=whole[-1])
            phi[k] += np.diff(ends)
    phi *= CELLS / math.sqrt(K)
    energy = (phi**2).sum(axis=0)
    mean, aim = first @ phi.T / CELLS, f @ phi.T / CELLS
    bias = (f**2).mean(axis=1) - 2 * (mean * aim).sum(axis=1) + (mean**2).sum(axis=1)
    variance = (second * energy).mean(axis=1) - (mean**2).sum(axis=1)
    return float(bias.mean()), float(variance.mean()), float(energy.max())


def risk(n: float, m: int, epsilon: float, tried: Iterable[int]) -> float:
    """The least risk over the dimensions tried, which must not be the first or the last."""
    found = {}
    multiplier = math.sqrt(4 * math.log(2 / DELTA)) / epsilon
    for K in sorted(tried):
        bias, variance, energy = parts(K)
        noise = K * (2 * CLIP * math.sqrt(energy) * multiplier / n) ** 2
        found[K] = bias + (variance / n + noise) / m
    best = min(found, key=found.__getitem__)
    assert best == 3 or min(found) < best < max(found)  # 3 functions are the fewest there are
    return found[best]
