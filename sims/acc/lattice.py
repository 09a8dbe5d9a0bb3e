r"""The triangular-kernel classifier on the cusp, exact in law at a cost free of n and of m.

Covariates are rounded to cells of width h/q, before anything else, so every guarantee
stands. Then only the number of records per cell and label matters, and that is
multinomial: one draw replaces m n records. The product triangular kernel is a box filter
applied twice, and the joint noise path is the same box filter applied to white noise,

.. math:: T_h + \tilde\xi_h = B\Bigl(\frac{u}{n h^d q^d}\, B S + \frac{s}{q^{d/2}}\, W\Bigr),

with the exact covariance (1 - |l|/q)_+ at lag l along each axis. Away from the boundary
the classifier does not err, so only a window around it is simulated; the risk outside is
below a ten-thousandth of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError
from sims.acc.kernel import TRIANGULAR, Group, excess_risk, sensitivity
from sims.acc.worlds import Cusp
from sims.engine import Array, release

OUTSIDE = 1e-4  # share of the risk that may lie outside the window
FINEST = 2**20  # most cells per axis
MOST = 2**17  # most cells of a window
PER_BANDWIDTH = {1: (16,), 2: (8, 6, 4)}  # cells per bandwidth, the finest that fits
RECORDS = 10**15  # most records of a pool
BATCH = 2**18  # cells of all replicates held at a time


@dataclass(frozen=True, kw_only=True, eq=False)
class Lattice:
    """One classifier on one mesh, with everything a replicate needs.

    Attributes:
        world: The cusp.
        pools: The servers, pooled where exchangeable.
        cells: M, cells per axis of [0, 1].
        per_bandwidth: q, cells per bandwidth.
        start: First cell of axis one at which the label is decided.
        stop: The cell after the last.
        border: Share of the risk that lies within a bandwidth of x_1 = 0 or 1; the rate
            shows only where it is small.
    """

    world: Cusp
    pools: tuple[Group, ...]
    cells: int
    per_bandwidth: int
    start: int
    stop: int
    border: float

    @cached_property
    def loss(self) -> Array:
        """Excess risk of each cell of the window, decided wrongly."""
        edges = (
            np.arange(self.start, self.stop + 1) / self.cells,
            np.arange(self.cells + 1) / self.cells,
        )
        return self.world.loss(edges[: self.world.dimension])

    @cached_property
    def positive(self) -> NDArray[np.bool_]:
        """Where the right label is 1."""
        right = np.arange(self.start, self.stop) >= self.cells // 2
        return np.broadcast_to(right.reshape(-1, *[1] * (self.loss.ndim - 1)), self.loss.shape)

    @property
    def bandwidth(self) -> float:
        """The bandwidth h = q/M."""
        return self.per_bandwidth / self.cells

    @property
    def noise(self) -> float:
        """Standard deviation of the combined noise at a point."""
        h, d = self.bandwidth, self.world.dimension
        return math.sqrt(sum((p.weight * p.noise(h, d)) ** 2 for p in self.pools))

    def scale(self, pool: Group) -> float:
        """What one record with K = 1 and label 1 adds to the statistic, times two."""
        return pool.weight / (pool.records * self.bandwidth**self.world.dimension)


def make_lattice(
    world: Cusp, pools: Callable[[float], tuple[Group, ...]], bandwidth: float, q: int | None = None
) -> Lattice:
    """Choose mesh and window for a bandwidth, which is rounded to q/M with M even.

    Args:
        world: The cusp.
        pools: The rounded bandwidth to the servers.
        bandwidth: h in (0, 1].
        q: Cells per bandwidth; by default `PER_BANDWIDTH`, the finest that fits.

    Raises:
        DomainError: The mesh or a pool is larger than a simulation carries.
    """
    d = world.dimension
    for per in (q,) if q else PER_BANDWIDTH[d]:
        # An even number of cells, so that none lies across the boundary.
        M = max(2 * round(0.5 * per / bandwidth), per)
        if M > FINEST:
            rule = f"The bandwidth must be at least {per / FINEST:.2g} to be simulated."
            raise DomainError(rule, field="bandwidth", value=bandwidth)
        used = tuple(p for p in pools(per / M) if p.weight > 0)
        if (most := max(p.records for p in used)) > RECORDS:
            rule = "A simulation carries at most 1e15 records of one kind."
            raise DomainError(rule, field="n", value=most)
        start, stop, border = _window(world, used, M, per)
        if (stop - start) * M ** (d - 1) <= MOST:
            return Lattice(
                world=world,
                pools=used,
                cells=M,
                per_bandwidth=per,
                start=start,
                stop=stop,
                border=border,
            )
    rule = f"The window around the boundary may have at most {MOST:,} cells."
    raise DomainError(rule, field="bandwidth", value=bandwidth)


def box(a: Array, q: int, axis: int = -1) -> Array:
    """Return sums of q neighbours along an axis, which loses q - 1 entries.

    >>> box(np.arange(5.0), 2)
    array([1., 3., 5., 7.])
    """
    # Differences of running sums cost the same whatever q is.
    c = np.cumsum(np.moveaxis(a, axis, -1), axis=-1)
    out = c[..., q - 1 :].copy()
    out[..., 1:] -= c[..., :-q]
    return np.moveaxis(out, -1, axis)


def triangular_path(rng: np.random.Generator, size: int, per_bandwidth: int) -> Array:
    r"""Draw a path with the covariance of the triangular kernel on a regular grid.

    Sums of q neighbouring white-noise values over sqrt(q) have covariance (1 - |l|/q)_+ at
    lag l exactly, which is (1 - |s-t|/h)_+ for h of q grid steps; the cost is O(size).

    Args:
        rng: Source of randomness.
        size: Grid points.
        per_bandwidth: q, grid steps per bandwidth, at least 1.

    Source: [ACC] eq. (9), with K the triangular kernel.
    """
    white = rng.standard_normal(size + per_bandwidth - 1)
    return box(white, per_bandwidth) / math.sqrt(per_bandwidth)


def signal_padded(lattice: Lattice, gamma: float) -> tuple[Array, slice]:
    """Return cell averages of the signal on the cells that the window can see, and where.

    The slice places those cells on the padded axis, from start - q + 1 on.
    """
    q, M = lattice.per_bandwidth, lattice.cells
    low, high = max(lattice.start - q + 1, 0), min(lattice.stop + q - 1, M)
    edges = [np.arange(low, high + 1) / M] * lattice.world.dimension
    offset = lattice.start - q + 1
    return lattice.world.averages(edges, gamma), slice(low - offset, high - offset)


def probabilities(lattice: Lattice, gamma: float) -> tuple[Array, slice]:
    """Return the law of a record: label 1 per cell, then label 0 per cell, then elsewhere."""
    f, place = signal_padded(lattice, gamma)
    d, M = lattice.world.dimension, lattice.cells
    if d == 2:
        f = np.broadcast_to(f, (f.shape[0], M))
    both = np.stack([0.5 + f, 0.5 - f]).ravel() / M**d
    rest = max(0.0, 1.0 - f.size / M**d)  # rounding may leave it below 0, which is no chance
    return np.append(both, rest), place


def cell_sums(law: Array, records: int, rng: np.random.Generator) -> Array:
    """Draw 2 sum(Y - 1/2) per cell from records with this law: exact, one multinomial."""
    counts = rng.multinomial(records, law)
    half = (law.size - 1) // 2
    return np.asarray(counts[:half] - counts[half:-1], dtype=float)


def statistics(lattice: Lattice, draws: Sequence[np.random.Generator]) -> Array:
    """Draw the combined private statistic on the window, one row per generator."""
    q, d = lattice.per_bandwidth, lattice.world.dimension
    once = tuple(n + q - 1 for n in lattice.loss.shape)  # shape after the first filter
    total = np.zeros((len(draws), *once))
    sums = np.zeros((len(draws), *(n + q - 1 for n in once)))
    for pool in lattice.pools:
        law, place = probabilities(lattice, pool.gamma)
        inner = (place,) if d == 1 else (place, slice(q - 1, q - 1 + lattice.cells))
        room = sums[(slice(None), *inner)]
        for row, rng in zip(room, draws, strict=True):
            row[...] = cell_sums(law, pool.records, rng).reshape(row.shape)
        total += _filter(sums, q, d) * (0.5 * lattice.scale(pool) / q**d)
    released = [
        release(
            row,
            rng,
            of="kernel statistic",
            sensitivity=[sensitivity(TRIANGULAR, p.n, lattice.bandwidth, d) for p in lattice.pools],
            multiplier=[p.multiplier for p in lattice.pools],
            servers=[p.m for p in lattice.pools],
            weights=[p.weight / p.m for p in lattice.pools],
            path=lambda rng: rng.standard_normal(once) / q ** (d / 2),  # the filter makes it joint
        )
        for row, rng in zip(total, draws, strict=True)
    ]
    return _filter(np.stack(released), q, d)


def excess_risks(lattice: Lattice, draws: Iterable[np.random.Generator]) -> Array:
    """Draw one classifier per generator and return its exact excess risk.

    Source: [ACC] eqs. (13), (14).
    """
    # Replicates together save calls; all at once would take too much memory.
    rows = max(1, BATCH // lattice.loss.size)
    generators = list(draws)
    parts = [
        excess_risk(statistics(lattice, generators[k : k + rows]), lattice.loss, lattice.positive)
        for k in range(0, len(generators), rows)
    ]
    return np.concatenate(parts)


@lru_cache(maxsize=4096)  # the same few for every term of a series
def kernel_powers(q: int, power: int) -> Array:
    """Return K^power at the lags -(q-1)/q, ..., (q-1)/q of the triangular kernel."""
    out = (1.0 - np.abs(np.arange(1 - q, q)) / q) ** power
    out.setflags(write=False)
    return np.asarray(out)


def _filter(a: Array, q: int, d: int) -> Array:
    for axis in range(1, d + 1):
        a = box(a, q, axis)
    return a


def _window(world: Cusp, pools: tuple[Group, ...], cells: int, q: int) -> tuple[int, int, float]:
    """Find the cells of axis one outside which at most `OUTSIDE` of the risk lies.

    The third number is the share of the risk within a bandwidth of the border.

    The risk of a cell is taken from the normal law with exact mean and variance.
    """
    from scipy.special import ndtr

    M, d = cells, world.dimension
    edges = np.arange(M + 1) / M
    h, pad = q / M, np.zeros(q - 1)
    mean, variance = np.zeros(M), 0.0
    smooth: dict[float, Array] = {}
    for gamma in {pool.gamma for pool in pools}:
        f = world.averages([edges] * d, gamma).reshape(M)
        smooth[gamma] = box(box(np.concatenate([pad, f, pad]), q), q) / q**2
    for pool in pools:
        mean += pool.weight * smooth[pool.gamma]
        sampling = 0.25 * (2.0 / 3.0 / h) ** d / pool.records
        variance += pool.weight**2 * (sampling + pool.noise(h, d) ** 2)
    side = np.where(edges[:-1] >= 0.5, 1.0, -1.0)
    loss = world.loss([edges, np.array([0.0, 1.0])]).reshape(M)
    risk = loss * ndtr(-side * mean / math.sqrt(variance))
    # Summed from each end by itself: differences from the whole would lose the small tails.
    below, above = np.cumsum(risk), np.cumsum(risk[::-1])
    share = 0.5 * OUTSIDE * below[-1]
    start = int(np.searchsorted(below, share, side="right"))
    stop = M - int(np.searchsorted(above, share, side="right"))
    edge = min(q, M // 2)
    total = float(below[-1])  # 0 where even the logarithm of the risk is out of reach
    border = float(below[edge - 1] + above[edge - 1]) / total if total > 0 else 0.0
    return min(start, M // 2 - 1), max(stop, M // 2 + 1), border  # never without a cell
