"""The phase page without a browser: sequence, printed table, refusals, and links to a study."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.charts import words
from pages.phases import designs
from rates import regimes
from rates.phases import cuts
from rates.phases import design as points
from rates.phases.design import Design
from rates.phases.public import public_regimes
from tests.depth import deep_after
from tests.pages.core.links import asked, linked
from tests.pages.driver import everything, open_page, unfold

ROOT = Path(__file__).resolve().parents[3]
MISPRINT = designs.EXAMPLES["The misprinted threshold"]


def phases_of(design: Design) -> str:
    found = regimes(
        *design.sizes,
        **design.shape,
        ratio=design.ratio,
    )
    return " → ".join(
        f"{'trivial' if r.rate == '1' else r.rate} up to {words.number(r.hi)}" for r in found
    )


@pytest.mark.parametrize("design", designs.EXAMPLES.values(), ids=list(designs.EXAMPLES))
def test_the_sequence_is_the_engine_s(design):
    app = open_page("phases", at=linked(designs.POINT, design))
    assert phases_of(design) in everything(app)
    assert asked(app, designs.POINT) == design


def test_a_typed_budget_moves_the_point():
    app = open_page("phases", at=linked(designs.POINT, MISPRINT))
    box = next(t for t in app.text_input if t.label == "Sources' budget ε, exact value")
    box.set_value("0.18").run()
    assert "**the target** decides the rate, and **sampling** binds there (NPt)" in everything(app)
    box = next(t for t in app.text_input if t.label == "Signal exponent γ, exact value")
    box.set_value("-1").run()
    assert "gamma must be positive and finite" in app.error[0].value
    assert "(NPt)" in everything(app)


def test_re_entrance_is_pointed_out():
    app = open_page(
        "phases", at=linked(designs.POINT, designs.EXAMPLES["Sources, target, sources again"])
    )
    assert "Re-entrance: sources, target, sources" in app.info[0].value


def test_the_printed_table_is_contradicted_where_it_is_wrong():
    app = open_page("phases", at=linked(designs.POINT, MISPRINT))
    app.selectbox(key="table_table_select").set_value("A").run()
    assert "from 0.215 to 0.75 it says NPt, while Ps decides" in everything(app)
    assert "printed table differs" in app.get("plotly_chart")[0].proto.spec


def test_a_link_brings_the_printed_table_and_its_absence_takes_it_away():
    app = open_page("phases", at=linked(designs.POINT, MISPRINT))
    app.selectbox(key="phase_axes").set_value("target").run()
    app.button_group(key="phase_view").set_value("cut").run()
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
    app = open_page("phases", at=linked(designs.POINT, MISPRINT))
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
    app = open_page("phases", at=linked(designs.POINT, MISPRINT))
    app.selectbox(key="phase_axes").set_value(axes).run()
    assert not app.exception
    assert "toself" in app.get("plotly_chart")[0].proto.spec


def test_the_unprotected_source_has_corrected_and_printed_thresholds():
    app = open_page("phases", at=linked(designs.POINT, MISPRINT))
    app.button_group(key="phase_view").set_value("public").run()
    found = public_regimes(MISPRINT.n0, 300, MISPRINT.n, gamma=1.2, beta=0.5, d=2)
    text = everything(app)
    if found.thresholds:
        assert words.number(found.thresholds[0]) in text
    assert " → ".join(f"{r.rate} up to {words.number(r.hi)}" for r in found.regimes) in text


def test_the_rate_along_the_cut_is_drawn_by_both_answers():
    app = open_page("phases", at=linked(designs.POINT, MISPRINT))
    app.button_group(key="phase_view").set_value("cut").run()
    spec = app.get("plotly_chart")[0].proto.spec
    assert "Named mechanism" in spec
    assert "Rate equation (5)" in spec


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


@pytest.mark.parametrize(
    ("at", "words_"),
    deep_after(
        3,
        [
            ("100,0,500,0.5,2,1,1,0.5,1", "Without sources"),
            ("100,10,0,0.5,2,1,1.2,0.5,1", "γ* is undefined"),
            ("100,10,1,0.5,2,1,1.2,0.5,1", "γ* is infinite"),
            ("100,10,5000,0.5,2,1,1.2,0.5,1", "Outside n ≤ n₀ ≤ m n"),
            ("100,10,500,0.5,2,1,1,0.5,1", "parallel"),
            ("100,10,500,0.5,2,1,1.2,5,1", "beyond the paper's map"),
            ("100,10,500,0.001,10,1,1.2,0.5,1", "(Pt)"),
            ("0,0,0,0.5,2,1,1.2,0.5,1", "trivial"),
        ],
    ),
)
def test_limit_cases_come_with_a_word_why(at, words_):
    app = open_page("phases", at=at)
    assert words_ in everything(app)
    for view in ("cut", "public", "map"):
        app.button_group(key="phase_view").set_value(view).run()
        assert not app.exception


def test_cuts_agree_with_solve():
    from rates import solve

    study = points.to_study(MISPRINT, 1e-8)
    cut = cuts.rate_along(study, [1.0])
    assert cut.equation[0] == pytest.approx(solve(study).rate)


def test_the_thresholds_stand_beside_their_names():
    app = unfold(open_page("phases", at=linked(designs.POINT, MISPRINT)), "Why")
    table = next(d.value for d in app.dataframe if "Endpoint" in d.value)
    found = dict(zip(table["Endpoint"], table["Value"], strict=True))
    n0, m, n = MISPRINT.n0, MISPRINT.m, MISPRINT.n
    b, d, g = (MISPRINT.shape[key] for key in ("beta", "d", "gamma"))
    # By hand: Pt = NPt is (n0 eps)^(-1/(b+d)) = n0^(-1/(2b+d)), and likewise for the sources.
    target = n0 ** ((b + d) / (2 * b + d) - 1)
    sources = (m * n) ** ((b * g + d) / (2 * b * g + d)) / (m**0.5 * n)
    assert (found["ε₂"], found["ε₃"]) == (words.number(target), words.number(sources))
