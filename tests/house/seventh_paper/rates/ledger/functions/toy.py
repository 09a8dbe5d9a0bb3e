"""The price of a private mean, against the integral of the noise."""

from __future__ import annotations

import numpy as np
from rates.toy import mean_error

from rates.ledger.functions.base import Array, Draws, Tests
from rates.ledger.texts import Form

TESTS = Tests()


def _draw(generator: np.random.Generator, number: int) -> Draws:
    sizes = generator.integers(1, 10**4, number).astype(float)
    return {"n": sizes, "epsilon": generator.uniform(0.1, 10, number)}


@TESTS.add(_draw, 200)
def _noise(draws: Draws, form: Form) -> Array:
    pairs = zip(draws["n"].tolist(), draws["epsilon"].tolist(), strict=True)
    found = np.array([mean_error(n, epsilon) for n, epsilon in pairs])
    by_hand = 0.25 / draws["n"] + 2 * (draws["n"] * draws["epsilon"]) ** -2.0
    return np.asarray(np.abs(found / by_hand - 1))
