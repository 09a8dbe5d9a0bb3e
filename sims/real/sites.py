"""Records of real sites: validated once, the covariate on [0, 1] and the outcome within bounds.

The covariate is replaced by its place among all records, 0 for the lowest and 1 for the highest;
records with equal covariates are spread evenly over the places that they share. So the design is
the one of [CCV], uniform on [0, 1], for all records together, though not for each site. The
distribution of the covariate over all sites is thereby taken to be public, like that of the marks
of a national examination; the outcome's bounds are public too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, Words
from sims.engine import Array

Kind = Literal["curve", "classification"]
KINDS: tuple[Kind, ...] = ("curve", "classification")
MOST_SITES, MOST_RECORDS = 2_000, 500_000  # ours: a replicate draws every record anew
LEAST_RECORDS = 40  # ours: fewer tell nothing of a curve
FULL = 200  # records in a cell of the truth: its mean is known to a fourteenth of an outcome's sd
HELD = 4  # of so many records of a site one is held out, for a classification
CELLS = (8, 64)  # fewest and most cells of the truth


@dataclass(frozen=True, kw_only=True, eq=False)
class Sites:
    """Records of several sites, ready for an experiment.

    Attributes:
        key: Name of the data set; "own" for an uploaded table.
        title: What a list shows.
        kind: "curve" or "classification".
        names: The sites, in order of their size, largest first.
        site: Number of each record's site, increasing, (N,).
        x: Covariates as in the data, (N,).
        place: Their places in [0, 1], (N,).
        y: Outcomes, clipped to their bounds; 0 or 1 for a classification, (N,).
        low: Public lower bound of the outcome.
        high: Public upper bound.
        words: What sites, records, x and y are called.
        notes: What was dropped, set aside or clipped, counted, as sentences.
    """

    key: str
    title: str
    kind: Kind
    names: tuple[str, ...]
    site: NDArray[np.intp] = field(repr=False)
    x: Array = field(repr=False)
    place: Array = field(repr=False)
    y: Array = field(repr=False)
    low: float
    high: float
    words: dict[str, str]
    notes: tuple[str, ...] = ()

    @property
    def records(self) -> int:
        """All records."""
        return len(self.y)

    @property
    def m(self) -> int:
        """Number of sites."""
        return len(self.names)

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """Records of each site, largest first."""
        return np.bincount(self.site, minlength=self.m)

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """Where each site's records begin."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]])

    @cached_property
    def scaled(self) -> Array:
        """Outcomes on [-1, 1]: the middle of the public bounds is 0."""
        return np.asarray((2.0 * self.y - self.low - self.high) / (self.high - self.low))

    @property
    def cells(self) -> int:
        """Cells of the truth: a power of two, with about `FULL` records in each."""
        told = self.records if self.kind == "curve" else self.records // HELD
        fewest, most = CELLS
        # A power of two, so that steps of the Haar basis are whole cells.
        wanted = 2 ** int(np.log2(max(told / FULL, 1.0)))
        return int(min(max(wanted, fewest), most))

    def outcome(self, scaled: Array) -> Array:
        """Return outcomes on [-1, 1] in the data's own unit."""
        return 0.5 * (self.low + self.high + scaled * (self.high - self.low))

    def covariate(self, places: Sequence[float]) -> list[float]:
        """Return which covariates stand at these places among all records."""
        return [float(v) for v in np.quantile(self.x, np.clip(places, 0.0, 1.0))]

    def listed(self) -> list[tuple[str, int, float, float]]:
        """Return name, records, mean outcome and mean place of every site, largest first."""
        y, place = (np.bincount(self.site, x, self.m) / self.sizes for x in (self.y, self.place))
        return [*zip(self.names, self.sizes.tolist(), y.tolist(), place.tolist(), strict=True)]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of sites, covariates and outcomes, which names the data in a result."""
        parts = [self.site.astype("<i8"), self.x.astype("<f8"), self.y.astype("<f8")]
        return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


def made(
    *,
    key: str,
    title: str,
    kind: Kind,
    names: Sequence[str],
    x: Array,
    y: Array,
    bounds: tuple[float, float],
    words: dict[str, str],
    notes: tuple[str, ...] = (),
) -> Sites:
    """Return the sites of records, one entry per record; nan is missing.

    Records with a gap are dropped and counted, sites of one record set aside and counted, and
    outcomes outside the bounds clipped and counted.

    Raises:
        DomainError: Nothing varies, too few sites or records are left, or there are too many.
    """
    where, column = title, np.asarray(names)
    said = list(notes)
    whole = np.isfinite(x) & np.isfinite(y) & (column != "")
    if lost := int(np.count_nonzero(~whole)):
        said.append(f"{lost:,} of {len(x):,} records have a gap in site, x or y and were dropped.")
    column, x, y = column[whole], np.asarray(x, float)[whole], np.asarray(y, float)[whole]
    labels, site, counts = np.unique(column, return_inverse=True, return_counts=True)
    single = counts < 2
    if single.any():
        some = int(single.sum())
        said.append(
            f"{some:,} site{'s' * (some > 1)} of one record {'were' if some > 1 else 'was'} set "
            "aside: what varies within a site cannot be seen there."
        )
        kept = ~single[site]
        x, y, site = x[kept], y[kept], site[kept]
    # By name where sizes are equal, or the order would be that of the file.
    order = np.lexsort((labels, -counts))
    order = order[~single[order]]
    _check_sizes(len(order), len(y), where)
    low, high = bounds
    outside = int(np.count_nonzero((y < low) | (y > high)))
    if outside:
        said.append(f"{outside:,} outcomes were clipped to [{low:g}, {high:g}].")
    y = np.clip(y, low, high)
    for name, values in (("x", x), ("y", y)):
        if np.ptp(values) == 0:
            rule = f"{name} must vary: a constant tells nothing."
            raise DomainError(rule, field=name, value=float(values[0]), where=where)
    rank = np.empty(len(labels), np.intp)
    rank[order] = np.arange(len(order))
    number = rank[site]
    turn = np.lexsort((y, x, number))  # one order for the same records, however they came
    x, y, number = x[turn], y[turn], number[turn]
    return Sites(
        key=key,
        title=title,
        kind=kind,
        names=tuple(str(labels[j]) for j in order),
        site=number,
        x=x,
        place=places_of(x),
        y=y,
        low=low,
        high=high,
        words=words,
        notes=tuple(said),
    )


def places_of(x: Array) -> Array:
    """Return each value's place among all, in (0, 1); equal ones are spread over their places.

    The spread goes in steps of the golden section, so that neither sites nor outcomes, by which
    records are sorted, have a part in it.

    >>> places_of(np.array([3.0, 1.0, 2.0, 2.0])).round(3).tolist()
    [0.875, 0.125, 0.375, 0.625]
    """
    # Multiples of the golden section spread most evenly, however many there are.
    golden = 0.6180339887498949
    scattered = (np.arange(len(x)) * golden) % 1.0
    order = np.lexsort((scattered, x))
    out = np.empty(len(x))
    out[order] = (np.arange(len(x)) + 0.5) / len(x)
    return out


def _check_sizes(sites: int, records: int, where: str) -> None:
    if sites < 2:
        rule = "There must be at least two sites with two records or more."
        raise DomainError(rule, field="site", value=sites, where=where)
    if sites > MOST_SITES:
        rule = f"There may be at most {MOST_SITES:,} sites here."
        raise DomainError(rule, field="site", value=sites, where=where)
    if not LEAST_RECORDS <= records <= MOST_RECORDS:
        rule = f"There must be {LEAST_RECORDS} to {MOST_RECORDS:,} whole records here."
        got = Words(f"{records:,}")
        raise DomainError(rule, field="rows", value=got, where=where)
