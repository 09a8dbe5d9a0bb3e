"""Cells into values: one style of numbers for a table, found in it or asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rates.numbers import SERVER_FIELDS, DomainError, Words, shown
from rates.rows import words
from rates.rows.numbers import Exact, Shape, shape_of
from rates.rows.records import Question

DECIMAL, THOUSANDS = "decimal", "thousands"
_MARKS = {",": "comma", ".": "point"}
_WHOLE = {name for name, parameter in SERVER_FIELDS.items() if parameter.whole}
_INFINITE = ("inf", "∞")


class Values:
    """Columns of numbers while they are being read.

    Attributes:
        found: By field and row, the value; rows whose cell is empty or refused are missing.
        refusals: By row, what is refused.
        questions: What is open.
        unprotected: By word for no budget, the rows that have it.
        said: By field, what was done with its numbers.
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[str]],
        where: Sequence[str],
        answers: Mapping[str, str],
        *,
        pointed: bool,
        own: bool,
    ) -> None:
        self.found: dict[str, dict[int, Any]] = {}
        self.refusals: dict[int, list[DomainError]] = {}
        self.questions: list[Question] = []
        self.unprotected: dict[str, list[int]] = {}
        self.said: dict[str, str] = {}
        self._open: dict[tuple[str, str], list[tuple[int, str, Shape]]] = {}
        self._decimals, self._groups = set[str](), set[str]()
        self._where, self._own = where, own
        for field, cells in columns.items():
            self._shapes(field, cells)
        if pointed and "," not in self._decimals:  # commas stand between the cells
            self._decimals.add(".")
        for (field, mark), cells_ in self._open.items():
            self._settle(field, mark, cells_, answers)

    def _shapes(self, field: str, cells: Sequence[str]) -> None:
        found = self.found[field] = {}
        for row, cell in enumerate(cells):
            text = cell if isinstance(cell, Exact) else cell.strip()
            if not text:
                continue
            if text.isdecimal() and text.isascii() and len(text) < 20:
                found[row] = int(text)
                continue
            if self._is_word(field, row, text):
                continue
            try:
                read = shape_of(text, field, self._where[row])
            except DomainError as refusal:
                self.refusals.setdefault(row, []).append(self._worded(refusal, field))
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
        if field == "epsilon" and word in words.NO_BUDGET:
            self.found[field][row] = "inf"
            if word != "inf":
                self.unprotected.setdefault(text, []).append(row)
            return True
        if word in _INFINITE:
            self.found[field][row] = "inf"
            return True
        if field not in ("n", "epsilon") and word in words.NOTHING:
            self.said.setdefault(field, f"{shown(text)} is read as not stated")
            return True
        return False

    def _worded(self, refusal: DomainError, field: str) -> DomainError:
        if field != "epsilon" or "per cent" in refusal.rule or "must lie" in refusal.rule:
            return refusal
        rule = f"{refusal.rule[:-1]}, or inf for no protection."
        return DomainError(rule, field, refusal.value, refusal.where)

    def _say(self, field: str, text: str, value: Any) -> None:
        if isinstance(text, Exact) or field in self.said:
            return
        if not text.isascii() or not set(text.lower()) <= set("0123456789.+-e"):
            self.said[field] = f"{text} is read as {value}"

    def _settle(
        self,
        field: str,
        mark: str,
        cells: Sequence[tuple[int, str, Shape]],
        answers: Mapping[str, str],
    ) -> None:
        """Decide what a mark before three digits is in one column, or ask."""
        style = self._style(field, mark, cells)
        certain = field in _WHOLE and style != DECIMAL
        key = f"mark {field} {_MARKS[mark]}"
        if not style and answers.get(key) in (DECIMAL, THOUSANDS):
            style = answers[key]
        for row, text, read in cells:
            whole = float(read.value).is_integer()
            if style or (certain and not whole):
                decimal = style == DECIMAL
                value = read.value if decimal else read.thousands
                self.found[field][row] = int(value) if decimal and whole else value
                self._say(field, text, self.found[field][row])
                if field not in self.said:
                    self.said[field] = f"{text} is read as {self.found[field][row]}"
        if not style:
            self._ask(key, field, mark, [c for c in cells if c[0] not in self.found[field]])

    def _ask(
        self, key: str, field: str, mark: str, cells: Sequence[tuple[int, str, Shape]]
    ) -> None:
        if not cells:
            return
        row, text, read = cells[0]
        others = f", as in {len(cells)} rows" if len(cells) > 1 else ""
        question = (
            f"{words.TITLES.get(field, field)}: is {text} ({self._where[row]}{others}) "
            f"{read.value:g} or {read.thousands}?"
        )
        named = _MARKS[mark]
        options = {
            DECIMAL: f"{read.value:g}: the {named} begins decimals",
            THOUSANDS: f"{read.thousands}: the {named} stands between thousands",
        }
        self.questions.append(Question(key, question, options))

    def _style(self, field: str, mark: str, cells: Sequence[tuple[int, str, Shape]]) -> str:
        """What the table itself says about a mark in a column; empty if it is left open."""
        other = "." if mark == "," else ","
        if field in _WHOLE:
            if mark in self._decimals:
                return ""
            forced = any(not float(read.value).is_integer() for _, _, read in cells)
            english = mark == "," and other in self._decimals
            return THOUSANDS if forced or mark in self._groups or english else ""
        as_groups = mark in self._groups or any(
            m == mark and f in _WHOLE and any(not float(r.value).is_integer() for _, _, r in opened)
            for (f, m), opened in self._open.items()
        )
        certain = mark in self._decimals and other not in self._decimals and not as_groups
        return DECIMAL if certain else ""

    def refuse(self, row: int, rule: str, field: str, value: object) -> None:
        """Refuse a cell of a row."""
        refusal = DomainError(rule, field, value, self._where[row])
        self.refusals.setdefault(row, []).append(refusal)

    def required(self, row: int, field: str) -> None:
        """Refuse a row whose cell is empty though every row fills it."""
        hint = "; write inf for a site without protection" if field == "epsilon" else ""
        self.refuse(row, f"{field} is required{hint}.", field, Words("an empty cell"))
