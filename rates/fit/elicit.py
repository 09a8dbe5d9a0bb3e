"""Parameters from plain questions, and roughly from a pilot; refused outside the theory."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, Words, as_number
from rates.rows import numeric_cell, numeric_table

Array = NDArray[np.float64]

LEAST_RECORDS = 50
MOST_RECORDS = 10_000  # a limit of ours
MOST_COVARIATES = 20
_WIDE, _NARROW, _STEP = 0.10, 0.05, 0.10
_BOOTSTRAPS = 40
_RESAMPLED = 400  # records in a resampled pilot at most: the fit compares all pairs


def margin_from_shares(wide: float, narrow: float) -> float:
    r"""Return the margin from the shares of patients within 10 and within 5 points of 50%.

    .. math:: \alpha = \frac{\log(\text{wide}/\text{narrow})}{\log(0.10/0.05)}

    The margin condition with equality, share(t) = C t^alpha, at t = 0.10 and t = 0.05: the
    quotient of the two shares is 2^alpha, and C cancels.

    Args:
        wide: Share of patients with a risk between 40 and 60%, in (0, 1].
        narrow: Share between 45 and 55%, in (0, wide].

    Raises:
        DomainError: A share is no share, or the narrow one is larger.

    >>> margin_from_shares(0.2, 0.1), margin_from_shares(0.2, 0.05)
    (1.0, 2.0)

    Source: [ACC] Definition 2.5.
    """
    wide = _share(wide, "share between 40 and 60%")
    narrow = _share(narrow, "share between 45 and 55%")
    if narrow > wide:
        rule = "The patients between 45 and 55% are among those between 40 and 60%."
        raise DomainError(rule, "share between 45 and 55%", narrow)
    return math.log(wide / narrow) / math.log(_WIDE / _NARROW)


def signal_from_risks(site: float, target: float = 0.6) -> float:
    r"""Return a site's signal exponent from its risk for patients of a given target risk.

    .. math:: \gamma = \frac{\log|\text{site} - 1/2|}{\log|\text{target} - 1/2|}

    The definition with equality and constant 1, |site - 1/2| = |target - 1/2|^gamma.

    Args:
        site: The site's risk for those patients, on the same side of 1/2, not 1/2.
        target: The target's risk for them, not 1/2, 0 or 1.

    Raises:
        DomainError: A risk is no risk, equals 1/2, or the sides differ.

    >>> round(signal_from_risks(0.6), 9), round(signal_from_risks(0.51), 9)
    (1.0, 2.0)

    Source: [ACC] Definition 2.3.
    """
    site, target = _share(site, "site's risk"), _share(target, "target's risk")
    if target in (0.5, 1.0):
        rule = "Ask about patients whose risk at the target is neither 50 nor 100%."
        raise DomainError(rule, "target's risk", target)
    if site == 0.5:
        rule = (
            "A site that shows 50% where the target does not says nothing: no finite gamma "
            "describes it."
        )
        raise DomainError(rule, "site's risk", site)
    if (site > 0.5) != (target > 0.5):
        rule = (
            "The site's risk must lie on the target's side of 50%; on the other side the "
            "theory does not apply to this site."
        )
        raise DomainError(rule, "site's risk", site)
    return math.log(abs(site - 0.5)) / math.log(abs(target - 0.5))


def smoothness_from_change(change: float) -> float:
    r"""Return the smoothness from the largest risk change over a tenth of a covariate's range.

    .. math:: \beta = \frac{\log(\text{change})}{\log(0.1)}

    The Hölder condition with equality and constant 1, change = step^beta, at a step of 0.1 of
    the covariate's range.

    Args:
        change: The largest change of risk, in [0.1, 1).

    Raises:
        DomainError: It is no change of risk, or gives a smoothness outside (0, 1].

    >>> round(smoothness_from_change(0.1), 9), round(smoothness_from_change(10**-0.5), 9)
    (1.0, 0.5)

    Source: [ACC] Definition 2.4.
    """
    change = _share(change, "change of risk")
    if change >= 1.0:
        rule = "A risk that jumps from 0 to 100% within a tenth of the range is not smooth at all."
        raise DomainError(rule, "change of risk", change)
    beta = math.log(change) / math.log(_STEP)
    if beta > 1.0 + 1e-9:
        rule = (
            f"A change below 10 points gives beta = {beta:.3g}; the theory stops at 1 and cannot "
            "use more smoothness. Take 1."
        )
        raise DomainError(rule, "change of risk", change)
    return min(beta, 1.0)


def _share(value: object, field: str) -> float:
    number = as_number(value)
    if number is None or not 0.0 < number <= 1.0:
        raise DomainError("A share or risk must lie above 0 and at most at 100%.", field, value)
    return float(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """A rough fit to a pilot's records. It is not private: its numbers depend on every record.

    Attributes:
        records: Number of records.
        covariates: Names of the covariates, each scaled to its own range.
        prevalence: Share of records with label 1.
        smoothness: Range of beta over resampled pilots, the middle 80%; None if refused.
        margin: The same for alpha.
        notes: What was refused, and why.
    """

    records: int
    covariates: tuple[str, ...]
    prevalence: float
    smoothness: tuple[float, float] | None
    margin: tuple[float, float] | None
    notes: tuple[str, ...]


def fit_pilot(data: str | bytes, *, seed: int = 0) -> Pilot:
    """Fit smoothness and margin roughly to a pilot: covariates, and a label 0 or 1 last.

    Each record's risk is estimated from its nearest neighbours without itself; the two closed
    forms above are applied to these risks. The ranges come from 40 resampled pilots of at most
    400 records. They say how much the pilot leaves open, not how wrong the neighbours are.

    Args:
        data: CSV text or bytes with a header; numbers only, the last column is the label.
        seed: Of the resampling.

    Raises:
        DomainError: The text is no such table, has fewer than 50 records, or one class only.

    Source: [ACC] Definitions 2.4, 2.5, by nearest neighbours.
    """
    names, x, y = read_pilot(data)
    draws: list[tuple[float, float]] = []
    for k in range(_BOOTSTRAPS):
        rows = np.random.default_rng([seed, k]).integers(0, len(y), min(len(y), _RESAMPLED))
        draws.append(_rough(x[rows], y[rows], rows))
    beta, alpha = np.array(draws).T
    notes: list[str] = []
    return Pilot(
        records=len(y),
        covariates=names,
        prevalence=float(y.mean()),
        smoothness=_spread(beta, "smoothness", notes),
        margin=_spread(alpha, "margin", notes),
        notes=tuple(notes),
    )


def read_pilot(data: str | bytes) -> tuple[tuple[str, ...], Array, Array]:
    r"""Return a pilot's covariate names, its covariates on [0, 1] and its labels.

    Args:
        data: CSV text or bytes with a header; numbers only, the last column is the label.

    Returns:
        Names (d,), covariates of shape (records, d), each scaled to its own range, labels.

    Raises:
        DomainError: The text is no such table, has fewer than 50 records, or one class only.

    >>> names, x, y = read_pilot("x,y\n" + "\n".join(f"{k},{k % 2}" for k in range(51)))
    >>> names, x.shape, float(x.max()), float(y.sum())
    (('x',), (51, 1), 1.0, 25.0)
    """
    names, rows = numeric_table(
        data, "A pilot", others=(2, MOST_COVARIATES + 1), records=(LEAST_RECORDS, MOST_RECORDS)
    )
    table = np.array(
        [
            [numeric_cell(cell, name, f"Row {k}") for name, cell in zip(names, row, strict=True)]
            for k, row in enumerate(rows, start=1)
        ]
    )
    x, y = _scaled(table[:, :-1]), table[:, -1]
    if not np.isin(y, (0.0, 1.0)).all():
        bad = float(y[~np.isin(y, (0.0, 1.0))][0])
        raise DomainError("A label is 0 or 1.", names[-1], bad, "Pilot")
    if y.min() == y.max():
        rule = "A pilot needs both labels: with one class there is no risk to learn."
        raise DomainError(rule, names[-1], Words(f"only {y[0]:g}"), "Pilot")
    return tuple(names[:-1]), x, y


def _scaled(x: Array) -> Array:
    """Every covariate on the range 0 to 1; one that never varies says nothing."""
    low, width = x.min(axis=0), np.ptp(x, axis=0)
    return np.asarray((x - low) / np.where(width > 0, width, 1.0))


def _rough(x: Array, y: Array, origin: NDArray[np.int64]) -> tuple[float, float]:
    """Return beta and alpha of one resampled pilot; nan where the closed form refuses."""
    from scipy.spatial.distance import cdist  # here: it takes its time to load

    distance = cdist(x, x, "chebyshev")  # the largest difference in any covariate
    same = origin[:, None] == origin[None, :]  # a record does not vote on itself
    k = max(5, round(len(y) ** 0.5))  # the usual square root; five at least for a share
    near = np.argsort(np.where(same, np.inf, distance), axis=1)[:, :k]
    risk = y[near].mean(axis=1)
    pairs = (distance <= _STEP) & ~same
    # The largest change would be noise: nine in ten lie below what is taken.
    changes = np.abs(risk[:, None] - risk[None, :])[pairs]
    change = float(np.quantile(changes, 0.9)) if changes.size else math.nan
    away = np.abs(risk - 0.5)
    shares = [float((away <= t + 1e-12).mean()) for t in (_WIDE, _NARROW)]
    return _or_nan(smoothness_from_change, change), _or_nan(margin_from_shares, *shares)


def _or_nan(form, *values: float) -> float:  # type: ignore[no-untyped-def]
    try:
        return float(form(*values))
    except DomainError:
        return math.nan


def _spread(values: Array, name: str, notes: list[str]) -> tuple[float, float] | None:
    """The middle 80% of the resampled values, if most of them exist."""
    good = values[np.isfinite(values)]
    if len(good) < len(values) / 2:
        notes.append(f"No range for the {name}: most resampled pilots give none that is allowed.")
        return None
    low, high = np.quantile(good, [0.1, 0.9])
    return float(low), float(high)
