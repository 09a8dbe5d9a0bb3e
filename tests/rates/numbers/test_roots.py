"""One search for each kind of root: by signs, by a condition, and by steps for many at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.numbers import bracketed, crossing, least, rising


def test_crossing_and_its_ends() -> None:
    assert crossing(lambda x: math.exp(x) - 5, -10.0, 9.0) == pytest.approx(math.log(5), rel=1e-12)
    assert crossing(lambda x: x, 0.0, 1.0) == 0.0
    assert crossing(lambda x: x - 1.0, 0.0, 1.0) == 1.0
    with pytest.raises(ValueError, match="must have different signs"):
        crossing(lambda x: x, 1.0, 2.0)


@pytest.mark.parametrize("at", [1, 2, 3, 17, 1000])
def test_least_whole_number(at: int) -> None:
    asked = []

    def holds(n: int) -> bool:
        asked.append(n)
        return n >= at

    assert least(holds, 0, 1) == at
    assert all(isinstance(n, int) and n > 0 for n in asked)
    assert least(lambda n: n >= at, at - 1, at) == at
    assert least(lambda n: n >= 8, 0, 1, most=8) == 8
    assert least(lambda n: n >= at, 0, 1, most=at - 1) == (math.inf if at > 1 else 1)


@pytest.mark.parametrize("at", [1e-9, 0.1, 1.0, 1e9])
def test_least_real_number_is_exact(at: float) -> None:
    assert least(lambda x: x >= at, 0.0, 1.0) == at


def test_bracketed_ends_though_steps_mislead() -> None:
    """Steps that point away are replaced by the middle; one problem may be settled before."""
    root = np.array([0.3, -2.0, 0.0])
    low, high = np.array([-5.0, -5.0, 0.0]), np.array([5.0, 5.0, 0.0])

    def away(x):
        return np.array([1e9, -1e9, math.nan]), x > root, 1.0

    found = bracketed(away, np.array([5.0, 5.0, 0.0]), low, high)
    np.testing.assert_allclose(found, root, atol=1e-14)


def test_bracketed_ends_though_steps_creep() -> None:
    """Steps that stay inside and never arrive are left for the middle now and then."""

    def creeping(x):
        return 1e-3 * (x - 0.3), x > 0.3, 1.0

    found = bracketed(creeping, np.array([5.0]), np.array([-5.0]), np.array([5.0]))
    np.testing.assert_allclose(found, 0.3, atol=1e-14)


def test_bracketed_takes_the_steps_it_is_told() -> None:
    asked = []

    def newton(x):
        asked.append(x)
        return (np.exp(x) - 3.0) / np.exp(x), np.exp(x) > 3.0, 1.0

    found = bracketed(newton, np.array([2.0]), np.array([0.0]), np.array([2.0]))
    assert found[0] == pytest.approx(math.log(3), rel=1e-15)
    assert len(asked) <= 7


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
