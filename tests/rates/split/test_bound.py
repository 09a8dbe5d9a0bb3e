"""What makes the bound of a split a proof: covers, slopes of the noise, and one step's bound."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rates.answer import Lens
from rates.plan import LEVERS, base, divided
from rates.split import search as searching
from rates.split.search import Rows, Search, corners, grid
from rates.study import Study, preset
from tests.depth import deep_after
from tests.house.toy_lever import TOY
from tests.rates.made import everywhere
from tests.rates.plan.plan_cases import random_study
from tests.rates.solved import noise

MECHANISM = Lens(mechanism="analytic")
UNEQUAL = preset("unequal").study


def rows_of(study: Study, what: Any, lens: Lens) -> Rows:
    own = base.basis(study, lens)
    index = np.flatnonzero([s.private for s in study.servers])
    return Rows(own=own, lever=divided()[what], index=index, price=np.ones(len(index)))


def test_the_noise_s_slopes_are_its_finite_differences() -> None:
    for delta in (1e-9, 1e-6, 1e-3):
        own = rows_of(everywhere(UNEQUAL, delta=delta), "epsilon", MECHANISM)
        many = len(own.index)
        found = grid(own, np.full(many, 0.02), np.full(many, 60.0), [0])
        for k in range(3, 64, 15):
            x = float(found.x[k, 0])
            h = 1e-3 * x
            below, here, above = (1 / noise(x + d, delta) for d in (-h, 0.0, h))
            t = math.exp(found.equation.log_budget[k, 0])
            assert t == pytest.approx(here, rel=1e-9)
            assert t * found.rise[k, 0] == pytest.approx((above - below) / (2 * h), rel=1e-5)
            bend = -(above - 2 * here + below) / h**2
            assert t * found.bend[k, 0] == pytest.approx(bend, rel=2e-3)
        bend = np.exp(found.equation.log_budget[:, 0]) * found.bend[:, 0]
        assert (np.diff(bend) < 0).all()  # the left end bounds a cell


@pytest.mark.parametrize("what", ["records", "epsilon", TOY.unit])
@pytest.mark.parametrize("mechanism", [None, "analytic", "printed"])
@pytest.mark.parametrize("cells", deep_after(2, [1, 2, 4, 80]))
def test_no_term_leaves_its_cover(what: Any, mechanism: Any, cells: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(searching, "CELLS", cells)
    monkeypatch.setitem(LEVERS, TOY.name, TOY)
    rng = np.random.default_rng(6)
    tight = 0
    for _ in range(40):
        study = random_study(rng, sites=4, most=2)
        if not any(s.private for s in study.servers):
            continue
        own = rows_of(study, what, Lens(mechanism=mechanism))
        many = len(own.index)
        high = np.array([10 ** rng.uniform(0, 4 if what == "records" else 2) for _ in range(many)])
        low = high * rng.choice([0.0, 0.02, 0.5], size=many)
        laid = None if own.convex else grid(own, low, high)
        assert own.convex == (what == "records" or (what, mechanism) == ("epsilon", None))
        u = own.own.u + float(rng.normal())
        x, cover = corners(own, u, low, high, laid)
        for j in range(many):
            at = np.sort(rng.uniform(low[j], high[j], size=200))
            points = np.tile(low, (len(at), 1))
            points[:, j] = at
            term = own.terms(u, points)[:, j]
            above = np.interp(at, x[j], cover[j])
            assert (term <= above * (1 + 1e-12)).all(), (study, j)
            tight += bool((above < 1.3 * term + 1e-300).all())
    assert tight > 5 or cells < 4


@pytest.mark.parametrize("start", [-0.4, 0.4])
def test_one_step_bounds_the_root_from_either_side(start: float, monkeypatch: Any) -> None:
    monkeypatch.setattr(searching, "_STEPS", 1)
    monkeypatch.setattr(Search, "_round", lambda self, *given: None)  # nothing known: none pruned
    rng = np.random.default_rng(2)
    for what in ("records", "epsilon"):
        for _ in range(10):
            study = random_study(rng, sites=4)
            if not any(s.private for s in study.servers):
                continue
            own = rows_of(study, what, MECHANISM)
            many = len(own.index)
            high = np.full(many, 500.0 if what == "records" else 5.0)
            total = 2 * float(high[0])
            for x in (np.eye(many), np.full((1, many), 1 / many)):
                best = float(own.roots(np.minimum(high, x * total)).min())
                one = Search(own, total)
                laid = grid(own, np.zeros(many), high) if what == "epsilon" else None
                node = one._node(np.zeros(many), high, laid, -math.inf, best + start)
                assert node is not None
                assert node.bound <= best + 1e-9
