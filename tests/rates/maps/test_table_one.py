"""[ACC] Table 1: corrected it is the minimum of (4), printed it is not, and where."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rates.maps.phases import governing, regimes
from rates.maps.table_one import disagreement
from rates.numbers.parameters import DomainError
from tests.rates.maps.printed_table import table_1
from tests.rates.maps.test_regimes import load, log_rates, read


def test_disagreement_vectors() -> None:
    wrong = 0
    for group in load("regimes.json")["sets"]:
        sizes = (group["n"], group["m"], group["n0"])
        for row in group["by_gamma"]:
            rest = {"gamma": float(row["gamma"]), "beta": float(group["beta"]), "d": group["d"]}
            for key, expected in (row.get("table1_disagreement") or {}).items():
                eps21, _, reading = key.partition("_eps21_reading")
                found = disagreement(
                    *sizes, **rest, reading=reading, printed_eps21=eps21 == "printed"
                )
                labels = [(x.truth, x.printed) for x in found]
                assert labels == [tuple(read(x) for x in entry[2:]) for entry in expected]
                for x, entry in zip(found, expected, strict=True):
                    ends = [float(entry[0]), float(entry[1])]
                    assert [x.lo, x.hi] == pytest.approx(ends, rel=1e-9, abs=0)
                wrong += len(found)
    assert wrong > 100


def draw(count: int) -> tuple[tuple[np.ndarray, ...], dict[str, np.ndarray]]:
    """Draw parameters with n <= n0 <= mn and a budget, ends included now and then."""
    rng = np.random.default_rng(11)
    n, m = 10 ** rng.uniform(0, 7, count), np.exp(rng.uniform(0, 9, count))
    n0 = n * m ** np.clip(rng.uniform(-0.1, 1.1, count), 0, 1)
    gamma = np.where(rng.uniform(size=count) < 0.05, 1.0, np.exp(rng.uniform(-2.5, 2.5, count)))
    rest = {
        "gamma": gamma,
        "beta": rng.uniform(0.01, 1, count),
        "d": rng.integers(1, 11, count).astype(float),
    }
    return (n, m, n0, 10 ** rng.uniform(-9, 0, count)), rest


def test_a_hundred_thousand_draws() -> None:
    arguments, rest = draw(100_000)
    truth = governing(*arguments, **rest)
    label = table_1(*arguments, **rest)
    for i in np.flatnonzero(label != truth).tolist():  # gamma* = gamma = 1: NPt = NPs
        assert {str(label[i]), str(truth[i])} == {"NPt", "NPs"}
        assert rest["gamma"][i] == 1
        n, m, n0, _ = (float(x[i]) for x in arguments)
        assert n0 == pytest.approx(n * m)
    assert np.mean(label != truth) < 1e-3
    mismatches = {}
    for reading in ("A", "B"):
        wrong = np.flatnonzero(table_1(*arguments, **rest, reading=reading) != truth)
        mismatches[reading] = len(wrong)
        for i in wrong[:60].tolist():
            n, m, n0, epsilon = (float(x[i]) for x in arguments)
            one = {name: float(value[i]) for name, value in rest.items()}
            rows = disagreement(n, m, n0, **one, reading=reading)
            if one["gamma"] == 1 and n0 == pytest.approx(n * m):  # NPt = NPs, as above
                continue
            (row,) = [x for x in rows if x.lo < epsilon <= x.hi]
            assert row.truth == truth[i]
            assert row.printed == table_1(n, m, n0, epsilon, **one, reading=reading)
    assert mismatches["A"] > 1000
    assert mismatches["B"] > 500
    # With eps21 corrected both readings are wrong for gamma <= 1 only.
    for reading in ("A", "B"):
        again = table_1(*arguments, **rest, reading=reading, printed_eps21=False)
        wrong_here = again != truth
        assert wrong_here.any()
        assert np.all(rest["gamma"][wrong_here] <= 1)


INSIDE = st.tuples(
    st.floats(0, 7), st.floats(0, 5), st.floats(0, 1), st.floats(0.1, 5), st.floats(0.05, 1),
    st.integers(1, 10), st.sampled_from(["A", "B"]), st.booleans(),
)  # fmt: skip


TIED = (0.0, 1.0, 0.5, 1.0, 1.0, 1)  # n0 = sqrt(m) n at gamma = 1


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
            assert (listed[0].printed, listed[0].truth) == (str(says), str(truth))
            assert says != truth
        else:
            rates = log_rates(n, m, n0, middle, **rest)
            assert rates[str(says)] == pytest.approx(rates[str(truth)], rel=1e-11, abs=1e-12)
    assert disagreement(n, m, n0, **rest, reading="corrected") == ()


def test_the_examples_behind_the_corrections() -> None:
    rest = {"beta": 0.5, "d": 2}
    (false_text,) = disagreement(1000, 100, 1000, gamma=0.5, reading="A", **rest)
    assert (false_text.printed, false_text.truth) == ("NPs", "Ps")
    assert false_text.lo == pytest.approx(1000 ** (-1 / 6))
    assert disagreement(1000, 100, 1000, gamma=0.5, reading="B", **rest) == ()
    for reading, says in (("A", "NPs"), ("B", "Pt")):
        rows = disagreement(1000, 100, 90_000, gamma=0.8, reading=reading, **rest)
        assert (rows[0].printed, rows[0].truth) == (says, "NPt")
        assert rows[0].lo == pytest.approx(0.1494, abs=1e-4)
        assert rows[0].hi == pytest.approx(0.9192, abs=1e-4)
    with pytest.raises(DomainError, match="reading must be"):
        table_1(10, 1, 10, 0.5, gamma=1, **rest, reading="C")  # type: ignore[arg-type]
    # gamma = 1: Pt = Ps everywhere at n0 = sqrt(m) n, where the paper's eps11 is eps1.
    assert str(table_1(100, 4, 200, 0.1, gamma=1, **rest)) == "Pt"
    assert str(table_1(100, 4, 200, 0.1, gamma=1, **rest, reading="B")) == "Ps"
    assert disagreement(100, 4, 200, gamma=1, **rest, reading="B") == ()
