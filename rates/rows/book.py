"""Spreadsheets in XLSX: the stored values of their cells; no formula is ever evaluated."""

from __future__ import annotations

import datetime
import io
import warnings
import zipfile
from typing import Any

from rates.numbers import MAX_ROWS, DomainError, Words
from rates.rows.numbers import Exact
from rates.rows.split import MAX_BYTES

MAGIC = b"PK\x03\x04"
MOST_PARTS = 500
MOST_UNPACKED = 25_000_000  # bytes
MOST_COLUMNS = 60
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
    _check_parts(data, rule)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about looks and checks that are not read
            stored = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            typed = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
            found = {}
            for sheet, formulas in zip(stored.worksheets, typed.worksheets, strict=True):
                if sheet.sheet_state == "visible" and (rows := _rows(sheet, formulas)):
                    found[str(sheet.title)] = rows
            return found
    except DomainError:
        raise
    except Exception as error:  # whatever a broken file makes of the reader
        raise DomainError(rule, "file", Words(type(error).__name__)) from None


def _check_parts(data: bytes, rule: str) -> None:
    """Refuse what unpacks to a flood, or defines words of its own, before anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            parts = book.infolist()
            if len(parts) > MOST_PARTS or sum(p.file_size for p in parts) > MOST_UNPACKED:
                flood = f"A spreadsheet unpacks to at most {MOST_UNPACKED // 1_000_000} MB."
                raise DomainError(flood, "file", Words("more"))
            for part in parts:
                with book.open(part) as opened:
                    if b"<!DOCTYPE" in opened.read():
                        raise DomainError(rule, "file", Words("a document type of its own"))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise DomainError(rule, "file", Words(type(error).__name__)) from None


def _rows(sheet: Any, formulas: Any) -> list[list[str]]:
    limits = {"max_row": MAX_ROWS + 30, "max_col": MOST_COLUMNS}
    pairs = zip(sheet.iter_rows(**limits), formulas.iter_rows(**limits), strict=False)
    rows = []
    for row, typed in pairs:
        cells = [_text(cell, other) for cell, other in zip(row, typed, strict=False)]
        while cells and not cells[-1]:
            cells.pop()
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
            return f"{100 * value:.12g} %"
        return Exact(repr(int(value)) if float(value).is_integer() else repr(value))
    if isinstance(value, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return str(value)
    return str(value)
