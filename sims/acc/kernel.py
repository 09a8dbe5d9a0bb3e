r"""The kernel classifier DTK of [ACC]: kernels, statistics, noise levels, weights and labels.

For a product kernel K(u) = K_1(u_1) ... K_1(u_d) and points on a product grid the statistic
(7) is a product of tables, one matrix multiplication in two dimensions:

.. math:: T_h = \frac{1}{n h^d} A_1^\top \mathrm{diag}(y - 1/2) A_2, \qquad
    A_k[i, g] = K_1\bigl((x_{ik} - g)/h\bigr).

With covariates rounded to M cells per axis it needs the label sums per cell only, at a cost
that does not depend on n: T_h = K S K' / (n h^d) with fixed tables K.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import noise_multipliers, solve
from rates.numbers import ACC_PRINTED, DomainError, Mechanism, Words
from rates.study import TransferStudy
from sims.engine import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """One factor K_1 of a product kernel; it integrates to 1 and is positive definite.

    Attributes:
        name: Name in files.
        peak: K_1(0), its largest value; c_K = peak^d.
        roughness: The integral of K_1 squared.
    """

    name: str
    peak: float
    roughness: float


TRIANGULAR = Kernel(name="triangular", peak=1.0, roughness=2.0 / 3.0)
GAUSSIAN = Kernel(name="gaussian", peak=(2.0 * math.pi) ** -0.5, roughness=0.5 * math.pi**-0.5)
JITTER = 1e-12  # share of K(0) added independently at each point
AT_WORK = 2**14  # cells of which curves are made at a time: small arrays stay in the cache
KERNELS = {kernel.name: kernel for kernel in (TRIANGULAR, GAUSSIAN)}


def profile(kernel: Kernel, u: ArrayLike) -> Array:
    """Return K_1(u).

    The Gaussian kernel has no bounded support, which [ACC] asks for; the paper's
    simulations use it all the same.

    >>> profile(TRIANGULAR, [0.0, 0.25, 2.0])
    array([1.  , 0.75, 0.  ])

    Source: [ACC] Section 4.1, conditions on K; Section 6.1.1.
    """
    v = np.asarray(u, float)
    if kernel.name == "triangular":
        return np.asarray(np.maximum(1.0 - np.abs(v), 0.0))
    return np.asarray(kernel.peak * np.exp(-0.5 * v * v))


def table(kernel: Kernel, x: Array, grid: Array, bandwidth: float) -> Array:
    """Return K_1((x_i - g)/h), one row per x and one column per grid point."""
    return profile(kernel, np.subtract.outer(x / bandwidth, grid / bandwidth))


def from_points(x: Array, half: Array, grid: Array, bandwidth: float, kernel: Kernel) -> Array:
    """Return T_h on a product grid from the records themselves.

    Args:
        x: Covariates in the unit square, shape (n, 2).
        half: Labels less one half, shape (n,).
        grid: Grid points of each axis, shape (G,).
        bandwidth: h.
        kernel: K_1.

    Returns:
        Shape (G, G).

    >>> grid = np.array([0.5, 0.75])
    >>> from_points(np.array([[0.5, 0.5]]), np.array([0.5]), grid, 0.5, TRIANGULAR).tolist()
    [[2.0, 1.0], [1.0, 0.5]]

    Source: [ACC] eq. (7).
    """
    first, second = (table(kernel, np.ascontiguousarray(one), grid, bandwidth) for one in x.T)
    scaled = half / (len(x) * bandwidth**2)
    return np.asarray((first * scaled[:, None]).T @ second)


def cells_of(x: Array, cells: int) -> NDArray[np.intp]:
    """Return the cell of each covariate, 0 to M - 1 along every axis."""
    return np.minimum((x * cells).astype(np.intp), cells - 1)


def tally(x: Array, half: Array, cells: int) -> Array:
    """Return the sums of Y - 1/2 per cell, shape (M, M).

    >>> tally(np.array([[0.1, 0.1], [0.2, 0.9], [0.9, 1.0]]), np.array([0.5, 0.5, -0.5]), 2)
    array([[ 0.5,  0.5],
           [ 0. , -0.5]])
    """
    place = cells_of(x, cells)
    sums = np.bincount(place[:, 0] * cells + place[:, 1], half, cells**2)
    return np.asarray(sums, dtype=float).reshape(cells, cells)


def from_cells(sums: Array, records: int, bandwidth: float, rows: Array) -> Array:
    """Return T_h on a grid from label sums per cell; rows are K_1((g - c)/h), G by M.

    Source: [ACC] eq. (7), with covariates rounded to the middles of cells.
    """
    return np.asarray(rows @ sums @ rows.T / (records * bandwidth**2))


def axis_factor(kernel: Kernel, size: int, steps: float) -> Array:
    r"""Return F with F F' = (K_1((i-j)/steps))_ij + `JITTER` K_1(0) I.

    For white noise Z, F Z F' is a joint path of the product kernel at all points of a grid: two
    matrix products in place of a factorisation over all of its points.

    A smooth kernel's matrix is singular in floating point. Leaving its null directions out
    would release them without noise; the jitter gives each of them some. The covariance is
    never below the one that privacy asks for, so the guarantee stands.

    Args:
        kernel: K_1.
        size: Points of a regular grid.
        steps: Bandwidth in grid steps, positive.

    Examples:
        >>> F = axis_factor(TRIANGULAR, 3, 2.0)
        >>> (F @ F.T).round(6)
        array([[1. , 0.5, 0. ],
               [0.5, 1. , 0.5],
               [0. , 0.5, 1. ]])

    Source: [ACC] eq. (9).
    """
    index = np.arange(size)
    by_lag = profile(kernel, index / steps)
    values, vectors = np.linalg.eigh(by_lag[np.abs(index[:, None] - index[None, :])])
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0) + JITTER * by_lag[0]))


def sensitivity(kernel: Kernel, records: int, bandwidth: float, dimension: int) -> float:
    """Return the sensitivity of T_h in the norm of the kernel's Hilbert space.

    Replacing one record changes T_h by at most this, and by exactly this if its label
    flips while its covariates stay.

    >>> sensitivity(TRIANGULAR, 100, 0.5, 2)
    0.04

    Source: [ACC] eq. (8).
    """
    return math.sqrt(kernel.peak**dimension) / (records * bandwidth**dimension)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Exchangeable servers: m of them, each with n records and the same noise.

    Attributes:
        n: Records per server.
        m: Number of servers.
        gamma: Their signal exponent.
        multiplier: σ/Δ of each release; 0 without privacy.
        weight: The sum of their weights u_j in the combined statistic sum_j u_j (T_j + noise_j).
    """

    n: int
    m: int = 1
    gamma: float = 1.0
    multiplier: float = 0.0
    weight: float = 1.0

    @property
    def records(self) -> int:
        """Records of all of them."""
        return self.n * self.m

    def noise(self, bandwidth: float, dimension: int, kernel: Kernel = TRIANGULAR) -> float:
        r"""Return the standard deviation at a point of the mean of the servers' noise paths.

        .. math:: \frac{\sigma}{\Delta}\, \frac{\sqrt{c_K}}{n h^d}\, \sqrt{K(0)}\, m^{-1/2}

        The whole path has covariance proportional to K((s-t)/h), drawn once per server and
        bandwidth.

        >>> round(Group(n=100, multiplier=4.45).noise(0.5, 1), 4)
        0.089

        Source: [ACC] eqs. (8), (9).
        """
        if not self.multiplier:
            return 0.0
        height = math.sqrt(kernel.peak**dimension)
        width = sensitivity(kernel, self.n, bandwidth, dimension)
        return width * self.multiplier * height / math.sqrt(self.m)


def oracle_bandwidth(study: TransferStudy) -> float:
    """Return the paper's bandwidth, the root of (11), at most 1.

    Raises:
        DomainError: A private server lacks delta.

    Source: [ACC] eq. (11).
    """
    bandwidth = solve(study).bandwidth
    if bandwidth is None:
        rule = "The bandwidth of (11) needs delta for every private row."
        raise DomainError(rule, field="delta", value=Words("nothing"), where="Study")
    return bandwidth


def oracle_weights(study: TransferStudy, bandwidth: float) -> tuple[float, ...]:
    r"""Return the paper's weights; a row's weight is that of all servers it stands for.

    .. math:: u_j = v_j / \sum_i v_i, \quad
        v_j = (n_j \wedge n_j^2 \varepsilon_j^2 h^d)\, h^{\gamma_j \beta}.

    >>> from rates.study import Server
    >>> target = Server(name="target", n=100, epsilon=float("inf"))
    >>> source = Server(name="source", n=300, epsilon=float("inf"))
    >>> study = TransferStudy(target=target, sources=(source,), smoothness=1, dimension=1, margin=1)
    >>> [round(w, 6) for w in oracle_weights(study, 0.1)]
    [0.25, 0.75]

    Source: [ACC] eq. (12).
    """
    log_h = math.log(bandwidth)
    logs = [
        min(math.log(s.n), 2.0 * (math.log(s.n) + math.log(s.epsilon)) + study.dimension * log_h)
        + s.signal_exponent * study.smoothness * log_h
        + math.log(s.count)
        if s.informative
        else -math.inf
        for s in study.servers
    ]
    return _shares(logs)


def matched_weights(
    study: TransferStudy, bandwidth: float, mechanism: Mechanism
) -> tuple[float, ...]:
    r"""Return the weights that (12) stands for, with the triangular kernel's and noise's constants.

    .. math:: v_j = h^{\gamma_j \beta} / V_j(h), \qquad
        V_j(h) = \frac{\|K\|^2}{4 n_j h^d} + \text{noise variance}_j.

    They maximise signal over standard deviation where the signal is h^(γ_j β).

    Raises:
        DomainError: A private server lacks delta.

    Source: [ACC] eq. (12); constants of eqs. (7)-(9).
    """
    d, logs = study.dimension, []
    multipliers, _ = noise_multipliers(tuple(study.servers), mechanism, ACC_PRINTED)
    for s, multiplier in zip(study.servers, multipliers.tolist(), strict=True):
        if not s.informative:
            logs.append(-math.inf)
            continue
        noise = Group(n=s.n, multiplier=multiplier).noise(bandwidth, d)
        variance = TRIANGULAR.roughness**d / (4.0 * s.n * bandwidth**d) + noise**2
        signal = s.signal_exponent * study.smoothness * math.log(bandwidth)
        logs.append(signal - math.log(variance) + math.log(s.count))
    return _shares(logs)


def _shares(logs: Sequence[float]) -> tuple[float, ...]:
    largest = max(logs)
    if largest == -math.inf:
        rule = "At least one server must release something."
        raise DomainError(rule, field="epsilon", value=0.0, where="Study")
    # Over the largest, as weights differ by more powers than a float has.
    sizes = [math.exp(x - largest) for x in logs]
    return tuple(x / sum(sizes) for x in sizes)


def excess_risk(statistic: Array, loss: Array, positive: NDArray[np.bool_]) -> Array:
    """Return the exact excess risk of the classifier 1{statistic >= 0}.

    Args:
        statistic: Released and combined statistic, shape (..., *cells).
        loss: Integral of |2 η0 - 1| over each cell.
        positive: Where the right label is 1.

    >>> float(excess_risk(np.array([0.0, 1.0]), np.array([0.25, 0.5]), np.array([True, False])))
    0.5

    Source: [ACC] eqs. (13), (14).
    """
    wrong = (statistic >= 0) != positive
    return np.asarray(wrong.reshape(*statistic.shape[: -loss.ndim or None], -1) @ loss.ravel())


def weight_curve(
    target: Array, source: Array, loss: Array, positive: NDArray[np.bool_], *, weights: int = 101
) -> Array:
    """Return the exact excess risk for all weights w = k/(weights - 1) of the target at once.

    The statistic w target + (1 - w) source is linear in w, so the label of a cell changes at
    most once: risks are one sum over the wrong cells at w = 0 and a running sum of changes.

    Args:
        target: The target's release, shape (..., *cells).
        source: The sources' release, same shape.
        loss: Integral of |2 η0 - 1| over each cell.
        positive: Where the right label is 1.
        weights: How many weights from 0 to 1.

    Returns:
        Shape (..., weights); the last entry uses the target only.

    >>> one = np.array([0.5]), np.array([True])
    >>> weight_curve(np.array([1.0]), np.array([-3.0]), *one, weights=3)
    array([0.5, 0.5, 0. ])

    Source: [ACC] eqs. (13), (14); the grid of w of Section 6.1.1.
    """
    cells, lead = loss.size, target.shape[: target.ndim - loss.ndim]
    own, other = target.reshape(-1, cells), source.reshape(-1, cells)
    few = max(1, AT_WORK // cells)
    flat, right = loss.ravel(), positive.ravel()
    parts = [
        _curves(own[start : start + few], other[start : start + few], flat, right, weights)
        for start in range(0, len(own), few)
    ]
    return np.concatenate(parts).reshape(*lead, weights)


def _curves(own: Array, other: Array, loss: Array, right: NDArray[np.bool_], weights: int) -> Array:
    rows, cells = own.shape
    # All rows in one bincount: each has a stretch of its own, with one place for the start.
    cost = loss * (1.0 - 2.0 * right)  # of label 1, over that of label 0
    ones, others = own >= 0, other >= 0  # a zero is read as label 1
    differ = ones != others
    place, changes = np.flatnonzero(differ), np.count_nonzero(differ, axis=1)
    a, b = own.ravel()[place], other.ravel()[place]
    jump = cost[place - np.repeat(np.arange(rows) * cells, changes)] * np.copysign(1.0, a)
    change = (b / (b - a) * (weights - 1)).astype(np.intp)
    change += np.repeat(np.arange(rows) * (weights + 1) + 1, changes)
    steps = np.bincount(change, jump, rows * (weights + 1))
    out = np.asarray(steps, dtype=float).reshape(rows, weights + 1)[:, :weights]
    out[:, 0] = (others != right) @ loss
    np.cumsum(out, axis=1, out=out)
    out[:, -1] = (ones != right) @ loss  # exact also where the target's release is 0
    return out
