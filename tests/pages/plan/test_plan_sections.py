"""The sections of the plan without a page: what each computes, and what paper holds of it."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import pytest

from pages.charts import words
from pages.core import Table, html
from pages.plan import levers, offers, report, state, worth
from pages.plan.state import PLAN, View
from rates import plan as planning
from rates.numbers import pack
from rates.numbers.parameters import DomainError
from rates.study import PRESETS, Scope, Server, preset
from tests.pages.driver import everything
from tests.pages.plan import test_plan
from tests.pages.plan.test_plan import GENEROUS, NEED, OFFERS, SILENT, STATED, STUDY
from tests.pages.report.test_report import Reader, saved

OTHERS = Scope(use="others")  # for whom a study is planned as it is stated
PHONES = preset("phones").study


def asking(study, view: View | None = None, scope: Scope | None = None) -> levers.Params:
    """What the page asks."""
    return levers.params_of(study, view or View(), scope or Scope())


def answered(*asked) -> str:
    return levers.sentence(asking(*asked))


# What is asked ----------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_a_view_survives_its_link(entry):
    for view in (
        View(),
        View(goal="need", lever="sites", kind_epsilon=math.inf, kind_n=10.0, site="A;b: c"),
        View(goal="risk", wanted=0.01, site="Ü", risk="pointwise", other=entry.study, offers="a;b"),
    ):
        assert PLAN.read(PLAN.link(view)) == view


def test_a_plan_that_is_not_one_is_refused():
    wrong = [{"luck": 1}, {"part": 2}, {"lever": 1}, {"goal": 3}, {"kind_n": -1}, {"version": 2}]
    for data in ([1], *({"version": 1, **more} for more in (*wrong, {"other": {"version": 1}}))):
        with pytest.raises(DomainError):
            state.from_text(pack(json.dumps(data)))


def test_who_uses_the_result_changes_the_study_that_is_planned_for():
    own = answered(STATED, View(goal="part"))
    for use, same in (("target", True), ("others", False), (None, True)):
        scope = Scope(use=use)
        assert (answered(STATED, View(goal="part"), scope) == own) == same
        assert (bool(state.user(STATED, scope)), state.planned(PHONES, scope)) == (same, PHONES)
    params = asking(STATED, View(other=STATED))
    assert params.view.other == params.study == STUDY
    need = View(goal="need", needed=400.0)
    assert answered(STATED, View(), Scope(needed=400)) == answered(STATED, need)


# Goals and levers -------------------------------------------------------------------------------


def test_levers_say_what_they_need_or_how_far_they_get():
    params = asking(STUDY, NEED)
    cells = {(a, b): (x, y) for a, b, x, y in levers.levers_table(params).lines}
    assert cells["Budget ε", "Every protected site"][1] == "none is enough"
    named, exact = test_plan.fractions(5000)
    rows = planning.levers(STUDY, named, by_equation=exact).levers
    beach = next(x for x in rows if (x.lever, x.site) == ("epsilon", "Long Beach")).mechanism
    out = f"out of reach, at best × {beach.best:.3g}"
    assert cells["Budget ε", "Long Beach"] == (out, "changes nothing")
    assert cells["Signal γ", "Cleveland"][0].startswith("out of reach")
    sizes = planning.scales(planning.in_house(SILENT), planning.Aim(needed=5000))[-1]
    assert f"× {words.number(sizes.equation)}**" in answered(SILENT, NEED)


# Designs ----------------------------------------------------------------------------------------


def test_an_undecided_comparison_names_the_constants():
    """Two designs of which one leads with narrow and the other with wide bandwidths."""
    alone = Server(name="T", n=2_000, epsilon=0.5, delta=1e-6)
    wide, free = STATED.with_servers([alone]), replace(alone, epsilon=math.inf)
    others = (STATED.with_servers([replace(free, n=n)]) for n in range(100, 2_000))
    texts = (worth.design_sentence(wide, other, "classification") for other in others)
    assert next(text for text in texts if text.startswith("**Undecided**: the constants"))


# Money and sites --------------------------------------------------------------------------------


def test_totals_say_what_is_left_and_what_is_refused():
    def said(*asked) -> str:
        return worth.split_sentence(*worth.split_of(asking(*asked, OTHERS)))

    assert "of it is used" in said(STUDY, View(total=1e6))
    assert "By the rate equation alone" in said(SILENT, View())
    with pytest.raises(DomainError, match="below what the sites get"):
        said(STUDY, View(total=0.1))


# Offers -----------------------------------------------------------------------------------------


MANY = "".join(f"\nS{k},5,1" for k in range(10_001))
PRICED = "offer,name,n,epsilon,price,most\nsites,Clinic,150,4,1000,5\n"


@pytest.mark.parametrize(
    ("table", "piece"),
    [
        ("name,n\nA,5", "epsilon"),
        ("name,n,epsilon\nHungary,5,1", "Names must be unique"),
        ("offer,name,n,epsilon\nluck,A,5,1", "offer must be one of"),
        ("name,n,epsilon,age\nA,5,1,9", "Unknown column"),
        ("name,n,epsilon", "at least one line"),
        pytest.param(f"name,n,epsilon{MANY}", "at most 10,000", id="many"),
        (f"{PRICED}records,all,,,1,10", r"Row 2.*got 'all'"),
        (f"{PRICED}records,Cleveland,,,1,", "need most.*Row 2"),
        *((f"{PRICED}sites,B,5,1,{x},2", "positive and finite.*Row 2") for x in ("0", "-3", "inf")),
    ],
)
def test_bad_offers_are_refused_each_in_its_own_words(table, piece):
    with pytest.raises(DomainError, match=piece):
        offers.read(table, STUDY)


def test_a_search_cut_short_is_not_called_exact(monkeypatch):
    monkeypatch.setattr(offers, "SECONDS", 1e-4)
    rows = [f"S{k},{20 + k % 280},1,1e-6,0.8,{20 + k % 280 + k / 1e4}" for k in range(2_000)]
    table = "\n".join(["name,n,epsilon,delta,signal_exponent,price", *rows])
    params = asking(STUDY, replace(NEED, offers=table))
    _, equation = offers.mix_sentences(params, offers.read(table, STUDY))
    assert "The time was over before a cheapest, of at least" in equation


HEAD = "name,n,epsilon,delta,signal_exponent,count\n"


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ("Zero,0,1,1e-6,0.8,1", []),
        ("Zero,0,1,1e-6,0.8,1\nGood,500,1,,0.8,1", ["Good"]),
        ("Many,500,1,1e-6,0.8,5", ["Many"]),
    ],
)
def test_offers_that_change_nothing_are_not_recommended(rows, first):
    ranked = planning.best_next(STUDY, offers.read(HEAD + rows, STUDY).candidates)
    sentence = offers.next_sentence(ranked)
    assert re.findall(r"\*\*([A-Z]\w+)\*\*", sentence) == first
    assert "× 1 " not in sentence
    assert ("Sites at once" in offers.next_columns(ranked)) == ("Many" in rows)


# On paper ---------------------------------------------------------------------------------------


def test_paper_holds_every_section_with_its_figures_and_tables():
    view = replace(NEED, lever="n", site="Cleveland", other=GENEROUS, offers=OFFERS)
    params = asking(STUDY, view, preset("hospitals").scope)
    made = report.chapters(params)
    assert [x.name for x in made[1:]] == [x.id for tab in report.SECTIONS.values() for x in tab]
    tables = {b.name: b for x in made for b in x.blocks if isinstance(b, Table)}
    assert {"levers", "split", "designs", "offers"} <= set(tables)
    assert tables["levers"].columns == levers.levers_table(params).columns
    reader = Reader(html.document("Plan", (), made))
    assert {"levers.csv", "designs.csv", "lever.svg", "causes.svg"} <= set(saved(reader))
    need = planning.needed(STUDY, "n", "Cleveland", fraction=test_plan.fractions(5000)[1])
    assert f"{need.whole:,}" in reader.text
    for word in ("anonymous", "compliant", "required sample size"):
        assert word not in reader.text.lower()
    for unasked, names in ((View(), {"designs", "offers"}), (View(goal="risk"), {"levers"})):
        assert names.isdisjoint(x.name for x in report.chapters(asking(STUDY, unasked)))


def test_hostile_names_stay_words_on_the_page_and_on_paper():
    name = "</td><script>*x*"
    study = STUDY.with_servers([*STUDY.servers[:3], replace(STUDY.servers[3], name=name)])
    view = replace(NEED, lever="n", site=name, other=STUDY)
    assert words.md(name) in everything(test_plan.opened(study, view))
    document = html.document("Plan", (), report.chapters(asking(study, view)))
    assert "<script" not in document
    assert name in Reader(document).text
