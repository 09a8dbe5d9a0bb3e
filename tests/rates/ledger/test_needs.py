"""What decided statements need: by a second program, which tries every set of conditions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from rates.language import letters_of, read, substituted, text
from rates.ledger import DECIDED, editions, entries, entry, read_claim, shown, verdicts
from rates.ledger.claim import Relation
from rates.ledger.decided import as_orders, carried, decided
from rates.orders import needs
from tests.depth import deep_after
from tests.rates.orders import apart

AT: dict[str, Any] = {
    **{"beta": "1/2", "gamma": "4/5", "d": "2", "alpha": "1", "p": "3", "kappa": "1/2"},
    "nu": "5/4",
}
WHERE: dict[str, dict[str, str]] = {  # where other exponents are assumed
    "ACC:Cor3.2:eps11-at-1": {"gamma": "1"},
    "ACC:Table1:gamma-one": {"gamma": "1"},
    "ACC:Table1:alternations": {"t": "1/3", "u": "1/5"},
    "ACC:Table1:alternations:strong": {"t": "1/3"},
    "ACC:Table1:row-2:column-2": {"gamma": "6/5"},
    "ACC:Table1:row-2:column-3": {"gamma": "6/5"},
    "ACC:Table1:row-2:column-4": {"gamma": "6/5"},
    "ACC:Table1:row-3:column-2": {"gamma": "6/5"},
    "ACC:Table1:row-3:column-3-4": {"gamma": "6/5"},
    "CCV:Cor2:holder": {"alpha": "2"},
    "CCV:Eq7:slower": {"alpha": "2"},
}
ROOTS = {  # of the balances of the papers' rates, by hand
    "r": "max(n0^(-1/(2*beta + d)), (n0^2*eps^2)^(-1/(2*beta + 2*d)))",
    "D_g": "min((m*n^2*eps^2)^(1/(2*alpha + 2)), (m*n)^(1/(2*alpha + 1)))",
    "D_p": "min((m*n^2*eps^2)^(1/(2*nu + 2)), (m*n)^(1/(2*nu + 1)))",
}
STAR = "n0^(2*beta*gamma + d)", "(m*n)^(2*beta + d)"  # at most, where gamma <= gamma_star
OTHER_ROOTS = (
    *("ACC:Rem3.1", "ACC:Eq5:solo", "CCV:Sec1.2:spreading", "CCV:Sec2.1:smoothness-budget"),
    *("CCV:Sec2.1:smoothness-spread", "CCV:Sec2.1:smaller-p-budget"),
)


def statements() -> list[str]:
    """All statements that are decided, but for some with balances of their own."""
    found = [one.id for one in entries() if verdicts.stored()[one.id].needs]
    return [of for of in found if of not in OTHER_ROOTS]


def as_typed(of: str) -> Iterator[tuple[str, str, list[str], list[str]]]:
    """What a statement says: a rate, what it equals, its conditions, and the ends of ranges."""
    one = entry(of)
    claim = one.claims[one.used]
    by = {x.letter: read(str(x.low)) for x in claim.letters if x.low == x.high}
    for let in claim.lets:
        root = read(ROOTS[let.letter]) if let.right else let.left
        by[let.letter] = substituted(root, by)
    sizes = [x for x in claim.letters if x.letter not in AT | WHERE.get(of, {})]

    def typed(given: Relation) -> tuple[str, str, str]:
        if "gamma_star" in letters_of(given.right):
            return STAR[0], given.sign, STAR[1]
        full = given.put(by)
        return text(full.left), full.sign, text(full.right)

    def condition(left: str, sign: str, right: str) -> str:
        first, second = f"{left} {sign.replace('=', '')}= {right}", f"{right} <= {left}"
        return first if sign != "=" else f"{left} <= {right} and {second}"

    said = [typed(x) for x in claim.says]
    if claim.iff and all(x.strict for x in claim.says):
        said = [(left, {"<": ">=", ">": "<="}[sign], right) for left, sign, right in said]
    where = [
        condition(*typed(x))
        for x in claim.conditions
        if letters_of(x.put(by).left) & {x.letter for x in sizes} or "gamma_star" in x.source
    ]
    used = {y for x in (*claim.conditions, *claim.says) for y in letters_of(x.put(by).left)}
    used |= {y for x in (*claim.conditions, *claim.says) for y in letters_of(x.put(by).right)}
    ends = []
    for x in (x for x in sizes if x.letter in used):
        if x.whole or x.low >= 1:
            ends.append(f"{x.letter} >= {x.low if x.whole else 1}")
        elif x.high <= 1:
            ends.append(f"{x.letter} <= 1")
    for k, (left, sign, right) in enumerate(said[::-1] if claim.iff else said):
        low, high = (right, left) if sign[0] == ">" else (left, right)
        rate = low if sign == "=" else f"max({low}, {high})"
        yield rate, high, [*where, *[condition(*said[k])] * claim.iff], ends


@pytest.mark.parametrize("of", deep_after(6, statements()))
def test_smallest_sets_of_a_statement_are_those_of_plain_enumeration(of: str) -> None:
    one = entry(of)
    exponents = AT | WHERE.get(of, {})
    numbers = {x: eval(number) for x, number in exponents.items()}
    found = as_orders(one.claims[one.used])
    for (_, asked, _), (rate, high, where, ends) in zip(found, as_typed(of), strict=True):
        sizes = asked.order.sizes
        every = [*where, *ends] if len(asked.where) > len(where) else where
        every = list(dict.fromkeys(every))
        trees = (apart.tree_of(x, sizes, numbers) for x in (rate, high))
        conditions = [apart.condition_of(x, sizes, numbers) for x in every]
        known = {x: exponents[x] for x in asked.order.exponents}
        sets = {frozenset(map(asked.where.index, x)) for x in needs(asked, known).minimal}
        assert len(asked.where) == len(every)
        assert apart.smallest(*trees, conditions) == sets


def test_the_second_program_checks_thirty_statements() -> None:
    assert len(statements()) >= 30


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
    kept = verdicts.stored()
    for one in entries():
        words = [kept[one.id].words(form) for form in one.forms]
        assert bool(kept[one.id].needs) == (DECIDED in words)
        for found in kept[one.id].needs.values():
            assert 0 <= found["needed"] <= found["conditions"]
            assert 0 <= found["proved"] <= found["ways"]


def test_what_is_stored_is_found_again_and_exported() -> None:
    of = "ACC:Cor3.2:text-moderate"
    assert verdicts.stored()[of].needs == carried(entry(of).claims["reading"])
    (text,) = shown.needs(entry(of))
    assert text.startswith("needs 2 of its 4 conditions: ")
    assert editions.record(entry(of))["needs"] == (text,)
    (row,) = (row for row in editions.rows() if row["id"] == of)
    assert row["needs"] == text
    whole = json.loads(editions.to_json())
    assert list(whole["needed"].values()) == list(verdicts.needed(entries()))
    assert verdicts.needed([entry(of), entry(of)]) == (1, 4, 2)
    assert verdicts.needed([entry("ACC:Thm3.1")]) == (0, 0, 0)
