"""The ledger's page without a browser: search, filters, entries, runs, old links, files."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.core import figure_card, formula
from pages.statements import entry as drawn
from pages.statements import page
from pages.statements import view as looked
from pages.statements.view import VIEW, View
from rates import ledger
from rates.ledger import editions, entries, entry, figures, papers, shown, verdicts
from tests.depth import deep_after
from tests.pages.driver import everything, open_page, unfold

MISPRINT = "ACC:Cor3.2:eps21"
STORED = verdicts.stored()
LISTED = [one for one in entries() if not one.withdrawn]


def cards(app: AppTest) -> list[str]:
    return [b.key.removeprefix("open_") for b in app.button if str(b.key).startswith("open_")]


def ids(**view: str) -> set[str]:
    """The entries that a view leaves."""
    return {one.id for one in looked.chosen(View(**view))}


@pytest.mark.parametrize("name", deep_after(4, [MISPRINT, *(one.id for one in entries())]))
def test_an_entry_shows_what_is_checked_and_its_verdicts(name):
    one, text = entry(name), everything(open_page("statements", id=name))
    plain = text.replace(r"\displaystyle ", "")
    for form in one.forms:
        assert f"{STORED[name].words(form)}]" in text
        for latex in re.findall(r"\$([^$]+)\$", " ".join(shown.form(one, form))):
            assert formula.inline(latex).replace(r"\displaystyle ", "") in plain
    assert all(drawn.typeset(said) in text for said in (one.says, one.why, one.quote, one.place))


def test_search_finds_symbols_reasons_formulas_and_corrections():
    for query in ("eps21", "ε_21", "ε₂₁", "EPSILON_21", r"\varepsilon_{21}", "cor3.2:eps21"):
        assert MISPRINT in ids(q=query)
    assert ids(q="E1") == ids(q="e1") == {one.id for one in LISTED if "E1" in one.errata}
    assert [len(ids(q=q)) for q in ("", "_ {}", "zzzz")] == [len(LISTED), len(LISTED), 0]


@pytest.mark.parametrize("name", ["paper", "verdict", "category", "page"])
def test_filters_divide_the_ledger(name):
    has = {
        "paper": lambda one: (one.paper,),
        "verdict": lambda one: (looked.group(STORED[one.id].printed),),
        "category": lambda one: (looked.slug(one.category),),
        "page": lambda one: one.pages,
    }[name]
    for value in looked.allowed()[name]:
        assert ids(**{name: value}) == {one.id for one in LISTED if value in has(one)} != set()


def test_a_link_with_filters_lists_and_can_be_taken_back():
    link = {"verdict": "refuted", "paper": "ACC", "page": "phases", "kind": "theorem"}
    app = open_page("statements", **link)
    assert app.selectbox(key="ledger_verdict_select").value == "refuted"
    assert set(cards(app)) == ids(verdict="refuted", paper="ACC", page="phases")
    assert not app.warning
    app.button(key="ledger_reset").click().run()
    assert not cards(app)
    app.button(key="ledger_more").click().run()
    assert cards(app) == [one.id for one in looked.ordered()]


@given(st.dictionaries(st.sampled_from(VIEW.names), st.text(max_size=100)))
def test_any_address_is_read_or_refused(parameters):
    view, problems = VIEW.open(parameters)
    assert VIEW.open(VIEW.write(view)) == (view, [])
    assert all(isinstance(problem, str) for problem in problems)
    for name, value in (("verdict", "dropped"), ("q", " " * 81), ("view", "sheet")):
        view, (said,) = VIEW.open({name: value})
        assert said
        assert replace(view, q="") == View()


def test_run_again_checks_the_text_as_it_stands():
    app = open_page("statements", id=MISPRINT, seed="5")
    for _ in range(2):
        app.button(key="ledger_again").click().run()
    printed, reading = ledger.check(entry(MISPRINT), seed=2)
    assert f"With seed 2. As printed: **{printed.words}**, " in everything(app)
    assert f"0 of {reading.outcome.number:,} draws fail" in everything(app)


def test_the_page_opens_on_the_slips_each_with_its_figure():
    app = open_page("statements")
    labels = [fold.label for fold in app.expander if fold.label[:1].isdigit()]
    for place, (label, found) in enumerate(zip(labels, figures.FIRST.values(), strict=True), 1):
        assert label.startswith(f"{place}. ")
        assert words.md(found.title) in label
    assert len(unfold(app, "7. ").get("plotly_chart")) == 1


def test_the_files_hold_every_entry_with_its_verdicts():
    table = list(csv.DictReader(io.StringIO(figure_card.to_csv(editions.rows()))))
    whole = json.loads(editions.to_json())
    for row, one, kept in zip(table, entries(), whole["statements"], strict=True):
        named = (row["id"], row["category"], row["link"])
        assert named == (one.id, one.category, editions.link(one))
        for form in one.forms:
            words_ = STORED[one.id].words(form)
            assert row[f"verdict, {form}"] == kept[f"verdict, {form}"] == words_


@pytest.mark.parametrize("about", papers(), ids=lambda one: one.key)
def test_a_sheet_holds_every_slip_of_its_paper_once(about):
    mine = [x for x in entries() if x.paper == about.key and x.category and not x.repeats]
    found = editions.sheet(about)
    assert sorted(x.id for x in (*found.slips, *found.annex)) == sorted(x.id for x in mine)
    app = open_page("statements", view="sheet", paper=about.key)
    assert not app.button  # nothing to press
    assert all(page._noted(one) in everything(app) for one in (*found.slips, *found.annex))
