"""Tables of one's own, and invented sites."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from rates.numbers import DomainError
from rates.rows import numeric_cell, numeric_table
from sims.engine import Array, generator
from sims.real.sites import MOST_RECORDS, Kind, Sites, made

OWN = "own"  # key of what a visitor brings
MOST_BYTES = 10_000_000
COLUMNS = ("site", "x", "y")
_TITLE = "Own table"
WORDS = {"sites": "sites", "records": "records", "x": "x", "y": "y"}
GAPS = {"", "na", "n/a", "nan", "null", "none", "?", "."}


def read_csv(text: str | bytes, *, kind: Kind = "curve") -> Sites:
    r"""Return the sites of a table with the columns site, x and y; others are not read.

    The bounds of the outcome of a curve are taken from the records, which is said.

    Args:
        text: CSV with a header line; comma, semicolon or tab; at most 10 MB. Gaps are dropped
            and counted.
        kind: "curve", or "classification" where y is 0 or 1.

    Raises:
        DomainError: The table is refused; the message names column and row.

    >>> rows = "\n".join(f"{'AB'[k % 2]},{k},{k % 7}" for k in range(60))
    >>> read_csv(f"site,x,y\n{rows}").sizes.tolist()
    [30, 30]
    """
    header, body = numeric_table(
        text, _TITLE, COLUMNS, others=(0, 60), records=(2, 2 * MOST_RECORDS), most=MOST_BYTES
    )
    at = {name: header.index(name) for name in COLUMNS}
    # A gap in a name is a gap: no site is called NA.
    names = ["" if row[at["site"]].lower() in GAPS else row[at["site"]] for row in body]
    x, y = (_numbers(body, at[name], name) for name in ("x", "y"))
    known, bounds, notes = y[np.isfinite(y)], (0.0, 1.0), []
    if kind == "classification":
        wrong = np.flatnonzero(np.isfinite(y) & (y != 0) & (y != 1))
        if wrong.size:
            rule = "Of a classification y must be 0 or 1."
            row = int(wrong[0])
            raise DomainError(rule, field="y", value=float(y[row]), where=f"Row {row + 1}")
    elif known.size:
        bounds = float(known.min()), float(known.max())
        notes.append(
            f"The bounds of y, [{bounds[0]:g}, {bounds[1]:g}], are taken from the records: a real "
            "study needs public ones."
        )
    return made(
        key=OWN,
        title=_TITLE,
        kind=kind,
        names=names,
        x=x,
        y=y,
        bounds=bounds,
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


# Invented sites: alike in law, unequal in size, with a known truth ------------------------------

# Sizes spread as those of Chem97's authorities are: log-normal, 10 to 970 records.
INVENTED: dict[str, Kind] = {"invented": "curve", "invented labels": "classification"}
_SITES, _MIDDLE, _SPREAD = 130, 170.0, 0.85


def curve_at(u: Array) -> Array:
    """Return the known truth: a mean outcome on [-1, 1], or twice the chance of label 1 less 1."""
    return np.asarray(0.7 * np.tanh(2.5 * (u - 0.45)) + 0.1 * np.sin(9.0 * u))


@lru_cache(maxsize=2)
def invented(key: str) -> Sites:
    """Return invented sites of one of the names in `INVENTED`."""
    rng = generator(0, "invented sites")
    levels = np.linspace(-2.3, 2.1, _SITES)
    sizes = np.maximum(np.rint(_MIDDLE * np.exp(_SPREAD * levels)), 10).astype(int)
    names = np.repeat([f"site {j + 1:03d}" for j in range(_SITES)], sizes)
    u = rng.random(len(names))
    chance = 0.5 + 0.5 * curve_at(u)
    label = (rng.random(len(u)) < chance).astype(float)
    # Ten draws of a chance, over ten: bounded, with a mean that is known.
    y = rng.binomial(10, chance) / 10.0 if INVENTED[key] == "curve" else label
    return _invented(key, "Invented sites, all alike", INVENTED[key], names.tolist(), u, y)


def pair(records: int, kind: Kind) -> Sites:
    """Return two invented sites of so many records to draw from, for an audit."""
    rng = generator(0, "a pair of sites")
    u = rng.random(2 * records)
    label = (rng.random(len(u)) < 0.5 + 0.5 * curve_at(u)).astype(float)
    names = ["a"] * records + ["b"] * records
    return _invented("pair", "Two invented sites", kind, names, u, label)


def _invented(key: str, title: str, kind: Kind, names: list[str], x: Array, y: Array) -> Sites:
    return made(
        key=key, title=title, kind=kind, names=names, x=x, y=y, bounds=(0.0, 1.0), words=WORDS
    )
