"""The adaptation page without a browser: every tab against the engine, and refusals."""

from __future__ import annotations

import math
import re
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pages.adaptation import budget as adaptation_budget
from pages.adaptation import closeness as adaptation_closeness
from pages.adaptation import figures
from pages.adaptation import mixture as adaptation_mixture
from pages.adaptation import rate as adaptation_rate
from pages.adaptation import table as adaptation_table
from pages.adaptation import weights as adaptation_weights
from pages.charts import Figure, words
from pages.core.live import panel, pictures
from pages.core.live.plans import from_text
from rates.adaptation.budget import deployed_budget, person_budget, true_budget
from rates.numbers import budgets
from rates.numbers.parameters import DomainError
from sims.adaptation.compare import ratio_at
from sims.adaptation.curves import CLOSENESS, MIXTURE_CURVE, RATE, readable
from sims.adaptation.picture import share_below, weights_look
from sims.engine import live
from sims.engine.experiment import Estimate, Experiment, Point, Request
from sims.engine.runs import Progress, run
from tests.depth import deep_after
from tests.pages.driver import everything, open_page, press

ROOT = Path(__file__).resolve().parents[3]
RATE_RUN = "replicates:2;private:50,400;epsilon:1;public:200;steps:50"
MIXTURE_RUN = "replicates:2;private:100;alpha:0,0.5,1;public:200"
CLOSENESS_RUN = "replicates:4;concept:0,2;public:200;private:2000;budget:5"
TABLE_RUN = "replicates:2;epsilon:5;steps:20"
TABS = {
    part.TAB.name: part.TAB
    for part in (
        adaptation_rate,
        adaptation_mixture,
        adaptation_closeness,
        adaptation_weights,
        adaptation_budget,
        adaptation_table,
    )
}


def answer(app: AppTest) -> str:
    return str(app.markdown[0].value)


def test_a_run_of_the_rate_tab_says_what_the_engine_says():
    app = open_page("adaptation", tab="rate", run=RATE_RUN)
    assert "**Run** draws source and target" in answer(app)
    press(app, "Run")
    values = from_text(RATE_RUN, adaptation_rate.TAB.usual).values
    *_, last = run(Request(experiment=RATE, values=values, replicates=2))
    assert answer(app) == adaptation_rate.answer(last)
    ratio = ratio_at(last, ("ε = 1", 50.0), ("no privacy", 50.0))
    assert ratio is not None
    assert f"**{words.around(ratio)}** times that without privacy at n = 50" in answer(app)
    assert "(95 %: " in answer(app)
    assert "±" not in answer(app)
    assert "finished in" in everything(app)
    assert "replacing one of its records" in everything(app)


def test_a_promise_that_the_printed_noise_breaks_is_named():
    app = open_page("adaptation", tab="rate", run=RATE_RUN.replace("epsilon:1", "epsilon:1,40"))
    real = deployed_budget(40, 0.01)
    assert not real.valid
    (warning,) = app.warning
    assert f"ε = 40 is really {words.number(real.epsilon)}" in warning.value
    assert "ε = 1 is" not in warning.value


def test_labels_plus_minus_one_switch_the_algorithm():
    app = open_page("adaptation", tab="rate", run=RATE_RUN + ";method:profiled")
    switch = next(b for b in app.button_group if b.label == "Labels")
    switch.set_value("logistic").run()
    assert not app.exception
    assert "method" not in str(app.query_params["run"])
    assert "loss:logistic" in str(app.query_params["run"])


def test_the_mixture_tab_names_the_best_share():
    app = open_page("adaptation", tab="mixture", run=MIXTURE_RUN)
    assert "**Run** fits mixtures" in answer(app)
    press(app, "Run")
    assert "Smallest error at n = 100, no privacy: α = **" in answer(app)


def finished(experiment: Experiment, replicates: int, **values: object) -> Progress:
    *_, last = run(Request(experiment=experiment, values=values, replicates=replicates))
    return last


@pytest.mark.parametrize(
    ("asked", "told", "untold"),
    [
        pytest.param(
            {},
            ["With privacy the best share moves towards the source at n = 100, 1,000."],
            [],
            id="usual",
        ),
        pytest.param(
            {"budget": 10},
            ["is not told apart from where it was at n = 1,000", "ε = 10 moves away from"],
            ["towards the source at n = 1,000"],
            id="away, but not beyond the intervals",
        ),
        pytest.param(
            {"budget": 10, "concept": 2, "private": [1000]},
            ["With privacy the best share stays where it was at n = 1,000."],
            ["moves", "From n"],
            id="far source",
        ),
        pytest.param(
            {"concept": 0, "covariate": 0},
            ["stays where it was at n = 100", "at ε = 1 stays where it was."],
            ["moves"],
            id="no shift",
        ),
        pytest.param(
            {"budget": math.inf}, ["the best share without privacy"], ["With privacy"], id="plain"
        ),
    ],
)
def test_moves_of_the_best_share_are_those_of_the_numbers(asked, told, untold):
    said = adaptation_mixture.answer(finished(MIXTURE_CURVE, 10, **asked))
    assert all(text in said for text in told), said
    assert not any(text in said for text in untold), said


def test_the_source_beats_only_where_intervals_separate():
    source = Estimate(1.0, 0.1, 6)
    near, far, low = Estimate(1.2, 0.1, 6), Estimate(3.0, 0.1, 6), Estimate(0.1, 0.1, 6)
    against = adaptation_rate.against
    assert against(source, {1.0: far}) == "and beats every private fit here"
    assert against(source, {1.0: far, 3.0: near}).startswith("and is not told apart from the")
    assert against(source, {3.0: near, 10.0: low}) == "and is beaten by the private fit at ε = 10"


def test_the_best_fit_on_a_table_names_those_it_is_not_told_apart_from():
    points = [Point(series=s, x=5.0) for s in ("descent", "printed", "profiled", "source")]
    means = [Estimate(m, 0.01, 9) for m in (1.0, 1.01, 2.0, 1.5)]
    seen = list(zip(points, means, strict=True))
    said = adaptation_table.answer(SimpleNamespace(seen=lambda: seen))
    assert "smallest mean error is descent on the target, with" in said
    assert ", not told apart from printed algorithm. The source" in said


def test_the_closeness_tab_names_what_is_readable():
    app = open_page("adaptation", tab="closeness", run=CLOSENESS_RUN)
    assert "The noise of the discrepancy has scale **9e-4**" in answer(app)
    press(app, "Run")
    values = from_text(CLOSENESS_RUN, adaptation_closeness.TAB.usual).values
    *_, last = run(Request(experiment=CLOSENESS, values=values, replicates=4))
    rows = readable(last.request.points, last.estimates)
    assert rows[-1].smallest == 2
    assert "one number, tells a shift from s = **2** on" in answer(app)


def test_the_weights_tab_shows_the_draw():
    app = open_page("adaptation", tab="weights", run="public:200;steps:40;seed:3")
    values = from_text("public:200;steps:40", adaptation_weights.TAB.usual).values
    found = weights_look(values, 3)
    assert f"**{words.percent(share_below(found.public, 0.5))}** of the public" in answer(app)
    assert f"**{words.percent(found.moved)}**" in answer(app)
    assert f"**{words.number(found.hears)}**" in answer(app)
    for part in ("replacing one private record", "Nothing on this tab is private as a whole"):
        assert part in everything(app)
    assert "noise meant for (ε/2, δ)" in everything(app).replace("\\", "")


def test_the_budget_tab_shows_true_budgets(monkeypatch):
    monkeypatch.setattr(adaptation_budget, "_counted", lambda asked: (19.4, asked.values["budget"]))
    app = open_page("adaptation", tab="budget", run="budget:15;copies:4")
    alone, whole = true_budget(15, 0.01), deployed_budget(15, 0.01)
    assert f"**{words.number(alone.epsilon, 4)}** by Algorithm 1 alone" in answer(app)
    assert "**breaks** its promise (good up to 8.92)" in answer(app)
    assert f"**{words.number(whole.epsilon, 4)}** for the whole procedure" in answer(app)
    assert f"**{words.number(person_budget(15, 0.01, 4))}** by Algorithm 1" in answer(app)
    table = app.dataframe[0].value
    assert list(table["By dp-accounting"]) == ["not asked for"] * 2
    assert list(table["True ε"]) == [words.number(x.epsilon, 4) for x in (alone, whole)]
    app.toggle[0].set_value(True).run()
    counted = app.dataframe[0].value["By dp-accounting"]
    assert list(counted) == ["19.4", "15"]
    asked = adaptation_budget.TAB.usual.with_values(budget=5.0)
    said = adaptation_budget.answer(adaptation_budget.TAB.make(asked))
    assert "keeps its promise" in said
    assert "A person behind" not in said


@pytest.mark.parametrize(
    ("tab", "asked", "told"),
    [
        ("mixture", "alpha:2", "lie in [0, 1]"),
        ("budget", "copies:0", "Copies must be"),
        ("weights", "public:1", "from 20 to 5000"),
        ("table", "data:iris", "diabetes"),
        ("rate", "private:0", "from 10 to 1e5"),
    ],
)
def test_what_a_tab_cannot_take_is_refused_in_words(tab: str, asked: str, told: str):
    with pytest.raises(DomainError, match=re.escape(told)):
        from_text(asked, TABS[tab].usual)


@pytest.mark.parametrize(
    ("tab", "asked", "told"),
    deep_after(
        1,
        [
            ("budget", "budget:inf", "budget must lie strictly between 0 and 100"),
            ("rate", "alpha:0", "strictly between 0 and 1"),
            ("nowhere", "", "tab must be one of"),
        ],
    ),
)
@pytest.mark.usefixtures("by_step")
def test_bad_links_are_refused_in_words(tab: str, asked: str, told: str):
    app = open_page("adaptation", tab=tab, run=asked)
    assert any("could not be opened" in e.value and told in e.value for e in app.error)


@pytest.mark.usefixtures("by_step")
def test_a_run_that_waits_for_its_place_leaves_the_processor_to_others(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr(live, "SLOTS", live.Slots(0))
    clock = SimpleNamespace(**{**vars(time), "sleep": slept.append})
    monkeypatch.setattr(panel, "time", clock)
    app = press(open_page("adaptation", run=RATE_RUN), "Run")
    assert sum(slept) == pytest.approx(budgets.ASKS_EVERY)
    (bar,) = app.run().get("progress")
    assert bar.proto.text == "Waiting for a place: 1 before you."


def test_a_page_that_another_visitor_loads_does_not_break_this_one(monkeypatch):
    class Loading:
        """A module that loads another one when it is looked at."""

        def __getattr__(self, name):
            monkeypatch.setitem(sys.modules, f"pages.{name.lower()}", ModuleType("one"))
            raise AttributeError(name)

    monkeypatch.setitem(sys.modules, "pages.a_page", Loading())
    elsewhere = replace(adaptation_rate.TAB, title="Not in any module")
    assert [*pictures.told([], elsewhere, elsewhere.usual)] == []


def test_the_table_tab_runs():
    pytest.importorskip("sklearn")
    app = open_page("adaptation", tab="table", run=TABLE_RUN)
    assert "Shortened to norm 1" in everything(app).replace("\\", "")
    press(app, "Run")
    assert "At ε = 5 the private fit with the smallest mean error is" in answer(app)
    assert "(95 %: " in answer(app)
    fits = list(app.dataframe[0].value["Fit"])
    assert "kernel mean matching" in fits
    assert "printed algorithm, ε = 5" in fits


def test_more_records_than_people_are_named():
    pytest.importorskip("sklearn")
    app = open_page("adaptation", tab="table", run=TABLE_RUN + ";private:1000")
    (warning,) = [w.value.replace("\\", "") for w in app.warning if "drawn from" in w.value]
    assert "1,000 records are drawn from" in warning


def test_without_scikit_learn_the_page_says_so(monkeypatch):
    monkeypatch.setattr(adaptation_table.adaptation, "have_tables", lambda: False)
    app = open_page("adaptation", tab="table", run=TABLE_RUN)
    assert "scikit-learn**, which is not installed here" in answer(app)


def test_an_uploaded_table_is_used_and_a_bad_one_refused():
    rows = [f"{d},{y / 10},{y},{y * y % 7}" for d in ("public", "private") for y in range(-9, 10)]
    good = ("domain,label,age,dose\n" + "\n".join(rows)).encode()
    app = open_page("adaptation", tab="table", run=TABLE_RUN)
    uploader = app.get("file_uploader")
    assert uploader
    app.session_state["adaptation_own_problem"] = ""
    adaptation_state = app.session_state
    from sims.adaptation.data import read_table

    adaptation_state["adaptation_own"] = read_table(good)
    adaptation_state["adaptation_own_count"] = 1
    app.run()
    assert not app.exception
    assert "your table" in everything(app)
    press(app, "Run")
    assert "At ε = 5 the private fit" in answer(app)
    assert any("read_table(Path" in code.value for code in app.code)
    press(app, "Back to the tables of the page")
    assert "your table" not in everything(app)


def test_what_is_refused_of_an_upload_is_kept(monkeypatch):
    memory: dict[str, object] = {}
    monkeypatch.setattr(adaptation_table.st, "session_state", memory)
    adaptation_table.OWN.take(b"domain,label,age\npublic,1,2\n")
    assert "private domain must have" in str(memory["adaptation_own_problem"])
    assert adaptation_table.OWN.now() is None


# Figures -------------------------------------------------------------------------------------


def drawn(estimates: list[Estimate], series: tuple[str, str], **how: object) -> Figure:
    """The figure of four points of two series."""
    points = [Point(series=s, x=x) for s in series for x in (0.1, 1.0)]
    progress = SimpleNamespace(request=SimpleNamespace(points=points), estimates=estimates)
    return figures.errors(progress, "file", "t", "n", "Error", **how)


NOTHING = [Estimate(math.nan, math.nan, 0)] * 4


def test_series_without_privacy_look_different():
    found, names = [Estimate(0.1 * (k + 1), 0.01, 5) for k in range(4)], ("ε = 1", "no privacy")
    full = drawn(found, names, plain=("no privacy",))
    private, plain = full.figure.marks
    assert private.stroke.colour != plain.stroke.colour
    assert private.stroke.dash != plain.stroke.dash
    assert plain.dots.symbol.endswith("-open")
    assert list(private.y) == [0.1, 0.2]
    assert list(private.spread.up) == pytest.approx(
        [0.02776445] * 2
    )  # Student, four degrees of freedom
    assert "Error against n. ε = 1: from 0.1 at 0.1 to 0.2 at 1" in full.alt
    assert "No simulated points yet" in drawn(NOTHING, names).alt
    (alone,) = drawn(found, names, names={"no privacy": "plain"}).figure.marks
    assert (alone.name, list(alone.y)) == ("plain", pytest.approx([0.3, 0.4]))


@pytest.mark.parametrize(("log_x", "log_y"), [(True, True), (False, True), (False, False)])
def test_an_empty_figure_has_fixed_axes_and_no_made_up_scale(log_x: bool, log_y: bool):
    empty = drawn(NOTHING, ("a", "b"), log_x=log_x, log_y=log_y).figure
    assert empty.y.labels is False
    assert empty.y.span is not None
    if not log_x:
        assert list(empty.x.span) == pytest.approx([0.055, 1.045])
    full = drawn([Estimate(0.1, 0.01, 5)] * 4, ("a", "b"), log_x=log_x, log_y=log_y).figure
    assert full.y.labels is None
    assert (full.y.span is None) == (not log_y)


def test_budgets_and_weights_are_drawn_as_given():
    figure = figures.budget_figure(
        (1.0, 10.0), {"a": (0.5, 12.0)}, limit=8.0, chosen=10.0, title="t"
    )
    assert list(figure.marks[1].y) == [0.5, 12.0]
    assert list(figure.marks[1].dots.size) == [1, 11]
    assert figure.rules[0].start == (8.0, 0)
    bars = figures.weights({"a": ((0.25, 0.75), (0.4, 0.6))}, caption="").figure
    assert list(bars.marks[0].y) == [0.4, 0.6]


def test_every_tab_links_statements_that_exist():
    from rates.statements.ledger import statement

    for tab in TABS.values():
        for name in tab.statements:
            assert statement(name).id == name


def test_each_curve_of_true_budgets_bears_its_own_name():
    made = adaptation_budget.TAB.make(adaptation_budget.TAB.usual)
    picture = next(part for part in adaptation_budget.drawn(made) if isinstance(part, Figure))
    curves = {mark.name: mark.y for mark in picture.figure.marks if len(mark.x) > 2}
    for name, true in (("Algorithm 1 alone", true_budget), ("whole procedure", deployed_budget)):
        drawn = next(y for found, y in curves.items() if found and name in found)
        assert drawn[-1] == pytest.approx(true(picture.rows[-1]["nominal epsilon"], 0.01).epsilon)
