"""One kernel classifier on one world: how it is set up, its exact risk and its replicates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rates.answer import TransferAnswer, calibrated, noise_multipliers, solve
from rates.numbers import ACC_PRINTED, EPSILON, KAPPA, MECHANISMS, SIGNAL_EXPONENT, Mechanism
from rates.study import Server, TransferStudy
from sims.acc import kernel
from sims.acc.lattice import Lattice, excess_risks, make_lattice
from sims.acc.risk import lattice_risk
from sims.acc.worlds import Cusp, study_on
from sims.engine import Array, Choice, Number, Point, Values, generators

WORLDS = {"cusp": Cusp(), "cusp, d = 2": Cusp(dimension=2)}
BORDER = 0.01  # share of the risk near the border from which a point counts as saturated
SATURATED = (
    "saturated: the classifier still errs at the border of the unit cube, where the rate, "
    "a statement about the neighbourhood of the boundary, cannot show"
)
PRIVACY = (
    "Each server releases one statistic with a joint Gaussian noise path; the release is "
    "(epsilon, delta)-differentially private under replacement of one record. Noise "
    '"analytic" is the exact calibration; "printed" is the paper\'s constant, which fails '
    "for large epsilon (above about 8)."
)
MECHANISM = Choice(
    name="mechanism",
    options=MECHANISMS,
    default="analytic",
    help="Noise of the exact calibration, or with the constant printed in the paper.",
)
WORLD = Choice(
    name="world",
    options=tuple(WORLDS),
    default="cusp",
    help="The asymmetric cusp in one dimension, or in two with a straight boundary.",
)
WIDTH = Number(KAPPA, 3.0)

BUDGET = EPSILON.within("(0, inf]")
GAMMA = SIGNAL_EXPONENT.within(
    "[0.25, 4]", name="gamma", help=SIGNAL_EXPONENT.help + " Not used if the target is alone."
)
Rule = Literal["matched", "printed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A study on a world, with how bandwidth and weights are chosen.

    Attributes:
        world: The cusp; the study's smoothness, dimension and margin are the world's.
        study: The servers.
        mechanism: Noise, "printed" or "analytic".
        kappa: Bandwidth over r.
        rule: "matched" takes h = κ r of the mechanism's own equation and weights with its
            constants; "printed" takes h from (11) and weights (12) as they stand.
    """

    world: Cusp
    study: TransferStudy
    mechanism: Mechanism = "analytic"
    kappa: float = 3.0
    rule: Rule = "matched"

    @classmethod
    def asked(cls, values: Values, servers: Sequence[Server], rule: Rule = "matched") -> Trial:
        """Return the trial of these servers, target first, with the rest as asked."""
        world = WORLDS[values.word("world")]
        return cls(
            world=world,
            study=study_on(world, servers),
            mechanism=values.among("mechanism", MECHANISMS),
            kappa=values.number("kappa"),
            rule=rule,
        )

    @property
    def bandwidth(self) -> float:
        """The bandwidth h, before it is rounded to the mesh."""
        if self.rule == "printed":
            return kernel.oracle_bandwidth(self.study)
        return _answer(self).bandwidth or math.nan

    @property
    def rate(self) -> float:
        """The theory's r^(β(1+α)), uncapped: of the mechanism, or of equation (5)."""
        if self.rule == "printed":
            return solve(self.study).rate_uncapped
        return _answer(self).rate_uncapped

    def pools(self, bandwidth: float) -> tuple[kernel.Group, ...]:
        """Pool the servers of each row."""
        if self.rule == "printed":
            weights = kernel.oracle_weights(self.study, bandwidth)
        else:
            weights = kernel.matched_weights(
                self.study, bandwidth, kernel=kernel.TRIANGULAR, mechanism=self.mechanism
            )
        return row_pools(self.study, weights, self.mechanism)


@lru_cache(maxsize=128)
def _answer(trial: Trial) -> TransferAnswer:
    """The calibrated equation's answer, kept as bandwidth and rate both ask for it."""
    return calibrated(trial.study, mechanism=trial.mechanism, kappa=trial.kappa)


def row_pools(
    study: TransferStudy, weights: Sequence[float], mechanism: Mechanism
) -> tuple[kernel.Group, ...]:
    """Pool the servers of each row, with the row's weight: their mean is that of all records."""
    multipliers, _ = noise_multipliers(tuple(study.servers), mechanism, ACC_PRINTED)
    return tuple(
        kernel.Group(
            n=row.n,
            m=row.count,
            gamma=row.signal_exponent,
            multiplier=multiplier,
            weight=weight,
        )
        for row, weight, multiplier in zip(study.servers, weights, multipliers, strict=True)
        if weight > 0
    )


@lru_cache(maxsize=128)
def lattice_of(trial: Trial) -> Lattice:
    """Return the mesh on which a trial is simulated, and on which its risk is computed.

    Raises:
        DomainError: The trial is larger than a simulation carries, or a delta is missing.
    """
    return make_lattice(trial.world, trial.pools, trial.bandwidth)


def point_of(trial: Trial, *, series: str, x: float, settings: Values) -> Point:
    """Return a point with its rate, its exact risk, and whether it is saturated."""
    lattice = lattice_of(trial)
    exact = lattice_risk(lattice)
    return Point(
        series=series,
        x=x,
        theory=trial.rate,
        exact=None if math.isnan(exact) else exact,
        settings=settings,
        left_out=SATURATED if lattice.border > BORDER else "",
    )


def sample_of(trial: Trial, point: Point, seed: int, indices: range) -> Array:
    """Return one exact excess risk per replicate index."""
    return excess_risks(lattice_of(trial), generators(seed, point.key, indices=indices))
