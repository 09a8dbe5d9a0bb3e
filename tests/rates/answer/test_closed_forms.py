"""[CCV] Corollaries 3 and 4: what is known of D under their conditions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.answer import all_private_D, dominating, privacy_binds_everywhere
from tests.rates.answer.test_laws import LAWS, powers


@LAWS
@given(g=st.floats(0.1, 4), data=st.data(), servers=st.integers(1, 6))
def test_several_sites_of_a_curve(g: float, data: st.DataObject, servers: int) -> None:
    """[CCV] Corollaries 3 and 4 under their conditions (8) and (9)."""
    n = np.array([data.draw(powers(0, 9)) for _ in range(servers)])
    epsilon = np.array([data.draw(powers(-6, 1)) for _ in range(servers)])
    count = np.array([data.draw(st.sampled_from([1, 1, 2, 50])) for _ in range(servers)])
    large = float(rates.solve_D(n, epsilon, smoothness=g, count=count))
    every = all_private_D(n, epsilon, smoothness=g, count=count)
    assert every == pytest.approx(np.sum(count * n**2 * epsilon**2) ** (1 / (2 * g + 2)))
    binds = privacy_binds_everywhere(n, epsilon, smoothness=g, count=count)
    assert binds == bool(np.all(n * epsilon**2 <= large * (1 + 1e-9)))
    if binds:
        assert large == pytest.approx(every, rel=1e-9)
    else:
        assert large < every
    kings = dominating(n, epsilon, smoothness=g, count=count)
    for j in kings:
        alone = min((n[j] * epsilon[j]) ** (2 / (2 * g + 2)), n[j] ** (1 / (2 * g + 1)))
        assert 1 - 1e-10 <= large / alone <= 2 ** (1 / (2 * g + 1)) * (1 + 1e-10)
    caps = count * n**2 * epsilon**2
    for j in range(servers):
        left = min(
            (n[j] * epsilon[j]) ** 2,
            n[j] ** ((2 * g + 4) / (2 * g + 2)) * epsilon[j] ** (2 / (2 * g + 2)),
            n[j] ** ((2 * g + 2) / (2 * g + 1)),
        )
        right = caps.sum() - (n[j] * epsilon[j]) ** 2
        if abs(left - right) > 1e-6 * max(left, caps.sum()):
            assert (j in kings) == (left > right)


def test_conditions_in_limit_cases() -> None:
    assert privacy_binds_everywhere([10, 10], [0.1, 0.0], smoothness=1)
    assert privacy_binds_everywhere([0, 10], [math.inf, 0.01], smoothness=1)
    assert not privacy_binds_everywhere([10, 10], [math.inf, 0.01], smoothness=1)
    assert privacy_binds_everywhere([2**12], [2.0**-4], smoothness=1)  # a tie is private
    assert all_private_D([0, 10], [math.inf, 0.1], smoothness=1) == pytest.approx(1)
    assert all_private_D([5], [math.inf], smoothness=1) == math.inf
    assert dominating([0, 5], [1, 0], smoothness=1) == ()
    assert dominating([10, 10], [0.1, 0.1], smoothness=1) == (0, 1)  # 1 against 1
    assert dominating([10, 10], [1, 1], smoothness=1) == ()  # 10^(4/3) against 100
    assert dominating(10, 1, smoothness=1, count=2) == ()
    assert dominating([10**6, 10], [math.inf, 1], smoothness=1) == (0,)
    assert dominating([10**6, 10], [1, math.inf], smoothness=1) == ()
