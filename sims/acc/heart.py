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
# Values that a record can hold; anything else in these columns is a different format.
_RANGES = {
    "age": (1.0, 120.0),
    "sex": (0.0, 1.0),
    "cp": (1.0, 4.0),
    "exang": (0.0, 1.0),
    "thalach": (20.0, 260.0),
    "oldpeak": (-10.0, 20.0),
    "trestbps": (0.0, 300.0),
}
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
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


def read_hospital(text: str, name: str) -> Hospital:
    r"""Read one hospital's file.

    Args:
        text: The file: values between commas, semicolons, tabs or blanks, with or without a
            line of column names; ``?``, ``-9`` and empty cells are missing.
        name: The hospital's name, for messages.

    Raises:
        DomainError: A column is missing or doubled, a row has another number of cells, a value
            is no number or outside its column's range, a label is outside 0 to 4, or no usable
            record is left. The message names the line and the column.

    Examples:
        >>> two = "63,1,4,140,260,0,1,112,1,3,2,?,?,2\n44,1,4,130,209,0,1,127,0,0,?,?,?,0"
        >>> site = read_hospital(two, "A")
        >>> site.n, site.y.tolist(), site.x[0].tolist()
        (2, [1.0, 0.0], [63.0, 1.0, 4.0, 1.0, 112.0, 3.0, 140.0])

    Source: [ACC] Section 6.2.1 for the choice of columns.
    """
    where = f"File of {name}"
    lines = [
        (k, line) for k, line in enumerate(text.lstrip("\ufeff").splitlines(), 1) if line.strip()
    ]
    if not lines:
        raise DomainError(
            "The file must hold at least one record.", value=Words("nothing"), where=where
        )
    if len(lines) > MAX_ROWS:
        rule = f"A file may hold at most {MAX_ROWS:,} lines here."
        raise DomainError(rule, field="lines", value=len(lines), where=where)
    separator = _separator(lines[0][1])
    first = _cells(lines[0][1], separator)
    order, body = list(COLUMNS), lines
    if _are_names(first):
        order, body = _order(first, where), lines[1:]
    values, labels = _values(body, order, separator, where)
    complete = ~(np.isnan(values).any(axis=1) | np.isnan(labels))
    notes = _dropped(values, labels, complete)
    values, labels = values[complete], labels[complete]
    places = [line for (line, _), kept in zip(body, complete.tolist(), strict=True) if kept]
    if not len(labels):
        rule = "At least one record must be complete in the seven covariates and the label."
        raise DomainError(rule, field="rows", value=0, where=where)
    rule = "The label must be 0 (no disease) to 4."
    _refuse(~np.isin(labels, range(5)), labels, places, where, (LABEL, rule))
    y = (labels > 0).astype(float)
    if y.min() == y.max():
        rule = "A file must hold records with and without disease."
        got = Words(f"only label {'1 to 4' if y[0] else '0'} in {len(y)} records")
        raise DomainError(rule, field=LABEL, value=got, where=where)
    _check(values, places, where)
    return Hospital(name=name, x=values, y=y, rows=len(body), notes=notes)


def _separator(line: str) -> str | None:
    """The separator of a line; None stands for any white space."""
    counts = {mark: line.count(mark) for mark in (",", ";", "\t")}
    best = max(counts, key=lambda mark: counts[mark])
    return best if counts[best] else None


def _cells(line: str, separator: str | None) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split(separator)]


def _are_names(cells: list[str]) -> bool:
    """Whether a line names columns: at least half of its cells start with a letter."""
    words = [cell for cell in cells if re.match(r"\W*[a-z_]", cell, re.IGNORECASE)]
    # A line of records may hold words for what is missing, so that one word does not make names.
    return 2 * sum(word.lower() not in _MISSING for word in words) >= len(cells)


def _order(cells: list[str], where: str) -> list[str]:
    """The columns' names in our spelling; columns that are not used keep theirs."""
    plain = [re.sub("[^a-z]", "", cell.lower()) for cell in cells]
    names = [_OTHER_NAMES.get(cell, cell) for cell in plain]
    for column in (*COVARIATES, LABEL):
        if names.count(column) != 1:
            rule = f"The columns {', '.join((*COVARIATES, LABEL))} must each be there once."
            got = Words(f"{names.count(column)} columns named {column}")
            raise DomainError(rule, field=column, value=got, where=where)
    return names


def _values(
    body: list[tuple[int, str]], order: list[str], separator: str | None, where: str
) -> tuple[Array, Array]:
    wanted = [*COVARIATES, LABEL]
    places = [order.index(column) for column in wanted]
    out = np.full((len(body), len(wanted)), math.nan)
    for row, (line, text) in enumerate(body):
        cells = _cells(text, separator)
        if len(cells) != len(order):
            rule = f"Every line must have {len(order)} cells."
            raise DomainError(rule, field="cells", value=len(cells), where=f"{where}, line {line}")
        for k, place in enumerate(places):
            cell = cells[place]
            if cell.lower() in _MISSING:
                continue
            # float() alone would take 6_3 and digits of other scripts.
            out[row, k] = float(cell) if _NUMBER.fullmatch(cell) else math.inf
            if not math.isfinite(out[row, k]):
                rule = "A cell must be a number, or ? where it is missing."
                raise DomainError(
                    rule, field=wanted[k], value=Words(cell[:40]), where=f"{where}, line {line}"
                )
    return out[:, :-1], out[:, -1]


def _dropped(values: Array, labels: Array, complete: NDArray[np.bool_]) -> tuple[str, ...]:
    lost = int(np.count_nonzero(~complete))
    if not lost:
        return ()
    holes = np.isnan(np.column_stack([values, labels])).sum(axis=0)
    counts = zip((*COVARIATES, LABEL), holes.tolist(), strict=True)
    which = ", ".join(f"{column} in {count}" for column, count in counts if count)
    return (f"{lost} of {len(labels)} records dropped: missing {which}.",)


def _check(values: Array, lines: list[int], where: str) -> None:
    for column, cells in zip(COVARIATES, values.T, strict=True):
        low, high = _RANGES[column]
        rule = f"{column} must lie in [{low:g}, {high:g}]."
        if column == "cp":
            rule += " A recoding from 0 may have turned the label round: bring the original file."
        _refuse((cells < low) | (cells > high), cells, lines, where, (column, rule))


def _refuse(
    wrong: NDArray[np.bool_], cells: Array, lines: list[int], where: str, said: tuple[str, str]
) -> None:
    """Refuse a column's first wrong cell, with the column's name and the rule."""
    if wrong.any():
        row, (column, rule) = int(np.argmax(wrong)), said
        place = f"{where}, line {lines[row]}"
        raise DomainError(rule, field=column, value=float(cells[row]), where=place)
