"""What a run of "real-sites" says: slopes beside theory, what privacy costs, how sites differ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sims.engine import Estimate, Point, Progress, fit, scaling
from sims.real import curve
from sims.real.between import Heterogeneity, heterogeneity
from sims.real.design import ASYMPTOTIC, thresholds
from sims.real.sites import Sites


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """One measured slope beside what theory says over the same points.

    Attributes:
        series: "epsilon", "n", "m" or "m, no privacy".
        value: d log error / d log x; nan with fewer than two points.
        low: Lower end of its 95% interval.
        high: Upper end.
        asymptotic: Exponent of the term that decides in the window.
        mechanism: Slope of the mechanism's own equation over the same points, sites alike.
        equation: Slope of the rate equation over the same points; its terms have no constants.
        alike: Slope of the expected error over these points without the part that is there
            because sites differ.
        used: Points in the window.
        verdict: "agrees" where the interval meets what lies between the asymptotic and the
            mechanism's slope, "differs" where it does not, "cannot distinguish" where it holds
            0, "too few points" below three.
        argument: Where it differs, why, and where points are too few, which are missing; else
            empty.
    """

    series: str
    value: float
    low: float
    high: float
    asymptotic: float
    mechanism: float
    equation: float
    alike: float
    used: int
    verdict: str
    argument: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """What privacy costs at a budget from which the equation calls it free.

    Attributes:
        name: For whom it is called free: "the largest site", "half of the records", "every site".
        epsilon: The budget.
        value: Error over the error without privacy; nan before both are known, and where the
            error without privacy is below what the truth can tell.
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
class Spot:
    """One point of a run, for a picture.

    Attributes:
        series: Which sweep.
        x: Budget, records of a site, or sites.
        mean: Error; nan before it is known.
        low: Lower end of its 95% interval.
        high: Upper end.
        replicates: How many were averaged.
        theory: Rate of the mechanism's own equation, without a constant.
        equation: Rate of the equation, without a constant.
        expected: Expected error of the estimator.
        left_out: Why it takes no part in a slope; empty if it does.
    """

    series: str
    x: float
    mean: float
    low: float
    high: float
    replicates: int
    theory: float
    equation: float
    expected: float
    left_out: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a run says of the theory, as far as it has come; all that a page draws.

    Attributes:
        spots: Its points.
        slopes: One per sweep.
        factors: One per budget at which the equation calls privacy free.
        heterogeneity: How much the sites differ.
        budget: That of the sweeps over n and m.
        replicates: Asked for at each point.
        seed: Of the run.
    """

    spots: tuple[Spot, ...]
    slopes: tuple[Slope, ...]
    factors: tuple[Factor, ...]
    heterogeneity: Heterogeneity
    budget: float
    replicates: int
    seed: int


Series = dict[str, list[tuple[Point, Estimate]]]


def findings(progress: Progress, sites: Sites) -> Findings:
    """Return what a run says so far.

    Args:
        progress: A run of "real-sites" on these sites.
        sites: The sites.
    """
    pairs = list(zip(progress.request.points, progress.estimates, strict=True))
    series: Series = {}
    for point, estimate in pairs:
        series.setdefault(point.series, []).append((point, estimate))
    return Findings(
        spots=tuple(_spot(point, estimate) for point, estimate in pairs),
        slopes=tuple(_slope(name, series[name], sites) for name in ASYMPTOTIC),
        factors=_factors(series, sites),
        heterogeneity=heterogeneity(sites),
        budget=series["n"][0][0].settings.number("epsilon"),
        replicates=progress.request.replicates,
        seed=progress.request.seed,
    )


def _spot(point: Point, estimate: Estimate) -> Spot:
    low, high = estimate.interval()
    return Spot(
        series=point.series,
        x=point.x,
        mean=estimate.mean,
        low=low,
        high=high,
        replicates=estimate.replicates,
        theory=point.theory or math.nan,
        equation=point.settings.number("equation"),
        expected=point.settings.number("expected"),
        left_out=point.left_out,
    )


def _slope(series: str, pairs: Sequence[tuple[Point, Estimate]], sites: Sites) -> Slope:
    points, estimates = zip(*pairs, strict=True)
    found = fit(points, estimates)

    def over(name: str) -> float:
        """Return the slope of what the points state, over the points of the fit."""
        curve_ = [max(point.settings.number(name), 1e-300) for point in points]
        return scaling.slope_of(curve_, points, estimates)

    measured, asymptotic = found.slope, ASYMPTOTIC[series]
    low, high = (measured.low, measured.high) if measured else (math.nan, math.nan)
    verdict = scaling.TOO_FEW
    if found.used >= 3:
        ends = sorted((asymptotic, found.theory))
        verdict = scaling.AGREES if low <= ends[1] and high >= ends[0] else scaling.DIFFERS
        if low < 0.0 < high:
            verdict = scaling.CANNOT_DISTINGUISH
    value = measured.value if measured else math.nan
    alike, expected = over("without_sites"), over("expected")
    argument = ""
    if verdict == scaling.TOO_FEW:
        argument = _of_window(points)
    if verdict == scaling.DIFFERS and abs(expected - alike) >= 0.5 * abs(value - found.theory):
        argument = (
            "Sites differ: without that part the expected error of the same estimator has slope "
            f"{alike:.2f}, with it {expected:.2f}."
        )
    elif verdict == scaling.DIFFERS:
        argument = f"{_of_bias(points, sites)} On sites alike the slope would be {alike:.2f}."
    return Slope(
        series=series,
        value=value,
        low=low,
        high=high,
        asymptotic=asymptotic,
        mechanism=found.theory,
        equation=over("equation"),
        alike=alike,
        used=found.used,
        verdict=verdict,
        argument=argument,
    )


def _of_window(points: Sequence[Point]) -> str:
    """Return how many points lie in the window, and why most of the others do not."""
    reasons = Counter(point.left_out for point in points if point.left_out)
    inside = len(points) - reasons.total()
    most = f"; most of the others: {reasons.most_common(1)[0][0]}" if reasons else ""
    return f"Of {len(points)} points {inside} lie in the window{most}."


def _of_bias(points: Sequence[Point], sites: Sites) -> str:
    """Return how the bias of these data falls, beside how the theory lets it fall."""
    kept = sorted({p.settings.number("resolution") for p in points if not p.left_out})
    if sites.kind != "curve" or len(kept) < 2:
        return (
            "With so few records bandwidths are wide beside the part where the chance of label 1 "
            "crosses 1/2."
        )
    K = [round(kept[0]), round(kept[-1])]
    rest = [curve.steps(sites, k).rest for k in K]
    power = float(np.log(rest[0] / rest[1]) / np.log(K[1] / K[0]))
    return (
        f"Between {K[0]} and {K[1]} steps the squared bias of these data falls as K^-{power:.2f}, "
        "not as K^-2: the curve is steeper at its ends, and the truth itself is uneven."
    )


def _factors(series: Series, sites: Sites) -> tuple[Factor, ...]:
    none, without = series["no privacy"][0]
    out = []
    for name, epsilon in thresholds(sites).items():
        point, found = next(pair for pair in series["free"] if pair[0].x == epsilon)
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
