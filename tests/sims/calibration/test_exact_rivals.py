"""Exact risks of rivals: against draws, by brute force, in limiting cases."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from rates.study.scenario import FederatedStudy, Server, TransferStudy
from sims.acc.lattice import make_lattice
from sims.acc.rate import Trial
from sims.acc.risk import lattice_risk
from sims.acc.worlds import Cusp, study_on
from sims.calibration import rivals
from sims.calibration.calibration import scaled
from sims.calibration.rivals import RECIPE, STEP, WIDEST, exact_classifier_risks, exact_risks
from sims.ccv.risk import plan
from tests.depth import deep_after


def study_of(*signals: float, dimension: int = 1) -> TransferStudy:
    sources = [
        Server(name=f"S{k}", n=2_000 * (k + 1), epsilon=1, delta=1e-6, signal_exponent=g)
        for k, g in enumerate(signals)
    ]
    target = Server(name="T", n=1_500, epsilon=0.8, delta=1e-6)
    return study_on(Cusp(dimension=dimension), (target, *sources))


def test_without_privacy_the_study_is_the_unprotected_one():
    same = exact_classifier_risks(study_of(1.0).unprotected(), Cusp(), best_site="").values
    assert same["study"] == pytest.approx(same["unprotected"], rel=1e-9)


def test_a_row_that_stands_for_several_sites_is_those_sites():
    study = study_of(1.0)
    row = replace(study.sources[0], n=900, count=3)
    many = study.with_servers([study.target, row])
    each = [replace(row, name=f"site {k}", count=1) for k in range(3)]
    apart = study.with_servers([study.target, *each])
    found = exact_classifier_risks(many, Cusp(), best_site=row.name)
    other = exact_classifier_risks(apart, Cusp(), best_site="site 1")
    assert found.values == pytest.approx(other.values, rel=1e-9)  # alone: one of the three
    assert found.values["alone"] > found.values["study"]
    assert found.zero == pytest.approx(0.15, rel=1e-12)  # half of the mean |2 eta - 1|


@pytest.mark.parametrize("dimension", [1, 2])
def test_an_error_too_small_for_a_number_is_none(dimension):
    study = study_of(0.01, dimension=dimension)  # every record of the source shows its label
    most = study.with_servers([study.target, replace(study.sources[0], n=10**12)])
    found = exact_classifier_risks(most, Cusp(dimension=dimension), best_site="S0")
    assert found.values["unprotected"] == 0
    assert 0 <= found.values["alone"] < 1e-9


def test_what_is_filled_in_or_refused_is_said():
    study = study_of(1.0)
    bare = study.with_servers([replace(s, delta=None) for s in study.servers])
    found = exact_classifier_risks(bare, Cusp(), best_site="T")
    assert found.notes == ("Where no delta is stated it is 1e-06.",)
    assert "smoothness 1" in found.world
    with pytest.raises(DomainError, match="This world has 2 covariates"):
        exact_classifier_risks(study, Cusp(dimension=2), best_site="T")
    many = [replace(study.sources[0], name=f"S{k}") for k in range(100)]
    empty = study.with_servers([replace(s, n=0) for s in study.servers])
    for refused, words in (
        (replace(study, sources=many), "at most 100 rows"),
        (empty, "Some site must hold records"),
    ):
        with pytest.raises(DomainError, match=words):
            exact_classifier_risks(refused, Cusp(), best_site="T")
    silent = study.with_servers([replace(s, epsilon=0, delta=None) for s in study.servers])
    assert [*exact_classifier_risks(silent, Cusp(), best_site="").values] == ["unprotected"]


def scanned(world, pools):
    """The least risk over bandwidths, every one from the widest until it has risen four times."""
    seen, rises = [math.inf], 0
    for k in range(45):
        try:
            risk = lattice_risk(make_lattice(world, pools, WIDEST / STEP**k))
        except DomainError:
            break
        if not math.isnan(risk):
            rises = rises + 1 if risk > seen[-1] else 0
            seen.append(risk)
        if rises == 4:
            break
    return min(seen)


@pytest.mark.parametrize("near", deep_after(1, [0.003, math.nan, 0.5, 0.1]))
def test_downhill_finds_what_a_scan_finds(near):
    rng = np.random.default_rng(5)
    for d in (1, 1, 2):
        factors = 10 ** rng.uniform(-1.0, 0.7, (3, 2))
        study = study_of(*rng.uniform(0.5, 1.5, 2), dimension=d)
        rows = [scaled(s, *by) for s, by in zip(study.servers, factors.tolist(), strict=True)]
        world = Cusp(dimension=d)
        pools = Trial(world=world, study=study_on(world, rows)).pools
        assert rivals.best(world, pools, near).risk == pytest.approx(
            scanned(world, pools), rel=1e-12
        )


@pytest.mark.parametrize("risk", ["integrated", "pointwise"])
def test_every_design_has_its_own_servers_and_weights(risk):
    study = preset("unequal").study
    first, *rest = study.servers
    study = study.with_servers([replace(first, epsilon=math.inf), *rest])
    found = exact_risks(study, risk, best_site="City hospital").values
    world = rivals.fourier_world(study.smoothness if risk == "integrated" else 1.25, risk)
    total = sum(s.n for s in study.servers)
    pooled = Server(name="pooled", n=total, epsilon=math.inf)
    expected = {
        "alone": plan(world, (study.servers[1],), RECIPE),
        "study": plan(world, study.servers, replace(RECIPE, weights="calibrated")),
        "unprotected": plan(world, (pooled,), RECIPE),
    }
    for kind, made in expected.items():
        assert found[kind] == pytest.approx(made.exact, rel=1e-12), kind


def test_what_is_filled_in_cut_or_refused_is_said():
    study = preset("unequal").study
    bare = replace(
        study.with_servers([replace(s, delta=None) for s in study.servers]), smoothness=3
    )
    found = exact_risks(bare, "integrated", best_site="City hospital")
    assert found.notes == ("Smoothness 3 cut to 2.", "delta 3e-07 where none is stated.")
    assert "smoothness 2" in found.world
    assert found.zero > max(found.values["study"], found.values["alone"])
    many = [Server(name=f"S{k}", n=10, epsilon=1) for k in range(101)]
    with pytest.raises(DomainError, match="at most 100 rows"):
        exact_risks(FederatedStudy(servers=many, smoothness=1), "integrated", best_site="S0")
    nothing = FederatedStudy(servers=[Server(name="A", n=500, epsilon=0)], smoothness=1)
    assert [*exact_risks(nothing, "integrated", best_site="").values] == ["unprotected"]
