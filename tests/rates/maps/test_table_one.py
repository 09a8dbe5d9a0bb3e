"""[ACC] Table 1: corrected it is the minimum of (4), printed it is not, and where."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rates
from rates.maps import table_one
from rates.maps.phases import LABELS, governing, log_budget, regimes, terms
from rates.maps.table_one import checked_reading, disagreement, public_source
from rates.numbers import DomainError
from tests.depth import examples
from tests.rates.made import load
from tests.rates.maps.test_regimes import log_rates, read


def table_1(*sizes, reading: str = "corrected", printed_eps21: bool = True, **shape: float) -> str:
    """The label of one reading at n, m, n0 and a budget."""
    *sizes, epsilon = sizes
    found, checked = terms(*sizes, **shape), checked_reading(reading)
    return LABELS[int(table_one.table_codes(found, log_budget(epsilon), checked, printed_eps21))]


def test_disagreement_vectors() -> None:
    wrong = 0
    for group in load("regimes.json")["sets"]:
        sizes = (group["n"], group["m"], group["n0"])
        for row in group["by_gamma"]:
            rest = {"gamma": float(row["gamma"]), "beta": float(group["beta"]), "d": group["d"]}
            for key, expected in (row.get("table1_disagreement") or {}).items():
                eps21, _, reading = key.partition("_eps21_reading")
                how = {"reading": reading, "printed_eps21": eps21 == "printed"}
                found = disagreement(*sizes, **rest, **how)
                labels = [(x.truth, x.printed) for x in found]
                assert labels == [tuple(read(x) for x in entry[2:]) for entry in expected]
                for x, entry in zip(found, expected, strict=True):
                    ends = [float(entry[0]), float(entry[1])]
                    assert [x.lo, x.hi] == pytest.approx(ends, rel=1e-9, abs=0)
                wrong += len(found)
    assert wrong > 100


INSIDE = st.tuples(
    st.floats(0, 7), st.floats(0, 5), st.floats(0, 1), st.floats(0.1, 5), st.floats(0.05, 1),
    st.integers(1, 10), st.sampled_from(["A", "B", "corrected"]), st.booleans(),
)  # fmt: skip


TIED = (0.0, 1.0, 0.5, 1.0, 1.0, 1)  # n0 = sqrt(m) n at gamma = 1


@examples(400)
@given(INSIDE)
@example((*TIED, "A", False))
@example((*TIED, "B", True))
def test_disagreement_is_complete(case: tuple[Any, ...]) -> None:
    """At the middle of every piece both labels are those of table_1 and governing, or they tie.

    Pt and Ps tie at every budget where gamma = 1 and n0 = sqrt(m) n:
    Ps = (sqrt(m) n eps)^(-1/(beta gamma + d)) = (n0 eps)^(-1/(beta + d)) = Pt. Then `governing`
    says Pt, the target's, and the table's Ps is as right: no budget is listed.
    """
    log_n, log_m, share, gamma, beta, d, reading, printed = case
    n, m = 10**log_n, 10**log_m
    n0 = n * m**share
    rest = {"gamma": gamma, "beta": beta, "d": d}
    found = disagreement(n, m, n0, **rest, reading=reading, printed_eps21=printed)
    ends = {1e-30, 1.0, *(x.lo for x in found), *(x.hi for x in found)}
    ends |= {row.hi for row in regimes(n, m, n0, **rest)}
    for lo, hi in itertools.pairwise(sorted(ends)):
        if hi / lo < 1 + 1e-9:
            continue
        middle = math.exp(0.5 * (math.log(lo) + math.log(hi)))
        listed = [x for x in found if x.lo < middle <= x.hi]
        says = table_1(n, m, n0, middle, **rest, reading=reading, printed_eps21=printed)
        truth = governing(n, m, n0, middle, **rest)
        if listed:
            assert (listed[0].printed, listed[0].truth) == (says, str(truth))
            assert says != truth
        else:
            rates = log_rates(n, m, n0, middle, **rest)
            assert rates[says] == pytest.approx(rates[str(truth)], rel=1e-11, abs=1e-12)
    if reading == "corrected":
        assert found == ()
    if not printed:  # with eps21 corrected both readings are wrong for gamma <= 1 only
        assert found == () or gamma <= 1


def test_the_examples_behind_the_corrections() -> None:
    rest = {"beta": 0.5, "d": 2}
    (false_text,) = disagreement(1000, 100, 1000, gamma=0.5, reading="A", **rest)
    assert (false_text.printed, false_text.truth) == ("NPs", "Ps")
    assert false_text.lo == pytest.approx(1000 ** (-1 / 6))
    assert disagreement(1000, 100, 1000, gamma=0.5, reading="B", **rest) == ()
    for reading, says in (("A", "NPs"), ("B", "Pt")):
        rows = disagreement(1000, 100, 90_000, gamma=0.8, reading=reading, **rest)
        assert (rows[0].printed, rows[0].truth) == (says, "NPt")
        assert (rows[0].lo, rows[0].hi) == pytest.approx((0.1494, 0.9192), abs=1e-4)
    with pytest.raises(DomainError, match="reading must be"):
        table_1(10, 1, 10, 0.5, gamma=1, **rest, reading="C")
    # gamma = 1: Pt = Ps everywhere at n0 = sqrt(m) n, where the paper's eps11 is eps1.
    assert table_1(100, 4, 200, 0.1, gamma=1, **rest) == "Pt"
    assert table_1(100, 4, 200, 0.1, gamma=1, **rest, reading="B") == "Ps"
    assert disagreement(100, 4, 200, gamma=1, **rest, reading="B") == ()


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


def test_limits() -> None:
    rest = {"gamma": 1, "beta": 0.5, "d": 2}
    assert float(public_source(0, 0, 0, 1, **rest)) == 0
    assert float(public_source(0, 1000, 0, 0, **rest)) == pytest.approx(math.log(0.1))
    assert float(public_source(1000, 0, 0, math.inf, **rest)) == pytest.approx(math.log(0.1))
    assert public_source(10, 10, [10, 20], [[1], [2], [3]], **rest).shape == (3, 2)
    with pytest.raises(rates.DomainError, match="n1 must be"):
        public_source(1, -1, 1, 1, **rest)
