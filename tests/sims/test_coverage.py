"""Intervals that state 95 %: how often they cover, measured over many seeds and many edits.

Hours of processor time, so by hand: ``pytest -m slow tests/sims/test_coverage.py -s`` prints the
table. No coverage may lie below 95 % by a binomial test at one in a thousand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.stats import binom

from rates import Server, TransferStudy
from rates.numbers.parameters import DomainError
from sims.classification.risk import lattice_risk
from sims.classification.trials import Trial, lattice_of
from sims.classification.worlds import Cusp
from sims.fit.calibration import Calibration, risk_of
from sims.fit.rate import KAPPA, scaled
from sims.fit.worlds import WIDEST, calibrate, worlds_for, yardstick_of

LEVEL, CHANCE = 0.95, 1e-3
STUDIES = 500
FACTOR = 3.0  # most factor of an edit on one row's records, and on its budget


def too_few(covered: int, tried: int) -> bool:
    """Whether so few would be seen with less than one chance in a thousand, were it 95 %."""
    return bool(binom.cdf(covered, tried, LEVEL) < CHANCE)


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
    return yardstick_of(world).study(rough.servers), world


def edited(study: TransferStudy, rng: np.random.Generator) -> TransferStudy:
    """The study with every row's records and budget changed by factors of their own."""
    ends = (-math.log(FACTOR), math.log(FACTOR))
    target, *sources = (scaled(s, *np.exp(rng.uniform(*ends, 2)).tolist()) for s in study.servers)
    return TransferStudy(
        target=target,
        sources=tuple(sources),
        smoothness=study.smoothness,
        dimension=study.dimension,
        margin=study.margin,
    )


def known_risk(study: TransferStudy, world: Cusp) -> float:
    """The exact risk at the study's own setting, or nan where it has none or is saturated."""
    trial = Trial(world=world, study=study, kappa=KAPPA)
    try:
        return math.nan if trial.bandwidth >= WIDEST else lattice_risk(lattice_of(trial))
    except DomainError:  # larger than a simulation carries
        return math.nan


def edits(studies: int, seed: int = 0) -> Iterator[tuple[Calibration, TransferStudy, float]]:
    """Yield accepted calibrations of random studies, an uneven edit of each, and its risk."""
    made = trial = 0
    while made < studies:
        trial += 1
        rng = np.random.default_rng([seed, trial])
        study, world = random_study(rng)
        found = calibrate(study, world, repeats=2)
        if not found.accepted or found.replicates:
            continue
        edit = edited(study, rng)
        risk = known_risk(edit, world)
        if not math.isnan(risk):
            made += 1
            yield found, edit, risk


def coverage_of_edits(studies: int, seed: int = 0) -> tuple[int, int, list[float]]:
    """Return how many risks are covered, how many refused, and the intervals' half widths."""
    covered, refused, widths = 0, 0, []
    for found, edit, risk in edits(studies, seed):
        told = risk_of(found, edit)
        refused += bool(told.refusal)
        if not told.refusal:
            covered += told.low <= risk <= told.high
            widths.append(math.log(told.high / told.value))
    return covered, refused, widths


def test_an_unevenly_edited_study_keeps_its_interval():
    """The study of the audit: four sharp sources, each with a quarter of its records."""
    target = Server(name="target", n=10_000, epsilon=1.0, delta=1e-6)
    source = Server(name="s", n=2_000, epsilon=1.0, delta=1e-6, signal_exponent=0.6, count=4)
    study = TransferStudy(target=target, sources=(source,), smoothness=1, dimension=1, margin=1)
    world = worlds_for(study)["cusp 1"]
    assert isinstance(world, Cusp)
    found = calibrate(study, world)
    for n, epsilon in ((500, 1.0), (6_000, 1.0), (2_000, 0.3), (600, 3.0)):
        source = Server(name="s", n=n, epsilon=epsilon, delta=1e-6, signal_exponent=0.6, count=4)
        edit = TransferStudy(target=target, sources=(source,), smoothness=1, dimension=1, margin=1)
        told = risk_of(found, edit)
        assert told.low <= known_risk(edit, world) <= told.high, (n, epsilon)
        assert told.high < 1.3 * told.low


@pytest.mark.deep
def test_a_few_random_edits_are_covered_or_refused():
    covered, refused, widths = coverage_of_edits(40, seed=1)
    assert refused <= 4
    assert not too_few(covered, len(widths))


@pytest.mark.slow
def test_calibrated_risks_cover_after_uneven_edits():
    covered, refused, widths = coverage_of_edits(STUDIES)
    share = covered / len(widths)
    print(
        f"\ncalibrated risk: {covered} of {len(widths)} covered ({100 * share:.1f} %), {refused} "
        f"refused; half width of log risk {np.median(widths):.3f} (median), "
        f"{np.quantile(widths, 0.9):.3f} (nine tenths)"
    )
    assert not too_few(covered, len(widths))
    assert refused <= 0.1 * STUDIES
