"""A study while it is typed: what the table refuses, in which words, and round trips."""

from __future__ import annotations

import math

import pytest

from pages.current import state as drafts
from rates.numbers.parameters import DomainError
from rates.study import PRESETS, codec, preset

HOSPITALS = drafts.draft_of(preset("hospitals").study)
MANY = tuple({**HOSPITALS.rows[1], "name": f"s{k}"} for k in range(10_001))


def table(*changes: tuple[int, str, object]) -> drafts.Draft:
    """The hospitals' draft with some cells changed."""
    rows = [dict(row) for row in HOSPITALS.rows]
    for row, field, value in changes:
        rows[row][field] = value
    return of(rows)


def of(rows) -> drafts.Draft:
    return drafts.Draft(kind="transfer", parameters=HOSPITALS.parameters, rows=tuple(rows))


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_a_study_survives_the_table_and_nothing_is_said_of_it(entry):
    draft = drafts.draft_of(entry.study)
    assert drafts.to_study(draft) == entry.study
    assert list(drafts.readings(draft)) == []


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (of(()), ["at least one site"]),
        (of((HOSPITALS.rows[0], *MANY)), ["at most 10,000 rows"]),
        (table((0, "target", False)), ["exactly one site as the target", "got none"]),
        (table((1, "target", True)), ["exactly one site as the target", "rows 1, 2"]),
        (table((1, "n", "")), ["n is required", "Row 2 ('Cleveland')", "empty cell"]),
        (table((1, "name", "")), ["name is required", "Row 2", "empty cell"]),
        (table((1, "epsilon", "")), ["or tick unprotected", "Row 2"]),
        (table((1, "n", "-5")), ["non-negative integer", "Row 2 ('Cleveland')", "-5"]),
        (table((1, "n", "1.912k")), ["plain number"]),
        (table((1, "epsilon", "-")), ["tick unprotected", "Row 2 ('Cleveland')", "'-'"]),
        (table((1, "signal_exponent", "0")), ["gamma must be positive", "field signal_exponent"]),
        (table((1, "epsilon", "__import__('os')")), ["plain number"]),
    ],
)
def test_what_is_typed_is_refused_by_row_and_field(draft, words):
    with pytest.raises(DomainError) as caught:
        drafts.to_study(draft)
    assert [word for word in words if word not in str(caught.value)] == []


def test_a_budget_may_be_a_word_that_says_there_is_none():
    for word in ("none", "unprotected", "inf", "∞", "public", "keine"):
        draft = table((1, "epsilon", word))
        assert math.isinf(drafts.to_study(draft).servers[1].epsilon)
        assert drafts.ticked(draft.rows[1])["unprotected"] is True
        assert any(f"({word})" in said for said in drafts.readings(draft))


def test_the_other_kind_s_parameters_are_kept():
    second = drafts.draft_of(preset("unequal").study, HOSPITALS.parameters)
    assert second.parameters["transfer"] == HOSPITALS.parameters["transfer"]
    assert codec.to_dict(drafts.to_study(second))["integrability"] == 4
