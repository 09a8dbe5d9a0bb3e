"""Spreadsheets in XLSX: stored values, no formulas, no floods."""

from __future__ import annotations

import datetime
import io
import zipfile

import pytest

from rates.rows import read
from rates.rows.workbook import sheets
from tests.rates.rows.test_floods import data_of, packed, texts_of

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
    rows = [(r["name"], r["n"], r["epsilon"]) for r in reading.rows]
    assert rows == [("A", 2000, 1.125), ("B", 58, "inf")]


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


def percent(made):
    made.active["C2"].number_format = "0%"


@pytest.mark.parametrize(
    ("row", "change", "words"),
    [
        (["A", "=50+8", 1, "x"], None, "Row 1 ('A'), field n: got 'a formula without a stored"),
        (["A", 58, 0.3, "x"], percent, "per cent"),
        (["A", datetime.date(2020, 1, 2), 1, "x"], None, "a date"),
    ],
)
def test_what_is_no_number_is_refused(row, change, words):
    assert words in refused(book([ROWS[0], row], change))


def test_what_another_program_writes_is_read():
    """An empty text of a formula, a pronounced text, a cell far right, a budget beyond floats."""
    cells = '<c t="s"><v>0</v></c><c t="str"><f>x</f><v></v></c><c t="b"><v>1</v></c>'
    row = f'<row>{cells}<c r="F1"><v>1e400</v></c><c><v>5.80</v></c></row>'
    read_aloud = "<si><r><t>a</t></r><r><t>b</t></r><rPh><t>c</t></rPh></si>"
    data = packed(sheet1=data_of(row), sharedStrings=texts_of(read_aloud))
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
