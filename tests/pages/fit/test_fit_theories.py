"""The table through five theories on the page: as the engine says, with one theory's reasons."""

from __future__ import annotations

from pages.fit import page
from rates.study import Scope, Server, TransferStudy, codec
from rates.study.presets import preset
from rates.theories import theories
from tests.pages.driver import everything, open_page

STUDY = TransferStudy(
    target=Server(name="Home", n=500, epsilon=1, delta=1e-7),
    sources=[
        Server(name="A*b", n=5000, epsilon=0.5, delta=1e-8),
        Server(name="Open", n=300, epsilon=float("inf")),
    ],
    smoothness=0.5,
    dimension=2,
    margin=1,
)


def grid(app):
    return next(table.value for table in app.dataframe if "DPLR" in table.value.columns)


def test_the_grid_holds_what_the_engine_says_and_changes_with_an_answer():
    app = open_page("fit", study=codec.to_link(STUDY))
    rows = theories(STUDY, Scope())
    shown = grid(app)
    assert list(shown["Site"]) == ["The study", "Home", "A*b", "Open"]
    for k, cell in enumerate(rows[0].cells):
        assert list(shown[cell.theory]) == [row.cells[k].says for row in rows]
    assert "ACC covers it as far as told; KS and BCMM ask for what has not" in everything(app)
    protects = next(s for s in app.selectbox if s.label.startswith("Who protects"))
    protects.set_value("open_source").run()
    assert list(grid(app)["BCMM"]) == ["undecided", "target", "not covered", "undecided"]
    assert list(grid(app)["KS"]) == ["not covered"] * 4


def test_the_reasons_of_a_theory_can_be_chosen():
    app = open_page("fit", study=codec.to_link(STUDY))
    switch = next(b for b in app.button_group if "DPLR" in b.options)
    assert switch.value == "ACC"
    switch.set_value("DPLR").run()
    assert not app.exception
    table = next(t.value for t in app.table if "Why" in t.value.columns)
    assert list(table["Site"]) == ["The study and every site"]
    assert "Two to five" in table["Why"].iloc[0]
    assert "(about?term=DPLR)" in table["Why"].iloc[0]


def test_sentences():
    hospitals = preset("hospitals")
    rows = theories(hospitals.study, hospitals.scope)
    assert page.sentence(rows) == "None of them covers the study as it is told."
    told = Scope(answers=(("same_side", "yes"), ("protection", "sites")))
    assert page.sentence(theories(STUDY, told)) == "ACC covers it as far as told."
