"""A table of one's own with the columns site, x and y."""

from __future__ import annotations

import numpy as np

from rates.numbers import DomainError
from rates.rows import numeric_cell, numeric_table
from sims.engine import Array
from sims.real.sites import KINDS, MOST_RECORDS, Kind, Sites, made

MOST_BYTES = 10_000_000
COLUMNS = ("site", "x", "y")
WORDS = {"sites": "sites", "records": "records", "x": "x", "y": "y"}
GAPS = {"", "na", "n/a", "nan", "null", "none", "?", "."}


def read_csv(
    text: str | bytes,
    *,
    kind: Kind = "curve",
    low: float | None = None,
    high: float | None = None,
    title: str = "Own table",
) -> Sites:
    r"""Return the sites of a table with the columns site, x and y; others are not read.

    Args:
        text: CSV with a header line; comma, semicolon or tab; at most 10 MB. Gaps are dropped
            and counted.
        kind: "curve", or "classification" where y is 0 or 1.
        low: Public lower bound of the outcome; the smallest one if none is given, which is
            then said, as it is taken from the records.
        high: Public upper bound.
        title: What lists and refusals call it.

    Raises:
        DomainError: The table is refused; the message names column and row.

    >>> rows = "\n".join(f"{'AB'[k % 2]},{k},{k % 7}" for k in range(60))
    >>> read_csv(f"site,x,y\n{rows}").sizes.tolist()
    [30, 30]
    """
    if kind not in KINDS:
        rule = f"The kind must be {' or '.join(KINDS)}."
        raise DomainError(rule, field="kind", value=kind)
    header, rows = numeric_table(
        text, title, COLUMNS, others=(0, 60), records=(2, 2 * MOST_RECORDS), most=MOST_BYTES
    )
    at = {name: header.index(name) for name in COLUMNS}
    names = ["" if row[at["site"]].lower() in GAPS else row[at["site"]] for row in rows]
    x, y = (_numbers(rows, at[name], name) for name in ("x", "y"))
    known, notes = y[np.isfinite(y)], []
    if kind == "classification":
        wrong = np.flatnonzero(np.isfinite(y) & (y != 0) & (y != 1))
        if wrong.size:
            rule = "Of a classification y must be 0 or 1."
            row = int(wrong[0])
            raise DomainError(rule, field="y", value=float(y[row]), where=f"Row {row + 1}")
        low, high = 0.0, 1.0
    elif known.size and (low is None or high is None):
        low = float(known.min()) if low is None else low
        high = float(known.max()) if high is None else high
        notes.append(
            f"The bounds of y, [{low:g}, {high:g}], are taken from the records: a real study "
            "needs public ones."
        )
    low, high = low or 0.0, high if high is not None else 0.0
    if known.size and not low < high:
        rule = "y must vary between a lower and an upper bound."
        raise DomainError(rule, field="y", value=low, where=title)
    return made(
        key="own",
        title=title,
        kind=kind,
        names=names,
        x=x,
        y=y,
        bounds=(low, high),
        words=WORDS,
        notes=tuple(notes),
    )


def _numbers(rows: list[list[str]], at: int, name: str) -> Array:
    return np.array(
        [
            np.nan if row[at].lower() in GAPS else numeric_cell(row[at], name, f"Row {k}")
            for k, row in enumerate(rows, start=1)
        ]
    )
