r"""The kernel classifier of [ACC] on real sites, all taken as alike: every signal exponent is 1.

Of each site one record in four is held out. A site releases its statistic (7) with one joint
Gaussian path (9) at one bandwidth; the sum of all is combined with the weights of (12), and its
sign is the label. The excess risk is measured on the records held out: the share that the label
gets wrong, less the share that the reference gets wrong, which in each of Q cells is the better
label by all records that are not held out,

.. math:: \sum_q p_q (2 \hat\eta_q - 1)\, s_q\, 1\{\text{label} \ne \text{reference}\},
    \qquad s_q = \pm 1 \text{ the reference's side}.

The held-out shares are independent of the reference and of all labels, so that this is unbiased;
where cells lie close to 1/2 it may be negative, as a smooth rule can beat the reference there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rates import answer
from sims import acc
from sims.curves import cell_of
from sims.engine import Array, release
from sims.real.sites import Sites
from sims.real.trial import Parts, Plan, Trial, drawn, held_out, team_weights

MESH = 512  # cells on which the statistic lives; every bandwidth is a whole number of them
KAPPA = 2.0  # bandwidth over r of the mechanism's own equation
WIDEST = 0.5  # bandwidth in the window


@dataclass(frozen=True, kw_only=True, eq=False)
class Truth:
    """Records that are held out, and those that are drawn from.

    Attributes:
        loss: Excess risk of each cell of the mesh where its label is not the reference's, (M,).
        positive: Where the reference is 1.
        error: What the truth does not know: the expected excess risk of the reference.
        drawn: Share of label 1 among the held-out records in each of the Q cells, (Q,).
        records: Places of the records to draw from, site by site.
        sizes: How many of them each site has.
        starts: Where each site's begin.
        cell: Each of these records' cell of the mesh.
        half: Their labels less one half.
    """

    loss: Array = field(repr=False)
    positive: NDArray[np.bool_] = field(repr=False)
    error: float
    drawn: Array = field(repr=False)
    sizes: NDArray[np.intp] = field(repr=False)
    starts: NDArray[np.intp] = field(repr=False)
    cell: NDArray[np.intp] = field(repr=False)
    half: Array = field(repr=False)

    @property
    def spread(self) -> float:
        """Excess risk of the better one of the two constant labels."""
        one = float(self.loss @ self.positive)
        return min(one, float(self.loss.sum()) - one)


@lru_cache(maxsize=4)
def truth_of(sites: Sites) -> Truth:
    """Return the records of a classification, cut in two."""
    out, Q = held_out(sites), sites.cells
    cell = cell_of(sites.place, Q)
    count = np.maximum(np.bincount(cell[out], minlength=Q), 1)
    share = np.bincount(cell[out], sites.y[out], Q) / count
    every = np.bincount(cell, sites.y, Q) / np.maximum(np.bincount(cell, minlength=Q), 1)
    part = count / count.sum()
    train = ~out
    kept = np.bincount(cell[train], minlength=Q)
    reference = 2.0 * np.bincount(cell[train], sites.y[train], Q) >= kept
    sizes = np.bincount(sites.site[train], minlength=sites.m)
    return Truth(
        loss=np.repeat(
            part * (2.0 * share - 1.0) * np.where(reference, 1.0, -1.0) * Q / MESH, MESH // Q
        ),
        positive=np.repeat(reference, MESH // Q),
        error=float(part @ _turned(every, np.maximum(kept, 1))),
        drawn=share,
        sizes=sizes,
        starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        cell=cell_of(sites.place[train], MESH),
        half=sites.y[train] - 0.5,
    )


def _turned(share: Array, count: Array) -> Array:
    """Return E |2S - 1| where S, a share of count records, lies on the other side of 1/2."""
    from scipy.special import ndtr

    sd = np.sqrt(np.maximum(share * (1.0 - share), 1e-12) / count)
    z = np.abs(share - 0.5) / sd
    density = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    return np.asarray(2.0 * sd * (density - z * ndtr(-z)))


def smoothed(sums: Array, per_bandwidth: int) -> Array:
    """Return sum_c K((g - c)/h) sums_c / h at every cell g of the mesh, along the last axis.

    The triangular kernel is a box filter applied twice.

    >>> smoothed(np.eye(MESH)[9], 2)[6:13].tolist() == [0, 0, 128, 256, 128, 0, 0]
    True
    """
    q = per_bandwidth
    edge = np.zeros((*sums.shape[:-1], q - 1))
    padded = np.concatenate([edge, sums, edge], axis=-1)
    return np.asarray(acc.box(acc.box(padded, q), q) * (MESH / q**2))


@lru_cache(maxsize=256)
def named(trial: Trial) -> answer.TransferAnswer:
    """Return the answer of the mechanism's own equation."""
    found = answer.calibrated(trial.study, mechanism="analytic", kappa=KAPPA)
    assert isinstance(found, answer.TransferAnswer)
    return found


def plan(trial: Trial) -> Plan:
    """Return the classifier at the bandwidth of the mechanism's own equation.

    Weights are those of (12) with the constants of the mechanism; for sites alike they are
    inverse to the variance.
    """
    h = named(trial).bandwidth or 1.0
    h = min(max(round(h * MESH), 2), MESH) / MESH  # a whole number of cells
    held = truth_of(trial.sites)
    n = drawn(trial.share, held.sizes)
    width = np.array([acc.sensitivity(acc.TRIANGULAR, k, h, 1) for k in n.tolist()])
    noise = (width * trial.multiplier) ** 2
    sample = acc.TRIANGULAR.roughness / (4.0 * n * h)
    weight = 1.0 / (sample + noise)
    u = team_weights(trial, weight)
    sums = np.bincount(
        np.repeat(np.arange(trial.sites.m), held.sizes) * MESH + held.cell,
        held.half,
        trial.sites.m * MESH,
    ).reshape(trial.sites.m, MESH)
    own = sums / held.sizes[:, None]
    q = round(h * MESH)
    alike, each = smoothed((held.sizes / held.sizes.sum()) @ own, q), smoothed(u @ own, q)
    deviation = np.sqrt(u**2 @ (sample + noise))
    quiet = np.sqrt(u**2 @ sample)
    same = np.repeat(alike[None, :], len(u), 0)
    bias = _wrong(held, alike[None, :], np.zeros(1))
    sampled = _wrong(held, same, quiet)
    noisy = _wrong(held, same, deviation)
    return Plan(
        trial=trial,
        resolution=h,
        weight=weight,
        sensitivity=width,
        population=held.sizes,
        starts=held.starts,
        n=n,
        parts=Parts(
            privacy=noisy - sampled,
            sample=sampled - bias,
            bias=bias,
            sites=_wrong(held, each, deviation) - noisy,
            noise=float(np.mean(u**2 @ noise) / np.mean(deviation**2)),
        ),
    )


def _wrong(held: Truth, mean: Array, deviation: Array) -> float:
    """Return the expected excess risk of labels whose statistic is normal."""
    from scipy.special import ndtr

    signed = np.where(held.positive, mean, -mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = signed / deviation[:, None]
    chance = np.where(deviation[:, None] > 0, ndtr(-z), signed < 0)
    return float(np.mean(chance @ held.loss))


def outside(made: Plan) -> str:
    """Return why a resolution lies outside the window; empty if it lies inside."""
    return f"bandwidth above {WIDEST:g}" if made.resolution > WIDEST else ""


def losses(made: Plan, rngs: Iterable[np.random.Generator]) -> Array:
    """Return one excess risk per generator, on the records held out."""
    held = truth_of(made.trial.sites)
    found = (acc.excess_risk(statistic(made, rng), held.loss, held.positive) for rng in rngs)
    return np.fromiter((float(one) for one in found), float)


def statistic(made: Plan, rng: np.random.Generator) -> Array:
    """Return the combined private statistic of one replicate on the mesh."""
    held = truth_of(made.trial.sites)
    chosen, records = made.draw(rng)
    weight, each = made.merged(chosen)
    sums = np.asarray(np.bincount(held.cell[records], held.half[records] * each, MESH), float)
    q = round(made.resolution * MESH)
    return release(
        smoothed(sums, q),
        rng,
        of="kernel statistic",
        who="site",
        sensitivity=made.sensitivity[chosen],
        multiplier=made.trial.multiplier,
        weights=weight,
        # One joint path: noise drawn point by point could be averaged away.
        path=lambda source: acc.triangular_path(source, MESH, q),
    )


def fitted(made: Plan, rng: np.random.Generator) -> Array:
    """Return one estimated chance of label 1 on the mesh.

    Places have density 1, so that the statistic is that chance less one half.
    """
    return np.clip(0.5 + statistic(made, rng), -0.5, 1.5)


def calibrated(trial: Trial) -> float:
    """Return the rate of the named mechanism's own equation."""
    return float(named(trial).rate_uncapped)
