"""Rows into CSV text: what a spreadsheet would take for a formula stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# Wide letters count as the narrow ones where a spreadsheet reads them so.
_FORMULA = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|-inf")
_QUOTED = re.compile(r'[,;|"\t\r\n]')  # what any reader of tables may take for a cell's end


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
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
