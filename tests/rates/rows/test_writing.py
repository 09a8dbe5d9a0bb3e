"""What is written as CSV holds no formula, reads back as it was, and has one writer."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.rows import csv_text, tables
from rates.rows.texts import without_quote
from rates.study.presets import preset
from rates.study.scenario import FederatedStudy, Server
from tests.house.tree import ROOT
from tests.rates.rows.sites import with_csv

NASTY = ["=1+2", "+A1", "-B2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "''-x", "-"]
PLAIN = ["-1.5", "+2e-3", "-inf", "'t Hooft", "A=B", "", "Köln; =B", 'a "b", c', "a|-b\tc"]
CELLS = st.text("=+-@'\t\r\n,;|\" ab1.e", max_size=8) | st.sampled_from(NASTY + PLAIN)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@pytest.mark.parametrize("cell", NASTY)
def test_a_formula_gets_a_quote(cell):
    ((written, after),) = read(csv_text([[cell, 1]]))
    assert (written, after) == (f"'{cell}", "1")


@pytest.mark.parametrize("cell", PLAIN)
def test_numbers_and_words_stay(cell):
    assert read(csv_text([[cell, -1.5, None, -2]])) == [[cell, "-1.5", "", "-2"]]


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=3))
def test_any_text_comes_back_and_no_cell_is_a_formula(rows):
    found = read(csv_text(rows))
    formulas = [cell for row in found for cell in row if re.match(r"[=+\-@\t\r\n]", cell)]
    assert all(re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?|-inf", cell) for cell in formulas), formulas
    assert [[without_quote(cell) for cell in row] for row in found] == rows


def test_sites_with_such_names_come_back():
    names = ["=cmd|' /C calc'!A0", "-1.5", "'=x", "@a;=b", "+1 (555)"]
    servers = [Server(name=name, n=9, epsilon=1) for name in names]
    study = FederatedStudy(servers=servers, smoothness=2)
    text = tables.to_csv(study)
    assert [row[0] for row in read(text)][1] == "'=cmd|' /C calc'!A0"
    # Where commas are decimal, cells end at semicolons: a name in quotes is not cut there.
    german = csv.reader(io.StringIO(text), delimiter=";")
    assert [cell for row in german for cell in row if cell.startswith("=")] == []
    assert with_csv(preset("unequal").study, text).servers == study.servers


def test_tables_have_one_writer():
    where = {
        path.relative_to(ROOT).as_posix()
        for top in ("rates", "sims", "pages")
        for path in (ROOT / top).rglob("*.py")
        if re.search(r"csv\.(\w*[wW]riter)\(|\.to_csv\(.*(sep|index)=", path.read_text("utf-8"))
    }
    assert where == set()
