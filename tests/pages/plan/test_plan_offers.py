"""Links of design B and offers on the plan page: refusals, exact needs, and what is claimed."""

from __future__ import annotations

import re

import pytest

from pages.charts import words
from pages.plan import designs as plan_designs
from pages.plan import goal as plan_goal
from pages.plan import offers as plan_offers
from pages.plan import sites as plan_sites
from pages.plan.view import View
from rates import plan as planning
from rates.numbers.parameters import DomainError
from tests.depth import deep_after
from tests.pages.driver import press
from tests.pages.plan.test_plan import OFFERS, STUDY, field, opened


@pytest.mark.parametrize(
    "wrong",
    deep_after(
        2,
        [
            "http://[::1",
            "garbage",
            "javascript:alert(1)",
            "http://x/?plan=abc",
            "http://x/?study=",
            "{broken",
        ],
    ),
)
def test_what_is_no_link_is_refused_in_the_words_of_the_user(wrong):
    with pytest.raises(DomainError, match=r"holds a study after study=") as refused:
        plan_designs.opened(wrong)
    assert refused.value.field == "link"
    assert refused.value.value == wrong
    app = opened()
    field(app, "Link of another study").set_value(wrong).run()
    press(app, "Use this link")
    assert any(f"link: got {wrong!r}" in re.sub(r"[\\`]", "", e.value) for e in app.error)


def mixes(table: str, view: View | None = None) -> list[str]:
    """The sentences about the cheapest mix."""
    view = view or View(goal="rate", offers=table)
    found = plan_offers.read(table, STUDY)
    return plan_sites.mix_sentences(STUDY, view, plan_goal.goal(STUDY, view), found)


def test_a_lone_offer_costs_what_the_lever_table_says():
    need = planning.needed(STUDY, "n", "Cleveland", fraction=0.5).whole
    more = need - next(s.n for s in STUDY.servers if s.name == "Cleveland")
    for most in (4_200, 4_500, 9_000):
        _, equation = mixes(f"offer,name,price,most\nrecords,Cleveland,1,{most}")
        assert f"costs **{words.number(more, 6)}**: {more:,} records" in equation
        assert "no mix on offer costs less" in equation
    _, equation = mixes(OFFERS)
    assert "no mix on offer costs less" not in equation
    assert "equal steps" in equation


def test_a_search_cut_short_is_not_called_exact(monkeypatch):
    monkeypatch.setattr(plan_sites, "SECONDS", 1e-4)
    plan_sites._cheapest.cache_clear()
    rows = [f"S{k},{20 + k % 280},1,1e-6,0.8,{20 + k % 280 + k / 1e4}" for k in range(2_000)]
    _, equation = mixes("\n".join(["name,n,epsilon,delta,signal_exponent,price", *rows]))
    plan_sites._cheapest.cache_clear()
    assert "**By the rate equation** the best mix found costs" in equation
    assert "not proved cheapest, at least" in equation
    assert "exact" not in equation
    assert "no mix" not in equation


def test_offers_that_change_nothing_are_not_recommended():
    head = "name,n,epsilon,delta,signal_exponent,count\n"
    for table, pieces in (
        (
            f"{head}Zero,0,1,1e-6,0.8,1",
            ["Nothing on the list changes anything with today's method, nor by the equation."],
        ),
        (
            f"{head}Zero,0,1,1e-6,0.8,1\nGood,500,1,,0.8,1",
            [
                "Nothing on the list with a δ changes anything with today's method",
                "(equation: **Good**, with a rate of",
                "leaves out 1 of 2 offers, which state no δ",
            ],
        ),
        (
            f"{head}Many,500,1,1e-6,0.8,5",
            ["**Many** (all 5 sites)", "ranked as all its sites at once; prices are per site"],
        ),
    ):
        found = plan_offers.read(table, STUDY)
        ranked = planning.best_next(STUDY, found.candidates)
        sentence = plan_sites.next_sentence(ranked)
        for piece in pieces:
            assert piece in sentence, sentence
        assert ("Sites at once" in plan_sites.next_columns(ranked)) == ("Many" in table)
        assert "× 1 " not in sentence


def test_rows_of_offers_are_refused_one_by_one_in_their_own_words():
    table = (
        "offer,name,n,epsilon,price,most\nsites,Clinic,150,4,1000,5\n"
        "records,all,,,1,10\nrecords,Cleveland,,,1,\nepsilon,Hungary,,,1,2"
    )
    found = plan_offers.read(table, STUDY)
    assert len(found.priced) == 2
    unknown, lacking = found.problems
    assert unknown.startswith("Row 2: ")
    assert "or all" not in unknown
    assert "got 'all'" in unknown
    assert "Row 3: records on offer need most" in lacking
    assert "nan" not in lacking
    named, _ = mixes(table)
    assert words.md("Offer of sites at Clinic, field delta") in named
    app = opened(STUDY, View(goal="rate", offers=table))
    assert len(app.warning) == 2
