r"""How far volunteers are from the population: divergences of a target T from a source S.

With the weight w = dT/dS, [KS] measures closeness by X = E_S w² = E_T w, which is one plus the
chi-square divergence. It is 1 for equal distributions and infinite where the source misses
people, or has too few of them, that the target holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rates.numbers import DomainError, Parameter, Words

_LARGEST = math.log(1e308)
SHARE = Parameter(
    "share",
    "ρ",
    "(0, 1]",
    noun="The share of volunteers who are like the population",
    help="Share of the volunteers who are like the population; the others differ from it.",
)
COORDINATES = Parameter(
    "coordinates",
    "k",
    "1, ..., 1e6",
    noun="The number of coordinates that differ",
    help="In how many covariates volunteers and population have different spreads.",
)
SPREAD = Parameter(
    "spread",
    "σ",
    "(0, inf)",
    noun="A standard deviation",
    help="Standard deviation of the covariates that differ.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergences:
    """Divergences of a target from a source, as logs so that none overflows.

    Attributes:
        log_mean_square: log X, with X the chi-square divergence plus one; ``inf`` if infinite.
        log_supremum: log of the largest weight sup dT/dS; ``inf`` if unbounded.
        note: Why a divergence is infinite, and what still holds; empty if all are finite.
    """

    log_mean_square: float
    log_supremum: float
    note: str = ""

    @property
    def mean_square(self) -> float:
        """X, the chi-square divergence plus one; ``inf`` above 1e308."""
        return math.exp(self.log_mean_square) if self.log_mean_square < _LARGEST else math.inf


def of_clusters(share: float) -> Divergences:
    r"""Return the divergences where a share of the volunteers is the population.

    .. math:: S = \rho\,T + (1-\rho)\,Q, \quad Q \perp T: \qquad X = \sup w = 1/\rho.

    Args:
        share: ρ, in (0, 1].

    Raises:
        DomainError: The share is outside its set.

    >>> of_clusters(0.25).mean_square
    4.0

    Source: [KS] Section 2, definitions.
    """
    log_weight = -math.log(SHARE.check(share, "Volunteers")) + 0.0
    return Divergences(log_mean_square=log_weight, log_supremum=log_weight)


def of_gaussians(coordinates: int, source_spread: float, target_spread: float) -> Divergences:
    r"""Return the divergences of centred Gaussians that differ in the spread of k coordinates.

    .. math:: X = \Big(\frac{\sigma_S^4}{\sigma_T^2(2\sigma_S^2-\sigma_T^2)}\Big)^{k/2}, \quad
        \sup w = (\sigma_S/\sigma_T)^k.

    X is infinite from σ_T² = 2 σ_S² on, the supremum as soon as σ_T exceeds σ_S.

    Args:
        coordinates: k, at least 1.
        source_spread: σ_S, in any unit.
        target_spread: σ_T, in the same unit.

    Raises:
        DomainError: A number is outside its set.

    >>> round(of_gaussians(6, 1.0, 0.4).mean_square, 2)
    39.19

    Source: [KS] Section 5 and Appendix D.
    """
    k = COORDINATES.check(coordinates, "Gaussians")
    log_ratio = math.log(SPREAD.check(target_spread, "Target")) - math.log(
        SPREAD.check(source_spread, "Source")
    )
    if log_ratio == 0:
        return Divergences(log_mean_square=0.0, log_supremum=0.0)
    square = math.exp(2.0 * min(log_ratio, 300.0))
    notes = []
    if square >= 2.0:
        log_mean = math.inf
        notes.append(
            "The target's variance is at least twice the source's, so the chi-square divergence "
            "is infinite: every bound here is void. Kullback-Leibler is still finite."
        )
    else:
        log_mean = -0.5 * k * (2.0 * log_ratio + math.log(2.0 - square))
    if log_ratio > 0:
        notes.append(
            "The target spreads wider than the source, so single people may weigh without bound "
            "and the baseline with the largest weight does not exist."
        )
    supremum = math.inf if log_ratio > 0 else -k * log_ratio
    return Divergences(log_mean_square=log_mean, log_supremum=supremum, note=" ".join(notes))


def of_tables(source: Sequence[float], target: Sequence[float]) -> Divergences:
    r"""Return the divergences of two tables of frequencies over the same groups.

    .. math:: X = \sum_g T_g^2/S_g, \quad \sup w = \max_g T_g/S_g.

    Both tables are divided by their sums, so counts may be given.

    Args:
        source: Frequencies among the volunteers, at least 0 and not all 0.
        target: Frequencies in the population, of the same length.

    Raises:
        DomainError: A table is empty, negative, not finite, all zero or of another length.

    >>> of_tables([1, 1], [3, 1]).mean_square
    1.25

    Source: [KS] Section 2, definitions.
    """
    s, t = _table("source", source), _table("target", target)
    if s.size != t.size:
        rule = "Both tables must have the same number of groups."
        raise DomainError(rule, "target", Words(f"{s.size} and {t.size}"))
    missing = int(np.count_nonzero((s == 0) & (t > 0)))
    if missing:
        groups = "1 group" if missing == 1 else f"{missing} groups"
        note = (
            f"The population has {groups} in which there is no volunteer: no reweighting can "
            "stand in for them, all divergences are infinite, and only the population's own "
            "answers can help."
        )
        return Divergences(log_mean_square=math.inf, log_supremum=math.inf, note=note)
    there = t > 0
    log_weight = np.log(t[there]) - np.log(s[there])
    top = float(log_weight.max())
    log_mean = top + math.log(float(t[there] @ np.exp(log_weight - top)))
    return Divergences(log_mean_square=max(log_mean, 0.0), log_supremum=max(top, 0.0))


def _table(name: str, values: Sequence[float]) -> np.ndarray:
    """Return frequencies that sum to one."""
    table = np.asarray(list(values), dtype=float)
    rule = f"The table {name} must list frequencies of at least 0, finite and not all 0."
    if table.ndim != 1 or table.size == 0 or not np.isfinite(table).all() or (table < 0).any():
        raise DomainError(rule, name, Words(f"{table.size} entries"))
    if table.max() == 0:
        raise DomainError(rule, name, 0.0)
    scaled = table / table.max()
    return np.asarray(scaled / scaled.sum())
