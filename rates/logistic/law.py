r"""What the surrogate loss of [DPLR] estimates, and how accurate a direction is, in closed form.

In the paper's design y = 1{x'β + e > 0} with normal covariates. Its three error laws are scale
mixtures of centred normal laws, and so is what follows from them: the surrogate's minimiser is
cβ with c < 1 (it is biased even with infinitely many records), and the accuracy of the rule
1{x'w > 0} depends on the angle between w and β alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError

Array = NDArray[np.float64]
Law = Literal["normal", "mixture", "t3"]
LAWS: tuple[Law, ...] = ("normal", "mixture", "t3")
CORRELATION = 0.5  # of neighbouring covariates in (19)
# Table 1 in per cent: by error law, the target alone and the transfer, at scale 0.1 and at 0.01.
TABLE_1 = {
    "normal": (87.67, 92.33, 90.00, 96.67),
    "mixture": (82.33, 84.33, 83.67, 89.00),
    "t3": (80.00, 82.67, 82.33, 85.67),
}


@cache
def mixture(law: str) -> tuple[Array, Array]:
    """Return weights and variances of the normal laws that an error law mixes.

    N(0, 1); 0.9 N(0, 1) + 0.1 N(0, 16); and t with 3 degrees of freedom, whose precision has the
    Gamma law of shape 3/2 and mean 1, by quadrature.

    Args:
        law: One of `LAWS`.

    Raises:
        DomainError: The law is not one of them.

    >>> [float(x) for x in mixture("mixture")[1]]
    [1.0, 16.0]

    Source: [DPLR] Section 3.1.
    """
    if law == "normal":
        return np.ones(1), np.ones(1)
    if law == "mixture":
        return np.array([0.9, 0.1]), np.array([1.0, 16.0])
    if law == "t3":
        # Over the root u of the precision, whose density is u² exp(-3u²/2) but for a constant,
        # everything that is averaged here is analytic, and Gauss-Legendre nodes converge fast.
        nodes, weights = np.polynomial.legendre.leggauss(80)
        u = 3.5 * (nodes + 1.0)
        mass = weights * u * u * np.exp(-1.5 * u * u)
        return np.asarray(mass / mass.sum()), np.asarray(1.0 / (u * u))
    raise DomainError(f"The error law must be one of {', '.join(LAWS)}.", "law", law)


@cache
def covariance(p: int) -> Array:
    """Return Σ_ij = 0.5^|i-j| as an array of shape (p, p), kept and read-only.

    >>> covariance(2).tolist()
    [[1.0, 0.5], [0.5, 1.0]]

    Source: [DPLR] eq. (19).
    """
    index = np.arange(p)
    out = np.asarray(CORRELATION ** np.abs(index[:, None] - index[None, :]))
    out.flags.writeable = False
    return out


def signal_variance(beta: ArrayLike) -> float:
    r"""Return β'Σβ for coefficients of shape (p,).

    >>> round(signal_variance(np.ones(10)), 3)
    26.004

    Source: [DPLR] eq. (19).
    """
    b = np.asarray(beta, dtype=float)
    return float(b @ covariance(len(b)) @ b)


def shrinkage(variance: float, law: str = "normal") -> float:
    r"""Return c, the factor by which the surrogate's minimiser falls short of β.

    .. math:: 4\Sigma^{-1}E\,x(y-\tfrac12) = c\beta, \qquad
        c = 4\,f_{x'\beta+e}(0) = \sum_k \pi_k \frac{4}{\sqrt{2\pi(\sigma_k^2+\beta'\Sigma\beta)}}

    By Stein's identity: E x y = Σβ times the expected density of -e at x'β.

    Args:
        variance: β'Σβ, at least 0.
        law: Error law, one of `LAWS`, or "logistic" for the model (11).

    Raises:
        DomainError: The variance is negative or no number, or the law is unknown.

    >>> [round(shrinkage(26.004, law), 3) for law in ("normal", "mixture", "t3", "logistic")]
    [0.307, 0.301, 0.3, 0.295]

    Source: our reading of [DPLR] eq. (10) under (19) and (11).
    """
    if not variance >= 0:
        raise DomainError("The signal variance must be >= 0.", "variance", variance)
    if law == "logistic":
        return 4.0 * _normal_mean(_logistic_density, variance)
    weights, variances = mixture(law)
    return float(np.sum(weights * 4.0 / np.sqrt(2.0 * math.pi * (variances + variance))))


def _logistic_density(u: Array) -> Array:
    e = np.exp(-np.abs(u))
    return np.asarray(e / (1.0 + e) ** 2)


def _normal_mean(function: Callable[[Array], Array], variance: float) -> float:
    """Mean of a smooth even function of a centred normal variable; the trapezoid rule on the line.

    Its error falls exponentially in the number of points, as both factors are analytic.
    """
    if variance == 0:
        return float(function(np.zeros(1))[0])
    sd = math.sqrt(variance)
    u = np.linspace(-10.0, 10.0, max(2001, int(400 * sd) + 1))
    density = np.exp(-0.5 * u * u) / math.sqrt(2.0 * math.pi)
    return float(np.sum(density * function(sd * u)) * (u[1] - u[0]))


def accuracy(w: ArrayLike, beta: ArrayLike, sigma: ArrayLike, law: str = "normal") -> Array:
    r"""Return the probability that 1{x'w > 0} equals y = 1{x'β + e > 0}.

    .. math:: \sum_k \pi_k \Big(1 - \tfrac1\pi \arccos
        \frac{w'\Sigma\beta}{\sqrt{w'\Sigma w\,(\beta'\Sigma\beta + \sigma_k^2)}}\Big)

    Two centred normal variables of correlation ρ differ in sign with probability arccos(ρ)/π. For
    w = 0 the rule always says 0 and is right half of the time.

    Args:
        w: Coefficients, shape (..., p).
        beta: Truth, shape (p,).
        sigma: Covariance of x, shape (p, p).
        law: One of `LAWS`.

    Raises:
        DomainError: The law is unknown.

    >>> S = covariance(10)
    >>> round(float(accuracy(np.ones(10), np.ones(10), S)), 4)
    0.9384

    Source: [DPLR] Section 3.1 for the design; Sheppard's formula for the angle.
    """
    weights, variances = mixture(law)
    along, signal = _projection(w, beta, sigma)
    angle = along[..., None] / np.sqrt(signal + variances)
    right = 1.0 - np.arccos(np.clip(angle, -1.0, 1.0)) / math.pi
    return np.asarray(right @ weights)


def best_accuracy(variance: float, law: str = "normal") -> float:
    """Return the accuracy of the true direction, which no rule exceeds.

    Args:
        variance: β'Σβ, positive.
        law: One of `LAWS`.

    Raises:
        DomainError: The variance is not positive, or the law is unknown.

    >>> [round(best_accuracy(26.004, law), 3) for law in LAWS]
    [0.938, 0.923, 0.919]

    Source: [DPLR] Section 3.1 for the design.
    """
    if not variance > 0:
        raise DomainError("The signal variance must be positive.", "variance", variance)
    one = np.ones(1)
    return float(accuracy(one, one * math.sqrt(variance), np.eye(1), law))


def direction_error(w: ArrayLike, beta: ArrayLike, sigma: ArrayLike) -> Array:
    r"""Return the angle between w and β in the metric of Σ, in degrees; 90 for w = 0.

    .. math:: \arccos\frac{w'\Sigma\beta}{\sqrt{w'\Sigma w\;\beta'\Sigma\beta}}

    The surrogate shrinks β and leaves its direction, so that the angle, unlike |w - β|, can tend
    to 0.

    Args:
        w: Coefficients, shape (..., p).
        beta: Truth, shape (p,), not 0.
        sigma: Covariance of x, shape (p, p).

    >>> float(direction_error([0.0, 2.0], [1.0, 0.0], np.eye(2)))
    90.0

    Source: ours; Sheppard's formula turns the angle into an accuracy.
    """
    along, signal = _projection(w, beta, sigma)
    return np.asarray(np.degrees(np.arccos(np.clip(along / math.sqrt(signal), -1.0, 1.0))))


def _projection(w: ArrayLike, beta: ArrayLike, sigma: ArrayLike) -> tuple[Array, float]:
    """Return w'Σβ over the length of w, 0 for w = 0, and β'Σβ."""
    v, b, S = (np.asarray(z, dtype=float) for z in (w, beta, sigma))
    own = np.sqrt(np.maximum(np.einsum("...i,ij,...j->...", v, S, v), 0.0))
    along = np.where(own > 0, (v @ S @ b) / np.where(own > 0, own, 1.0), 0.0)
    return along, float(b @ S @ b)
