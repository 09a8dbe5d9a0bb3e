"""Laws that hold for every study: monotone, exchangeable, bracketed, differentiable."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rates
from rates.study import FederatedStudy, Server, Study, TransferStudy, columns
from tests.depth import examples
from tests.rates.made import changed, curve, transfer

LAWS = examples(120)
SLACK = 1e-12  # rounding of r, relative


def powers(low: float, high: float) -> st.SearchStrategy[float]:
    """Numbers between two powers of ten, even in logs."""
    return st.floats(low, high).map(lambda x: 10.0**x)


SIZES = st.one_of(st.integers(0, 50), powers(0, 12).map(int))
BUDGETS = st.one_of(st.just(math.inf), st.just(0.0), powers(-6, 3))


def informative(server: Server) -> bool:
    return server.n > 0 and server.epsilon > 0


@st.composite
def servers(draw: st.DrawFn, *, target: bool = False, live: bool = False) -> list[Server]:
    """One to five sites; ``live`` ones are informative and state delta."""
    sizes, budgets = (powers(2, 9).map(int), powers(-3, 1)) if live else (SIZES, BUDGETS)
    out = []
    for j in range(draw(st.integers(1, 5))):
        first = target and j == 0
        out.append(
            Server(
                name=f"site {j}",
                n=draw(sizes) * (10**4 if live else 1),
                epsilon=draw(budgets),
                delta=draw(powers(-12, -3)),
                signal_exponent=draw(st.floats(0.1, 5)) if target and not first else 1.0,
                count=1 if first else draw(st.sampled_from([1, 1, 3, 1000])),
            )
        )
    return out


@st.composite
def transfers(draw: st.DrawFn, *, live: bool = False) -> TransferStudy:
    """A transfer study with one to five sites."""
    rows = draw(servers(target=True, live=live))
    d, beta = draw(st.integers(1, 8)), draw(st.floats(0.1, 1))
    return transfer(*rows, beta=beta, d=d, alpha=draw(st.floats(0, 1)) * d / beta)


@st.composite
def federateds(draw: st.DrawFn, *, live: bool = False) -> FederatedStudy:
    """A federated study with one to five sites."""
    p = draw(st.sampled_from([2.0, 3.0, math.inf]))
    return curve(*draw(servers(live=live)), alpha=draw(st.floats(1.05, 3)), p=p)


def studies(*, live: bool = False) -> st.SearchStrategy[Study]:
    """A study of either kind."""
    return st.one_of(transfers(live=live), federateds(live=live))


def parts(answer: Any) -> list[Any]:
    """Return the record, or both risks of a federated one."""
    return [answer] if hasattr(answer, "r") else [answer.integrated, answer.pointwise]


def roots(answer: Any) -> list[float]:
    """Return the logs of r (or of 1/D, for both risks)."""
    return [x.log_r if hasattr(x, "r") else -x.log_D for x in parts(answer)]


def assert_no_worse(better: Any, worse: Any) -> None:
    """Check that neither the root nor the rate is larger, up to rounding."""
    for x, x0 in zip(roots(better), roots(worse), strict=True):
        assert x <= x0 + SLACK * max(1.0, abs(x)) if math.isfinite(x) else x0 == x
    for y, y0 in zip(parts(better), parts(worse), strict=True):
        assert 0 <= y.rate <= min(1, y0.rate * (1 + 1e-10))


@LAWS
@given(study=studies(), factor=st.floats(1, 100), row=st.integers(0, 4))
def test_more_records_or_budget_never_raise_the_rate(study: Study, factor: float, row: int) -> None:
    row %= len(study.servers)
    server, base = study.servers[row], rates.solve(study)
    more = min(10**15, math.ceil(server.n * factor) + 1)
    assert_no_worse(rates.solve(changed(study, row, n=more)), base)
    assert_no_worse(rates.solve(changed(study, row, epsilon=server.epsilon * factor)), base)
    assert_no_worse(rates.solve(changed(study, row, epsilon=math.inf)), base)
    assert_no_worse(rates.solve(study.unprotected()), base)


@LAWS
@given(study=studies(), factor=st.floats(1, 50), row=st.integers(0, 4))
def test_the_same_holds_for_a_mechanism(study: Study, factor: float, row: int) -> None:
    row %= len(study.servers)
    server = study.servers[row]
    for mechanism in ("printed", "analytic"):
        base = rates.calibrated(study, mechanism=mechanism)
        assert all(abs(part.residual) < 1e-11 for part in parts(base))
        more = min(10**15, math.ceil(server.n * factor) + 1)
        delta = min(0.999, (server.delta or 0.5) * factor)
        budget = server.epsilon * factor
        for fields in ({"n": more}, {"epsilon": budget}, {"delta": delta}):
            better = rates.calibrated(changed(study, row, **fields), mechanism=mechanism)
            assert_no_worse(better, base)


@LAWS
@given(study=studies(live=True), seed=st.randoms(use_true_random=False))
def test_order_and_grouping_do_not_matter(study: Study, seed: Any) -> None:
    base = roots(rates.solve(study))
    first = 1 if isinstance(study, TransferStudy) else 0
    fixed, rest = list(study.servers[:first]), list(study.servers[first:])
    seed.shuffle(rest)
    shuffled = roots(rates.solve(study.with_servers(fixed + rest)))
    assert shuffled == pytest.approx(base, rel=1e-14, abs=1e-14)
    grouped = roots(rates.solve(study.with_servers(fixed + ungrouped(rest))))
    assert grouped == pytest.approx(base, rel=1e-13, abs=1e-13)


def ungrouped(rows: list[Server]) -> list[Server]:
    """Write counts of 1, 3 and 1000 as 1, 1 + 1 + 1 and 400 + 600."""
    pieces = {1: (1,), 3: (1, 1, 1), 1000: (400, 600)}
    split = [replace(s, count=part) for s in rows for part in pieces[s.count]]
    return [replace(s, name=f"piece {i}") for i, s in enumerate(split)]


@LAWS
@given(study=transfers())
def test_root_solves_the_equation_and_lies_in_its_bracket(study: TransferStudy) -> None:
    answer = rates.solve(study)
    assert abs(answer.residual) < 1e-11
    live = [s for s in study.servers if informative(s)]
    if not live:
        assert answer.r == math.inf
        assert answer.rate == 1
        return
    assert math.fsum(answer.shares) == pytest.approx(1, rel=1e-14)
    beta, d = study.smoothness, study.dimension
    slopes = [2 * beta * s.signal_exponent + d for s in live]
    alone = [
        max(
            -math.log(s.count * s.n) / k,
            -(math.log(s.count) + 2 * math.log(s.n) + 2 * math.log(s.epsilon)) / (k + d),
        )
        for s, k in zip(live, slopes, strict=True)
    ]
    least = min(alone)
    slack = SLACK * max(1.0, abs(least))
    assert answer.log_r <= least + slack
    assert answer.log_r >= least - math.log(len(live)) / min(slopes) - slack
    for server, limit in zip(study.servers, answer.limited_by, strict=True):
        if not informative(server):
            assert limit == "none"
            continue
        gap = math.log(server.n) + 2 * math.log(server.epsilon) + d * answer.log_r
        if abs(gap) > 1e-9:
            assert limit == ("privacy" if gap < 0 else "sample")


@LAWS
@given(study=federateds())
def test_d_is_one_over_r_at_dimension_one(study: FederatedStudy) -> None:
    c = columns(study.servers)
    for g in (study.smoothness, study.pointwise_smoothness, 0.01):
        large = rates.solve_D(c["n"], c["epsilon"], smoothness=g, count=c["count"])
        r = rates.solve_r(c["n"], c["epsilon"], 1, beta=g, d=1, count=c["count"])
        with np.errstate(divide="ignore"):
            assert large == pytest.approx(float(1 / r), rel=1e-13)
    answer = rates.solve(study)
    smoothness = (study.smoothness, study.pointwise_smoothness)
    for risk, g in zip((answer.integrated, answer.pointwise), smoothness, strict=True):
        assert risk.smoothness == g
        assert abs(risk.residual) < 1e-11
        if risk.D > 0:
            assert risk.rate == pytest.approx(min(1, risk.D ** (-2 * g)))
            assert risk.effective_n == pytest.approx(risk.D ** (2 * g + 1))
            assert 2.0 ** (risk.level - 1) <= max(risk.D, 1) <= 2.0**risk.level * (1 + 1e-11)


@LAWS
@given(study=transfers(live=True), delta=powers(-15, -0.5))
def test_logarithm_on_the_right_side_costs_at_most_its_power(
    study: TransferStudy, delta: float
) -> None:
    rows = [replace(s, delta=delta) for s in study.servers]
    study = study.with_servers(rows)
    answer, right = rates.solve(study), math.log(2 / delta)
    c = columns(rows)
    gamma = c["signal_exponent"]
    options = {"beta": study.smoothness, "d": study.dimension, "count": c["count"]}
    h = float(rates.solve_r(c["n"], c["epsilon"], gamma, rhs=right, **options))
    slope = 2 * study.smoothness * min(1, *gamma, 1) + study.dimension
    assert answer.r * (1 - SLACK) <= h <= answer.r * right ** (1 / slope) * (1 + SLACK)
    assert answer.bandwidth == pytest.approx(min(1, h), rel=1e-13)
    power = study.smoothness * (1 + study.margin) / slope
    assert answer.log_factor == pytest.approx(math.log(1 / delta) ** power, rel=1e-12)


STEP = 1e-4  # relative; n is a multiple of 10,000 and stays whole


def central(study: Study, row: int, field: str, solve: Any) -> tuple[list[float], list[Any]]:
    """Return central differences of log r (or -log D) in the log of a field."""
    value = getattr(study.servers[row], field)
    up, down = value + value * STEP, value - value * STEP
    if field == "n":
        up, down = value + value // 10**4, value - value // 10**4
    answers = [solve(changed(study, row, **{field: x})) for x in (up, down)]
    high, low = map(roots, answers)
    width = math.log(up / down)
    return [(x - y) / width for x, y in zip(high, low, strict=True)], answers


@LAWS
@given(study=studies(live=True), row=st.integers(0, 4), kappa=st.floats(0.5, 4))
def test_elasticities_are_derivatives(study: Study, row: int, kappa: float) -> None:
    row %= len(study.servers)
    ways: list[tuple[Any, bool]] = [(rates.solve, True)]
    for mechanism in ("printed", "analytic"):
        name: Any = mechanism
        ways.append((lambda s, m=name: rates.calibrated(s, mechanism=m, kappa=kappa), False))
    for solve, sharp in ways:
        answer = solve(study)
        for field in ("n", "epsilon"):
            differences, ends = central(study, row, field, solve)
            for k, (part, slope) in enumerate(zip(parts(answer), differences, strict=True)):
                limits = {parts(end)[k].limited_by for end in ends} | {part.limited_by}
                if sharp:
                    assume(len(limits) == 1)
                sign = 1 if hasattr(part, "r") else -1
                stated = sign * getattr(part, f"elasticity_{field}")[row]
                assert stated == pytest.approx(slope, rel=1e-5, abs=1e-7)
                assert stated <= 0
