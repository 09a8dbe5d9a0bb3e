"""The ledger page without a browser: search, filters, every statement, runs, files."""

from __future__ import annotations

import csv
import io
import json
import re
import urllib.parse
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.core import Text, figure_card, formula, layout
from pages.statements import entry, files, page, run
from pages.statements import view as ledger
from pages.statements.view import VIEW, View
from rates import errata
from rates.statements import NOT_REPRODUCED, PAPERS, papers
from rates.statements.ledger import ALGEBRA, CONTRADICTED, evaluate, statement, statements
from tests.depth import deep_after
from tests.pages.driver import everything, open_page, picture_data, unfold

MISPRINT = "ACC:Cor3.2:eps21"
RUN = "Run the tests again"
STORED = run.stored()
BY_KEY = {paper.key: paper for paper in papers()}
LISTED = [item for item in statements() if not item.withdrawn]


def cards(app: AppTest) -> list[str]:
    return [b.key.removeprefix("open_") for b in app.button if str(b.key).startswith("open_")]


def ids(**view: str) -> set[str]:
    """The statements that a view leaves."""
    return {item.id for item in ledger.chosen(STORED, View(**view))}


@pytest.mark.deep
def test_every_statement_opens():
    app = open_page("statements", id=statements()[0].id)
    for item in statements():
        app.query_params["id"] = item.id
        app.run()
        text = everything(app)
        for verdict in STORED[item.id]:
            assert f"{entry.titles(item)[verdict.form]}: **{verdict.words}**" in text
        lines = [x for form in (item.printed, item.reading or "") for x in form.splitlines()]
        for line in lines:
            if not formula.sentence(line):
                assert formula.inline(line.strip()) in text, item.id
        for part in (item.title, *item.proof):
            assert words.cited(part) in text


def test_search_finds_symbols_reasons_formulas_and_corrections():
    for query in ("eps21", "ε_21", "ε₂₁", "EPSILON_21", r"\varepsilon_{21}", "cor3.2:eps21"):
        assert MISPRINT in ids(q=query)
    assert ids(q="E1") == ids(q="e1") == {i.id for i in LISTED if "E1" in i.errata}
    for query, number in (("", len(LISTED)), ("_ {}", len(LISTED)), ("zz", 0)):
        assert len(ids(q=query)) == number
    for query, field in (
        ("misprint", "why"),
        (r"\widehat{\lambda}", "printed"),
        ("P_s", "reading"),
    ):
        word = ledger.folded(query)
        holding = {i.id for i in LISTED if word in ledger.folded(getattr(i, field) or "")}
        assert holding <= ids(q=query) != {i.id for i in LISTED}
        assert holding


@pytest.mark.parametrize("name", ["paper", "verdict", "category", "kind", "page"])
def test_filters_divide_the_ledger(name):
    parts = {v: ledger.chosen(STORED, View(**{name: v})) for v in ledger.allowed()[name]}
    assert all(parts.values())
    for value, found in parts.items():
        for item in found:
            kinds = {
                "verdict": (ledger.group(STORED[item.id][0]),),
                "category": (ledger.slug(item.category),),
                "page": item.pages,
            }
            assert value in kinds.get(name, (getattr(item, name, ""),))
    if name != "page":
        whole = [i for i in LISTED if i.category or name != "category"]
        assert sum(map(len, parts.values())) == len(whole)


def test_a_filter_in_the_address_is_shown_and_can_be_taken_away():
    app = open_page("statements", verdict="refuted", paper="ACC", seed="11")
    assert app.selectbox(key="ledger_verdict_select").value == "refuted"
    assert unfold(app, RUN).number_input(key="ledger_seed_all").value == 11
    found = ids(verdict="refuted", paper="ACC")
    assert f"{len(found)} of {len(LISTED)} statements" in everything(app)
    app.button(key="ledger_reset").click().run()
    assert "verdict" not in app.query_params
    assert not cards(app)
    app.button(key="ledger_more").click().run()
    assert cards(app) == [item.id for item in ledger.ordered()]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("category", "needs a condition"), ("verdict", "dropped"), ("q", " " * 81)),
        *(("view", view) for view in ("poster", "print", "letter")),
        *(("seed", seed) for seed in ("-1", "0.5", "9" * 17)),
    ],
)
def test_what_the_ledger_does_not_have_is_refused_by_its_name(name, value):
    view, (said,) = VIEW.open({name: value})
    assert said
    assert replace(view, q="") == View()


@given(st.dictionaries(st.sampled_from(ledger.PARAMETERS), st.text(max_size=100)))
def test_any_address_is_read_or_refused(parameters):
    view, problems = VIEW.open(parameters)
    assert VIEW.open(VIEW.write(view)) == (view, [])
    assert all(isinstance(problem, str) for problem in problems)


def test_a_run_keeps_what_it_has_when_stopped(monkeypatch):
    tried = []

    def until_stopped(item, *, seed):
        tried.append(item.id)
        if len(tried) == 3:
            app.session_state["ledger_run"].stopped = True
            run.st.rerun()  # as Stop does
        return evaluate(item, seed=seed)

    monkeypatch.setattr(run, "statements", lambda: statements()[::12])
    monkeypatch.setattr(run, "evaluate", until_stopped)
    app = unfold(open_page("statements"), RUN)
    app.button(key="ledger_start").click().run()
    going = app.session_state["ledger_run"]
    assert f"Stopped: tested **2** of **{len(going.items)}**" in everything(app)
    monkeypatch.setattr(run, "evaluate", evaluate)
    app.button(key="ledger_start").click().run()
    assert not app.session_state["ledger_run"].left
    assert "Every verdict is the same as the stored one" in everything(app)


def test_a_fresh_verdict_that_differs_is_pointed_out(monkeypatch):
    before = STORED | {MISPRINT: STORED[MISPRINT][::-1]}
    monkeypatch.setattr(run, "stored", lambda: before)
    app = open_page("statements", id=MISPRINT)
    app.button(key="ledger_again").click().run()
    assert any("The fresh verdict differs" in warning.value for warning in app.warning)
    assert f"**{statement(MISPRINT).category}**" in everything(app)


def test_a_derivation_is_folded_and_every_step_of_it_is_checked():
    app = open_page("statements", id=MISPRINT)
    before = everything(app).count("displaystyle")
    assert everything(unfold(app, "Derivation")).count("displaystyle") > before
    assert "1. ✓" in everything(app)
    assert ". ✗" not in everything(app)


def test_the_files_hold_every_statement_with_its_verdicts():
    table = list(csv.DictReader(io.StringIO(figure_card.to_csv(files.rows(STORED)))))
    whole, now = json.loads(files.to_json(STORED)), errata.edition()
    assert (whole["edition"], whole["date"]) == (now.number, now.date)
    for row, item, stored in zip(table, statements(), whole["statements"], strict=True):
        assert (row["id"], row["category"]) == (item.id, item.category)
        assert (row["history"], row["edition"]) == ("; ".join(item.history), str(now))
        found = [verdict["words"] for verdict in stored["verdicts"]]
        assert (stored["id"], found) == (item.id, [verdict.words for verdict in STORED[item.id]])
    row = next(row for row in table if row["id"] == MISPRINT)
    assert row["words, printed"] in CONTRADICTED
    assert row["words, reading"] == ALGEBRA
    assert row["link"] == f"statements?id={MISPRINT}"
    assert '"inf"' in files.to_json(STORED)


def test_the_lines_of_python_reproduce_the_verdict(capsys):
    exec(open_page("statements", id=MISPRINT, seed="5").code[0].value, {})
    said = capsys.readouterr().out
    outcome = evaluate(statement(MISPRINT), seed=5).of("printed").outcome
    assert f"printed {statement(MISPRINT).category}" in said
    assert repr(outcome.worst) in said


def test_coverage_is_of_the_statements():
    titles = [block.markdown for block in page._coverage() if isinstance(block, Text)]
    counts = dict(re.match(r"\*\*\[(\w+)\]: (\d+)", title).groups() for title in titles)
    assert {p: int(k) for p, k in counts.items()} == Counter(item.paper for item in statements())


@pytest.mark.parametrize("stem", deep_after(2, ["study", "phases", "resolution", "classification"]))
def test_a_page_leads_to_the_corrected_statements_that_it_uses(stem):
    app = open_page(stem)
    if stem != "classification":
        unfold(app, "Why")
    paper = "ACC" if stem == "study" else ""
    found = layout.corrected(stem, paper)
    used = {i.id for i in statements() if i.reading is not None and stem in i.pages}
    assert {item.id for item in found} == {name for name in used if name.startswith(paper)}
    links = {link.proto.label: link.proto.query_string for link in app.get("page_link")}
    for item in found[: layout.MOST]:
        assert f"id={urllib.parse.quote_plus(item.id)}" in links[words.md(item.title)]


# Errata: what the page opens on, dropped and simulated entries, sheets for authors ---------------


def squares(app: AppTest) -> dict[str, list[str]]:
    """What the strip is told of each statement: its words, its colour and its mark."""
    rows = picture_data(app, "strip").values()
    return {name: told for row in rows for name, *told in row}


def test_every_statement_is_a_square_marked_by_its_verdict():
    """Its mark and words say what its colour says; those that a filter leaves out have no mark."""
    found = squares(open_page("statements"))
    assert [*found] == [item.id for item in ledger.ordered()]
    for name, (told, colour, mark) in found.items():
        look = ledger.LOOKS[ledger.group(STORED[name][0])]
        assert (colour, mark) == (look.colour, look.mark)
        assert STORED[name][0].words in told
    found = squares(open_page("statements", verdict="refuted"))
    assert {name for name, (*_, mark) in found.items() if mark} == ids(verdict="refuted")


def test_the_page_opens_on_what_changes_a_conclusion():
    app = open_page("statements")
    labels = [fold.label for fold in app.expander if fold.label[:1].isdigit()]
    for place, (label, name) in enumerate(zip(labels, errata.FIRST, strict=True), 1):
        assert label.startswith(f"{place}. ")
        assert words.md(errata.title(name)) in label
    assert not cards(app)
    assert len(unfold(app, "8. ").get("plotly_chart")) == 1
    app.selectbox(key="ledger_category_select").select("misprint").run()
    assert not [fold for fold in app.expander if fold.label[:1].isdigit()]


def test_a_dropped_entry_opens_by_its_link_and_stands_in_no_list():
    name = "ACC:Table1:reading-B"
    text = everything(open_page("statements", id=name))
    assert "Dropped from the ledger" in text
    assert words.md(statement(name).history[0]) in text
    assert name not in {item.id for item in ledger.ordered()}


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_holds_every_entry_of_its_paper_once(paper):
    mine = [i for i in statements() if i.paper == paper and i.category and not i.repeats]
    listed = [item.id for _, items in files.parts(BY_KEY[paper]) for item in items]
    assert sorted(listed) == sorted(item.id for item in mine)
    app = open_page("statements", view="letter", paper=paper)
    assert not app.button  # nothing to press
    text = everything(app)
    assert words.md(files.title(BY_KEY[paper])) in text
    assert str(errata.edition()) in text
    for item in statements():
        stands = item.paper == paper and item.category != ""
        assert (f"`{item.id}`" in text) == stands, item.id


@pytest.mark.parametrize("name", ["ACC:Thm3.1:delta", "ACC:Cor3.3:delta"])
def test_exponents_of_an_example_stand_as_powers(name):
    *_, last = files._entry(statement(name))
    said = last.markdown.replace("\\", "")
    assert "An example, as N grows:" in said
    assert re.search(r"n₀ = N\^0\.\d, .*δ₀ = N\^\(-0\.\d\),", said)


def test_a_simulation_says_its_settings_and_its_interval_and_refutes_nothing():
    simulated = [item for item in statements() if item.simulated and item.category]
    assert simulated
    for item in simulated:
        row = STORED[item.id][0]
        assert row.words == item.category == NOT_REPRODUCED
        assert ledger.group(row) == "apart"
        assert f"In {row.violations} of {row.number} settings" in entry.settings(item)
    text = everything(open_page("statements", id=simulated[0].id))
    assert words.md(entry.settings(simulated[0])) in text
