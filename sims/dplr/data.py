r"""Transfer logistic regression on one's own records: a table with a source column.

The steps are those of the simulated design: statistics are released once per fold, and everything
else is post-processing. What comes before is not private: columns are scaled by their mean and
standard deviation over all records, and a part of the target is set aside to measure accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rates.numbers import DomainError, Words
from rates.rows import numeric_cell, numeric_table
from sims.dplr.release import Release, noise_share, release
from sims.dplr.solver import FOLDS, METHODS, Detection, detect, transfer
from sims.engine import Array, Estimate, generator

MOST_ROWS, MOST_COLUMNS, MOST_SITES = 50_000, 60, 40
TEST, LEAST_TEST = 0.3, 10  # share of the target that is set aside, and least records of it
_MISSING = {"", "?", "na", "nan", "null", "none"}
CONSTANT = "(constant)"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sites:
    """Records of several sites with common covariates.

    Attributes:
        names: The sites, in order of appearance.
        covariates: Names of the columns of x.
        x: Covariates by site, shape (n_k, p).
        y: Labels 0 or 1 by site, shape (n_k,).
        notes: What was dropped or noticed, as sentences.
    """

    names: tuple[str, ...]
    covariates: tuple[str, ...]
    x: tuple[Array, ...]
    y: tuple[Array, ...]
    notes: tuple[str, ...] = ()


def read_sites(text: str | bytes) -> Sites:
    r"""Read a table with columns source and y; all others are numeric covariates.

    Rows with a missing value (empty, ?, NA) are dropped and counted; columns that never vary are
    dropped and named.

    Args:
        text: CSV with a header line; comma, semicolon or tab.

    Raises:
        DomainError: The table is refused; the message names row and column.

    >>> sites = read_sites("source,y,age\nA,1,3\nA,0,1\nB,1,2\nB,?,5\nB,0,1")
    >>> sites.names, sites.covariates, [len(y) for y in sites.y], sites.notes
    (('A', 'B'), ('age',), [2, 2], ('1 row with a missing value dropped.',))
    """
    header, rows = numeric_table(
        text,
        "A table of records",
        ("source", "y"),
        others=(1, MOST_COLUMNS),
        records=(1, MOST_ROWS),
    )
    names = [cell for cell in header if cell not in ("source", "y")]
    places = [header.index(name) for name in names]
    source, label = header.index("source"), header.index("y")
    by_site: dict[str, list[tuple[list[float], float]]] = {}
    dropped = 0
    for number, cells in enumerate(rows, start=1):
        if any(cell.lower() in _MISSING for cell in cells):
            dropped += 1
            continue
        where = f"Row {number}"
        if cells[label] not in ("0", "1", "0.0", "1.0"):
            raise DomainError("y must be 0 or 1.", field="y", value=cells[label], where=where)
        values = [numeric_cell(cells[k], header[k], where) for k in places]
        by_site.setdefault(cells[source][:80], []).append((values, float(cells[label])))
    if len(by_site) < 2 or len(by_site) > MOST_SITES:
        rule = f"The table needs complete records of 2 to {MOST_SITES} sources."
        raise DomainError(rule, field="source", value=Words(f"{len(by_site)} of them"))
    x = [np.array([values for values, _ in rows]) for rows in by_site.values()]
    y = [np.array([label for _, label in rows]) for rows in by_site.values()]
    for name, labels in zip(by_site, y, strict=True):
        if labels.min() == labels.max():
            rule = "Every source must hold records of both classes."
            got = Words(f"only y = {labels[0]:g} in {len(labels)} records")
            raise DomainError(rule, field="y", value=got, where=f"Source {name!r}")
    return _without_constants(tuple(by_site), names, x, y, dropped)


def _without_constants(
    sites: tuple[str, ...], names: list[str], x: list[Array], y: list[Array], dropped: int
) -> Sites:
    notes = []
    if dropped:
        notes.append(f"{dropped} row{'s' * (dropped > 1)} with a missing value dropped.")
    everything = np.concatenate(x)
    varies = everything.max(axis=0) > everything.min(axis=0)
    lost = [name for name, keep in zip(names, varies.tolist(), strict=True) if not keep]
    if lost:
        notes.append(f"Dropped, as the same in every record: {', '.join(lost)}.")
    if not varies.any():
        rule = "At least one covariate must vary."
        raise DomainError(rule, field="columns", value=Words("none that does"))
    return Sites(
        names=sites,
        covariates=tuple(n for n, keep in zip(names, varies.tolist(), strict=True) if keep),
        x=tuple(values[:, varies] for values in x),
        y=tuple(y),
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnStudy:
    """What the four methods do on one's own records.

    Attributes:
        target: The target's name.
        sources: The sources' names.
        detection: Of the first split.
        kept: Share of splits in which each source was kept.
        accuracy: Accuracy on records set aside, by method.
        baseline: Accuracy of always saying the more frequent class of those records.
        notes: What to know before believing it, as sentences.
    """

    target: str
    sources: tuple[str, ...]
    detection: Detection
    kept: tuple[float, ...]
    accuracy: dict[str, Estimate]
    baseline: Estimate
    notes: tuple[str, ...]


def scaled(sites: Sites) -> Sites:
    """Return the sites with columns of mean 0 and variance 1 over all records, and a constant.

    >>> two = Sites(names=("A", "B"), covariates=("a",), x=(np.zeros((1, 1)), np.ones((1, 1))),
    ...     y=(np.zeros(1), np.ones(1)))
    >>> [x.tolist() for x in scaled(two).x]
    [[[1.0, -1.0]], [[1.0, 1.0]]]
    """
    everything = np.concatenate(sites.x)
    peak = np.abs(everything).max(axis=0)  # squares of very small numbers would vanish
    mean, sd = (everything / peak).mean(axis=0), (everything / peak).std(axis=0)
    return replace(
        sites,
        covariates=(CONSTANT, *sites.covariates),
        x=tuple(np.column_stack([np.ones(len(x)), (x / peak - mean) / sd]) for x in sites.x),
    )


def own_study(
    sites: Sites, target: str, how: Release, *, splits: int = 5, seed: int = 0
) -> OwnStudy:
    """Detect, transfer and measure accuracy on records of the target that are set aside.

    Args:
        sites: The records.
        target: Name of the target.
        how: Clipping and noise of every release.
        splits: Random splits of the target, at least 2; each has noise of its own.
        seed: Where the random numbers come from.

    Raises:
        DomainError: The target is no site, or has too few records or only one class to train on.

    Source: [DPLR] Section 3.3 for the setting.
    """
    if target not in sites.names:
        rule = f"The target must be one of {', '.join(sites.names)}."
        raise DomainError(rule, field="target", value=target)
    ready = scaled(sites)
    place = sites.names.index(target)
    others = [k for k in range(len(sites.names)) if k != place]
    x, y = ready.x[place], ready.y[place]
    # Of the target alone: accuracy at the sources is nobody's question.
    tested = round(TEST * len(y))
    if tested < LEAST_TEST or len(y) - tested < 2 * FOLDS:
        rule = (
            f"The target needs at least {LEAST_TEST} records to be set aside and {2 * FOLDS} to "
            f"be fitted in {FOLDS} folds."
        )
        raise DomainError(rule, field="target", value=Words(f"{len(y)} records of {target}"))
    found, right, base = [], [], []
    for k in range(splits):
        order = generator(seed, "own records", k).permutation(len(y))
        aside, train = order[:tested], order[tested:]
        if y[train].min() == y[train].max():
            rule = "Every split must train on both classes; the target has too few of one."
            raise DomainError(rule, field="y", value=Words(f"{int(y.sum())} of {len(y)} are 1"))
        noise = generator(seed, "own noise", k)
        folds = release(x[train], y[train], how, noise, folds=FOLDS, who=target)
        parts = [release(ready.x[j], ready.y[j], how, noise, who=sites.names[j])[0] for j in others]
        # Post-processing of what was released, so it costs no budget.
        found.append(detect(folds, parts))
        good = [part for part, keep in zip(parts, found[k].kept, strict=True) if keep]
        hits = (x[aside] @ transfer(folds, [[], parts, good]).T > 0) == y[aside, None]
        right.append(hits.mean(axis=0).tolist())
        base.append(max(float(y[aside].mean()), 1.0 - float(y[aside].mean())))
    methods = [METHODS[name] for name in ("naive", "all", "detected")]
    return OwnStudy(
        target=target,
        sources=tuple(sites.names[j] for j in others),
        detection=found[0],
        kept=tuple(np.mean([one.kept for one in found], axis=0).tolist()),
        accuracy={m: Estimate.of(row) for m, row in zip(methods, np.array(right).T, strict=True)},
        baseline=Estimate.of(np.array(base)),
        notes=_warnings(ready, how, len(y) - tested),
    )


def _warnings(ready: Sites, how: Release, train: int) -> tuple[str, ...]:
    """Say what spoils the answer, if anything does."""
    notes = list(ready.notes)
    p = len(ready.covariates)
    share = noise_share(how, p, max(train // FOLDS, 1))
    if share > 1:
        notes.append(
            f"The target's released matrix is all noise: in each fold the noise alone has an "
            f"eigenvalue about {share:.3g} times a covariate's variance. A larger epsilon, fewer "
            "covariates or more records are needed."
        )
    return tuple(notes)
