"""The study page without a browser: displayed numbers against the engine, and refusals."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

import rates
from pages.charts import words
from pages.current import draft
from pages.study import sites, verdict
from rates import decision
from rates.answer.cost import privacy_cost
from rates.fit import Curator
from rates.study import codec
from rates.study.presets import PRESETS, preset
from sims.fit import exact_classifier_risks, worlds_for
from tests.depth import deep_after
from tests.pages.driver import everything, open_page, send


def opened(study) -> AppTest:
    """The page of a study."""
    return open_page("study", study=codec.to_link(study))


def field(app: AppTest, label: str):
    return next(t for t in app.text_input if t.label == label)


def metric(app: AppTest, label: str) -> str:
    return next(m.value for m in app.metric if m.label == label)


def linked(app: AppTest):
    """The study in the address."""
    return codec.from_link(link(app))


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


def test_the_table_shows_the_study_of_a_later_link():
    later = preset("unequal").study
    app = open_page("about", study=codec.to_link(preset("hospitals").study))
    app.query_params["study"] = codec.to_link(later)
    app.run()
    shown = app.session_state["draft"].rows
    assert [row["name"] for row in shown] == [server.name for server in later.servers]


@pytest.mark.parametrize(
    ("name", "title", "value"),
    [("smoothness", "Smoothness β", 0.37), ("dimension", "Dimension d", 5)],
)
def test_a_parameter_that_is_typed_or_moved_changes_the_answer(name, title, value):
    app = opened(preset("hospitals").study)
    if name == "dimension":
        next(s for s in app.select_slider if s.label == title).set_value(float(value)).run()
    else:
        field(app, f"{title}, exact value").set_value(str(value)).run()
    study = replace(preset("hospitals").study, **{name: value})
    assert f"r = {words.number(rates.solve(study).r, 4)}" in everything(app)
    assert field(app, f"{title}, exact value").value == str(value)
    assert linked(app) == study


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("2", "Smoothness beta must satisfy 0 < beta <= 1."),
        ("nan", "smoothness must be a plain number"),
        ("1e400", "floating point"),
        ("__import__('os')", "smoothness must be a plain number"),
        ("", "smoothness must be a plain number"),
    ],
)
def test_a_bad_parameter_is_refused_beside_its_box(text, rule):
    app = opened(preset("hospitals").study)
    next(t for t in app.text_input if t.label == "Smoothness β, exact value").set_value(text).run()
    assert rule in app.error[0].value
    assert f"r = {words.number(rates.solve(preset('hospitals').study).r, 4)}" in everything(app)
    assert not app.exception


def test_a_margin_that_contradicts_the_dimension_is_refused():
    app = opened(preset("hospitals").study)
    field(app, "Margin α, exact value").set_value("5").run()
    assert r"alpha\*beta must be at most d" in app.warning[0].value


@pytest.mark.parametrize(
    ("link", "words_"),
    [
        (codec.to_link(preset("unequal").study)[:-9], "cut or changed"),
        ("{", "must be JSON"),
        ("~9abc", "version must be 1"),
        ('{"version":1,"kind":"transfer"}', "is required"),
        ("~1" + "a" * 9000, "8,000 characters"),
    ],
)
def test_a_broken_link_is_refused_and_the_rest_works(link, words_):
    app = open_page("study", study=link)
    assert "could not be opened" in app.error[0].value
    assert words_ in app.error[0].value
    worth = rates.solve(PRESETS[0].study).effective_n
    assert metric(app, "Effective records, rate equation") == words.number(worth)


@pytest.mark.parametrize("made", ["0.0.9", "<b>*0*"])
def test_a_link_of_another_version_says_so_until_something_changes(made):
    app = open_page("study", study=codec.to_link(preset("hospitals").study), made=made)
    (said,) = (c.value for c in app.caption if "was made by version" in c.value)
    assert words.md(made) in said
    assert words.md(rates.__version__) in said
    assert "which this page does not use" not in everything(app)
    next(s for s in app.select_slider if s.label == "Dimension d").set_value(5.0).run()
    assert "made" not in app.query_params
    assert "was made by version" not in everything(app.run())
    same = open_page(
        "study", study=codec.to_link(preset("hospitals").study), made=rates.__version__
    )
    assert "was made by version" not in everything(same)


def test_a_missing_delta_keeps_the_rate_equation_and_names_the_site():
    study = preset("hospitals").study
    study = study.with_servers([replace(s, delta=None) for s in study.servers])
    app = opened(study)
    assert metric(app, "Effective records, named mechanism") == "needs every δ"
    assert "Hungary" in everything(app)
    worth = words.number(rates.solve(study).effective_n)
    assert metric(app, "Effective records, rate equation") == worth


def test_switching_the_kind_keeps_the_sites():
    app = opened(preset("hospitals").study)
    app.selectbox(key="asked_outcome").select("continuous").run()
    study = linked(app)
    assert isinstance(study, rates.FederatedStudy)
    assert [s.n for s in study.servers] == [142, 303, 141, 116]
    answer = rates.solve(study).integrated
    assert f"D = {words.number(answer.D, 4)}" in everything(app)
    app.selectbox(key="asked_outcome").select("binary").run()
    assert linked(app) == preset("hospitals").study


def test_the_risk_at_one_point_has_its_own_answer():
    study = preset("unequal").study
    app = opened(study)
    app.button_group(key="risk").set_value("pointwise").run()
    answer = rates.solve(study).pointwise
    assert f"D = {words.number(answer.D, 4)}" in everything(app)


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
    app.button(key="open_empty").click().run()
    assert "Fill in the first row" in app.info[0].value
    assert not app.metric
    assert not app.warning
    app.session_state["draft"] = draft.from_study(preset("figure1").study)
    app.session_state["version"] += 1
    app.run()
    assert "Run it?" in everything(app)
    scope = codec.open_link(link(app))[1]
    assert scope is None or scope.prevalence is None


def link(app: AppTest) -> str:
    value = app.query_params["study"]
    return value if isinstance(value, str) else value[0]


@pytest.mark.parametrize("entry", deep_after(2, PRESETS), ids=lambda p: p.key)
def test_the_decision_comes_first_with_the_engine_s_digits(entry):
    app = opened(entry.study)
    offered = re.compile(r" \[Sites on offer\]\(plan\?(.*)\)$")
    shown = [m.value for m in app.markdown if "?**" in m.value]
    (query,) = (found[1] for text in shown if (found := offered.search(text)))
    assert dict(parse_qsl(query)) == {"study": link(app), "offers": "open"}
    shown = [offered.sub("", text) for text in shown]
    found = decision.decide(entry.study)
    assert shown == [verdict.marked(x) for x in decision.sentences(found)]
    shown += [m.value for m in app.markdown if m.value.startswith("In a made-up world")]
    above = " ".join([app.title[0].value, *shown])
    assert len(re.findall(r"[^\W_][\w.,'-]*", above)) <= 140


def asked_chip(app: AppTest, name: str) -> AppTest:
    """Open one of the assumptions."""
    app.session_state[f"chip_{name}"] = True
    return app.run()


def chips(app: AppTest) -> dict[str, str]:
    """The assumptions' words by their keys."""
    out = {}
    for box in app.get("popover"):
        key = box.proto.id.split("-", 2)[-1]
        if key.startswith("chip_"):
            out[key.removeprefix("chip_")] = box.proto.popover.label
    return out


def test_what_was_not_told_is_marked_and_a_click_asks():
    app = opened(preset("figure1").study)
    assert chips(app)["records"] == "one record per person ?"
    asked_chip(app, "records").selectbox(key="if_records").select("one").run()
    assert codec.open_link(link(app))[1].answer("records") == "one"
    assert "records" not in chips(app)
    assert app.selectbox(key="asked_records").value == "one"
    told = chips(opened(preset("regional").study))
    assert [text for text in told.values() if text.endswith("?")] == [
        "used by the target itself ?",
        "pays from 1.25 × own ?",
    ]


def test_an_assumption_is_changed_where_it_stands():
    app = opened(preset("regional").study)
    for name, key, value in (
        ("smoothness", "transfer_smoothness", "0.9"),
        ("signal_exponent", "signal_exponent", "1.5"),
        ("gain", "gain", "1.05"),
    ):
        asked_chip(app, name)
        next(t for t in app.text_input if t.key == f"box_if_{key}").set_value(value).run()
    study, scope = codec.open_link(link(app))
    assert (study.smoothness, scope.gain) == (0.9, 1.05)
    assert [s.signal_exponent for s in study.servers] == [1, 1.5, 1.5, 1.5, 1.5]
    found = decision.decide(study, gain=1.05)
    assert verdict.marked(decision.sentences(found)[0]) in everything(app)


def test_uses_and_needs_are_asked_and_refused_in_words():
    app = opened(preset("unequal").study)
    assert app.selectbox(key="asked_use").value == "each"
    app.selectbox(key="asked_use").select("others").run()
    for typed, needed in (
        ("400", 400),
        *((x, 400) for x in ("0", "-3", "1e16", "many")),
        ("", None),
    ):
        app.text_input(key="asked_needed").set_value(typed).run()
        assert bool(app.error) == (typed not in ("400", ""))
        scope = codec.open_link(link(app))[1]
        assert (scope.use, scope.needed) == ("others", needed)
        found = decision.decide(linked(app), use="others", needed=needed)
        assert verdict.marked(decision.sentences(found)[0]) in everything(app)


def test_a_use_that_the_study_has_not_is_said_while_it_stands():
    study, scope = preset("regional").study, replace(preset("regional").scope, use="each")
    app = open_page("study", study=codec.to_link(study, scope))
    assert any("signal exponent" in w.value for w in app.warning)
    assert verdict.marked(decision.sentences(decision.decide(study))[0]) in everything(app)
    app.selectbox(key="asked_use").select("others").run()
    assert not app.warning


def test_the_number_of_covariates_sets_d_and_follows_it():
    app = opened(preset("hospitals").study)
    assert app.selectbox(key="asked_covariates").value == "2"
    for answer, d, assumed in (("many", 11, ("dimension",)), ("6", 6, ()), ("1", 1, ())):
        app.selectbox(key="asked_covariates").select(answer).run()
        study, scope = codec.open_link(link(app))
        assert (study.dimension, scope.assumed) == (d, assumed)
    next(s for s in app.select_slider if s.label == "Dimension d").set_value(4.0).run()
    assert app.selectbox(key="asked_covariates").value == "4"
    assert codec.open_link(link(app))[1].answer("covariates") == "few"


def test_all_sites_alike_need_no_target_and_are_covered():
    app = opened(preset("regional").study)
    app.selectbox(key="asked_target").select("shared").run()
    assert {s.signal_exponent for s in linked(app).servers} == {1}
    assert "within the classification theory" in everything(app)
    app.session_state["draft"] = replace(
        app.session_state["draft"],
        rows=tuple({**row, "target": False} for row in app.session_state["draft"].rows),
    )
    app.session_state["version"] += 1
    app.run()
    assert not app.warning
    assert linked(app).target.name == "Regional"


def test_budgets_that_differ_are_scaled_by_a_factor():
    app, label = opened(preset("regional").study), "Multiply every ε by, exact value"
    field(app, label).set_value("2").run()
    before = preset("regional").study.servers
    assert [s.epsilon for s in linked(app).servers] == [2 * s.epsilon for s in before]
    assert field(app, label).value == "1"


def test_cells_are_read_as_people_write_and_said_to_be():
    app = opened(preset("hospitals").study).run()
    table = next(one for one in app.dataframe if one.proto.editing_mode)
    cells = '{"edited_rows": {"1": {"n": "200k", "epsilon": "none"}, "2": {"n": "ca. 350"}}}'
    send(app, WidgetState(id=table.proto.id, string_value=cells))
    servers = linked(app).servers
    assert [s.n for s in servers[1:3]] == [200_000, 350]
    assert math.isinf(servers[1].epsilon)
    assert app.session_state["draft"].rows[1]["unprotected"] is True
    said = everything(app)
    for read in ("200,000 (200k)", "unprotected (none)", "350 (ca. 350)"):
        assert words.md(f"is read as {read}.") in said


@pytest.mark.parametrize(
    "changes",
    [
        '{"edited_rows": {"99": {"name": "x"}}}',
        '{"edited_rows": {"0": {"no such column": "x"}}}',
        '{"edited_rows": {"0": 5}}',
        '{"added_rows": [{"no such column": 1}]}',
        '{"deleted_rows": [77]}',
    ],
)
def test_a_change_that_the_table_cannot_have_changes_nothing(changes: str) -> None:
    app = opened(preset("hospitals").study).run()
    before = everything(app)
    table = next(one for one in app.dataframe if one.proto.editing_mode)
    send(app, WidgetState(id=table.proto.id, string_value=changes))
    assert everything(app) == before


def test_a_table_that_cannot_be_drawn_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sites, "_table", lambda *_, **__: 1 / 0)
    with pytest.raises(AssertionError):  # of a page that shows no exception
        opened(preset("hospitals").study)


def test_promises_that_are_next_to_nothing_are_said_beside_the_rows():
    study = preset("hospitals").study
    loose = replace(study.target, n=400, epsilon=50, delta=0.2)
    app = opened(study.with_servers([loose, *study.sources]))
    told = " ".join(w.value for w in app.warning)
    assert "ε = 50 at Hungary promises next to nothing" in told
    assert "δ at Hungary is above 1/n" in told


def test_a_missing_delta_is_offered_and_then_used():
    study = preset("hospitals").study
    app = opened(study.with_servers([replace(s, delta=None) for s in study.servers]))
    app.button(key="verdict_delta").click().run()
    assert linked(app) == study
    assert codec.open_link(link(app))[1].assumed == ("delta",)
    ratio = words.span(*(words.number(x) for x in privacy_cost(study)[0].ratio_range))
    assert metric(app, "Error against no privacy").endswith(ratio)


def test_the_made_up_world_shows_the_exact_errors_in_ten_thousand():
    study = preset("regional").study
    world_ = worlds_for(study)["cusp 0.75"]
    who = Curator(epsilon=1, delta=1e-6)
    own = replace(study, target=replace(study.target, epsilon=math.inf))  # in house
    found = exact_classifier_risks(own, world_, who, best_site="Regional").values
    text = next(m.value for m in opened(study).markdown if "made-up world" in m.value)
    told = [words.number(10_000 * found[kind]) for kind in ("study", "alone", "unprotected")]
    assert text == (
        f"In a made-up world, avoidable errors in 10,000 **{told[0]}**; own records alone "
        f"{told[1]}; without privacy {told[2]}."
    )
