"""Text into cells and back: what stands between them, and what a spreadsheet would calculate."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence

from rates.numbers import MAX_BYTES, DomainError, Words, decode, number_from_text

LARGEST = 1e100  # of a number: squares of larger ones overflow
_SAMPLE = 20_000  # characters by which the mark is found
_QUOTED = re.compile(r'(?:^|(?<=[\t;,\n]))"(?:[^"]|"")*"')
_PLAIN = re.compile(r"-?\d{1,15}(\.\d{1,15})?", re.ASCII)
# Wide letters count as the narrow ones where a spreadsheet reads them so.
_FORMULA = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|-inf")
_ENDS = re.compile(r'[,;|"\t\r\n]')  # what any reader of tables may take for a cell's end


def cells(
    text: str | bytes,
    what: str = "A study file",
    *,
    noun: str = "The text",
    most: int = MAX_BYTES,
) -> tuple[list[list[str]], str]:
    r"""Return the rows of a table that are not blank, and the separator of its cells.

    The separator is a tab, a semicolon or a comma, whichever the lines share.

    Args:
        text: The table.
        what: What a file that is too long or no text is called.
        noun: What a text that is no table is called.
        most: Bytes that it may have.

    >>> cells("x;y\n\n0,5;1")
    ([['x', 'y'], ['0,5', '1']], ';')

    Raises:
        DomainError: The text is no table.
    """
    body = decode(text, what, most).removeprefix("\ufeff")
    # The reader of CSV takes a lone return for a broken file.
    body = body.replace("\r\n", "\n").replace("\r", "\n")
    mark = separator(body)
    try:
        return _filled(csv.reader(io.StringIO(body, newline=""), delimiter=mark, strict=True)), mark
    except csv.Error as error:
        if mark != "\t":
            raise DomainError(f"{noun} must be a table.", "file", str(error)) from None
    # Of a spreadsheet's cells those alone are in quotes that hold line breaks; here they are words.
    return _filled(line.split(mark) for line in body.split("\n")), mark


def _filled(rows: Iterable[list[str]]) -> list[list[str]]:
    """Return the rows that are not blank; of those that are, millions fit into a file."""
    return [row for row in rows if any(cell and not cell.isspace() for cell in row)]


def separator(body: str) -> str:
    r"""Return what stands between the cells of a table.

    >>> separator("name;n;epsilon\nA;58;0,3"), separator("name,n\nA,58")
    (';', ',')
    """
    # What stands in quotes is text, whatever marks it holds.
    sample = _QUOTED.sub('""', body[:_SAMPLE])
    lines = [line for line in sample.split("\n") if line and not line.isspace()]
    # A line without its end may lack the marks of the others.
    if len(body) > _SAMPLE and len(lines) > 1:
        lines.pop()  # it is cut
    shared = (mark for mark in "\t;" if sum(mark in line for line in lines) > len(lines) / 2)
    return next(shared, ",")


# Tables of numbers ----------------------------------------------------------------------------


def numeric_table(
    text: str | bytes,
    what: str,
    named: Sequence[str] = (),
    *,
    others: tuple[int, int] = (0, 0),
    records: tuple[int, int],
    most: int = MAX_BYTES,
) -> tuple[list[str], list[list[str]]]:
    r"""Return the header of a table and its rows, without blanks around the cells.

    Args:
        text: CSV with a header line; comma, semicolon or tab.
        what: What the table is, for refusals.
        named: Columns that it must have, in any order; without one only others are counted.
        others: Least and most columns beside them.
        records: Least and most rows.
        most: Bytes that it may have.

    Raises:
        DomainError: The table is refused; the message names row and field.

    >>> numeric_table("x;y\n0; 1", "A curve", ("x", "y"), records=(1, 9))
    (['x', 'y'], [['0', '1']])
    """
    table, _ = cells(text, what, noun=what, most=most)
    header = [cell.strip() for cell in table.pop(0)] if table else []
    more = len(header) - len(named)
    doubled = len(set(header)) < len(header)
    if doubled or not set(named) <= set(header) or not others[0] <= more <= others[1]:
        beside = f"{others[0]} to {others[1]} {'others' if named else 'columns'}"
        every = " and ".join([*named, *([beside] if others[1] else [])])
        rule = f"The header must name {every}, each once."
        got = Words(",".join(header)[:80] or "nothing")
        raise DomainError(rule, field="header", value=got, where="Header")
    if not records[0] <= len(table) <= records[1]:
        rule = f"A table has {records[0]} to {records[1]:,} rows here."
        raise DomainError(rule, field="rows", value=len(table))
    # Only now: of a bad file there may be millions.
    body = [[cell.strip() for cell in row] for row in table]
    for number, row in enumerate(body, start=1):
        if len(row) != len(header):
            rule = f"Every row must have {len(header)} cells."
            raise DomainError(rule, field="cells", value=len(row), where=f"Row {number}")
    return header, body


def numeric_cell(text: str, name: str, where: str) -> float:
    """Return one finite number of a table.

    Raises:
        DomainError: The cell is no number, or too large; the message names row and field.
    """
    # Most cells are plain, and there may be millions of them.
    plain = _PLAIN.fullmatch(text)
    found = float(text) if plain else number_from_text(text, name, where)
    if isinstance(found, str) or not math.isfinite(found):
        raise DomainError(f"{name} must be finite.", field=name, value=text, where=where)
    if abs(found) > LARGEST:
        rule = f"{name} must lie between -{LARGEST:g} and {LARGEST:g}."
        raise DomainError(rule, field=name, value=text, where=where)
    return float(found)


# Written ---------------------------------------------------------------------------------------


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    r"""Return rows as CSV text, one a line; None is an empty cell.

    Text that a spreadsheet would take for a formula gets a quote before it; numbers do not,
    whatever their sign.

    >>> csv_text([["site", "x"], ["=A1", -1.5], ["A;-B", None]])
    'site,x\n\'=A1,-1.5\n"A;-B",\n'
    """
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows)


def without_quote(cell: str) -> str:
    """Return the text that a cell of `csv_text` stands for.

    >>> without_quote("'=A1"), without_quote("'t Hooft"), without_quote("-1.5")
    ('=A1', "'t Hooft", '-1.5')
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    if isinstance(value, str) and _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _ENDS.search(text) else text
