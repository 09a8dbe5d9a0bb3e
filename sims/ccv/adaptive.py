"""A heuristic for unknown smoothness: one release of all levels, then the level by Cp.

It is not in the paper and has no proof of optimality; its privacy is that of one Gaussian
release. With sensitivities Delta_l of the levels and shares p_l that add to 1, noise of
sigma_l = (sigma/Delta) Delta_l / sqrt(p_l) has sum_l (Delta_l / sigma_l)^2 = (Delta/sigma)^2, so
that all levels together are (epsilon, delta)-private. The choice looks at the release alone.

The experiment "regression-levels": ways to choose the dimension, known smoothness or not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from rates.study import Server
from sims.ccv import settings
from sims.ccv.estimator import Draw, Level, Plan, Recipe, World, targets
from sims.ccv.rate import ALIKE_SETTINGS
from sims.ccv.risk import sites_of
from sims.curves import binned, decompose, integrals, level_dimensions, level_suprema
from sims.engine import Array, Point, Values, generators, release

FINEST = 256  # dimension of the release


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Adaptive:
    """The release of all levels, ready to be drawn.

    Attributes:
        inner: The data part: weights and records at the finest dimension; its scale is 0.
        sizes: Functions of each level, fathers first.
        sd: Standard deviation of the combined noise of each level.
        width: n times the sensitivity of each level at a server.
        multiplier: Noise of a server of a row over the sensitivity, at every level.
        sampling: Public bound on the sampling variance of a coefficient.
    """

    inner: Plan = field(repr=False)
    sizes: tuple[int, ...]
    sd: tuple[float, ...]
    width: tuple[float, ...]
    multiplier: Array = field(repr=False)
    sampling: float


def adaptive(
    world: World, servers: tuple[Server, ...], recipe: Recipe, *, finest: int = FINEST
) -> Adaptive:
    """Return the release with equal shares of the budget for every level.

    Weights are by inverse variance at the finest level, from public numbers alone.

    Args:
        world: For the integrated risk.
        servers: The study.
        recipe: Its clip and bound; the noise is "tight" or "analytic".
        finest: Dimension of the release, a power of two.
    """
    sites = sites_of(servers, recipe, pointwise=False)
    grid = binned(world.basis(finest), cells=world.cells)
    sizes = level_dimensions(grid.basis)
    clip = recipe.threshold(world, finest)
    width = 2.0 * clip * np.array(level_suprema(grid))  # Delta_l n
    multiplier = sites.noise * math.sqrt(len(sizes))  # every level has the same share
    own = multiplier / sites.n  # sd of a server's noise over ``width``, (J,)
    v = 1.0 + recipe.bound**2
    mean_square = float(np.sum(np.array(sizes) * width**2)) / finest
    w = 1.0 / (v / sites.n + mean_square * own**2)
    u = w / np.sum(sites.count * w)
    inner = Plan(
        world=world,
        dimension=finest,
        clip=clip,
        n=sites.n,
        count=sites.count,
        weight=np.tile(u, (len(world.curves), 1)),
        scale=np.zeros((len(world.curves), len(u))),
        risk=np.full(len(world.curves), math.nan),
        bias=np.full(len(world.curves), math.nan),
    )
    spread = math.sqrt(float(np.sum(sites.count * (u * own) ** 2)))
    return Adaptive(
        inner=inner,
        sizes=sizes,
        sd=tuple((width * spread).tolist()),
        width=tuple(width.tolist()),
        multiplier=multiplier,
        sampling=v * float(np.sum(sites.count * u**2 / sites.n)),
    )


def adaptive_losses(made: Adaptive, rngs: Iterable[np.random.Generator]) -> Array:
    """Return one integrated loss per generator, the level chosen by Cp in each.

    Cp picks the number of levels that minimises the sum over them of -|theta|^2 + 2 variance.
    """
    plan = made.inner
    grid = binned(plan.world.basis(plan.dimension), cells=plan.world.cells)
    f, draw, out = targets(plan.world), Draw(plan), []
    theta = integrals(grid, f)
    truth = decompose(grid.basis, theta)
    for rng in rngs:
        p = int(rng.integers(len(f))) if len(f) > 1 else 0
        clean = decompose(grid.basis, grid.matrix.T @ draw.sums(f[p], p, rng))
        criterion, gain = [], []
        rows = zip(clean, made.sizes, made.sd, made.width, truth, strict=True)
        for level, size, sd, width, true in rows:
            released = release(
                level,
                rng,
                of="coefficients of a level",
                who=p,
                sensitivity=width / plan.n,
                multiplier=made.multiplier,
                servers=plan.count,
                weights=plan.weight[p],
            )
            variance = sd**2 + made.sampling
            criterion.append(float(-released @ released + 2.0 * size * variance))
            gain.append(float(np.sum((released - true[p]) ** 2 - true[p] ** 2)))
        kept = int(np.argmin(np.cumsum(criterion))) + 1
        out.append(float(np.mean(f[p] ** 2)) + sum(gain[:kept]))
    return np.array(out)


RULES: dict[str, tuple[Level, bool]] = {
    "best K": ("oracle", False),
    "best power of two": ("oracle", True),
    "K of the calibrated equation": ("constants", False),
    "K = 2^(L+1) as printed": ("printed", True),
}
HEURISTIC = "unknown smoothness (heuristic)"


def levels_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-levels"; the heuristic has no exact risk."""

    def alike(names: Iterable[str]) -> list[Point]:
        pairs = itertools.product(names, values.numbers("epsilon"))
        return [Point(series=name, x=e, settings=Values(epsilon=e)) for name, e in pairs]

    world, out = settings.smooth_world(values), settings.placed(levels_setup, values, alike(RULES))
    released = not world.pointwise and values["noise"] != "printed"
    return (*out, *alike([HEURISTIC] * released))


def levels_setup(values: Values, point: Point) -> tuple[settings.Servers, Recipe]:
    """Return servers and recipe of a point."""
    level, dyadic = RULES.get(point.series, ("oracle", False))
    recipe = replace(settings.recipe_of(values), level=level, dyadic=dyadic)
    return settings.servers_of(values.changed(**point.settings)), recipe


def levels_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return losses of "regression-levels"."""
    if point.series == HEURISTIC:
        made = adaptive(settings.world_of(values), *levels_setup(values, point))
        return adaptive_losses(made, generators(seed, point.key, indices=indices))
    return settings.sampled(levels_setup, values, point, seed, indices)


LEVELS_EXPERIMENT = settings.experiment(
    name="regression-levels",
    question="How is the number of basis functions chosen, and what if alpha is unknown?",
    help=(
        "The best K, the best power of two, K of the calibrated equation and K as printed. The "
        "last series is a heuristic that is not in the paper: one release with the budget split "
        "evenly over the levels, then the level by Cp. It does not know alpha; most of its price "
        "is the split of the budget."
    ),
    x_label="epsilon of every server",
    parameters=(*ALIKE_SETTINGS, settings.NOISE, settings.THRESHOLD),
    points=levels_points,
    sample=levels_sample,
)
