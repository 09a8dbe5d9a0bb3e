"""The constant of a rate: recovered, covered by its interval, and refused where it must be."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rates import FederatedStudy, Server, TransferStudy
from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from rates.study.scope import Scope
from sims.acc.rate import Trial, lattice_of
from sims.acc.risk import lattice_risk
from sims.acc.worlds import Cusp, study_on
from sims.calibration.calibration import LEAST, Calibration, Tried, fitted, risk_of, scaled
from sims.calibration.worlds import RECIPE, calibrate, yardstick_of
from sims.ccv.estimator import World
from sims.ccv.risk import plan
from sims.curves.functions import curve

LINE, PLANE = Cusp(), Cusp(dimension=2)
CURVES = World(curves=tuple(curve("fourier", smoothness=1.5, seed=k) for k in range(3)))
SITES = (
    Server(name="target", n=4_000, epsilon=1.0, delta=1e-6),
    Server(name="clear", n=9_000, epsilon=0.5, delta=1e-6, signal_exponent=0.8),
    Server(name="open", n=500, epsilon=math.inf),
)


def transfer(*servers: Server, world: Cusp = LINE) -> TransferStudy:
    return study_on(world, servers or SITES)


YARD = yardstick_of(LINE, SITES)


def made_up(power=1.0, noise=0.0, count=12, spread=1e-3, seed=0, shape: Any = 1.0) -> Calibration:
    """A fit to risks 3.7 rate^power with relative noise, times a shape, as rates fall."""
    rng = np.random.default_rng(seed)
    rates = np.geomspace(1e-2, 1e-2 * spread, count)
    risks = 3.7 * shape * rates**power * (1.0 + noise * rng.standard_normal(count))
    tried = [
        Tried(records=1, budget=1, rate=rate, risk=risk)
        for rate, risk in zip(rates.tolist(), risks.tolist(), strict=True)
    ]
    return fitted(Calibration(yardstick=YARD, world="made up"), tried)


def test_a_known_constant_is_recovered_exactly():
    found = made_up()
    assert found.accepted
    assert found.constant.value == pytest.approx(3.7)
    assert found.slope.value == pytest.approx(1.0)
    assert found.width < 1e-6
    rate, _ = YARD.reading(SITES)
    at = replace(found, rates=(rate, rate), signals=(0.8, 1.0))
    assert risk_of(at, transfer()).value == pytest.approx(3.7 * rate)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (made_up(power=1.3), "slope differs"),
        (made_up(power=0.7), "slope differs"),
        (made_up(count=LEAST - 1), "Too few points"),
        (made_up(spread=0.5), "Too few points: their rates differ"),
        (made_up(noise=0.45, spread=0.2, seed=2), "cannot be told"),
        (made_up(shape=np.tile([3.0, 1.0], 6)), "scatters"),
        (made_up(shape=np.exp(np.linspace(-1, 1, 12) ** 2)), "scatters"),  # of mean slope one
    ],
)
def test_a_fit_that_does_not_deserve_it_is_refused(found, reason):
    assert reason in found.refusal
    assert not found.accepted
    assert found.refusal in risk_of(found, transfer()).refusal
    assert math.isnan(risk_of(found, transfer()).value)


@pytest.mark.parametrize("world", [LINE, PLANE], ids=["d = 1", "d = 2"])
def test_c_times_the_rate_holds_the_exact_risk_between_the_settings(world):
    found = calibrate(transfer(world=world), world)
    assert found.accepted, found.refusal
    assert 1.9 < found.constant.value < 3.5
    for factor, budget in ((0.7, 1.3), (3.0, 0.6), (11.0, 1.7), (2.0, math.inf)):
        servers = [scaled(s, factor, budget) for s in SITES]
        told = risk_of(found, transfer(*servers, world=world))
        assert told.refusal == ""
        own = Trial(world=world, study=transfer(*servers, world=world))
        assert told.low <= lattice_risk(lattice_of(own)) <= told.high


def test_c_times_the_rate_holds_the_exact_risk_of_a_curve():
    study = FederatedStudy(servers=[replace(s, signal_exponent=1.0) for s in SITES], smoothness=1.5)
    found = calibrate(study, CURVES)
    assert found.accepted, found.refusal
    for factor in (0.6, 3.0, 13.0):
        own = study.with_servers([scaled(s, factor) for s in study.servers])
        told = risk_of(found, own)
        assert told.low <= plan(CURVES, own.servers, RECIPE).exact <= told.high
    assert "smoothness" in risk_of(found, replace(study, smoothness=1.6)).refusal
    assert "other kind" in risk_of(found, transfer()).refusal


def test_nothing_is_said_beyond_the_settings_or_for_other_parameters():
    study = transfer()
    found = calibrate(study, LINE)
    few, many = (transfer(*(scaled(s, by) for s in SITES)) for by in (0.02, 1e4))
    dull = transfer(SITES[0], replace(SITES[1], signal_exponent=2.0))
    for other, words in (
        *((beyond, "Extrapolation too far") for beyond in (few, many)),
        (replace(study, margin=0.5), "margin is 0.5"),
        (replace(study, dimension=2), "covariates"),
        *((mix, "another mix") for mix in (dull, transfer(SITES[0]))),
    ):
        assert words in risk_of(found, other).refusal
    assert risk_of(None, study).refusal == "Nothing has been calibrated."


def test_what_is_filled_in_is_said_and_what_the_world_does_not_stand_for_is_refused():
    study = transfer(world=PLANE)
    assert "2 covariates" in calibrate(study, LINE).refusal
    volunteers = (("outcome", "binary"), ("target", "one"), ("protection", "hybrid"))
    for scope, words in (
        (Scope(smoothness=(0.5, 0.7)), "0.5 to 0.7 was said"),
        (Scope(margin=(0.0, 0.5)), "0 to 0.5 was said"),
        (Scope(answers=volunteers), "belongs to the theory [KS], and its rate is that of [ACC]"),
    ):  # another theory covers volunteers, and the rate is not that theory's
        assert words in calibrate(study, PLANE, scope=scope).refusal
    hospitals = preset("hospitals")
    assert "outside the theory" in calibrate(hospitals.study, PLANE, scope=hospitals.scope).refusal
    bare = transfer(replace(SITES[0], delta=None))
    assert "Where no delta is stated it is 1e-06" in calibrate(bare, LINE).note
    nobody = transfer(replace(SITES[0], n=0))
    assert "nothing can be learnt" in calibrate(nobody, LINE).refusal
    tiny = transfer(Server(name="target", n=12, epsilon=0.3, delta=1e-6))
    refusal = calibrate(tiny, LINE).refusal
    assert "Too few points" in refusal
    assert "saturated" in refusal
    with pytest.raises(DomainError, match="on a cusp"):
        calibrate(transfer(), CURVES)
