"""What a run of "real-sites" says: slopes beside theory, what privacy costs, how sites differ.

[CCV] takes every site's records from one law, and [ACC] lets a site's signal be weaker by an
exponent, on the same side of 1/2. On real records neither need hold, so the spread of the sites'
curves beyond sampling noise is measured, with a test.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.engine import Array, Estimate, Point, Progress, fit, scaling
from sims.real import curve
from sims.real.design import ASYMPTOTIC, thresholds
from sims.real.sites import Sites

BINS = 4  # parts of the covariate in which sites are compared
CLEAR = 0.01  # chance below which a difference is called real


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """One analysis of variance of sites.

    Attributes:
        of: What is compared.
        spread: Standard deviation between sites beyond sampling noise, in the unit of what is
            compared; 0 where sampling explains all.
        noise: Root mean square of the sampling noise of a site's value.
        statistic: F, mean square between over mean square within.
        p_value: Chance of an F as large for sites alike.
    """

    of: str
    spread: float
    noise: float
    statistic: float
    p_value: float

    @property
    def chance(self) -> str:
        """The p-value in words."""
        return f"{self.p_value:.2g}" if self.p_value >= 1e-4 else "below 0.0001"

    @property
    def clear(self) -> bool:
        """Whether sampling does not explain the difference."""
        return self.p_value < CLEAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Heterogeneity:
    """What sites differ in.

    Attributes:
        outcome: Their curves: mean outcomes at equal covariates, in the outcome's own unit.
        covariate: Mean places of their covariates among all records; 0.29 is the standard
            deviation of one record.
        turned: Of a classification the share of records in parts of a site where its better
            label is not that of all sites.
        words: What is said of it, as sentences.
    """

    outcome: Test
    covariate: Test
    turned: float
    words: str


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
class Findings:
    """What a run says of the theory, as far as it has come; all that a page draws.

    Attributes:
        slopes: One per sweep.
        factors: One per budget at which the equation calls privacy free.
        heterogeneity: How much the sites differ.
        budget: That of the sweeps over n and m.
        replicates: Asked for at each point.
        seed: Of the run.
    """

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
        slopes=tuple(_slope(name, series[name], sites) for name in ASYMPTOTIC),
        factors=_factors(series, sites),
        heterogeneity=heterogeneity(sites),
        budget=series["n"][0][0].settings.number("epsilon"),
        replicates=progress.request.replicates,
        seed=progress.request.seed,
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
        # An interval with 0 in it says not even that the error falls.
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
    # A ratio is nearly normal in logarithms, and its interval stays positive.
    margin = math.exp(scaling.normal_quantile() * error)
    return value, value / margin, value * margin


# How sites differ -----------------------------------------------------------------------------


def heterogeneity(sites: Sites) -> Heterogeneity:
    """Return how much the sites differ, and what that means for the theory."""
    Q = sites.cells
    cell = np.minimum((sites.place * Q).astype(int), Q - 1)
    count = np.maximum(np.bincount(cell, minlength=Q), 1)
    mean = np.bincount(cell, sites.y, Q) / count
    part = np.minimum((sites.place * BINS).astype(int), BINS - 1)
    residual = sites.y - mean[cell]
    outcome = _test("outcome at equal covariates", residual, sites.site, part, Q - BINS)
    place = _test("covariate", sites.place - 0.5, sites.site, np.zeros_like(part))
    turned = _turned(sites, part) if sites.kind == "classification" else 0.0
    return Heterogeneity(
        outcome=outcome,
        covariate=place,
        turned=turned,
        words=_words(sites, outcome, place, turned),
    )


def _test(
    of: str, residual: Array, site: NDArray[np.intp], part: NDArray[np.intp], lost: int = 0
) -> Test:
    """Compare sites within parts: analysis of variance, spread by its moments.

    Args:
        of: What is compared.
        residual: Values whose mean in each part is 0.
        site: Site of each.
        part: Part of each.
        lost: Degrees of freedom that were spent on the residuals within parts.

    Source: Fisher (1925); DerSimonian and Laird (1986) for spread by moments, here with the
    pooled variance within.
    """
    from scipy.special import fdtrc

    parts = int(part.max()) + 1
    group, at, n = np.unique(site * parts + part, return_inverse=True, return_counts=True)
    total, k = len(residual), len(n)
    mean = np.bincount(at, residual) / n
    between = float(n @ mean**2)
    within = float(residual @ residual) - between
    df1, df2 = k - parts, total - k - lost
    if df1 < 1 or df2 < 1 or within <= 0:
        return Test(of=of, spread=0.0, noise=0.0, statistic=1.0, p_value=1.0)
    square = within / df2
    statistic = between / df1 / square
    whole, squares = (np.bincount(group % parts, w, parts) for w in (n, n.astype(float) ** 2))
    size = (total - float(np.sum(squares / whole))) / df1
    return Test(
        of=of,
        spread=float(np.sqrt(max((statistic - 1.0) * square / size, 0.0))),
        noise=float(np.sqrt(square * np.mean(1.0 / n))),
        statistic=statistic,
        p_value=float(fdtrc(df1, df2, statistic)),
    )


def _turned(sites: Sites, part: NDArray[np.intp]) -> float:
    group = sites.site * BINS + part
    size = np.bincount(group, minlength=sites.m * BINS)
    ones = np.bincount(group, sites.y, sites.m * BINS)
    every = np.bincount(part, sites.y, BINS) / np.maximum(np.bincount(part, minlength=BINS), 1)
    other = (2.0 * ones > size) != np.tile(every > 0.5, sites.m)
    clear = np.abs(2.0 * ones - size) > 2.0 * np.sqrt(np.maximum(size, 1))  # beyond two errors
    return float(size[other & clear].sum() / sites.records)


def _words(sites: Sites, outcome: Test, place: Test, turned: float) -> str:
    name, unit = sites.words["sites"], f"{sites.high - sites.low:g}"
    if outcome.clear:
        said = (
            f"The {name} differ beyond chance: at equal covariates their mean outcomes spread by "
            f"{outcome.spread:.3g} on a range of {unit} (F {outcome.statistic:.2f}, p "
            f"{outcome.chance})."
        )
    else:
        said = (
            f"At equal covariates sampling explains how the {name} differ (F "
            f"{outcome.statistic:.2f}, p {outcome.chance})."
        )
    if place.clear:
        said += (
            f" Their covariates differ too, by {place.spread:.2g} of a place from 0 to 1 (p "
            f"{place.chance})."
        )
    if sites.kind == "curve":
        return f"{said} The theory of curves assumes that all sites are alike."
    if turned >= 0.005:
        said += f" At sites with {100 * turned:.0f}% of the records the better label is turned."
    return f"{said} The theory of labels allows a weaker signal at a site, never a turned one."


# Stored results of the public data sets, for where their package is not installed ---------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What is stored of one data set.

    Attributes:
        key: Of the data set.
        records: How many were used.
        sizes: Records of each site, largest first.
        low: Public lower bound of the outcome.
        high: Public upper bound.
        notes: What was dropped, counted, as sentences.
        findings: Of the default run.
    """

    key: str
    records: int
    sizes: tuple[int, ...]
    low: float
    high: float
    notes: tuple[str, ...]
    findings: Findings


def stored(key: str) -> Stored | None:
    """Return what is stored of a data set; None if nothing is.

    >>> stored("chem97").records
    31022
    """
    return _all().get(key)


@lru_cache(maxsize=1)
def _all() -> dict[str, Stored]:
    text = resources.files("sims.real").joinpath("stored.json").read_text("utf-8")
    return {row["key"]: _read(row) for row in json.loads(text)}


def _read(row: dict[str, Any]) -> Stored:
    found, between = row["findings"], row["findings"]["heterogeneity"]
    return Stored(
        **{name: row[name] for name in ("key", "records", "low", "high")},
        sizes=tuple(row["sizes"]),
        notes=tuple(row["notes"]),
        findings=Findings(
            slopes=tuple(Slope(**_numbers(one)) for one in found["slopes"]),
            factors=tuple(Factor(**_numbers(one)) for one in found["factors"]),
            heterogeneity=Heterogeneity(
                outcome=Test(**between["outcome"]),
                covariate=Test(**between["covariate"]),
                turned=between["turned"],
                words=between["words"],
            ),
            **{name: found[name] for name in ("budget", "replicates", "seed")},
        ),
    )


def _numbers(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with nan where nothing is known."""
    return {name: math.nan if part is None else part for name, part in row.items()}
