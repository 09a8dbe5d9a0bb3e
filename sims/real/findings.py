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

from sims.curves import cell_of
from sims.engine import Estimate, Point, Progress, fit, scaling
from sims.real.design import ASYMPTOTIC, thresholds
from sims.real.sites import Sites

BINS = 4  # parts of the covariate in which sites are compared
CLEAR = 0.01  # chance below which a difference is called real


@dataclass(frozen=True, slots=True, kw_only=True)
class Heterogeneity:
    """How far the sites' mean outcomes at equal covariates differ: an analysis of variance.

    Attributes:
        spread: Standard deviation between sites beyond sampling noise, in the outcome's own unit;
            0 where sampling explains all.
        statistic: F, mean square between over mean square within.
        p_value: Chance of an F as large for sites alike.
    """

    spread: float
    statistic: float
    p_value: float

    @property
    def clear(self) -> bool:
        """Whether sampling does not explain the difference."""
        return self.p_value < CLEAR

    def told(self, sites: Sites) -> str:
        """Return what is said of it, and what it means for the theory, as sentences."""
        name, unit = sites.words["sites"], f"{sites.high - sites.low:g}"
        chance = f"{self.p_value:.2g}" if self.p_value >= 1e-4 else "below 0.0001"
        test = f"(F {self.statistic:.2f}, p {chance})"
        said = f"At equal covariates sampling explains how the {name} differ {test}."
        if self.clear:
            said = (
                f"The {name} differ beyond chance: at equal covariates their mean outcomes spread "
                f"by {self.spread:.3g} on a range of {unit} {test}."
            )
        if sites.kind == "curve":
            return f"{said} The theory of curves assumes that all sites are alike."
        return f"{said} The theory of labels allows a weaker signal at a site, never a turned one."


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
        argument: Where points are too few, how many lie in the window, and why; else empty.
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
        budget: That of the sweeps over n and m.
        replicates: Asked for at each point.
        seed: Of the run.
    """

    slopes: tuple[Slope, ...]
    factors: tuple[Factor, ...]
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
        slopes=tuple(_slope(name, series[name]) for name in ASYMPTOTIC),
        factors=_factors(series, sites),
        budget=series["n"][0][0].settings.number("epsilon"),
        replicates=progress.request.replicates,
        seed=progress.request.seed,
    )


def _slope(series: str, pairs: Sequence[tuple[Point, Estimate]]) -> Slope:
    points, estimates = zip(*pairs, strict=True)
    found = fit(points, estimates)

    measured, asymptotic = found.slope, ASYMPTOTIC[series]
    low, high = (measured.low, measured.high) if measured else (math.nan, math.nan)
    verdict = scaling.TOO_FEW
    if found.used >= 3:
        ends = sorted((asymptotic, found.theory))
        verdict = scaling.AGREES if low <= ends[1] and high >= ends[0] else scaling.DIFFERS
        # An interval with 0 in it says not even that the error falls.
        if low < 0.0 < high:
            verdict = scaling.CANNOT_DISTINGUISH
    return Slope(
        series=series,
        value=measured.value if measured else math.nan,
        low=low,
        high=high,
        asymptotic=asymptotic,
        mechanism=found.theory,
        used=found.used,
        verdict=verdict,
        argument=_of_window(points) if verdict == scaling.TOO_FEW else "",
    )


def _of_window(points: Sequence[Point]) -> str:
    """Return how many points lie in the window, and why most of the others do not."""
    reasons = Counter(point.left_out for point in points if point.left_out)
    inside = len(points) - reasons.total()
    most = f"; most of the others: {reasons.most_common(1)[0][0]}" if reasons else ""
    return f"Of {len(points)} points {inside} lie in the window{most}."


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
    """Compare sites within parts of the covariate.

    Source: Fisher (1925); DerSimonian and Laird (1986) for spread by moments, here with the
    pooled variance within.
    """
    from scipy.special import fdtrc

    Q = sites.cells
    cell, part = cell_of(sites.place, Q), cell_of(sites.place, BINS)
    mean = np.bincount(cell, sites.y, Q) / np.maximum(np.bincount(cell, minlength=Q), 1)
    residual = sites.y - mean[cell]
    group, at, n = np.unique(sites.site * BINS + part, return_inverse=True, return_counts=True)
    between = float(n @ (np.bincount(at, residual) / n) ** 2)
    within = float(residual @ residual) - between
    # Each cell's mean was taken off, and the parts' means are among them.
    df1, df2 = len(n) - BINS, len(residual) - len(n) - (Q - BINS)
    if df1 < 1 or df2 < 1 or within <= 0:
        return Heterogeneity(spread=0.0, statistic=1.0, p_value=1.0)
    square = within / df2
    statistic = between / df1 / square
    whole, squares = (np.bincount(group % BINS, w, BINS) for w in (n, n.astype(float) ** 2))
    size = (len(residual) - float(np.sum(squares / whole))) / df1
    return Heterogeneity(
        spread=float(np.sqrt(max((statistic - 1.0) * square / size, 0.0))),
        statistic=statistic,
        p_value=float(fdtrc(df1, df2, statistic)),
    )


# Stored results of the public data sets, for where their package is not installed ---------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What is stored of one data set.

    Attributes:
        key: Of the data set.
        sites: How many were used.
        records: How many of all sites.
        differ: How the sites differ, as sentences.
        findings: Of the default run.
    """

    key: str
    sites: int
    records: int
    differ: str
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
    found = row["findings"]
    slopes = tuple(Slope(**_numbers(one)) for one in found["slopes"])
    factors = tuple(Factor(**_numbers(one)) for one in found["factors"])
    return Stored(**row | {"findings": Findings(**found | {"slopes": slopes, "factors": factors})})


def _numbers(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with nan where nothing is known."""
    return {name: math.nan if part is None else part for name, part in row.items()}
