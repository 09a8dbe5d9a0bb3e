r"""A plane through settings by least squares, and how far off it is at a further one.

.. math:: w = t \sqrt{s^2\, x^\top (X^\top X)^+ x + \max(0, s^2 - e^2)}

is half the 95% interval at a further setting x, with t Student's quantile, s the residual standard
deviation and e the part of it that is Monte-Carlo error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sims.engine import Array, quantile


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plane:
    """Heights over settings, in as many directions as those differ in.

    Attributes:
        middle: The settings' mean, after a leading 0.
        slopes: Height in the middle, then along each coordinate.
        spread: Covariance of the slopes over the variance.
        variance: Of the heights around the plane.
        noise: The part of it that is Monte-Carlo error.
        quantile: Student's, of the degrees of freedom left.
    """

    middle: Array
    slopes: Array
    spread: Array
    variance: float
    noise: float
    quantile: float

    @classmethod
    def through(cls, settings: Array, heights: Array, noise: float = 0.0) -> Plane:
        """Return the plane through the heights.

        Args:
            settings: One row of coordinates per setting.
            heights: One per setting.
            noise: Variance of a height's Monte-Carlo error, on average.

        >>> at = np.array([[0.0], [1.0], [2.0], [3.0]])
        >>> height, width = Plane.through(at, 2.0 + 3.0 * at[:, 0]).at(4.0)
        >>> round(height, 9), round(width, 9)
        (14.0, 0.0)
        """
        middle = np.array([0.0, *settings.mean(axis=0)])
        x = np.column_stack([np.ones(len(heights)), settings]) - middle
        inverse = np.linalg.pinv(x, rcond=1e-9)
        slopes = inverse @ heights
        freedom = len(heights) - round(float(np.trace(x @ inverse)))
        return cls(
            middle=middle,
            slopes=slopes,
            spread=inverse @ inverse.T,
            variance=float(np.sum((heights - x @ slopes) ** 2)) / freedom,
            noise=noise,
            quantile=quantile(freedom + 1),
        )

    def at(self, *setting: float) -> tuple[float, float]:
        """Return the height at a setting, and half the interval there."""
        x = np.array([1.0, *setting]) - self.middle
        own = self.variance * float(x @ self.spread @ x)
        width = self.quantile * math.sqrt(own + max(0.0, self.variance - self.noise))
        return float(self.slopes @ x), width
