"""The registered experiments: points, refusals, reproducibility, slopes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates import FederatedStudy, Server
from rates.answer.mechanism import offered_delta
from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from sims.ccv.choices import STUDY, study_servers, study_values
from sims.ccv.rate import RATE, asymptotic_slopes, exact_curves, on_curve
from sims.engine import Estimate
from sims.engine.experiment import Experiment, Point, Request
from sims.engine.runs import compute, run
from sims.engine.scaling import line
from sims.engine.settings import check_values
from sims.experiments import find

SHORT = {
    "regression-rate": {"epsilon": [0.3, 1.0], "n": [500]},
    "regression-weights": {"factor": [1.0], "servers": "extremes"},
    "regression-constants": {"epsilon": [0.5], "n": 500},
    "regression-study": {"factor": [1.0]},
}
OURS = [find(name) for name in SHORT]


def request(experiment: Experiment = RATE, replicates: int = 8, seed: int = 0, **values):
    return Request(experiment=experiment, values=values, replicates=replicates, seed=seed)


def test_a_sweep_of_too_many_points_is_refused_before_one_is_computed(monkeypatch):
    monkeypatch.setattr("sims.ccv.rate.plan", pytest.fail)
    many = {"n": list(range(1000, 1060)), "epsilon": list(range(1, 61)), "m": [1, 2]}
    with pytest.raises(DomainError, match=r"at most 2,000 combinations .* or 7,200"):
        request(**many)


@pytest.mark.parametrize("experiment", OURS, ids=lambda e: e.name)
def test_a_run_lies_on_the_exact_values_and_a_replicate_depends_on_its_index_alone(experiment):
    *_, last = run(request(experiment, 24, **SHORT[experiment.name], curves=2))
    asked = experiment.sample, last.request.values
    for point, got in zip(last.request.points, last.estimates, strict=True):
        assert abs(got.mean - point.exact) < 5 * got.stderr
    for point, row in ((last.request.points[k], last.replicated[k]) for k in (0, -1)):
        assert compute((*asked, point, 0, range(2, 4))).tolist() == row[2:4].tolist()


def test_the_exact_slopes_are_those_of_the_theory():
    """At N = 1e6, eight curves, in the private window: the slope of the calibrated equation."""
    asked = request(n=[10**5], epsilon=np.geomspace(0.03, 0.4, 10).tolist(), curves=8)
    found = [(p.x, p.exact, p.theory) for p in asked.points if not p.left_out]
    x, *errors = np.log(found).T
    exact, theory = (line(x, y, np.full(len(x), 0.01)).value for y in errors)
    assert asymptotic_slopes(asked.values).privacy == -1.0
    assert exact == pytest.approx(theory, abs=0.06)
    assert exact == pytest.approx(-1.0, abs=0.06)


def test_a_study_is_taken_as_it_is():
    study = preset("unequal").study
    values, note = study_values(study)
    assert note == ""
    servers = study_servers(check_values(STUDY.parameters, values), 1.0)
    back, own = ([(s.n, s.epsilon, s.delta) for s in rows] for rows in (servers, study.servers))
    assert back == own
    huge = FederatedStudy(servers=[Server(name="Registry", n=10**12, epsilon=1.0)], smoothness=4.0)
    values, note = study_values(huge)
    assert (values["n"], values["delta"]) == ((1e9,), (offered_delta(huge),))
    assert "Cut to 1e9 records in all: Registry." in note
    assert "Smoothness 4 cut to 2" in note


@pytest.mark.parametrize(
    ("experiment", "values", "words"),
    [
        (STUDY, {"n": [10, 20], "epsilon": [1, 1], "delta": [1e-5] * 3, "count": [1]}, "3 of 2"),
        (STUDY, {"n": [10**9], "epsilon": [1], "delta": [1e-5], "count": [2]}, "at most 1e9"),
        (STUDY, {"curve": "blocks"}, "smoothness above 1/2"),
        (RATE, {"epsilon": [1.0, math.inf]}, "every budget must be finite"),
        (RATE, {"sweep": "m", "n": [10], "m": [20]}, "needs a record"),
    ],
)
def test_refusals(experiment, values, words):
    with pytest.raises(DomainError, match=words):
        request(experiment, **values)


def test_no_curve_is_below_that_without_privacy_and_a_point_may_have_no_exact_risk():
    found = exact_curves(request(n=[3000], curves=1).values, count=20)["all"]
    assert (found.without <= found.risk * (1 + 1e-12)).all()
    points = [Point(series="a", x=1.0, exact=1.0), Point(series="a", x=2.0)]
    assert on_curve(points, [Estimate(5.0, 0.1, 9)] * 2) == (0, 1)


def test_the_best_choice_is_the_best_and_the_printed_one_the_worst_of_a_study():
    best, calibrated, printed = (p.exact for p in request(STUDY, factor=[1.0]).points)
    assert best < calibrated < printed


def test_points_outside_of_the_private_window_say_why():
    budgets = {"n": [500], "epsilon": [1.0, 2.0, 1e3], "curves": 1}
    points = request(**budgets).points
    for words, point in zip(("squared norm", "fewer than", "without privacy"), points, strict=True):
        assert words in point.left_out
    assert {p.left_out for p in request(**budgets, window="all").points} == {""}
