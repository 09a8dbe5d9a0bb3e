"""The adaptive rules: the solved maximum, each split's cost, AdaptDTK by hand, price and growth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent, SelfComposedDpEvent
from dp_accounting.gaussian_mechanism import get_sigma_gaussian
from dp_accounting.pld import PLDAccountant

from rates.ledger.functions import simulations as stored
from rates.numbers.parameters import DomainError
from rates.study import Server
from sims.acc import adaptive_price as price
from sims.acc.adaptive import SPLITS, Plan, Split, adaptive_once, alike, multiplier, score
from sims.acc.kernel import KERNELS
from sims.acc.screen import release
from sims.engine.experiment import Request, generators
from sims.engine.runs import run
from sims.engine.settings import Values
from tests.depth import deep_after


def test_rules_by_hand() -> None:
    a, b = np.array([[1.0], [2.0], [-2.0]]), np.array([1.0, 4.0, 4.0])
    # all: 1/1 + 4/4 against 4/4. samples: weights 1/3, 1/6, 1/2, so 1/3 + 1/3 - 1 = -1/3, of
    # variance 1/9 + 1/9 + 1 = 11/9. homogeneous: sources by 1/4 and 3/4, -1 of (1 + 9)/16 * 4.
    want = {"all": (2, 1), "target": (1, 1), "samples": (1 / 11, -1), "homogeneous": (1, 1)}
    for rule, expected in want.items():
        found = score(a, b, rule, np.array([2.0, 1.0, 3.0]))
        assert [float(x[0]) for x in found] == pytest.approx(expected)


def of(**given) -> Plan:
    return alike(**{"n": 500, "m": 1, "gamma": 1.0, "epsilon": 1.0, **given})


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("epsilon", deep_after(1, [1.0, 0.25, 4.0]))
def test_all_releases_together_keep_the_budget_unless_it_is_not_split(
    split: Split, epsilon
) -> None:
    """By dp-accounting."""
    plan = of(split=split, epsilon=epsilon)
    target, size = plan.servers[0], plan.grid.size

    def spent(noise: float) -> float:
        accountant = PLDAccountant()
        accountant.compose(SelfComposedDpEvent(GaussianDpEvent(noise), size))
        return float(accountant.get_delta(epsilon))

    noise, delta = plan.multiplier(target), target.delta
    found = spent(noise)
    assert plan.spent.valid == (split != "unsplit") == (found <= delta * 1.02)
    if split == "composed":
        assert found == pytest.approx(delta, rel=0.05)
        assert plan.spent.actual == pytest.approx(delta, rel=0.02)
        assert spent(noise / 2) > 3 * delta


@pytest.mark.parametrize("size", [1, 4])
def test_the_noise_of_every_split_by_hand(size):
    epsilon, delta = 0.8, 1e-5
    printed = math.sqrt(2 * math.log(2 * size / delta)) * size / epsilon
    exact = math.sqrt(size) * get_sigma_gaussian(epsilon, delta)
    whole = math.sqrt(2 * math.log(2 / delta)) / epsilon
    for split, want in (("printed", printed), ("composed", exact), ("unsplit", whole)):
        assert multiplier(epsilon, delta, size, split) == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("algorithm", ["1", "2"])
def test_variances_are_those_of_the_releases(kernel, algorithm):
    """Beside the noise, which is that of every release on the screen, the part by hand."""
    plan, shape = of(kernel=kernel, algorithm=algorithm, m=2, epsilon=0.05), KERNELS[kernel]
    servers = [(500, 1), (500, 2)] if algorithm == "1" else [(500, 1)] * 3
    assert [(group.n, group.m) for group in plan.groups] == servers
    want = [
        [shape.peak**2 / (3 * g.records * h**2) + g.noise(h, 2, shape) ** 2 for g in plan.groups]
        for h in plan.grid.bandwidths
    ]
    np.testing.assert_allclose(plan.variances, want, rtol=1e-12)


def test_the_decision_point_by_point():
    """Without noise; scores and choice by a plain loop over the points of the same draw."""
    plan = of(epsilon=math.inf, m=2)
    values = release(plan.screen, plan.groups, next(generators(5, indices=[0])))
    labels = np.empty(values.shape[2:])
    for i, j in np.ndindex(*labels.shape):
        rho = []
        for k in range(plan.grid.size):
            pairs = zip(values[:, k, i, j].tolist(), plan.variances[k].tolist(), strict=True)
            sizes = [(a, a * a / b) for a, b in pairs]
            up, down = (sum(size for a, size in sizes if side * a > 0) for side in (1, -1))
            rho.append((max(up, down), 1.0 if up > down else -1.0))
        over = [k for k, (size, _) in enumerate(rho) if size > plan.level]
        k = over[-1] if over else int(np.argmax([size for size, _ in rho]))
        labels[i, j] = rho[k][1]
    (risk,) = plan.screen.risks([labels])
    assert adaptive_once([plan], next(generators(5, indices=[0]))) == pytest.approx(risk)


def asked(replicates: int = 2, **values) -> Request:
    return Request(experiment=price.PRICE, values=values, replicates=replicates)


def test_the_cusp_runs_as_an_experiment_and_its_adaptive_rule_pays():
    *_, last = run(asked(30, world="cusp", n=1000, m=[1], epsilon=[math.inf]))
    (found,) = price.prices(last)
    assert 2 < found.ratio < 16


def test_refusals():
    for values, words in (({"n": 30_000}, "2\\^-7"), ({"m": [21]}, "m")):
        with pytest.raises(DomainError, match=words):
            asked(**values)
    assert asked(n=10_000, m=[1]).points  # in 2-D
    with pytest.raises(DomainError, match="2\\^-15"):
        price.cusp_cells(of(n=10**6, dimension=1, kernel="triangular", epsilon=math.inf))


def test_the_bandwidth_solves_its_equation():
    sites = price.growth_plan("5.3", "ε = 2", 4096)
    h, size = price.bandwidth(sites), sites.grid.size
    left = sum(
        min(s.n, (s.n * s.epsilon / size) ** 2 * h) * h ** (2 * s.signal_exponent + 1)
        for s in sites.servers
    )
    information = sum(min(s.n, (s.n * s.epsilon) ** 2) for s in sites.servers)
    delta = min(float(s.n) ** -2 for s in sites.servers)
    assert left == pytest.approx(math.log(information * size) * math.log(2 * size / delta))
    assert price.bound(sites) == pytest.approx(h**2)
    weak = Plan(dimension=1, servers=(Server(name="A", n=4, epsilon=0.5, delta=0.1),))
    assert price.bound(weak) == 1.0  # no larger bandwidth than the cube


GROWN = [("5.1", "ε = 4"), ("5.3", price.SHRINKING)]


@pytest.mark.parametrize(("theorem", "series"), deep_after(1, GROWN))
def test_a_stored_ratio_is_made_again(theorem: str, series: str):
    entry = stored.runs()[f"growth-{theorem}"]
    rows = {where: found for where, *found in entry["claims"]["bound"]}
    mean, stderr = rows[f"n = 256, {series}"]
    at = Values(theorem=theorem, n=(256.0,))
    point = next(p for p in price.growth_points(at) if p.series == series)
    left = 1 - price.growth_sample(at, point, entry["seed"], range(entry["replicates"]))
    assert mean == pytest.approx(left.mean(), rel=1e-4)
    assert stderr == pytest.approx(np.std(left, ddof=1) / math.sqrt(len(left)), rel=1e-4)
