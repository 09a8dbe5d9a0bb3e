"""The objective (6) of [BCMM] with its weights profiled out, and its exact minimiser.

Without the penalties κ₂ and κ_∞ the inverse weights separate. With a the reference weight and z
a record's loss (plus the discrepancy d for public ones), min over u >= 1/a of
z/u + κ₁ (a² u - a) is a φ(z), where φ(z) = z up to κ₁ and 2√(κ₁ z) - κ₁ beyond. In the residual
that is Huber's loss with threshold √κ₁ for private records, and a rounded version for public ones.

The discrepancy of two samples: exact by two trust-region problems, and by DCA beside it.

For the squared loss the difference of two mean losses is a quadratic f(w) = w'Mw - 2v'w + c, and
its largest absolute value on a ball is that of two problems max ± f, each solved exactly by an
eigendecomposition and the root of one scalar equation.
"""

from __future__ import annotations

import math

import numpy as np

from rates.adaptation import AdaptationDesign
from sims.bcmm.data import Moments, Pair
from sims.engine import Array


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


def discrepancy(private: Moments, public: Moments, radius: float) -> float:
    r"""Return sup over \|w\| <= radius of the absolute difference of the mean losses.

    Args:
        private: Moments of the private sample.
        public: Moments of the public one.
        radius: Λ.

    >>> pair = [Moments(A=np.eye(1) * a, b=np.array([b]), c=0.01) for a, b in ((1, 0.1), (0, 0))]
    >>> round(discrepancy(pair[0], pair[1], 1.0), 9)  # |w² - 0.2 w| at w = -1
    1.2

    Source: [BCMM] (2); the trust-region form is ours.
    """
    M, v, c = private.A - public.A, private.b - public.b, private.c - public.c
    ends = [smallest_on_ball(-sign * M, -sign * v, radius)[0] for sign in (1, -1)]
    return max(abs(float(w @ M @ w - 2 * (v @ w) + c)) for w in ends)


def scalar_test(pair: Pair, w: Array, *, cap: float = 1.0) -> float:
    """Return the mean loss of fixed coefficients on the private sample minus the public one.

    Losses are cut at ``cap``, so that replacing one private record moves the number by at most
    cap/n: noise of a single number, whatever the dimension.

    Source: our own; the test step of [KS] with its sign reversed.
    """
    means = []
    for records in (pair.private, pair.public):
        loss = (records.x @ w - records.y) ** 2
        means.append(float(np.mean(np.minimum(loss, cap))))
    return means[0] - means[1]


STEPS, TOLERANCE = 2_000, 1e-9  # most steps; largest |w - Proj(w - gradient)| at their end


def shrink(z: Array, penalty: float) -> Array:
    """Return the best weight over the reference weight, min(1, √(κ₁/z)), which is φ'(z).

    >>> shrink(np.array([0.5, 4.0]), 1.0).tolist()
    [1.0, 0.5]
    """
    return np.asarray(np.sqrt(penalty / np.maximum(z, penalty)))


def reference(pair: Pair, alpha: float) -> Array:
    """Return the reference weights, public records first: α/m and (1 - α)/n."""
    m, n = pair.public.size, pair.private.size
    return np.concatenate([np.full(m, alpha / m), np.full(n, (1.0 - alpha) / n)])


def stacked(pair: Pair) -> tuple[Array, Array]:
    """Return features and labels of both samples, public records first."""
    return (
        np.vstack([pair.public.x, pair.private.x]),
        np.concatenate([pair.public.y, pair.private.y]),
    )


def minimise(pair: Pair, design: AdaptationDesign, gap: float) -> tuple[Array, Array]:
    r"""Return the exact minimiser of (6) for κ₂ = κ_∞ = 0, by reweighted least squares.

    .. math:: \min_{\|w\| \le \Lambda} \sum_i a_i\, \varphi(\ell_i(w) + d\,1_{i \le m}).

    φ is concave, so the weights a φ'(z) at the last coefficients give a quadratic above the
    objective that touches it there; minimising it never makes the objective larger. The objective
    is convex in w, so where the steps stop it is the minimum.

    Args:
        pair: Both samples; squared loss.
        design: Its α, its κ₁, which must be positive, and its Λ.
        gap: The discrepancy d, at least 0.

    Returns:
        Coefficients, and weights over the reference weights, in (0, 1], public records first.

    Source: [BCMM] (6); the elimination of the weights is ours.
    """
    a, (x, y) = reference(pair, design.alpha), stacked(pair)
    lift = np.where(np.arange(len(a)) < pair.public.size, gap, 0.0)
    w = np.zeros(x.shape[1])
    for _ in range(STEPS):
        weight = a * shrink((x @ w - y) ** 2 + lift, design.penalty)
        A, b = (x.T * weight) @ x, x.T @ (weight * y)
        step = w - 2.0 * (A @ w - b)
        step *= min(1.0, design.norm_bound / max(float(np.linalg.norm(step)), 1e-300))
        # A fixed point of projected descent is a minimum: the objective is convex.
        if float(np.linalg.norm(step - w)) <= TOLERANCE:
            break
        w, _ = smallest_on_ball(A, b, design.norm_bound)
    return w, shrink((x @ w - y) ** 2 + lift, design.penalty)
