"""The deciding term of [ACC] (4): vectors, exact intervals, ends, limit cases and laws."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.maps import phases
from rates.maps.phases import LABELS, endpoints, governing, printed_eps21, regimes, terms
from rates.numbers import DomainError
from tests.rates.answer.test_laws import powers
from tests.rates.made import load, vectors

Case = dict[str, Any]


def log_rates(
    n: Any, m: Any, n0: Any, epsilon: Any, ratio: float = 1.0, **shape: Any
) -> dict[str, np.ndarray]:
    """The terms of (4) by label."""
    values = terms(n, m, n0, ratio=ratio, **shape).at(phases.log_budget(epsilon))
    return dict(zip(LABELS, values, strict=True))


def least(of: dict[str, np.ndarray]) -> np.ndarray:
    """The rate (4), without labels."""
    sides = np.maximum(of["Pt"], of["NPt"]), np.maximum(of["Ps"], of["NPs"])
    return np.minimum(0.0, np.minimum(*sides))


SIZE = st.one_of(powers(0, 12), st.sampled_from([0.0, 1.0, 1000.0]))
COUNT = st.one_of(powers(0, 6), st.sampled_from([0.0, 1.0]))
GAMMA = st.one_of(st.floats(0.05, 6), st.sampled_from([1.0, 1e-3, 50.0]))
CASES = st.fixed_dictionaries(
    {
        "sizes": st.tuples(SIZE, COUNT, SIZE),
        "gamma": GAMMA,
        "beta": st.one_of(st.floats(0.05, 1), st.just(1e-3)),
        "d": st.one_of(st.integers(1, 10), st.just(1000)),
    }
)


def split(case: Case) -> tuple[tuple[float, float, float], Case]:
    return case["sizes"], {name: case[name] for name in ("gamma", "beta", "d")}


def read(label: str) -> str:
    """A tie reads as its first label."""
    return label.removeprefix("tie:").split("=", maxsplit=1)[0]


def close(value: float, text: str | None) -> None:
    if text is None:
        assert math.isnan(value)
    else:
        assert value == pytest.approx(float(text), rel=1e-9, abs=0)


def test_regime_vectors() -> None:
    count = 0
    for group in load("regimes.json")["sets"]:
        sizes = (group["n"], group["m"], group["n0"])
        for row in group["by_gamma"]:
            rest = {"gamma": float(row["gamma"]), "beta": float(group["beta"]), "d": group["d"]}
            found = regimes(*sizes, **rest)
            assert [x.rate for x in found] == [read(x["rate"]) for x in row["regimes"]]
            for actual, expected in zip(found, row["regimes"], strict=True):
                close(actual.lo, expected["lo"])
                close(actual.hi, expected["hi"])
            order = phases.sequence(*sizes, **rest)
            if not any("tie" in x["rate"] for x in row["regimes"]):
                assert order.sides == row["side_sequence"]
                assert order.re_entrant == row["re_entrant"]
            compare_endpoints(sizes, rest, row["endpoints"])
            count += 1
    assert count == 129


def compare_endpoints(sizes: tuple[float, ...], rest: Case, expected: Case) -> None:
    ends = endpoints(*sizes, **rest)
    for name, value in expected.items():
        if name == "eps21_as_printed":
            close(float(printed_eps21(*sizes, **rest)), value)
        else:
            close(getattr(ends, "epsX" if name == "epsPtNPs" else name), value)


def test_homogeneous_vectors() -> None:
    for vector in vectors("homog", 10):
        expected, number = vector["expected"], {k: float(x) for k, x in vector["input"].items()}
        sizes, epsilon = tuple(number[key] for key in ("n", "m", "n0")), number["eps"]
        rest = {key: number[key] for key in ("gamma", "beta", "d")}
        power = number["beta"] * (1 + number["alpha"])
        four = log_rates(*sizes, epsilon, **rest)
        for name, value in expected["log_rates"].items():
            log_rate = power * float(four[name])
            assert log_rate == pytest.approx(float(value), rel=1e-9, abs=1e-13)
        assert str(governing(*sizes, epsilon, **rest)) == expected["governing"]
        assert math.exp(power * least(four)) == pytest.approx(float(expected["rate_eq4"]), rel=1e-9)
        compare_endpoints(sizes, rest, expected["endpoints"])


@given(CASES, powers(-6, 3))
def test_a_scan_finds_nothing_else(case: Case, ratio: float) -> None:
    """Between the ends the label does not change; the terms are recomputed one by one."""
    sizes, rest = split(case)
    for upper in (1.0, 1e3, math.inf):
        found = regimes(*sizes, **rest, ratio=ratio, upper=upper)
        assert (found[0].lo, found[-1].hi) == (0, upper)
        for one, two in itertools.pairwise(found):
            assert one.lo < one.hi == two.lo
            assert one.rate != two.rate
        grid = np.geomspace(1e-14, min(upper, 1e3), 400)
        target, source = (log_rates(*sizes, grid * factor, **rest) for factor in (ratio, 1.0))
        values = {k: target[k] if k in ("Pt", "NPt") else source[k] for k in LABELS}
        best = least(values)
        for row in found:
            inside = (grid > row.lo * (1 + 1e-9)) & (grid < row.hi * (1 - 1e-9))
            value = np.broadcast_to(values[row.rate], grid.shape)
            np.testing.assert_allclose(value[inside], best[inside], rtol=1e-9, atol=1e-11)


def test_ties() -> None:
    private = {"gamma": 1, "beta": 0.5, "d": 1}
    assert str(governing(4096, 16, 8192, 0.25, **private)) == "Ps"  # Ps = NPs
    assert str(governing(4096, 16, 8192, 2.0**-14, **{**private, "gamma": 2})) == "1"
    assert str(governing(500, 1, 500, 0.1, **private)) == "Pt"  # target = source
    assert str(governing(500, 1, 500, 0.9, **private)) == "NPt"
    close_by = 0.25 * np.exp([-1e-13, 1e-13, 1e-10])
    assert governing(4096, 16, 8192, close_by, **private).tolist() == ["Ps", "Ps", "NPs"]
    near = 2.0**-14 * np.exp([1e-13, 1e-10])
    assert governing(4096, 16, 8192, near, **{**private, "gamma": 2}).tolist() == ["1", "Ps"]
    n0 = 500 * np.exp([-1e-13, -1e-9, 1e-9])
    assert governing(500, 1, n0, 0.1, **private).tolist() == ["Pt", "Ps", "Pt"]
    # The tolerance follows the denominators: 1e6 covariates do not blur the ends.
    deep = {"gamma": 1.0, "beta": 0.5, "d": 10**6}
    end = endpoints(1e4, 1, 1, **deep).eps3
    assert governing(1e4, 1, 1, end * np.exp([-1e-5, 1e-5]), **deep).tolist() == ["Ps", "NPs"]


def test_endpoints_where_undefined_or_infinite() -> None:
    rest = {"gamma": 1.5, "beta": 0.5, "d": 2}
    nan = pytest.approx(math.nan, nan_ok=True)
    alone, none = endpoints(100, 0, 1e4, **rest), endpoints(100, 16, 0, **rest)
    assert (alone.eps1, alone.eps2) == pytest.approx((1e-4, 1e4 ** (-1 / 6)))
    assert none.eps1 == pytest.approx(1 / 400)
    for ends, other in ((alone, "eps3"), (none, "eps2")):
        found = [getattr(ends, x) for x in ("gamma_star", other, "eps11", "eps21", "epsX")]
        assert found == [nan] * 5
    assert endpoints(100, 16, 1, **rest).gamma_star == math.inf
    assert endpoints(0, 0, 0, **rest).eps1 == math.inf
    assert endpoints(1000, 100, 5000, gamma=1, beta=0.5, d=2).eps11 == nan
    assert endpoints(100, 10_000, 150, gamma=1.0001, beta=0.01, d=9).eps11 == math.inf
    assert np.isnan(printed_eps21(100, [0, 0, 4], [100, 0, 0], **rest)).all()


@given(CASES)
def test_endpoints_are_crossings(case: Case) -> None:
    sizes, rest = split(case)
    ends = endpoints(*sizes, **rest)
    crossing = {("Pt", "NPt"): ends.eps2, ("Ps", "NPs"): ends.eps3, ("Pt", "Ps"): ends.eps11}
    crossing |= {("Ps", "NPt"): ends.eps21, ("Pt", "NPs"): ends.epsX}
    for (one, two), end in crossing.items():
        if 1e-200 < end < 1e200:
            four = log_rates(*sizes, end, **rest)
            assert float(four[one]) == pytest.approx(float(four[two]), rel=1e-7, abs=1e-9)
    if 0 < ends.gamma_star < 1e6:
        star = {**rest, "gamma": ends.gamma_star}
        four = log_rates(*sizes, 1.0, **star)
        assert float(four["NPs"]) == pytest.approx(float(four["NPt"]), rel=1e-9)
    if 0 < ends.eps1 < math.inf:
        four = log_rates(*sizes, ends.eps1, **rest)
        assert min(float(four["Pt"]), float(four["Ps"])) == pytest.approx(0, abs=1e-9)


WRONG = {"n": (-1, math.inf), "m": (-1,), "n0": (math.nan,), "epsilon": (-1,)}
WRONG |= {"gamma": (0, math.inf), "beta": (0,), "d": (0,)}


@pytest.mark.parametrize(("field", "value"), [(k, x) for k, all_ in WRONG.items() for x in all_])
def test_refusals(field: str, value: float) -> None:
    args = {"n": 10, "m": 2, "n0": 5, "gamma": 1, "beta": 0.5, "d": 2} | {field: value}
    with pytest.raises(DomainError, match=f"{field} must be"):
        governing(**{"epsilon": 1} | args)
    if field != "epsilon":
        with pytest.raises(DomainError, match=f"{field} must be"):
            regimes(**args)
