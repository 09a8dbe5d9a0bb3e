"""One root between two ends, against another implementation of the same method."""

from __future__ import annotations

import math

import pytest
from scipy.optimize import brentq

from rates.numbers import crossing

CURVES = [
    lambda x: x**3 - 2 * x - 5,
    lambda x: math.exp(x) - 5,
    lambda x: 1e-9 * math.tanh(x - 1.7),
    lambda x: math.atan(1e4 * (0.123 - x)),
    lambda x: x - 3.0 if x < 2.7 else 10.0,
    lambda x: math.copysign(1.0, x - 0.5),
]


@pytest.mark.parametrize("of", CURVES)
def test_root_and_steps_are_those_of_scipy(of) -> None:
    asked: dict[str, list[float]] = {"ours": [], "theirs": []}

    def told(who: str):
        def value(x: float) -> float:
            asked[who].append(x)
            return of(x)

        return value

    ours = crossing(told("ours"), -10.0, 9.0, xtol=1e-12, rtol=1e-14)
    theirs = brentq(told("theirs"), -10.0, 9.0, xtol=1e-12, rtol=1e-14)
    assert ours == pytest.approx(theirs, abs=1e-12)
    assert len(asked["ours"]) == len(asked["theirs"])


def test_ends() -> None:
    assert crossing(lambda x: x, 0.0, 1.0) == 0.0
    assert crossing(lambda x: x - 1.0, 0.0, 1.0) == 1.0
    with pytest.raises(ValueError, match="No change of sign between 1"):
        crossing(lambda x: x, 1.0, 2.0)
