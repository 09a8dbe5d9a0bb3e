"""Exact errors of classification rivals: against draws, by brute force, in limiting cases."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates.fit.rival_rates import Curator
from rates.numbers.parameters import DomainError
from rates.study.scenario import Server, TransferStudy
from sims.acc.kernel import TRIANGULAR, Group
from sims.acc.lattice import excess_risks, make_lattice
from sims.acc.rate import Trial
from sims.acc.risk import lattice_risk
from sims.acc.worlds import Cusp, study_on
from sims.calibration.rivals import (
    STEP,
    WIDEST,
    agreed_pools,
    best,
    curator_pools,
    exact_classifier_risks,
    fit_pools,
)
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
