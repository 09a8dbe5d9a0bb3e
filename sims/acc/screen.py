r"""The classifier on a two-dimensional grid: all weights and bandwidths, and one draw to look at.

Covariates are rounded to M cells per axis, which keeps every guarantee. One table of label
sums then serves all bandwidths, T_h = R_h S R_h' / (n h^2) with fixed rows R_h, and m
exchangeable sources cost as much as one. Noise is one joint path per server and bandwidth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from sims import engine
from sims.acc import kernel as kernels
from sims.acc.kernel import Group, Kernel, profile
from sims.acc.paths import axis_factor
from sims.acc.risk import Part, negative_probability
from sims.acc.worlds import World
from sims.engine import Array

GRID = 64
CELLS = 128
BANDWIDTHS = tuple(2.0**-k for k in range(1, 8))
Settings = Sequence[tuple["Screen", Sequence["Group"]]]  # of one world, grid and sizes
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
        return np.array(
            [float(kernels.excess_risk(s, self.loss, self.positive)) for s in statistics]
        )


@lru_cache(maxsize=8)
def make_screen(
    world: World,
    kernel: str,
    bandwidths: tuple[float, ...] = BANDWIDTHS,
    grid: int = GRID,
    cells: int = CELLS,
) -> Screen:
    """Return the tables of a two-dimensional world, a kernel and some bandwidths."""
    shape, g = kernels.KERNELS[kernel], kernels.midpoints(grid)
    edges = [np.arange(grid + 1) / grid] * 2
    points = np.stack(np.meshgrid(g, g, indexing="ij"), axis=-1)
    loss = np.broadcast_to(world.loss(edges), (grid, grid))
    return Screen(
        world=world,
        kernel=shape,
        bandwidths=bandwidths,
        rows=np.stack([kernels.table(shape, g, kernels.midpoints(cells), h) for h in bandwidths]),
        factors=np.stack([_factor(kernel, grid, h) for h in bandwidths]),
        loss=np.ascontiguousarray(loss),
        positive=world.signal(points) > 0,
    )


@lru_cache(maxsize=64)
def _factor(kernel: str, grid: int, bandwidth: float) -> Array:
    return axis_factor(partial(profile, kernels.KERNELS[kernel]), grid, bandwidth * grid)


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
    return kernels.tally(x, half_labels, screen.cells)


def draw_records(world: World, group: Group, rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw covariates, shape (records, 2), and labels less one half."""
    x, chance = rng.random((group.records, 2)), rng.random(group.records)
    return x, _half_labels(world, x, chance, group.gamma)


def _half_labels(world: World, x: Array, chance: Array, gamma: float) -> Array:
    return np.where(chance < 0.5 + world.signal(x, gamma), 0.5, -0.5)


@lru_cache(maxsize=16)
def _law(world: World, cells: int, gamma: float) -> Array:
    edges = [np.arange(cells + 1) / cells] * 2
    f = np.broadcast_to(world.averages(edges, gamma), (cells, cells))
    return np.stack([0.5 + f, 0.5 - f]).ravel() / cells**2


def release(screen: Screen, groups: Sequence[Group], rng: np.random.Generator) -> Array:
    """Draw one private release per group and bandwidth, shape (groups, H, G, G).

    Source: [ACC] eqs. (7), (9), (10).
    """
    drawn, squares = Releases([(screen, groups)], rng), np.array(screen.bandwidths) ** 2
    values = [only for i in range(len(squares)) for _, only in drawn.at(i)]
    return np.asarray(np.stack(values, axis=1) / squares[:, None, None])


class Releases:
    """Releases of one replicate in several settings, each as if alone, bandwidth by bandwidth.

    All share covariates, which are drawn first, and white noise.

    Args:
        settings: A screen and the groups of servers for each.
        rng: Source of randomness, of which nothing else may be drawn meanwhile.
    """

    def __init__(self, settings: Settings, rng: np.random.Generator) -> None:
        self._settings, self._rng = settings, rng
        self._exponents = [tuple(group.gamma for group in groups) for _, groups in settings]
        self._clean_at = _statistics(settings, rng)
        self._drawn = 0  # bandwidths of which noise is drawn

    def at(self, i: int, places: Sequence[int] = ()) -> Iterator[tuple[int, Array]]:
        """Draw the releases at one bandwidth, a finer one in every call.

        Args:
            i: Its place; settings on a screen of fewer bandwidths are passed by.
            places: Of the settings that are wanted; all by default.

        Yields:
            The place of a setting, and h^2 times its releases, shape (groups, G, G).
        """
        white: Array | None = None
        clean: dict[tuple[str, float], dict[tuple[float, ...], Array]] = {}
        paths: dict[tuple[str, float], Array] = {}
        for s in places or range(len(self._settings)):
            screen, groups = self._settings[s]
            if i >= len(screen.bandwidths):
                continue
            at = screen.kernel.name, screen.bandwidths[i]
            if at not in clean:
                clean[at] = self._clean_at(screen.rows[i])
            values = clean[at][self._exponents[s]]
            if any(group.multiplier for group in groups):
                factor = screen.factors[i]
                if white is None:
                    white = self._whites(i, len(groups), len(factor))
                if at not in paths:
                    paths[at] = factor @ (white @ factor.T).reshape(-1, *factor.shape)
                values = noisy(screen.kernel, values, groups, paths[at])
            yield s, values

    def _whites(self, i: int, groups: int, grid: int) -> Array:
        """Draw the white noise of one path per group, after that of all larger bandwidths."""
        while self._drawn <= i:
            white = _white(self._rng, groups, grid)
            self._drawn += 1
        return white

    def curves(self, i: int, places: Sequence[int] = (), weights: int = 101) -> Array:
        """Return exact excess risks for all weights of the target, one row per setting wanted.

        Taking the best entry afterwards is tuning on the truth, as the paper's figures do; it
        converges faster than any procedure that sees the data alone.

        Source: [ACC] Section 6.1.1.
        """
        screen, pairs = self._settings[0][0], [values for _, values in self.at(i, places)]
        own, other = np.stack(pairs, axis=1)
        return kernels.weight_curve(own, other, screen.loss, screen.positive, weights=weights)


def _white(rng: np.random.Generator, groups: int, grid: int) -> Array:
    """Draw the white noise of one path per group on the grid."""
    return rng.standard_normal((groups * grid, grid))


Rows = Callable[[Array], dict[tuple[float, ...], Array]]


def _statistics(settings: Settings, rng: np.random.Generator) -> Rows:
    """Draw records; what gives h^2 times the mean statistics from the rows of a bandwidth.

    They have the shape (groups, G, G), and stand under the signal exponents of the groups.
    """
    screen, first = settings[0]
    alike = {tuple(group.gamma for group in groups): groups for _, groups in settings}
    if all(group.records == first[0].records <= FEW for group in first):
        return _by_records(screen, alike, rng)
    start, tables = rng.bit_generator.state, {}
    for groups in alike.values():
        rng.bit_generator.state = start
        for j, group in enumerate(groups):
            tables[j, group.gamma] = label_sums(screen, group, rng) / group.records
    place = {key: u for u, key in enumerate(tables)}
    chosen = {key: [place[pair] for pair in enumerate(key)] for key in alike}
    tall = np.stack(list(tables.values()))

    def at(rows: Array) -> dict[tuple[float, ...], Array]:
        every = (rows @ tall).reshape(-1, rows.shape[1]) @ rows.T
        every = every.reshape(-1, len(rows), len(rows))
        return {key: every[places] for key, places in chosen.items()}

    return at


def _by_records(
    screen: Screen, alike: dict[tuple[float, ...], Sequence[Group]], rng: np.random.Generator
) -> Rows:
    (groups, *_), M = alike.values(), screen.cells
    n = groups[0].records
    drawn = rng.random((len(groups), 3 * n))  # of each group the covariates, then the labels
    x, chance = drawn[:, : 2 * n].reshape(-1, n, 2), drawn[:, 2 * n :]
    place = np.minimum((x * M).astype(np.intp), M - 1)
    halves = {}
    for key in alike:
        runs = [list(run) for _, run in groupby(range(len(key)), key=key.__getitem__)]
        own = [_half_labels(screen.world, x[r], chance[r], key[r[0]]) for r in runs]
        halves[key] = np.concatenate(own)[:, :, None] / n

    def at(rows: Array) -> dict[tuple[float, ...], Array]:
        columns = np.ascontiguousarray(rows.T)
        left, right = columns[place[:, :, 0]], columns[place[:, :, 1]]
        return {key: (left * half).transpose(0, 2, 1) @ right for key, half in halves.items()}

    return at


def noisy(kernel: Kernel, values: Array, groups: Sequence[Group], paths: Array) -> Array:
    """Release h^2 times the mean statistics of groups, with unit paths that are drawn already."""
    out, start = [], 0
    for (n, m, multiplier), run in groupby(groups, lambda g: (g.n, g.m, g.multiplier)):
        stop = start + len(list(run))
        released = engine.release(
            values[start:stop],
            None,
            of="kernel statistic",
            rows=range(start, stop),
            sensitivity=kernels.sensitivity(kernel, n, 1.0, 2),
            multiplier=multiplier,
            servers=m,
            weights=1.0 / m,
            path=paths[start:stop],
        )
        out.append(released)
        start = stop
    return out[0] if len(out) == 1 else np.concatenate(out)


def pair_risks(settings: Settings, weights: Sequence[float], rng: np.random.Generator) -> Array:
    """Return the exact excess risk at one bandwidth and weight of the target in each setting.

    Source: [ACC] eqs. (7)-(10).
    """
    return settings[0][0].risks(
        np.tensordot((weights[s], 1.0 - weights[s]), values, 1)
        for s, values in Releases(settings, rng).at(0)
    )


def screen_risk(
    screen: Screen, index: int, groups: Sequence[Group], weights: Sequence[float]
) -> float:
    """Return the expected excess risk at one bandwidth without simulation; nan if too few.

    Fewer than about one effective record under the kernel, without noise, is too few.
    """
    h = screen.bandwidths[index]
    used = [(g, w) for g, w in zip(groups, weights, strict=True) if w > 0]
    parts, peak = [], screen.kernel.peak
    for group, weight in used:
        scale = weight * peak**2 / (group.records * h * h)  # of a kernel with peak 1
        moment = _moments(screen, index, group.gamma)
        parts.append(Part(records=group.records, scale=scale, moment=moment))
    noise = math.hypot(*(w * g.noise(h, 2, screen.kernel) for g, w in used))
    below = negative_probability(parts, noise).reshape(screen.loss.shape)
    return float((screen.loss * np.where(screen.positive, below, 1.0 - below)).sum())


@lru_cache(maxsize=4)  # all weights and budgets of a request have the same, up to 2 MB
def _moments(screen: Screen, index: int, gamma: float) -> Callable[[int], Array]:
    rows, M = screen.rows[index] / screen.kernel.peak, screen.cells
    edges = [np.arange(M + 1) / M] * 2
    doubled = 2.0 * np.broadcast_to(screen.world.averages(edges, gamma), (M, M)) / M**2

    @cache
    def moment(p: int) -> Array:
        powers = rows**p
        if p % 2:
            return np.asarray(powers @ doubled @ powers.T).ravel()
        mass = powers.sum(axis=1) / M
        return np.asarray(np.multiply.outer(mass, mass)).ravel()

    return moment
