"""Other ways to the values of [BCMM], which the product's own are held against."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rates.adaptation import AdaptationDesign
from sims.bcmm.data import Moments, Pair
from sims.bcmm.exact import reference, smallest_on_ball, stacked

Array = NDArray[np.float64]


def by_dca(
    private: Moments,
    public: Moments,
    radius: float,
    start: Array,
    *,
    sign: int = 1,
    steps: int = 500,
) -> tuple[float, Array]:
    r"""Return the value and the point where DCA ends that maximises ± the difference from a start.

    Each step replaces the convex part by its tangent and maximises what is left, which is a
    convex trust-region problem; values never fall, but where it ends depends on the start.

    Args:
        private: Moments of the private sample.
        public: Moments of the public one.
        radius: Λ.
        start: Where it starts.
        sign: 1 for private minus public, -1 for the reverse.
        steps: Most steps.

    Source: [BCMM] Section 4; Tao and An (1998).
    """
    up, down = (private, public) if sign == 1 else (public, private)
    w = np.asarray(start, float)
    for _ in range(steps):
        new, _mu = smallest_on_ball(down.A, down.b + up.A @ w - up.b, radius)
        moved = float(np.linalg.norm(new - w))
        w = new
        if moved < 1e-12:
            break
    return sign * (private.loss(w) - public.loss(w)), w


def phi(z: Array, penalty: float) -> Array:
    """Return the profiled loss: z up to κ₁, 2√(κ₁ z) - κ₁ beyond.

    Source: from [BCMM] (6).
    """
    return np.asarray(np.where(z <= penalty, z, 2.0 * np.sqrt(penalty * z) - penalty))


def profiled_value(pair: Pair, w: Array, *, alpha: float, gap: float, penalty: float) -> float:
    """Return (6) at coefficients with the best weights."""
    x, y = stacked(pair)
    z = (x @ w - y) ** 2 + gap * (np.arange(len(y)) < pair.public.size)
    return float(np.sum(reference(pair, alpha) * phi(z, penalty)))


def joint(
    pair: Pair, w: Array, inverse: Array, *, alpha: float, gap: float, design: AdaptationDesign
) -> float:
    """Return F(w, u) of (6), all three penalties included.

    Args:
        pair: Both samples.
        w: Coefficients.
        inverse: Inverse weights u, public records first.
        alpha: α.
        gap: The discrepancy.
        design: Its penalties are used.

    Source: [BCMM] (6).
    """
    x, y = stacked(pair)
    z = (x @ w - y) ** 2
    z[: pair.public.size] += gap
    a = reference(pair, alpha)
    held = design.penalty * (float(np.sum(a**2 * inverse)) - 1.0)
    spread = design.penalty_2 * float(np.sqrt(np.sum(inverse**-2.0)))
    return float(np.sum(z / inverse)) + held + spread + design.penalty_inf / float(inverse.min())
