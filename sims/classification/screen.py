r"""The classifier on a two-dimensional grid: all weights and bandwidths, and one draw to look at.

Covariates are rounded to M cells per axis, which keeps every guarantee. One table of label
sums then serves all bandwidths, T_h = R_h S R_h' / (n h^2) with fixed rows R_h, and m
exchangeable sources cost as much as one. Noise is one joint path per server and bandwidth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, delta_of
from sims import engine
from sims.classification.kernel import (
    KERNELS,
    Kernel,
    excess_risk,
    from_cells,
    from_points,
    midpoints,
    profile,
    sensitivity,
    table,
    tally,
    weight_curve,
)
from sims.classification.paths import axis_factor, grid_paths
from sims.classification.risk import Part, negative_probability
from sims.classification.worlds import World
from sims.engine import Array, generator

GRID = 64
CELLS = 128
BANDWIDTHS = tuple(2.0**-k for k in range(1, 8))
Settings = Iterable[Sequence["Group"]]  # of equal sizes; equal signal exponents side by side
FEW = 128  # records up to which sums over them are shorter than sums over cells
CROWDED = 2**16  # records from which counts per cell are drawn in place of records


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Screen:
    """Everything that does not change between replicates.

    Attributes:
        world: A two-dimensional world.
        kernel: K_1.
        bandwidths: The h, H of them.
        rows: K_1((g - c)/h) for grid points g and cells c, shape (H, G, M).
        factors: Of the noise covariance along one axis, shape (H, G, G).
        loss: Excess risk of each cell of the grid, decided wrongly.
        positive: Where the right label is 1.
    """

    world: World
    kernel: Kernel
    bandwidths: tuple[float, ...]
    rows: Array
    factors: Array
    loss: Array
    positive: NDArray[np.bool_]

    @property
    def cells(self) -> int:
        """Cells per axis to which covariates are rounded."""
        return int(self.rows.shape[2])

    def risks(self, statistics: Iterable[Array]) -> Array:
        """Return the exact excess risk of deciding by the sign of each statistic."""
        return np.array([float(excess_risk(s, self.loss, self.positive)) for s in statistics])


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Exchangeable servers: m of them, each with n records and the same noise.

    Attributes:
        n: Records per server.
        m: Number of servers.
        gamma: Their signal exponent.
        multiplier: σ/Δ of each release; 0 without privacy.
    """

    n: int
    m: int = 1
    gamma: float = 1.0
    multiplier: float = 0.0

    @property
    def records(self) -> int:
        """Records of all of them."""
        return self.n * self.m


@lru_cache(maxsize=8)
def make_screen(
    world: World,
    kernel: str,
    bandwidths: tuple[float, ...] = BANDWIDTHS,
    grid: int = GRID,
    cells: int = CELLS,
) -> Screen:
    """Return the tables of a world, a kernel and some bandwidths.

    Raises:
        DomainError: The world is not two-dimensional.
    """
    if world.dimension != 2:
        rule = "The grid is two-dimensional, and the world must be so too."
        raise DomainError(rule, field="world", value=world.dimension)
    shape, g = KERNELS[kernel], midpoints(grid)
    edges = [np.arange(grid + 1) / grid] * 2
    points = np.stack(np.meshgrid(g, g, indexing="ij"), axis=-1)
    loss = np.broadcast_to(world.loss(edges), (grid, grid))
    return Screen(
        world=world,
        kernel=shape,
        bandwidths=bandwidths,
        rows=np.stack([table(shape, g, midpoints(cells), h) for h in bandwidths]),
        factors=np.stack([_factor(kernel, grid, h) for h in bandwidths]),
        loss=np.ascontiguousarray(loss),
        positive=world.signal(points) > 0,
    )


@lru_cache(maxsize=64)
def _factor(kernel: str, grid: int, bandwidth: float) -> Array:
    return axis_factor(partial(profile, KERNELS[kernel]), grid, bandwidth * grid)


def label_sums(screen: Screen, group: Group, rng: np.random.Generator) -> Array:
    """Draw the sums of Y - 1/2 per cell, exactly, at a cost that stays bounded in n.

    Few records are drawn one by one; many through the multinomial law of the counts.
    """
    if group.records > CROWDED:
        counts = rng.multinomial(group.records, _law(screen.world, screen.cells, group.gamma))
        half = counts.size // 2
        differences = 0.5 * (counts[:half] - counts[half:])
        return np.asarray(differences.reshape(screen.cells, screen.cells))
    x, half_labels = draw_records(screen.world, group, rng)
    return tally(x, half_labels, screen.cells)


def draw_records(world: World, group: Group, rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw covariates, shape (records, 2), and labels less one half."""
    x = rng.random((group.records, 2))
    positive = rng.random(group.records) < 0.5 + world.signal(x, group.gamma)
    return x, np.where(positive, 0.5, -0.5)


@lru_cache(maxsize=16)
def _law(world: World, cells: int, gamma: float) -> Array:
    edges = [np.arange(cells + 1) / cells] * 2
    f = np.broadcast_to(world.averages(edges, gamma), (cells, cells))
    return np.stack([0.5 + f, 0.5 - f]).ravel() / cells**2


def release(screen: Screen, groups: Sequence[Group], rng: np.random.Generator) -> Array:
    """Draw one private release per group and bandwidth, shape (groups, H, G, G).

    Source: [ACC] eqs. (7), (9), (10).
    """
    return next(releases(screen, [groups], rng))


def releases(screen: Screen, settings: Settings, rng: np.random.Generator) -> Iterator[Array]:
    """Draw what `release` gives at several signal exponents and budgets, each as if alone.

    All share covariates, which are drawn first, and unit noise.
    """
    start, drawn, paths = rng.bit_generator.state, [math.nan], None
    squares = (np.array(screen.bandwidths) ** 2)[:, None, None]
    for groups in settings:
        if drawn != [group.gamma for group in groups]:
            drawn, rng.bit_generator.state = [group.gamma for group in groups], start
            clean = _statistics(screen, groups, rng)
        out = clean
        if any(group.multiplier for group in groups):
            paths = _paths(screen, len(groups), rng) if paths is None else paths
            out = np.stack(
                [
                    _noisy(screen.kernel, clean[j], groups[j], paths[j], j)
                    for j in range(len(groups))
                ]
            )
        yield np.asarray(out / squares)


def _statistics(screen: Screen, groups: Sequence[Group], rng: np.random.Generator) -> Array:
    """Draw h^2 times the mean statistics of each group, shape (groups, H, G, G)."""
    (H, G, M), J = screen.rows.shape, len(groups)
    if all(group.records == groups[0].records <= FEW for group in groups):
        records = [draw_records(screen.world, group, rng) for group in groups]
        place = np.minimum((np.stack([x for x, _ in records]) * M).astype(np.intp), M - 1)
        half = np.stack([half for _, half in records])[:, :, None, None] / groups[0].records
        columns = np.ascontiguousarray(screen.rows.transpose(2, 0, 1))  # (M, H, G)
        left, right = columns[place[:, :, 0]] * half, columns[place[:, :, 1]]
        return np.asarray(left.transpose(0, 2, 3, 1) @ right.transpose(0, 2, 1, 3))
    scaled = [label_sums(screen, group, rng) / group.records for group in groups]
    inner = screen.rows.reshape(H * G, M) @ np.concatenate(scaled, axis=1)
    inner = inner.reshape(H, G, J, M).transpose(0, 2, 1, 3).reshape(H, J * G, M)
    out = (inner @ screen.rows.transpose(0, 2, 1)).reshape(H, J, G, G)
    return np.asarray(out.transpose(1, 0, 2, 3))


def _noisy(kernel: Kernel, value: Array, group: Group, path: Array, who: int) -> Array:
    """Release h^2 times the mean statistic of a group, at one or more bandwidths."""
    return engine.release(
        value,
        np.random.default_rng(0),  # not used: the path is drawn
        of="kernel statistic",
        who=who,
        sensitivity=sensitivity(kernel, group.n, 1.0, 2),
        multiplier=group.multiplier,
        servers=group.m,
        weights=1.0 / group.m,
        times=len(value) if value.ndim > 2 else 1,
        path=lambda _: path,
    )


def _paths(screen: Screen, groups: int, rng: np.random.Generator) -> Array:
    """Draw one unit path per group and bandwidth, shape (groups, H, G, G)."""
    H, G, _ = screen.rows.shape
    white = rng.standard_normal((H, groups * G, G)) @ screen.factors.transpose(0, 2, 1)
    joint = screen.factors[:, None] @ white.reshape(H, groups, G, G)
    return np.asarray(joint.transpose(1, 0, 2, 3))


def _unit_noise(kernel: Kernel, group: Group) -> float:
    """Factor of a path with covariance K in h^2 times the mean release of a group."""
    return group.multiplier * kernel.peak / (group.n * math.sqrt(group.m))


def tune_once(
    screen: Screen, settings: Settings, rng: np.random.Generator, weights: int = 101
) -> list[Array]:
    """Return exact excess risks per bandwidth and weight of the target, for each of `releases`.

    Taking the best entry afterwards is tuning on the truth, as the paper's figures do; it
    converges faster than any procedure that sees the data alone.

    Source: [ACC] Section 6.1.1.
    """
    return [
        weight_curve(own, other, screen.loss, screen.positive, weights=weights)
        for own, other in releases(screen, settings, rng)
    ]


def screen_risk(
    screen: Screen, index: int, groups: Sequence[Group], weights: Sequence[float]
) -> float:
    """Return the expected excess risk at one bandwidth without simulation; nan if too few.

    Fewer than about one effective record under the kernel, without noise, is too few.
    """
    h, rows, M = screen.bandwidths[index], screen.rows[index], screen.cells
    edges = [np.arange(M + 1) / M] * 2
    used = [(g, w) for g, w in zip(groups, weights, strict=True) if w > 0]
    parts, peak = [], screen.kernel.peak
    for group, weight in used:
        f = np.broadcast_to(screen.world.averages(edges, group.gamma), (M, M))
        scale = weight * peak**2 / (group.records * h * h)  # of a kernel with peak 1
        moment = _moment(rows / peak, 2.0 * f / M**2)
        parts.append(Part(records=group.records, scale=scale, moment=moment))
    noise = math.hypot(*(w * _unit_noise(screen.kernel, g) * peak / h**2 for g, w in used))
    below = negative_probability(parts, noise).reshape(screen.loss.shape)
    return float((screen.loss * np.where(screen.positive, below, 1.0 - below)).sum())


def _moment(rows: Array, doubled: Array) -> Callable[[int], Array]:
    M = rows.shape[1]

    def moment(p: int) -> Array:
        powers = rows**p
        if p % 2:
            return np.asarray(powers @ doubled @ powers.T).ravel()
        mass = powers.sum(axis=1) / M
        return np.asarray(np.multiply.outer(mass, mass)).ravel()

    return moment


# One draw, to look at -------------------------------------------------------------------------

Noise = Literal["joint", "independent"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draw:
    """Data and unit noise of one draw; a change of budget only rescales the noise.

    Attributes:
        screen: Grid, loss and right labels, with one bandwidth.
        statistics: T_h of target and sources before noise, shape (2, G, G).
        joint: Unit paths with the kernel's covariance, shape (2, G, G).
        independent: Unit noise drawn at each point by itself, same variance.
        groups: Target and sources; their multipliers are not used.
    """

    screen: Screen
    statistics: Array
    joint: Array
    independent: Array
    groups: tuple[Group, Group]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """Decision regions of one draw before and after noise.

    Attributes:
        right: Labels of the Bayes classifier, 1 where True, shape (G, G).
        before: Labels without noise.
        after: Labels of the release.
        accuracy_right: Accuracy of the Bayes classifier.
        accuracy_before: Accuracy without noise, exact.
        accuracy_after: Accuracy of the release, exact.
        signal: Combined statistic before noise.
        released: Combined statistic after noise.
        inflation: True Euclidean sensitivity of the released vector over the one that the
            noise was made for; 1 for a joint path.
        actual_delta: The δ that really holds at the target's ε; nan without privacy.
    """

    right: NDArray[np.bool_]
    before: NDArray[np.bool_]
    after: NDArray[np.bool_]
    accuracy_right: float
    accuracy_before: float
    accuracy_after: float
    signal: Array
    released: Array
    inflation: float
    actual_delta: float


def draw_once(
    world: World, kernel: str, bandwidth: float, target: Group, sources: Group, seed: int
) -> Draw:
    """Draw data and unit noise paths; the data depend on the seed and the sizes alone.

    Up to 65,536 records, statistics are those of the records; beyond, of rounded ones.
    """
    screen = make_screen(world, kernel, (bandwidth,))
    g = midpoints(len(screen.loss))
    statistics = []
    for name, group in (("target", target), ("sources", sources)):
        rng = generator(seed, "picture", name)
        if group.records > CROWDED:
            sums, rows = label_sums(screen, group, rng), screen.rows[0]
            statistics.append(from_cells(sums, group.records, bandwidth, rows))
        else:
            x, half = draw_records(world, group, rng)
            statistics.append(
                from_points(x, half, grid=g, bandwidth=bandwidth, kernel=screen.kernel)
            )
    paths = grid_paths(generator(seed, "picture", "joint"), [screen.factors[0]] * 2, copies=2)
    white = generator(seed, "picture", "independent").standard_normal(paths.shape)
    return Draw(
        screen=screen,
        statistics=np.stack(statistics),
        joint=paths,
        independent=screen.kernel.peak * white,
        groups=(target, sources),
    )


def picture(
    draw: Draw,
    *,
    weight: float,
    multipliers: tuple[float, float],
    epsilon: float = math.inf,
    noise: Noise = "joint",
) -> Picture:
    """Return the decision regions of a draw under noise of some size.

    Args:
        draw: Data and unit noise.
        weight: Weight of the target, in [0, 1].
        multipliers: σ/Δ of the target's and of each source's release.
        epsilon: The target's budget, for `Picture.actual_delta`.
        noise: "joint", or "independent" at each point, which is not private at this scale.
    """
    screen, h = draw.screen, draw.screen.bandwidths[0]
    shares = np.array([weight, 1.0 - weight])
    paths = draw.joint if noise == "joint" else draw.independent
    signal = np.tensordot(shares, draw.statistics, 1)
    noisy = [
        _noisy(screen.kernel, h**2 * draw.statistics[j], replace(group, multiplier=m), paths[j], j)
        for j, (group, m) in enumerate(zip(draw.groups, multipliers, strict=True))
    ]
    released = np.tensordot(shares, np.stack(noisy) / h**2, 1)
    bayes = 1.0 - screen.world.bayes_risk
    risks = excess_risk(np.stack([signal, released]), screen.loss, screen.positive)
    inflation = 1.0 if noise == "joint" else sensitivity_inflation(screen.kernel, h, len(paths[0]))
    return Picture(
        right=screen.positive,
        before=signal >= 0,
        after=released >= 0,
        accuracy_right=bayes,
        accuracy_before=bayes - float(risks[0]),
        accuracy_after=bayes - float(risks[1]),
        signal=signal,
        released=released,
        inflation=inflation,
        actual_delta=float(delta_of(multipliers[0] / inflation, epsilon))
        if multipliers[0] > 0 and math.isfinite(epsilon)
        else math.nan,
    )


def sensitivity_inflation(kernel: Kernel, bandwidth: float, grid: int = GRID) -> float:
    r"""Return by how much noise drawn at each grid point by itself falls short.

    Its standard deviation is made for a change of c_K/(n h^2). One flipped label at x moves
    the released vector by the Euclidean norm of K((x - g)/h)/(n h^2) over all grid points g;
    the largest over x, divided by c_K, is

    .. math:: \max_{x} \prod_k \sqrt{\textstyle\sum_g K_1((x_k-g)/h)^2} \big/ K_1(0).

    >>> round(sensitivity_inflation(KERNELS["gaussian"], 0.5), 1)
    47.8

    Source: [ACC] eqs. (8), (9), read at finitely many points.
    """
    g = midpoints(grid)
    x = np.linspace(0.0, 1.0, 8 * grid + 1)  # grid points, their middles and between
    norms = np.sqrt((table(kernel, x, g, bandwidth) ** 2).sum(axis=1))
    return float((norms.max() / kernel.peak) ** 2)
