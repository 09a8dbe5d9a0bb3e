"""Where functions pass 0: one between two ends against Brent's method, many at once by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from rates.numbers import crossing, rising

CURVES = [
    lambda x: x**3 - 2 * x - 5,
    lambda x: math.exp(x) - 5,
    lambda x: 1e-9 * math.tanh(x - 1.7),
    lambda x: math.atan(1e4 * (0.123 - x)),
    lambda x: x - 3.0 if x < 2.7 else 10.0,
    lambda x: math.copysign(1.0, x - 0.5),
]


@pytest.mark.parametrize("of", CURVES)
def test_roots_are_those_of_scipy_in_about_as_many_steps(of) -> None:
    asked: dict[str, list[float]] = {"ours": [], "theirs": []}

    def told(who: str):
        def value(x: float) -> float:
            asked[who].append(x)
            return of(x)

        return value

    ours = crossing(told("ours"), -10.0, 9.0, xtol=1e-12, rtol=1e-14)
    theirs = brentq(told("theirs"), -10.0, 9.0, xtol=1e-12, rtol=1e-14)
    assert ours == pytest.approx(theirs, abs=1e-12)
    assert len(asked["ours"]) <= 1.6 * len(asked["theirs"])


def test_ends() -> None:
    assert crossing(lambda x: x, 0.0, 1.0) == 0.0
    assert crossing(lambda x: x - 1.0, 0.0, 1.0) == 1.0
    with pytest.raises(ValueError, match="No change of sign between 1"):
        crossing(lambda x: x, 1.0, 2.0)


def test_many_rising_functions_at_once() -> None:
    """Kinks, far roots, roots on either side of the start, and functions without one."""
    heights = np.linspace(-300.0, 300.0, 41)
    steps = []

    def kinked(x: np.ndarray) -> np.ndarray:
        steps.append(x)
        return np.minimum(x, 2.0 * x - 3.0) - heights

    found = rising(kinked, np.zeros(41))
    np.testing.assert_allclose(kinked(found), 0.0, atol=1e-12)
    assert len(steps) < 12
    levels = np.array([-40.0, -1.0, -1e-9])
    found = rising(lambda x: -np.log1p(np.exp(-x)) - levels, np.array([3.0, -3.0, 700.0]))
    np.testing.assert_allclose(found, -np.log(np.expm1(-levels)), rtol=1e-6)
    ends = rising(lambda x: np.array([-1.0, 1.0, 0.0, x[3] - 709.0]), np.zeros(4))
    assert ends.tolist() == [math.inf, -math.inf, 0.0, 709.0]
