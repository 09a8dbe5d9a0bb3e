"""What a notebook shows of a record: every field, every text escaped; one short line as text."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np
import pytest

import rates
from rates.numbers import Framed
from rates.study import Server, preset


def read(record):
    """The tags of what is shown, and the texts between them."""
    shown = record._repr_html_()
    return re.findall(r"<(\w+)", shown), [*map(html.unescape, re.split("<[^>]*>", shown))]


@dataclass(frozen=True, repr=False)
class Curve(Framed):
    _columns: ClassVar = {"x": "x (records)", "y": "y", "rows": "row", "off": "off"}

    x: np.ndarray
    y: tuple[str, ...]
    rows: np.ndarray
    off: np.ndarray


def test_columns_of_one_length_are_a_table():
    x, rows = np.array([1.0, 2.0, 4.0]), np.arange(6.0).reshape(2, 3)
    found = Curve(x, ("a", "b", "c"), rows, np.empty((0, 3)))
    table = found.to_frame()
    assert list(table.columns) == ["x (records)", "y", "row, 1", "row, 2"]
    assert table["row, 2"].tolist() == [3.0, 4.0, 5.0]
    assert "x=<3 numbers, 1 to 4>" in repr(found)
    assert "<2 by 3 numbers, 0 to 5>" in read(found)[1]
    assert "script" not in read(replace(found, y=("a", "<script>", "c")))[0]


def test_records_are_rows_and_records_within_them_columns():
    answers = [rates.levers(preset("hospitals").study, fraction=x).levers[0] for x in (0.8, 0.9)]
    table = rates.to_frame(answers)
    assert table["equation: value"].tolist() == [x.equation.value for x in answers]
    sites = preset("hospitals").study.to_frame()
    assert sites["n (records)"].tolist() == [142, 303, 141, 116]
    for junk in ([], [1], [answers[0], Server(name="a", n=1, epsilon=1)]):
        with pytest.raises(rates.DomainError, match="records of one kind"):
            rates.to_frame(junk)


@pytest.mark.parametrize("key", ["hospitals", "unequal"])
def test_every_field_is_there_and_the_line_is_short(key):
    study = preset(key).study
    for record in (study, rates.solve(study)):
        assert {field.name for field in fields(record)} <= set(read(record)[1])
    assert len(repr(rates.solve(study))) < 600
