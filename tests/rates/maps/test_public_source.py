"""[ACC] Corollary 3.3: the safe form, and the exact intervals."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.maps.phases import log_budget
from rates.maps.table_one import PUBLIC, public_source, summands
from tests.rates.answer.test_laws import powers


def deciding(n0: float, n1: float, n2: float, epsilon: float, **rest: float) -> str:
    """The largest of 1 and the summands, by label."""
    found = summands(n0, n1, n2, **rest)
    return list(found.lines)[int(found.codes(log_budget(epsilon)))]


SIZE = st.one_of(powers(0, 9), st.sampled_from([0.0, 1.0]))
PARAMETERS = st.fixed_dictionaries(
    {
        "gamma": st.one_of(st.floats(0.1, 5), st.just(1.0)),
        "beta": st.floats(0.05, 1),
        "d": st.integers(1, 10),
    }
)


def test_within_the_constants_of_the_equation() -> None:
    """1/r lies between the largest solo value and 3^(1/k_min) times it; the sum is 1 to 3 times."""
    rng = np.random.default_rng(3)
    count = 20_000
    n0, n1, n2 = 10 ** rng.uniform(0, 9, (3, count))
    epsilon, gamma = 10 ** rng.uniform(-7, 2, count), rng.uniform(0.1, 5, count)
    beta, d = rng.uniform(0.05, 1, count), rng.integers(1, 11, count).astype(float)
    r = rates.solve_r(
        np.stack([n0, n1, n2], axis=-1),
        np.stack([epsilon, np.full(count, np.inf), epsilon], axis=-1),
        np.stack([np.ones(count), gamma, gamma], axis=-1),
        beta=beta[:, None],
        d=d[:, None],
    )
    safe = np.exp(public_source(n0, n1, n2, epsilon, gamma=gamma, beta=beta, d=d))
    assert np.all(safe <= 1)
    below = safe < 1
    least = 2 * beta * np.minimum(1, gamma) + d
    assert np.all(r[below] <= 3 * safe[below] * (1 + 1e-10))
    assert np.all((r * 3 ** (1 / least))[below] >= safe[below] * (1 - 1e-10))
    assert below.mean() > 0.9
    equal = rates.solve_r([[1e6] * 3], math.inf, 1, beta=0.5, d=1)  # the upper constant
    same = math.exp(public_source(1e6, 1e6, 1e6, math.inf, gamma=1, beta=0.5, d=1))
    assert float(equal[0]) * 3 ** (1 / 2) == pytest.approx(3 * same)


@given(SIZE, SIZE, SIZE, PARAMETERS)
def test_intervals(n0: float, n1: float, n2: float, rest: dict[str, float]) -> None:
    rows = summands(n0, n1, n2, **rest).intervals(0.0, 1.0)
    assert rows[0].lo == 0
    assert rows[-1].hi == 1
    for one, two in itertools.pairwise(rows):
        assert one.hi == two.lo
        assert one.label != two.label
    for row in rows:
        assert row.lo < row.hi
    b, g, d = rest["beta"], rest["gamma"], rest["d"]
    k, grid = 2 * b * g + d, np.geomspace(1e-12, 1, 500)
    with np.errstate(divide="ignore"):
        target = np.minimum(n0 ** (1 / (2 * b + d)), (n0 * grid) ** (1 / (b + d)))
        source = np.minimum(n2 ** (1 / k), (n2 * grid) ** (1 / (b * g + d)))
    public = n1 ** (1 / k)
    best = np.maximum(np.maximum(target, source), max(1, public))
    for row in rows:
        inside = (grid > row.lo * (1 + 1e-9)) & (grid < row.hi * (1 - 1e-9))
        part = {"1": np.ones(500), PUBLIC: np.full(500, public)}
        value = part.get(row.label, target if row.label.endswith("t") else source)
        np.testing.assert_allclose(value[inside], best[inside], rtol=1e-9)


def test_limits_and_ties() -> None:
    rest = {"gamma": 1, "beta": 0.5, "d": 2}
    assert float(public_source(0, 0, 0, 1, **rest)) == 0
    assert float(public_source(0, 1000, 0, 0, **rest)) == pytest.approx(math.log(0.1))
    assert float(public_source(1000, 0, 0, math.inf, **rest)) == pytest.approx(math.log(0.1))
    assert public_source(10, 10, [10, 20], [[1], [2], [3]], **rest).shape == (3, 2)
    assert deciding(0, 1, 0, 1, **rest) == "1"
    assert deciding(0, 1000, 1000, math.inf, **rest) == PUBLIC
    assert deciding(1000, 1000, 0, math.inf, **rest) == PUBLIC
    assert deciding(1000, 999, 0, math.inf, **rest) == "NPt"
    assert deciding(0, 0, 0, 1, **rest) == "1"
    with pytest.raises(rates.DomainError, match="n1 must be"):
        public_source(1, -1, 1, 1, **rest)
