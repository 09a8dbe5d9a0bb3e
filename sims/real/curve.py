r"""The federated curve of [CCV] on real sites: the series estimator in the Haar basis.

A site clips its outcomes to public bounds, here scaled to [-1, 1], projects them on K steps of
equal width and releases the coefficients with one Gaussian noise. The truth f is the mean outcome
of all records in each of Q fine cells. As it is made of records it is uneven by chance, by σ² Q/N,
of which K steps miss the part 1 - K/Q: that much is taken off every loss. With θ_j the projection
of site j's own records and c that of the truth, the expected loss of weights u_j on given sites
is, exactly,

.. math:: \|f\|^2 - \|c\|^2 - \frac{\sigma^2 Q}{N} \Bigl(1 - \frac KQ\Bigr)
    + \Bigl\|\sum_j u_j \theta_j - c\Bigr\|^2
    + \sum_j u_j^2 \Bigl(\frac{V_j}{n_j} + K s_j^2\Bigr).

The norm with θ is there because sites differ; for sites alike it is 0, and the rest is the exact
risk of `sims.ccv.plan`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rates import answer
from rates.study import FederatedStudy
from sims import ccv
from sims.curves import Basis, Grid, binned, cell_of, integrals
from sims.engine import Array, release
from sims.real.sites import Sites
from sims.real.trial import SMOOTHNESS, Parts, Plan, Trial, team_weights

DIMENSIONS = (*range(1, 25), 28, 32, 40, 48, 64)  # that are tried
FEWEST = 3  # steps in the window: the bias of a line in K steps is exactly proportional to K^-2
RECIPE = ccv.Recipe(noise="analytic", weights="inverse variance", clip=1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Truth:
    """What is known of the records of all sites, binned to Q cells.

    Attributes:
        cells: Q.
        mean: f, the mean outcome of all records in each cell, on [-1, 1], (Q,).
        drawn: The same in the data's own unit, (Q,).
        error: What the truth itself does not know: mean over the cells of variance over records.
        cell: Each record's cell, (N,).
        sums: Sum of outcomes of each site in each cell over the site's records, (J, Q).
        squares: The same of squared outcomes.
    """

    cells: int
    mean: Array = field(repr=False)
    drawn: Array = field(repr=False)
    error: float
    cell: NDArray[np.intp] = field(repr=False)
    sums: Array = field(repr=False)
    squares: Array = field(repr=False)

    @property
    def spread(self) -> float:
        """Mean squared distance of the truth from its own mean: what a flat guess misses by."""
        return float(self.mean.var())


@lru_cache(maxsize=4)
def truth_of(sites: Sites) -> Truth:
    """Return the truth of all records, and each site's own sums."""
    Q, v = sites.cells, sites.scaled
    cell = cell_of(sites.place, Q)
    count = np.maximum(np.bincount(cell, minlength=Q), 1)
    mean = np.bincount(cell, v, Q) / count
    variance = np.bincount(cell, v * v, Q) / count - mean**2
    flat, shape = sites.site * Q + cell, (sites.m, Q)
    own = sites.sizes[:, None]
    return Truth(
        cells=Q,
        mean=mean,
        drawn=sites.outcome(mean),
        error=float(np.mean(variance / count)),
        cell=cell,
        sums=np.bincount(flat, v, sites.m * Q).reshape(shape) / own,
        squares=np.bincount(flat, v * v, sites.m * Q).reshape(shape) / own,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Steps:
    """What the estimator of one dimension needs of the sites.

    Attributes:
        grid: The basis on the cells.
        target: c, coefficients of the truth, (K,).
        rest: Squared norm of what K steps cannot follow, less what is chance in it.
        own: θ_j, (J, K).
        variance: V_j of one record of a site, (J,).
        pooled: V of one record of all sites together.
        sensitivity: n times that of a site's coefficients.
    """

    grid: Grid
    target: Array
    rest: float
    own: Array
    variance: Array
    pooled: float
    sensitivity: float


@lru_cache(maxsize=512)
def steps(sites: Sites, dimension: int) -> Steps:
    """Return the integrals of one dimension."""
    truth = truth_of(sites)
    basis = Basis(family="haar", moments=1, dimension=dimension)
    grid = binned(basis, cells=truth.cells)
    target = integrals(grid, truth.mean)
    rough = float(np.mean(truth.mean**2) - target @ target)
    own, second = truth.sums @ grid.matrix, truth.squares @ grid.energy
    part = sites.sizes / sites.records
    return Steps(
        grid=grid,
        target=target,
        # Less than what is chance in an uneven truth is nothing.
        rest=max(rough - truth.error * (1.0 - dimension / truth.cells), 0.0),
        own=np.asarray(own),
        variance=np.asarray(second - np.sum(own**2, axis=1)),
        pooled=float(part @ second - np.sum((part @ own) ** 2)),
        sensitivity=2.0 * RECIPE.clip * math.sqrt(float(grid.energy.max())),
    )


def plan(trial: Trial, dimension: int | None = None) -> Plan:
    """Return the estimator of the best dimension for these sites, or of the one given.

    Who takes part is averaged over draws of its own where not all sites do.
    """
    most = truth_of(trial.sites).cells
    tried = (dimension,) if dimension else tuple(K for K in DIMENSIONS if most >= K)
    made = (_planned(trial, K) for K in tried)
    return min(made, key=lambda found: found.parts.total)


def _planned(trial: Trial, K: int) -> Plan:
    known, n = steps(trial.sites, K), trial.n.astype(float)
    width = known.sensitivity / n
    noise = K * (width * trial.multiplier) ** 2
    rows = ccv.Sites(
        n=n,
        count=np.ones(len(n)),
        epsilon=np.full(len(n), trial.epsilon),
        noise=np.full(len(n), trial.multiplier),
    )
    weight = ccv.site_weights(rows, RECIPE, np.array(float(K)), noise, np.array(known.pooled))
    u = team_weights(trial, weight)
    gap = u @ known.own - known.target
    privacy, sample = float(np.mean(u**2 @ noise)), float(np.mean(u**2 @ (known.variance / n)))
    return Plan(
        trial=trial,
        resolution=float(K),
        weight=weight,
        sensitivity=width,
        population=trial.sites.sizes,
        starts=trial.sites.starts,
        n=trial.n,
        parts=Parts(
            privacy=privacy,
            sample=sample,
            bias=known.rest,
            sites=float(np.mean(np.sum(gap**2, axis=1))),
            noise=privacy / (privacy + sample),
        ),
    )


def outside(made: Plan) -> str:
    """Return why a resolution lies outside the window; empty if it lies inside."""
    if made.resolution < FEWEST:
        return f"fewer than {FEWEST} steps"
    too_fine = 2 * made.resolution > made.trial.sites.cells
    return "steps finer than half of the truth's cells" if too_fine else ""


def losses(made: Plan, rngs: Iterable[np.random.Generator]) -> Array:
    """Return one integrated squared error per generator, outcomes on [-1, 1]."""
    known = steps(made.trial.sites, int(made.resolution))
    found = (np.sum((coefficients(made, rng) - known.target) ** 2) for rng in rngs)
    return np.fromiter((known.rest + float(one) for one in found), float)


def coefficients(made: Plan, rng: np.random.Generator) -> Array:
    """Return the combined private coefficients of one replicate."""
    trial, truth = made.trial, truth_of(made.trial.sites)
    chosen, records = made.draw(rng)
    weight, each = made.merged(chosen)
    sums = np.bincount(truth.cell[records], trial.sites.scaled[records] * each, truth.cells)
    return release(
        steps(trial.sites, int(made.resolution)).grid.matrix.T @ sums,
        rng,
        of="curve",
        who="site",
        sensitivity=made.sensitivity[chosen],
        multiplier=trial.multiplier,
        weights=weight,
    )


def fitted(made: Plan, rng: np.random.Generator) -> Array:
    """Return one estimated curve in the cells of the truth, in the data's own unit."""
    known = steps(made.trial.sites, int(made.resolution))
    return made.trial.sites.outcome(np.asarray(known.grid.matrix @ coefficients(made, rng)))


@lru_cache(maxsize=4)
def constants(sites: Sites) -> answer.SeriesConstants:
    """Return the constants of the calibrated equation, measured on the full data.

    The squared bias is C / K^2 with C the mean over 4 to 16 steps, as far as the truth is fine
    enough; v is the variance of one record over K there.
    """
    ks = [K for K in (4, 6, 8, 12, 16) if sites.cells >= 2 * K] or [4]
    known = [steps(sites, K) for K in ks]
    # A bias of 0, as of a curve that is flat, has no constant.
    bias = np.mean([max(found.rest, 1e-12) * K**2 for K, found in zip(ks, known, strict=True)])
    variance = np.mean([found.pooled / K for K, found in zip(ks, known, strict=True)])
    return answer.SeriesConstants(
        overlap=1.0, spike=1.0, clip=1.0, variance=float(variance), bias=float(bias)
    )


def calibrated(trial: Trial) -> float:
    """Return C / D^2 of the named mechanism's own equation, by the constants of these data."""
    series = constants(trial.sites)
    lens = answer.Lens(risk="integrated", mechanism="analytic", series=series)
    assert isinstance(trial.study, FederatedStudy)
    found = answer.solve_curve(trial.study, lens)
    return float(series.bias * found.D ** (-2.0 * SMOOTHNESS))
