"""What the page opens on, dropped entries, simulated results, and the sheets for authors."""

from __future__ import annotations

import re

import pytest

from pages.charts import words
from pages.core import formula
from pages.statements import entry, figures, files, run
from pages.statements import view as ledger
from rates import errata
from rates.statements import NOT_REPRODUCED, PAPERS, papers, statement, statements
from tests.pages.driver import everything, open_page

STORED = run.stored()
BY_KEY = {paper.key: paper for paper in papers()}


def test_the_page_opens_on_what_changes_a_conclusion_with_one_figure():
    app = open_page("statements")
    labels = [fold.label for fold in app.expander if fold.label[:1].isdigit()]
    for place, (label, name) in enumerate(zip(labels, errata.FIRST, strict=True), 1):
        assert label.startswith(f"{place}. ")
        assert words.md(errata.title(name)) in label
    assert len(app.get("plotly_chart")) == 1
    app.button(key="first_kind_misprint").click().run()
    assert app.selectbox(key="ledger_category_select").value == "misprint"
    assert not [fold for fold in app.expander if fold.label[:1].isdigit()]


def test_a_figure_has_both_curves_and_words_for_them():
    for name in errata.FIRST:
        drawn, lines = figures.drawn(name), errata.shown(name).lines
        assert len(lines) == 2
        assert all(line.name in drawn.alt for line in lines)
        assert len(drawn.rows) == len(lines[0].x)


def test_a_dropped_entry_opens_by_its_link_and_stands_in_no_list():
    name = "ACC:Table1:reading-B"
    text = everything(open_page("statements", id=name))
    assert "Dropped from the ledger" in text
    assert words.md(statement(name).history[0]) in text
    assert "contradicted by an example" not in text
    assert name not in {item.id for item in ledger.ordered()}


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_holds_every_entry_of_its_paper_once(paper):
    mine = [i for i in statements() if i.paper == paper and i.category and not i.repeats]
    listed = [item.id for _, items in files.parts(BY_KEY[paper]) for item in items]
    assert sorted(listed) == sorted(item.id for item in mine)
    html = files.to_html(BY_KEY[paper])
    assert "<script" not in html
    assert html.count('display="block"') >= len(listed)
    assert not re.search(r"\\[a-zA-Z]", html)  # no LaTeX is left
    assert str(errata.edition()) in html
    for item in statements():
        stands = item.paper == paper and item.category != ""
        assert (f"<code>{item.id}</code>" in html) == stands, item.id


@pytest.mark.parametrize("name", ["ACC:Thm3.1:delta", "ACC:Cor3.3:delta"])
def test_exponents_of_an_example_stand_as_powers(name):
    """Sizes are whole numbers and δ is no negative number: such values are exponents of N."""
    *_, last = files._entry(statement(name), formula.compact)
    said = last.markdown.replace("\\", "")
    assert "An example, as N grows:" in said
    assert re.search(r"n₀ = N\^0\.\d, .*δ₀ = N\^\(-0\.\d\),", said)
    for item in statements():
        for key, value in (item.counterexample or {}).items():
            size = re.fullmatch(r"n\d?|m|servers|steps|records|delta\d?", key)
            whole = key.startswith("delta") or float(value).is_integer()
            assert not size or (value >= 0 and whole), (item.id, key)


def test_the_sheet_to_print_has_nothing_to_press_and_says_what_the_file_says():
    app = open_page("statements", view="letter", paper="CCV")
    assert not app.button
    text = everything(app)
    assert words.md(files.title(BY_KEY["CCV"])) in text
    for texts in files.letter(BY_KEY["CCV"], formula.compact).values():
        assert all(block.markdown in text for block in texts)
    assert list(BY_KEY) == list(PAPERS)


def test_a_simulation_says_its_settings_and_its_interval_and_refutes_nothing():
    simulated = [item for item in statements() if item.simulated and item.category]
    assert len(simulated) == 9
    for item in simulated:
        row = STORED[item.id][0]
        assert row.words == item.category == NOT_REPRODUCED
        assert ledger.group(row) == "apart"
        assert f"In {row.violations} of {row.number} settings" in entry.settings(item)
    text = everything(open_page("statements", id=simulated[0].id))
    assert words.md(entry.settings(simulated[0])) in text
