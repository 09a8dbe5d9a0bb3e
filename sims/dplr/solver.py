r"""Algorithms 1 and 2 of [DPLR]: its surrogate logistic loss as a lasso on sufficient statistics.

Of a site's records only G = sum xx', b = sum x (1/2 - y) and n enter the loss
log 2 + (b'w + w'Gw/8)/n, its penalised minimiser and its value on held-out records. So a fit on
any pool of sites, and any choice made by held-out losses, is a function of their statistics: if
those are released privately once, all of it is post-processing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.engine import Array

FLOOR = 0.05  # smallest eigenvalue of a noisy quadratic term, after repair
PENALTIES: tuple[float, ...] = tuple(np.geomspace(0.3, 0.001, 15).tolist())
MOST_STEPS = 5_000  # what is not done by then is returned as it is
_EVERY = 10  # iterations between two looks at the optimality condition


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Statistics:
    """What the surrogate loss needs of some records.

    Attributes:
        gram: G = sum xx', shape (p, p), symmetric; a noisy one may have negative eigenvalues.
        linear: b = sum x (1/2 - y), shape (p,).
        n: Records.
        noisy: Whether noise has been added, so that G may need repair.
    """

    gram: Array
    linear: Array
    n: int
    noisy: bool = False

    def __add__(self, other: Statistics) -> Statistics:
        """The statistics of both sets of records together."""
        return Statistics(
            gram=self.gram + other.gram,
            linear=self.linear + other.linear,
            n=self.n + other.n,
            noisy=self.noisy or other.noisy,
        )


def statistics(x: ArrayLike, y: ArrayLike) -> Statistics:
    """Return the statistics of records.

    Args:
        x: Covariates, shape (n, p), finite.
        y: Labels 0 or 1, shape (n,).

    >>> found = statistics([[1.0, 2.0], [0.0, 1.0]], [1, 0])
    >>> found.gram.tolist(), found.linear.tolist(), found.n
    ([[1.0, 2.0], [2.0, 5.0]], [-0.5, -0.5], 2)

    Source: [DPLR] eq. (10), with all cross terms of (x'w)².
    """
    X, labels = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    return Statistics(gram=X.T @ X, linear=X.T @ (0.5 - labels), n=len(labels))


def total(parts: Sequence[Statistics]) -> Statistics:
    """Return the statistics of several sets of records together.

    >>> one = statistics([[1.0]], [1])
    >>> total([one, one]).n
    2
    """
    return reduce(add, parts)


def loss(found: Statistics, w: ArrayLike) -> Array:
    """Return the mean surrogate loss of coefficients, shape of ``w`` without its last axis.

    >>> round(float(loss(statistics([[1.0]], [1]), [0.0])), 4)
    0.6931

    Source: [DPLR] eq. (18).
    """
    v = np.asarray(w, dtype=float)
    quadratic = 0.125 * np.einsum("...i,...i->...", v @ found.gram, v)
    return np.asarray((v @ found.linear + quadratic) / found.n + math.log(2.0))


def repair(gram: Array) -> tuple[Array, Array]:
    """Return symmetric matrices with eigenvalues below `FLOOR` lifted to it, and the largest.

    Noise can make a released matrix indefinite, and the loss unbounded below. Lifting uses the
    released numbers alone and costs no privacy. For covariates of variance 1 and correlation
    0.5^|i-j| the smallest eigenvalue of the quadratic term is 1/12, above the floor.

    Args:
        gram: Shape (..., p, p).

    Returns:
        Matrices, and their largest eigenvalues, shape (...).

    >>> lifted, largest = repair(np.array([[1.0, 0.0], [0.0, -3.0]]))
    >>> lifted.tolist(), float(largest)
    ([[1.0, 0.0], [0.0, 0.05]], 1.0)
    """
    # Lifting needs the eigenvectors; only noisy matrices come here.
    values, vectors = np.linalg.eigh(gram)
    largest = np.maximum(values[..., -1], FLOOR)
    if values.size and values.min() >= FLOOR:
        return gram, largest
    lifted = (vectors * np.maximum(values, FLOOR)[..., None, :]) @ np.swapaxes(vectors, -1, -2)
    return np.asarray(0.5 * (lifted + np.swapaxes(lifted, -1, -2))), largest


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Forms:
    """Losses w'Aw/2 - c'w + log 2 of several sets of records; a noisy A is repaired.

    Attributes:
        quadratic: A, shape (sets, p, p).
        linear: c, shape (sets, p).
        largest: Largest eigenvalue of each A.
    """

    quadratic: Array
    linear: Array
    largest: Array

    @classmethod
    def of(cls, sets: Sequence[Statistics]) -> Forms:
        """Return the forms of statistics.

        >>> forms = Forms.of([statistics([[2.0]], [1])])
        >>> forms.quadratic.tolist(), forms.linear.tolist(), forms.largest.tolist()
        ([[[1.0]]], [[1.0]], [1.0])
        """
        quadratic = np.array([found.gram / (4.0 * found.n) for found in sets])
        largest = np.empty(len(sets))
        for k, found in enumerate(sets):
            if found.noisy:
                quadratic[k], largest[k] = repair(quadratic[k])
            else:
                largest[k] = np.linalg.eigvalsh(quadratic[k])[-1]
        linear = np.array([-found.linear / found.n for found in sets])
        return cls(quadratic=quadratic, linear=linear, largest=largest)

    def fit(
        self, places: Sequence[int], offsets: Array, penalties: ArrayLike, tolerance: float
    ) -> Array:
        """Return minimisers of the loss at w + offset with penalty λ|w|_1, by `lasso_paths`.

        Args:
            places: Which sets to fit, one per problem.
            offsets: One per problem, shape (problems, p).
            penalties: λ, of all problems or of each.
            tolerance: Of `lasso_paths`.
        """
        A = self.quadratic[list(places)]
        c = self.linear[list(places)] - np.einsum("kij,kj->ki", A, offsets)
        largest = self.largest[list(places)]
        return lasso_paths(A, c, penalties, tolerance=tolerance, largest=largest)


def lasso_paths(
    quadratic: Array,
    linear: Array,
    penalties: ArrayLike,
    *,
    tolerance: float = 1e-7,
    largest: Array | None = None,
) -> Array:
    r"""Minimise w'Aw/2 - c'w + λ|w|_1 for several problems and penalties at once.

    Proximal gradient steps with Nesterov's momentum, restarted where it points uphill, which
    makes it linear. A problem is done when its optimality condition holds to ``tolerance``;
    the distance to the minimiser is then at most sqrt(p) tolerance over the smallest eigenvalue.

    Args:
        quadratic: A, positive semidefinite, shape (problems, p, p).
        linear: c, shape (problems, p).
        penalties: λ >= 0, shape (penalties,), or (problems, penalties) where each has its own.
        tolerance: Largest violation of the optimality condition, in units of c.
        largest: Largest eigenvalue of each A, where it is known.

    Returns:
        Minimisers, shape (problems, penalties, p).

    >>> lasso_paths(np.array([[[2.0]]]), np.array([[1.0]]), [0.4, 2.0])[0].round(6).tolist()
    [[0.3], [0.0]]

    Source: [DPLR] eqs. (13), (14), (16), (17).
    """
    A, c, lam = quadratic, linear, np.asarray(penalties, dtype=float)
    lam = np.broadcast_to(lam, (len(c), lam.shape[-1]))
    top = np.linalg.eigvalsh(A)[:, -1] if largest is None else largest
    # The longest step that is sure to descend.
    s = 1.0 / np.maximum(top, 1e-300)[:, None, None]
    out = np.zeros((*lam.shape, c.shape[-1]))
    left, W, Z, t = np.arange(len(out)), out.copy(), out.copy(), np.ones((*lam.shape, 1))
    still, ahead, limit = np.eye(A.shape[-1]) - s * A, s * c[:, None, :], s * lam[:, :, None]
    V, D = np.empty_like(W), np.empty_like(W)
    for iteration in range(1, MOST_STEPS + 1):
        np.matmul(Z, still, out=V)
        V += ahead
        np.minimum(np.maximum(V, -limit, out=D), limit, out=D)
        V -= D
        np.subtract(V, W, out=D)
        Z -= V
        # Momentum against the gradient is dropped: that makes the method linear.
        uphill = np.einsum("kij,kij->ki", Z, D)[..., None] > 0
        t_next = np.where(uphill, 1.0, 0.5 + np.sqrt(0.25 + t * t))
        D *= np.where(uphill, 0.0, (t - 1.0) / t_next)
        np.add(V, D, out=Z)
        W, V, t = V, W, t_next
        if iteration % _EVERY == 0:
            open_ = _violation(A, c, W, lam) > tolerance
            if not open_.all():
                out[left[~open_]] = W[~open_]
                left, A, c, lam = left[open_], A[open_], c[open_], lam[open_]
                still, ahead, limit = still[open_], ahead[open_], limit[open_]
                W, Z, t = W[open_], Z[open_], t[open_]
                V, D = V[: len(W)], D[: len(W)]
            if not left.size:
                break
    out[left] = W
    return out


def _violation(A: Array, c: Array, W: Array, lam: Array) -> Array:
    """Largest violation of the optimality condition per problem."""
    slope = c[:, None, :] - W @ A  # must be λ sign(w) where w is not 0, and at most λ elsewhere
    limit = lam[:, :, None]
    apart = np.where(W != 0, np.abs(slope - limit * np.sign(W)), np.abs(slope) - limit)
    return np.asarray(np.maximum(apart, 0.0).max(axis=(1, 2)))


FOLDS = 3
CLOSE = 1e-4  # tolerance of the fits of a detection
CONSTANT, LEAST = 2.0, 0.01  # of the threshold: standard deviations, and the least of one
METHODS: dict[str, str] = {
    "naive": "Target alone",
    "oracle": "True sources",
    "all": "All sources",
    "detected": "Detected sources",
}


def _chosen(
    forms: Forms,
    rows: Sequence[Sequence[int]],
    held_out: Sequence[Sequence[Statistics]],
    *,
    offsets: Array | None = None,
    tolerance: float,
) -> Array:
    """Fit several problems, each with its own cross-validation, in two calls.

    A split that several problems share is fitted once, and a final fit at its chosen penalty only.

    Args:
        forms: Quadratic forms of all statistics to fit.
        rows: By problem, places among the forms: one per split, then that of the final fit.
        held_out: By problem, the statistics that score each split.
        offsets: By problem, coefficients that are added to the fitted ones; 0 by default.
        tolerance: Of `lasso_paths` for the splits; final fits are ten times closer.

    Returns:
        Fitted coefficients without their offsets, shape (problems, p).
    """
    shift = np.zeros((len(rows), forms.linear.shape[-1])) if offsets is None else offsets
    splits: dict[tuple[int, int], int] = {}  # a form and the offset that goes with it
    for k, row in enumerate(rows):
        for place in row[:-1]:
            splits.setdefault((place, k if offsets is not None else 0), len(splits))
    places, whose = (list(part) for part in zip(*splits, strict=True))
    W = forms.fit(places, shift[whose], PENALTIES, tolerance)
    best = []
    for k, (row, parts) in enumerate(zip(rows, held_out, strict=True)):
        paths = [W[splits[place, k if offsets is not None else 0]] for place in row[:-1]]
        scores = [loss(part, w + shift[k]) for part, w in zip(parts, paths, strict=True)]
        best.append(PENALTIES[int(np.argmin(np.mean(scores, axis=0)))])
    last = forms.fit([row[-1] for row in rows], shift, np.array(best)[:, None], tolerance / 10.0)
    return last[:, 0]


def transfer(
    target: Sequence[Statistics], pools: Sequence[Sequence[Statistics]], *, tolerance: float = 1e-6
) -> Array:
    """Run Algorithm 1 once for each set of sources, an empty one being the target alone.

    Return the coefficients after debiasing, shape (pools, p).

    Args:
        target: The target's folds, at least two.
        pools: For each fit, the sources that are pooled with the target.
        tolerance: Of `lasso_paths`.

    Source: [DPLR] eqs. (13) to (17), Algorithm 1; λ by cross-validation on released statistics.
    """
    everything = total(target)
    rest = [total([f for j, f in enumerate(target) if j != r]) for r in range(len(target))]
    alone, width = [*rest, everything], len(target) + 1
    # By identity: whoever asks for a pool twice hands in the same statistics.
    apart = {(): 0, **{tuple(map(id, pool)): 0 for pool in pools}}  # equal pools are fitted once
    sums = {tuple(map(id, pool)): total(pool) for pool in pools if pool}
    sets = [one if not key else one + sums[key] for key in apart for one in alone]
    forms = Forms.of(sets)
    rows = [range(k * width, (k + 1) * width) for k in range(len(apart))]
    scored = [list(target)] * len(rows)
    first = _chosen(forms, rows, scored, tolerance=tolerance)
    again = [rows[0]] * len(rows)
    second = _chosen(forms, again, scored, offsets=first, tolerance=tolerance)
    places = {key: k for k, key in enumerate(apart)}
    return (first + second)[[places[tuple(map(id, pool))] for pool in pools]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Detection:
    """What Algorithm 2 decides.

    Attributes:
        losses: Mean held-out loss after pooling with each source, shape (sources,).
        alone: Mean held-out loss of the target alone.
        spread: Standard deviation of its three losses (divisor 2).
        threshold: The largest loss that is kept.
        kept: Whether each source is kept, shape (sources,).
    """

    losses: Array
    alone: float
    spread: float
    threshold: float
    kept: NDArray[np.bool_]


def detect(target: Sequence[Statistics], sources: Sequence[Statistics]) -> Detection:
    r"""Decide which sources to keep, from released statistics alone.

    .. math:: \text{keep } k \iff
        \bar L_k \le \bar L_0 + C_0 \max(\widehat{sd}(L_0^{[1]}, L_0^{[2]}, L_0^{[3]}), 0.01)

    Args:
        target: Exactly three folds.
        sources: One per source, at least one.

    Source: [DPLR] Section 2.3, eq. (18), Algorithm 2 as reconstructed.
    """
    extras, sets, rows, scored = (None, *sources), list(target), [], []
    splits = [[j for j in range(FOLDS) if j != r] for r in range(FOLDS)]
    sets += [target[j] + target[k] for j, k in splits]
    sets = [one if extra is None else one + extra for extra in extras for one in sets]
    for r, (one, two) in enumerate(splits):
        for k in range(len(extras)):  # each of the two folds scores the fit without it
            rows.append([2 * FOLDS * k + place for place in (two, one, FOLDS + r)])
            scored.append([target[one], target[two]])
    W = _chosen(Forms.of(sets), rows, scored, tolerance=CLOSE).reshape(FOLDS, len(extras), -1)
    losses = np.array([loss(target[r], W[r]) for r in range(FOLDS)])
    alone, spread = float(losses[:, 0].mean()), float(losses[:, 0].std(ddof=1))
    threshold = alone + CONSTANT * max(spread, LEAST)
    mean = losses[:, 1:].mean(axis=0)
    return Detection(
        losses=mean, alone=alone, spread=spread, threshold=threshold, kept=mean <= threshold
    )
