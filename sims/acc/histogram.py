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
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sims.acc.kernel import Group, excess_risk, weight_curve
from sims.acc.screen import draw_records
from sims.acc.worlds import World
from sims.engine import Array, Law, release, unit_noise

Bins = Literal["aligned", "shifted"]

BINS: dict[Bins, str] = {
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

    @property
    def bins(self) -> int:
        """Bins per axis."""
        return len(self.loss)


@lru_cache(maxsize=32)
def make_histogram(world: World, width: float, bins: Bins = "aligned") -> Histogram:
    """Return the bins of one width with their exact losses.

    Args:
        world: A two-dimensional world.
        width: h = 2^-k with k from 0 to 9.
        bins: One of `BINS`.

    >>> from sims.acc.worlds import Quadrants
    >>> four = make_histogram(Quadrants(), 0.5)
    >>> four.bins, four.base, four.positive.tolist()
    (2, 0.0, [[True, False], [False, True]])
    """
    half = 2 * max(1, round(1.0 / width))  # half bins per axis; none lies across a middle line
    edges = [np.arange(half + 1) / half] * 2
    centres = (np.arange(half) + 0.5) / half
    points = np.stack(np.meshgrid(centres, centres, indexing="ij"), axis=-1)
    loss = np.broadcast_to(world.loss(edges), (half, half))
    right = world.signal(points) > 0
    shifted = bins == "shifted"
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
    return _sums(histogram, _places(histogram, x), half)


def _places(histogram: Histogram, x: Array) -> NDArray[np.intp]:
    count = 2 * max(1, round(1.0 / histogram.width))
    bins = count // 2 + histogram.shifted
    place = (np.minimum((x * count).astype(np.intp), count - 1) + histogram.shifted) // 2
    return np.asarray(place[:, 0] * bins + place[:, 1])


def _sums(histogram: Histogram, places: NDArray[np.intp], half: Array) -> Array:
    sums = np.bincount(places, half, histogram.loss.size)
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


class Replicate:
    """One data set and its releases at several widths, in several settings, each as if alone.

    All share covariates, which are drawn first, and unit noise.

    Args:
        histograms: The bins, all in one world.
        settings: Target and sources; they differ in signal exponents and budgets.
        rng: Source of randomness, of which nothing else may be drawn meanwhile.
        law: Of the noise.
    """

    def __init__(
        self,
        histograms: Sequence[Histogram],
        settings: Sequence[Setting],
        rng: np.random.Generator,
        law: Law,
    ) -> None:
        self._histograms, self._settings, self._rng, self._law = histograms, settings, rng, law
        self._records: dict[tuple[int, float], tuple[Array, Array]] = {}
        alike = {tuple(group.gamma for group in groups): groups for groups in settings}
        start = rng.bit_generator.state
        for groups in alike.values():
            rng.bit_generator.state = start
            for j, group in enumerate(groups):
                drawn = draw_records(histograms[0].world, group, rng)
                self._records[j, group.gamma] = drawn
        self._noisy = any(group.multiplier for groups in settings for group in groups)
        self._drawn = 0  # widths of which noise is drawn

    def means(self, k: int, places: Sequence[int] = ()) -> Array:
        """Draw the mean releases of target and sources at one width, a later one in every call.

        Args:
            k: Its place.
            places: Of the settings that are wanted; all by default.

        Returns:
            Shape (2, settings, B, B).
        """
        places, bins, sums = places or range(len(self._settings)), self._histograms[k], {}
        at = {j: _places(bins, x) for (j, _), (x, _) in self._records.items()}
        for (j, gamma), (_, half) in self._records.items():
            sums[j, gamma] = _sums(bins, at[j], half)
        units = self._units(k)
        out = np.empty((2, len(places), *bins.loss.shape))
        for row, s in enumerate(places):
            for j, group in enumerate(self._settings[s]):
                clean = sums[j, group.gamma]
                out[j, row] = noisy_mean(clean, group, self._law, self._rng, units[j])
        return out

    def _units(self, k: int) -> list[Array | None]:
        """Draw the noise of scale one at a width, after that at all earlier ones."""
        groups = self._settings[0]
        units: list[Array | None] = [None for _ in groups]
        while self._noisy and self._drawn <= k:
            shape = self._histograms[self._drawn].loss.shape
            units = [unit_noise(self._rng, shape, self._law, group.m) for group in groups]
            self._drawn += 1
        return units

    def curves(self, k: int, places: Sequence[int] = (), weights: int = 101) -> Array:
        """Return exact excess risks for all weights of the target, one row per setting wanted.

        Source: [ACC] Section 6.1.1, DT-HIST, in our reading.
        """
        bins, (own, other) = self._histograms[k], self.means(k, places)
        return bins.base + weight_curve(own, other, bins.loss, bins.positive, weights=weights)


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
        own, other = Replicate([bins], [settings[s] for s in chosen], rng, law).means(0)
        shares = np.array([weights[s] for s in chosen])[:, None, None]
        combined = shares * own + (1.0 - shares) * other
        out[chosen] = bins.base + excess_risk(combined, bins.loss, bins.positive)
    return out
