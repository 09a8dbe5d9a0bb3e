"""The two laws of a class: coins in each hand, and exact noise on one count."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest
from scipy import stats

from rates.numbers import DomainError
from sims.classroom import discrete_laplace, noisy_bit, truth_kept

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


def test_coins_have_their_law() -> None:
    chance = Random(5)
    assert truth_kept(math.log(3)) == pytest.approx(0.75, abs=1e-15)
    kept = sum(noisy_bit(True, math.log(3), chance) for _ in range(20_000))
    turned = sum(noisy_bit(False, math.log(3), chance) for _ in range(20_000))
    error = math.sqrt(20_000 * 3 / 16)
    assert abs(kept - 15_000) < 4 * error
    assert abs(turned - 5_000) < 4 * error


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.inf, math.nan])
def test_no_budget_no_noise(epsilon: float) -> None:
    with pytest.raises(DomainError):
        discrete_laplace(epsilon, Random(0))
