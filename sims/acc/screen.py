r"""The classifier on a two-dimensional grid: all weights and bandwidths, and one draw to look at.

Covariates are rounded to M cells per axis, which keeps every guarantee. One table of label
sums then serves all bandwidths, T_h = R_h S R_h' / (n h^2) with fixed rows R_h, and m
exchangeable sources cost as much as one. Noise is one joint path per server and bandwidth.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from sims import engine
from sims.acc import kernel as kernels
from sims.acc.kernel import Group, Kernel
from sims.acc.worlds import World
from sims.engine import Array, midpoints

GRID = 64
CELLS = 128
BANDWIDTHS = tuple(2.0**-k for k in range(1, 8))
Settings = Sequence[tuple["Screen", Sequence["Group"]]]  # of one world, grid and sizes
Sums = Array | tuple[NDArray[np.intp], Array]  # by cell; of few records their cells and labels
Releases = Generator[dict[int, Array], Sequence[int] | None, None]  # by setting, every bandwidth
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

    def curves(self, values: dict[int, Array]) -> Array:
        """Return exact excess risks for all weights of the target, one row per setting drawn.

        Taking the best entry afterwards is tuning on the truth, as the paper's figures do; it
        converges faster than any procedure that sees the data alone.

        Source: [ACC] Section 6.1.1.
        """
        own, other = np.stack(list(values.values()), axis=1)
        return kernels.weight_curve(own, other, self.loss, self.positive)


@lru_cache(maxsize=64)  # of a tenth of a megabyte for every bandwidth
def make_screen(
    world: World,
    kernel: str,
    bandwidths: tuple[float, ...] = BANDWIDTHS,
    grid: int = GRID,
    cells: int = CELLS,
) -> Screen:
    """Return the tables of a two-dimensional world, a kernel and some bandwidths."""
    shape, g = kernels.KERNELS[kernel], midpoints(grid)
    edges = [np.arange(grid + 1) / grid] * 2
    points = np.stack(np.meshgrid(g, g, indexing="ij"), axis=-1)
    loss = np.broadcast_to(world.loss(edges), (grid, grid))
    return Screen(
        world=world,
        kernel=shape,
        bandwidths=bandwidths,
        rows=np.stack([kernels.table(shape, g, midpoints(cells), h) for h in bandwidths]),
        factors=np.stack([kernels.axis_factor(shape, grid, h * grid) for h in bandwidths]),
        loss=np.ascontiguousarray(loss),
        positive=world.signal(points) > 0,
    )


def label_sums(screen: Screen, group: Group, rng: np.random.Generator) -> Array:
    """Draw the sums of Y - 1/2 per cell, exactly, at a cost that stays bounded in n.

    Few records are drawn one by one; many through the multinomial law of the counts.
    """
    # Only the counts per cell and label matter, and those of many records are one draw.
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
    return x, np.where(chance < 0.5 + world.signal(x, group.gamma), 0.5, -0.5)


def _averages(world: World, cells: int, gamma: float) -> Array:
    """Averages of the signal over all cells, also of one that depends on the first axis alone."""
    edges = [np.arange(cells + 1) / cells] * 2
    return np.broadcast_to(world.averages(edges, gamma), (cells, cells))


@lru_cache(maxsize=16)
def _law(world: World, cells: int, gamma: float) -> Array:
    f = _averages(world, cells, gamma)
    return np.stack([0.5 + f, 0.5 - f]).ravel() / cells**2


def release(screen: Screen, groups: Sequence[Group], rng: np.random.Generator) -> Array:
    """Draw one private release per group and bandwidth, shape (groups, H, G, G).

    Source: [ACC] eqs. (7), (9), (10).
    """
    values = [drawn[0] for drawn in releases([(screen, groups)], rng)]
    squares = np.array(screen.bandwidths) ** 2
    return np.asarray(np.stack(values, axis=1) / squares[:, None, None])


def releases(settings: Settings, rng: np.random.Generator) -> Releases:
    """Draw releases in several settings, each as if alone, bandwidth by bandwidth.

    All share covariates, which are drawn first, and white noise. Whoever sends places gets the
    next bandwidth for those settings alone, which saves time and changes no number.

    Args:
        settings: A screen and the groups of servers for each.
        rng: Source of randomness, of which nothing else may be drawn meanwhile.

    Yields:
        By the place of each setting that has so many bandwidths, h^2 times its releases, shape
        (groups, G, G).
    """
    sums = _mean_sums(settings, rng)
    alike = {tuple(group.gamma for group in groups) for _, groups in settings}
    loud = [any(group.multiplier for group in groups) for _, groups in settings]
    wanted: Sequence[int] | None = None
    for i in range(max(len(screen.bandwidths) for screen, _ in settings)):
        there = [s for s, (screen, _) in enumerate(settings) if i < len(screen.bandwidths)]
        # Drawn whether or not it is wanted, so that later bandwidths have the same numbers.
        if any(loud[s] for s in there):
            white = rng.standard_normal((len(settings[0][1]), *settings[0][0].factors[0].shape))
        clean: dict[tuple[str, float], dict[tuple[float, ...], Array]] = {}
        paths: dict[tuple[str, float], Array] = {}
        out = {}
        for s in there if wanted is None else wanted:
            screen, groups = settings[s]
            key, factor = (screen.kernel.name, screen.bandwidths[i]), screen.factors[i]
            if key not in clean:
                every = {pair: _smoothed(screen.rows[i], one) for pair, one in sums.items()}
                clean[key] = {k: np.stack([every[pair] for pair in enumerate(k)]) for k in alike}
            out[s] = clean[key][tuple(group.gamma for group in groups)]
            if loud[s]:
                if key not in paths:
                    paths[key] = factor @ white @ factor.T
                out[s] = noisy(screen.kernel, out[s], groups, paths[key])
        wanted = yield out


def _mean_sums(settings: Settings, rng: np.random.Generator) -> dict[tuple[int, float], Sums]:
    """Draw each group's label sums over its records, once for every signal exponent it has.

    The generator starts anew for every combination of exponents, so that records are the same.
    """
    out: dict[tuple[int, float], Sums] = {}
    screen, start = settings[0][0], rng.bit_generator.state
    alike = {tuple(group.gamma for group in groups): groups for _, groups in settings}
    for groups in alike.values():
        rng.bit_generator.state = start
        for j, group in enumerate(groups):
            if group.records <= FEW:
                x, half = draw_records(screen.world, group, rng)
                out[j, group.gamma] = kernels.cells_of(x, screen.cells), half / group.records
            else:
                out[j, group.gamma] = label_sums(screen, group, rng) / group.records
    return out


def _smoothed(rows: Array, sums: Sums) -> Array:
    """Return rows @ table @ rows.T; of few records the product of their own columns is shorter."""
    if isinstance(sums, tuple):
        places, half = sums
        return np.asarray((rows[:, places[:, 0]] * half) @ rows[:, places[:, 1]].T)
    return np.asarray(rows @ sums @ rows.T)


def noisy(kernel: Kernel, values: Array, groups: Sequence[Group], paths: Array) -> Array:
    """Release h^2 times the mean statistics of groups, with unit paths that are drawn already."""
    # Servers alike pass the gate together, each under a name of its own: one call costs less.
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
    drawn = next(releases(settings, rng))
    return settings[0][0].risks(
        np.tensordot((weight, 1.0 - weight), drawn[s], 1) for s, weight in enumerate(weights)
    )
