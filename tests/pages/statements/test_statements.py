"""The ledger page without a browser: search, filters, every statement, runs, files."""

from __future__ import annotations

import csv
import io
import json
import re
import urllib.parse
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.core import Fold, figure_card, formula, layout
from pages.statements import entry, files, page, run
from pages.statements import view as ledger
from pages.statements.view import VIEW, View
from rates import errata
from rates.statements import verdicts
from rates.statements.ledger import ALGEBRA, CONTRADICTED, evaluate, statement, statements
from tests.depth import deep_after
from tests.pages.driver import everything, open_page, unfold

ROOT = Path(__file__).resolve().parents[3]
MISPRINT = "ACC:Cor3.2:eps21"
STORED = run.stored()
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
        assert not app.exception, item.id
        text = everything(app)
        for verdict in STORED[item.id]:
            assert f"{entry.titles(item)[verdict.form]}: **{verdict.words}**" in text
        lines = [x for form in (item.printed, item.reading or "") for x in form.splitlines()]
        for line in lines:
            if not formula.sentence(line):
                assert formula.inline(line.strip()) in text, item.id
        for part in (item.title, *item.proof):
            assert words.cited(part) in text


def test_the_misprinted_threshold_is_found_and_leads_to_the_map():
    app = open_page("statements")
    app.text_input(key="ledger_q_text").set_value("eps21").run()
    assert MISPRINT in cards(app)
    assert len(cards(app)) < len(statements())
    app.button(key=f"open_{MISPRINT}").click().run()
    assert words.md(statement(MISPRINT).title) in everything(app)
    (door,) = (d.proto for d in app.get("page_link") if d.proto.label == "Open it on the map")
    at = f"at={statement(MISPRINT).map}".replace(",", "%2C")
    assert door.query_string == f"{at}&table=A"
    app.button(key="ledger_all").click().run()
    assert app.text_input(key="ledger_q_text").value == "eps21"


def test_all_cards_and_a_statement_asked_for_at_once_show_the_statement():
    """A slow server hears two presses as one; the list's memory is no button's name."""
    app = open_page("statements")
    app.button(key="ledger_more").click()
    app.button(key=f"open_{LISTED[0].id}").click().run()
    assert not app.exception
    app.button(key="ledger_all").click().run()
    assert not app.exception
    assert cards(app)


def test_search_finds_a_symbol_however_it_is_written_and_a_correction_by_its_number():
    for query in ("eps21", "ε_21", "ε₂₁", "EPSILON_21", r"\varepsilon_{21}", "cor3.2:eps21"):
        assert MISPRINT in ids(q=query)
    assert ids(q="E1") == ids(q="e1") == {i.id for i in LISTED if "E1" in i.errata}
    for query, number in (("", len(LISTED)), ("_ {}", len(LISTED)), ("zz", 0)):
        assert len(ids(q=query)) == number


@pytest.mark.parametrize(
    ("query", "field"),
    [("misprint", "why"), (r"\widehat{\lambda}", "printed"), ("P_s", "reading"), ("γ", "title")],
)
def test_search_looks_into_reasons_and_formulas(query, field):
    found, word = ids(q=query), ledger.folded(query)
    holding = {i.id for i in LISTED if word in ledger.folded(getattr(i, field) or "")}
    assert found
    assert holding <= found
    assert len(found) < len(statements())


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
    assert app.radio(key="ledger_verdict").value == "refuted"
    assert app.number_input(key="ledger_seed_all").value == 11
    found = ids(verdict="refuted", paper="ACC")
    assert f"{len(found)} of {len(LISTED)} statements" in everything(app)
    app.button(key="ledger_reset").click().run()
    assert "verdict" not in app.query_params
    assert f"{len(LISTED)} of {len(LISTED)}" in everything(app)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("category", "needs a condition"), ("verdict", "dropped"), ("q", " " * 81)),
        *(("view", view) for view in ("poster", "print", "letter")),
        *(("seed", seed) for seed in ("-1", "1e3", "5" * 10, "9" * 11)),
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


def finish(app: AppTest) -> AppTest:
    for _ in range(500):
        if not any(b.key == "ledger_stop" for b in app.button):
            return app
        app.run()
    raise AssertionError("the run did not end")


@pytest.mark.deep
def test_all_tests_run_again_with_another_seed():
    app = open_page("statements")
    app.number_input(key="ledger_seed_all").set_value(3).run()
    app.button(key="ledger_start").click().run()
    assert "Every verdict is the same as the stored one" in everything(finish(app))
    assert "with seed 3" in app.caption[0].value
    app.session_state["touched"] = False  # the app does this at the end of a run
    app.query_params["id"] = MISPRINT
    app.run()
    found = evaluate(statement(MISPRINT), seed=3).of("printed").outcome
    assert words.md(entry.at(found.at)) in everything(app)


def test_a_run_shows_its_progress_before_it_works_and_keeps_what_it_has_when_stopped(monkeypatch):
    monkeypatch.setattr(run, "statements", lambda: statements()[::12])
    monkeypatch.setattr(run, "TICK", 0.0)
    assert run.PAUSE < run.budgets.LEDGER_STEP <= 1.0  # one question waits when a step ends
    app = open_page("statements")
    app.button(key="ledger_start").click().run()
    going = app.session_state["ledger_run"]
    assert len(going.found) == 0
    app.run()
    app.button(key="ledger_stop").click().run()
    done, number = going.done, len(going.items)
    assert 0 < done < number
    assert f"**{done}** of **{number}**" in everything(app)
    app.run()
    assert going.done == done
    app.button(key="ledger_start").click().run()
    finish(app)
    assert not app.session_state["ledger_run"].left
    longer = run.Run(seed=1, items=(statement(MISPRINT),), depth=10)
    longer.step(0.0)
    assert not longer.busy
    outcome = longer.found[MISPRINT].verdicts[0].outcome
    assert outcome.number == 10 * STORED[MISPRINT][0].number


def test_a_fresh_verdict_that_differs_is_pointed_out(monkeypatch):
    before = STORED | {MISPRINT: STORED[MISPRINT][::-1]}
    monkeypatch.setattr(run, "stored", lambda: before)
    app = open_page("statements", id=MISPRINT)
    app.button(key="ledger_again").click().run()
    assert any("The fresh verdict differs" in warning.value for warning in app.warning)
    assert f"**{statement(MISPRINT).category}**" in everything(app)


def test_the_print_view_has_nothing_to_press_and_a_derivation_is_folded_elsewhere():
    app = open_page("statements", id=MISPRINT, view="print")
    assert app.title[0].value == words.md(statement(MISPRINT).title)
    for kind in ("button", "text_input", "selectbox", "number_input", "expander", "page_link"):
        assert not app.get(kind), kind
    assert not app.sidebar.markdown
    for k, step in enumerate(statement(MISPRINT).proof, 1):
        assert f"{k}. {words.md(step)}" in everything(app)
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
        assert (row["history"], row["edition"]) == (" ".join(item.history), str(now))
        found = [verdict["words"] for verdict in stored["verdicts"]]
        assert (stored["id"], found) == (item.id, [verdict.words for verdict in STORED[item.id]])
    row = next(row for row in table if row["id"] == MISPRINT)
    assert row["verdict, printed"] in CONTRADICTED
    assert row["verdict, reading"] == ALGEBRA
    assert row["link"] == f"statements?id={MISPRINT}"
    assert files._plain([float("inf"), 1.0]) == ["inf", 1.0]


def test_the_lines_of_python_reproduce_the_verdict(capsys):
    exec(open_page("statements", id=MISPRINT, seed="5").code[0].value, {})
    said = capsys.readouterr().out
    outcome = evaluate(statement(MISPRINT), seed=5).of("printed").outcome
    assert f"printed {statement(MISPRINT).category}" in said
    assert repr(outcome.worst) in said


def test_coverage_and_stored_verdicts_are_of_the_statements():
    folds = [block for block in page._coverage() if isinstance(block, Fold)]
    counts = dict(re.match(r"\[(\w+)\]: (\d+)", fold.title).groups() for fold in folds)
    assert {p: int(k) for p, k in counts.items()} == Counter(item.paper for item in statements())
    assert set(STORED) == {item.id for item in statements()}
    assert verdicts.of_evaluation(evaluate(statement(MISPRINT))) == STORED[MISPRINT]


def test_every_link_to_the_ledger_leads_to_a_corrected_statement():
    call = re.compile(r'(?:ledger_links\.link|\bLink)\(\s*f?"([A-Z]+:[^"]+)"')
    found = [call.findall(path.read_text("utf-8")) for path in (ROOT / "pages").rglob("*.py")]
    names = {name for listed in found for name in listed}
    assert MISPRINT in names
    values = {"{reading}": "AB", "{answer.case}": "23"}
    for name in names:
        hole = next((hole for hole in values if hole in name), "")
        for value in values.get(hole, " "):
            assert statement(name.replace(hole, value) if hole else name).reading is not None


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
