"""The phase page without a browser: sequence, printed table, refusals, and links to a study."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pages.charts import words
from pages.core import blocks
from pages.phases import designs, page, views
from rates import regimes, solve
from rates.phases import Design, cuts, public_regimes
from rates.phases import design as points
from tests.depth import deep_after
from tests.pages.core.links import asked, linked
from tests.pages.driver import everything, open_page

MISPRINT = designs.EXAMPLES["The misprinted threshold"]


def open_point(design: Design = MISPRINT, view: str = "map"):
    app = open_page("phases", at=linked(designs.POINT, design))
    if view != "map":
        app.button_group(key="phase_view").set_value(view).run()
    return app


def phases_of(design: Design) -> str:
    found = regimes(*design.sizes, **design.shape, ratio=design.ratio)
    steps = (("trivial" if r.rate == "1" else r.rate, words.number(r.hi)) for r in found)
    return " → ".join(f"{rate} up to {high}" for rate, high in steps)


def notes(given: Iterable[blocks.Block]) -> list[blocks.Note]:
    return [block for block in given if isinstance(block, blocks.Note)]


@pytest.mark.parametrize("design", designs.EXAMPLES.values(), ids=list(designs.EXAMPLES))
def test_the_sequence_is_the_engine_s(design):
    app = open_point(design)
    assert phases_of(design) in everything(app)
    assert asked(app, designs.POINT) == design


def test_a_typed_budget_moves_the_point():
    app = open_point()
    box = next(t for t in app.text_input if t.label == "Sources' budget ε, exact value")
    box.set_value("0.18").run()
    assert "**the target** decides the rate, and **sampling** binds there (NPt)" in everything(app)
    box = next(t for t in app.text_input if t.label == "Signal exponent γ, exact value")
    box.set_value("-1").run()
    assert "gamma must be positive and finite" in app.error[0].value
    assert "(NPt)" in everything(app)


@pytest.mark.parametrize("title", designs.EXAMPLES)
def test_re_entrance_is_pointed_out_where_a_side_comes_back(title):
    design = designs.EXAMPLES[title]
    found = notes(page.answer(design, views.along(design, 1.0)))
    path = {
        "Sources, target, sources again": ["sources, target, sources"],
        "Target, sources, target (unequal budgets)": ["target, sources, target"],
    }
    said = [note.markdown for note in found if note.kind == "info"]
    assert [text.partition(": ")[2].partition(".")[0] for text in said] == path.get(title, [])


def test_a_link_brings_the_printed_table_and_its_absence_takes_it_away():
    app = open_point(view="cut")
    assert "table" not in app.query_params
    app.query_params["table"] = "A"
    app.run()
    assert app.selectbox(key="table_table_select").value == "A"
    assert "from 0.215 to 0.75 it says NPt, while Ps decides" in everything(app)
    del app.query_params["table"]  # as Back does
    app.run()
    assert app.selectbox(key="table_table_select").value == "none"
    assert "table" not in app.query_params
    app.selectbox(key="table_table_select").set_value("B").run()
    assert app.query_params["table"] == "B"


def test_a_reading_that_is_none_is_refused():
    app = open_point()
    app.query_params["table"] = "C<b>"
    app.run()
    (said,) = [error.value for error in app.error]
    assert words.plain('table must be "none" or "A" or "B".') in said
    assert app.selectbox(key="table_table_select").value == "none"
    app.selectbox(key="table_table_select").set_value("A").run()
    assert not app.error
    assert app.query_params["table"] == "A"


@pytest.mark.parametrize("axes", ["gamma", "sources", "target", "exponent"])
def test_every_map_has_all_its_regions_as_polygons(axes):
    regions = views.build(MISPRINT, axes, 1.0, "A").regions
    assert {label for label, polygons in regions.items() if polygons} >= {"NPt", "Ps", "NPs"}
    caption = views.map_of(MISPRINT, 1.0, axes, "A").caption
    assert ("from 0.215 to 0.75 it says NPt, while Ps decides" in caption) == (axes == "gamma")


def test_the_unprotected_source_has_corrected_and_printed_thresholds():
    shape = {"smoothness": 0.5, "dimension": 1, "margin": 1}
    design = Design(n=1_000, m=1, n0=10, gamma=1.2, epsilon=0.1, **shape)
    found = public_regimes(10, 10, 1_000, **design.shape)
    right, printed = (", ".join(map(words.number, x)) for x in (found.thresholds, found.printed))
    caption = views.public_of(design, 1.0, 10).caption
    assert f"by our reading: {right}; as printed: {printed}." in caption
    app = open_point(design, view="public")
    app.session_state["public_n1"] = 10
    app.run()
    assert views.steps(found.regimes) in everything(app)
    links = [link.proto.query_string for link in app.get("page_link")]
    assert any(f"case-{found.case}" in link for link in links)


def test_the_rate_along_the_cut_is_drawn_by_both_answers():
    cut = cuts.rate_along(points.to_study(MISPRINT, 1e-8), [1.0])
    assert cut.equation[0] == pytest.approx(solve(points.to_study(MISPRINT, 1e-8)).rate)
    columns = {name for row in views.cut_of(MISPRINT, 1.0).rows for name in row}
    assert len([name for name in columns if "quation" in name or "echanism" in name]) >= 2


@pytest.mark.parametrize(
    ("at", "words_"),
    [
        ("1,2,3", "9 numbers"),
        ("1,2,3,0.5,2,1,1,1,x", "plain number"),
        ("1,2,3,5,2,1,1,1,1", "0 < beta <= 1"),
        ("1,2,3,0.5,2,9,1,1,1", "alpha*beta must be at most d"),
        ("1,2,3,0.5,2,1,1,inf,1", "must be positive and finite"),
    ],
)
def test_a_broken_point_in_the_address_is_refused(at, words_):
    app = open_page("phases", at=at)
    assert "could not be opened" in app.error[0].value
    assert words.plain(words_) in app.error[0].value
    assert phases_of(next(iter(designs.EXAMPLES.values()))) in everything(app)


LIMITS = [
    ("100,0,500,0.5,2,1,1,0.5,1", "Without sources"),
    ("100,10,0,0.5,2,1,1.2,0.5,1", "γ* is undefined"),
    ("100,10,1,0.5,2,1,1.2,0.5,1", "γ* is infinite"),
    ("100,10,5000,0.5,2,1,1.2,0.5,1", "Outside n ≤ n₀ ≤ m n"),
    ("100,10,500,0.5,2,1,1,0.5,1", "parallel"),
    ("100,10,500,0.5,2,1,1.2,5,1", "beyond the paper's map"),
    ("100,10,500,0.001,10,1,1.2,0.5,1", "(Pt)"),
    ("0,0,0,0.5,2,1,1.2,0.5,1", "trivial"),
]


@pytest.mark.parametrize(("at", "words_"), deep_after(3, LIMITS))
def test_limit_cases_come_with_a_word_why(at, words_):
    app = open_page("phases", at=at)
    assert words_ in everything(app)
    for view in ("cut", "public", "map"):
        app.button_group(key="phase_view").set_value(view).run()
        assert not app.exception


def test_the_thresholds_stand_beside_their_names():
    (table,) = (block for block in page.why(MISPRINT) if isinstance(block, blocks.Table))
    found = dict(zip(table.columns["Endpoint"], table.columns["Value"], strict=True))
    n0, m, n = MISPRINT.n0, MISPRINT.m, MISPRINT.n
    b, d, g = (MISPRINT.shape[key] for key in ("beta", "d", "gamma"))
    # By hand: Pt = NPt is (n0 eps)^(-1/(b+d)) = n0^(-1/(2b+d)), and likewise for the sources.
    target = n0 ** ((b + d) / (2 * b + d) - 1)
    sources = (m * n) ** ((b * g + d) / (2 * b * g + d)) / (m**0.5 * n)
    ours, printed = (n0 ** ((b * g + d) / (k * b + d)) / (m**0.5 * n) for k in (2, 1))
    right = map(words.number, (target, sources, ours, printed))
    assert [found[name] for name in ("ε₂", "ε₃", "ε₂₁", "ε₂₁ as printed")] == list(right)
