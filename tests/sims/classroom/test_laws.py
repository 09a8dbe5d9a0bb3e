"""The law of a class: exact noise on one count. Errors are tested in `tests/rates`."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest
from scipy import stats

from rates.numbers import DomainError
from sims.classroom import discrete_laplace

EPSILONS = (0.1, math.log(3), 1.0, 3.0)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_noise_has_its_law(epsilon: float) -> None:
    chance = Random(11)
    draws = [discrete_laplace(epsilon, chance) for _ in range(4_000)]
    a = math.exp(-epsilon)
    edge = 6
    chances = {k: (1 - a) / (1 + a) * a ** abs(k) for k in range(-edge, edge + 1)}
    found = Counter(k if abs(k) <= edge else None for k in draws)
    seen = [found[k] for k in chances] + [found[None]]
    meant = [4_000 * p for p in chances.values()]
    meant.append(4_000 - sum(meant))
    joined = [(s, m) for s, m in zip(seen, meant, strict=True) if m >= 5]
    rest = (4_000 - sum(s for s, _ in joined), 4_000 - sum(m for _, m in joined))
    pairs = np.array([*joined, rest] if rest[1] > 1 else joined, dtype=float)
    pairs[:, 1] *= pairs[:, 0].sum() / pairs[:, 1].sum()
    assert stats.chisquare(pairs[:, 0], pairs[:, 1]).pvalue > 1e-3


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.inf, math.nan])
def test_no_budget_no_noise(epsilon: float) -> None:
    with pytest.raises(DomainError):
        discrete_laplace(epsilon, Random(0))
