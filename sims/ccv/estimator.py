r"""Private federated regression on [0, 1]: the estimators of [CCV] Section 3, simulated.

A server clips its responses, projects them on K wavelets and releases the coefficients with
Gaussian noise (12), or the plug-in value at one point with Laplace noise (15), (16). The
releases are combined with public weights (13). `sims.ccv.risk` picks K and the weights,
makes a `Plan` with its exact risk, and ``replicates(plan, rngs)`` draws that very estimator.

The world is discrete: X is uniform on Q cells, Y = f^Q(X) + N(0, 1) with f^Q the cell means of f,
and the integrated loss is measured against f^Q; the loss at a point against f(x0) itself. This
makes the risk a finite sum, so that simulated points lie on the exact curve at every N.

Up to `LIVE` records are drawn one by one. Larger rows draw each cell's sum of clipped responses
from the normal law with its mean and variance: both kinds of loss are quadratic, so that their
expectations stay exact.

Dimension and level: the paper's levels up to L span K = 2^(L+1) functions, and 2^L is K/2 here
for every whole K.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rates.numbers import Parameter
from sims import curves
from sims.curves import CELLS, Basis, Curve, Family
from sims.engine import Array, release

Noise = Literal["printed", "tight", "analytic"]
NOISES: tuple[Noise, ...] = get_args(Noise)
Weighting = Literal["printed", "calibrated", "inverse variance", "equal", "sample size"]
WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)
Level = Literal["oracle", "constants", "printed"]
LEVELS: tuple[Level, ...] = get_args(Level)

LIVE = 10**6  # records drawn one by one; beyond, cell sums from their normal law
MOST_DIMENSION = 2048  # ours: a quarter of the cells
BOUND = 1.0  # C, a public bound on the curve; 1 + C^2 is that on a record's variance
PRIVACY = (
    "Each server makes one release: Gaussian noise on all coefficients together, or Laplace noise "
    "(delta = 0) on the value at a point. Responses are clipped first, at a public threshold. The "
    "release is (epsilon, delta)-differentially private under replacement of one of the server's "
    'records, with two exceptions. Gaussian noise "printed" and "tight" has the multiplier '
    "sqrt(4 log(2/delta))/epsilon, which suffices for epsilon up to 2.3 log(2/delta) (28 at delta "
    "= 1e-5); at much larger budgets the delta that really holds is larger than the one asked for. "
    'Noise "printed" at a point has the constant of Lemma 3.3 as printed, which in the Haar basis '
    "gives twice the epsilon, and in the boundary basis at the point 0 with 4, 5 or 6 moments up "
    "to 1.18, 1.37 or 1.73 times the epsilon. Floating-point noise as used here is for simulation, "
    "not for release."
)
CLIP = Parameter(
    "clip",
    "τ",
    "[0, 1e6]",
    rule="The clipping threshold must be >= 0 (0 is the paper's own rule).",
    limit_rule="The clipping threshold must be at most 1e6.",
    help="Responses are clipped to [-tau, tau] before anything else. It must be public, not taken "
    "from the data. 0 means C + sqrt((2 alpha + 1) L), as printed, with C = 1.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One or several true curves, over which risk is averaged, and a family of bases.

    Attributes:
        curves: The curves; a replicate of the integrated loss draws one of them at random, one of
            the loss at a point averages over all.
        places: One point per curve where the error is measured; empty for the integrated risk.
        family: "haar", "periodic" or "boundary".
        moments: Vanishing moments N.
        cells: Q, cells on which the design lives.

    """

    curves: tuple[Curve, ...]
    places: tuple[float, ...] = ()
    family: Family = "periodic"
    moments: int = 2
    cells: int = CELLS

    @property
    def pointwise(self) -> bool:
        """Whether the error at a point is meant."""
        return bool(self.places)

    @property
    def smoothness(self) -> float:
        """alpha, at most the number of vanishing moments, beyond which a basis gains nothing."""
        return min(*(c.smoothness for c in self.curves), float(self.moments))

    @property
    def exponent(self) -> float:
        """Exponent g of the rate D^(-2g): alpha, or the pointwise exponent nu."""
        if not self.pointwise:
            return self.smoothness
        return min(*(c.pointwise for c in self.curves), float(self.moments))

    def basis(self, dimension: int) -> Basis:
        """Return the basis with K functions."""
        return Basis(family=self.family, moments=self.moments, dimension=dimension)

    @property
    def zero(self) -> float:
        """Squared norm of f, averaged over the curves: the integrated risk of the estimate 0.

        It is the yardstick at a point as well, where the curve may happen to be 0.
        """
        return float(np.mean(targets(self) ** 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a study's servers release and how the releases are put together.

    Attributes:
        noise: "printed" (sensitivity and multiplier of the paper), "tight" (exact sensitivity,
            multiplier sqrt(4 log(2/delta))/epsilon as printed), "analytic" (both exact). At a
            point: Laplace with Lemma 3.3's constant as printed, or exact for the other two.
        weights: One of `WEIGHTINGS`. "inverse variance" knows the variance of a record.
        level: K as printed, with constants, or the minimiser of the exact risk.
        clip: tau; 0 is C + sqrt((2 alpha + 1) L) as printed.

    >>> Recipe(noise="tight").clip
    4.0
    """

    noise: Noise = "analytic"
    weights: Weighting = "inverse variance"
    level: Level = "oracle"
    clip: float = 4.0

    def threshold(self, world: World, dimension: int) -> float:
        """Return tau, as set or as printed for this dimension."""
        if self.clip > 0:
            return self.clip
        level = max(math.log2(dimension) - 1.0, 0.0)
        return BOUND + math.sqrt((2.0 * world.smoothness + 1.0) * level)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """One estimator, ready to be drawn, with its exact risk.

    Attributes:
        world: Curves and basis.
        dimension: K.
        clip: tau.
        n: Records of each server of a row, (J,).
        count: Servers of each row, (J,).
        weight: u_j of each server of a row, per curve, (P, J); sum of count u_j is 1.
        scale: Noise of each server: standard deviation per coefficient, or scale of the Laplace
            law, per curve, (P, J).
        risk: Exact risk, per curve, (P,).
        bias: The part of it that is squared bias, clipping included, per curve, (P,).
    """

    world: World
    dimension: int
    clip: float
    n: Array = field(repr=False)
    count: Array = field(repr=False)
    weight: Array = field(repr=False)
    scale: Array = field(repr=False)
    risk: Array = field(repr=False)
    bias: Array = field(repr=False)

    @property
    def exact(self) -> float:
        """Exact risk, averaged over the curves."""
        return float(self.risk.mean())

    @property
    def privacy(self) -> Array:
        """The part of the risk that is privacy noise, per curve, (P,)."""
        each = (2.0 if self.world.pointwise else self.dimension) * self.scale**2
        return np.asarray((self.count * self.weight**2 * each).sum(axis=-1))

    @property
    def miss(self) -> float:
        """Root of the exact risk: how far the estimate is from the truth, root mean square."""
        return math.sqrt(self.exact)

    @property
    def flat(self) -> float:
        """How far the estimate 0 is from the truth, likewise."""
        return math.sqrt(self.world.zero)

    @property
    def causes(self) -> dict[str, float]:
        """What the exact risk consists of: privacy noise, sampling and squared bias."""
        privacy, bias = float(self.privacy.mean()), float(self.bias.mean())
        return {"privacy": privacy, "sample": self.exact - privacy - bias, "bias": bias}

    @property
    def cause(self) -> str:
        """The largest of them."""
        return max(self.causes.items(), key=lambda part: part[1])[0]


# Constants as printed ------------------------------------------------------------------------


def printed_sensitivity(moments: int, dimension: int, *, clip: float) -> float:
    r"""Return n times the L2 sensitivity of Lemma 3.1, c_psi tau sqrt(2^L).

    .. math:: c_\psi = 2\sqrt2 \sqrt{c_A}\, \|\psi\|_\infty, \quad c_A = 2N - 1

    >>> round(printed_sensitivity(1, 16, clip=3.0), 9)  # Haar: exact
    24.0

    Source: [CCV] Lemma 3.1.
    """
    c = 2.0 * math.sqrt(2.0 * (2 * moments - 1)) * curves.wavelet_supremum(moments)
    return c * clip * math.sqrt(dimension / 2.0)


def printed_point_sensitivity(moments: int, dimension: int, *, clip: float) -> float:
    r"""Return n times the sensitivity of Lemma 3.3, c' tau 2^L with c' = 2 c_A |psi|^2.

    The proof gives the factor 4. With the printed 2, two opposite responses in the Haar basis
    move the value by twice the bound, and the Laplace noise gives 2 epsilon.

    >>> printed_point_sensitivity(1, 32, clip=1.0)
    32.0

    Source: [CCV] Lemma 3.3, eq. (16); our reading has 4 in place of 2.
    """
    return 2.0 * (2 * moments - 1) * curves.wavelet_supremum(moments) ** 2 * clip * dimension / 2.0


# Truth and moments ---------------------------------------------------------------------------


def clipped_moments(mean: Array, clip: float) -> tuple[Array, Array]:
    r"""Return E[Y]_tau and E[Y]_tau^2 for Y ~ N(mean, 1).

    >>> first, second = clipped_moments(np.array([0.0]), 50.0)
    >>> first.tolist(), second.tolist()
    ([0.0], [1.0])
    """
    from scipy.special import ndtr

    low, high = -clip - mean, clip - mean
    below, above = ndtr(low), ndtr(-high)
    inside = 1.0 - below - above
    # Integrals of y and y² against a normal density end in the density at both ends.
    d_low, d_high = (np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) for z in (low, high))
    first = clip * (above - below) + mean * inside + d_low - d_high
    second = clip**2 * (above + below) + (mean**2 + 1.0) * inside
    second += 2.0 * mean * (d_low - d_high) + low * d_low - high * d_high
    return first, second


def exact_sensitivity(plan: Plan) -> Array:
    """Return the exact sensitivity times n of a server's statistic, per curve, (P,).

    The largest change is a maximum over the cells of the two opposite clipped responses there.
    """
    world = plan.world
    grid = curves.binned(world.basis(plan.dimension), cells=world.cells)
    if world.pointwise:
        spikes = [np.abs(curves.cell_kernel(grid, x)).max() for x in world.places]
        return 2.0 * plan.clip * np.array(spikes)
    # Two opposite responses in the cell of most energy: no pair moves the statistic further.
    norm = math.sqrt(float(grid.energy.max()))
    return np.full(len(world.curves), 2.0 * plan.clip * norm)


@lru_cache(maxsize=32)
def targets(world: World) -> Array:
    """Return the cell means of the curves, (P, Q)."""
    return np.stack([curves.curve_means(c, world.cells) for c in world.curves])


@lru_cache(maxsize=32)
def point_values(world: World) -> Array:
    """Return each curve's value at its own place, (P,)."""
    pairs = zip(world.curves, world.places, strict=True)
    return np.array([float(c.values([x])[0]) for c, x in pairs])


# Replicates ----------------------------------------------------------------------------------


def replicates(plan: Plan, rngs: Iterable[np.random.Generator]) -> Array:
    """Return one loss per generator: the estimator of the plan, drawn afresh.

    The law is that of m servers with their own noise; only their sums are needed, and a sum of
    ``count`` Laplace variables is a difference of two Gamma variables.
    """
    world, grid = (
        plan.world,
        curves.binned(plan.world.basis(plan.dimension), cells=plan.world.cells),
    )
    f = targets(world)
    projections = curves.integrals(grid, f)
    draw, width = Draw(plan.clip, plan.n, plan.count), exact_sensitivity(plan)
    if world.pointwise:
        kernels = np.stack([curves.cell_kernel(grid, x) for x in world.places])
        return np.array([_point_loss(plan, draw, kernels, width, rng) for rng in rngs])
    out = []
    for rng in rngs:
        p = int(rng.integers(len(f))) if len(f) > 1 else 0
        sums = draw.sums(f[p], plan.weight[p], rng)
        theta = noisy(plan, grid.matrix.T @ sums, p, width[p], rng)
        # What K functions cannot show of the curve is known, so that it is not simulated.
        rest = float(np.mean(f[p] ** 2) - projections[p] @ projections[p])
        out.append(rest + float(np.sum((theta - projections[p]) ** 2)))
    return np.array(out)


def noisy(plan: Plan, value: Array, p: int, width: float, rng: np.random.Generator) -> Array:
    """Release the weighted sum of the servers' statistics of curve p.

    Args:
        plan: Weights and noise of the servers.
        value: The sum before noise: coefficients, or the value at the curve's place.
        p: Which curve.
        width: n times the sensitivity of a server's statistic, from `exact_sensitivity`.
        rng: Source of the noise.
    """
    own = width / plan.n
    return release(
        value,
        rng,
        of="curve",
        who=p,
        law="Laplace" if plan.world.pointwise else "Gaussian",
        sensitivity=own,
        multiplier=plan.scale[p] / own,
        servers=plan.count,
        weights=plan.weight[p],
    )


def _point_loss(
    plan: Plan, draw: Draw, kernels: Array, width: Array, rng: np.random.Generator
) -> float:
    """Return the squared error, averaged over the places: one alone is too skewed to average."""
    f, truth, total = targets(plan.world), point_values(plan.world), 0.0
    for p, weights in enumerate(kernels):
        released = noisy(plan, draw.sums(f[p], plan.weight[p], rng) @ weights, p, width[p], rng)
        total += float(released - truth[p]) ** 2
    return total / len(kernels)


class Draw:
    """Weighted sums of clipped responses per cell; what does not change between replicates."""

    def __init__(self, clip: float, n: Array, count: Array) -> None:
        self.clip, self.n = clip, n
        records = np.rint(n * count).astype(np.int64)  # more than memory can index
        # The smallest rows are drawn record by record; they would be the worst as normal sums.
        order = np.argsort(records, kind="stable")
        live = np.zeros(len(records), bool)
        live[order] = np.cumsum(records[order]) <= LIVE
        self.records, self.live = records, live

    def sums(self, f: Array, weight: Array, rng: np.random.Generator) -> Array:
        """Return sum_j (u_j / n_j) sum_i [Y_i] over the records of each cell, (Q,)."""
        factor = weight / self.n
        total = np.zeros(len(f))
        if self.live.any():
            cell, y = responses(f, self.clip, int(self.records[self.live].sum()), rng)
            each = factor[self.live]
            if np.ptp(each) <= 1e-15 * factor.max():  # servers alike need no product per record
                total += each[0] * np.bincount(cell, y, minlength=len(f))
            else:
                y *= np.repeat(each, self.records[self.live].astype(np.intp))
                total += np.bincount(cell, y, minlength=len(f))
        for j in np.flatnonzero(~self.live):
            total += factor[j] * pooled(f, self.clip, int(self.records[j]), rng)
        return total


def responses(
    f: Array, clip: float, records: int, rng: np.random.Generator
) -> tuple[NDArray[np.int32], Array]:
    """Return cells and clipped responses of records, drawn one by one."""
    cell = rng.integers(0, len(f), records, dtype=np.int32)
    y = f[cell]
    y += rng.standard_normal(records)
    return cell, np.clip(y, -clip, clip, out=y)


def pooled(f: Array, clip: float, records: int, rng: np.random.Generator) -> Array:
    """Return the sums of clipped responses per cell, each from its normal law."""
    first, second = clipped_moments(f, clip)
    # How many fall into a cell is drawn; their sum is then nearly normal.
    held = rng.multinomial(records, np.full(len(f), 1.0 / len(f)))
    sd = np.sqrt(held * np.maximum(second - first**2, 0.0))
    return np.asarray(held * first + sd * rng.standard_normal(len(f)))
