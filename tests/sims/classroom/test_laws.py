"""The laws of a class: exact noise on one count, and both errors as the formulas say."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest
from scipy import stats

from rates.numbers import DomainError
from rates.tally import coin_error, coin_estimate, laplace_error
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


def test_errors_of_simulated_classes_fit_both_formulas() -> None:
    people, yes, epsilon, classes = 20, 8, math.log(3), 1_000
    chance = Random(3)
    tosses = [
        coin_estimate(
            sum((k < yes) ^ (chance.random() >= 0.75) for k in range(people)) / people, epsilon
        )
        for _ in range(classes)
    ]
    tallies = [(yes + discrete_laplace(epsilon, chance)) / people for _ in range(classes)]
    _fit(tosses, coin_error(people, epsilon), yes / people)
    _fit(tallies, laplace_error(people, epsilon), yes / people)


@pytest.mark.deep
@pytest.mark.parametrize(("people", "epsilon"), [(60, math.log(3)), (12, 1.0)])
def test_errors_of_20000_classes_fit_both_formulas(people: int, epsilon: float) -> None:
    # Coins of a whole class at once, by the law of their sum; single coins are tested above.
    rng, chance, yes, classes = np.random.default_rng(8), Random(8), people // 3, 20_000
    p = 1 / (1 + math.exp(-epsilon))
    said = rng.binomial(yes, p, classes) + rng.binomial(people - yes, 1 - p, classes)
    tosses = [coin_estimate(share, epsilon) for share in said / people]
    tallies = [(yes + discrete_laplace(epsilon, chance)) / people for _ in range(classes)]
    _fit(tosses, coin_error(people, epsilon), yes / people)
    _fit(tallies, laplace_error(people, epsilon), yes / people)


def _fit(estimates: list[float], error: float, truth: float) -> None:
    """Mean and standard deviation within four standard errors of what the formulas say."""
    found = np.asarray(estimates)
    assert abs(found.mean() - truth) < 4 * error / math.sqrt(found.size)
    square = (found - truth) ** 2
    assert abs(square.mean() - error**2) < 4 * square.std() / math.sqrt(found.size)
