"""What a run of "real-sites" says: slopes beside theory, what privacy costs, how sites differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sims.engine import Estimate, Fitted, Point, Progress, fit, scaling
from sims.real.between import Heterogeneity, heterogeneity
from sims.real.design import ASYMPTOTIC, thresholds
from sims.real.sites import Sites


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """One measured slope beside what theory says over the same points.

    Attributes:
        series: "epsilon", "n", "m" or "m, no privacy".
        asymptotic: Exponent of the term that decides in the window.
        measured: The slope with its 95% interval; None with fewer than two points.
        mechanism: Slope of the mechanism's own equation over the same points, sites alike.
        equation: Slope of the rate equation over the same points; its terms have no constants.
        alike: Slope of the expected error over these points without the part that is there
            because sites differ.
        used: Points in the window.
        left_out: x and reason of every other point.
        verdict: "agrees", "differs", or "too few points": whether the interval holds the
            mechanism's or the asymptotic slope, or lies between them.
        argument: Where it differs, why, as a sentence; else empty.
    """

    series: str
    asymptotic: float
    measured: Fitted | None
    mechanism: float
    equation: float
    alike: float
    used: int
    left_out: tuple[tuple[float, str], ...]
    verdict: str
    argument: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """What privacy costs at a budget from which the equation calls it free.

    Attributes:
        name: For whom it is called free: "the largest site", "half of the records", "every site".
        epsilon: The budget.
        value: Error over the error without privacy; nan before both are known.
        low: Lower end of its 95% interval.
        high: Upper end.
        equation: The same by the rate equation.
    """

    name: str
    epsilon: float
    value: float
    low: float
    high: float
    equation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a run says of the theory, as far as it has come.

    Attributes:
        sites: The records.
        slopes: One per sweep.
        factors: One per budget at which the equation calls privacy free.
        heterogeneity: How much the sites differ.
        budget: That of the sweeps over n and m.
    """

    sites: Sites
    slopes: tuple[Slope, ...]
    factors: tuple[Factor, ...]
    heterogeneity: Heterogeneity
    budget: float


def findings(progress: Progress, sites: Sites) -> Findings:
    """Return what a run says so far.

    Args:
        progress: A run of "real-sites" on these sites.
        sites: The sites.
    """
    pairs = list(zip(progress.request.points, progress.estimates, strict=True))
    by_series: dict[str, list[tuple[Point, Estimate]]] = {}
    for point, estimate in pairs:
        by_series.setdefault(point.series, []).append((point, estimate))
    between = heterogeneity(sites)
    return Findings(
        sites=sites,
        slopes=tuple(
            _slope(name, *zip(*by_series[name], strict=True))
            for name in ASYMPTOTIC
            if name in by_series
        ),
        factors=_factors(by_series, sites),
        heterogeneity=between,
        budget=by_series["n"][0][0].settings.number("epsilon"),
    )


def _slope(series: str, points: Sequence[Point], estimates: Sequence[Estimate]) -> Slope:
    found = fit(points, estimates)

    def over(name: str) -> float:
        """Return the slope of what the points state, over the points of the fit."""
        curve = [max(point.settings.number(name), 1e-300) for point in points]
        return scaling.slope_of(curve, points, estimates)

    asymptotic, mechanism, alike = ASYMPTOTIC[series], found.theory, over("without_sites")
    verdict = _verdict(found.slope, found.used, (asymptotic, mechanism))
    return Slope(
        series=series,
        asymptotic=asymptotic,
        measured=found.slope,
        mechanism=mechanism,
        equation=over("equation"),
        alike=alike,
        used=found.used,
        left_out=found.left_out,
        verdict=verdict,
        argument=_argument(found.slope, alike, over("expected"), mechanism)
        if verdict == scaling.DIFFERS
        else "",
    )


def _verdict(measured: Fitted | None, used: int, theory: tuple[float, float]) -> str:
    """Return whether the interval meets what lies between the two slopes of the theory."""
    if measured is None or used < 3 or math.isnan(theory[1]):
        return scaling.TOO_FEW
    meets = measured.low <= max(theory) and measured.high >= min(theory)
    return scaling.AGREES if meets else scaling.DIFFERS


def _argument(measured: Fitted | None, alike: float, expected: float, mechanism: float) -> str:
    """Return why a slope differs: by what the estimator's own expected error says of it."""
    if measured is None:
        return ""
    if abs(expected - alike) >= 0.5 * abs(measured.value - mechanism):
        return (
            f"Sites differ: without that part the expected error of the same estimator has slope "
            f"{alike:.2f}, with it {expected:.2f}."
        )
    return (
        f"The same estimator on sites alike would have slope {alike:.2f} over these points: with "
        "so few records bias and truth are not yet as smooth as the theory takes them to be."
    )


def _factors(
    by_series: dict[str, list[tuple[Point, Estimate]]], sites: Sites
) -> tuple[Factor, ...]:
    none, without = by_series["no privacy"][0]
    out = []
    for name, epsilon in thresholds(sites).items():
        point, found = next(pair for pair in by_series["free"] if pair[0].x == epsilon)
        value, low, high = _ratio(found, without)
        out.append(
            Factor(
                name=name,
                epsilon=epsilon,
                value=value,
                low=low,
                high=high,
                equation=point.settings.number("equation") / none.settings.number("equation"),
            )
        )
    return tuple(out)


def _ratio(above: Estimate, below: Estimate) -> tuple[float, float, float]:
    """Return a ratio of two independent means with its 95% interval, in logarithms."""
    if min(above.replicates, below.replicates) < 2 or min(above.mean, below.mean) <= 0:
        return math.nan, math.nan, math.nan
    value = above.mean / below.mean
    error = math.hypot(above.stderr / above.mean, below.stderr / below.mean)
    margin = math.exp(scaling.normal_quantile() * error)
    return value, value / margin, value * margin
