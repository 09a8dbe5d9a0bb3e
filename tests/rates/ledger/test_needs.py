"""What decided statements need: by a second program, which tries every set of conditions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from rates.language import letters_of, substituted, text
from rates.ledger import DECIDED, counts, editions, entries, entry, shown, verdicts
from rates.ledger.decided import carried
from rates.orders import Cell, Claim, needs, parse, table_one_cells
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


SAID = (
    "ACC:Cor3.2:text-moderate",
    "ACC:Cor3.3:case-2:leave",
    "ACC:Cor3.3:case-3:threshold",
    "ACC:Table1:column-1",
    "ACC:Table1:gamma-one",
    "ACC:Table1:row-1:column-2",
    "ACC:Table1:row-1:column-3:A",
    "ACC:Table1:row-1:column-3:B",
    "ACC:Table1:alternations",
    "ACC:Table1:alternations:strong",
    "CAC:Abs:better",
)


@pytest.mark.parametrize("of", deep_after(3, SAID))
def test_smallest_sets_of_a_claim_as_its_text_says_it(of: str) -> None:
    one = entry(of)
    claim = one.claims[one.used]
    by: dict[str, Any] = {}
    for let in claim.lets:
        by[let.letter] = substituted(let.left, by)
    powers = {"beta": "1/2", "gamma": "4/5", "d": "2", "alpha": "1", "t": "1/3", "u": "1/5"}
    letters = [x.letter for x in claim.letters if x.letter not in powers]
    numbers = {x: eval(value) for x, value in powers.items()}
    where = [
        f"{text(x.left)} {x.sign.replace('=', '')}= {text(x.right)}"
        for x in (given.put(by) for given in claim.conditions)
        if letters_of(x.left) & {*letters}
    ]
    for said in (given.put(by) for given in claim.says):
        left, right = text(said.left), text(said.right)
        low, high = (right, left) if said.sign[0] == ">" else (left, right)
        rate = low if said.sign == "=" else f"max({low}, {high})"
        order = parse(rate, sizes=letters, exponents=dict.fromkeys(powers, (0, 9)))
        found = needs(Claim(order, high, where), powers)
        trees = (apart.tree_of(x, letters, numbers) for x in (rate, high))
        conditions = [apart.condition_of(x, letters, numbers) for x in found.where]
        sets = apart.smallest(*trees, conditions)
        assert {frozenset(map(found.where.index, one)) for one in found.minimal} == sets


def test_every_decided_statement_says_what_it_needs() -> None:
    kept = verdicts.stored()
    for one in entries():
        words = [kept[one.id].words(form) for form in one.forms]
        assert bool(kept[one.id].needs) == (DECIDED in words)
        for found in kept[one.id].needs.values():
            assert 0 < found["needed"] < found["conditions"]
            assert 0 <= found["proved"] <= found["ways"]


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
