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


def opened(study) -> AppTest:
    """The page of a study."""
    return open_page("study", study=codec.to_link(study))


def metric(app: AppTest, label: str) -> str:
    return next(m.value for m in app.metric if m.label == label)


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
    shown = {m.label: (m.value, m.delta) for m in app.metric}
    kept = f"{words.percent(cost.equation.kept)} of no privacy"
    worth = words.number(cost.equation.answer.effective_n)
    assert shown["Effective records, rate equation"] == (worth, kept)
    sizes = [one.answer.effective_n for one in cost.mechanism]
    kept = f"{words.between(*cost.kept_range, words.percent)} of no privacy"
    worth = words.between(min(sizes), max(sizes))
    assert shown["Effective records, named mechanism"] == (worth, kept)
    ratio = words.span(*(words.number(x) for x in cost.ratio_range))
    ratio = f"× {words.number(cost.equation.rate_ratio)} | × {ratio}"
    assert shown["Error against no privacy"][0] == ratio
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
        worth = words.number(rates.solve(study).effective_n)
        assert metric(app, "Effective records, rate equation") == worth
        assert linked(app) == study


@pytest.mark.parametrize("made", ["0.0.9", "<b>*0*"])
def test_a_link_of_another_version_says_so_until_something_changes(made):
    study = codec.to_link(preset("hospitals").study)
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
    assert metric(app, "Effective records, named mechanism") == "needs every δ"
    worth = words.number(rates.solve(study).effective_n)
    assert metric(app, "Effective records, rate equation") == worth
    app.button(key="verdict_delta").click().run()
    assert linked(app) == study
    assert driver.linked(app)[1].assumed == ("delta",)
    ratio = words.span(*(words.number(x) for x in privacy_cost(study)[0].ratio_range))
    assert metric(app, "Error against no privacy").endswith(ratio)


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
    (bar,) = (e.proto for e in app.get("bidi_component") if e.proto.component_name == "bar")
    assert json.loads(bar.json)["study"][0]["text"] == "no sites yet"
    type_in(app, state.draft_of(preset("figure1").study))
    assert "Run it?" in everything(app)
    scope = driver.linked(app)[1]
    assert scope is None or scope.prevalence is None


def chips(app: AppTest) -> dict[str, str]:
    """The assumptions' words by their keys."""
    out = {}
    for one in app.get("popover"):
        key = one.proto.id.split("-", 2)[-1]
        if key.startswith("chip_"):
            out[key.removeprefix("chip_")] = one.proto.popover.label
    return out


def test_what_was_not_told_is_marked_and_a_click_asks():
    app = opened(preset("figure1").study)
    assert chips(app)["records"].endswith("?")
    asked(app, "records").select("one").run()
    assert driver.linked(app)[1].answer("records") == "one"
    assert asked(app, "records").value == "one"
    told_ = chips(opened(preset("regional").study))
    assert {name for name, text in told_.items() if text.endswith("?")} == {"use", "gain", "needed"}


def test_an_assumption_is_changed_where_it_stands():
    app = opened(preset("regional").study)
    for name, key, value in (
        ("smoothness", "transfer_smoothness", "0.9"),
        ("signal_exponent", "if_signal_exponent", "1.5"),
        ("gain", "if_gain", "1.05"),
    ):
        asked_chip(app, name)
        next(t for t in app.text_input if t.key == f"box_{key}").set_value(value).run()
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
    app, label = opened(preset("regional").study), "Multiply every ε by, exact value"
    asked_chip(app, "epsilon")
    box(app, label).set_value("2").run()
    before = preset("regional").study.servers
    assert [s.epsilon for s in linked(app).servers] == [2 * s.epsilon for s in before]
    assert box(app, label).value == "1"


def cells(app: AppTest, changes: str) -> AppTest:
    """Change cells of the table of sites, as a browser says it."""
    table = next(one for one in app.run().dataframe if one.proto.editing_mode)
    return driver.send(app, WidgetState(id=table.proto.id, string_value=changes))


def test_cells_are_read_as_people_write_and_said_to_be():
    app = opened(preset("hospitals").study)
    first, second = '{"n": "200k", "epsilon": "none"}', '{"n": "ca. 350"}'
    third = '{"n": "25,000", "unprotected": true}'  # which wins over the budget in its cell
    rows = f'{{"1": {first}, "2": {second}, "3": {third}}}'
    servers = linked(cells(app, f'{{"edited_rows": {rows}}}')).servers
    assert [s.n for s in servers[1:]] == [200_000, 350, 25_000]
    assert [math.isinf(s.epsilon) for s in servers[1:]] == [True, False, True]
    assert "25,000 (25,000)" not in everything(app)
    assert app.session_state["draft"].rows[1]["unprotected"] is True
    for read in ("200,000 (200k)", "unprotected (none)", "350 (ca. 350)"):
        assert words.md(read) in everything(app)


def test_a_change_that_the_table_cannot_have_changes_nothing():
    app = opened(preset("hospitals").study).run()
    before = everything(app)
    for changes in (
        *('"edited_rows": {"99": {"name": "x"}}', '"edited_rows": {"0": 5}'),
        *('"edited_rows": {"0": {"none": "x"}}', '"added_rows": [{"none": 1}]'),
        '"deleted_rows": [77]',
    ):
        assert everything(cells(app, f"{{{changes}}}")) == before


def test_promises_that_are_next_to_nothing_are_said_beside_the_rows():
    study = preset("hospitals").study
    loose = replace(study.target, n=400, epsilon=50, delta=0.2)
    app = opened(study.with_servers([loose, *study.sources]))
    assert "ε = 50 at Hungary" in told(app)
    assert "δ at Hungary" in told(app)


@pytest.mark.parametrize(
    ("smoothness", "dimension", "margin"),
    [(0.75, 2, 1.0), (0.7, 1, 1.4)],
)
def test_the_made_up_world_shows_the_exact_errors_in_ten_thousand(smoothness, dimension, margin):
    """It has a smoothness and margin of its own, whatever those of the study."""
    study = preset("regional").study
    study = replace(study, smoothness=smoothness, dimension=dimension, margin=margin)
    world_ = min(worlds_for(study).values(), key=lambda cusp: abs(cusp.smoothness - smoothness))
    own = replace(study, target=replace(study.target, epsilon=math.inf))  # in house
    found = exact_classifier_risks(own, world_, best_site="Regional").values
    shown = [m.value for m in unfold(opened(study), verdict.MORE).markdown]
    text = next(one for one in shown if "made-up world" in one)
    exact = [words.number(10_000 * found[kind]) for kind in ("study", "alone", "unprotected")]
    assert re.findall(r"[\d.,]*\d", text)[1:] == exact
