"""[CCV] equal servers in closed form, and which corollary covers a study."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.maps import applies, elbow, homogeneous_D
from rates.numbers.parameters import DomainError
from rates.study.scenario import FederatedStudy, Server, TransferStudy
from tests.rates.answer.test_laws import powers

SIZE, COUNT, BUDGET, SMOOTH = powers(0, 12), powers(0, 6), powers(-6, 2), st.floats(0.05, 6)


@given(SIZE, COUNT, BUDGET, SMOOTH)
def test_closed_form_is_the_root(n: float, m: float, epsilon: float, g: float) -> None:
    root = float(rates.solve_D(n, epsilon, smoothness=g, count=m))
    assert float(homogeneous_D(n, m, epsilon, smoothness=g)) == pytest.approx(root, rel=1e-11)
    free = float(rates.solve_D(n, math.inf, smoothness=g, count=m))
    assert float(homogeneous_D(n, m, math.inf, smoothness=g)) == pytest.approx(free, rel=1e-11)
    bend = float(elbow(n, m, smoothness=g))
    assert n * bend**2 == pytest.approx((m * n) ** (1 / (2 * g + 1)), rel=1e-9)
    assert (root < free * (1 - 1e-9)) == (epsilon < bend) or abs(epsilon / bend - 1) < 1e-6


def test_limits_of_the_closed_form() -> None:
    assert homogeneous_D([0, 5, 5], [3, 0, 3], [math.inf, 1, 0], smoothness=1).tolist() == [0, 0, 0]
    assert homogeneous_D(10, 2, [[0.1], [1]], smoothness=[1, 2]).shape == (2, 2)
    assert homogeneous_D(10, 2, 1, smoothness=1).shape == ()
    for bad in ({"n": 0}, {"m": 0}, {"smoothness": 0}):
        args: dict[str, Any] = {"n": 10, "m": 2, "smoothness": 1} | bad
        with pytest.raises(DomainError):
            elbow(**args)


def site(name: str = "A", **fields: Any) -> Server:
    return Server(**({"name": name, "n": 1000, "epsilon": 0.1} | fields))


def covers(study: Any) -> dict[str, bool]:
    found = applies(study)
    assert all(row.reason.endswith(".") and row.source in ("[ACC]", "[CCV]") for row in found)
    return {row.corollary: row.holds for row in found}


def reason(study: Any, corollary: str) -> str:
    return next(row.reason for row in applies(study) if row.corollary == corollary)


def curve(*servers: Server) -> FederatedStudy:
    return FederatedStudy(servers=servers, smoothness=1, integrability=4)


def test_equal_servers() -> None:
    names = ("Corollary 1, integrated", "Corollary 2, pointwise")
    for study in (curve(site(count=5)), curve(site(), site("B")), curve(site(), site("B", n=0))):
        assert [covers(study)[name] for name in names] == [True, True]
    study = curve(site(), site("B", n=999))
    assert not covers(study)[names[0]]
    assert reason(study, names[0]) == "n differs: 1000 at A, 999 at B."
    study = curve(site(), site("B", epsilon=0.2))
    assert reason(study, names[1]) == "epsilon differs: 0.1 at A, 0.2 at B."
    study = curve(site(epsilon=math.inf))
    assert not any(covers(study).values())
    assert "bounded; A has none" in reason(study, names[1])
    study = curve(site(n=0))
    assert not any(covers(study).values())
    assert reason(study, "Corollary 4, pointwise") == "No server carries information."
    assert "5 servers are alike: n = 1,000." in reason(curve(site(count=5)), names[0])


def test_conditions_eight_and_nine() -> None:
    found = covers(curve(site(epsilon=0.01), site("B", epsilon=0.02)))
    assert found["Corollary 3, integrated"]
    assert found["Corollary 3, pointwise"]
    loud = curve(site(epsilon=1), site("B", epsilon=0.02, n=10))
    assert not covers(loud)["Corollary 3, integrated"]
    assert reason(loud, "Corollary 3, integrated") == (
        "(8) fails: the root of order 2g + 2 of Σ n²ε² is 31.62, the largest nε² 1000."
    )
    assert covers(loud)["Corollary 4, integrated"]
    assert reason(loud, "Corollary 4, integrated") == (
        "(9) holds: left side 1e+04 at A, the others' sum 0.04."
    )
    even = curve(site(epsilon=1, count=2))
    assert not covers(even)["Corollary 4, integrated"]
    assert "the nearest: left side 1e+04 at A, the others' sum 1e+06." in reason(
        even, "Corollary 4, integrated"
    )
    alone = curve(site(epsilon=1e-3))
    assert not covers(alone)["Corollary 4, pointwise"]
    text = "epsilon = 0.001 at A must exceed 1/n = 0.001."
    assert reason(alone, "Corollary 4, pointwise") == text
    # g matters: (8) holds for the rougher risk only.
    edge = curve(site(n=1000, epsilon=0.13, count=4))
    assert not covers(edge)["Corollary 3, integrated"]
    assert covers(edge)["Corollary 3, pointwise"]
    weak = curve(site(epsilon=1e-6), site("B", n=10, epsilon=1e-9))
    assert not covers(weak)["Corollary 4, integrated"]


def transfer(*servers: Server, **fields: Any) -> TransferStudy:
    given_ = {"smoothness": 0.5, "dimension": 2, "margin": 1} | fields
    return TransferStudy(target=servers[0], sources=servers[1:], **given_)


def test_equal_sources() -> None:
    target = site("T", n=5000)
    sources = site("S", count=10, signal_exponent=1.5)
    found = covers(transfer(target, sources))
    assert found == {"Theorem 3.1": True, "Corollary 3.2": True, "Corollary 3.3": False}
    study = transfer(target, sources, site("U", signal_exponent=1.4))
    assert not covers(study)["Theorem 3.1"]
    assert reason(study, "Theorem 3.1") == "signal_exponent differs: 1.5 at S, 1.4 at U."
    assert covers(transfer(target, sources, site("U", epsilon=0.0, n=3)))["Corollary 3.2"]
    two = "Corollary 3.2"
    for bad, text in (
        ({"n": 999}, "n <= n0 <= mn fails: n = 1,000, n0 = 999, mn = 10,000."),
        ({"n": 10_001}, "n <= n0 <= mn fails: n = 1,000, n0 = 10,001, mn = 10,000."),
        ({"epsilon": 0.2}, "The target's epsilon is 0.2, that of the sources 0.1."),
    ):
        study = transfer(site("T", **({"n": 5000} | bad)), sources)
        assert not covers(study)[two]
        assert covers(study)["Theorem 3.1"]
        assert reason(study, two) == text
    for n0 in (1000, 10_000):
        assert covers(transfer(site("T", n=n0), sources))[two]
    study = transfer(site("T", n=5000, epsilon=1.5), site("S", epsilon=1.5, count=10))
    assert reason(study, two) == "epsilon = 1.5 is not in (0, 1]."
    assert covers(transfer(site("T", n=5000, epsilon=1), site("S", epsilon=1, count=9)))[two]
    assert "Remark 3.1" in reason(transfer(target), "Theorem 3.1")


def test_a_public_source() -> None:
    three = "Corollary 3.3"
    target, public = site("T"), site("P", n=50, epsilon=math.inf)
    large = site("Q", n=1001)
    assert covers(transfer(target, public, large))[three]
    assert covers(transfer(target, large, public))[three]
    study = transfer(target, public, site("Q"))
    assert not covers(study)[three]
    assert reason(study, three) == "n2 must exceed n0^1 = 1000; Q has 1,000."
    study = transfer(target, public, site("Q", n=1001, epsilon=0.2))
    assert reason(study, three) == "The target's epsilon is 0.1, that of Q 0.2."
    study = transfer(target, public, site("Q", n=10**6, signal_exponent=2))
    assert "signal_exponent differs" in reason(study, three)
    study = transfer(target, public, site("Q", n=1001, count=2))
    assert "one unprotected and one protected source; there are 1 and 2." in reason(study, three)
    rest = {"signal_exponent": 2.0}
    study = transfer(target, site("P", epsilon=math.inf, **rest), site("Q", n=10_001, **rest))
    assert covers(study)[three]  # n0^(4/3) = 10,000
    study = transfer(target, site("P", epsilon=math.inf, **rest), site("Q", n=9_999, **rest))
    assert not covers(study)[three]
