"""Slopes: by hand, against an independent fit, and with the coverage that they claim."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import curve_fit

from rates.numbers.parameters import DomainError
from sims.engine import scaling
from sims.engine.experiment import Estimate, Point
from sims.engine.scaling import Fit, Fitted, fit, fits, line, slope_of


def series(x, mean, stderr, theory=None, **more):
    theory = [None] * len(x) if theory is None else theory
    points = [Point(series="s", x=a, theory=t, **more) for a, t in zip(x, theory, strict=True)]
    estimates = [Estimate(m, s, 50) for m, s in zip(mean, stderr, strict=True)]
    return points, estimates


def test_line_agrees_with_an_independent_fit():
    rng = np.random.default_rng(5)
    x = np.sort(rng.normal(size=9))
    sigma = rng.uniform(0.01, 0.5, 9)
    y = 1.0 - 0.7 * x + sigma * rng.standard_normal(9)
    value, covariance = curve_fit(lambda t, a, b: a + b * t, x, y, sigma=sigma, absolute_sigma=True)
    _, scaled = curve_fit(lambda t, a, b: a + b * t, x, y, sigma=sigma, absolute_sigma=False)
    got = line(x, y, sigma)
    assert got.value == pytest.approx(value[1], rel=1e-8)
    wanted = math.sqrt(max(covariance[1, 1], scaled[1, 1]))
    assert got.stderr == pytest.approx(wanted, rel=1e-6)


def test_a_bent_theory_is_compared_over_the_window():
    x = np.geomspace(10, 1e4, 8)
    curve = x**-1.0 + 0.1 * x**-0.5
    points, estimates = series(x, 3 * curve, 0.01 * 3 * curve, curve)
    result = fit(points, estimates)
    assert result.theory == pytest.approx(result.slope.value, abs=1e-12)
    assert -1.0 < result.theory < -0.5
    assert result.constant.value == pytest.approx(3.0)
    assert result.verdict() == scaling.AGREES
    assert result.slope.misfit < 1e-12  # the bend is the theory's own
    assert fit(*series(x, 3 * curve, 0.01 * 3 * curve)).slope.misfit > 1


def test_who_is_left_out():
    points, estimates = series(
        [1, 2, 3, 4, math.inf, 6, 7], [1, 1, 0, 1, 1, 1, 1], [0.1, 0.6, 0.1, 0.1, 0.1, 0.1, 0.1]
    )
    points[0] = Point(series="s", x=1, left_out="saturated: bandwidth at its limit")
    estimates[3] = Estimate(1.0, math.nan, 1)
    result = fit(points, estimates)
    assert result.used == 2
    assert result.left_out == (
        (1, "saturated: bandwidth at its limit"),
        (2, "standard error above half the mean"),
        (3, "the mean has no logarithm"),
        (4, "fewer than two replicates"),
        (math.inf, "x has no logarithm"),
    )


def test_nothing_to_fit():
    assert fits([], []) == ()
    points, estimates = series([1, 2], [0, 0], [0, 0], [1, 1])
    result = fit(points, estimates)
    assert (result.slope, result.constant, result.used) == (None, None, 0)
    assert math.isnan(result.theory)
    assert math.isnan(slope_of([1, 1], points, estimates))
    with pytest.raises(DomainError, match="two different x"):
        line(np.ones(3), np.arange(3.0), np.ones(3))
    result = fit(*series([5.0], [1.0], [0.1], [2.0]))
    assert (result.slope, result.constant.value) == (None, 0.5)
    assert result.verdict() == scaling.TOO_FEW


@pytest.mark.parametrize(
    ("theory", "rivals", "verdict"),
    [
        (-0.7, {}, scaling.AGREES),
        (-0.7, {"no privacy": -0.5}, scaling.AGREES),
        (-0.7, {"no privacy": -0.65}, scaling.CANNOT_DISTINGUISH),
        (-0.5, {"no privacy": -0.7}, scaling.DIFFERS),
        (-0.5, {}, scaling.DIFFERS),
        (math.nan, {}, scaling.TOO_FEW),
    ],
)
def test_verdicts(theory, rivals, verdict):
    slope = Fitted(value=-0.7, stderr=0.05, low=-0.8, high=-0.6, misfit=1.0)
    result = Fit(series="s", slope=slope, theory=theory, constant=None, used=5, left_out=())
    assert result.verdict(rivals) == verdict


def covered(replicates, scatter, runs=1_000, size=8):
    """Share of intervals that hold the true slope and the true constant."""
    rng = np.random.default_rng(11)
    x = np.geomspace(100, 1e6, size)
    truth = 2.5 * x**-0.7
    slopes = constants = 0
    for _ in range(runs):
        off = np.exp(scatter * rng.standard_normal(size))
        draws = truth * off * rng.gamma(2.0, 0.5, (replicates, size))
        mean, stderr = draws.mean(0), draws.std(0, ddof=1) / math.sqrt(replicates)
        result = fit(*series(x, mean, stderr, x**-0.7))
        slopes += result.slope.low <= -0.7 <= result.slope.high
        constants += result.constant.low <= 2.5 <= result.constant.high
    return slopes / runs, constants / runs


@pytest.mark.parametrize(
    ("scatter", "low", "high"),
    [(0.0, 0.94, 0.985), (0.15, 0.93, 0.97)],  # none, or three times the error of a point
)
def test_intervals_cover(scatter, low, high):
    slopes, constants = covered(200, scatter)
    assert low <= slopes <= high
    assert low <= constants <= high
