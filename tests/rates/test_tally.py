"""Coins and noise on the tally: errors by enumeration, privacy by ratios."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.tally import coin_error, coin_estimate, laplace_error, noise_decay, truth_chance

BUDGETS = (0.1, 1.0, math.log(3.0), 4.0)


@pytest.mark.parametrize("epsilon", BUDGETS)
def test_the_coins_error_is_that_of_every_outcome(epsilon):
    cards = np.array([1, 1, 0, 1, 0])
    p = truth_chance(epsilon)
    mean = square = 0.0
    for lies in itertools.product((0, 1), repeat=len(cards)):
        chance = math.prod(1 - p if lie else p for lie in lies)
        found = coin_estimate(float((cards ^ np.array(lies)).mean()), epsilon)
        mean += chance * found
        square += chance * (found - cards.mean()) ** 2
    assert mean == pytest.approx(cards.mean(), rel=1e-12)
    assert math.sqrt(square) == pytest.approx(coin_error(len(cards), epsilon), rel=1e-12)
    assert p / (1 - p) == pytest.approx(math.exp(epsilon))  # what one answer changes the odds by


@pytest.mark.parametrize("epsilon", BUDGETS)
def test_the_tallys_error_is_that_of_its_law(epsilon):
    a, k = noise_decay(epsilon), np.arange(-600, 601)
    law = (1 - a) / (1 + a) * a ** np.abs(k)
    assert law.sum() == pytest.approx(1.0)
    sd = math.sqrt(float((law * k**2).sum()))
    assert laplace_error(7, epsilon) == pytest.approx(sd / 7, rel=1e-9)
    near = law[550:651]
    assert (near[1:] / near[:-1]).max() == pytest.approx(math.exp(epsilon))  # a count moved by one


def test_their_ratio_is_the_root_of_half_the_people_whatever_the_budget():
    for n, epsilon in itertools.product((1, 12, 60, 10**6), (1e-6, *BUDGETS, 1300.0)):
        ratio = coin_error(n, epsilon) / laplace_error(n, epsilon)
        assert ratio == pytest.approx(math.sqrt(n / 2), rel=1e-12)
    assert coin_error(3, math.inf) == laplace_error(3, 5000.0) == 0.0


@pytest.mark.parametrize(("n", "epsilon"), [(2.5, 1.0), (60, 0.0), (60, math.nan)])
@pytest.mark.parametrize("error", [coin_error, laplace_error])
def test_other_numbers_are_refused(error, n, epsilon):
    with pytest.raises(DomainError):
        error(n, epsilon)
