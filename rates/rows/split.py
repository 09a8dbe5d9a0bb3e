"""Text into cells: which mark stands between them, and what quotes hold together."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from rates.numbers import MAX_BYTES, DomainError, decode

SPACES = "  "  # two or more between cells
SPACE = " "
_SAMPLE = 20_000  # characters by which the mark is found
_QUOTED = re.compile(r'(?:^|(?<=[\t;,|\n]))"(?:[^"]|"")*"')
_GAP = re.compile(r" {2,}")
_RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*")  # the line below the header of a table in text


def cells(
    text: str | bytes,
    what: str = "A study file",
    *,
    noun: str = "The text",
    most: int = MAX_BYTES,
) -> tuple[list[list[str]], str]:
    r"""Return the rows of a table that are not blank, and the separator of its cells.

    The separator is a tab, a semicolon, a bar, a comma or spaces, whichever the lines share.

    Args:
        text: The table.
        what: What a file that is too long or no text is called.
        noun: What a text that is no table is called.
        most: Bytes that it may have.

    >>> cells("x;y\n\n0,5;1")
    ([['x', 'y'], ['0,5', '1']], ';')
    >>> cells("Klinik Nord   12 400   0.3\nKlinik Ost   90   1")[0][0]
    ['Klinik Nord', '12 400', '0.3']

    Raises:
        DomainError: The text is no table.
    """
    body = decode(text, what, most).removeprefix("\ufeff")
    if "\r" in body:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    mark = separator(body)
    if mark == SPACES:
        table = _filled(_GAP.split(line.strip(" ")) for line in body.split("\n"))
    elif mark == SPACE:
        table = _filled(line.split(" ") for line in body.split("\n"))
    else:
        table = _quoted(body, mark, noun)
    return (_framed(table) if mark == "|" else table), mark


def _quoted(body: str, mark: str, noun: str) -> list[list[str]]:
    try:
        return _filled(csv.reader(io.StringIO(body, newline=""), delimiter=mark, strict=True))
    except csv.Error as error:
        if mark != "\t":
            raise DomainError(f"{noun} must be a table.", "file", str(error)) from None
    # Of a spreadsheet's cells those alone are in quotes that hold line breaks; here they are words.
    return _filled(line.split(mark) for line in body.split("\n"))


def _filled(rows: Iterable[list[str]]) -> list[list[str]]:
    """Return the rows that are not blank; of those that are, millions fit into a file."""
    return [row for row in rows if any(cell and not cell.isspace() for cell in row)]


def _framed(table: list[list[str]]) -> list[list[str]]:
    """Without the bars at both ends of a table that is drawn in text, and its ruled lines."""
    rows = [row for row in table if not all(_RULE.fullmatch(c) or not c.strip() for c in row)]
    for end in (0, -1):
        if rows and all(len(row) > 1 and not row[end].strip() for row in rows):
            rows = [row[1:] if end == 0 else row[:-1] for row in rows]
    return rows


def separator(body: str) -> str:
    r"""Return what stands between the cells of a table.

    >>> separator("name;n;epsilon\nA;58;0,3"), separator("A  1,912  0.3\nB  58  1")
    (';', '  ')
    """
    sample = body[:_SAMPLE]
    if '"' in sample:
        sample = _QUOTED.sub('""', sample)
    lines = [line for line in sample.split("\n") if line and not line.isspace()]
    if len(body) > _SAMPLE and len(lines) > 1:
        lines.pop()  # it is cut
    if not lines:
        return ","
    most = len(lines) / 2
    for mark in "\t;|":
        if mark in sample and sum(mark in line for line in lines) > most:
            return mark
    if SPACES in sample:
        widths = [_GAP.split(line.strip(" ")) for line in lines]
        shared = sum(len(row) == len(widths[-1]) for row in widths[:-1]) + 1
        ended = any(cell.endswith(",") for row in widths for cell in row)
        if shared > most and len(widths[-1]) > 1 and not ended:
            return SPACES
        if max(map(len, widths)) > 2 and sum(len(row) > 2 for row in widths) > most and not ended:
            return SPACES
    if "," in sample and sum("," in line for line in lines) >= most:
        return ","
    if len(lines) > 1 and " " in sample:
        widths_ = {len(line.split(" ")) for line in lines}
        if len(widths_) == 1 and widths_.pop() > 2:
            return SPACE
    return ","
