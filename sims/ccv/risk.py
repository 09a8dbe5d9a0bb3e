r"""Exact finite-sample risk of the private regression estimators, and the choice of K by it.

The estimator is linear in independent releases. For weights u_j that add to 1,

.. math:: E\|\hat f - f\|^2 = \|f - P_K g\|^2
    + \sum_j u_j^2 \Big(\frac{V_K}{n_j} + K s_j^2\Big),
    \qquad g(x) = E[[Y]_\tau \mid x],

with V_K = E[[Y]^2 K(X, X)] - ||P_K g||^2; at a point (g's plug-in value - f(x0))^2 takes the place
of the bias, the variance of [Y] K(x0, X) that of V_K, and 2 scale^2 that of K s^2. On the cells of
`sims.ccv.estimator` all of these are finite sums over clipped-normal moments. They depend on
the curves, K and tau alone and are kept, so that a sweep over budgets and K is array arithmetic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from rates import answer
from rates.numbers import CCV_PRINTED, DomainError, Mechanism
from rates.study import FederatedStudy, Server, columns
from sims.ccv import estimator
from sims.ccv.estimator import Plan, Recipe, World
from sims.curves import (
    binned,
    cell_kernel,
    integrals,
    least_dimension,
    point_supremum,
    supremum,
    wavelet_supremum,
)
from sims.engine import Array

Dimensions = tuple[int, ...]
LEAST_RANGE = 64  # of K, which an oracle tries first, one by one


# Servers -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sites:
    """The informative rows of a study as arrays.

    Attributes:
        n: Records of each server.
        count: Servers of each row.
        epsilon: Budgets; inf unprotected.
        noise: Noise over sensitivity: sigma/Delta, or 1/epsilon for Laplace.
    """

    n: Array = field(repr=False)
    count: Array = field(repr=False)
    epsilon: Array = field(repr=False)
    noise: Array = field(repr=False)


def sites_of(servers: tuple[Server, ...], recipe: Recipe, *, pointwise: bool) -> Sites:
    """Return the servers that release something, with the noise that the recipe gives them.

    Raises:
        DomainError: None does, or a private row of the integrated risk lacks delta.
    """
    used = tuple(s for s in servers if s.informative)
    if not used:
        rule = "At least one server must hold records and have epsilon > 0."
        raise DomainError(rule, field="servers", value=len(servers))
    c = columns(used)
    if pointwise:
        noise = 1.0 / c["epsilon"]
    else:
        mechanism: Mechanism = "analytic" if recipe.noise == "analytic" else "printed"
        noise, _ = answer.noise_multipliers(used, mechanism, CCV_PRINTED)
    return Sites(n=c["n"], count=c["count"], epsilon=c["epsilon"], noise=noise)


# Integrals -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """What risk is made of, for every dimension and curve, (D, P).

    Attributes:
        bias: Squared bias, clipping included.
        variance: V_K, of one record's contribution.
        tight: Exact sensitivity times n, in L2 or of the value at the point.
        printed: The paper's constant for it.
    """

    bias: Array = field(repr=False)
    variance: Array = field(repr=False)
    tight: Array = field(repr=False)
    printed: Array = field(repr=False)


@lru_cache(maxsize=16_384)
def _part(world: World, K: int, clip: float) -> tuple[Array, Array, Array, Array]:
    grid = binned(world.basis(K), cells=world.cells)
    f = estimator.targets(world)
    first, second = _moments(world, clip)
    shape = (len(f),)
    if world.pointwise:
        weight = np.stack([cell_kernel(grid, x) for x in world.places])
        mean = np.mean(first * weight, axis=1)
        variance = np.mean(second * weight**2, axis=1) - mean**2
        tight = 2.0 * clip * np.abs(weight).max(axis=1)
        printed = estimator.printed_point_sensitivity(world.moments, K, clip=clip)
        return (mean - estimator.point_values(world)) ** 2, variance, tight, np.full(shape, printed)
    theta, target = np.split(integrals(grid, np.concatenate([first, f])), 2)
    rest = np.mean(f**2, axis=1) - np.sum(target**2, axis=1)
    bias = rest + np.sum((theta - target) ** 2, axis=1)
    variance = np.mean(second * grid.energy, axis=1) - np.sum(theta**2, axis=1)
    tight = np.full(shape, 2.0 * clip * math.sqrt(float(grid.energy.max())))
    printed = estimator.printed_sensitivity(world.moments, K, clip=clip)
    # A difference of two squares of almost equal size may come out below 0.
    return np.maximum(bias, 0.0), variance, tight, np.full(shape, printed)


@lru_cache(maxsize=64)
def _moments(world: World, clip: float) -> tuple[Array, Array]:
    return estimator.clipped_moments(estimator.targets(world), clip)


@lru_cache(maxsize=256)
def parts(world: World, dimensions: Dimensions, clips: tuple[float, ...]) -> Parts:
    """Return the integrals for every dimension with its own threshold; kept.

    >>> from sims.curves.functions import curve
    >>> world = World(curves=(curve("smooth"),))
    >>> bias = parts(world, (4, 8, 16), (9.0, 9.0, 9.0)).bias[:, 0]
    >>> bool((np.diff(bias) < 0).all())
    True
    """
    rows = [_part(world, K, clip) for K, clip in zip(dimensions, clips, strict=True)]
    bias, variance, tight, printed = (np.stack(column) for column in zip(*rows, strict=True))
    return Parts(bias=bias, variance=variance, tight=tight, printed=printed)


def parts_of(world: World, recipe: Recipe, dimensions: Dimensions) -> Parts:
    """Return the integrals at the recipe's thresholds."""
    clips = tuple(recipe.threshold(world, K) for K in dimensions)
    return parts(world, dimensions, clips)


# Weights and risk ----------------------------------------------------------------------------


def site_weights(
    sites: Sites, recipe: Recipe, dimension: Array, noise: Array, variance: Array
) -> Array:
    r"""Return u_j of each server of a row; sum of count_j u_j over the last axis is 1.

    ============== ==============================================================
    printed        (13): min(n^2 eps^2, n 2^L)
    calibrated     (13) with constants: min(n^2 eps^2 / (b K), n / v), v = 1 + C^2
    inverse ...    1 / (V_K / (K n) + s^2): the best for this curve
    equal          1
    sample size    n
    ============== ==============================================================

    Args:
        sites: Rows, (J,).
        recipe: Which weights.
        dimension: K, broadcasts against (..., 1).
        noise: Noise variance K s_j^2 or 2 scale^2, (..., J).
        variance: V_K, broadcasts against (..., 1).

    Source: [CCV] eq. (13).
    """
    n, K = sites.n, dimension
    # A public row without noise has an infinite private weight, and its own sampling weight.
    with np.errstate(divide="ignore"):
        if recipe.weights == "printed":
            w = np.minimum((n * sites.epsilon) ** 2, n * K / 2.0)
        elif recipe.weights == "calibrated":
            w = np.minimum(K / noise, n / (1.0 + estimator.BOUND**2))
        elif recipe.weights == "inverse variance":
            w = K / (variance / n + noise)
        elif recipe.weights == "equal":
            w = np.ones_like(noise)
        else:
            w = np.broadcast_to(n, noise.shape)
    return np.asarray(w / np.sum(sites.count * w, axis=-1, keepdims=True))


def _assemble(
    p: Parts, dimensions: Dimensions, sites: Sites, recipe: Recipe, *, pointwise: bool
) -> tuple[Array, Array, Array]:
    """Return risk (D, P), weights and noise scale of a server, (D, P, J)."""
    K = np.array(dimensions, float)[:, None, None]
    sensitivity = (p.printed if recipe.noise == "printed" else p.tight)[:, :, None]
    scale = sensitivity * sites.noise / sites.n
    noise = (2.0 if pointwise else K) * scale**2
    V = p.variance[:, :, None]
    u = np.broadcast_to(site_weights(sites, recipe, K, noise, V), scale.shape)
    total = np.sum(sites.count * u**2 * (V / sites.n + noise), axis=-1)
    return p.bias + total, u, scale


def risks(world: World, sites: Sites, recipe: Recipe, dimensions: Dimensions) -> Array:
    """Return the exact risk for every dimension, averaged over the curves, (D,).

    Source: the module's formula; [CCV] eqs. (2), (3) for the estimators (12), (15).
    """
    p = parts_of(world, recipe, dimensions)
    total, _, _ = _assemble(p, dimensions, sites, recipe, pointwise=world.pointwise)
    return np.asarray(total.mean(axis=1))


def candidates(world: World, *, most: int = estimator.MOST_DIMENSION) -> Dimensions:
    """Return the dimensions an oracle tries: every one to 64, then steps of 5%.

    >>> from sims.curves.functions import curve
    >>> candidates(World(curves=(curve("smooth"),)), most=5)
    (1, 2, 3, 4, 5)
    """
    least = least_dimension(world.family, world.moments)
    dense = range(least, min(LEAST_RANGE, most) + 1)
    steps = math.ceil(math.log(max(most / LEAST_RANGE, 1.0)) / math.log(1.05))
    wide = np.rint(np.geomspace(LEAST_RANGE, max(most, LEAST_RANGE), steps + 1)).tolist()
    return tuple(sorted({*dense, *(int(K) for K in wide if least <= K <= most)}))


# The level -----------------------------------------------------------------------------------


def effective_smoothness(world: World) -> float:
    """Return g, or refuse a curve on which the rate says nothing.

    Raises:
        DomainError: g is 0, as at a jump.
    """
    if world.exponent <= 0:
        rule = "A curve with a jump has no rate at a point; choose K by the exact risk."
        raise DomainError(rule, field="level", value=world.exponent)
    return world.exponent


def printed_D(world: World, servers: tuple[Server, ...]) -> float:
    """Return D of equation (6) for the world's exponent."""
    c, g = columns(servers), effective_smoothness(world)
    return float(answer.solve_D(c["n"], c["epsilon"], smoothness=g, count=c["count"]))


def printed_dimension(world: World, servers: tuple[Server, ...]) -> int:
    """Return 2^(L+1), L = ceil(log2 D) and at least one level of wavelets, not capped.

    Source: [CCV] Theorems 3.2, 3.4.
    """
    D = printed_D(world, servers)
    coarse = (least_dimension(world.family, world.moments) - 1).bit_length()
    level = answer.resolution_level(math.log(D) if D > 0 else -math.inf)
    return int(2 ** (max(level, coarse) + 1))


@lru_cache(maxsize=64)
def bias_constant(world: World) -> float:
    """Return C of C K^(-2g), the geometric mean of bias^2 K^(2g) over K = 8 to 32, no clipping.

    Where the basis needs more than 8 functions, the mean starts at the fewest that it has.
    """
    ks = tuple(range(max(8, least_dimension(world.family, world.moments)), 33))
    bias = parts(world, ks, (60.0,) * len(ks)).bias.mean(axis=1)
    g = effective_smoothness(world)
    return float(np.exp(np.mean(np.log(np.maximum(bias, 1e-300)) + 2.0 * g * np.log(ks))))


def series_constants(world: World, recipe: Recipe) -> answer.SeriesConstants:
    """Return the constants of the calibrated equation for this basis, noise and curve.

    At the printed threshold, which grows with the level, tau is taken at K = 32.
    """
    K = 32
    basis = world.basis(K)
    if recipe.noise == "printed":
        overlap = (2 * world.moments - 1) * wavelet_supremum(world.moments) ** 2
        spike = overlap / 2.0
    else:
        overlap = supremum(basis) ** 2 / K
        spike = 1.0
        if world.pointwise:
            spike = float(np.mean([point_supremum(basis, x) for x in world.places])) / K
    return answer.SeriesConstants(
        overlap=overlap,
        spike=spike,
        clip=recipe.threshold(world, K),
        variance=1.0 + estimator.BOUND**2,
        bias=bias_constant(world),
    )


def calibrated_D(world: World, servers: tuple[Server, ...], recipe: Recipe) -> float:
    """Return the root of the calibrated equation of `rates.calibrated` for this recipe.

    Raises:
        DomainError: The smoothness is at most 1/2, where [CCV] says nothing.
    """
    g = effective_smoothness(world)
    series = series_constants(world, recipe)
    # At a point the rate loses 1/p of smoothness, here 1/2 at p = 2.
    if world.pointwise:
        study = FederatedStudy(servers=servers, smoothness=g + 0.5, integrability=2.0)
        lens = answer.Lens(risk="pointwise", mechanism="analytic", series=series)
        return answer.solve_curve(study, lens).D
    mechanism: Mechanism = "analytic" if recipe.noise == "analytic" else "printed"
    study = FederatedStudy(servers=servers, smoothness=g)
    return answer.calibrated(study, mechanism=mechanism, series=series).integrated.D


def plan(
    world: World, servers: tuple[Server, ...], recipe: Recipe, *, dimension: int | None = None
) -> Plan:
    """Return the estimator of a recipe, with K, weights, noise and its exact risk.

    Args:
        world: Curves and basis.
        servers: The study's servers; those without records or budget take no part.
        recipe: Noise, weights, level and threshold.
        dimension: K, in place of the recipe's level.

    Raises:
        DomainError: No server releases anything, delta is missing, or K is out of its set.

    Examples:
        >>> from sims.curves.functions import curve
        >>> one = (Server(name="A", n=10_000, epsilon=1, delta=1e-5, count=10),)
        >>> made = plan(World(curves=(curve("fourier"),)), one, Recipe())
        >>> made.dimension, made.exact < 0.02 * made.world.zero
        (24, True)

    Source: [CCV] Theorems 3.2, 3.4.
    """
    sites = sites_of(servers, recipe, pointwise=world.pointwise)
    least = least_dimension(world.family, world.moments)
    wanted = dimension or least
    if dimension is None and recipe.level == "oracle":
        wanted = oracle_dimension(world, sites, recipe)
    elif dimension is None and recipe.level == "printed":
        wanted = printed_dimension(world, servers)
    elif dimension is None:
        root = max(calibrated_D(world, servers, recipe), 1.0)
        # Very many records ask for a K beyond all bounds.
        root = min(root, float(2 * estimator.MOST_DIMENSION))
        wanted = round(root)
    K = max(least, min(wanted, estimator.MOST_DIMENSION))
    p = parts_of(world, recipe, (K,))
    risk, u, scale = _assemble(p, (K,), sites, recipe, pointwise=world.pointwise)
    return Plan(
        world=world,
        dimension=K,
        clip=recipe.threshold(world, K),
        n=sites.n,
        count=sites.count,
        weight=u[0],
        scale=scale[0],
        risk=risk[0],
        bias=p.bias[0],
    )


def oracle_dimension(world: World, sites: Sites, recipe: Recipe) -> int:
    """Return the K of `candidates` with the least exact risk, averaged over the curves.

    The range tried is doubled until the best K lies in its lower half.
    """
    most = LEAST_RANGE
    while True:
        tried = candidates(world, most=most)
        risk = risks(world, sites, recipe, tried)
        best = int(np.argmin(risk))
        if most >= estimator.MOST_DIMENSION or tried[best] <= most / 2:
            return tried[best]
        most *= 2


CLIPS = (1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 3.75, 4.0, 4.5, 5.0, 6.0)


def best_clip(world: World, servers: tuple[Server, ...], recipe: Recipe) -> float:
    """Return the threshold of `CLIPS` with the least exact risk, K chosen anew for each.

    It depends on the curve, so that a real study can only guess it in advance.
    """
    for K in candidates(world, most=LEAST_RANGE):
        for clip in CLIPS:  # a basis serves all thresholds while it is at hand
            _part(world, K, clip)
    made = [plan(world, servers, replace(recipe, clip=c)).exact for c in CLIPS]
    return CLIPS[int(np.argmin(made))]
