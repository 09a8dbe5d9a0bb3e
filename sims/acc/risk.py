r"""The expected excess risk of the private kernel classifier, computed without simulation.

At a point the combined statistic is sum_j a_j sum_i Z_ij plus Gaussian noise, where
Z = (Y - 1/2) K has the moments E Z^p = m_p / 2^p. Its characteristic function is

.. math:: \varphi(t) = e^{-\sigma^2 t^2/2} \prod_j
    \Bigl(\sum_p \frac{(i a_j t/2)^p}{p!}\, m_{j,p}\Bigr)^{N_j},

and P(wrong side) follows from the midpoint rule for E sgn(T) = (2/pi) int Im φ(t)/t dt. That
rule is the square wave of period 4π/Δ in place of the sign, so its only errors are the
probability of |T| > 2π/Δ and the part of φ beyond the last node; both are kept near
1e-10. No normal approximation enters: a fixed number of records is a power of φ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sims.acc.lattice import Lattice, kernel_powers, signal_padded
from sims.engine import Array

REACH = 10.0  # standard deviations beyond the mean that one half period of the wave covers
CLEAR = 7.0  # means of this many standard deviations are counted as certain
DECAY = 7.5  # standard normal frequencies beyond which φ is dropped
TYPICAL = 6.0  # most of a t/2 at half of the points; beyond, a few records decide
LARGEST = 15.0  # most of a t/2 anywhere, for the power series to be summed accurately
KEPT = 1_000_000  # numbers that one risk may hold in moments


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """The records of exchangeable servers in the statistic, seen from every point.

    Attributes:
        records: N, how many there are.
        scale: a, the factor of (Y - 1/2) K in the statistic.
        moment: p to E[(2Y - 1)^p K^p] at each point, a flat array.
    """

    records: int
    scale: float
    moment: Callable[[int], Array]


def negative_probability(parts: Sequence[Part], noise: float) -> Array:
    """Return P(T < 0) + P(T = 0)/2 at every point.

    Args:
        parts: The independent sums that make up the statistic.
        noise: Standard deviation of the Gaussian noise of the statistic.

    Returns:
        Probabilities, in the shape of the moments; all nan if fewer than about two effective
        records and hardly any noise decide at most of the points: φ does not decay there.

    Examples:
        One record seen with K = 1 and P(Y = 1) = 0.8: 0.8 Φ(-1/2) + 0.2 Φ(1/2).

        >>> one = Part(records=1, scale=1.0, moment=lambda p: np.array([0.6 if p % 2 else 1.0]))
        >>> negative_probability([one], 1.0).round(6)
        array([0.385123])

    Source: [ACC] eqs. (7), (9), (13); inversion after Gil-Pelaez (1951).
    """
    mean = sum(p.records * p.scale * 0.5 * p.moment(1) for p in parts)
    spread = [p.records * (0.5 * p.scale) ** 2 * (p.moment(2) - p.moment(1) ** 2) for p in parts]
    variance = np.asarray(noise**2 + sum(spread))
    out = np.where(np.asarray(mean) > 0, 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.abs(mean) / np.sqrt(variance)
    live = np.flatnonzero(ratio < CLEAR)  # elsewhere the normal tail is below 1e-12
    if not live.size:
        return out
    deviation = np.sqrt(variance[live])
    step = 2.0 * math.pi / (deviation * (ratio[live] + REACH))
    nodes = math.ceil(DECAY / float((step * deviation).min()))
    k = np.arange(nodes)[:, None] + 0.5
    t = k * step
    log_size, angle = np.zeros(t.shape), np.zeros(t.shape)
    for part in parts:
        z = 0.5 * part.scale * t
        if np.median(z[-1]) > TYPICAL or z.max() > LARGEST:
            out[live] = math.nan
            return out
        real, imaginary = _series(part, z, live)
        log_size += 0.5 * part.records * np.log1p(real * (2.0 + real) + imaginary**2)
        angle += part.records * np.arctan2(imaginary, 1.0 + real)
    # In logarithms, as powers of φ for many records would underflow.
    log_size -= 0.5 * (noise * t) ** 2
    sign = (2.0 / math.pi) * (np.exp(log_size) * np.sin(angle) / k).sum(axis=0)
    out[live] = np.clip(0.5 - 0.5 * sign, 0.0, 1.0)
    return out


def lattice_risk(lattice: Lattice) -> float:
    """Return the expected excess risk of the classifier that `lattice` simulates.

    Ties, which have the probability of a lattice point, count one half; nan where
    `negative_probability` is.

    >>> from sims.acc.kernel import Group
    >>> from sims.acc.lattice import make_lattice
    >>> from sims.acc.worlds import Cusp
    >>> pool = Group(n=10_000)
    >>> lattice = make_lattice(Cusp(), lambda h: (pool,), 0.05)
    >>> round(lattice_risk(lattice), 6)
    0.000733
    """
    rows, shares = _distinct(lattice)
    seen = {gamma: _moments(lattice, gamma, rows) for gamma in {p.gamma for p in lattice.pools}}
    parts = [
        Part(records=pool.records, scale=lattice.scale(pool), moment=seen[pool.gamma])
        for pool in lattice.pools
    ]
    below = negative_probability(parts, lattice.noise)
    shape = lattice.loss.shape[:1] + shares.shape
    wrong = np.where(_column(lattice.positive), below.reshape(shape), 1 - below.reshape(shape))
    return float((_column(lattice.loss) * wrong * shares).sum())


def _series(part: Part, z: Array, live: NDArray[np.int_]) -> tuple[Array, Array]:
    """Real and imaginary part of sum_{p >= 1} (iz)^p m_p / p!, until terms vanish."""
    real, imaginary = np.zeros(z.shape), np.zeros(z.shape)
    largest, term, p = float(z.max()), np.ones(z.shape), 0
    bound = 1.0
    while p < 4 or bound > 1e-17:  # moments are at most 1, so a term is at most this
        p += 1
        term = term * (z / p)
        bound = bound * largest / p
        signed = (-1) ** (p // 2) * part.moment(p)[live] * term
        if p % 2:
            imaginary += signed
        else:
            real += signed
    return real, imaginary


def _distinct(lattice: Lattice) -> tuple[NDArray[np.int_], Array]:
    """Rows of axis two that differ, and the share of the loss that each stands for.

    In the interior all rows are alike; the two borders mirror each other.
    """
    if lattice.world.dimension == 1:
        return np.zeros(1, dtype=int), np.ones(1)
    edge = min(lattice.per_bandwidth, lattice.cells // 2)
    rows = np.arange(edge)
    shares = np.full(edge, 2.0 / lattice.cells)
    shares[-1] = 1.0 - 2.0 * (edge - 1) / lattice.cells
    return rows, shares


def _moments(lattice: Lattice, gamma: float, rows: NDArray[np.int_]) -> Callable[[int], Array]:
    """Moments seen from the window's cells, times the distinct rows of axis two.

    Servers of one signal share them, so that as many are kept as `KEPT` numbers allow.
    """
    q, M = lattice.per_bandwidth, lattice.cells
    padded = _padded(lattice, gamma)

    def moment(p: int) -> Array:
        first = np.convolve(padded[p % 2], kernel_powers(q, p), "valid") / M
        return _across(lattice, first, p, rows)

    # Every order is asked for once per server of a signal, in turn.
    kept: Callable[[int], Array] = lru_cache(max(2, KEPT // (padded.shape[1] * len(rows))))(moment)
    return kept


def _padded(lattice: Lattice, gamma: float) -> Array:
    """One, and twice the signal, on the cells that the window can see; 0 outside the cube."""
    f, place = signal_padded(lattice, gamma)
    out = np.zeros((2, lattice.stop - lattice.start + 2 * lattice.per_bandwidth - 2))
    out[0, place] = 1.0
    out[1, place] = 2.0 * f.reshape(-1)
    return out


def _across(lattice: Lattice, first: Array, p: int, rows: NDArray[np.int_]) -> Array:
    """A moment along axis one, times that along axis two at its distinct rows."""
    if lattice.world.dimension == 1:
        return first
    q, M = lattice.per_bandwidth, lattice.cells
    ones = np.zeros(M + 2 * q - 2)
    ones[q - 1 : q - 1 + M] = 1.0
    second = np.convolve(ones[: rows[-1] + 2 * q - 1], kernel_powers(q, p), "valid") / M
    return np.multiply.outer(first, second[rows]).ravel()


def _column(a: NDArray) -> NDArray:
    """Loss or label by cell of axis one; the loss is summed over axis two."""
    if a.ndim == 1:
        return a[:, None]
    return a[:, :1] if a.dtype == bool else a.sum(axis=1)[:, None]
