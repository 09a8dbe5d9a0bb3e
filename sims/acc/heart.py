"""Reader of heart-disease files in the format of the UCI repository, one file per hospital.

A file has fourteen columns: thirteen covariates and a label from 0 (no disease) to 4. Rows that
lack one of the seven covariates that [ACC] uses, or the label, are dropped and counted. Recodings
that go about number the chest-pain types from 0, in either direction, and often turn the label
round: they are refused.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, Words
from rates.rows import cells, numeric_cell
from sims.engine import Array

COLUMNS = (
    "age", "sex", "cp", "trestbps", "chol", "fbs", "restecg", "thalach", "exang", "oldpeak",
    "slope", "ca", "thal", "num",
)  # fmt: skip
COVARIATES = ("age", "sex", "cp", "exang", "thalach", "oldpeak", "trestbps")
LABEL = "num"
_SPELLINGS = {
    "cp": ("cpt", "chestpaintype"),
    "trestbps": ("rbp", "restingbp"),
    "thalach": ("mhra", "maxhr", "thalch"),
    "exang": ("eia", "exerciseangina"),
    "num": ("target", "label", "condition", "heartdisease"),
}
_OTHER_NAMES = {other: name for name, others in _SPELLINGS.items() for other in others}
_MISSING = {"", "?", "na", "nan", "null", "none", "-9", "-9.0"}
# Values that a record can hold, the label last; anything else is a different format.
_RANGES = {
    "age": (1.0, 120.0),
    "sex": (0.0, 1.0),
    "cp": (1.0, 4.0),
    "exang": (0.0, 1.0),
    "thalach": (20.0, 260.0),
    "oldpeak": (-10.0, 20.0),
    "trestbps": (0.0, 300.0),
    "num": (0.0, 4.0),
}
MAX_ROWS = 100_000  # a limit of ours, to keep a page responsive


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hospital:
    """The usable records of one hospital.

    Attributes:
        name: The hospital.
        x: Covariates in the order of `COVARIATES`, shape (n, 7), as in the file.
        y: 1 for disease (a label of 1 to 4), else 0; shape (n,).
        rows: Records in the file.
        notes: What was dropped, as sentences.
    """

    name: str
    x: Array
    y: Array
    rows: int
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Usable records."""
        return len(self.y)

    @property
    def prevalence(self) -> float:
        """Share of usable records with disease."""
        return float(self.y.mean())


def read_hospital(text: str | bytes, name: str) -> Hospital:
    r"""Read one hospital's file.

    Args:
        text: The file: values between commas, semicolons or tabs, with or without a line of
            column names; ``?``, ``-9`` and empty cells are missing.
        name: The hospital's name, for messages.

    Raises:
        DomainError: A column is missing or doubled, a row has another number of cells, a value
            is no number or outside its column's range, or no usable record is left. The message
            names the row and the column.

    Examples:
        >>> two = "63,1,4,140,260,0,1,112,1,3,2,?,?,2\n44,1,4,130,209,0,1,127,0,0,?,?,?,0"
        >>> site = read_hospital(two, "A")
        >>> site.n, site.y.tolist(), site.x[0].tolist()
        (2, [1.0, 0.0], [63.0, 1.0, 4.0, 1.0, 112.0, 3.0, 140.0])

    Source: [ACC] Section 6.2.1 for the choice of columns.
    """
    where = f"File of {name}"
    body, _ = cells(text, where, noun=where)
    order = [_spelt(cell) for cell in body[0]] if body else []
    if {*COVARIATES} & {*order}:
        body = body[1:]
    else:
        order = list(COLUMNS)
    for column in _RANGES:
        if order.count(column) != 1:
            rule = f"The columns {', '.join(_RANGES)} must each be there once."
            got = Words(f"{order.count(column)} columns named {column}")
            raise DomainError(rule, field=column, value=got, where=where)
    if not 1 <= len(body) <= MAX_ROWS:
        rule = f"A file must hold 1 to {MAX_ROWS:,} records."
        raise DomainError(rule, field="rows", value=len(body), where=where)
    values = np.array([_record(row, order, f"{where}, row {k}") for k, row in enumerate(body, 1)])
    missing = np.isnan(values)
    lost = missing.any(axis=1)
    values, rows = values[~lost], np.flatnonzero(~lost) + 1
    if not len(values):
        rule = "At least one record must be complete in the seven covariates and the label."
        raise DomainError(rule, field="rows", value=0, where=where)
    for column, found in zip(_RANGES, values.T, strict=True):
        _check(column, found, rows, where)
    y = (values[:, -1] > 0).astype(float)
    if y.min() == y.max():
        rule = "A file must hold records with and without disease."
        got = Words(f"only label {'1 to 4' if y[0] else '0'} in {len(y)} records")
        raise DomainError(rule, field=LABEL, value=got, where=where)
    holes = zip(_RANGES, missing.sum(axis=0).tolist(), strict=True)
    which = ", ".join(f"{column} in {count}" for column, count in holes if count)
    notes = (f"{lost.sum()} of {len(body)} records dropped: missing {which}.",) if which else ()
    return Hospital(name=name, x=values[:, :-1], y=y, rows=len(body), notes=notes)


def _spelt(cell: str) -> str:
    """A column's name in our spelling; columns that are not used keep theirs."""
    plain = re.sub("[^a-z]", "", cell.lower())
    return _OTHER_NAMES.get(plain, plain)


def _record(row: list[str], order: list[str], where: str) -> list[float]:
    if len(row) != len(order):
        rule = f"Every row must have {len(order)} cells."
        raise DomainError(rule, field="cells", value=len(row), where=where)
    named = {column: cell.strip() for column, cell in zip(order, row, strict=True)}
    return [
        math.nan if named[x].lower() in _MISSING else numeric_cell(named[x], x, where)
        for x in _RANGES
    ]


def _check(column: str, found: Array, rows: NDArray[np.int_], where: str) -> None:
    """Refuse a column's first value outside its range; labels are whole."""
    low, high = _RANGES[column]
    wrong = (found < low) | (found > high) | ((column == LABEL) & (found % 1 > 0))
    if wrong.any():
        first = int(np.argmax(wrong))
        rule = f"{column} must lie in [{low:g}, {high:g}]."
        if column == LABEL:
            rule = "The label must be 0 (no disease) to 4."
        elif column == "cp":
            rule += " A recoding from 0 may have turned the label round: bring the original file."
        place = f"{where}, row {rows[first]}"
        raise DomainError(rule, field=column, value=float(found[first]), where=place)
