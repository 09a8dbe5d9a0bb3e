"""Adaptation: printed noise, its true budget, and every constant of the ad."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates import adaptation as ad
from rates.adaptation import AdaptationDesign
from rates.numbers import delta_of
from rates.numbers.parameters import DomainError

designs = st.builds(
    AdaptationDesign,
    public=st.integers(1, 10**5),
    private=st.integers(1, 10**4),
    dimension=st.integers(1, 200),
    alpha=st.floats(0.01, 0.99),
    norm_bound=st.floats(0.1, 10),
    epsilon=st.floats(0.05, 20),
    delta=st.sampled_from([1e-8, 1e-5, 0.01]),
    penalty=st.floats(0, 2),
    loss=st.sampled_from(["squared", "logistic"]),
)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"alpha": 0}, r"strictly between 0 and 1.*alpha: got 0"),
        ({"private": 0}, r"private sample must hold.*got 0"),
        ({"epsilon": 0}, r"epsilon must be positive.*got 0"),
        ({"penalty": -1}, "penalty: got -1"),
        ({"loss": "hinge"}, "loss must be squared or logistic"),
    ],
)
def test_bad_designs_are_refused(change, words):
    with pytest.raises(DomainError, match=words):
        AdaptationDesign(**change)


def test_noise_of_algorithm_1_by_hand():
    design = AdaptationDesign(
        public=100, private=50, dimension=3, alpha=0.2, norm_bound=1, epsilon=2,
        delta=0.03, penalty=1.0,
    )  # B = 4, G = 4, B bar = 5, log(3/delta) = log 100  # fmt: skip
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
    assert found.epsilon == pytest.approx(real, abs=0.05)
    assert found.valid == (nominal < 8.92)
    multiplier = 1 / ad.printed_mu(nominal, 0.01)
    assert delta_of(multiplier, found.epsilon) == pytest.approx(0.01, rel=1e-8)
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


# Bounds --------------------------------------------------------------------------------------


def test_the_bound_of_theorem_4_2_follows_from_the_steps():
    """|w0-w*|^2/(2 eta T) + eta/2 (G^2 + d sigma^2), and the same for the weights."""
    design = AdaptationDesign(public=300, private=70, penalty=0.3)
    T, up = 40, 5.0
    noise = ad.printed_noise(design, T)
    G, d, Lam = design.lipschitz, design.dimension, design.norm_bound
    B, Bb, a = design.loss_bound, design.penalised_bound, 1 - design.alpha

    def regret(gap: float, step: float, square: float) -> float:
        return gap / (2 * step * T) + step / 2 * square

    found = ad.descent_bound(design, steps=T, public_gap=up)
    start = regret(4 * Lam**2, noise.step_w, G**2 + d * noise.sigma_w**2)
    own = regret(up, noise.step_public, design.alpha**4 * (B + Bb) ** 2 / 300**3)
    square = a**4 * Bb**2 / 70**3 + 70 * noise.sigma_u**2
    assert found == pytest.approx(start + own + regret(0.0, noise.step_private, square))


@given(designs, st.integers(1, 10**6))
def test_weights_cannot_move_far(design, steps):
    """The largest step of line 4, so many times, over where the inverse weights start."""
    noise, halving = ad.printed_noise(design, steps), ad.steps_to_halve(design)
    B, Bb, m = design.loss_bound, design.penalised_bound, design.public
    largest = steps * noise.step_public * design.alpha**2 * (B + Bb) / m**2
    assert largest / (m / design.alpha) == pytest.approx(math.sqrt(steps / halving))
    n, a = design.private, 1 - design.alpha
    own = steps * noise.step_private * a**2 * Bb / n**2 / (n / a)
    assert own <= a * math.sqrt(steps) / n**1.5 * (1 + 1e-9)
    jitter = math.sqrt(steps) * noise.step_private * noise.sigma_u / (n / a)
    assert jitter <= a / n**1.5 * (1 + 1e-9)


@given(designs)
def test_more_budget_never_hurts_a_bound(design):
    more = replace(design, epsilon=design.epsilon * 2)
    one, other = (ad.descent_bound(x, steps=100, public_gap=0.0) for x in (more, design))
    assert one <= other
    assert ad.steps_needed(more) >= ad.steps_needed(design)


def test_parts_of_the_smoothness_by_hand():
    design = AdaptationDesign(
        public=4, private=1, alpha=0.5, norm_bound=1, loss="logistic", penalty=0,
    )  # fmt: skip
    B = math.log(1 + math.e)
    weights, cross = 0.25 * 2 * B / 32 + 0.25 * B, 0.25 / 8 + 0.25
    assert ad.smoothness(design) == pytest.approx(0.25 + weights + cross)
    high = replace(design, penalty=3 * B)  # a penalty above 2B, where (20) as printed is too small
    weights = 0.25 * 3 * B / 32 + 0.25 * 3 * B
    assert ad.smoothness(high) == pytest.approx(0.25 + weights + cross)
