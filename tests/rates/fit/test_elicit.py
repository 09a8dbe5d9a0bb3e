"""Elicitation by hand, round trips, refusals; the pilot; what a budget promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.fit import elicit
from rates.numbers.gaussian import delta_of
from rates.numbers.parameters import DomainError
from rates.study.guarantee import advantage, for_person, guarantees
from rates.study.presets import preset


def test_by_hand():
    # Halving the distance quarters the share; sqrt(0.1) = 0.316, where the target shows 0.1.
    assert elicit.margin_from_shares(0.2, 0.05) == pytest.approx(2)
    assert elicit.signal_from_risks(0.5 + math.sqrt(0.1)) == pytest.approx(0.5)
    assert elicit.signal_from_risks(0.4, 0.4) == pytest.approx(1)
    assert elicit.smoothness_from_change(math.sqrt(0.1)) == pytest.approx(0.5)


@given(st.floats(0, 5), st.floats(0.31, 6), st.floats(0.05, 0.45), st.floats(0.01, 1))
def test_each_parameter_gives_what_was_said_back(alpha, gamma, distance, beta):
    share = [distance * t**alpha for t in (0.1, 0.05)]
    assert elicit.margin_from_shares(*share) == pytest.approx(alpha, abs=1e-9)
    assert elicit.smoothness_from_change(0.1**beta) == pytest.approx(beta, rel=1e-9)
    for side in (-1, 1):
        if (shown := distance**gamma) < 0.5:
            found = elicit.signal_from_risks(0.5 + side * shown, 0.5 + side * distance)
            assert found == pytest.approx(gamma, rel=1e-6)


@pytest.mark.parametrize(
    ("form", "values", "words"),
    [
        (elicit.margin_from_shares, (0.1, 0.2), "are among those"),
        (elicit.margin_from_shares, (math.nan, 0.1), "above 0"),
        (elicit.signal_from_risks, (0.5,), "says nothing"),
        (elicit.signal_from_risks, (0.4,), "on the target's side"),
        (elicit.signal_from_risks, (1.2,), "at most at 100%"),
        (elicit.signal_from_risks, (0.6, 0.5), "neither 50 nor 100"),
        (elicit.smoothness_from_change, (0.05,), "the theory stops at 1"),
        (elicit.smoothness_from_change, (1.0,), "not smooth at all"),
    ],
)
def test_what_lies_outside_the_theory_is_refused(form, values, words):
    with pytest.raises(DomainError, match=words):
        form(*values)


def pilot_text(count: int, *, steep: float = 1.0, seed: int = 1) -> str:
    rng = np.random.default_rng(seed)
    x = rng.random((count, 2))
    y = rng.random(count) < 0.5 + 0.45 * np.sin(2 * np.pi * steep * x[:, 0])
    rows = [f"{a:.4f},{b:.4f},{int(c)}" for (a, b), c in zip(x, y, strict=True)]
    return "\n".join(["age,dose,ill", *rows])


def test_a_pilot_gives_ranges_inside_the_theory_and_repeats():
    found = elicit.fit_pilot(pilot_text(600))
    assert found == elicit.fit_pilot(pilot_text(600).encode())
    assert (found.records, found.covariates) == (600, ("age", "dose"))
    assert 0.4 < found.prevalence < 0.6
    low, high = found.smoothness
    assert 0 < low <= high <= 1
    low, high = found.margin
    assert 0 <= low <= high


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (pilot_text(20), "50 to 10,000 rows"),
        ("x,y\n" + "\n".join(f"0.{k},1" for k in range(10, 80)), "both labels"),
        ("x,y\n" + "\n".join(f"0.{k},{k % 3}" for k in range(10, 80)), "A label is 0 or 1"),
        ("x,y\n" + "\n".join(f"0.{k},a" for k in range(10, 80)), "plain number"),
        ("x,y\n" + "\n".join(f"inf,{k % 2}" for k in range(10, 80)), "x must be finite"),
        ("", "2 to 21 columns"),
        (b"\xff\xfe\x00", "UTF-8"),
    ],
)
def test_a_pilot_that_cannot_be_read_is_refused(text, words):
    with pytest.raises(DomainError, match=words):
        elicit.fit_pilot(text)


def test_an_attacker_s_edge_by_hand():
    assert advantage(0) == 0
    assert advantage(1) == pytest.approx((math.e - 1) / (math.e + 1))
    assert advantage(math.log(3), 0.1) == pytest.approx((2 + 0.2) / 4)
    assert advantage(50) == pytest.approx(1)
    assert advantage(math.inf, 0.5) == 1


def test_the_edge_bounds_the_exact_gaussian_attack():
    # The best attack on Gaussian noise has the edge delta(0) of its privacy curve.
    for noise in (0.5, 1.0, 3.0):
        edge = float(delta_of([noise], [0.0])[0])
        for epsilon in (0.1, 1.0, 4.0):
            delta = float(delta_of([noise], [epsilon])[0])
            assert edge <= advantage(epsilon, delta) + 1e-12


def test_a_person_s_guarantee_by_replacing_one_record_after_the_other():
    epsilon, delta = 0.7, 1e-5
    total = 0.0
    for _ in range(4):  # delta_k = e^epsilon delta_(k-1) + delta
        total = math.exp(epsilon) * total + delta
    assert for_person(epsilon, delta, 4) == pytest.approx((2.8, total))
    assert for_person(epsilon, delta, 1) == pytest.approx((epsilon, delta))
    assert for_person(math.inf, 0.0, 3) == (math.inf, 0.0)
    assert for_person(0.0, 1e-3, 3) == pytest.approx((0.0, 3e-3))
    assert for_person(50.0, 1e-6, 100) == (5000.0, 1.0)
    assert for_person(50.0, 0.0, 100) == (5000.0, 0.0)


def test_a_person_has_less_than_a_record_and_public_rows_promise_nothing():
    rows = guarantees(preset("unprotected").study, 3)
    public = next(g for g in rows if math.isinf(g.server.epsilon))
    assert (public.record_advantage, public.person_advantage) == (1.0, 1.0)
    for row in rows:
        assert row.person_advantage >= row.record_advantage
