"""Claims of orders in the ledger: decided exactly, and a wrong one is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rates.orders import table_one_cells
from rates.statements import decided, ledger
from rates.statements.ledger import BROKEN, DECIDED, evaluate, statement, statements
from rates.statements.reviewed import decisions

REST = "ACC:Table1:reading-A"


def test_what_is_decided_is_as_stored() -> None:
    for of in (REST, "ACC:Table1:row-3:column-2"):
        assert decided.decided(of) == decisions()[of]
    assert all(one["holds"] for one in decisions().values())


@pytest.mark.deep
def test_all_that_is_decided_is_as_stored() -> None:
    found = {item.id: decided.decided(item.id) for item in statements()}
    assert {of: one for of, one in found.items() if one is not None} == decisions()


def test_the_printed_cell_would_not_be_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = tuple(
        replace(cell, reading="corrected")
        for cell in table_one_cells()
        if cell.row == 1 and cell.reading in ("all", "A")
    )
    monkeypatch.setattr(decided, "table_one_cells", lambda: wrong)
    found = decided.decided(REST)
    assert found is not None
    assert not found["holds"]


def test_the_verdict_follows_from_the_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    item = statement(REST)
    assert evaluate(item, number=100).of("reading").words == DECIDED
    spoiled: dict[str, Any] = {REST: {"holds": False}}
    monkeypatch.setattr(ledger, "decisions", lambda: spoiled)
    assert evaluate(item, number=100).of("reading").words == BROKEN
