"""[CCV] equal servers in closed form, and which corollary covers a study."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.maps import applies, elbow, homogeneous_D
from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy
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


def site(name: str = "A", **fields: Any) -> Server:
    return Server(**({"name": name, "n": 1000, "epsilon": 0.1} | fields))


def curve(*servers: Server) -> FederatedStudy:
    return FederatedStudy(servers=servers, smoothness=1, integrability=4)


def transfer(*servers: Server) -> TransferStudy:
    target, *sources = servers
    return TransferStudy(target=target, sources=sources, smoothness=0.5, dimension=2, margin=1)


TARGET, PUBLIC = site("T", n=5000), site("P", n=50, epsilon=math.inf)
SOURCES, SHARPER = site("S", count=10, signal_exponent=1.5), {"signal_exponent": 2.0}
CURVES: list[tuple[list[Server], str, bool, str]] = [
    ([site(count=5)], "Corollary 1, integrated", True, "5 servers are alike: n = 1,000."),
    ([site(), site("B", n=0)], "Corollary 1, integrated", True, ""),
    ([site(), site("B", n=999)], "Corollary 1, integrated", False, "n differs: 1000 at A, 999"),
    ([site(epsilon=math.inf)], "Corollary 2, pointwise", False, "bounded; A has none"),
    ([site(n=0)], "Corollary 4, pointwise", False, "No server carries information."),
    ([site(epsilon=0.01), site("B", epsilon=0.02)], "Corollary 3, integrated", True, ""),
    ([site(epsilon=1), site("B", epsilon=0.02, n=10)], "Corollary 3, integrated", False,
     "(8) fails: the root of order 2g + 2 of Σ n²ε² is 31.62, the largest nε² 1000."),
    ([site(epsilon=1), site("B", epsilon=0.02, n=10)], "Corollary 4, integrated", True,
     "(9) holds: left side 1e+04 at A, the others' sum 0.04."),
    ([site(epsilon=1, count=2)], "Corollary 4, integrated", False,
     "the nearest: left side 1e+04 at A, the others' sum 1e+06."),
    ([site(epsilon=1e-3)], "Corollary 4, pointwise", False,
     "epsilon = 0.001 at A must exceed 1/n = 0.001."),
    # g matters: (8) holds for the rougher risk only.
    ([site(epsilon=0.13, count=4)], "Corollary 3, integrated", False, ""),
    ([site(epsilon=0.13, count=4)], "Corollary 3, pointwise", True, ""),
]  # fmt: skip
TRANSFERS: list[tuple[list[Server], str, bool, str]] = [
    ([TARGET, SOURCES], "Theorem 3.1", True, ""),
    ([TARGET, SOURCES], "Corollary 3.2", True, ""),
    ([TARGET], "Theorem 3.1", False, "Remark 3.1"),
    ([TARGET, SOURCES, site("U", signal_exponent=1.4)], "Theorem 3.1", False,
     "signal_exponent differs: 1.5 at S, 1.4 at U."),
    ([TARGET, SOURCES, site("U", epsilon=0.0, n=3)], "Corollary 3.2", True, ""),
    ([site("T", n=999), SOURCES], "Corollary 3.2", False,
     "n <= n0 <= mn fails: n = 1,000, n0 = 999, mn = 10,000."),
    ([site("T", n=5000, epsilon=0.2), SOURCES], "Corollary 3.2", False,
     "The target's epsilon is 0.2, that of the sources 0.1."),
    ([site("T", epsilon=1.5), site("S", epsilon=1.5, count=10)], "Corollary 3.2", False,
     "epsilon = 1.5 is not in (0, 1]."),
    ([site("T", epsilon=1), site("S", epsilon=1, count=9)], "Corollary 3.2", True, ""),
    ([site("T"), PUBLIC, site("Q", n=1001)], "Corollary 3.3", True, ""),
    ([site("T"), PUBLIC, site("Q")], "Corollary 3.3", False,
     "n2 must exceed n0^1 = 1000; Q has 1,000."),
    ([site("T"), PUBLIC, site("Q", n=1001, count=2)], "Corollary 3.3", False,
     "one unprotected and one protected source; there are 1 and 2."),
    # n0^(4/3) = 10,000
    ([site("T"), replace(PUBLIC, **SHARPER), site("Q", n=10_001, **SHARPER)],
     "Corollary 3.3", True, ""),
    ([site("T"), replace(PUBLIC, **SHARPER), site("Q", n=9_999, **SHARPER)],
     "Corollary 3.3", False, ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "servers", "corollary", "holds", "words"),
    [*((curve, *case) for case in CURVES), *((transfer, *case) for case in TRANSFERS)],
)
def test_which_corollary_covers_a_study(
    made: Callable[..., Study], servers: list[Server], corollary: str, holds: bool, words: str
) -> None:
    (row,) = (row for row in applies(made(*servers)) if row.corollary == corollary)
    assert row.holds is holds
    assert words in row.reason
