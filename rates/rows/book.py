"""Spreadsheets in XLSX: the stored values of their cells; no formula is ever evaluated.

Of a few kilobytes a file can unpack to megabytes, and of a megabyte of markup a reader can make
gigabytes. So every part is looked through first, by the parser that reads it later: what it holds
is counted, and it may define no words of its own, in whatever encoding.
"""

from __future__ import annotations

import datetime
import io
import posixpath
import warnings
import zipfile
from collections import Counter
from typing import Any
from xml.parsers import expat

from rates.numbers import MAX_BYTES, MAX_ROWS, DomainError, Exact, Words

MAGIC = b"PK\x03\x04"
MOST_PARTS = 500
MOST_UNPACKED = 25_000_000  # bytes
MOST_COLUMNS = 60
MOST_SHEETS = 100
MOST_IN_CELLS = 500_000  # elements: a cell with a number is two, and a row is one
MOST_OTHERS = 30_000  # elements: formats, names and the like
MOST_TEXT = 5_000_000  # characters between elements
MOST_TAG = 200_000  # bytes
MOST_PROPERTIES = 100  # attributes of an element
MOST_WORDS = 10_000  # characters of an attribute
MOST_FORMAT = 255  # characters of the format of a number, as in Excel
MOST_DEPTH = 60
_IN_CELLS = {"row", "c", "v", "f", "is", "t", "si", "r", "rPr"}
_BLOCK = 1 << 16  # bytes that are unpacked at a time
_ONCE = "names each of its sheets once"  # what is named twice would be read twice
_INSTEAD = "copy the table alone into a new one, or save its sheet as CSV."
FORMULA = "a formula without a stored value"


def sheets(data: bytes) -> dict[str, list[list[str]]]:
    """Return the rows of every visible sheet that is not empty.

    Raises:
        DomainError: The file is no such book, or unpacks to too much.
    """
    rule = "A spreadsheet is a whole .xlsx file."
    if len(data) > MAX_BYTES:
        big = f"A spreadsheet holds at most {MAX_BYTES // 1_000_000} MB."
        raise DomainError(big, "file", Words(f"{len(data) / 1e6:.1f} MB"))
    try:
        import openpyxl
    except ImportError:
        lacking = "Reading .xlsx needs the package openpyxl; save the sheet as CSV instead."
        raise DomainError(lacking, "file", Words("an .xlsx file")) from None
    formulas = _check_parts(data, rule)

    def load(*, values: bool) -> Any:
        book = io.BytesIO(data)
        return openpyxl.load_workbook(book, read_only=True, data_only=values, keep_links=False)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about looks and checks that are not read
            stored = load(values=True).worksheets
            typed = load(values=False).worksheets if formulas else stored
            found, left = {}, MAX_BYTES
            for sheet, other in zip(stored, typed, strict=True):
                if sheet.sheet_state == "visible" and (rows := _rows(sheet, other, left)):
                    found[str(sheet.title)] = rows
                    left -= _length(rows)
            return found
    except DomainError:
        raise
    except Exception as error:  # whatever a broken file makes of the reader
        raise DomainError(rule, "file", Words(type(error).__name__)) from None


def _check_parts(data: bytes, rule: str) -> bool:
    """Refuse what a reader would make too much of, before it reads; whether there are formulas."""
    look = _Look()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            parts = book.infolist()
            if len(parts) > MOST_PARTS or sum(p.file_size for p in parts) > MOST_UNPACKED:
                flood = f"A spreadsheet unpacks to at most {MOST_UNPACKED // 1_000_000} MB."
                raise DomainError(flood, "file", Words("more"))
            for part in parts:
                with book.open(part) as opened:
                    try:
                        look.through(opened, part.filename)
                    except DomainError:
                        raise
                    # A picture, say, which no reader asks for; or letters that no parser knows.
                    except (expat.ExpatError, ValueError, LookupError) as error:
                        if part.filename.endswith((".xml", ".rels")):
                            raise DomainError(rule, "file", Words(str(error))) from None
            look.once()
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise DomainError(rule, "file", Words(type(error).__name__)) from None
    return look.formulas


class _Look:
    """A look through the parts of a book, which counts over all of them."""

    def __init__(self) -> None:
        self.others = self.in_cells = self.text = 0
        self.formulas = False
        self.parts = set[str]()  # those that are XML
        self.named = Counter[tuple[str, str]]()  # by part, what it names
        self.sheets, self.ids = 0, set[str]()

    def through(self, opened: Any, name: str) -> None:
        """Look through a part.

        Raises:
            DomainError: It is refused.
            expat.ExpatError: It is no XML.
        """
        self.name, self.depth = name, 0
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._type
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        taken = 0
        while block := opened.read(_BLOCK):
            parser.Parse(block)
            taken += len(block)
            if taken - parser.CurrentByteIndex > MOST_TAG:  # and would be begun anew each time
                _refuse(f"has no tag longer than {MOST_TAG // 1000} kB")
        parser.Parse(b"", True)
        self.parts.add(name)

    def once(self) -> None:
        """Refuse a part that another one names twice."""
        if any(count > 1 and part in self.parts for (_, part), count in self.named.items()):
            _refuse(_ONCE)

    def _type(self, *_: object) -> None:
        raise DomainError(
            f"A spreadsheet defines no words of its own; {_INSTEAD}",
            "file",
            Words("a document type"),
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        self.depth += 1
        if self.depth > MOST_DEPTH:
            _refuse(f"is nested at most {MOST_DEPTH} deep")
        if len(attributes) > MOST_PROPERTIES:
            _refuse(f"has no element with more than {MOST_PROPERTIES} properties")
        if name in _IN_CELLS:
            self.in_cells += 1
            self.formulas |= name == "f"
            if self.in_cells > MOST_IN_CELLS:
                _refuse(f"holds at most about {MOST_IN_CELLS // 2:,} cells")
            return
        self.others += 1
        if self.others > MOST_OTHERS:
            _refuse(f"holds at most {MOST_OTHERS:,} formats, names and the like")
        most = MOST_FORMAT if name == "numFmt" else MOST_WORDS
        if any(len(words) > most for words in attributes.values()):
            _refuse(f"has no property longer than {most:,} characters")
        if name == "sheet":
            self.sheets += 1
            if self.sheets > MOST_SHEETS:
                _refuse(f"has at most {MOST_SHEETS} sheets")
            ids = [words for key, words in attributes.items() if key.endswith(":id")]
            if self.ids.intersection(ids):
                _refuse(_ONCE)
            self.ids.update(ids)
        elif name == "Relationship":
            self.named[self.name, self._part(attributes.get("Target", ""))] += 1

    def _part(self, target: str) -> str:
        """The part that a path leads to, as the reader finds it."""
        if target.startswith("/"):
            return target[1:]
        above = posixpath.dirname(posixpath.dirname(self.name))
        return posixpath.normpath(posixpath.join(above, target))

    def _end(self, _: str) -> None:
        self.depth -= 1

    def _characters(self, text: str) -> None:
        self.text += len(text)
        if self.text > MOST_TEXT:
            _refuse(f"holds at most {MOST_TEXT // 1_000_000} million characters")


def _refuse(bound: str) -> None:
    raise DomainError(f"A spreadsheet {bound}; {_INSTEAD}", "file", Words("more"))


def _length(rows: list[list[str]]) -> int:
    return sum(len(cell) for row in rows for cell in row)


def _rows(sheet: Any, formulas: Any, most: int) -> list[list[str]]:
    from openpyxl.cell.read_only import EMPTY_CELL

    limits = {"max_row": MAX_ROWS + 30, "max_col": MOST_COLUMNS}
    pairs = zip(sheet.iter_rows(**limits), formulas.iter_rows(**limits), strict=False)
    rows: list[list[str]] = []
    blank: object = None
    for row, typed in pairs:
        if row is blank or all(cell is EMPTY_CELL for cell in row):
            blank = row  # a last row far below is given thousands of times before it
            continue
        cells = [_text(cell, other) for cell, other in zip(row, typed, strict=False)]
        while cells and not cells[-1]:
            cells.pop()
        most -= sum(map(len, cells))
        if most < 0:  # a text that many cells show is stored once
            _refuse(f"shows at most {MAX_BYTES // 1_000_000} million characters")
        if any(cell.strip() for cell in cells):
            rows.append(cells)
    return rows


def _text(cell: Any, typed: Any) -> str:
    """Return what a cell shows; a number with all of its digits."""
    value = cell.value
    if value is None:
        return FORMULA if typed.value is not None and typed.data_type == "f" else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        if "%" in str(cell.number_format):
            return f"{100 * value:.12g}%"
        return Exact(repr(int(value)) if float(value).is_integer() else repr(value))
    if isinstance(value, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return str(value)
    return str(value)
