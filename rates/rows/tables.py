"""Sites as tables: written as CSV, and put into a study as they were read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rates.numbers import SERVER_FIELDS, DomainError, Words, plain, shown
from rates.rows.reader import read
from rates.rows.records import Reading
from rates.rows.texts import csv_text
from rates.study import OWN, REQUIRED, Study, codec


def to_csv(study: Study) -> str:
    """Return the sites as CSV, one row per server, every column present.

    >>> from rates.study.scenario import FederatedStudy, Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=5, epsilon=1)], smoothness=2)
    >>> print(to_csv(study).splitlines()[1])
    A,,5,1,,1,1
    """
    rows: list[Sequence[object]] = [OWN]
    transfer = study.kind == "transfer"
    for row, s in enumerate(study.servers):
        role = "target" if transfer and row == 0 else ""
        rows.append([s.name, role, *(_cell(name, getattr(s, name)) for name in SERVER_FIELDS)])
    return csv_text(rows)


def _cell(name: str, value: float | None) -> object:
    """Return a value as it is read back to the last digit; what is not stated is empty."""
    if value is None:
        return ""
    return repr(value) if name == "delta" else plain(value)


def study_of(reading: Reading, kind: str, parameters: Mapping[str, Mapping[str, Any]]) -> Study:
    """Return the study that has the rows of a table as its sites.

    Args:
        reading: The table.
        kind: "transfer" or "federated"; the sites of a curve make a federated study.
        parameters: By kind, its parameters.

    >>> from rates.rows import read
    >>> study_of(read("A;58;0,3"), "transfer", {"transfer": {"smoothness": 1, "dimension": 2,
    ...     "margin": 1}}).target.epsilon
    0.3

    Raises:
        DomainError: The table is refused or open; the message names row and field.
    """
    kind = "federated" if reading.curve else kind
    return codec.build(kind, parameters[kind], _settled(reading))


def _settled(reading: Reading) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a table; raise what is refused of it first, or what it leaves open."""
    for refusal in reading.refusals:
        raise refusal
    for question in reading.questions:
        choices = Words(" | ".join(list(question.options.values())[:3]))
        raise DomainError(f"{question.text} The table leaves it open.", question.key, choices)
    return reading.rows


def rows_from_table(
    text: str | bytes,
    *,
    columns: Sequence[str] = OWN,
    required: Sequence[str] = REQUIRED,
) -> list[dict[str, Any]]:
    """Read rows of plain data from a table with a header line, of which nothing is left out.

    Args:
        text: The table.
        columns: Names a column may have.
        required: Columns that every row fills.

    Raises:
        DomainError: The table is refused or open; the message names row and field.
    """
    more = [name for name in columns if name not in OWN]
    reading = read(text, kind="", more=more, required=required)
    for column in reading.columns:
        if (column.field or column.title) not in columns:
            rule = f"Unknown column; known are {', '.join(columns)}."
            raise DomainError(rule, shown(column.title)[1:-1], column.title, "Header")
    return [dict(row) for row in _settled(reading)]
