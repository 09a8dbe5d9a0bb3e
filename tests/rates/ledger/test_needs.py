"""What decided statements need: by a second program, which tries every set of conditions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from rates.ledger import DECIDED, counts, editions, entries, entry, shown, verdicts
from rates.ledger.decided import carried, decided
from rates.orders import Cell, needs, table_one_cells
from rates.orders.claims.table_one import ROOT, SIZES, TERMS
from tests.depth import deep_after
from tests.rates.orders import apart

AT = (
    {"beta": "1/2", "gamma": ("4/5", "6/5"), "d": 2},
    {"beta": "1/4", "gamma": ("1/2", "2"), "d": 1},
)
RIGHT = [cell for cell in table_one_cells() if cell.reading in ("all", "corrected")]
CASES = [(cell, k) for k in (0, 1) for cell in RIGHT]


@pytest.mark.parametrize(
    ("cell", "place"), deep_after(2, CASES), ids=[f"{cell.name} {k}" for cell, k in CASES]
)
def test_smallest_sets_of_a_cell_are_those_of_plain_enumeration(cell: Cell, place: int) -> None:
    given = AT[place]
    exponents: Mapping[str, Any] = {**given, "gamma": given["gamma"][cell.row > 1]}
    numbers = {name: eval(str(x)) for name, x in exponents.items()}
    trees = (apart.tree_of(text, SIZES, numbers) for text in (ROOT, TERMS[cell.term]))
    conditions = [apart.condition_of(text, SIZES, numbers) for text in cell.where]
    sets = apart.smallest(*trees, conditions)
    found = needs(cell.claim, exponents)
    assert {frozenset(map(cell.where.index, one)) for one in found.minimal} == sets


def test_every_decided_statement_says_what_it_needs() -> None:
    kept = verdicts.stored()
    for one in entries():
        words = [kept[one.id].words(form) for form in one.forms]
        assert bool(kept[one.id].needs) == (DECIDED in words)
        for found in kept[one.id].needs.values():
            assert 0 < found["needed"] < found["conditions"]
            assert 0 <= found["proved"] <= found["ways"]
        if kept[one.id].needs:
            assert len(kept[one.id].needs) == decided(one.id)["claims"]


def test_what_is_stored_is_found_again_and_exported() -> None:
    of = "ACC:Table1:row-1:column-4"
    assert verdicts.stored()[of].needs == carried(of)
    (text,) = shown.needs(entry(of))
    assert text.startswith("needs 4 of its 6 conditions: ")
    assert editions.record(entry(of))["needs"] == (text,)
    (row,) = (row for row in editions.rows() if row["id"] == of)
    assert row["needs"] == text
    whole = json.loads(editions.to_json())
    assert list(whole["needed"].values()) == list(counts.needed(entries()))
    assert counts.needed([entry(of), entry(of)]) == (1, 6, 4)
    assert counts.needed([entry("ACC:Thm3.1")]) == (0, 0, 0)
