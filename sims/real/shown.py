"""One look at real sites: truth, one estimate with and without noise, parts of its error."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from sims.engine import Array, generator
from sims.real import classifier, curve
from sims.real.design import METHODS, planned
from sims.real.sites import Sites
from sims.real.trial import USUAL_DELTA, Parts, Trial

POINTS = 256  # of a drawn curve


@dataclass(frozen=True, kw_only=True, eq=False)
class Look:
    """What the sites recover together at one budget, and what they would without privacy.

    Attributes:
        sites: The records.
        epsilon: Budget of every site.
        places: Places of the covariate among all records, (P,).
        truth: Mean outcome of all records there, or share of label 1 among the held-out ones.
        free: One estimate without noise.
        released: The same records with noise.
        parts: What the expected error with noise consists of.
        without: The same without noise.
        flat: Error of a flat guess.
        resolution: Steps of a curve, or bandwidth of a classification.
    """

    sites: Sites
    epsilon: float
    places: Array = field(repr=False)
    truth: Array = field(repr=False)
    free: Array = field(repr=False)
    released: Array = field(repr=False)
    parts: Parts
    without: Parts
    flat: float
    resolution: float

    @property
    def factor(self) -> float:
        """Expected error over that without privacy; nan where the records cannot tell one.

        What the truth itself does not know is taken off an error, which may leave nothing.
        """
        known = min(self.parts.total, self.without.total) > 0
        return self.parts.total / self.without.total if known else math.nan

    @property
    def equation(self) -> float:
        """The same by the rate equation."""
        made = METHODS[self.sites.kind].equation
        return made(_trial(self.sites, self.epsilon)) / made(_trial(self.sites, math.inf))

    def miss(self, parts: Parts) -> float:
        """Root mean square error in the outcome's own unit; of labels their excess risk."""
        total = max(parts.total, 0.0)
        if self.sites.kind == "classification":
            return total
        return math.sqrt(total) * 0.5 * (self.sites.high - self.sites.low)


def _trial(sites: Sites, epsilon: float, delta: float = USUAL_DELTA) -> Trial:
    return Trial(sites=sites, m=sites.m, epsilon=epsilon, delta=delta)


def look(sites: Sites, *, epsilon: float, delta: float = USUAL_DELTA, seed: int = 0) -> Look:
    """Return one estimate of all sites at a budget, and its expected error by parts.

    With and without noise the same records are drawn, each at its own resolution.

    Args:
        sites: The records.
        epsilon: Budget of every site; inf is no protection.
        delta: Of the Gaussian noise.
        seed: Where the draw of records and the noise come from.
    """
    made, plain = (planned(_trial(sites, e, delta)) for e in (epsilon, math.inf))
    places = (np.arange(POINTS) + 0.5) / POINTS
    if isinstance(made, curve.CurvePlan):
        truth = curve.truth_of(sites)
        known, flat, resolution = sites.outcome(truth.mean), truth.spread, float(made.dimension)
    else:
        held = classifier.held_of(sites)
        known, flat, resolution = held.share, held.spread, made.bandwidth
    found = (_drawn(one, generator(seed, "look")) for one in (plain, made))
    known, free, released = (_at(places, one) for one in (known, *found))
    return Look(
        sites=sites,
        epsilon=epsilon,
        places=places,
        truth=known,
        free=free,
        released=released,
        parts=made.parts,
        without=plain.parts,
        flat=flat,
        resolution=resolution,
    )


def _drawn(made: curve.CurvePlan | classifier.LabelPlan, rng: np.random.Generator) -> Array:
    """Return one estimate on equal cells, in the data's own unit.

    Of labels it is their chance: places have density 1, so that the statistic is η - 1/2.
    """
    if isinstance(made, curve.CurvePlan):
        return made.trial.sites.outcome(curve.fitted(made, rng))
    draw = classifier.draw_of(made)
    return np.clip(0.5 + classifier.statistic(made, draw, rng), -0.5, 1.5)


def _at(places: Array, cells: Array) -> Array:
    """Return a step function of equal cells at some places."""
    return np.asarray(cells[np.minimum((places * len(cells)).astype(int), len(cells) - 1)])


def causes(
    sites: Sites, budgets: tuple[float, ...], delta: float = USUAL_DELTA
) -> tuple[Parts, ...]:
    """Return what the expected error consists of at each of several budgets, all sites together."""
    return tuple(planned(_trial(sites, e, delta)).parts for e in budgets)
