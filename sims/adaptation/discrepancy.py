r"""The discrepancy of two samples: exact by two trust-region problems, and by DCA beside it.

For the squared loss the difference of two mean losses is a quadratic f(w) = w'Mw - 2v'w + c, and
its largest absolute value on a ball is that of two problems max ± f, each solved exactly by an
eigendecomposition and the root of one scalar equation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sims.adaptation.data import Moments, Pair
from sims.engine import Array


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Discrepancy:
    """The discrepancy of two samples.

    Attributes:
        value: Largest absolute difference of the mean losses.
        at: Coefficients that attain it.
        sign: 1 where the private loss is the larger one there, else -1.
        residual: Largest violation of the conditions for a global optimum.
    """

    value: float
    at: Array
    sign: int
    residual: float


def smallest_on_ball(A: Array, b: Array, radius: float) -> tuple[Array, float]:
    r"""Return the minimiser of w'Aw - 2b'w over \|w\| <= radius, and its multiplier.

    The minimiser w solves (A + μI) w = b with A + μI positive semi-definite, μ >= 0 and
    μ (\|w\| - radius) = 0; these conditions are also sufficient, whatever A is.

    Args:
        A: Symmetric, shape (d, d).
        b: Shape (d,).
        radius: Positive.

    >>> w, mu = smallest_on_ball(np.diag([-1.0, 2.0]), np.array([0.0, 1.0]), 1.0)
    >>> round(mu, 9), (np.abs(w) ** 2).round(4).tolist()
    (1.0, [0.8889, 0.1111])

    Source: Moré and Sorensen (1983), Lemmas 2.1 and 2.8.
    """
    values, vectors = np.linalg.eigh(A)
    g = vectors.T @ b
    size = float(np.linalg.norm(b))
    scale = max(float(np.abs(values).max()), size / radius, 1e-300)
    floor = max(0.0, -float(values[0]))
    shifted = values + floor
    flat = shifted <= 1e-13 * scale
    if not np.any(np.abs(g[flat]) > 1e-13 * scale * radius):
        inner = np.where(flat, 0.0, g / np.where(flat, 1.0, shifted))
        left = radius**2 - float(inner @ inner)
        if left >= 0:
            if floor > 0:  # the hard case: any length along the lowest eigenvector is free
                inner[0] += math.sqrt(left)
            return vectors @ inner, floor
    # Each coordinate alone gives a lower bound of the root; Newton on 1/|w| climbs from there.
    mu = max(floor, float(np.max(np.abs(g) / radius - values)))
    for _ in range(100):
        w = _over(g, values + mu)
        norm = float(np.linalg.norm(w))
        slope = float(np.sum(_over(w * w, values + mu)))
        step = (norm / radius - 1.0) * norm**2 / slope
        if abs(step) <= 1e-15 * max(mu, scale):
            break
        mu += step
    w = _over(g, values + mu)
    return vectors @ (w * min(1.0, radius / float(np.linalg.norm(w)))), mu


def _over(top: Array, bottom: Array) -> Array:
    """Divide; 0 where the bottom is 0, as the top is then too."""
    return np.asarray(np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1.0), 0.0))


def difference(private: Moments, public: Moments) -> tuple[Array, Array, float]:
    """Return M, v and c of the private minus the public mean loss."""
    return private.A - public.A, private.b - public.b, private.c - public.c


def discrepancy(
    private: Moments, public: Moments, radius: float, *, centre: Array | None = None
) -> Discrepancy:
    r"""Return sup over \|w - centre\| <= radius of the absolute difference of the mean losses.

    Args:
        private: Moments of the private sample.
        public: Moments of the public one.
        radius: Λ for the global discrepancy; a small number for a local one.
        centre: Middle of the ball; the origin by default.

    >>> pair = [Moments(A=np.eye(1) * a, b=np.array([b]), c=0.01) for a, b in ((1, 0.1), (0, 0))]
    >>> round(discrepancy(pair[0], pair[1], 1.0).value, 9)  # |w² - 0.2 w| at w = -1
    1.2

    Source: [BCMM] (2); the trust-region form is ours.
    """
    M, v, c = difference(private, public)
    if centre is not None:
        c = float(centre @ M @ centre - 2 * (v @ centre) + c)
        v = v - M @ centre
    found = []
    for sign in (1, -1):
        w, mu = smallest_on_ball(-sign * M, -sign * v, radius)
        found.append((sign * float(w @ M @ w - 2 * (v @ w) + c), sign, w, mu))
    value, sign, w, mu = max(found, key=lambda row: row[0])
    gradient = np.linalg.norm((-sign * M + mu * np.eye(len(v))) @ w + sign * v)
    curved = max(0.0, -float(np.linalg.eigvalsh(-sign * M)[0]) - mu)
    at = w if centre is None else w + centre
    return Discrepancy(value=value, at=at, sign=sign, residual=float(gradient) + curved)


def scalar_test(pair: Pair, w: Array, *, cap: float = 1.0) -> float:
    """Return the mean loss of fixed coefficients on the private sample minus the public one.

    Losses are cut at ``cap``, so that replacing one private record moves the number by at most
    cap/n: noise of a single number, whatever the dimension.

    Source: our own; the test step of [KS] with its sign reversed.
    """
    means = []
    for records in (pair.private, pair.public):
        line = records.x @ w
        loss = (line - records.y) ** 2
        if pair.loss == "logistic":
            loss = np.asarray(np.logaddexp(0.0, -records.y * line))
        means.append(float(np.mean(np.minimum(loss, cap))))
    return means[0] - means[1]
