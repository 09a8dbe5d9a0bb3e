"""Roots of designs that are no study: against optimisers, draws, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.fit.rival_roots import Pool, best_weights, pooled_fit


def random_pool(seed: int, *, smooth: bool) -> Pool:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    return Pool(
        log_n=np.log(10 ** rng.uniform(0, 4, k)),
        power=np.sort(rng.uniform(0.1, 2.5, k)),
        log_sample=float(rng.uniform(-1, 2)),
        log_private=float(rng.uniform(-6, 1)),
        d=float(rng.integers(1, 4)),
        smooth=smooth,
    )


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_no_weights_beat_the_capped_signals(seed, smooth):
    from scipy.optimize import minimize

    records = random_pool(seed, smooth=smooth)
    u = float(np.random.default_rng(seed + 100).uniform(-4, 0.5))
    n, s = np.exp(records.log_n), np.exp(records.power * u)
    a2 = math.exp(-records.log_sample - records.d * u)
    b2 = math.exp(-records.log_private - 2 * records.d * u)

    def ratio(a: np.ndarray) -> float:
        sample, noise = np.sum(a**2 * n) * a2, np.max(a**2) * b2
        total = sample + noise if smooth else max(sample, noise)
        return float(np.log(np.sum(a * n * s) ** 2 / total))

    best = best_weights(records, u)
    draws = np.random.default_rng(seed).uniform(0, 1, (400, len(n))) ** 2
    tried = [ratio(a) for a in (*draws, np.ones(len(n)), s)]
    assert max(tried) <= best + 1e-9
    assert ratio(np.ones(len(n))) == pytest.approx(pooled_fit(records, u), abs=1e-10)
    start = np.array((*draws, np.ones(len(n)), s)[int(np.argmax(tried))])
    options = {"maxiter": 4000, "xatol": 1e-10, "fatol": 1e-12}
    found = minimize(
        lambda x: -ratio(np.abs(x) + 1e-12), start, method="Nelder-Mead", options=options
    )
    assert -found.fun == pytest.approx(best, abs=2e-3)
    assert -found.fun <= best + 1e-9
