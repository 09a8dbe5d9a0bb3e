"""Shares of causes: against all orders one by one, against the mechanism by hand, and by laws."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from rates.answer import SETS, Causes, Lens, calibrated, error_causes, shapley
from rates.numbers import DomainError
from rates.numbers.gaussian import analytic_multiplier
from rates.study import PRESETS, TransferStudy, columns, preset
from tests.rates.answer.test_laws import transfers
from tests.rates.made import everywhere, site, transfer

HOSPITALS = preset("hospitals").study
games = st.integers(1, 5).flatmap(
    lambda k: st.lists(st.floats(-10, 10), min_size=2**k, max_size=2**k)
)


def by_orders(values: list[float]) -> list[float]:
    """What every player adds, on average over all orders."""
    k = int(math.log2(len(values)))
    total = np.zeros(k)
    for order in permutations(range(k)):
        some = 0
        for player in order:
            more = some | 1 << (k - 1 - player)
            total[player] += values[more] - values[some]
            some = more
    return (total / math.factorial(k)).tolist()


@given(games)
def test_shares_are_the_averages_over_all_orders_and_add_to_the_whole(values):
    found = shapley(values)
    assert found == pytest.approx(by_orders(values), abs=1e-12)
    assert found.sum() == pytest.approx(values[-1] - values[0], abs=1e-12)


def by_hand(study: TransferStudy, kappa: float) -> list[float]:
    """Error of every set of causes, from the mechanism's own weights and variances."""
    c, beta, d = columns(study.servers), study.smoothness, study.dimension
    answer = calibrated(study, kappa=kappa)
    level, h = answer.r**beta, kappa * answer.r
    many, gamma, size = c["count"], c["signal_exponent"], c["n"] * h**d
    sampling = 0.25 * (2 / 3) ** d / size
    privacy = (analytic_multiplier(c["epsilon"], c["delta"]) / size) ** 2
    weight = many * level**gamma / (sampling + privacy)
    out = []
    for bias, with_sampling, with_privacy, unlike in SETS:
        power = gamma if unlike else np.minimum(gamma, 1.0)
        spread = weight**2 / many * (with_sampling * sampling + with_privacy * privacy)
        sd, t = math.sqrt(spread.sum()), 0.0
        if sd:

            def felt(log_t, sd=sd, power=power):
                return math.log(weight @ np.exp(log_t * power) / sd)

            t = math.exp(brentq(felt, -60, 60))
        out.append(((bias * level**2 + t**2) / 2) ** ((1 + study.margin) / 2))
    return out


@pytest.mark.parametrize("kappa", [1.0, 3.0])
def test_every_set_has_the_error_of_the_same_weights_and_bandwidth(kappa):
    study = transfer(
        site("t", 400, 2),
        site("a", 9000, 0.5, 1e-7, signal_exponent=1.4, count=3),
        site("b", 800, 6, 1e-5, signal_exponent=0.7),
        **{"beta": 0.8, "alpha": 0.6},
    )
    found = error_causes(study, Lens(kappa=kappa))
    errors = by_hand(study, kappa)
    assert found.error == pytest.approx(errors[-1], rel=1e-9)
    assert found.error == pytest.approx(calibrated(study, kappa=kappa).rate, rel=1e-12)
    assert found.values == pytest.approx(np.array(errors) / errors[-1], rel=1e-9)
    assert found.shares == pytest.approx(by_orders(list(found.values)), abs=1e-12)


@given(transfers(live=True))
def test_no_share_is_negative_and_none_is_left_over(study):
    if calibrated(study).rate == 1:
        return
    found = error_causes(study)
    cube = np.array(found.values).reshape(2, 2, 2, 2)
    for axis in range(4):  # a further cause never makes the error smaller
        assert (np.diff(cube, axis=axis) >= -1e-12).all()
    assert min(found.shares) >= -1e-12
    assert sum(found.shares) == pytest.approx(1.0, abs=1e-12)


def test_what_is_absent_has_no_share():
    for entry in PRESETS:
        assert error_causes(entry.study.unprotected()).shares[2] == pytest.approx(0.0, abs=1e-12)
    weaker = [replace(s, signal_exponent=1.0 + 0.2 * k) for k, s in enumerate(HOSPITALS.servers)]
    assert error_causes(HOSPITALS.with_servers(weaker)).shares[3] > 0.05
    for study in (HOSPITALS, everywhere(HOSPITALS, signal_exponent=1.0)):
        assert error_causes(study).shares[3] == pytest.approx(0.0, abs=1e-12)


def test_what_has_no_error_to_share_is_refused():
    with pytest.raises(DomainError, match="no more than chance"):
        error_causes(everywhere(HOSPITALS, n=0))
    with pytest.raises(DomainError, match="delta"):
        error_causes(everywhere(HOSPITALS, delta=None))
    for errors in ([0.0] * 16, [1.0] * 16, [0.0, 1.0], [0.0] * 15 + [math.nan]):
        with pytest.raises(DomainError, match="errors"):
            Causes.of(errors, "nothing")
    with pytest.raises(DomainError, match="2\\^k"):
        shapley([0.0, 1.0, 2.0])
