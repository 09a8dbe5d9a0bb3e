"""Cells into values: one style of numbers for a table, found in it or asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rates.numbers import SERVER_FIELDS, DomainError, Exact, Shape, Words, shape_of, shown
from rates.rows import words
from rates.rows.records import Told

DECIMAL, THOUSANDS = "decimal", "thousands"
_MARKS = {",": "comma", ".": "point"}
_WHOLE = {name for name, parameter in SERVER_FIELDS.items() if parameter.whole}
_INFINITE = ("inf", "∞")


class Values:
    """Columns of numbers while they are being read.

    Attributes:
        found: By field and row, the value; rows whose cell is empty or refused are missing.
        refusals: By row, what is refused.
        unprotected: By word for no budget, the rows that have it.
        blank: By row, the dash that stands where its budget would.
        said: By field, what was done with its numbers.
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[str]],
        where: Sequence[str],
        told: Told,
        *,
        between: str,
        own: bool,
    ) -> None:
        self.found: dict[str, dict[int, Any]] = {}
        self.refusals: dict[int, list[DomainError]] = {}
        self.unprotected: dict[str, list[int]] = {}
        self.blank: dict[int, str] = {}
        self.said: dict[str, str] = {}
        self._open: dict[tuple[str, str], list[tuple[int, str, Shape]]] = {}
        self._decimals, self._groups = set[str](), set[str]()
        self._where, self._own, self._told = where, own, told
        for field, cells in columns.items():
            self._shapes(field, cells)
        self._between = between  # the cells
        # Between commas a decimal comma would be quoted, so that points begin decimals.
        if between == "," and "," not in self._decimals:
            self._decimals.add(".")
        for (field, mark), cells_ in self._open.items():
            self._settle(field, mark, cells_)

    def _shapes(self, field: str, cells: Sequence[str]) -> None:
        found = self.found[field] = {}
        for row, cell in enumerate(cells):
            text = cell if isinstance(cell, Exact) else cell.strip()
            if not text:
                continue
            # Most cells are such, and there may be ten thousand rows of them.
            if text.isdecimal() and text.isascii() and len(text) < 20:
                found[row] = int(text)
                continue
            if self._is_word(field, row, text):
                continue
            try:
                read = shape_of(text, field, self._where[row])
            except DomainError as refusal:
                self.refusals.setdefault(row, []).append(refusal)
                continue
            self._groups |= {read.group} - {""}
            if read.mark and not (self._own and read.mark == "."):
                self._open.setdefault((field, read.mark), []).append((row, text, read))
                continue
            self._decimals |= {read.decimal} - {""}
            found[row] = read.value
            self._say(field, text, read.value)

    def _is_word(self, field: str, row: int, text: str) -> bool:
        """Take a word that stands for no number."""
        word = words.plain(text)
        if field == "epsilon" and words.blank(text):
            self.blank[row] = text
            return True
        if field == "epsilon" and words.unprotected(text):
            self.found[field][row] = "inf"
            if word != "inf":
                self.unprotected.setdefault(text, []).append(row)
            return True
        if word in _INFINITE:
            self.found[field][row] = "inf"
            return True
        # A dash for n or epsilon must not pass as "not stated": every row needs both.
        if field not in ("n", "epsilon") and (word in words.NOTHING or words.blank(text)):
            self.said.setdefault(field, f"{shown(text)} is read as not stated")
            return True
        return False

    def _say(self, field: str, text: str, value: Any) -> None:
        if isinstance(text, Exact) or field in self.said:
            return
        if not text.isascii() or not set(text.lower()) <= set("0123456789.+-e"):
            self.said[field] = f"{text} is read as {value}"

    def _settle(self, field: str, mark: str, cells: Sequence[tuple[int, str, Shape]]) -> None:
        """Decide what a mark before three digits is in one column, or ask."""
        style = self._style(field, mark, [read for _, _, read in cells])
        parts = field in _WHOLE  # of a record there are none
        hows = [
            style or (THOUSANDS if parts and not float(read.value).is_integer() else "")
            for _, _, read in cells
        ]
        open_ = [cell for cell, how in zip(cells, hows, strict=True) if not how]
        answer = self._ask(field, mark, open_) if open_ else ""
        for (row, text, read), how in zip(cells, hows, strict=True):
            if not (how or answer):
                continue
            value = read.value if (how or answer) == DECIMAL else read.thousands
            self.found[field][row] = int(value) if float(value).is_integer() else value
            self.said.setdefault(field, f"{text} is read as {self.found[field][row]}")

    def _ask(self, field: str, mark: str, cells: Sequence[tuple[int, str, Shape]]) -> str:
        row, text, read = cells[0]
        others = f", as in {len(cells)} rows" if len(cells) > 1 else ""
        question = (
            f"{words.TITLES.get(field, field)}: is {text} ({self._where[row]}{others}) "
            f"{shown(read.value)} or {read.thousands}?"
        )
        lead, rest = divmod(read.thousands, 1000)
        spelled = f"{lead} thousand {rest or ''}".strip()
        options = {
            DECIMAL: f"{shown(read.value)}: the {_MARKS[mark]} begins decimals",
            THOUSANDS: f"{read.thousands}, {spelled}: the {_MARKS[mark]} stands between thousands",
        }
        return self._told.ask(f"mark {field} {_MARKS[mark]}", question, options)

    def _style(self, field: str, mark: str, shapes: Sequence[Shape]) -> str:
        """What the table itself says about a mark in a column; empty if it is left open."""
        if field not in _WHOLE:
            certain = self._decimals == {mark} and mark not in self._groups
            return DECIMAL if certain else ""
        forced = any(not float(read.value).is_integer() for read in shapes)
        other = "." if mark == "," else ","
        # What a comma may begin where decimals are written so: it is asked.
        decimal = self._between == ";" or other in self._groups
        decimal |= any(m == mark and f not in _WHOLE for f, m in self._open)
        english = mark == "," and ("." in self._decimals or not decimal)
        grouped = forced or english or mark in self._groups
        return THOUSANDS if grouped and mark not in self._decimals else ""

    def refuse(self, row: int, rule: str, field: str, value: object) -> None:
        """Refuse a cell of a row."""
        refusal = DomainError(rule, field, value, self._where[row])
        self.refusals.setdefault(row, []).append(refusal)

    def required(self, row: int, field: str) -> None:
        """Refuse a row whose cell is empty though every row fills it."""
        hint = "; write inf for a site without protection" if field == "epsilon" else ""
        self.refuse(row, f"{field} is required{hint}.", field, Words("an empty cell"))
