"""What the page opens on, its filter by kind of slip, dropped entries, and sheets for authors."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from pages.charts import words
from pages.core import figure_card
from pages.statements import difference, files, letter
from pages.statements import item as ledger_item
from pages.statements import run as ledger_run
from pages.statements import view as ledger
from pages.statements.view import View
from rates import errata
from rates.statements import (
    CATEGORIES,
    FORMLESS,
    NOT_REPRODUCED,
    PAPERS,
    papers,
    statement,
    statements,
)
from tests.pages.driver import everything, open_page

STORED = ledger_run.stored()


def figures(app) -> int:
    return len(app.get("plotly_chart"))


def test_the_page_opens_on_what_changes_a_conclusion_with_one_figure():
    app = open_page("statements")
    labels = [fold.label for fold in app.expander if fold.label[:1].isdigit()]
    assert len(labels) == len(errata.FIRST)
    for place, (label, name) in enumerate(zip(labels, errata.FIRST, strict=True), 1):
        assert label.startswith(f"{place}. ")
        assert words.md(errata.title(name)) in label
    assert figures(app) == 1
    app.button(key="first_kind_misprint").click().run()
    assert app.selectbox(key="ledger_category").value == "misprint"
    found = {item.id for item in ledger.chosen(STORED, View(category="misprint"))}
    assert found == {item.id for item in statements() if item.category == "misprint"}
    assert not [fold for fold in app.expander if fold.label[:1].isdigit()]


@pytest.mark.parametrize("name", errata.FIRST)
def test_a_figure_has_both_curves_and_words_for_them(name):
    drawn = difference.drawn(name)
    lines = errata.shown(name).lines
    assert len(lines) == 2
    assert all(line.name in drawn.alt for line in lines)
    assert len(drawn.rows) == len(lines[0].x)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ({"category": "refuted"}, "category must be one of"),
        ({"category": "needs a condition"}, "category must be one of"),
        ({"verdict": "proved here"}, "verdict must be one of"),
        ({"verdict": "dropped"}, "verdict must be one of"),
        ({"id": "ACC:Nowhere"}, "There is no statement with the id"),
        ({"view": "letter"}, "A sheet for authors needs a paper"),
        ({"view": "letter", "paper": "XYZ"}, "paper must be one of"),
    ],
)
def test_what_the_ledger_does_not_have_is_said(address, said):
    app = open_page("statements", **address)
    assert not app.exception
    assert any(words.md(said) in warning.value for warning in app.warning)
    assert "Do the printed theorems hold?" in everything(app)


def test_a_dropped_entry_opens_by_its_link_and_stands_in_no_list():
    name = "ACC:Table1:reading-B"
    text = everything(open_page("statements", id=name))
    assert "Dropped from the ledger" in text
    assert words.md(statement(name).history[0]) in text
    assert "contradicted by an example" not in text
    assert name not in {item.id for item in ledger.chosen(STORED, View())}


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_holds_every_entry_of_its_paper_once(paper):
    about = letter.paper(paper)
    mine = [i for i in statements() if i.paper == paper and i.category and not i.repeats]
    listed = [item.id for _, items in letter.parts(about) for item in items]
    assert sorted(listed) == sorted(item.id for item in mine)
    html = letter.to_html(paper)
    assert "<script" not in html
    assert html.count('display="block"') >= len(listed)
    assert not re.search(r"\\[a-zA-Z]", html)  # no LaTeX is left
    assert str(errata.edition()) in html
    for item in statements():
        stands = item.paper == paper and (item.category != "")
        assert (f"<code>{item.id}</code>" in html) == stands, item.id
    for harsh in ("wrong", "refuted", "error in your", "false"):
        said = " ".join(letter.greeting(about) + letter.standard() + letter.close())
        assert harsh not in said.casefold()


@pytest.mark.parametrize("name", ["ACC:Thm3.1:delta", "ACC:Cor3.3:delta"])
def test_exponents_of_an_example_stand_as_powers(name):
    """Sizes are whole numbers and δ is no negative number: such values are exponents of N."""
    said = letter.entry(statement(name))[-1][0].replace("\\", "")
    assert "An example, as N grows:" in said
    assert re.search(r"n₀ = N\^0\.\d, .*δ₀ = N\^\(-0\.\d\),", said)
    for item in statements():
        for key, value in (item.counterexample or {}).items():
            size = re.fullmatch(r"n\d?|m|servers|steps|records|delta\d?", key)
            whole = key.startswith("delta") or float(value).is_integer()
            assert not size or (value >= 0 and whole), (item.id, key)


def test_the_sheet_to_print_has_nothing_to_press():
    app = open_page("statements", view="letter", paper="CCV")
    assert not app.exception
    assert not app.button
    text = everything(app)
    assert words.md(letter.title(letter.paper("CCV"))) in text
    assert "No minimax rate of your paper" in text.replace("\\", "")
    assert [one.key for one in papers()] == list(PAPERS)


def test_the_files_say_edition_place_and_reason():
    whole = json.loads(files.to_json(STORED))
    now = errata.edition()
    assert (whole["edition"], whole["date"]) == (now.number, now.date)
    assert list(whole["counts"]) == list(CATEGORIES)
    rows = list(csv.DictReader(io.StringIO(figure_card.to_csv(files.rows(STORED)))))
    for row, item in zip(rows, statements(), strict=True):
        assert row["category"] == item.category
        assert row["history"] == " ".join(item.history)
        assert row["edition"] == str(now)


def test_a_simulation_says_its_settings_and_its_interval_and_refutes_nothing():
    simulated = [item for item in statements() if item.simulated and item.category]
    assert len(simulated) == 9
    for item in simulated:
        row = STORED[item.id][0]
        said = ledger_item.settings(item)
        assert row.words == item.category == NOT_REPRODUCED
        assert ledger.group(row) == "apart"
        assert f"In {row.violations} of {row.number} settings" in said
        assert all(text in said for text in item.hypotheses)
    text = everything(open_page("statements", id=simulated[0].id))
    assert FORMLESS["simulation"] in text
    assert words.md(ledger_item.settings(simulated[0])) in text
    assert "contradicted by an example" not in text
