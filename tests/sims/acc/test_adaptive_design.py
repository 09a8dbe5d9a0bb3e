"""AdaptDTK in the paper's design and on the cusp: noise, guarantee, choice, price."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting import pld

from rates.numbers.parameters import DomainError
from sims.acc.adaptive_design import Plan, alike, screen_of
from sims.acc.adaptive_price import CUSP, PRICE, cusp_cells, cusp_releases, prices
from sims.acc.kernel import (
    KERNELS,
    from_points,
    midpoints,
)
from sims.acc.screen import release
from sims.engine.experiment import Request, generators
from sims.engine.runs import run
from tests.depth import deep_after


def of(**given) -> Plan:
    return alike(**{"n": 500, "m": 1, "gamma": 1.0, "epsilon": 1.0, **given})


def pld_delta(ratio: float, times: int, epsilon: float) -> float:
    one = pld.privacy_loss_distribution.from_gaussian_mechanism(
        ratio, value_discretization_interval=1e-4
    )
    return float(one.self_compose(times).get_delta_for_epsilon(epsilon))


@pytest.mark.parametrize("split", ["printed", "composed", "unsplit"])
def test_total_privacy_of_all_bandwidths(split):
    """All |H| releases together, by dp-accounting; the unsplit budget overspends."""
    plan = of(split=split)
    delta = pld_delta(plan.multiplier(plan.servers[0]), plan.grid.size, 1.0)
    allowed = 500.0**-2
    assert plan.spent is not None
    assert plan.spent.valid == (split != "unsplit")
    if split != "printed":  # there delta is too small to be summed up
        assert plan.spent.actual == pytest.approx(delta, rel=0.02)
    if split == "composed":
        assert delta == pytest.approx(allowed, rel=0.02)
    else:
        assert (delta <= allowed) == (split == "printed")


@pytest.mark.parametrize("kernel", deep_after(1, KERNELS))
@pytest.mark.parametrize("algorithm", ["1", "2"])
def test_variances_are_those_of_the_releases(kernel, algorithm):
    """The noise part of b_j against 100 releases; the other part by hand."""
    plan = of(kernel=kernel, algorithm=algorithm, m=2, epsilon=0.05)
    screen = screen_of(kernel, plan.grid.size)
    draws = np.stack(
        [release(screen, plan.groups, rng) for rng in generators(0, indices=range(100))]
    )
    spread = draws[..., ::21, ::21].var(axis=0, ddof=1).mean(axis=(-2, -1))
    np.testing.assert_allclose(spread, plan.variances, rtol=0.3)
    free = of(kernel=kernel, algorithm=algorithm, epsilon=math.inf).variances
    peak = KERNELS[kernel].peak ** 2
    assert free[0, 1] == pytest.approx(peak / (3 * 500 * 0.25))
    assert free.shape == (2, 5)


def test_a_release_and_its_decision_point_by_point():
    """Without noise, from the records of the same draw; the choice by a plain loop."""
    plan = of(epsilon=math.inf, m=2)
    screen = screen_of(plan.kernel, plan.grid.size)
    (rng,) = generators(5, indices=[0])
    values = release(screen, plan.groups, rng)
    signs = plan.decide(values)
    for i, j in [(3, 60), (32, 31), (10, 10), (40, 33)]:
        at = values[:, :, i, j]
        rho = []
        for k in range(plan.grid.size):
            pairs = [(a, a * a / b) for a, b in zip(at[:, k], plan.variances[:, k], strict=True)]
            up = sum(size for a, size in pairs if a > 0)
            down = sum(size for a, size in pairs if a < 0)
            rho.append((max(up, down), 1.0 if up > down else -1.0))
        over = [k for k, (size, _) in enumerate(rho) if size > plan.level]
        k = over[-1] if over else int(np.argmax([size for size, _ in rho]))
        assert signs[i, j] == rho[k][1]


# The cusp -------------------------------------------------------------------------------------


def test_releases_on_the_cusp_are_kernel_sums():
    """Without noise, at each bandwidth, against tables between cells; a draw made twice."""
    plan = of(n=60, dimension=1, kernel="triangular", epsilon=math.inf)
    M = cusp_cells(plan)
    (rng,) = generators(2, indices=[0])
    got = cusp_releases(plan, M, rng)
    (rng,) = generators(2, indices=[0])
    place = rng.integers(0, M, 60)
    f = CUSP.averages([np.arange(M + 1) / M], 1.0)
    half = np.where(rng.random(60) < 0.5 + f[place], 0.5, -0.5)
    g = midpoints(M)
    for k, h in enumerate(plan.grid.bandwidths):
        expected = from_points(
            g[place][:, None], half, grid=g, bandwidth=h, kernel=KERNELS["triangular"]
        )
        np.testing.assert_allclose(got[0, k], expected, atol=1e-9)


# The experiment -------------------------------------------------------------------------------


def test_the_cusp_runs_as_an_experiment_and_its_adaptive_rule_pays():
    values = {"world": "cusp", "n": 1000, "m": [1], "epsilon": [math.inf]}
    *_, last = run(Request(experiment=PRICE, values=values, replicates=30))
    (price,) = prices(last)
    assert 2 < price.ratio < 16


def test_refusals():
    with pytest.raises(DomainError, match="2\\^-7"):
        Request(experiment=PRICE, values={"n": 30_000}, replicates=2)
    with pytest.raises(DomainError, match="m"):
        Request(experiment=PRICE, values={"m": [21]}, replicates=2)
    plan = of(n=10**6, dimension=1, kernel="triangular", epsilon=math.inf)
    with pytest.raises(DomainError, match="2\\^-15"):
        cusp_cells(plan)
