"""The experiments: points, refusals, reproducibility, and whether risk follows the rate."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from rates import Server, TransferStudy, solve
from rates.numbers.parameters import DomainError
from sims.acc.kernel import TRIANGULAR
from sims.acc.rate import (
    RATE,
    STUDY,
    asymptotic_slopes,
    lattice_of,
    rate_trial,
    study_trial,
    study_values,
)
from sims.engine.experiment import Experiment, Request
from sims.engine.runs import run
from sims.engine.scaling import fits
from sims.engine.settings import check_values
from tests.depth import deep_after


def request(experiment: Experiment = RATE, replicates: int = 10, seed: int = 0, **values):
    return Request(experiment=experiment, values=values, replicates=replicates, seed=seed)


@pytest.mark.parametrize("world", deep_after(1, ["cusp", "cusp, d = 2"]))
@pytest.mark.parametrize("mechanism", ["printed", "analytic"])
@pytest.mark.parametrize("gamma", deep_after(2, [None, 2.0, 0.5, 1.0]))
def test_one_constant_carries_the_calibrated_rate_onto_the_exact_risk(world, mechanism, gamma):
    """No simulation: over five decades of n and three budgets the ratio does not move."""
    flat = world == "cusp"
    who = {} if gamma is None else {"servers": "sources", "gamma": [gamma], "m": [10]}
    sizes = list(np.geomspace(1e3, 1e8 if flat else 3e5, 11))
    asked = request(world=world, mechanism=mechanism, n=[int(n) for n in sizes], **who)
    ratio = np.array([p.exact / p.theory for p in asked.points if not p.left_out])
    assert len(ratio) >= (18 if flat else 8)
    assert ratio.max() / ratio.min() < (1.06 if flat else 1.15)


def test_the_bandwidth_is_calibrated_by_its_own_variance():
    """sum_j count_j r^(2 beta gamma_j) / V_j(kappa r) = 1, with this package's variances."""
    asked = request(servers="both", gamma=[2], m=[7], n=[50_000], epsilon=[0.3], n0=[4000])
    trial = rate_trial(asked.values.changed(**asked.points[0].settings))
    h = trial.bandwidth
    r = h / 3.0
    total = 0.0
    for row, pool in zip(trial.study.servers, trial.pools(h), strict=True):
        variance = TRIANGULAR.roughness / (4 * row.n * h) + row.count * pool.noise(h, 1) ** 2
        total += row.count * r ** (2 * row.signal_exponent) / variance
    assert total == pytest.approx(1.0, rel=1e-9)
    assert asked.points[0].theory == pytest.approx(r**2, rel=1e-9)


def test_default_slopes_are_those_of_the_calibrated_rate_and_points_lie_on_the_exact_risk():
    *_, done = run(request(replicates=200))
    for point, estimate in zip(done.request.points, done.estimates, strict=True):
        assert abs(estimate.mean - point.exact) < 3.7 * estimate.stderr
    for fitted in fits(done.request.points, done.estimates):
        assert fitted.used >= 4
        gap = abs(fitted.slope.value - fitted.theory)
        assert gap <= max(3 * fitted.slope.stderr, 0.08)
        assert fitted.slope.stderr <= 0.03
        assert fitted.constant.value == pytest.approx(2.2, rel=0.15)


@pytest.mark.parametrize("gamma", [0.5, 2.0])
@pytest.mark.parametrize(
    ("sweep", "epsilon"), [*itertools.product("nm", (1e-9, math.inf)), ("epsilon", 1e-9)]
)
def test_asymptotic_slopes_are_those_of_the_calibrated_curve(gamma, sweep, epsilon):
    """Far out on either side of the kink; a size that no simulation would carry.

    With printed noise: the exact calibration stops growing once epsilon is below delta.
    """
    asked = {"sweep": sweep, "servers": "sources", "gamma": [gamma], "epsilon": [epsilon]}
    values = check_values(RATE.parameters, {**asked, "m": [1], "n": [1e12], "mechanism": "printed"})
    (want,) = asymptotic_slopes(values).values()
    low = {"n": 1e14, "m": 8, "gamma": gamma, "epsilon": epsilon}
    high = {**low, sweep: 4 * low[sweep]}
    rates = [rate_trial(values.changed(**settings)).rate for settings in (low, high)]
    slope = math.log(rates[1] / rates[0]) / math.log(4)
    expected = want.sampling if want.privacy is None else want.privacy
    assert slope == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize(
    ("experiment", "message", "values"),
    [
        (RATE, "only be swept where", {"sweep": "m"}),
        (RATE, "every budget must be finite", {"sweep": "epsilon"}),
        (RATE, "at least m", {"sweep": "m", "servers": "sources", "n": [5], "m": [10]}),
        (RATE, "bandwidth must be at least", {"n": [10**12], "kappa": 1e-3}),
        (STUDY, "one entry per row", {"n": [10, 20, 30], "epsilon": [1, 2]}),
        (STUDY, "must release", {"n": [10], "epsilon": [0], "gamma": [1]}),
        (STUDY, "signal exponent is 1", {"n": [10], "gamma": [2]}),
    ],
)
def test_questions_that_make_no_sense_are_refused(experiment, message, values):
    with pytest.raises(DomainError, match=message):
        request(experiment, **values)


def test_rows_of_a_study_go_in_and_come_out_or_are_cut():
    target = Server(name="A", n=500, epsilon=0.5, delta=1e-5)
    rows = (
        Server(name="B", n=900, epsilon=math.inf, signal_exponent=2, count=3),
        Server(name="C", n=0, epsilon=1.0, delta=1e-7),
    )
    study = TransferStudy(target=target, sources=rows, smoothness=0.5, dimension=3, margin=1)
    values, note = study_values(study)
    assert not note
    trial = study_trial(request(STUDY, **values).values, 1.0, "matched")
    back, own = (
        [(s.n, s.epsilon, s.signal_exponent, s.count) for s in x.servers]
        for x in (trial.study, study)
    )
    assert back == own
    told = (trial.study.target.delta, trial.study.smoothness, trial.study.dimension)
    assert told == (1e-5, 1.0, 1)
    assert [p.records for p in lattice_of(trial).pools] == [500, 2700]
    huge = Server(name="B", n=10**14, epsilon=1.0, count=100)
    values, note = study_values(replace(study, sources=(huge,)))
    assert values["n"] == (500.0, 10.0**13)
    assert "Cut to 1e15 records in all: B." in note
    with pytest.raises(DomainError, match="at most 200 rows"):
        study_values(replace(study, sources=[replace(huge, name=f"s{k}") for k in range(300)]))


def test_both_answers_stand_beside_the_study():
    asked = request(STUDY, n=[4000, 9000], gamma=[1, 0.8], factor=[1, 4])
    own, _, paper, other = asked.points
    trial = study_trial(asked.values, 1.0, "printed")
    assert paper.theory == pytest.approx(solve(trial.study).rate_uncapped)
    assert trial.bandwidth == solve(trial.study).bandwidth
    matched = study_trial(asked.values, 1.0, "matched")
    assert own.theory == pytest.approx((matched.bandwidth / 3) ** 2)
    assert other.exact < paper.exact
