"""Spreadsheets in XLSX: stored values, no formulas, no floods."""

from __future__ import annotations

import datetime
import io
import re
import zipfile

import pytest

from rates.rows import read
from rates.rows.workbook import sheets
from tests.rates.rows.test_floods import packed

openpyxl = pytest.importorskip("openpyxl")
ROWS = [
    ["Hospital", "Patients", "Epsilon", "Target"],
    ["A", 2000, 1.125, "x"],
    ["B", 58.0, "none", None],
]


def book(rows, change=None, **more) -> bytes:
    """A book with one sheet, and further ones by name."""
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    for name, other in more.items():
        sheet = made.create_sheet(name)
        for row in other:
            sheet.append(row)
    if change:
        change(made)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def refused(data: bytes) -> str:
    return " ".join(map(str, read(data).refusals))


def test_stored_numbers_leave_nothing_open():
    reading = read(book(ROWS))
    assert reading.ready
    assert [(r["name"], r["n"], r["epsilon"]) for r in reading.rows] == [
        ("A", 2000, 1.125),
        ("B", 58, "inf"),
    ]


def test_text_in_a_cell_is_asked_about_as_elsewhere():
    rows = [ROWS[0], ["A", "2.000", 1, "x"]]
    assert [q.key for q in read(book(rows)).questions] == ["mark n point"]


def test_a_sheet_is_chosen_and_a_hidden_one_is_not():
    data = book([["notes", "only"]], Sites=ROWS, Old=[["x", 1]])
    (question,) = read(data).questions
    assert list(question.options) == ["Sheet", "Sites", "Old"]
    assert read(data, answers={"sheet": "Sites"}).ready

    def hide(made):
        made["Old"].sheet_state = "hidden"
        del made["Sheet"]

    assert read(book([], hide, Sites=ROWS, Old=[["x", 1]])).ready


def test_a_formula_is_never_evaluated():
    said = refused(book([ROWS[0], ["A", "=50+8", 1, "x"]]))
    assert "formula without a stored value" in said
    assert "Row 1 ('A')" in said


def test_per_cent_is_seen_in_the_format():
    def percent(made):
        made.active["C2"].number_format = "0%"

    assert "per cent" in refused(book([ROWS[0], ["A", 58, 0.3, "x"]], percent))


def test_a_date_is_no_number_of_records():
    assert "a date" in refused(book([ROWS[0], ["A", datetime.date(2020, 1, 2), 1, "x"]]))


def test_what_another_program_writes_is_read():
    """An empty text of a formula, a pronounced text, a cell far right, a budget beyond floats."""

    def table(cells):
        return packed(
            sheet1=lambda text: re.sub(
                "<sheetData>.*</sheetData>", f"<sheetData><row>{cells}</row></sheetData>", text
            ),
            sharedStrings=lambda text: text.replace(
                "<si><t>any</t></si>", "<si><r><t>a</t></r><r><t>b</t></r><rPh><t>c</t></rPh></si>"
            ),
        )

    cells = '<c t="s"><v>0</v></c><c t="str"><f>x</f><v></v></c><c t="b"><v>1</v></c>'
    data = table(f'{cells}<c r="F1"><v>1e400</v></c><c><v>5.80</v></c>')
    assert sheets(data) == {"Sheet": [["ab", "", "true", "", "", "1e400", "5.8"]]}


def test_broken_files_and_floods_are_refused():
    whole = book(ROWS)
    assert "whole .xlsx" in refused(whole[: len(whole) // 2])
    assert "whole .xlsx" in refused(b"PK\x03\x04" + b"x" * 50)
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/workbook.xml", b" " * 30_000_000)
    assert len(other.getvalue()) < 100_000
    assert "unpacks to at most" in refused(other.getvalue())
    assert "at most 4 MB" in refused(b"PK\x03\x04" + b"x" * 5_000_000)
