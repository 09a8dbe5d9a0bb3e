"""A table of sites as people have it, read with a record of what was decided and what is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rates.numbers import MAX_ROWS, DomainError, Exact, Words, listed, shape, shown
from rates.rows import words
from rates.rows.columns import OUT, Columns
from rates.rows.records import Column, Reading, Told
from rates.rows.sites import target, totals
from rates.rows.texts import cells, without_quote
from rates.rows.values import Values
from rates.rows.workbook import MAGIC, MOST_COLUMNS, sheets
from rates.study import OWN, REQUIRED

MOST_REFUSALS = 20
_TITLES_ABOVE = 5


def read(
    text: str | bytes,
    *,
    kind: str = "transfer",
    answers: Mapping[str, str] | None = None,
    more: Sequence[str] = (),
    required: Sequence[str] = REQUIRED,
) -> Reading:
    r"""Read a table of sites from text or an .xlsx file; nothing ambiguous is guessed.

    Args:
        text: The table.
        kind: What the sites are for: "transfer" asks for the one target, "federated" has none;
            empty for other rows, of which no sum is looked for either.
        answers: By key of a question, the answer.
        more: Further columns of numbers, and "offer" of words, known by these names alone.
        required: Columns that every row fills.

    >>> reading = read("Klinik;Patienten;Budget;Ziel\nNord;1.912;0,3;x\nOst;58;keins;")
    >>> [(row["name"], row["n"], row["epsilon"]) for row in reading.rows]
    [('Nord', 1912, 0.3), ('Ost', 58, 'inf')]
    >>> read("Site\tRecords\tBudget ε\tTarget\nA\t2.000\t0,3\tx").questions[0].text
    "Records n: is 2.000 (Row 1 ('A')) 2 or 2000?"
    """
    try:
        return _Reader(Told(answers or {}), kind, tuple(more), tuple(required)).reading(text)
    except DomainError as refusal:
        return Reading(refusals=(refusal,))


@dataclass(slots=True)
class _Reader:
    """One table while it is read."""

    told: Told
    kind: str
    more: tuple[str, ...]
    required: tuple[str, ...]

    def reading(self, text: str | bytes) -> Reading:
        table, mark = self._table(text)
        if self.told.questions:
            return Reading(questions=tuple(self.told.questions))
        width = max((len(row) for row in table), default=0)
        if not table:
            rule = f"A table starts with a header line such as {','.join(OWN)}."
            raise DomainError(rule, "file", Words("an empty table"))
        # One cell a line is a text that is no table, or has another mark.
        if width < 2:
            rule = (
                "A table has a column for each of name, n and epsilon, with tabs, semicolons or "
                "commas between."
            )
            raise DomainError(rule, "file", Words("one column"))
        if width > MOST_COLUMNS:
            rule = f"A table of sites has at most {MOST_COLUMNS} columns."
            raise DomainError(rule, "file", width)
        header, body = self._header(table)
        # In a table written here a point begins decimals and names may be anything.
        own = mark == "," and header is not None and tuple(map(str.strip, header)) == OWN
        known = (*words.FIELDS, *self.more)
        if len(body) > MAX_ROWS:
            rule = f"A study has at most {MAX_ROWS:,} rows (use count for identical sites)."
            raise DomainError(rule, "servers", len(body))
        titles = [*(header or ()), *[""] * (width - len(header or ()))]
        if header is not None:
            _check_widths(len(header), body)
        body = [[*row, *[""] * (width - len(row))] for row in body]
        columns = Columns(titles, body, known, self.required, self.told)
        if header is None:
            self.told.notes.append("No header: the columns are known by what they hold.")
        # While something is open, what was concluded from it is not said.
        before = tuple(self.told.notes)
        columns.understand()
        if self.told.questions or self.told.refusals:
            return Reading(
                columns=self._columns(columns, {}),
                notes=before,
                questions=tuple(self.told.questions),
                refusals=tuple(self.told.refusals),
            )
        if self.kind and header is not None and not body:
            rule = "A table holds at least one row below its header."
            raise DomainError(rule, "file", Words("a header alone"))
        return self._rows(columns, body, own=own, between=mark)

    def _table(self, text: str | bytes) -> tuple[list[list[str]], str]:
        """The cells, and the mark between them; none while it is open which sheet."""
        if isinstance(text, str):
            return cells(text)
        if not text.startswith(MAGIC):
            return cells(self._decoded(text))
        found = sheets(text)
        chosen = next(iter(found), "")
        if len(found) > 1:
            options = {name: name for name in found}
            chosen = self.told.ask("sheet", "Which sheet holds the sites?", options)
            self.told.notes.append(f"Sheet {shown(chosen)} is read.")
        return found.get(chosen, []), ""

    def _decoded(self, data: bytes) -> str | bytes:
        """A spreadsheet's older encodings, where the bytes are not UTF-8."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
            text = data.decode("utf-16" if wide else "cp1252", "replace")
        if any(c == "\ufffd" or (c < " " and c not in "\t\r\n") for c in text):
            return data  # refused where all texts are decoded
        self.told.notes.append("The letters are read as Windows writes them, not as UTF-8.")
        return text

    def _header(self, table: list[list[str]]) -> tuple[list[str] | None, list[list[str]]]:
        """The header if there is one, and the rows below it."""
        width = max(sum(bool(c.strip()) for c in row) for row in table)
        for k, row in enumerate(table[: _TITLES_ABOVE + 1]):
            filled = [c.strip() for c in row if c.strip()]
            if len(filled) == 1 and width > 2 and k < len(table) - 1 and not _number(filled[0]):
                self.told.notes.append(f"Left out above the table: {shown(filled[0])}.")
                continue
            if not any(map(_number, filled)) or _names_all(filled):
                return row, table[k + 1 :]
            return None, table[k:]
        return None, table

    def _rows(self, columns: Columns, body: list[list[str]], *, own: bool, between: str) -> Reading:
        place = {field: k for k, field in enumerate(columns.fields) if field}
        given = {field: [row[k] for row in body] for field, k in place.items()}
        if "name" in given:
            given["name"] = [without_quote(name) for name in given["name"]]
        where = [
            f"Row {number} ({name.strip()[:80]!r})" if name.strip() else f"Row {number}"
            for number, name in enumerate(given.get("name", [""] * len(body)), start=1)
        ]
        texts = ("name", "role", "offer", words.UNPROTECTED)
        numbers = {field: cells_ for field, cells_ in given.items() if field not in texts}
        values = Values(numbers, where, self.told, between=between, own=own)
        dropped = totals(given, values, self.told, own=own) if self.kind else set()
        kept = [k for k in range(len(body)) if k not in dropped]
        rows: dict[int, dict[str, Any]] = {}
        for k in kept:
            rows[k] = self._row(k, given, values, where[k], own)
        # Dashes are asked about once, after sums are gone, whose budget is one.
        self._settle_blanks(rows, values, where)
        self._say_budgets(values, given, list(rows))
        refusals = [r for k in rows for r in values.refusals.get(k, ())]
        curve = False
        # Who is the target is not asked while a cell that may say so is refused.
        unread = any(r.field == "role" for r in refusals)
        if self.kind == "transfer" and rows and not unread:
            try:
                curve = target(rows, self.told, own=own)
            except DomainError as refusal:
                refusals.append(refusal)
        return Reading(
            columns=self._columns(columns, values.said),
            rows=tuple(rows.values()),
            given=tuple({f: cells_[k] for f, cells_ in given.items()} for k in rows),
            notes=tuple(self.told.notes),
            questions=tuple(self.told.questions),
            refusals=tuple(refusals[:MOST_REFUSALS]),
            curve=curve,
        )

    def _row(
        self, k: int, given: Mapping[str, list[str]], values: Values, where: str, own: bool
    ) -> dict[str, Any]:
        row: dict[str, Any] = {}
        for field, cells_ in given.items():
            cell = cells_[k]
            if field == "name":
                row[field] = cell if own else " ".join(cell.split())
                if "\n" in cell:
                    self.told.notes.append(f"{where}: a line break in its name is read as a space.")
            elif field == "offer":
                row |= {field: cell.strip()} if cell.strip() else {}
            elif field == "role":
                row |= self._role(k, cell, values)
            elif field != words.UNPROTECTED and k in values.found[field]:
                row[field] = values.found[field][k]
        if words.UNPROTECTED in given:
            self._tick(k, given[words.UNPROTECTED][k], row, values)
        refused = {r.field for r in values.refusals.get(k, ())}
        open_ = {q.key.split()[1] for q in self.told.questions}
        for field in self.required:
            asked = field == "epsilon" and k in values.blank
            if not str(row.get(field, "")).strip() and field not in refused | open_ and not asked:
                values.required(k, field)
        return row

    def _role(self, k: int, cell: str, values: Values) -> dict[str, str]:
        word = words.plain(cell)
        if word in words.TARGETS or word in words.YES:
            return {"role": "target"}
        if word == "source":
            return {"role": "source"}
        if word not in words.SOURCES and word not in words.NO:
            rule = 'role must be "target" or "source", or left out.'
            values.refuse(k, rule, "role", cell.strip())
        return {}

    def _tick(self, k: int, cell: str, row: dict[str, Any], values: Values) -> None:
        """Take the tick of a site without protection, which has no budget beside it."""
        word = words.plain(cell)
        if word in words.YES or word in words.NO_BUDGET - words.NO:
            if row.get("epsilon", "inf") != "inf":
                rule = "A site that is unprotected has no budget: leave one of the two out."
                values.refuse(k, rule, "epsilon", row["epsilon"])
            row["epsilon"] = "inf"
        elif word not in words.NO:
            values.refuse(k, "unprotected must be yes or no.", words.UNPROTECTED, cell.strip())

    def _settle_blanks(
        self, rows: dict[int, dict[str, Any]], values: Values, where: Sequence[str]
    ) -> None:
        """Ask what a dash in place of a budget means, once for all rows that have one."""
        blank = [k for k, row in rows.items() if k in values.blank and "epsilon" not in row]
        if not blank:
            return
        more = "1 other row" if len(blank) == 2 else f"{len(blank) - 1} other rows"
        others = f", also in {more}" if len(blank) > 1 else ""
        text = f"{where[blank[0]]}: what does {values.blank[blank[0]]} mean as a budget{others}?"
        options = {
            "inf": "Unprotected: its records are used without privacy protection",
            OUT: "Not stated: leave the row out",
        }
        answer = self.told.ask("dash epsilon", text, options)
        if answer == "inf":
            for k in blank:
                rows[k]["epsilon"] = "inf"
                values.unprotected.setdefault(values.blank[k], []).append(k)
        elif answer == OUT:
            for k in blank:
                del rows[k]
            left = listed([where[k] for k in blank], 5)
            self.told.notes.append(f"Left out, as their budget is not stated: {left}.")
            if not rows:
                rule = "A study needs at least one site whose budget is stated."
                raise DomainError(rule, "epsilon", Words("no budget"))

    def _say_budgets(
        self, values: Values, given: Mapping[str, list[str]], kept: Sequence[int]
    ) -> None:
        names = given.get("name", ())
        for word, rows in values.unprotected.items():
            sites = [names[k].strip()[:80] for k in rows if k in kept and names]
            if sites:
                self.told.notes.append(
                    f"Budget {shown(word)} is read as unprotected (inf): {listed(sites, 5)}."
                )

    def _columns(self, columns: Columns, said: Mapping[str, str]) -> tuple[Column, ...]:
        waiting = {q.key.removeprefix("column ") for q in self.told.questions}
        for question in self.told.questions:  # its options are columns
            waiting |= set(question.options if question.key.startswith("field ") else ())
        found = []
        for k, field in enumerate(columns.fields):
            called = columns.began(k)
            if field:
                detail = f"; {said[field]}" if field in said else ""
                what = f"{called} is read as {words.TITLES.get(field, field)}{detail}."
            elif str(k) in waiting:
                what = f"{called}: see the question."
            elif columns.filled(k):
                what = f"{called} is left out."
            else:
                continue
            found.append(Column(columns.titles[k].strip(), field, what))
        return tuple(found)


def _check_widths(width: int, body: list[list[str]]) -> None:
    for number, row in enumerate(body, start=1):
        if any(c.strip() for c in row[width:]):
            rule = f"A row has at most {width} cells, as the header has."
            raise DomainError(rule, "row", len(row), f"Row {number}")


def _number(cell: str) -> bool:
    if isinstance(cell, Exact):
        return True
    try:
        return shape(cell) is not None
    except DomainError:
        return True


def _names_all(cells_: Sequence[str]) -> bool:
    """Whether cells name both what a site holds and its budget, though one is a number."""
    known = {field for cell in cells_ if len(f := words.fields_of(cell)) == 1 for field in f}
    return {"n", "epsilon"} <= known
