"""How much sites differ: the spread of their curves beyond sampling noise, with a test.

[CCV] takes every site's records from one law, and [ACC] lets a site's signal be weaker by an
exponent, on the same side of 1/2. On real records neither need hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sims.engine import Array
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
        between: Its degrees of freedom.
        within: Those of the mean square within.
        p_value: Chance of an F as large for sites alike.
    """

    of: str
    spread: float
    noise: float
    statistic: float
    between: int
    within: int
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
        return Test(
            of=of, spread=0.0, noise=0.0, statistic=1.0, between=df1, within=df2, p_value=1.0
        )
    square = within / df2
    statistic = between / df1 / square
    whole, squares = (np.bincount(group % parts, w, parts) for w in (n, n.astype(float) ** 2))
    size = (total - float(np.sum(squares / whole))) / df1
    return Test(
        of=of,
        spread=float(np.sqrt(max((statistic - 1.0) * square / size, 0.0))),
        noise=float(np.sqrt(square * np.mean(1.0 / n))),
        statistic=statistic,
        between=df1,
        within=df2,
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
