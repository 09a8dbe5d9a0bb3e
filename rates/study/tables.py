"""Sites as tables: CSV files, and blocks pasted from a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from rates.numbers import MAX_ROWS, DomainError, Words, shown
from rates.study import codec
from rates.study.scenario import Study, TransferStudy

TEXTS = ("name", "role", "offer")  # columns that hold words


def to_csv(study: Study) -> str:
    """Return the sites as CSV, one row per server, every column present.

    >>> from rates.study.scenario import FederatedStudy, Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=5, epsilon=1)], smoothness=2)
    >>> print(to_csv(study).splitlines()[1])
    A,,5,1,,1,1
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(codec.COLUMNS)
    transfer = isinstance(study, TransferStudy)
    for row, s in enumerate(study.servers):
        role = "target" if transfer and row == 0 else ""
        delta = "" if s.delta is None else repr(s.delta)
        writer.writerow(
            [
                s.name,
                role,
                s.n,
                codec.plain(s.epsilon),
                delta,
                codec.plain(s.signal_exponent),
                s.count,
            ]
        )
    return out.getvalue()


def with_csv(study: Study, text: str | bytes) -> Study:
    """Put the sites of a CSV table into a study, keeping its parameters.

    The separator is a comma, a semicolon or a tab, whichever the header line has; so a
    block copied from a spreadsheet works too.

    Raises:
        DomainError: The table is refused; the message names row and field.
    """
    data = codec.to_dict(study)
    parameters = {k: getattr(study, k) for k in codec.PARAMETERS[data["kind"]]}
    return codec.build(data["kind"], parameters, rows_from_table(text))


def cells(
    text: str | bytes, what: str = "A study file", *, noun: str = "The text", where: str = ""
) -> tuple[list[list[str]], str]:
    r"""Return the rows of a table that are not blank, and the separator of its cells.

    The separator is a tab, a semicolon or a comma, whichever the first line has most of.

    Args:
        text: The table.
        what: What a file that is too long or no text is called.
        noun: What a text that is no table is called.
        where: Where it is.

    >>> cells("x;y\n\n0;1")
    ([['x', 'y'], ['0', '1']], ';')

    Raises:
        DomainError: The text is no table.
    """
    body = codec.decode(text, what)
    first = next((line for line in body.splitlines() if line.strip()), "")
    separator = max("\t;,", key=first.count)
    try:
        table = list(csv.reader(io.StringIO(body, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise DomainError(f"{noun} must be a table.", "file", str(error), where) from None
    return [row for row in table if any(cell.strip() for cell in row)], separator


def rows_from_table(
    text: str | bytes,
    *,
    columns: Sequence[str] = codec.COLUMNS,
    required: Sequence[str] = codec.REQUIRED_COLUMNS,
) -> list[dict[str, Any]]:
    """Read rows of plain data from a table with a header line; see `with_csv`.

    Args:
        text: The table.
        columns: Names a column may have; those outside `TEXTS` hold numbers.
        required: Columns that every row fills.
    """
    table, _ = cells(text)
    if not table:
        rule = f"A table starts with a header line such as {','.join(columns)}."
        raise DomainError(rule, "file", Words("an empty table"))
    header = [cell.strip() for cell in table[0]]
    for name in header:
        if name not in columns:
            rule = f"Unknown column; known are {', '.join(columns)}."
            raise DomainError(rule, shown(name)[1:-1], name, "Header")
        if header.count(name) > 1:
            raise DomainError("A column may appear once only.", name, name, "Header")
    for name in required:
        if name not in header:
            raise DomainError(f"{name} is required.", name, Words("nothing"), "Header")
    if len(table) - 1 > MAX_ROWS:
        rule = f"A study has at most {MAX_ROWS:,} rows (use count for identical sites)."
        raise DomainError(rule, "servers", len(table) - 1)
    return [
        _table_row(header, row, number, required) for number, row in enumerate(table[1:], start=1)
    ]


def _table_row(
    header: list[str], cells: list[str], number: int, required: Sequence[str]
) -> dict[str, Any]:
    where = f"Row {number}"
    if len(cells) > len(header):
        rule = f"A row has at most {len(header)} cells, as the header has."
        raise DomainError(rule, "row", len(cells), where)
    row: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=False):
        text = cell.strip()
        if name == "name":
            row[name] = cell
            where = f"Row {number} ({text[:80]!r})"
        elif text:
            row[name] = text if name in TEXTS else number_from_text(text, name, where)
    for name in required:
        if not str(row.get(name, "")).strip():
            rule, empty = f"{name} is required.", Words("an empty cell")
            raise DomainError(rule, name, empty, where)
    return row


def number_from_text(text: str, field: str, where: str = "") -> int | float | str:
    """Return the number a person typed, or the text "inf" for infinity.

    >>> number_from_text("1e6", "n"), number_from_text("INF", "epsilon")
    (1000000.0, 'inf')

    Raises:
        DomainError: The text is not one plain number.
    """
    word = text.strip().lower()
    if word in ("inf", "∞"):
        return "inf"
    rule = f"{field} must be a plain number such as 250, 0.5 or 1e-6."
    if not word or not set(word) <= set("0123456789+-.e") or len(word) > 40:
        raise DomainError(rule, field, text, where)
    try:
        return int(word)
    except ValueError:
        pass
    try:
        return codec.exact_float(word)
    except DomainError as error:
        raise DomainError(error.rule, field, text, where) from None
    except ValueError:
        raise DomainError(rule, field, text, where) from None
