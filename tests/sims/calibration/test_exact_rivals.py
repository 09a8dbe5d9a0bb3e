"""Exact risks of rivals: against draws, by brute force, in limiting cases."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates.fit.rival_rates import Curator, in_house
from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from rates.study.scenario import FederatedStudy, Server, TransferStudy
from sims.acc.kernel import TRIANGULAR, Group
from sims.acc.lattice import excess_risks, make_lattice
from sims.acc.rate import Trial
from sims.acc.risk import lattice_risk
from sims.acc.worlds import Cusp, study_on
from sims.calibration.rivals import (
    MOST_ROWS,
    RECIPE,
    STEP,
    WIDEST,
    _own,
    agreed_pools,
    best,
    curator_pools,
    exact_classifier_risks,
    exact_risks,
    fit_pools,
    fourier_world,
)
from sims.ccv.estimator import point_values, targets
from sims.ccv.risk import plan
from sims.curves.cells import binned
from sims.engine import multiplier
from tests.depth import deep_after

WHO = Curator(epsilon=0.5, delta=1e-6)


def record_noise(h: float) -> float:
    """Noise that hides one record of the curator's on a line."""
    return Group(n=1, multiplier=multiplier(WHO.epsilon, WHO.delta, "analytic")).noise(h, 1)


def study_of(*signals: float, dimension: int = 1) -> TransferStudy:
    sources = [
        Server(name=f"S{k}", n=2_000 * (k + 1), epsilon=1, delta=1e-6, signal_exponent=g)
        for k, g in enumerate(signals)
    ]
    target = Server(name="T", n=1_500, epsilon=0.8, delta=1e-6)
    return study_on(Cusp(dimension=dimension), (target, *sources))


@pytest.mark.parametrize("dimension", deep_after(1, [1, 2]))
@pytest.mark.parametrize("make", ["sites", "agreed", "curator", "fit"])
def test_exact_errors_hold_against_drawn_records(make, dimension):
    study = study_of(0.5, 2.0, dimension=dimension)
    world = Cusp(dimension=dimension)
    trial = Trial(world=world, study=study)
    pools = {
        "sites": trial.pools,
        "agreed": agreed_pools(trial),
        "curator": curator_pools(study, WHO),
        "fit": fit_pools(study, WHO),
    }[make]
    lattice = make_lattice(world, pools, 0.15)
    drawn = excess_risks(lattice, [np.random.default_rng((3, k)) for k in range(300)])
    error = drawn.std(ddof=1) / math.sqrt(len(drawn))
    assert error < 0.1 * drawn.mean()
    assert lattice_risk(lattice) == pytest.approx(drawn.mean(), abs=3.5 * error)


def ratio(study: TransferStudy, pools, h: float) -> float:
    """Signal over standard deviation of a statistic."""
    spread = TRIANGULAR.roughness**study.dimension / (4 * h**study.dimension)
    signal = sum(p.weight * h ** (study.smoothness * p.gamma) for p in pools)
    variance = sum(
        p.weight**2 * (spread / p.records + p.noise(h, study.dimension) ** 2) for p in pools
    )
    return signal / math.sqrt(variance)


@pytest.mark.parametrize("h", [0.05, 0.2, 0.45])
def test_no_other_weights_of_records_beat_the_curator_s(h):
    study = study_of(0.5, 2.0)
    open_row = replace(study.sources[0], epsilon=math.inf, delta=None, name="open")
    study = study.with_servers([*study.servers, open_row])
    chosen = ratio(study, curator_pools(study, WHO)(h), h)
    rng = np.random.default_rng(0)
    noise, spread = record_noise(h), TRIANGULAR.roughness / (4 * h)
    rows = study.servers
    n = np.array([s.n for s in rows], dtype=float)
    signal = np.array([h**s.signal_exponent for s in rows])
    private = np.array([math.isfinite(s.epsilon) for s in rows])
    closest = 0.0
    for _ in range(4000):
        w = np.exp(rng.normal(scale=2, size=len(rows)))
        paid = (w[private].max() * noise) ** 2
        found = float((n * w * signal).sum() / math.sqrt(spread * (n * w**2).sum() + paid))
        closest = max(closest, found / chosen)
    assert 0.97 < closest <= 1 + 1e-12


def test_the_noise_of_one_release_is_meant_for_its_largest_weight():
    study, h = study_of(0.5, 2.0), 0.1
    for pools in (curator_pools(study, WHO)(h), fit_pools(study, WHO)(h)):
        largest = max(p.weight / p.records for p in pools)
        total = math.sqrt(sum((p.weight * p.noise(h, 1)) ** 2 for p in pools))
        assert total == pytest.approx(largest * record_noise(h), rel=1e-12)


def test_in_house_the_target_has_its_own_records_without_noise():
    study = study_of(0.5, 2.0)
    found = exact_classifier_risks(study, Cusp(), WHO, best_site="", house=(study.target,))
    alone = replace(study, sources=()).unprotected()
    whole = exact_classifier_risks(alone, Cusp(), WHO, best_site="").values["study"]
    assert found.house == {"T": pytest.approx(whole, rel=1e-6)}
    assert found.values["unprotected"] < found.house["T"]
    empty = replace(study, target=replace(study.target, n=0))
    assert not exact_classifier_risks(empty, Cusp(), WHO, best_site="", house=(empty.target,)).house


def test_without_privacy_and_with_a_generous_curator():
    study = study_of(1.0, 1.0)
    found = exact_classifier_risks(
        study, Cusp(), Curator(epsilon=500, delta=1e-6), best_site="S1"
    ).values
    for kind in ("curator", "output"):
        assert found[kind] == pytest.approx(found["unprotected"], rel=0.01), kind
    assert found["agreed"] == pytest.approx(found["study"], rel=1e-9)
    assert "own" not in found
    free = study.unprotected()
    same = exact_classifier_risks(free, Cusp(), WHO, best_site="S1").values
    for kind in ("study", "agreed", "curator"):
        assert same[kind] == pytest.approx(same["unprotected"], rel=1e-9), kind
    assert same["output"] > same["unprotected"]  # its noise is added to open records too


def test_a_row_that_stands_for_several_sites_is_those_sites():
    study = study_of(1.0)
    row = replace(study.sources[0], n=900, count=3)
    many = study.with_servers([study.target, row])
    each = [replace(row, name=f"site {k}", count=1) for k in range(3)]
    apart = study.with_servers([study.target, *each])
    found = exact_classifier_risks(many, Cusp(), WHO, best_site=row.name)
    other = exact_classifier_risks(apart, Cusp(), WHO, best_site="site 1")
    assert found.values == pytest.approx(other.values, rel=1e-9)  # alone: one of the three
    assert found.values["alone"] > found.values["study"]
    assert found.zero == pytest.approx(0.15, rel=1e-12)  # half of the mean |2 eta - 1|


@pytest.mark.parametrize("dimension", [1, 2])
def test_an_error_too_small_for_a_number_is_none(dimension):
    study = study_of(0.01, dimension=dimension)  # every record of the source shows its label
    most = study.with_servers([study.target, replace(study.sources[0], n=10**12)])
    found = exact_classifier_risks(most, Cusp(dimension=dimension), WHO, best_site="S0")
    assert found.values["unprotected"] == 0
    assert 0 <= found.values["alone"] < 1e-9


def test_what_is_filled_in_or_refused_is_said():
    study = study_of(1.0)
    bare = study.with_servers([replace(s, delta=None) for s in study.servers])
    found = exact_classifier_risks(bare, Cusp(), WHO, best_site="T")
    assert found.notes == ("Where no delta is stated it is 1e-06.",)
    assert "smoothness 1" in found.world
    with pytest.raises(DomainError, match="This world has 2 covariates"):
        exact_classifier_risks(study, Cusp(dimension=2), WHO, best_site="T")
    many = [replace(study.sources[0], name=f"S{k}") for k in range(100)]
    with pytest.raises(DomainError, match="at most 100 rows"):
        exact_classifier_risks(replace(study, sources=many), Cusp(), WHO, best_site="T")
    empty = study.with_servers([replace(s, n=0) for s in study.servers])
    with pytest.raises(DomainError, match="Some site must hold records"):
        exact_classifier_risks(empty, Cusp(), WHO, best_site="")
    silent = study.with_servers([replace(s, epsilon=0, delta=None) for s in study.servers])
    told = exact_classifier_risks(silent, Cusp(), WHO, best_site="")
    assert sorted(told.values) == ["curator", "output", "unprotected"]
    assert any(note.startswith("A dash: nothing is released") for note in told.notes)


def scanned(world, pools):
    """The least risk over bandwidths, every one from the widest until it has risen four times."""
    least, k, rises, last = math.inf, 0, 0, math.inf
    while rises < 4 and k < 45:
        try:
            lattice = make_lattice(world, pools, WIDEST / STEP**k)
        except DomainError:
            break
        risk = lattice_risk(lattice)
        if not math.isnan(risk):
            least = min(least, risk)
            rises = rises + 1 if risk > last else 0
            last = risk
        k += 1
    return least


@pytest.mark.parametrize("near", [0.5, 0.1, 0.003, math.nan])
def test_downhill_finds_what_a_scan_finds(near):
    rng = np.random.default_rng(5)
    for d in (1, 1, 2):
        rows = [
            Server(
                name=f"s{k}",
                n=int(10 ** rng.uniform(2, 4.3)),
                epsilon=float(10 ** rng.uniform(-0.7, 0.7)),
                delta=1e-6,
                signal_exponent=1.0 if k == 0 else float(rng.uniform(0.5, 1.5)),
            )
            for k in range(3)
        ]
        world = Cusp(dimension=d)
        pools = Trial(world=world, study=study_on(world, rows)).pools
        assert best(world, pools, near).risk == pytest.approx(scanned(world, pools), rel=1e-12)


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
