r"""Slopes in logarithms with honest intervals, beside the theory's slope over the same points.

The fit is weighted least squares of log mean on log x. The standard error of a log mean is
the relative standard error of the mean, so its inverse square is the weight. The theory's
curve is fitted at the same x with the same weights: where it bends, its slope over this
window is compared, not its asymptote.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rates.numbers import DomainError
from sims.engine.experiment import Array, Estimate, Point

LARGEST_ERROR = 0.5  # relative standard error above which a log mean means little
SMALLEST_ERROR = 1e-9  # so that an exact value does not get infinite weight
COVERAGE = 0.95
SIGNIFICANT = 0.05

AGREES = "agrees"
DIFFERS = "differs"
CANNOT_DISTINGUISH = "cannot distinguish"
TOO_FEW = "too few points"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A number with its standard error and 95% interval.

    Attributes:
        value: The estimate.
        stderr: Its standard error, scatter beyond the points' own errors included.
        low: Lower end of the interval.
        high: Upper end.
        misfit: Chi-square over degrees of freedom; 1 is expected, nan without any.
    """

    value: float
    stderr: float
    low: float
    high: float
    misfit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """One series against its theory.

    Attributes:
        series: Which one.
        slope: d log mean / d log x; None with fewer than two points.
        theory: The theory's slope at the same points with the same weights; nan without one.
        constant: C of mean = C theory; None without a theory.
        used: Points in the fit.
        left_out: x and reason of every other point.
    """

    series: str
    slope: Fitted | None
    theory: float
    constant: Fitted | None
    used: int
    left_out: tuple[tuple[float, str], ...]

    def verdict(self, rivals: Mapping[str, float] | None = None) -> str:
        """Return what the interval of the slope says about the theory's slope.

        "agrees": it holds the theory's slope and no rival's. "cannot distinguish": it holds
        both. "differs": it does not hold the theory's. "too few points": below three, or no
        theory.

        Args:
            rivals: Other slopes over the same window, by name.
        """
        if self.slope is None or self.used < 3 or math.isnan(self.theory):
            return TOO_FEW
        inside = [self.slope.low <= s <= self.slope.high for s in (rivals or {}).values()]
        if not self.slope.low <= self.theory <= self.slope.high:
            return DIFFERS
        return CANNOT_DISTINGUISH if any(inside) else AGREES


def line(x: Array, y: Array, sigma: Array) -> Fitted:
    """Return the slope of y on x with known standard errors sigma.

    If chi-square exceeds its degrees of freedom, the root of the ratio scales the standard
    error; if it does so beyond chance (5%), Student's law takes the place of the normal
    one, as the scatter is then estimated. Less scatter than expected narrows nothing.

    Args:
        x: At least two different values.
        y: Same shape.
        sigma: Standard errors of y, positive.

    Raises:
        DomainError: All x are the same.

    Examples:
        >>> fitted = line(np.arange(3.0), np.array([0.0, 1.0, 2.0]), np.full(3, 0.1))
        >>> round(fitted.value, 12), round(fitted.stderr, 4)
        (1.0, 0.0707)
    """
    # Relative to the smallest error: plain inverse squares may overflow.
    weight = (sigma.min() / sigma) ** 2
    middle = np.average(x, weights=weight)
    spread = float(np.sum(weight * (x - middle) ** 2))
    if not spread > 0:
        raise DomainError("A slope needs two different x.", field="x", value=float(x[0]))
    slope = float(np.sum(weight * (x - middle) * y)) / spread
    residual = y - np.average(y, weights=weight) - slope * (x - middle)
    return _fitted(slope, float(sigma.min()) / math.sqrt(spread), residual / sigma, len(x) - 2)


def _shifted(fitted: Fitted, by: float) -> Fitted:
    """Return the same estimate and interval, moved."""
    low, high = fitted.low + by, fitted.high + by
    return replace(fitted, value=fitted.value + by, low=low, high=high)


def level(y: Array, sigma: Array) -> Fitted:
    """Return the weighted mean of y with known standard errors sigma, as `line` does."""
    weight = (sigma.min() / sigma) ** 2
    mean = float(np.average(y, weights=weight))
    stderr = float(sigma.min()) / math.sqrt(float(weight.sum()))
    return _fitted(mean, stderr, (y - mean) / sigma, len(y) - 1)


def _fitted(value: float, stderr: float, residuals: Array, freedom: int) -> Fitted:
    from scipy.special import chdtrc, stdtrit

    chi_square = float(np.sum(residuals**2))
    misfit = chi_square / freedom if freedom > 0 else math.nan
    upper = 0.5 + 0.5 * COVERAGE
    width = normal_quantile()
    # As the Particle Data Group does: scatter beyond the errors widens all of them alike.
    if misfit > 1.0:
        stderr *= math.sqrt(misfit)
        if chdtrc(freedom, chi_square) < SIGNIFICANT:
            width = float(stdtrit(freedom, upper))
    return Fitted(
        value=value,
        stderr=stderr,
        low=value - width * stderr,
        high=value + width * stderr,
        misfit=misfit,
    )


def fit(points: Sequence[Point], estimates: Sequence[Estimate]) -> Fit:
    """Return the slope of one series, the theory's slope and the constant between them.

    A point is left out if it says so itself (decided before the run), if x or the mean is
    not positive, if it has fewer than two replicates, or if its standard error exceeds half
    its mean. No point is judged by whether it lies on the curve.

    Where there is a theory, scatter is measured around its curve times a power of x, so that
    a bend that the theory has is no misfit; the slope itself is the plain one.

    Args:
        points: The points of one series.
        estimates: Their estimates, in the same order.
    """
    reasons = [_reason(p, e) for p, e in zip(points, estimates, strict=True)]
    kept = [i for i, reason in enumerate(reasons) if not reason]
    x = np.log([points[i].x for i in kept])
    y, sigma = _logs([estimates[i] for i in kept])
    theory = [points[i].theory for i in kept]
    given = [t for t in theory if t is not None and t > 0 and math.isfinite(t)]
    told = len(given) == len(kept) > 0
    curve = np.log(given) if told else np.zeros(len(kept))
    # Over the same points with the same weights, so that only the curve differs.
    bend = line(x, curve, sigma).value if _spreads(x) else math.nan
    slope = _shifted(line(x, y - curve, sigma), bend) if _spreads(x) else None
    return Fit(
        series=points[0].series if points else "",
        slope=slope,
        theory=bend if told else math.nan,
        constant=_constant(y - np.log(given), sigma) if told else None,
        used=len(kept),
        left_out=tuple((points[i].x, reason) for i, reason in enumerate(reasons) if reason),
    )


def slope_of(
    curve: Sequence[float], points: Sequence[Point], estimates: Sequence[Estimate]
) -> float:
    """Return the slope of any positive curve over the points of `fit`, with its weights.

    This is what a rival theory predicts for the same window; nan with fewer than two points.

    Args:
        curve: One value per point.
        points: The points of one series.
        estimates: Their estimates.
    """
    kept = [i for i, (p, e) in enumerate(zip(points, estimates, strict=True)) if not _reason(p, e)]
    x = np.log([points[i].x for i in kept])
    _, sigma = _logs([estimates[i] for i in kept])
    return line(x, np.log([curve[i] for i in kept]), sigma).value if _spreads(x) else math.nan


def normal_quantile() -> float:
    """Return the normal quantile of a 95% interval.

    >>> round(normal_quantile(), 2)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(0.5 + 0.5 * COVERAGE))


def fits(points: Sequence[Point], estimates: Sequence[Estimate]) -> tuple[Fit, ...]:
    """Return one fit per series, in the order in which the series appear."""
    series: dict[str, list[int]] = {}
    for i, point in enumerate(points):
        series.setdefault(point.series, []).append(i)
    return tuple(fit([points[i] for i in at], [estimates[i] for i in at]) for at in series.values())


def _reason(point: Point, estimate: Estimate) -> str:
    if point.left_out:
        return point.left_out
    if not (point.x > 0 and math.isfinite(point.x)):
        return "x has no logarithm"
    if estimate.replicates < 2:
        return "fewer than two replicates"
    if not estimate.mean > 0:
        return "the mean has no logarithm"
    if estimate.stderr > LARGEST_ERROR * estimate.mean:
        return "standard error above half the mean"
    return ""


def _logs(estimates: Sequence[Estimate]) -> tuple[Array, Array]:
    """Return log means and their standard errors."""
    mean = np.array([e.mean for e in estimates])
    stderr = np.array([e.stderr for e in estimates])
    # The delta method: the error of a log is the relative error.
    return np.log(mean), np.maximum(stderr / mean, SMALLEST_ERROR)


def _spreads(x: Array) -> bool:
    return x.size >= 2 and float(np.ptp(x)) > 0


def _constant(log_ratio: Array, sigma: Array) -> Fitted:
    fitted = level(log_ratio, sigma)
    value = math.exp(fitted.value)
    return Fitted(
        value=value,
        stderr=value * fitted.stderr,
        low=math.exp(fitted.low),
        high=math.exp(fitted.high),
        misfit=fitted.misfit,
    )
