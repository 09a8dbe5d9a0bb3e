"""The price of a private mean, against the integral of the noise."""

from __future__ import annotations

import numpy as np
from rates.toy import mean_error

from rates.statements.checks.base import Array, Check, Draws
from rates.statements.outcome import Form


def _draws(generator: np.random.Generator, number: int) -> Draws:
    sizes = generator.integers(1, 10**4, number).astype(float)
    return {"n": sizes, "epsilon": generator.uniform(0.1, 10, number)}


def _gap(draws: Draws, form: Form) -> Array:
    pairs = zip(draws["n"].tolist(), draws["epsilon"].tolist(), strict=True)
    found = np.array([mean_error(n, epsilon) for n, epsilon in pairs])
    by_hand = 0.25 / draws["n"] + 2 * (draws["n"] * draws["epsilon"]) ** -2.0
    return np.asarray(np.abs(found / by_hand - 1))


CHECKS = {"noise": Check(_draws, _gap, "is the relative difference", number=200)}
