"""The law of a class: exact noise on one count. Errors are tested in `tests/rates`."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from rates.numbers import DomainError
from sims.classroom import discrete_laplace


@pytest.mark.parametrize("epsilon", [0.1, math.log(3), 1.0, 3.0])
def test_noise_has_its_law(epsilon: float) -> None:
    chance, number = Random(11), 10_000
    draws = np.array([discrete_laplace(epsilon, chance) for _ in range(number)])
    a = math.exp(-epsilon)
    for k in range(-6, 7):
        p = (1 - a) / (1 + a) * a ** abs(k)
        assert np.mean(draws == k) == pytest.approx(p, abs=4 * math.sqrt(p / number))
    assert draws.var() == pytest.approx(2 * a / (1 - a) ** 2, rel=0.1)


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.inf, math.nan])
def test_no_budget_no_noise(epsilon: float) -> None:
    with pytest.raises(DomainError):
        discrete_laplace(epsilon, Random(0))
