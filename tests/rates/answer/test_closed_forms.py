"""The printed remarks and corollaries: within their constants.

The constants are those of a sum of K terms against its largest one; each is proved where
it is used.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.answer.federated import all_private_D, dominating, privacy_binds_everywhere
from tests.rates.answer.test_laws import LAWS, powers

SLACK = 1e-10


BETA, DIMENSION, GAMMA = st.floats(0.05, 1), st.integers(1, 10), st.floats(0.05, 6)
SIZE, BUDGET = powers(0, 12), powers(-6, 2)
LISTS = st.integers(1, 6)


def within(value: float, low: float, high: float) -> bool:
    """Say whether a number lies in an interval, up to rounding."""
    return low * (1 - SLACK) <= value <= high * (1 + SLACK)


def one_site(n: float, epsilon: float, k: float, d: float) -> float:
    """Return 1/r of a site alone: min(n^(1/k), (n epsilon)^(2/(k + d)))."""
    return min(n ** (1 / k), (n * epsilon) ** (2 / (k + d)))


@LAWS
@given(
    n0=SIZE, n=SIZE, m=st.integers(1, 10**6), own=BUDGET, epsilon=BUDGET,
    beta=BETA, gamma=GAMMA, d=DIMENSION,
)  # fmt: skip
def test_equal_sources(
    n0: float, n: float, m: int, own: float, epsilon: float, beta: float, gamma: float, d: int
) -> None:
    """[ACC] Theorem 3.1: two solo roots, and r is their minimum up to 2^(1/k_min)."""
    k0, k = 2 * beta + d, 2 * beta * gamma + d
    target = one_site(n0, own, k0, d)
    sources = min((m * n) ** (1 / k), (m * n**2 * epsilon**2) ** (1 / (k + d)))
    r = float(rates.solve_r([n0, n], [own, epsilon], [1, gamma], beta=beta, d=d, count=[1, m]))
    largest = max(target, sources)
    assert within(1 / r, largest, largest * 2 ** (1 / min(k0, k)))
    assert within(1 / r, (target + sources) / 2, (target + sources) * 2 ** (1 / min(k0, k)))


def unprotected_sum(n: np.ndarray, gamma: np.ndarray, beta: float, d: int) -> float:
    """Return the sum of [ACC] Remark 3.3, n_0 + sum n_j^((2 beta + d)/(2 beta gamma_j + d))."""
    p = 2 * beta + d
    return math.fsum(n ** (p / (2 * beta * gamma + d)))


@LAWS
@given(beta=BETA, d=DIMENSION, data=st.data(), servers=LISTS)
def test_unprotected_sites(beta: float, d: int, data: st.DataObject, servers: int) -> None:
    """[ACC] Remark 3.3. With z_j = r/r_j <= 1, sum z_j^(k_j) = 1 and p = 2 beta + d >= k_min.

    So sum z_j^p is at most K, and at least K^(1 - p/k_min) by the power means.
    """
    n = np.array([data.draw(powers(0, 9)) for _ in range(servers)])
    gamma = np.array([1.0] + [data.draw(GAMMA) for _ in range(servers - 1)])
    r = float(rates.solve_r(n, math.inf, gamma, beta=beta, d=d))
    p, k_min = 2 * beta + d, 2 * beta * gamma.min() + d
    worth, formula = r**-p, unprotected_sum(n, gamma, beta, d)
    assert within(worth, formula / servers, formula * servers ** (p / k_min - 1))
    if np.all(gamma == 1):
        assert worth == pytest.approx(formula, rel=1e-11)


@LAWS
@given(n=SIZE, m=st.integers(1, 10**9), epsilon=BUDGET, g=st.floats(0.05, 5))
def test_equal_sites_of_a_curve(n: float, m: int, epsilon: float, g: float) -> None:
    """[CCV] Corollaries 1 and 2 and (7): D is a minimum, the rate half the sum or more."""
    private = (m * n**2 * epsilon**2) ** (1 / (2 * g + 2))
    free = (m * n) ** (1 / (2 * g + 1))
    large = float(rates.solve_D(n, epsilon, smoothness=g, count=m))
    assert large == pytest.approx(min(private, free), rel=1e-11)
    total = private ** (-2 * g) + free ** (-2 * g)
    assert within(large ** (-2 * g), total / 2, total)
    unprotected = float(rates.solve_D(n, math.inf, smoothness=g, count=m))
    assert unprotected == pytest.approx(free, rel=1e-11)


@LAWS
@given(g=st.floats(0.1, 4), data=st.data(), servers=LISTS)
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
        assert within(large, alone, alone * 2 ** (1 / (2 * g + 1)))
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
