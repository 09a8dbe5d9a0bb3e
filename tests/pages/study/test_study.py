"""The study page without a browser: displayed numbers against the engine, and refusals."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

import rates
from pages.charts import words
from pages.current import state
from pages.study import verdict
from rates import decision
from rates.answer import privacy_cost
from rates.study import PRESETS, codec, preset
from sims.calibration import exact_classifier_risks, worlds_for
from tests.pages import driver
from tests.pages.driver import asked, asked_chip, box, everything, open_page, told, unfold

EQUATION, MECHANISM = (f"Effective records, {by}" for by in ("rate equation", "named mechanism"))
ERROR = "Error against no privacy"


def opened(study) -> AppTest:
    """The page of a study."""
    return open_page("study", study=codec.to_link(study))


def metrics(app: AppTest) -> dict[str, str]:
    """Effective records by the equation and by the mechanism, and the error, by their labels."""
    return {m.label: m.value for m in app.metric}


def type_in(app: AppTest, held: state.Draft) -> None:
    """Let the table of sites hold this."""
    app.session_state["draft"] = held
    app.session_state["version"] += 1
    app.run()


def linked(app: AppTest):
    """The study in the address."""
    return driver.linked(app)[0]


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_a_link_shows_the_engine_s_numbers(entry):
    app = opened(entry.study)
    cost = privacy_cost(entry.study)[0]
    kept = (words.percent(cost.equation.kept), words.between(*cost.kept_range, words.percent))
    sizes = [one.answer.effective_n for one in cost.mechanism]
    ratio = words.span(*(words.number(x) for x in cost.ratio_range))
    assert metrics(app) == {
        EQUATION: words.number(cost.equation.answer.effective_n),
        MECHANISM: words.between(min(sizes), max(sizes)),
        ERROR: f"× {words.number(cost.equation.rate_ratio)} | × {ratio}",
    }
    parts = [f"{x} of no privacy" for x in kept]
    assert [m.delta for m in app.metric] == [*parts, "equation | mechanism"]
    assert linked(app) == entry.study


def test_a_parameter_that_is_typed_or_moved_changes_the_answer():
    study = preset("hospitals").study
    app = opened(study)
    for name in ("smoothness", "dimension", "margin"):
        asked_chip(app, name)
    box(app, "Smoothness β, exact value").set_value("0.37").run()
    next(s for s in app.select_slider if s.label == "Dimension d").set_value(5.0).run()
    study = replace(study, smoothness=0.37, dimension=5)
    assert box(app, "Dimension d, exact value").value == "5"
    for label, text in (
        *(("Smoothness β", x) for x in ("2", "nan", "1e400", "__import__('os')", "")),
        ("Margin α", "14"),  # alpha*beta would be above d
    ):
        box(app, f"{label}, exact value").set_value(text).run()
        assert told(app)
        assert metrics(app)[EQUATION] == words.number(rates.solve(study).effective_n)
        assert linked(app) == study


def test_a_link_of_another_version_says_so_until_something_changes():
    study, made = codec.to_link(preset("hospitals").study), "<b>*0*"
    app = asked_chip(open_page("study", study=study, made=made), "outcome")
    (said,) = (c.value for c in app.caption if "was made by version" in c.value)
    assert words.md(made) in said
    assert words.md(rates.__version__) in said
    assert "which this page does not use" not in everything(app)
    app.selectbox(key="if_outcome").select("continuous").run()
    assert "made" not in app.query_params
    for one in (app.run(), open_page("study", study=study, made=rates.__version__)):
        assert "was made by version" not in everything(one)


def test_a_missing_delta_keeps_the_rate_equation_and_is_offered():
    study = preset("hospitals").study
    app = opened(study.with_servers([replace(s, delta=None) for s in study.servers]))
    worth = words.number(rates.solve(study).effective_n)
    assert (metrics(app)[MECHANISM], metrics(app)[EQUATION]) == ("needs every δ", worth)
    app.button(key="verdict_delta").click().run()
    assert linked(app) == study
    assert driver.linked(app)[1].assumed == ("delta",)
    ratio = words.span(*(words.number(x) for x in privacy_cost(study)[0].ratio_range))
    assert metrics(app)[ERROR].endswith(ratio)


def test_names_are_shown_as_typed():
    study = preset("hospitals").study
    odd = "<b>*A*</b> $x$ [l](u)"
    servers = [replace(study.servers[0], name=odd, n=10**6), *study.servers[1:]]
    app = opened(study.with_servers(servers))
    app.session_state["view"] = "shares"
    app.run()
    assert words.md(odd) in everything(app)
    spec = app.get("plotly_chart")[0].proto.spec
    assert "&lt;b&gt;*A*" in spec
    assert "<b>*A*" not in spec


def test_an_empty_table_answers_nothing_and_forgets_what_was_said():
    app = opened(preset("hospitals").study)
    driver.unbox(app).button(key="open_empty").click().run()
    assert (len(app.info), len(app.metric), len(app.warning)) == (1, 0, 0)
    type_in(app, state.draft_of(preset("figure1").study))
    assert "Run it?" in everything(app)
    scope = driver.linked(app)[1]
    assert scope is None or scope.prevalence is None


def untold(app: AppTest) -> set[str]:
    """The assumptions that nobody told, by their keys."""
    boxes = [one.proto for one in app.get("popover")]
    return {x.id.rpartition("chip_")[2] for x in boxes if x.popover.label.endswith("?")}


def test_what_was_not_told_is_marked_and_a_click_asks():
    app = opened(preset("figure1").study)
    assert "records" in untold(app)
    asked(app, "records").select("one").run()
    assert driver.linked(app)[1].answer("records") == "one"
    assert asked(app, "records").value == "one"
    assert untold(opened(preset("regional").study)) == {"use", "gain", "needed"}


def test_an_assumption_is_changed_where_it_stands():
    app = opened(preset("regional").study)
    for key, value in (
        *(("transfer_smoothness", "0.9"), ("if_signal_exponent", "1.5"), ("if_gain", "1.05")),
    ):
        asked_chip(app, key.partition("_")[2])
        app.text_input(key=f"box_{key}").set_value(value).run()
    study, scope = driver.linked(app)
    assert (study.smoothness, scope.gain) == (0.9, 1.05)
    assert [s.signal_exponent for s in study.servers] == [1, 1.5, 1.5, 1.5, 1.5]
    found = decision.decide(study, gain=1.05)
    assert verdict.marked(decision.sentences(found)[0]) in everything(app)


def test_uses_and_needs_are_asked_and_refused_in_words():
    app = opened(preset("unequal").study)
    assert asked(app, "use").value == "each"
    asked(app, "use").select("others").run()
    asked_chip(app, "needed")
    for typed, needed in (
        ("400", 400),
        *((x, 400) for x in ("0", "-3", "1e16", "many")),
        ("", None),
    ):
        box(app, "Records that would do").set_value(typed).run()
        assert bool(app.error) == (typed not in ("400", ""))
        scope = driver.linked(app)[1]
        assert (scope.use, scope.needed) == ("others", needed)
        found = decision.decide(linked(app), use="others", needed=needed)
        assert verdict.marked(decision.sentences(found)[0]) in everything(app)


def test_all_sites_alike_need_no_target_and_are_covered():
    app = opened(preset("regional").study)
    asked(app, "target").select("shared").run()
    assert {s.signal_exponent for s in linked(app).servers} == {1}
    assert "Within the classification theory" in everything(app)
    held = app.session_state["draft"]
    type_in(app, replace(held, rows=tuple({**row, "target": False} for row in held.rows)))
    assert not app.warning
    assert linked(app).target.name == "Regional"
    before, label = linked(app).servers, "Multiply every ε by, exact value"
    box(asked_chip(app, "epsilon"), label).set_value("2").run()
    assert [s.epsilon for s in linked(app).servers] == [2 * s.epsilon for s in before]
    assert box(app, label).value == "1"


def cells(app: AppTest, **changes: object) -> AppTest:
    """Change cells of the table of sites, as a browser says it."""
    table = next(one for one in app.run().dataframe if one.proto.editing_mode)
    return driver.send(app, WidgetState(id=table.proto.id, string_value=json.dumps(changes)))


def test_a_change_that_the_table_cannot_have_changes_nothing_and_others_are_read_and_said_to_be():
    app = opened(preset("hospitals").study).run()
    before = everything(app)
    for cell in ({"99": {"name": "x"}}, {"0": 5}, {"0": {"none": "x"}}):
        assert everything(cells(app, edited_rows=cell)) == before
    assert everything(cells(app, added_rows=[{"none": 1}])) == before
    assert everything(cells(app, deleted_rows=[77])) == before
    rows = {
        "1": {"n": "200k", "epsilon": "none"},
        "2": {"n": "ca. 350"},
        "3": {"n": "25,000", "unprotected": True},  # which wins over the budget in its cell
    }
    servers = [(s.n, math.isinf(s.epsilon)) for s in linked(cells(app, edited_rows=rows)).servers]
    assert servers[1:] == [(200_000, True), (350, False), (25_000, True)]
    assert "25,000 (25,000)" not in everything(app)
    assert app.session_state["draft"].rows[1]["unprotected"] is True
    for read in ("200,000 (200k)", "unprotected (none)", "350 (ca. 350)"):
        assert words.md(read) in everything(app)


def test_promises_that_are_next_to_nothing_are_said_beside_the_rows():
    study = preset("hospitals").study
    loose = replace(study.target, n=400, epsilon=50, delta=0.2)
    said = told(opened(study.with_servers([loose, *study.sources])))
    assert ("ε = 50 at Hungary" in said, "δ at Hungary" in said) == (True, True)


@pytest.mark.parametrize(("smoothness", "dimension", "margin"), [(0.75, 2, 1.0), (0.7, 1, 1.4)])
def test_the_made_up_world_shows_the_exact_errors_in_ten_thousand(smoothness, dimension, margin):
    """It has a smoothness and margin of its own, whatever those of the study."""
    own = {"smoothness": smoothness, "dimension": dimension, "margin": margin}
    study = replace(preset("regional").study, **own)
    world_ = min(worlds_for(study).values(), key=lambda cusp: abs(cusp.smoothness - smoothness))
    own = replace(study, target=replace(study.target, epsilon=math.inf))  # in house
    found = exact_classifier_risks(own, world_, best_site="Regional").values
    shown = [m.value for m in unfold(opened(study), verdict.MORE).markdown]
    text = next(one for one in shown if "made-up world" in one)
    exact = [words.number(10_000 * found[kind]) for kind in ("study", "alone", "unprotected")]
    assert re.findall(r"[\d.,]*\d", text)[1:] == exact
