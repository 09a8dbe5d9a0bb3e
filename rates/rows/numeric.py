"""Uploaded tables of numbers: a header, and rows of as many cells."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from rates.numbers import MAX_BYTES, DomainError, Words, number_from_text
from rates.rows.split import cells

LARGEST = 1e100  # of a number: squares of larger ones overflow
_PLAIN = re.compile(r"-?\d{1,15}(\.\d{1,15})?", re.ASCII)


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
    header, *body = [[cell.strip() for cell in row] for row in table] or [[]]
    more = len(header) - len(named)
    doubled = len(set(header)) < len(header)
    if doubled or not set(named) <= set(header) or not others[0] <= more <= others[1]:
        beside = f"{others[0]} to {others[1]} {'others' if named else 'columns'}"
        every = " and ".join([*named, *([beside] if others[1] else [])])
        rule = f"The header must name {every}, each once."
        got = Words(",".join(header)[:80] or "nothing")
        raise DomainError(rule, field="header", value=got, where="Header")
    if not records[0] <= len(body) <= records[1]:
        rule = f"A table has {records[0]} to {records[1]:,} rows here."
        raise DomainError(rule, field="rows", value=len(body))
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
