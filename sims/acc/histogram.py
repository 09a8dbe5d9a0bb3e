r"""The private histogram classifier DT-HIST of [ACC] Section 6.1, with exact risks.

The paper names it a variant of Berrett and Butucea's method and does not define it. Here each
server releases one noisy vector of signed bin sums,

.. math:: S_k = \sum_i (Y_i - 1/2)\, 1\{X_i \in \text{bin}_k\},

and the label of a bin is the sign of w S_k/n of the target plus (1 - w) times the mean of the
sources'. A label that flips changes one entry by 1; a record that moves changes two entries by
1/2 each. So the sensitivity is 1 in the Euclidean norm and in the sum of absolute changes.

Bins start at 0 ("aligned") or at -h/2 ("shifted"). With dyadic h the aligned ones have the middle
lines of the paper's design among their edges, and four bins are the Bayes classifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sims.acc.kernel import Group, cells_of, excess_risk, weight_curve
from sims.acc.screen import Releases, draw_records
from sims.acc.worlds import World
from sims.engine import Array, Law, midpoints, release, unit_noise

BINS = {
    "aligned": "bins from 0: the middle lines are edges of bins",
    "shifted": "bins from -h/2: the middle lines halve bins",
}
Setting = tuple[Group, ...]  # target and sources
SENSITIVITY = 1.0  # in both norms, under replacement of one record


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Histogram:
    """Bins of one width on the unit square, and what deciding them wrongly costs.

    Attributes:
        world: A two-dimensional world.
        width: h, a power of 1/2.
        shifted: Whether bins start at -h/2.
        base: Excess risk that no labelling of the bins avoids.
        loss: Further excess risk of each bin under its worse label, shape (B, B).
        positive: Where the better label of the bin is 1.
    """

    world: World
    width: float
    shifted: bool
    base: float
    loss: Array
    positive: NDArray[np.bool_]

    def curves(self, values: dict[int, Array]) -> Array:
        """Return exact excess risks for all weights of the target, one row per setting drawn.

        Source: [ACC] Section 6.1.1, DT-HIST, in our reading.
        """
        own, other = np.stack(list(values.values()), axis=1)
        return self.base + weight_curve(own, other, self.loss, self.positive)


@lru_cache(maxsize=32)
def make_histogram(world: World, width: float, shifted: bool = False) -> Histogram:
    """Return the bins of one width with their exact losses.

    Args:
        world: A two-dimensional world.
        width: h = 2^-k with k from 0 to 9.
        shifted: Whether bins start at -h/2.

    >>> from sims.acc.worlds import Quadrants
    >>> four = make_histogram(Quadrants(), 0.5)
    >>> four.base, four.positive.tolist()
    (0.0, [[True, False], [False, True]])
    """
    # Of half bins both alignments can be put together without another integral.
    half = 2 * max(1, round(1.0 / width))  # half bins per axis; none lies across a middle line
    edges = [np.arange(half + 1) / half] * 2
    centres = midpoints(half)
    points = np.stack(np.meshgrid(centres, centres, indexing="ij"), axis=-1)
    loss = np.broadcast_to(world.loss(edges), (half, half))
    right = world.signal(points) > 0
    ones, zeros = (gather(np.where(side, loss, 0.0), 2, shifted) for side in (right, ~right))
    return Histogram(
        world=world,
        width=width,
        shifted=shifted,
        base=float(np.minimum(ones, zeros).sum()),
        loss=np.abs(ones - zeros),
        positive=ones > zeros,
    )


def gather(cells: Array, per_bin: int, shifted: bool) -> Array:
    """Return sums of square blocks of cells; shifted blocks start half a block before 0.

    >>> gather(np.ones((4, 4)), 2, False).tolist(), gather(np.ones((4, 4)), 2, True)[0].tolist()
    ([[4.0, 4.0], [4.0, 4.0]], [1.0, 2.0, 1.0])
    """
    if shifted:
        cells = np.pad(cells, per_bin // 2)
    blocks = len(cells) // per_bin
    return np.asarray(cells.reshape(blocks, per_bin, blocks, per_bin).sum(axis=(1, 3)))


def bin_sums(histogram: Histogram, x: Array, half: Array) -> Array:
    """Return the sums of Y - 1/2 per bin, shape (B, B).

    >>> from sims.acc.worlds import Quadrants
    >>> x, half = np.array([[0.1, 0.1], [0.2, 0.9]]), np.array([0.5, -0.5])
    >>> bin_sums(make_histogram(Quadrants(), 0.5), x, half).tolist()
    [[0.5, -0.5], [0.0, 0.0]]
    """
    count = 2 * max(1, round(1.0 / histogram.width))  # half bins per axis
    place = (cells_of(x, count) + histogram.shifted) // 2
    flat = place[:, 0] * len(histogram.loss) + place[:, 1]
    sums = np.bincount(flat, half, histogram.loss.size)
    return np.asarray(sums, dtype=float).reshape(histogram.loss.shape)


def noisy_mean(
    sums: Array, group: Group, law: Law, rng: np.random.Generator, unit: Array | None = None
) -> Array:
    """Return a group's mean release per record, shape (B, B).

    The sum of m Gaussian vectors is one of m times the variance; the sum of m Laplace variables
    is the difference of two Gamma variables of shape m. So many sources cost what one costs.

    Args:
        sums: The bin sums of the records of all servers.
        group: The servers.
        law: Of their noise.
        rng: Source of the noise.
        unit: The noise of scale one, where several budgets share it.
    """
    total = release(
        sums,
        rng,
        of="histogram",
        who=group,
        law=law,
        sensitivity=SENSITIVITY,
        multiplier=group.multiplier,
        servers=group.m,
        path=unit,
    )
    return np.asarray(total / group.records)


def releases(
    histograms: Sequence[Histogram],
    settings: Sequence[Setting],
    rng: np.random.Generator,
    law: Law,
) -> Releases:
    """Draw the mean releases of target and sources in several settings, width by width.

    Each setting is as if drawn alone; all share covariates, which are drawn first, and unit noise.
    Whoever sends places gets the next width for those settings alone.

    Args:
        histograms: The bins, all in one world.
        settings: Target and sources; they differ in signal exponents and budgets.
        rng: Source of randomness, of which nothing else may be drawn meanwhile.
        law: Of the noise.

    Yields:
        By the place of each setting its releases, shape (2, B, B).
    """
    records, start = {}, rng.bit_generator.state
    for groups in {tuple(group.gamma for group in groups): groups for groups in settings}.values():
        rng.bit_generator.state = start
        for j, group in enumerate(groups):
            records[j, group.gamma] = draw_records(histograms[0].world, group, rng)
    loud = any(group.multiplier for groups in settings for group in groups)
    wanted: Sequence[int] | None = None
    for bins in histograms:
        sums = {key: bin_sums(bins, *drawn) for key, drawn in records.items()}
        units = [
            unit_noise(rng, bins.loss.shape, law, group.m) if loud else None
            for group in settings[0]
        ]
        out = {}
        for s in range(len(settings)) if wanted is None else wanted:
            pairs = zip(settings[s], units, strict=True)
            means = [
                noisy_mean(sums[j, group.gamma], group, law, rng, unit)
                for j, (group, unit) in enumerate(pairs)
            ]
            out[s] = np.stack(means)
        wanted = yield out


def histogram_risks(
    histograms: Sequence[Histogram],
    settings: Sequence[Setting],
    weights: Sequence[float],
    rng: np.random.Generator,
    law: Law,
) -> Array:
    """Return the exact excess risk of one release per setting, with bins and weight of its own.

    Each is as if drawn alone; all share covariates, those with the same bins unit noise.
    """
    start, out = rng.bit_generator.state, np.empty(len(settings))
    for bins in dict.fromkeys(histograms):
        rng.bit_generator.state = start
        chosen = [s for s, one in enumerate(histograms) if one is bins]
        drawn = next(releases([bins], [settings[s] for s in chosen], rng, law))
        own, other = np.stack(list(drawn.values()), axis=1)
        shares = np.array([weights[s] for s in chosen])[:, None, None]
        combined = shares * own + (1.0 - shares) * other
        out[chosen] = bins.base + excess_risk(combined, bins.loss, bins.positive)
    return out
