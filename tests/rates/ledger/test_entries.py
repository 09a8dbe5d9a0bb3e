"""Entries: what is refused, how they are judged, and that all of them are as they were found."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rates.ledger import check, complaints, entries, entry, functions, review, verdicts
from rates.ledger.judging import ARGUED, COMPUTED, DECIDED, FAILS, NOT_SEEN, SURVIVES, UNTESTABLE
from rates.ledger.texts import fitting, make, sections
from rates.numbers import DomainError
from tests.house.tree import ROOT
from tests.rates.ledger.rules import FILES, FOLDER, oddities

ROW: dict[str, Any] = {
    "id": "ACC:Test",
    "section": "3.1",
    "place": "(1)",
    "title": "A test",
    "says": "More is more.",
    "quote": "n",
    "claim": "for n in {1..100}\nthen n <= n^2",
    "argument": ["Since `n >= 1`."],
}
FALSE = "for n in {1..100}\nthen n >= n^2\nat n = 2"
MEET = "n0^((beta + d)/(2*beta + d))"
CELL = {  # in definitions that the claims of a paper share
    "claim": "for beta, alpha, d, n0 \n let eps = n0^(-beta/(2*beta + d)) \n then P_t = NP_t"
}
FILED = {"category": "misprint", "history": ["2026-11-26: read."], "claim": FALSE}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": "XYZ:Test"}, "id"),
        ({"colour": "red"}, "fields"),
        ({"says": None}, "says"),
        ({"argument": "a step"}, "argument"),
        ({"example": {"n": "2"}}, "example"),
        ({"category": "a slip", "history": ["2026-11-26: so."]}, "category"),
        ({"claim": ""}, "claim"),
        ({"untestable": "no"}, "claim"),
        ({"example": {"n": 2}}, "example"),
        ({"table": "A"}, "table"),
        (FILED | {"quote": ""}, "quote"),
        (FILED | {"history": []}, "history"),
        (FILED | {"withdrawn": True}, "category"),
        ({"why": "One. Two. Three. Four."}, "why"),
        ({"claim": "for n in {1..9}\nthen n <= unheard"}, "letter"),
    ],
)
def test_an_entry_that_is_wrong_is_refused(change: dict[str, Any], field: str) -> None:
    row = {name: value for name, value in (ROW | change).items() if value is not None}
    with pytest.raises(DomainError) as caught:
        make(row)
    assert caught.value.field == field


def test_entries_that_do_not_fit_together_are_refused() -> None:
    one = make(ROW)
    for others in ((one, one), (replace(one, section="99"),), (replace(one, repeats="ACC:Other"),)):
        with pytest.raises(DomainError):
            fitting("ACC", others)
    assert fitting("ACC", (one,)) == (one,)


@pytest.mark.parametrize(
    ("change", "words", "complaint"),
    [
        ({}, [ARGUED], ""),
        ({"argument": []}, [SURVIVES], ""),
        ({"argument": ["Since `n >= 2`."]}, [COMPUTED], "filed under no category"),  # a false step
        ({"claim": FALSE}, ["contradicted by exact numbers"], "filed under no category"),
        ({"claim": FALSE.replace("= 2", "= 1")}, [COMPUTED], "its numbers do not contradict"),
        ({**FILED, "claim": ROW["claim"]}, [ARGUED], "nothing contradicts it"),
        ({**FILED, "reading": "then n <= n^2"}, ["contradicted by exact numbers", ARGUED], ""),
        ({**FILED, "reading": "then n > n^2"}, [FAILS[0], COMPUTED], "our reading is contradicted"),
        ({**FILED, "category": "not reproduced at our settings"}, [NOT_SEEN], "its numbers do not"),
        ({"claim": f"{ROW['claim']}\nif n > 100"}, [DECIDED], "no draw meets the conditions"),
        ({"claim": "", "untestable": "Words.", "argument": []}, [UNTESTABLE], ""),
        ({"check": "nowhere.at_all"}, None, "check must be a test"),
        ({"argument": ["So `z <= n`."]}, None, "in letters of the claim"),
        (CELL | {"argument": ["So `P_t >= P_t`."]}, None, "two different sides"),
        (CELL | {"argument": [f"They meet at `n0*eps = {MEET}`."]}, [ARGUED], ""),
        (CELL | {"argument": ["As `NP_t = n0^(-B/(2*beta + d))`, and `n0*eps`."]}, [ARGUED], ""),
        (CELL | {"argument": ["So `n0*eps = n0^((beta + d)/(beta + d))`."]}, [COMPUTED], "filed"),
        (CELL | {"argument": ["By the way `P_t < NP_t`."]}, [COMPUTED], "filed"),
    ],
)
def test_the_verdict_follows_from_draws_numbers_and_argument(
    change: dict[str, Any], words: list[str] | None, complaint: str
) -> None:
    one = make(ROW | change)
    if words is None:
        with pytest.raises(DomainError, match=complaint):
            check(one)
        return
    found = check(one)
    assert [verdict.words for verdict in found] == words
    assert complaint in "; ".join(complaints(one, found))
    assert bool(complaints(one, found)) == bool(complaint)


def test_draws_depend_on_seed_and_id_alone_and_go_on_until_conditions_are_met() -> None:
    one = make(ROW | {"claim": "for n in {1..100}\nif n <= 50\nthen n <= n^2"})
    first, again, other = (check(one, seed=seed)[0].outcome for seed in (3, 3, 4))
    assert first == again != other
    assert check(replace(one, id="ACC:Other"), seed=3)[0].outcome != first
    narrow = replace(
        one, claim="for x in [0, 1]\nif x > 0.4; x < 0.401\nthen x <= 1/2", argument=()
    )
    assert check(narrow)[0].outcome.number >= 4


def test_a_function_is_measured_and_no_number_is_a_failure() -> None:
    gaps = np.array([-1.0, 1e-12, 3.0, np.nan])
    test = functions.Test(lambda generator, number: {"x": gaps}, lambda draws, form: draws["x"])
    found = functions.measure(test, "printed", np.random.default_rng(0), example={"x": -1.0})
    assert (found.number, found.violations, found.worst, found.example) == (4, 2, np.inf, -1.0)
    with pytest.raises(DomainError, match="must name x"):
        functions.measure(test, "printed", np.random.default_rng(0), example={"y": -1.0})


def test_every_entry_keeps_to_the_rules_and_stands_in_its_paper() -> None:
    if not all((FOLDER / f"{name}.txt").exists() for name in FILES.values()):
        pytest.skip("The papers' texts are not beside the repository: quotes are not looked up.")
    assert [(one.id, list(oddities(one))) for one in entries() if list(oddities(one))] == []
    assert sum(bool(one.quote) for one in entries()) >= 280
    for paper in FILES:
        assert all(one.entries or one.left_out for one in sections(paper))


def test_what_is_stored_is_of_the_texts_as_they_stand() -> None:
    stored, kept = verdicts.stored(), verdicts.load()["entries"]
    assert stored.keys() == {one.id for one in entries()}
    assert all(one.fresh for one in stored.values())
    for one in entries()[5::9]:  # the others in the deep run
        assert not review.differences(verdicts.to_row(one, check(one)), kept[one.id])


@pytest.mark.deep
def test_the_ledger_is_what_was_found() -> None:
    """All of `rates check --all`: texts, draws, certificates, store."""
    text, differing = review.everything()
    assert differing == []
    told = zip(map(int, re.findall(r"\d+", text)), (358, 86), strict=True)
    assert all(number >= least for number, least in told)


def test_no_verdict_is_another_than_before_without_a_reason() -> None:
    frozen = json.loads((ROOT / "tests" / "golden" / "ledger_oracle.json").read_text("utf-8"))
    changed = {of: now for of, (now, _) in frozen.pop("changed").items()}
    before = {of: words for words, names in frozen.items() for of in names}
    assert len(before) == 358

    def kind(words: str) -> str:
        return "fails" if words in FAILS else "untestable" if words == UNTESTABLE else "holds"

    stored = verdicts.stored()
    for of, words in before.items():
        forms = filter(None, (stored[of].printed, stored[of].reading))
        assert ", ".join(map(kind, forms)) == changed.get(of, words), of
        assert changed.get(of) != words, of
    headline = [one for one in entries() if one.category == "changes a conclusion" and one.counted]
    assert len(headline) == 7
    assert entry("ACC:Cor3.2:eps21") in headline
