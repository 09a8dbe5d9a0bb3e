"""A study while it is typed: what the table refuses, in which words, and round trips."""

from __future__ import annotations

import math

import pytest

from pages.current import draft as drafts
from rates.numbers.parameters import DomainError
from rates.study import codec
from rates.study.presets import PRESETS, preset


def table(*changes: tuple[int, str, object], kind: str = "transfer") -> drafts.Draft:
    """The hospitals' draft with some cells changed."""
    start = drafts.from_study(preset("hospitals" if kind == "transfer" else "unequal").study)
    rows = [dict(row) for row in start.rows]
    for row, field, value in changes:
        rows[row][field] = value
    return drafts.Draft(kind=start.kind, parameters=start.parameters, rows=tuple(rows))


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_a_study_survives_the_table(entry):
    assert drafts.to_study(drafts.from_study(entry.study)) == entry.study


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([(0, "target", False)], ["exactly one site as the target", "got none"]),
        ([(1, "target", True)], ["exactly one site as the target", "rows 1, 2"]),
        ([(1, "n", "")], ["n is required", "Row 2 ('Cleveland')", "empty cell"]),
        ([(1, "name", "")], ["name is required", "Row 2", "empty cell"]),
        ([(1, "epsilon", "")], ["or tick unprotected", "Row 2"]),
        ([(1, "n", "-5")], ["non-negative integer", "Row 2 ('Cleveland')", "-5"]),
        ([(1, "n", "nan")], ["plain number", "'nan'"]),
        ([(1, "n", "1e400")], ["floating point", "'1e400'"]),
        ([(1, "n", "many")], ["plain number", "'many'"]),
        ([(1, "n", "12.5")], ["non-negative integer", "12.5"]),
        ([(1, "n", "2.000")], ["plain number", "'2.000'"]),
        ([(1, "n", ">= 100")], ["not a bound", "'>= 100'"]),
        ([(1, "n", "1.912k")], ["1912 or 1912000"]),
        ([(1, "epsilon", "-")], ["tick unprotected", "Row 2 ('Cleveland')", "'-'"]),
        ([(1, "delta", "2")], ["strictly between 0 and 1", "field delta"]),
        ([(1, "signal_exponent", "0")], ["gamma must be positive", "field signal_exponent"]),
        ([(1, "count", "0")], ["at least 1", "field count"]),
        ([(0, "count", "3")], ["one target", "count"]),
        ([(0, "signal_exponent", "2")], ["measured against itself"]),
        ([(1, "name", "Hungary")], ["unique", "Row 2"]),
        ([(1, "name", "all")], ['must not be "all"', "Row 2"]),
        ([(1, "epsilon", "__import__('os')")], ["plain number"]),
    ],
)
def test_cells_are_refused_by_row_and_field(changes, words):
    with pytest.raises(DomainError) as caught:
        drafts.to_study(table(*changes))
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("word", ["none", "unprotected", "inf", "∞", "public", "keine"])
def test_a_budget_may_be_a_word_that_says_there_is_none(word):
    draft = table((1, "epsilon", word), (1, "unprotected", False))
    assert math.isinf(drafts.to_study(draft).servers[1].epsilon)
    assert drafts.ticked(draft.rows[1])["unprotected"] is True
    assert f"Cleveland: Budget ε is read as unprotected ({word})." in list(drafts.readings(draft))


@pytest.mark.parametrize(
    ("text", "value", "read"),
    [
        ("200k", 200_000, "200,000 (200k)"),
        ("~350", 350, "350 (~350)"),
        ("1 Mio", 10**6, "1,000,000 (1 Mio)"),
        ("25,000", 25_000, None),
        ("12 400", 12_400, "12,400 (12 400)"),
    ],
)
def test_a_cell_is_read_as_people_write_and_said_to_be(text, value, read):
    draft = table((1, "n", text))
    assert drafts.to_study(draft).servers[1].n == value
    said = [] if read is None else [f"Cleveland: Records n is read as {read}."]
    assert list(drafts.readings(draft)) == said


def test_plain_cells_have_nothing_said():
    assert [list(drafts.readings(drafts.from_study(p.study))) for p in PRESETS] == [[]] * len(
        PRESETS
    )


def test_an_empty_table_is_refused():
    start = table()
    nothing = drafts.Draft(kind=start.kind, parameters=start.parameters, rows=())
    with pytest.raises(DomainError, match="at least one site"):
        drafts.to_study(nothing)


def test_too_many_rows_are_refused():
    start = table(kind="federated")
    rows = tuple({**start.rows[0], "name": f"s{k}"} for k in range(10_001))
    with pytest.raises(DomainError, match="at most 10,000 rows"):
        drafts.to_study(drafts.Draft(kind="federated", parameters=start.parameters, rows=rows))


def test_unprotected_wins_over_a_budget_that_stays_in_its_cell():
    study = drafts.to_study(table((1, "unprotected", True)))
    assert math.isinf(study.servers[1].epsilon)
    assert drafts.to_study(table((1, "epsilon", "inf"))).servers[1].epsilon == math.inf


def test_numbers_are_taken_as_typed():
    study = drafts.to_study(table((1, "n", "1e5"), (2, "epsilon", " 0.125 ")))
    assert study.servers[1].n == 100_000
    assert study.servers[2].epsilon == 0.125
    assert drafts.number_text(1e-300) == "1e-300"
    assert float(drafts.number_text(0.1 + 0.2)) == 0.1 + 0.2


def test_the_other_kind_s_parameters_are_kept():
    first = drafts.from_study(preset("hospitals").study)
    second = drafts.from_study(preset("unequal").study, first.parameters)
    assert second.parameters["transfer"] == first.parameters["transfer"]
    assert codec.to_dict(drafts.to_study(second))["integrability"] == 4
