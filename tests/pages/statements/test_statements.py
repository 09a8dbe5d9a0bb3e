"""The ledger page without a browser: search, filters, every statement, runs, files."""

from __future__ import annotations

import csv
import importlib
import io
import json
import re
import runpy
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.core import figure_card, formula, ledger_links
from pages.statements import figures
from pages.statements import files as ledger_files
from pages.statements import item as ledger_item
from pages.statements import run as ledger_run
from pages.statements import view as ledger
from pages.statements.view import View
from rates import errata
from rates.statements import told, verdicts
from rates.statements.ledger import (
    ALGEBRA,
    CONTRADICTED,
    evaluate,
    statement,
    statements,
)
from tests.depth import deep_after
from tests.pages.driver import everything, open_page, unfold

ROOT = Path(__file__).resolve().parents[3]
MISPRINT = "ACC:Cor3.2:eps21"
STORED = ledger_run.stored()
LISTED = [item for item in statements() if not item.withdrawn]


def cards(app: AppTest) -> list[str]:
    return [b.key.removeprefix("open_") for b in app.button if str(b.key).startswith("open_")]


def test_every_page_says_the_same_headline():
    said = words.keyed(errata.sentences(errata.headline()))
    text = everything(open_page("statements"))
    assert said in text
    assert "Stored verdicts, from draws with seed 0" in text
    for name in ("overview", "about"):
        assert said in everything(open_page(name)), name


@pytest.mark.deep
def test_every_statement_opens():
    app = open_page("statements", id=statements()[0].id)
    for item in statements():
        app.query_params["id"] = item.id
        app.run()
        assert not app.exception, item.id
        text = everything(app)
        assert words.md(item.title) in text
        for verdict in STORED[item.id]:
            assert f"{ledger_item.titles(item)[verdict.form]}: **{verdict.words}**" in text
        pieces = [
            piece
            for form in (item.printed, item.reading or "")
            for line in form.splitlines()
            if not formula.sentence(line)
            for piece in formula.broken(line.strip())
        ]
        shown = [tex.value.strip() for tex in app.latex]  # formal claims stand below
        wanted = [f"$$\n{formula.roomy(piece)}\n$$" for piece in pieces]
        assert shown[: len(wanted)] == wanted, item.id
        for k, step in enumerate(item.proof, 1):
            assert f"{k}. {words.cited(step)}" in text
        for key, value in (item.counterexample or {}).items():
            assert words.md(ledger_item.at({key: value})) in text


def test_the_misprinted_threshold_is_found_and_leads_to_the_map():
    app = open_page("statements")
    app.text_input(key="ledger_q").set_value("eps21").run()
    assert MISPRINT in cards(app)
    assert len(cards(app)) < len(statements())
    app.button(key=f"open_{MISPRINT}").click().run()
    assert words.md(statement(MISPRINT).title) in everything(app)
    doors = [
        link.proto for link in app.get("page_link") if link.proto.label == "Open it on the map"
    ]
    at = f"at={statement(MISPRINT).map}".replace(",", "%2C")
    assert doors[0].query_string == f"{at}&table=A"
    app.button(key="ledger_all").click().run()
    assert app.text_input(key="ledger_q").value == "eps21"


@pytest.mark.parametrize("name", ["paper", "category"])
def test_a_filter_that_is_not_offered_changes_nothing(name):
    app = open_page("statements")
    shown = cards(app)
    box = app.selectbox(key=f"ledger_{name}")
    sent = app._tree.get_widget_states()
    next(state for state in sent.widgets if state.id == box.id).string_value = "1/3"
    app._run(sent)
    assert not app.exception
    assert cards(app) == shown


def test_all_cards_and_a_statement_asked_for_at_once_show_the_statement():
    """A slow server hears two presses as one; the list's memory is no button's name."""
    app = open_page("statements")
    app.button(key="ledger_more").click()
    app.button(key=f"open_{LISTED[0].id}").click().run()
    assert not app.exception
    assert app.button(key="ledger_all").label == "All statements"
    app.button(key="ledger_all").click().run()
    assert not app.exception
    assert cards(app)


@pytest.mark.parametrize(
    ("query", "expected"),
    [("E1", {MISPRINT}), ("e1", {MISPRINT}), ("no such words", set())],
)
def test_search_knows_the_numbers_of_corrections(query, expected):
    found = {i.id for i in ledger.chosen(STORED, View(q=query))}
    assert found == {i.id for i in LISTED if "E1" in i.errata} if expected else not found
    assert expected <= found


def test_search_takes_greek_letters_by_name_too():
    by_letter = ledger.chosen(STORED, View(q="γ"))
    by_name = ledger.chosen(STORED, View(q="gamma"))
    assert by_letter
    assert set(i.id for i in by_letter) <= set(i.id for i in by_name)


@pytest.mark.parametrize(
    "query", ["eps21", "ε_21", "ε21", "ε₂₁", "EPSILON_21", r"\varepsilon_{21}", "cor3.2:eps21"]
)
def test_search_finds_a_symbol_however_it_is_written(query):
    assert MISPRINT in {i.id for i in ledger.chosen(STORED, View(q=query))}


@pytest.mark.parametrize(
    ("query", "field"), [("misprint", "why"), (r"\widehat{\lambda}", "printed"), ("P_s", "reading")]
)
def test_search_looks_into_reasons_and_formulas(query, field):
    found = {i.id for i in ledger.chosen(STORED, View(q=query))}
    assert found
    holding = {
        i.id for i in LISTED if ledger.folded(query) in ledger.folded(getattr(i, field) or "")
    }
    assert holding <= found
    assert MISPRINT in found or query != "misprint"
    assert len(found) < len(statements())


def test_a_search_for_nothing_or_for_marks_only_leaves_everything():
    for query in ("", "  ", "_ {}"):
        assert len(ledger.chosen(STORED, View(q=query))) == len(LISTED)


@pytest.mark.parametrize("name", ["paper", "verdict", "category", "kind", "page"])
def test_filters_divide_the_ledger(name):
    for value in ledger.allowed()[name]:
        found = ledger.chosen(STORED, View(**{name: value}))
        assert found
        for item in found:
            held = {
                "paper": (item.paper,),
                "verdict": (ledger.group(STORED[item.id][0]),),
                "kind": (item.kind,),
                "category": (ledger.slug(item.category),),
                "page": item.pages,
            }[name]
            assert value in held
    if name != "page":
        parts = [len(ledger.chosen(STORED, View(**{name: v}))) for v in ledger.allowed()[name]]
        whole = [item for item in LISTED if item.category or name != "category"]
        assert sum(parts) == len(whole)


def test_the_figure_names_the_section_of_every_mark():
    marks = [
        figures.Mark(id=item.id, place=f"{item.paper} {item.section}", group="proved", text="")
        for item in ledger.ordered()
    ]
    assert {mark.id for mark in marks} == {item.id for item in LISTED}
    drawn = figures.drawn(marks, title="").figure
    ticks = drawn.y.ticks
    rows = dict(zip(ticks.values, ticks.texts, strict=True))
    labels = {name[0]: y for name, y in zip(drawn.marks[0].data, drawn.marks[0].y, strict=True)}
    assert len(set(zip(drawn.marks[0].x, drawn.marks[0].y, strict=True))) == len(marks)
    for mark in marks:
        row = labels[mark.id]
        assert rows[max(tick for tick in rows if tick <= row)] == mark.place


def test_a_filter_in_the_address_is_shown_and_can_be_taken_away():
    app = open_page("statements", verdict="refuted", paper="ACC", seed="11")
    assert app.radio(key="ledger_verdict").value == "refuted"
    assert app.number_input(key="ledger_seed_all").value == 11
    found = ledger.chosen(STORED, View(verdict="refuted", paper="ACC"))
    assert f"{len(found)} of {len(LISTED)} statements" in everything(app)
    app.button(key="ledger_reset").click().run()
    assert "verdict" not in app.query_params
    assert f"{len(LISTED)} of {len(LISTED)}" in everything(app)


@pytest.mark.parametrize(
    ("parameters", "said"),
    deep_after(
        4,
        [
            ({"id": "ACC:Nowhere"}, "There is no statement with the id"),
            ({"verdict": "true"}, "verdict must be one of refuted"),
            ({"paper": "XYZ"}, "paper must be one of ACC, CCV"),
            ({"seed": "-1"}, "seed must be an integer from 0"),
            ({"seed": "1e3"}, "seed must be an integer from 0"),
            ({"seed": "99999999999"}, "seed must be an integer from 0"),
            ({"seed": "5000000000"}, "seed must be an integer from 0"),
            ({"q": "x" * 81}, "at most 80 characters"),
            ({"view": "print"}, "needs the id of a statement"),
            ({"view": "poster", "id": MISPRINT}, "view must be one of print"),
            ({"study": "~1broken"}, "The study in the address could not be opened"),
            ({"nonsense": "1"}, "The address also holds nonsense"),
        ],
    ),
)
def test_a_bad_address_is_said(parameters, said):
    app = open_page("statements", **parameters)
    assert words.md(said).replace("\\", "") in everything(app).replace("\\", "")


@given(st.dictionaries(st.sampled_from(ledger.PARAMETERS), st.text(max_size=100)))
def test_any_address_is_read_or_refused(parameters):
    view, problems = ledger.read(parameters)
    again, none = ledger.read(ledger.written(view))
    assert again == view
    assert not none
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
    assert not app.exception
    text = everything(finish(app))
    assert f"Tested **{len(statements())}** of **{len(statements())}**" in text
    assert "with seed **3**" in text
    assert "Every verdict is the same as the stored one" in text
    assert "with seed 3" in app.caption[0].value
    app.session_state["touched"] = False  # the app does this at the end of a run
    app.query_params["id"] = MISPRINT
    app.run()
    assert "Tested in this session" in everything(app)
    found = evaluate(statement(MISPRINT), seed=3).of("printed").outcome
    assert words.md(ledger_item.at(found.at)) in everything(app)


def test_a_run_shows_its_progress_before_it_works_and_takes_few_steps(monkeypatch):
    few = statements()[::12]
    monkeypatch.setattr(ledger_run, "statements", lambda: few)
    app = open_page("statements")
    app.button(key="ledger_start").click().run()
    assert len(app.session_state["ledger_run"].found) == 0
    assert any(b.key == "ledger_stop" for b in app.button)
    run = app.session_state["ledger_run"]
    assert ledger_run._position(run, 0, 5).endswith("the first ones are under way.")
    finish(app)
    assert not run.left
    assert len(run.found) == len(few)
    assert ledger_run.PAUSE < ledger_run.TICK <= 1.0  # one question waits when a step ends


def test_a_run_can_be_stopped_and_keeps_what_it_has(monkeypatch):
    monkeypatch.setattr(ledger_run, "TICK", 0.0)
    app = open_page("statements")
    app.button(key="ledger_start").click().run()
    app.run()
    app.button(key="ledger_stop").click().run()
    text = everything(app)
    done = len(app.session_state["ledger_run"].found)
    assert 0 < done < len(statements())
    assert f"Stopped: tested **{done}** of **{len(statements())}**" in text
    assert not any(b.key == "ledger_stop" for b in app.button)
    app.run()
    assert len(app.session_state["ledger_run"].found) == done


def test_a_fresh_verdict_that_differs_is_pointed_out(monkeypatch):
    before = dict(STORED)
    row = before[MISPRINT]
    before[MISPRINT] = (row[1], row[0])
    monkeypatch.setattr(ledger_run, "stored", lambda: before)
    app = open_page("statements", id=MISPRINT)
    app.button(key="ledger_again").click().run()
    assert any("The fresh verdict differs" in warning.value for warning in app.warning)
    assert f"**{statement(MISPRINT).category}**" in everything(app)


def test_a_longer_run_draws_more():
    run = ledger_run.Run(seed=1, items=(statement(MISPRINT),), depth=10)
    run.step(0.0)
    assert not run.busy
    (outcome, _) = [v.outcome for v in run.found[MISPRINT].verdicts]
    assert outcome.number == 10 * STORED[MISPRINT][0].number


def test_the_print_view_has_nothing_to_press():
    app = open_page("statements", id=MISPRINT, view="print")
    assert app.title[0].value == words.md(statement(MISPRINT).title)
    for kind in ("button", "text_input", "selectbox", "number_input", "expander"):
        assert not app.get(kind), kind
    assert not app.get("page_link")
    assert not app.sidebar.markdown
    for k, step in enumerate(statement(MISPRINT).proof, 1):
        assert f"{k}. {words.md(step)}" in everything(app)


def test_the_derivation_is_shown_when_asked_for():
    app = open_page("statements", id=MISPRINT)
    before = everything(app).count("displaystyle")
    app.session_state[f"derive_{MISPRINT}"] = True
    app.run()
    assert not app.exception
    assert everything(app).count("displaystyle") > before
    assert "1. ✓" in everything(app)
    assert ". ✗" not in everything(app)


@pytest.mark.deep
def test_sympy_waits_for_a_derivation():
    code = (
        "import sys; from streamlit.testing.v1 import AppTest\n"
        f"app = AppTest.from_file({str(ROOT / 'app.py')!r}, default_timeout=60).run()\n"
        f"app.query_params['id'] = {MISPRINT!r}\n"
        "app.switch_page('pages/statements.py').run(); assert not app.exception\n"
        "print([m for m in ('sympy', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_the_files_hold_every_statement_with_its_verdicts():
    table = list(csv.DictReader(io.StringIO(figure_card.to_csv(ledger_files.rows(STORED)))))
    assert [row["id"] for row in table] == [item.id for item in statements()]
    by_id = {row["id"]: row for row in table}
    assert by_id[MISPRINT]["verdict, printed"] in CONTRADICTED
    assert by_id[MISPRINT]["verdict, reading"] == ALGEBRA
    assert by_id[MISPRINT]["link"] == f"statements?id={MISPRINT}"
    entries = json.loads(ledger_files.to_json(STORED))["statements"]
    assert [e["id"] for e in entries] == [item.id for item in statements()]
    for entry in entries:
        found = [verdict["words"] for verdict in entry["verdicts"]]
        assert found == [verdict.words for verdict in STORED[entry["id"]]]


def test_the_lines_of_python_reproduce_the_verdict(tmp_path, capsys):
    app = open_page("statements", id=MISPRINT, seed="5")
    script = tmp_path / "again.py"
    script.write_text(app.code[0].value, "utf-8")
    runpy.run_path(str(script))
    said = capsys.readouterr().out
    outcome = evaluate(statement(MISPRINT), seed=5).of("printed").outcome
    assert f"printed {statement(MISPRINT).category}" in said
    assert repr(outcome.worst) in said


def test_the_table_of_coverage_counts_the_statements():
    from rates.statements.covered import coverage

    app = open_page("statements")
    for paper in ("ACC", "CCV"):
        count = sum(item.paper == paper for item in statements())
        assert any(
            e.label.startswith(f"[{paper}]: {count} statements") for e in app.get("expander")
        )
    shown = " ".join(str(table.value) for table in app.table)
    for row in coverage():
        assert row.covered or row.left_out, row
    assert "Not in the ledger, and why" in shown


def test_stored_verdicts_name_the_statements():
    assert set(STORED) == {item.id for item in statements()}
    found = verdicts.of_evaluation(evaluate(statement(MISPRINT)))
    assert found == STORED[MISPRINT]


def test_every_link_to_the_ledger_leads_to_a_corrected_statement():
    names = set()
    for path in (ROOT / "pages").rglob("*.py"):
        names |= set(re.findall(r'ledger_links\.link\(\s*f?"([^"]+)"', path.read_text("utf-8")))
    assert MISPRINT in names
    values = {"{reading}": "AB", "{answer.case}": "23"}
    for name in names:
        hole = next((hole for hole in values if hole in name), "")
        for value in values.get(hole, " "):
            assert statement(name.replace(hole, value) if hole else name).reading is not None


FOLDED = ("study", "phases", "resolution")  # name them where they say why


@pytest.mark.parametrize("stem", deep_after(2, ["study", "phases", "resolution", "classification"]))
def test_a_page_leads_to_the_corrected_statements_that_it_uses(stem):
    app = open_page(stem)
    if stem in FOLDED:
        unfold(app, "Why")
    paper = "ACC" if stem == "study" else ""
    found = ledger_links.corrected(stem, paper)
    assert {item.id for item in found} == {
        item.id
        for item in statements()
        if item.reading is not None and stem in item.pages and item.id.startswith(paper)
    }
    labels = {link.proto.label for link in app.get("page_link")}
    assert {words.md(item.title) for item in found[: ledger_links.MOST]} <= labels
    if len(found) > ledger_links.MOST:
        assert f"The other {len(found) - ledger_links.MOST}, in the ledger" in labels


def test_a_statement_shows_what_is_checked_and_what_is_told_apart():
    text = everything(open_page("statements", id=MISPRINT))
    found = told()[MISPRINT]
    assert f"{found['told']} of {found['changed']} changed claims" in text
    assert "in exact arithmetic" in everything(open_page("statements", id="ACC:Table1:corrected"))


def test_a_link_to_a_statement_holds_its_name():
    app = unfold(open_page("phases"), "Why")
    links = [link.proto.query_string for link in app.get("page_link")]
    assert f"id={urllib.parse.quote_plus(MISPRINT)}" in links


def test_infinity_is_text_in_a_file():
    assert importlib.import_module("pages.statements.files")._plain([float("inf"), 1.0]) == [
        "inf",
        1.0,
    ]
