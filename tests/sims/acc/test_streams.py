"""Noise of [ACC]'s mechanisms: anew for every server and bandwidth, apart from the data's draws."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from sims import engine
from sims.acc import adaptive, adaptive_price, design, histogram, hospitals, screen
from sims.acc.heart import Hospital
from sims.acc.kernel import Group
from sims.acc.worlds import Quadrants
from sims.engine.experiment import generator
from sims.engine.settings import check_values
from tests.sims.gates import Gate

WORLD = Quadrants()
SCREEN = screen.make_screen(WORLD, "triangular", (0.25, 0.125), 16, 32)
BINS = [histogram.make_histogram(WORLD, h) for h in (1 / 8, 1 / 16)]
PLAN = adaptive.alike(
    n=200, m=2, gamma=1.0, epsilon=0.5, dimension=1, kernel="triangular", split="composed"
)
LOUD = Group(n=30, multiplier=9.0)


def of_screen(multiplier: float, rng: np.random.Generator) -> list[np.ndarray]:
    groups = [replace(LOUD, multiplier=multiplier)] * 2
    return list(screen.release(SCREEN, groups, rng).reshape(4, -1))


def of_bins(multiplier: float, rng: np.random.Generator) -> list[np.ndarray]:
    groups = (replace(LOUD, multiplier=multiplier),) * 2
    drawn = histogram.releases(BINS, [groups], rng, "Gaussian")
    return [one.ravel() for means in drawn for one in means[0]]


@pytest.mark.parametrize("make", [of_screen, of_bins])
def test_noise_is_drawn_anew_for_every_server_bandwidth_and_run(make):
    runs = []
    for seed in range(24):
        loud, clean = (make(m, np.random.default_rng(seed)) for m in (9.0, 0.0))
        runs.append([a - b for a, b in zip(loud, clean, strict=True)])
    for a, b in itertools.combinations(range(4), 2):
        if len(runs[0][a]) == len(runs[0][b]):
            alike = [np.corrcoef(run[a], run[b])[0, 1] for run in runs]
            assert abs(np.mean(alike)) < 0.25
    again = [np.corrcoef(one[0], two[0])[0, 1] for one, two in itertools.pairwise(runs)]
    assert abs(np.mean(again)) < 0.25


def test_releases_on_the_cusp_pay_for_what_a_record_moves(monkeypatch):
    gate = Gate().stand_in(monkeypatch, engine)
    rng = np.random.default_rng(0)
    adaptive_price.cusp_releases(PLAN, adaptive_price.cusp_cells(PLAN), rng)
    moved = [1 / (200 * h) for _ in range(3) for h in PLAN.grid.bandwidths]
    assert [one.said["sensitivity"] for one in gate.heard] == pytest.approx(moved)
    for one in gate.heard:
        assert one.said["multiplier"] == PLAN.multiplier(PLAN.servers[0])
        assert one.rng is rng
        drawn = [one.said["path"](np.random.default_rng(seed)) for seed in (1, 2)]
        assert abs(np.corrcoef(*drawn)[0, 1]) < 0.999


def test_a_picture_s_and_the_hospitals_noise_have_streams_of_their_own(monkeypatch):
    keys: list[tuple] = []

    def listening(seed, *names):
        keys.append(names)
        return generator(seed, *names)

    for module in (design, hospitals):
        monkeypatch.setattr(module, "generator", listening)
    design.draw_once(WORLD, "triangular", 0.25, LOUD, LOUD, 0)
    rng = np.random.default_rng(3)
    sites = [
        Hospital(name=name, x=rng.random((120, 7)), y=rng.integers(0, 2, 120) * 1.0, rows=120)
        for name in "AB"
    ]
    wards = hospitals.prepare(sites[0], sites[1:], test=20)
    gate = Gate().stand_in(monkeypatch, hospitals)
    hospitals.replicate(wards, check_values(hospitals.SETTINGS, {"epsilon": (1.0, 2.0)}), 0, 5)
    assert len(set(keys)) == len(keys) == 9
    paths = {id(one.said["path"]): one.said["path"] for one in gate.heard}
    for a, b in itertools.combinations(paths.values(), 2):
        assert abs(np.corrcoef(a, b)[0, 1]) < 0.95
    for one in gate.heard:
        who, epsilon = one.said["who"]
        n = dict(zip(wards.names, wards.sizes, strict=True))[who]
        size = hospitals.adaptive.grid(hospitals.servers(wards, epsilon), 7).size
        moved = [1 / (n * 2.0 ** (-7 * k)) for k in range(size)]
        assert min(abs(one.said["sensitivity"] / x - 1) for x in moved) < 1e-9
