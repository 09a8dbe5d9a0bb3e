"""Adaptive rules on servers that may differ, along growing sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.ledger.functions import simulations as stored
from rates.study import Server
from sims.acc.adaptive_design import Plan
from sims.acc.adaptive_growth import SERIES, bandwidth, bound, growth_points, growth_sample
from sims.engine.settings import Values


def test_the_bandwidth_solves_its_equation():
    sites = SERIES["5.3"]["ε = 2"](4096)
    h, size = bandwidth(sites), sites.grid.size
    left = sum(
        min(s.n, (s.n * s.epsilon / size) ** 2 * h) * h ** (2 * s.signal_exponent + 1)
        for s in sites.servers
    )
    information = sum(min(s.n, (s.n * s.epsilon) ** 2) for s in sites.servers)
    delta = min(float(s.n) ** -2 for s in sites.servers)
    assert left == pytest.approx(math.log(information * size) * math.log(2 * size / delta))
    assert bound(sites) == pytest.approx(h**2)
    weak = Plan(dimension=1, servers=(Server(name="A", n=4, epsilon=0.5, delta=0.1),))
    assert bound(weak) == 1.0  # no larger bandwidth than the cube


@pytest.mark.parametrize(("theorem", "series"), [("5.1", "ε = 4"), ("5.3", "ε = 8 n^(-1/3)")])
def test_a_stored_ratio_is_made_again(theorem: str, series: str):
    entry = stored.runs()[f"growth-{theorem}"]
    rows = {where: found for where, *found in entry["claims"]["bound"]}
    mean, stderr = rows[f"n = 256, {series}"]
    at = Values(theorem=theorem, n=(256.0,))
    point = next(p for p in growth_points(at) if p.series == series)
    left = 1 - growth_sample(at, point, entry["seed"], range(entry["replicates"]))
    assert mean == pytest.approx(left.mean(), rel=1e-4)
    assert stderr == pytest.approx(np.std(left, ddof=1) / math.sqrt(len(left)), rel=1e-4)
