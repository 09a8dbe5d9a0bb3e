"""Adaptation: printed noise, its true budget, and the smoothness."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rates import adaptation as ad
from rates.adaptation import AdaptationDesign
from rates.numbers import delta_of
from rates.numbers.parameters import DomainError


def test_noise_of_algorithm_1_by_hand():
    sizes = {"public": 100, "private": 50, "dimension": 3, "alpha": 0.2, "norm_bound": 1}
    design = AdaptationDesign(**sizes, epsilon=2, delta=0.03, penalty=1.0)
    # B = 4, G = 4, B bar = 5, log(3/delta) = log 100
    found = ad.printed_noise(design, 16)
    assert found.sensitivity_w == pytest.approx(2 * 0.8 * 4 / 50)
    assert found.sensitivity_u == pytest.approx(0.64 * 4 / 2500)
    times = 2 * math.sqrt(16 * math.log(100)) / 2
    assert found.sigma_w == pytest.approx(found.sensitivity_w * times)
    assert found.sigma_u == pytest.approx(found.sensitivity_u * times)
    assert found.step_w == pytest.approx(1 / math.sqrt(16 * (16 + 3 * found.sigma_w**2)))
    assert found.step_public == pytest.approx(1000 / (4 * 0.04 * 9))
    inner = 0.64**2 * 25 + 50**4 * found.sigma_u**2
    assert found.step_private == pytest.approx(50**1.5 / (4 * math.sqrt(inner)))


# The true budget -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nominal", "real", "deployed"), [(5, 3.95, 3.87), (10, 10.54, 8.65), (15, 19.4, 14.07)]
)
def test_true_budgets_of_the_experiments(nominal, real, deployed):
    found = ad.true_budget(nominal, 0.01)
    assert (found.epsilon, found.valid) == (pytest.approx(real, abs=0.05), nominal < 8.92)
    spent = delta_of(1 / ad.printed_mu(nominal, 0.01), found.epsilon)
    assert spent == pytest.approx(0.01, rel=1e-8)
    assert ad.deployed_budget(nominal, 0.01).epsilon == pytest.approx(deployed, abs=0.01)


@pytest.mark.parametrize(("delta", "limit"), [(0.01, 8.92), (1e-5, 10.25)])
def test_where_the_printed_noise_stops_being_enough(delta, limit):
    found = ad.validity_limit(delta)
    assert found == pytest.approx(limit, abs=0.005)
    assert ad.true_budget(found * 0.999, delta).valid
    assert not ad.true_budget(found * 1.001, delta).valid


@pytest.mark.deep
def test_closed_forms_agree_with_dp_accounting():
    from dp_accounting import dp_event
    from dp_accounting.pld import PLDAccountant

    nominal, steps = 10.0, 2  # every release of every step, as the algorithm makes them
    noise = ad.printed_noise(AdaptationDesign(epsilon=nominal), steps)
    multiplier = noise.sigma_w / noise.sensitivity_w
    assert multiplier == pytest.approx(noise.sigma_u / noise.sensitivity_u)
    accountant = PLDAccountant()
    accountant.compose(dp_event.GaussianDpEvent(multiplier), 2 * steps)
    closed = ad.true_budget(nominal, 0.01).epsilon
    assert accountant.get_epsilon(0.01) == pytest.approx(closed, abs=0.01)
    deployed = ad.deployed_budget(nominal, 0.01)
    both, half = PLDAccountant(), nominal / 2  # of a Laplace release, and of all steps together
    both.compose(dp_event.GaussianDpEvent(1.0 / ad.printed_mu(half, 0.01)))
    both.compose(dp_event.LaplaceDpEvent(1.0 / half))
    assert both.get_epsilon(0.01) == pytest.approx(deployed.epsilon, abs=0.01)


def test_own_mechanisms_agree_with_dp_accounting():
    from dp_accounting import gaussian_mechanism

    design = AdaptationDesign(epsilon=1, delta=1e-5)
    least = gaussian_mechanism.get_sigma_gaussian(1.0, 1e-5)
    width, sigma = ad.descent_noise(design, 60, share=0.5, profiled=True)
    assert width == pytest.approx(2 * 0.5 / 200 * 2 * 0.2)
    assert sigma == pytest.approx(width * math.sqrt(60) * least, rel=1e-6)
    width, sigma = ad.descent_noise(design, 30, share=0.25)
    assert width == pytest.approx(2 * 0.75 * 6 / 200)
    assert sigma == pytest.approx(width * math.sqrt(30) * least, rel=1e-6)
    assert ad.descent_noise(design, 30, share=1.0) == (0.0, 0.0)
    assert ad.descent_noise(replace(design, epsilon=math.inf), 60, share=0.0)[1] == 0
    steep = ad.descent_noise(replace(design, penalty=100.0), 1, share=0.5, profiled=True)[0]
    assert steep == pytest.approx(2 * 0.5 * design.lipschitz / 200)  # never beyond G
    assert design.halved.epsilon == 0.5


def test_copies():
    one = ad.true_budget(3, 0.01).epsilon
    assert ad.person_budget(3, 0.01, 1) == pytest.approx(one)
    assert ad.person_budget(3, 0.01, 2) > 2 * one
    with pytest.raises(DomainError, match="Copies"):
        ad.person_budget(3, 0.01, 0.5)
    with pytest.raises(DomainError, match="finite"):
        ad.true_budget(math.inf, 0.01)


def test_parts_of_the_smoothness_by_hand():
    sizes = {"public": 4, "private": 1, "alpha": 0.5, "norm_bound": 1}
    design = AdaptationDesign(**sizes, loss="logistic", penalty=0)
    B = math.log(1 + math.e)
    weights, cross = 0.25 * 2 * B / 32 + 0.25 * B, 0.25 / 8 + 0.25
    assert ad.smoothness(design) == pytest.approx(0.25 + weights + cross)
    high = replace(design, penalty=3 * B)  # a penalty above 2B, where (20) as printed is too small
    weights = 0.25 * 3 * B / 32 + 0.25 * 3 * B
    assert ad.smoothness(high) == pytest.approx(0.25 + weights + cross)
