"""Spreadsheets in XLSX: the stored values of their cells; no formula is ever evaluated.

A file of a few kilobytes can unpack to megabytes, and a reader can turn a megabyte of markup into
gigabytes: openpyxl took 103 s and 2.7 GB for 40 kB of styles, and python-calamine, which lays out
every cell up to the last one named, ends the whole server at one cell in XFD1048576. So a book is
read by one pass of one parser, which counts as it reads and keeps only what is shown.
"""

from __future__ import annotations

import io
import math
import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import NoReturn
from xml.parsers import expat

from rates.numbers import MAX_BYTES, MAX_ROWS, DomainError, Exact, Words

MAGIC = b"PK\x03\x04"
MOST_COLUMNS = 100
FORMULA, DATE = "a formula without a stored value", "a date"
_MOST_MB = 25  # unpacked
_MOST_MARKS = 1_500_000  # elements and attributes; a cell has up to five
_MOST_TEXT = 5_000_000  # characters between elements
_MOST_TAG = 200_000  # bytes
_MOST_DEPTH = 60
_BLOCK = 1 << 16  # bytes that are unpacked at a time
_MOST_READ = MAX_ROWS + 30  # rows, so that a few above the table still show that it is too long
_PERCENT = "%"
_KINDS = {  # of the formats that have a number and no text
    **dict.fromkeys((9, 10), _PERCENT),
    **dict.fromkeys((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)), DATE),
}
_QUIET = re.compile(r'"[^"]*"|\[[^\[\]]*\]|[\\_*].')  # what a format shows as it stands
_COLUMN = re.compile(r"[A-Z]{1,3}")


def sheets(data: bytes) -> dict[str, list[list[str]]]:
    """Return the rows of every visible sheet that is not empty.

    Raises:
        DomainError: The file is no such book, or unpacks to too much.
    """
    if len(data) > MAX_BYTES:
        big = f"A spreadsheet holds at most {MAX_BYTES // 1_000_000} MB."
        raise DomainError(big, "file", Words(f"{len(data) / 1e6:.1f} MB"))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return _Book(packed).sheets()
    except DomainError:
        raise
    except Exception as error:  # whatever is missing or broken in it
        rule = "A spreadsheet is a whole .xlsx file."
        raise DomainError(rule, "file", Words(type(error).__name__)) from None


def _refuse(flood: str) -> NoReturn:
    rule = (
        f"A spreadsheet unpacks to at most {_MOST_MB} MB, about {_MOST_MARKS // 5:,} cells and "
        f"{_MOST_TEXT // 1_000_000} million characters, and defines no words of its own; copy the "
        "table alone into a new one, or save its sheet as CSV."
    )
    raise DomainError(rule, "file", Words(flood))


class _Book:
    """A book while it is read: its parts, and how much was read of all of them together."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        parts = packed.infolist()
        if sum(part.file_size for part in parts) > _MOST_MB * 1_000_000:  # and zipfile holds it
            _refuse(f"more than {_MOST_MB} MB")
        if any(p.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for p in parts):
            raise zipfile.BadZipFile  # of others a few bytes ask for gigabytes
        self.packed = packed
        self.marks = self.characters = self.shown = 0
        self.strings: list[str] = []
        self.kinds: list[str] = []  # of the formats that cells name by number

    def sheets(self) -> dict[str, list[list[str]]]:
        """The rows of every visible sheet that is not empty."""
        (main,) = (path for kind, path in self._named_by("").values() if kind == "officeDocument")
        named = self._named_by(main)
        for kind, path in named.values():
            if kind == "sharedStrings":
                self.strings = list(self._strings(path))
            elif kind == "styles":
                self.kinds = self._formats(path)
        titles: dict[str, str] = {}  # by path: a part that is named often is read once
        for tag, given, _ in self._elements(main):
            if tag == "sheet" and given.get("state", "visible") == "visible":
                (key,) = (value for name, value in given.items() if name.endswith(":id"))
                kind, path = named[key]
                if kind == "worksheet":
                    titles[path] = given["name"]
        found = {title: self._rows(path) for path, title in titles.items()}
        return {title: rows for title, rows in found.items() if rows}

    def _elements(self, part: str) -> Iterator[tuple[str, dict[str, str], str]]:
        """Every element of a part as it ends: its name, attributes, and the text right in it."""
        ended: list[tuple[str, dict[str, str], str]] = []
        begun: list[tuple[str, dict[str, str], list[str]]] = []

        def start(tag: str, given: dict[str, str]) -> None:
            begun.append((tag.rpartition(":")[2], given, []))
            self.marks += 1 + len(given)
            if self.marks > _MOST_MARKS or len(begun) > _MOST_DEPTH:
                _refuse("more cells, formats and names, or nested deeper")

        def end(_: str) -> None:
            tag, given, texts = begun.pop()
            ended.append((tag, given, "".join(texts)))

        def characters(text: str) -> None:
            self.characters += len(text)
            if self.characters > _MOST_TEXT:
                _refuse("more characters")
            begun[-1][2].append(text)

        def doctype(*_: object) -> None:  # words of its own could stand for any number of others
            _refuse("a document type")

        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = characters, doctype
        taken = 0
        with self.packed.open(part) as file:
            while block := file.read(_BLOCK):
                parser.Parse(block)
                taken += len(block)
                if taken - parser.CurrentByteIndex > _MOST_TAG:  # it would begin anew each time
                    _refuse(f"a tag of more than {_MOST_TAG // 1000} kB")
                yield from ended
                ended.clear()
        parser.Parse(b"", True)

    def _named_by(self, part: str) -> dict[str, tuple[str, str]]:
        """By its key in a part, the kind and the path of every other part that it names."""
        folder, name = posixpath.split(part)
        found = {}
        for tag, given, _ in self._elements(posixpath.join(folder, "_rels", f"{name}.rels")):
            if tag == "Relationship":
                path = posixpath.normpath(posixpath.join("/", folder, given["Target"]))
                found[given["Id"]] = given["Type"].rpartition("/")[2], path.lstrip("/")
        return found

    def _strings(self, part: str) -> Iterator[str]:
        """The texts that cells name by number."""
        texts: list[str] = []
        for tag, _, text in self._elements(part):
            if tag == "t":
                texts.append(text)
            elif tag == "rPh":  # how a text is pronounced is none of it
                texts.pop()
            elif tag == "si":
                yield "".join(texts)
                texts.clear()

    def _formats(self, part: str) -> list[str]:
        """By number of a style, whether it shows per cent or a date."""
        kinds, used = dict(_KINDS), list[int]()
        for tag, given, _ in self._elements(part):
            if tag == "numFmt":
                code = _QUIET.sub("", given.get("formatCode", ""))
                dated = DATE if re.search("[dmyhs]", code, re.IGNORECASE) else ""
                kinds.setdefault(int(given["numFmtId"]), _PERCENT if "%" in code else dated)
            elif tag == "xf":
                used.append(int(given.get("numFmtId", 0)))
            elif tag == "cellStyleXfs":  # a style may rest on these, and no cell names them
                used.clear()
            elif tag == "cellXfs":
                return [kinds.get(number, "") for number in used]
        return []

    def _rows(self, part: str) -> list[list[str]]:
        """The rows of a sheet that are not empty."""
        rows: list[list[str]] = []
        row: list[str] = []
        value, formula = "", False
        for tag, given, text in self._elements(part):
            if tag in ("v", "t"):
                value += text
            elif tag == "f":
                formula = True
            elif tag == "c":
                letters = _COLUMN.match(given.get("r", ""))
                at = min(_number(letters[0]) if letters else len(row), MOST_COLUMNS)
                row += [""] * (at + 1 - len(row))
                row[at] = self._text(given, value, formula=formula)
                value, formula = "", False
            elif tag == "row":
                while row and not row[-1]:
                    row.pop()
                if any(cell.strip() for cell in row) and len(rows) < _MOST_READ:
                    rows.append(row)
                    self.shown += sum(map(len, row))
                    if self.shown > MAX_BYTES:  # a text that many cells show is stored once
                        _refuse("more characters in all cells together")
                row = []
        return rows

    def _text(self, given: dict[str, str], value: str, *, formula: bool) -> str:
        """Return what a cell shows; a number with all of its digits."""
        kind = given.get("t", "n")
        if not value:
            return FORMULA if formula and kind != "str" else ""
        if kind == "s":
            return self.strings[int(value)]
        if kind == "b":
            return "false" if value == "0" else "true"
        if kind != "n" or not math.isfinite(number := float(value)):
            return value
        style = int(given.get("s", 0))
        shows = self.kinds[style] if style < len(self.kinds) else ""
        if shows:  # neither is the plain number that is stored
            return DATE if shows == DATE else f"{100 * number:.12g}%"
        return Exact(repr(int(number)) if number.is_integer() else repr(number))


def _number(letters: str) -> int:
    """Number of a column from 0, by its letters.

    >>> _number("A"), _number("AB")
    (0, 27)
    """
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1
