"""Exact risks of rivals on known curves: against draws, in limiting cases, and by order."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates.fit.rival_rates import Curator, in_house
from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from rates.study.scenario import FederatedStudy, Server
from sims.calibration.rivals import MOST_ROWS, RECIPE, _own, exact_risks, fourier_world
from sims.ccv.estimator import point_values, targets
from sims.ccv.risk import plan
from sims.curves.cells import binned

ONE = Curator(epsilon=1, delta=1e-6)
SITES = (
    Server(name="A", n=400, epsilon=3, delta=1e-4),
    Server(name="B", n=2500, epsilon=8, delta=1e-4, count=2),
)


@pytest.mark.parametrize("risk", ["integrated", "pointwise"])
def test_own_tuning_against_drawn_records(risk):
    # Records, clipping, every site's own K and noise, and the average, drawn from the start.
    world = fourier_world(1.0, risk)
    f, cells = targets(world), world.cells
    place = (np.array(world.places) * cells).astype(int)  # of a curve's point
    truth = point_values(world) if world.pointwise else f
    each = [replace(s, count=1) for s in SITES for _ in range(s.count)]
    plans = [plan(world, (s,), RECIPE) for s in each]
    mats = [binned(world.basis(p.dimension), cells=cells).matrix.toarray() for p in plans]

    def bias(c: int, matrix: np.ndarray) -> float:
        mean = f[c] @ matrix / cells @ matrix.T
        return np.mean(((mean[place[c]] if world.pointwise else mean) - truth[c]) ** 2)

    biases = [[bias(c, matrix) for c in range(len(f))] for matrix in mats]
    variances = np.array([made.risk for made in plans]) - np.array(biases)
    weight = 1 / variances / np.sum(1 / variances, axis=0)
    losses = []
    for k in range(150):
        rng = np.random.default_rng((5, k))
        total = []
        for c in range(len(f)):
            mean = 0.0
            for j, (made, matrix) in enumerate(zip(plans, mats, strict=True)):
                x = rng.integers(cells, size=int(made.n[0]))
                y = np.clip(f[c, x] + rng.normal(size=len(x)), -made.clip, made.clip)
                theta = matrix[x].T @ y / len(x)
                scale = made.scale[min(c, len(made.scale) - 1), 0]
                if world.pointwise:
                    found = matrix[place[c]] @ theta + rng.laplace(scale=scale)
                else:
                    found = matrix @ (theta + scale * rng.normal(size=len(theta)))
                mean = mean + weight[j, c] * found
            total.append(np.mean((mean - truth[c]) ** 2))
        losses.append(np.mean(total))
    error = np.std(losses) / math.sqrt(len(losses))
    assert _own(world, SITES) == pytest.approx(np.mean(losses), abs=4 * error)
    assert error < 0.1 * np.mean(losses)


@pytest.mark.parametrize("risk", ["integrated", "pointwise"])
def test_every_design_has_its_own_servers_and_weights(risk):
    study = preset("unequal").study
    first, *rest = study.servers
    study = study.with_servers([replace(first, epsilon=math.inf), *rest])
    found = exact_risks(study, risk, ONE, best_site="City hospital").values
    world = fourier_world(study.smoothness if risk == "integrated" else 1.25, risk)
    total = sum(s.n for s in study.servers)
    pooled = Server(name="pooled", n=total, epsilon=1, delta=1e-6)
    some = replace(pooled, n=total - first.n)
    expected = {
        "alone": plan(world, (study.servers[1],), RECIPE),
        "study": plan(world, study.servers, replace(RECIPE, weights="calibrated")),
        "agreed": plan(world, study.servers, RECIPE),
        "curator": plan(world, (study.servers[0], some), RECIPE),
        "output": plan(world, (pooled,), RECIPE),
    }
    for kind, made in expected.items():
        assert found[kind] == pytest.approx(made.exact, rel=1e-12), kind
    assert found["agreed"] < found["study"]


@pytest.mark.parametrize("risk", ["integrated", "pointwise"])
def test_in_house_every_site_has_its_own_records_without_noise(risk):
    study = preset("unequal").study
    ends = in_house(study, alike=True)
    found = exact_risks(study, risk, ONE, best_site="", house=ends)
    assert [*found.house] == ["University clinic", "Practice network"]
    world = fourier_world(study.smoothness if risk == "integrated" else 1.25, risk)
    for site in ends:
        own = replace(site, epsilon=math.inf, delta=None, count=1)
        expected = plan(world, (own,), RECIPE).exact
        assert found.house[site.name] == pytest.approx(expected, rel=1e-12)
    assert found.house["University clinic"] < found.house["Practice network"]
    assert found.values["unprotected"] < found.house["University clinic"]
    assert not exact_risks(study, risk, ONE, best_site="").house


def test_what_is_filled_in_cut_or_refused_is_said():
    study = preset("unequal").study
    bare = replace(
        study.with_servers([replace(s, delta=None) for s in study.servers]), smoothness=3
    )
    found = exact_risks(bare, "integrated", ONE, best_site="City hospital")
    assert found.notes == ("Smoothness 3 cut to 2.", "delta 3e-07 where none is stated.")
    assert "smoothness 2" in found.world
    assert found.zero > max(found.values["study"], found.values["alone"])
    many = [Server(name=f"S{k}", n=10, epsilon=1) for k in range(MOST_ROWS + 1)]
    with pytest.raises(DomainError, match="at most 100 rows"):
        exact_risks(FederatedStudy(servers=many, smoothness=1), "integrated", ONE, best_site="S0")
    nothing = FederatedStudy(servers=[Server(name="A", n=500, epsilon=0)], smoothness=1)
    silent = exact_risks(nothing, "integrated", ONE, best_site="")
    assert sorted(silent.values) == ["curator", "output", "unprotected"]
