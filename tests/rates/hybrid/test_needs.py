"""The engine of [KS]: by hand, by independent methods, and by laws."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import binom

from rates.hybrid import HybridDesign, of_tables
from rates.hybrid import needs as hybrid
from rates.numbers.gaussian import delta_of
from rates.numbers.parameters import DomainError
from tests.depth import examples

CALM = examples(60)
# accuracy, X, kappa, T, N0, N, records of the simple baseline, and records of the sheet
TABLE = [
    (0.1249999, 2, 0.0078, 5.7e4, 6.0e4, 3.4e9, 2150, 2.7e8),
    (0.1, 2, 0.0063, 9.4e4, 9.6e4, 9.0e9, 3360, None),
    (0.1, 39.2, 3.2e-4, 1.5e5, 9.9e4, 1.5e10, 6.6e4, None),
    (0.05, 2, 0.0031, 4.3e5, 4.2e5, 1.8e11, 1.3e4, 4.5e9),
    (0.01, 39.2, 3.2e-5, 1.9e7, 1.3e7, 2.4e14, 6.6e6, 1.5e13),
]


@pytest.mark.parametrize(
    ("accuracy", "x", "kappa", "rounds", "tests", "users", "simple", "sheet"), TABLE
)
def test_the_surface_of_sizes(accuracy, x, kappa, rounds, tests, users, simple, sheet):
    design = HybridDesign(accuracy=accuracy, divergence=x)
    found = hybrid.needs(design)
    sizes = (found.iterations, found.printed_users, found.users_per_test, found.users)
    # At ε = 1 the printed number is the larger one.
    assert sizes == pytest.approx((rounds, tests, tests, users), rel=0.06)
    assert hybrid.chi_square_records(design) == pytest.approx(simple, rel=0.04)
    assert hybrid.needs(design, density=kappa).records == pytest.approx(found.records, rel=0.06)
    if sheet:  # met with failure probability 0.05 in place of 0.05/T
        sample = float(hybrid.learner_sample(accuracy, 0.05, 1.0, 1e6))
        assert found.records / found.sample * sample == pytest.approx(sheet, rel=0.05)


@CALM
@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(0, 1)), min_size=2, max_size=8))
def test_divergences_are_ordered(pairs):
    source, target = zip(*pairs, strict=True)
    if max(target) > 1e-3:
        mean_square, supremum = of_tables(source, target)
        assert 1 <= mean_square <= supremum * (1 + 1e-12)


def test_tables_that_say_nothing_are_refused():
    least = "at least 0"
    for source, rule in (
        *(([], least), ([0, 0], least), ([-1, 2], least), ([math.inf, 1], least)),
        *(([1], "same number"), ([1, 0], "must have volunteers")),
    ):
        with pytest.raises(DomainError, match=rule):
            of_tables(source, [1, 1])


# Sizes ---------------------------------------------------------------------------------------


@CALM
@given(st.floats(0.001, 0.124), st.floats(1, 1e6), st.floats(0.1, 8))
def test_sizes_follow_laws(accuracy, x, epsilon):
    design = HybridDesign(accuracy=accuracy, divergence=x, epsilon=epsilon)
    base = hybrid.needs(design)
    closer = hybrid.needs(replace(design, divergence=1 + (x - 1) / 2))
    assert closer.records <= base.records * (1 + 1e-12)
    assert closer.users <= base.users * (1 + 1e-12)
    half = hybrid.needs(replace(design, epsilon=epsilon / 2))
    assert half.records == pytest.approx(2 * base.records)
    assert base.users == pytest.approx(base.users_per_test * base.iterations)
    # Where a rule without error exists the simple baseline always asks for fewer volunteers.
    assert hybrid.chi_square_records(design) < base.records / 4e3


def test_noise_of_one_answer_by_the_exact_profile():
    limit = hybrid.randomizer_limit(1e-6)
    assert limit == pytest.approx(9.73, abs=0.01)
    for epsilon in (1.0, limit - 0.01, limit + 0.01, 12.0):
        sigma = math.sqrt(2 * math.log(2e6)) / epsilon
        assert (float(delta_of(sigma, epsilon)) <= 1e-6) is (epsilon < limit)
        note = hybrid.needs(HybridDesign(accuracy=0.1, divergence=2, epsilon=epsilon)).note
        assert bool(note) is (epsilon > limit)


def test_users_asked_are_enough_by_the_exact_failure():
    """No test of Algorithm 2 fails more often than β/2T; with the printed number it can."""
    for epsilon, small in ((1.0, False), (3.0, False), (9.0, True), (20.0, True)):
        design = HybridDesign(accuracy=0.1, divergence=1 / 0.3, epsilon=epsilon)
        found = hybrid.needs(design)
        allowed = design.failure / (2 * found.iterations)
        for users, enough in ((found.users_per_test, True), (found.printed_users, not small)):
            k = np.arange(users + 1)
            sigma = math.sqrt(2 * math.log(2 / design.delta) / users) / epsilon
            off = k / users - 0.5
            far = ndtr((-0.1 - off) / sigma) + ndtr((off - 0.1) / sigma)
            assert (float(binom.pmf(k, users, 0.5) @ far) <= allowed) is enough
    assert 1.1e-5 > allowed > 2.3e-7


@CALM
@given(st.floats(0.001, 0.124), st.floats(1, 1e6), st.floats(1e-2, 1e3), st.floats(1e-10, 0.2))
def test_people_are_whole_and_at_least_what_either_formula_asks(accuracy, x, epsilon, delta):
    design = HybridDesign(accuracy=accuracy, divergence=x, epsilon=epsilon, delta=delta)
    found = hybrid.needs(design)
    asked = (accuracy, design.failure / (2 * found.iterations), epsilon, delta)
    for size in (hybrid.users_for, hybrid.users_enough):
        assert found.users_per_test >= float(size(*asked))
    people = [found.users_per_test, found.printed_users, found.users, found.records]
    for way in hybrid.strategies(design, supremum=1.5 * x):
        people += [way.volunteers, way.users]
        if way.key == "worst":
            assert (way.users, way.volunteers) == pytest.approx((found.users, found.records))
    assert all(p == math.floor(p) for p in people)
    assert found.users_per_test >= 1


@CALM
@given(st.integers(1, 10_000), st.integers(100, 10**6))
def test_the_least_density_that_is_named_is_enough(sample, records):
    small = 0.5 * sample / records
    with pytest.raises(DomainError) as caught:
        hybrid.check_run(sample, small, records)
    assert caught.value.value == small
    named = float(str(caught.value).split("m/n = ")[1].split(":")[0])
    assert named == pytest.approx(sample / records, rel=1e-5)
    hybrid.check_run(sample, named * (1 + 1e-5), records)


# Privacy -------------------------------------------------------------------------------------


def test_one_step_is_attained_by_a_learner():
    """The learner shows e^(eps s), s the draws of one person: exact ratio of two binomials."""
    for epsilon, m, mass in itertools.product((0.3, 1.0, 4.0), (1, 7, 40), (50.0, 400.0)):
        count = np.arange(m + 1)
        ratio = math.log(binom.pmf(count, m, 1 / mass) @ np.exp(epsilon * count))
        got = hybrid.step_epsilon(epsilon, m, 0.1, mass / 0.1)
        assert got == pytest.approx(ratio, rel=1e-9)


@pytest.mark.parametrize(
    ("step", "steps"), [(0.03436, 40), (0.12, 40), (0.5, 7), (0.005, 1000), (1.5, 3)]
)
def test_composition_agrees_with_dp_accounting(step: float, steps: int):
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    given = common.DifferentialPrivacyParameters(step, 0.0)
    one = pld.from_privacy_parameters(given, value_discretization_interval=1e-5)
    other = one.self_compose(steps)
    mine = hybrid.composed_epsilon(step, steps, 1e-6)
    assert mine == pytest.approx(other.get_epsilon_for_delta(1e-6), rel=2e-3, abs=steps * 1e-5)
    assert other.get_epsilon_for_delta(1e-6) >= mine - 1e-9  # it rounds up
    assert hybrid.composed_delta(step, steps, mine) <= 1e-6


def test_composition_by_hand_and_at_its_ends():
    e = math.exp(0.7)
    both = hybrid.composed_delta(0.7, 2, 0.0)
    assert both == pytest.approx((e * e - 1) / (1 + e) ** 2)
    assert hybrid.composed_epsilon(math.inf, 5, 1e-6) == math.inf
    assert hybrid.composed_epsilon(0.1, 5, 0.99) == 0.0
    assert hybrid.composed_epsilon(0.0, 5, 1e-6) == 0.0
    with pytest.raises(DomainError, match="at least 1"):
        hybrid.step_epsilon(1.0, 10, 0.001, 100)
    hybrid.check_run(430, 0.043, 10_000)  # 429.99999999999994 in binary


# Strategies ----------------------------------------------------------------------------------


def test_who_wins_where():
    base = HybridDesign(accuracy=0.1, divergence=2.0, dimension=10**6)

    def cheapest(design: HybridDesign, **change) -> str:
        found = hybrid.strategies(design, **change)
        return min(found, key=lambda s: s.volunteers + s.users).key

    assert cheapest(base) == "chi-square"
    assert cheapest(base, supremum=2.0) == "supremum"
    assert cheapest(replace(base, dimension=5), realizable=True) == "local"
    assert cheapest(base, realizable=False) == "own"
    # From the sheet: with 20 rounds d > 9.4e3 is needed, with the worst case d > 5e7.
    for dimension in (9_000, 13_000):
        users = {s.key: s.users for s in hybrid.strategies(replace(base, dimension=dimension))}
        assert (users["own"] < users["local"]) is (dimension > 9_400)


@pytest.mark.parametrize("epsilon", [29.999999, 30.000001, 700.0, 1e6, 1e308])
def test_a_budget_beyond_all_numbers_promises_nothing(epsilon):
    """For a large ε₀ one draw costs ε₀ + log p, where p is its chance."""
    step = hybrid.step_epsilon(epsilon, 400, 0.2, 100_000)
    assert step == pytest.approx(400 * (epsilon + math.log(1 / 20_000)), rel=1e-6)
    whole = hybrid.composed_epsilon(step, 40, 1e-6)
    assert whole == pytest.approx(40 * step, rel=1e-6)
