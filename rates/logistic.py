r"""[DPLR]: privacy of the surrogate of the logistic loss, and what it estimates, in closed form.

Around 0 the logistic loss of a record (x, y) is log 2 + (1/2 - y) x'w + (x'w)²/8, a polynomial
in w. The functional mechanism releases its summed coefficients with noise. Of a site's records
only G = sum xx', b = sum x (1/2 - y) and n enter, so one noisy pair (G, b) pays for every later
fit. The neighbour relation is replacement of one record everywhere. Without a bound on the norm
of a record no finite noise is private.

In the paper's design y = 1{x'β + e > 0} with normal covariates. Its three error laws are scale
mixtures of centred normal laws, and so is what follows from them: the surrogate's minimiser is
cβ with c < 1 (it is biased even with infinitely many records), and the accuracy of the rule
1{x'w > 0} depends on the angle between w and β alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DELTA, DIMENSION, SAMPLE_SIZE, DomainError, Parameter, epsilon_of

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
RADIUS = Parameter(
    "radius",
    "R",
    "(0, inf]",
    rule="The clipping radius R must be positive; inf is no clipping.",
    help="Records whose Euclidean norm exceeds R are shrunk to norm R before anything is summed. "
    "Without clipping (inf) one record can move the sums without limit, and no noise is "
    "private.",
)
SCALE = Parameter(
    "scale",
    "Δ/ε",
    "(0, inf)",
    noun="The noise scale",
    help="Scale b of the Laplace noise, whose density is exp(-|u|/b)/(2b). The paper states this "
    "number, 0.1 or 0.01, and no epsilon.",
)
RECORDS = Parameter("n", "n", f"1, ..., {SAMPLE_SIZE.high}", help="Records of a site.")


def refined_sensitivity(dimension: int, radius: float = 1.0) -> float:
    r"""Return (8) for records of norm at most R: twice the largest sum of absolute coefficients.

    .. math:: \Delta = 2 \max_x \Big(\tfrac12\|x\|_1 + \tfrac18\|x\|_1^2\Big)
        = R\sqrt p + \tfrac14 R^2 p

    Args:
        dimension: Covariates p, whole and at least 1.
        radius: Largest Euclidean norm R of a record; positive, inf without clipping.

    Raises:
        DomainError: An argument is outside its set.

    >>> round(refined_sensitivity(50), 2), refined_sensitivity(50, math.inf)
    (19.57, inf)

    Source: [DPLR] eqs. (8), (10); Cauchy's inequality, attained at x_j = R/sqrt(p).
    """
    p, R = DIMENSION.check(dimension), RADIUS.check(radius)
    return R * math.sqrt(p) + R * R * p / 4.0


def joint_sensitivity(dimension: int, radius: float = 1.0) -> float:
    r"""Return a bound below (8) on what replacing a record moves: both records at once.

    .. math:: \Delta = \max_{x,z,s,t} \tfrac18\|xx'-zz'\|_1 + \tfrac12\|sx-tz\|_1
        \le \frac{R^2p}8\sqrt{2(1-k^2)} + \frac R2\sqrt{2p(1+k)}, \qquad
        k = \frac2{1+\sqrt{1+R^2p}},

    sums over all entries, records of norm at most R, s, t = ±1. (8) adds the largest sums of x
    and of z, which no two records reach together. Proof: the sign of z is free, so let the last
    sum be of |x + z|. By Cauchy's inequality it is at most sqrt(p) times its norm, and the first
    sum at most p times the Frobenius norm. With a = |x|, b = |z| and the product x'z = K these
    norms' squares are a⁴ + b⁴ - 2K² and a² + b² + 2K, which grow in a and b while K is held and
    stays possible, so a = b = R. The second one grows in K and the first depends on K², so K >= 0;
    with K = kR² the sum is concave in k and largest where R²p k² = 4(1 - k).

    A search finds records that reach 94.7% of it at p = 1 and more than 97% at p from 2 to 50,
    R = 1.

    Args:
        dimension: Covariates p, whole and at least 1.
        radius: Largest Euclidean norm R of a record; positive, inf without clipping.

    Raises:
        DomainError: An argument is outside its set.

    >>> round(joint_sensitivity(50), 2), joint_sensitivity(50, math.inf)
    (14.15, inf)

    Source: our reading of [DPLR] eqs. (7), (10).
    """
    R = RADIUS.check(radius)
    size = R * R * DIMENSION.check(dimension)
    if math.isinf(size):
        return size
    k = 2.0 / (1.0 + math.sqrt(1.0 + size))
    squares = size / 8.0 * math.sqrt(2.0 * (1.0 - k * k))
    return squares + 0.5 * math.sqrt(2.0 * size * (1.0 + k))


def record_sum(sum_norm: float) -> float:
    r"""Return the sum of absolute coefficients of one record, |x|_1/2 + |x|_1²/8.

    Over a Laplace scale it is the privacy loss when the record is replaced by zeros; (8) charges
    twice as much for any replacement.

    Args:
        sum_norm: |x|_1, at least 0.

    Raises:
        DomainError: The norm is negative or no number.

    >>> round(record_sum(39.6), 1)
    215.8

    Source: [DPLR] eqs. (7), (10).
    """
    if not sum_norm >= 0:
        raise DomainError("The norm must be >= 0.", "sum_norm", sum_norm)
    return 0.5 * sum_norm + 0.125 * sum_norm * sum_norm


def euclidean_sensitivity(radius: float = 1.0) -> float:
    r"""Return the most by which (G, b) moves when one record of norm at most R is replaced.

    .. math:: \Delta_2^2 = \max \|xx' - zz'\|_F^2 + \tfrac14\|sx - tz\|^2
        = 2\,(R^2 + \tfrac18)^2, \qquad s, t = \pm 1

    With a = |x|, b = |z|, c = |cos| of their angle the square is at most
    a⁴ + b⁴ - 2a²b²c² + (a² + b² + 2abc)/4, largest over c at c = 1/(8ab) where that is at most
    1, and then growing in a and b. The remaining case ab < 1/8 is smaller for R² >= 1/8. Each
    off-diagonal entry of G counts twice, so its noise has half the variance of the diagonal's.

    Args:
        radius: R, at least 1/sqrt(8); inf without clipping.

    Raises:
        DomainError: The radius is smaller or no number.

    >>> euclidean_sensitivity(1.0) == 9 / 8 * math.sqrt(2)
    True

    Source: our reading of [DPLR] eqs. (7), (10) in the Euclidean norm.
    """
    R = RADIUS.check(radius)
    if R * R < 0.125:
        rule = "The radius must be at least 1/sqrt(8) = 0.354 for this bound; rescale the records."
        raise DomainError(rule, "radius", R)
    return math.sqrt(2.0) * (R * R + 0.125)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a Laplace scale on the coefficients promises a record, one record replaced.

    Attributes:
        once: epsilon if the noise is added once to the summed coefficients, or, which is the
            same number, to each record's own before anybody sees them; inf without clipping.
        central: epsilon at delta where every record got noise of its own and only the sums are
            seen; a normal approximation of the sum of n Laplace variables.
        once_twice: `once` with the debiasing step's second release of the target.
        central_twice: `central` with that release.
    """

    once: float
    central: float
    once_twice: float
    central_twice: float


def meaning(scale: float, *, dimension: int, radius: float, n: int, delta: float) -> Meaning:
    r"""Return what epsilon a printed noise scale means.

    .. math:: \varepsilon = \Delta/b, \qquad
        \text{sums: } \sigma = b\sqrt{2n} \text{ against } \Delta_2 = \sqrt2\,(R^2+\tfrac18)

    The noise of the sums is taken as printed in Algorithm 1: of scale b on every x_j (1/2 - y)
    and on every entry x_i x_j, i <= j, before the factor 1/8. Two releases of one record double a
    pure epsilon; two Gaussian ones are one with a sensitivity larger by sqrt(2).

    Args:
        scale: Laplace scale b, positive and finite; the paper's Δ/ε.
        dimension: Covariates p.
        radius: Clipping radius R; inf without clipping, as in the paper.
        n: Records of the site.
        delta: Failure scale of the central reading, in (0, 1).

    Raises:
        DomainError: An argument is outside its set.

    >>> found = meaning(0.1, dimension=50, radius=1.0, n=300, delta=1e-5)
    >>> round(found.once), round(found.once_twice)
    (196, 391)
    >>> meaning(0.1, dimension=50, radius=math.inf, n=300, delta=1e-5).once
    inf

    Source: [DPLR] eqs. (8), (9), Algorithm 1; the central reading is ours.
    """
    b, R = SCALE.check(scale), RADIUS.check(radius)
    size, d = RECORDS.check(n), DELTA.check(delta)
    once = refined_sensitivity(dimension, R) / b
    width = euclidean_sensitivity(max(R, math.sqrt(0.125)))

    def central(releases: int) -> float:
        if math.isinf(R):
            return math.inf
        return epsilon_of(b * math.sqrt(2.0 * size) / width / math.sqrt(releases), d)

    return Meaning(
        once=once,
        central=central(1),
        once_twice=2.0 * once,
        central_twice=central(2),
    )


# What is estimated ----------------------------------------------------------------------------


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
    v, b, S = (np.asarray(z, dtype=float) for z in (w, beta, sigma))
    own = np.sqrt(np.maximum(np.einsum("...i,ij,...j->...", v, S, v), 0.0))
    along = np.where(own > 0, (v @ S @ b) / np.where(own > 0, own, 1.0), 0.0)
    angle = along[..., None] / np.sqrt(b @ S @ b + variances)
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
