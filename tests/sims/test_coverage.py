"""Intervals that state 95%: how often they cover, over some seeds and edits.

No coverage may lie below 95% by a binomial test at one in a thousand.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from rates import Server, TransferStudy
from rates.numbers.parameters import DomainError
from sims.acc.rate import Trial, lattice_of
from sims.acc.risk import lattice_risk
from sims.acc.worlds import Cusp, study_on
from sims.calibration.calibration import KAPPA, risk_of, scaled
from sims.calibration.worlds import WIDEST, calibrate, worlds_for
from sims.engine import Estimate

LEVEL, CHANCE = 0.95, 1e-3
FACTOR = 3.0  # most factor of an edit on one row's records, and on its budget


def random_study(rng: np.random.Generator) -> tuple[TransferStudy, Cusp]:
    """A target and one to six rows of sources of mixed signal exponents, on a cusp."""

    def server(name: str, signal: float = 1.0, count: int = 1) -> Server:
        epsilon = math.inf if rng.random() < 0.1 else float(10 ** rng.uniform(-0.5, 0.7))
        n = int(10 ** rng.uniform(2.5, 5))
        return Server(
            name=name, n=n, epsilon=epsilon, delta=1e-6, signal_exponent=signal, count=count
        )

    dimension = 1 if rng.random() < 0.75 else 2
    sources = tuple(
        server(f"s{k}", round(rng.uniform(0.4, 1.5), 1), int(rng.integers(1, 5)))
        for k in range(rng.integers(1, 7))
    )
    rough = TransferStudy(
        target=server("target"), sources=sources, smoothness=1, dimension=dimension, margin=1
    )
    worlds = worlds_for(rough)
    world = worlds[str(rng.choice(list(worlds), p=[0.5, 0.3, 0.2]))]
    assert isinstance(world, Cusp)
    return study_on(world, rough.servers), world


def edited(study: TransferStudy, rng: np.random.Generator) -> TransferStudy:
    """The study with every row's records and budget changed by factors of their own."""
    ends = (-math.log(FACTOR), math.log(FACTOR))
    return study.with_servers(
        [scaled(s, *np.exp(rng.uniform(*ends, 2)).tolist()) for s in study.servers]
    )


def known_risk(study: TransferStudy, world: Cusp) -> float:
    """The exact risk at the study's own setting, or nan where it has none or is saturated."""
    trial = Trial(world=world, study=study, kappa=KAPPA)
    try:
        return math.nan if trial.bandwidth >= WIDEST else lattice_risk(lattice_of(trial))
    except DomainError:  # larger than a simulation carries
        return math.nan


TARGET = Server(name="target", n=10_000, epsilon=1.0, delta=1e-6)
SOURCE = Server(name="s", n=2_000, epsilon=1.0, delta=1e-6, signal_exponent=0.6, count=4)
STUDY = TransferStudy(target=TARGET, sources=(SOURCE,), smoothness=1, dimension=1, margin=1)


def test_an_unevenly_edited_study_keeps_its_interval_or_is_refused():
    """The study of the audit: four sharp sources, each with a quarter of its records."""
    world = worlds_for(STUDY)["cusp 1"]
    assert isinstance(world, Cusp)
    found = calibrate(STUDY, world)
    for n, epsilon in ((500, 1.0), (6_000, 1.0), (2_000, 0.3), (600, 3.0)):
        edit = STUDY.with_servers([TARGET, replace(SOURCE, n=n, epsilon=epsilon)])
        told = risk_of(found, edit)
        assert told.low <= known_risk(edit, world) <= told.high, (n, epsilon)
        assert told.high < 1.3 * told.low
    edit = STUDY.with_servers([TARGET, replace(SOURCE, n=20, epsilon=0.2)])
    assert "too unevenly" in risk_of(found, edit).refusal


@pytest.mark.deep
def test_a_few_random_edits_are_covered_or_refused():
    told, trial = [], 0
    while len(told) < 12:
        trial += 1
        rng = np.random.default_rng([1, trial])
        study, world = random_study(rng)
        if not (found := calibrate(study, world)).accepted:
            continue
        for _ in range(3):  # a calibration is dear
            edit = edited(study, rng)
            risk = known_risk(edit, world)
            if not math.isnan(risk):
                told.append((risk_of(found, edit), risk))
    kept = [one.low <= risk <= one.high for one, risk in told if not one.refusal]
    assert len(told) - len(kept) <= 1
    # So few are seen with less than one chance in a thousand, were it 95%.
    assert binom.cdf(sum(kept), len(kept), LEVEL) >= CHANCE


@pytest.mark.parametrize("chance", [0.0, 0.002, 0.03, 0.5, 0.98, 1.0])
@pytest.mark.parametrize("count", [8, 60, 200])
def test_shares_are_covered_at_every_chance(chance, count):
    """By Student's t an interval of equal outcomes has no width and covers nothing."""
    ends = [
        Estimate.of(np.repeat([0.0, 1.0], [count - k, k]), (0.0, 1.0)).interval()
        for k in range(count + 1)
    ]
    inside = [low - 1e-12 <= chance <= high + 1e-12 for low, high in ends]
    assert binom.pmf(np.arange(count + 1), count, chance) @ inside >= LEVEL


@pytest.mark.parametrize("power", [1.0, 2.0, 3.0])
def test_skewed_losses_are_covered_with_few_replicates(power):
    """Powers of exponential variables; Student's t covers 92, 86 and 78% with 20 replicates."""
    rng = np.random.default_rng(0)
    truth = math.gamma(1.0 + power)
    ends = [Estimate.of(row).interval() for row in rng.standard_exponential((1500, 20)) ** power]
    inside = np.mean([low <= truth <= high for low, high in ends])
    assert inside >= {1.0: 0.945, 2.0: 0.90, 3.0: 0.83}[power]
