"""What decided statements need: by a second program, which tries every set of conditions."""

from __future__ import annotations

import json
import re

import pytest

from rates.ledger import DECIDED, editions, entries, entry, read_claim, shown, verdicts
from rates.ledger.decided import as_orders, carried, decided
from rates.orders import needs
from tests.depth import deep_after
from tests.rates.orders import apart

KEPT = verdicts.stored()
DECIDED_ONES = [one.id for one in entries() if KEPT[one.id].needs]


@pytest.mark.parametrize("of", deep_after(8, DECIDED_ONES[3:] + DECIDED_ONES[:3]))  # 3 are dear
def test_smallest_sets_of_a_statement_are_those_of_plain_enumeration(of: str) -> None:
    one = entry(of)
    for _, asked, exponents in as_orders(one.claims[one.used]):
        sizes, at = asked.order.sizes, exponents[0]
        trees = (apart.tree_of(text, sizes, at) for text in map(str, (asked.order, asked.equals)))
        conditions = [apart.condition_of(chained(x), sizes, at) for x in asked.where]
        sets = {frozenset(map(asked.where.index, x)) for x in needs(asked, at).minimal}
        assert apart.smallest(*trees, conditions) == sets


def chained(condition: str) -> str:
    """A condition with both of its relations apart."""
    left, sign, right, *last = re.split(r"\s*(<=|>=)\s*", condition)
    return f"{left} {sign} {right}" + (f" and {right} {last[0]} {last[1]}" if last else "")


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("if n <= m\nthen 1/m^b <= 1/n^b", True),
        ("if n <= m\nthen 1/m^b >= 1/n^b", False),  # turned
        ("if n <= m\nthen 1/m^b < 1/n^b", False),  # equal on the border
        ("if n <= m\nthen 2/m^b <= 1/n^b", False),  # up to a constant only
        ("if n <= m\nthen 1/(n + m)^b <= 1/n^b", False),  # a sum
        ("if n <= m\nthen log(n) <= log(m)", False),
        ("if n <= m\nthen min(n, m)^b = n^b", True),
        ("then max(n, m)^b >= m", True),  # as b >= 1 and m >= 2
        ("then max(n, m)^b >= m^2", False),
        ("if b > 2\nthen max(n, m)^b >= m^2", True),
        ("if m <= 100\nthen max(n, m) <= 100", False),  # n goes on, past its range
        ("then n <= m iff n^b <= m^b", True),
        ("then n > m iff n^b > m^b", True),
        ("then n >= m iff n^b > m^b", False),
        ("then n = m iff n^b = m^b", True),
        ("then n <= m iff n^b <= 2*m^b", False),
        ("let c = log(n)/log(m)\nif b <= c\nthen min(m^b, n) = m^b", True),
        ("let c = log(n)/log(m)\nif b >= c\nthen min(m^b, n) = m^b", False),
        ("let c = log(n*m)/log(m) - 1\nif b <= c\nthen min(m^b, n) = m^b", True),
        ("let c = log(n/m)/log(m) + 1\nif b <= c\nthen min(m^b, n) = m^b", False),
        ("let x solves min(n, m)*x^b = 1\nthen x = max(n^(-1/b), m^(-1/b))", True),
        ("let x solves (n + m)*x^b = 1\nthen max(x, n) >= x", False),  # a sum in a balance
        ("then n*m^b*n^b = n*(n*m)^b", False),  # nothing to decide
    ],
)
def test_a_claim_is_decided_if_it_holds_exactly(said: str, holds: bool) -> None:
    assert decided(read_claim(f"for n, m in {{2..100}}; b in [1, 3]\n{said}")) == holds


def test_every_decided_statement_says_what_it_needs() -> None:
    assert len(DECIDED_ONES) >= 30
    for one in entries():
        kept = KEPT[one.id]
        assert bool(kept.needs) == (DECIDED in map(kept.words, one.forms))
        for found in kept.needs.values():
            assert 0 <= found["needed"] <= found["conditions"]
            assert 0 <= found["proved"] <= found["ways"]


def test_what_is_stored_is_found_again_and_exported() -> None:
    of = "ACC:Cor3.2:text-moderate"
    assert KEPT[of].needs == carried(entry(of).claims["reading"])
    (text,) = shown.needs(entry(of))
    assert text.startswith("needs 2 of its 4 conditions: ")
    (row,) = (row for row in editions.rows() if row["id"] == of)
    assert row["needs"] == text
    whole = json.loads(editions.to_json())
    assert list(whole["needed"].values()) == list(verdicts.needed(entries()))
    assert verdicts.needed([entry(of), entry(of)]) == (1, 4, 2)
    assert verdicts.needed([entry("ACC:Thm3.1")]) == (0, 0, 0)
