"""Small spreadsheets that unpack to much, or of which a reader makes much: seconds and memory."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import cache

import pytest

from rates.numbers import MAX_BYTES
from tests.depth import deep_after

openpyxl = pytest.importorskip("openpyxl")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Memory is read as Linux tells it.")

MOST_SECONDS = 6.0  # of the processor; a book takes 0.7 to 2 where two others share its core
MOST_MEMORY = 40  # MB more than before
MEASURE = """
import json, sys, time
from rates.rows.workbook import sheets
from rates.numbers import DomainError
data = sys.stdin.buffer.read()
def memory():  # of this process alone, which what is told of its children is not
    told = open("/proc/self/status").read()
    return int(told.partition("VmHWM:")[2].split()[0]) / 1024
before, begun = memory(), time.process_time()
try:
    said = str(sum(map(len, sheets(data).values())))
except DomainError as refusal:
    said = str(refusal)
print(json.dumps([said, time.process_time() - begun, memory() - before]))
"""
MANY = 3_400_000
SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
Parts = dict[str, str]


@cache
def plain() -> Parts:
    """The parts of a book with one sheet of two sites."""
    made = openpyxl.Workbook()
    for row in (["Hospital", "Patients", "Epsilon", "Target"], ["A", 58, 1, "x"], ["B", 9, 1, ""]):
        made.active.append(row)
    out = io.BytesIO()
    made.save(out)
    with zipfile.ZipFile(out) as book:
        parts = {name: book.read(name).decode() for name in book.namelist()}
    space = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    named = f'Id="texts" Type="{space}/sharedStrings" Target="/xl/sharedStrings.xml"'
    relations, end = parts["xl/_rels/workbook.xml.rels"], "</Relationships>"
    relations = relations.replace(end, f"<Relationship {named}/>{end}")
    sst = f'<sst xmlns="{SPACE}"><si><t>any</t></si></sst>'
    return parts | {"xl/_rels/workbook.xml.rels": relations, "xl/sharedStrings.xml": sst}


def packed(**change: Callable[[str], str | bytes]) -> bytes:
    """That book with parts changed, by the beginnings of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as book:
        for name, text in plain().items():
            stem = name.rpartition("/")[2].removesuffix(".xml").replace(".xml.rels", "_parts")
            book.writestr(name, change.get(stem, lambda same: same)(text))
    return out.getvalue()


def styles(part: str, inside: str) -> bytes:
    """A book with one list of its styles made anew."""
    new = f"<{part}>{inside}</{part}>"
    old = rf"<{part}\b[^>]*/>|<{part}\b.*?</{part}>"
    return packed(styles=lambda text: re.sub(old, new, text, flags=re.DOTALL))


def data_of(rows: str, after: str = "") -> Callable[[str], str]:
    """Other rows in a sheet."""
    new = f"<sheetData>{rows}</sheetData>{after}"
    return lambda text: re.sub("<sheetData>.*</sheetData>", new, text)


def texts_of(inside: str) -> Callable[[str], str]:
    """Other texts of a book."""
    return lambda text: re.sub("<si>.*</si>", inside, text)


def table(rows: str, after: str = "") -> bytes:
    """A book with other rows in its sheet."""
    return packed(sheet1=data_of(rows, after))


def entity(encoding: str) -> bytes:
    """A book whose texts repeat a word of their own."""
    text = (
        f'<?xml version="1.0"?><!DOCTYPE sst [<!ENTITY a "{"b" * 1000}">]>'
        f'<sst xmlns="{SPACE}">{"<si><t>" + "&a;" * 20 + "</t></si>"}</sst>'
    )
    return packed(sharedStrings=lambda _: text.encode(encoding))


def laughs(part: str) -> bytes:
    """A book with a word made of ten words, each of which is made of ten."""
    words = "".join(f'<!ENTITY w{k + 1} "{f"&w{k};" * 10}">' for k in range(9))
    head = f'<!DOCTYPE any [<!ENTITY w0 "ha">{words}]>'
    return packed(**{part: lambda text: re.sub(r"^(<\?xml.*?\?>)?", rf"\1{head}", text)})


def same_part() -> bytes:
    """Ninety sheets that are one part."""
    space = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    sheets, parts = "", ""
    for k in range(90):
        sheets += f'<sheet name="s{k}" sheetId="{k + 1}" state="visible" r:id="x{k}"/>'
        path = "worksheets/./sheet1.xml"
        parts += f'<Relationship Id="x{k}" Type="{space}/worksheet" Target="{path}"/>'
    rows = f"<sheetData><row>{'<c/>' * 400_000}</row></sheetData>"
    return packed(
        workbook=lambda text: re.sub("<sheets>.*</sheets>", f"<sheets>{sheets}</sheets>", text),
        workbook_parts=lambda text: text.replace("</Relationships>", f"{parts}</Relationships>"),
        sheet1=lambda text: re.sub("<dimension.*</sheetData>", rows, text),
    )


def unclosed(brackets: int, formats: int) -> bytes:
    """A book with formats of numbers whose brackets never close."""
    code = "[" * brackets
    made = (f'<numFmt numFmtId="{200 + k}" formatCode="{code}"/>' for k in range(formats))
    return styles("numFmts", "".join(made))


# One for each thing that a reader counts, and for what an audit found.
FLOODS: dict[str, Callable[[], bytes]] = {
    "fonts": lambda: styles("fonts", "<font/>" * MANY),
    "unclosed brackets": lambda: unclosed(250, 20_000),
    "a long format": lambda: unclosed(8_000_000, 1),
    "one part, many relations": same_part,
    "far corner": lambda: table('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
    "empty texts": lambda: packed(sharedStrings=texts_of("<si/>" * 4_900_000)),
    "a wide text": lambda: packed(
        sharedStrings=texts_of(f"<si><t>{'a' * 24_000_000}\U0001f600</t></si>")
    ),
    "a text in many cells": lambda: packed(
        sharedStrings=texts_of(f"<si><t>{'a' * 4_000_000}</t></si>"),
        sheet1=data_of('<row><c t="s"><v>0</v></c></row>' * 9_000),
    ),
    "cells in one row": lambda: table("<row>" + "<c/>" * 6_000_000 + "</row>"),
    "attributes": lambda: table("<row " + " ".join(f'a{k}=""' for k in range(1_200_000)) + "/>"),
    "a long comment": lambda: table(f"<!--{'a' * 24_000_000}-->"),
    "nesting": lambda: table("<row>" * 2_000_000),
    "UTF-8": lambda: entity("utf-8"),
    "UTF-16": lambda: entity("utf-16"),
    "laughs among texts": lambda: laughs("sharedStrings"),
}
READ = {"one part, many relations", "far corner", "unclosed brackets"}  # no harm, and no need
QUICK = {"nesting", "UTF-16", "a text in many cells", "one part, many relations", "far corner"}


def cheaply_said(data: bytes) -> str:
    """What reading a book says in a process of its own that takes few seconds and little memory."""
    line = [sys.executable, "-c", MEASURE]
    done = subprocess.run(line, input=data, capture_output=True, check=True)
    said, seconds, memory = json.loads(done.stdout)
    assert seconds < MOST_SECONDS
    assert memory < MOST_MEMORY
    return said


@pytest.mark.parametrize("flood", deep_after(5, sorted(FLOODS, key=lambda x: x not in QUICK)))
def test_a_flood_costs_little(flood):
    data = FLOODS[flood]()
    assert len(data) < MAX_BYTES
    said = cheaply_said(data)
    if flood not in READ:
        assert not said.isdigit(), said


def test_a_usual_book_with_many_styles_and_rows_is_read():
    """Styles of 64 kB, ten thousand rows of ten columns, merged cells and names."""
    fonts = '<font><sz val="11"/><name val="Calibri"/></font>' * 1_300
    rows = f"<row>{'<c><v>5</v></c>' * 10}</row>" * 9_997 + "</sheetData>"
    data = packed(
        styles=lambda text: re.sub("(<fonts.*?>)(?=<font>)", rf"\1{fonts}", text, count=1),
        sheet1=lambda text: text.replace("</sheetData>", rows),
    )
    assert cheaply_said(data) == "10000"
