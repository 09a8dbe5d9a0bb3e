"""The classification page without a browser: each tab, runs, links, bad input."""

from __future__ import annotations

import csv
import json
import math
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.charts import simulation
from pages.classification import attacker
from pages.classification import rate as classification_rate
from pages.core.live import plans as live_plan
from pages.current import state
from rates import FederatedStudy, Server, TransferStudy, calibrated
from rates.numbers.parameters import DomainError
from rates.study import codec, scope_of
from sims.classification.bends import kinks
from sims.classification.picture import sensitivity_inflation
from sims.classification.rate import RATE, rate_trial
from sims.classification.screen import KERNELS as SHAPES
from sims.engine import scaling
from sims.engine.experiment import Request
from sims.engine.runs import run, start
from sims.engine.scaling import fits
from sims.files import read_request, to_csv
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.driver import everything, open_page, press

ROOT = Path(__file__).resolve().parents[3]
USUAL = classification_rate.RATE_TAB.usual
SMALL = "n:10000,30000,100000;epsilon:inf,1;replicates:8"


def finished(app: AppTest) -> Request:
    """Run what a page asks for: it draws itself again until the run has ended."""
    press(app, "Run")
    assert all(b.label != "Stop" for b in app.button)
    return read_request(next(c.value for c in app.code if c.value.startswith("{")))


def rate_request(**values: object) -> Request:
    return Request(experiment=RATE, values=values, replicates=8)


def test_the_default_run_starts_by_itself_and_its_sentence_is_its_fit():
    app = open_page("classification")
    request = Request(experiment=RATE, replicates=200)
    *_, last = run(request)
    text = everything(app)
    assert "After **30 points** and **200 replicates**, **3 of 3** fitted slopes agree" in text
    for fit in fits(request.points, last.estimates):
        assert fit.slope is not None
        shown = f"{fit.slope.value:.3f} ± {fit.slope.stderr:.3f}".replace("-", "−")
        assert f"{fit.series} **{shown}** against **{fit.theory:.3f}**".replace("-", "−") in text
    table = app.dataframe[0].value
    assert list(table["Verdict"]) == ["agrees"] * 3
    assert list(table["Points"]) == ["10 used, 0 left out"] * 2 + ["8 used, 2 left out"]
    assert "406,000 (ε₂, the target)" in text


def test_a_run_is_that_of_the_command_and_the_link():
    app = open_page("classification", run=f"{SMALL}0;seed:5;servers:sources;gamma:0.5")
    request = finished(app)
    assert request.seed == 5
    assert request.values["gamma"] == (0.5,)
    assert request.values["servers"] == "sources"
    *_, last = run(request)
    for fit in fits(request.points, last.estimates):
        assert fit.slope is not None
        assert f"{fit.slope.value:.3f}".replace("-", "−") in everything(app)


@pytest.mark.usefixtures("by_step")
def test_a_stopped_run_keeps_what_it_has_and_says_so():
    app = open_page("classification", run="replicates:50000;n:10000,100000")
    press(app, "Run")
    app.run()
    press(app, "Stop")
    text = everything(app)
    assert "stopped after" in text
    done = re.search(r"([\d,]+)(?: to ([\d,]+))? of 50,000 replicates", text)
    assert done
    assert int(done[1].replace(",", "")) >= 4
    before = app.markdown[0].value
    app.run()
    assert app.markdown[0].value == before
    assert app.dataframe[0].value["Fitted slope"][0].count("±") == 1


def test_a_changed_parameter_stops_the_run_and_names_its_numbers_as_earlier(by_step, monkeypatch):
    app = open_page("classification", run="replicates:50000;n:10000,100000")
    press(app, "Run")
    box = next(t for t in app.text_input if t.label == "Replicates R, exact value")
    box.set_value("10").run()
    assert not app.exception
    text = everything(app)
    assert "Earlier parameters" in text
    assert "stopped after" in text
    assert "of 50,000 replicates" in text
    monkeypatch.undo()
    finished(app)
    assert "Earlier parameters" not in everything(app)
    assert "10 of 10 replicates" in everything(app)


def test_two_sessions_have_runs_of_their_own():
    first = open_page("classification", run=SMALL)
    second = open_page("classification", run=f"{SMALL};seed:3")
    finished(first)
    finished(second)
    assert "seed 0 finished" in everything(first)
    assert "seed 3 finished" in everything(second)


@pytest.mark.parametrize(
    ("text", "words_"),
    deep_after(
        3,
        [
            ("gamma:9", "gamma must lie in"),
            ("epsilon:0", "epsilon must be positive"),
            ("epsilon:x", "epsilon must be a number"),
            ("n:1e400", "n must be"),
            ("colour:red", "must be a number"),
            ("seed:-1", "The seed must be"),
            ("seed:99999999999999999999", "2^53"),
            ("replicates:1", "at least 2"),
            ("hello", "semicolons"),
            ("n:" + "1," * 3000, "2,000 characters"),
            ("<b>:1", "semicolons"),
        ],
    ),
)
@pytest.mark.usefixtures("by_step")
def test_a_broken_link_is_refused_in_words(text, words_):
    app = open_page("classification", run=text)
    assert words_ in app.error[0].value


@pytest.mark.parametrize(
    ("text", "words_"),
    deep_after(
        3,
        [
            ("sweep:m", "can only be swept where sources take part"),
            ("sweep:epsilon", "every budget must be finite"),
            ("servers:sources;sweep:m;n:10;m:100", "n must be at least m"),
            ("n:10000,10000", "a value is listed twice"),
            ("replicates:1000000;n:10000,100000", "must be at most 5,000,000"),
            ("replicates:100000;n:10000,100000", "must be at most 400,000 here"),
        ],
    ),
)
def test_parameters_that_do_not_fit_together_are_refused_in_words(text, words_):
    app = open_page("classification", run=text)
    if "400,000" in words_:
        press(app, "Run")
    assert words_ in " ".join(e.value for e in app.error)


def test_a_bad_list_is_refused_and_the_one_before_is_kept():
    app = open_page("classification", run=SMALL)
    box = next(t for t in app.text_input if t.label == "epsilon, exact list")
    box.set_value("1, -2").run()
    assert "epsilon must be positive" in app.warning[0].value
    box = next(t for t in app.text_input if t.label == "epsilon, exact list")
    box.set_value("2 1").run()
    assert not app.warning
    assert app.query_params["run"] in (
        ["n:10000,30000,100000;epsilon:2,1;replicates:8"],
        "n:10000,30000,100000;epsilon:2,1;replicates:8",
    )


@pytest.mark.parametrize("servers", deep_after(1, ["both", "sources"]))
@pytest.mark.parametrize("sweep", ["epsilon", "m"])
def test_every_sweep_starts_with_lists_that_fit(servers, sweep):
    app = open_page("classification", run=f"servers:{servers};replicates:2")
    app.button_group(key="live_classification_rate_sweep_choice").set_value(sweep).run()
    assert not app.exception
    assert not app.error
    assert "Exact, not simulated" in app.get("plotly_chart")[0].proto.spec


def test_the_bends_lie_where_both_terms_are_equal():
    values = rate_request(
        servers="both", sweep="epsilon", n=(1e5,), epsilon=(0.001, 0.1, 5), gamma=(0.5,), m=(10,)
    ).values
    found = {kink.server: kink.x for kink in kinks(values)}
    assert found.keys() == {"target", "sources"}
    for server, x in found.items():
        row = ("target", "sources").index(server)
        for factor, limit in ((0.99, "privacy"), (1.01, "sample")):
            settings = {"gamma": 0.5, "n": 1e5, "m": 10, "n0": 1e4, "epsilon": x * factor}
            study = rate_trial(values.changed(**settings)).study
            assert calibrated(study, mechanism="analytic", kappa=3.0).limited_by[row] == limit


def test_verdicts_name_what_cannot_be_told_apart():
    fit = scaling.Fit(
        series="a",
        slope=scaling.Fitted(value=-0.7, stderr=0.02, low=-0.74, high=-0.66, misfit=1.0),
        theory=-0.69,
        constant=None,
        used=5,
        left_out=(),
    )
    judged = classification_rate.judged
    assert judged(fit, {"privacy alone": -1.0}) == "agrees"
    assert judged(fit, {"sampling alone": -2 / 3, "privacy alone": -1.0}) == (
        "agrees, but cannot distinguish it from sampling alone"
    )
    assert judged(replace(fit, theory=-1.0), {}) == "differs"


def test_the_figure_has_points_with_intervals_over_lines():
    request = rate_request(n=(3e3, 1e5, 1e6), epsilon=(0.1,))
    *_, last = run(request)
    found = fits(request.points, last.estimates)
    titles = {"x_title": "n", "y_title": "y", "title": "t", "curve": "curve"}
    figure = simulation.rate_figure(
        request.points, last.estimates, found, bends={"ε = 0.1": [4e5]}, **titles
    )
    lifted, exact, dots, hollow = figure.marks[:4]
    constant = found[0].constant
    assert constant is not None
    assert list(lifted.y) == pytest.approx([constant.value * p.theory for p in request.points])
    assert list(exact.y) == [p.exact for p in request.points]
    assert list(dots.y) == [e.mean for e in last.estimates[1:]]
    assert dots.spread.up == [e.high - e.mean for e in last.estimates[1:]]
    assert hollow.dots.symbol.endswith("-open")
    assert list(hollow.x) == [3e3]
    assert figure.rules[0].start == (4e5, 0)
    empty = simulation.rate_figure(request.points, start(request).estimates, (), **titles)
    named = {trace.name: trace for trace in empty.marks}
    assert named["ε = 0.1"].x == [None]
    assert "C × curve" not in named


def test_the_file_holds_the_numbers_that_are_shown():
    app = open_page("classification", run=SMALL)
    *_, last = run(finished(app))
    lines = [line for line in to_csv(last).splitlines() if not line.startswith("#")]
    means = [float(row["mean"]) for row in csv.DictReader(lines)]
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    drawn = [y for t in spec["data"] if t.get("error_y") for y in t["y"]]
    assert drawn == means


def test_the_classifier_tab_warns_of_independent_noise():
    app = open_page("classification", tab="classifier")
    factor = sensitivity_inflation(SHAPES["triangular"], 0.5)
    assert f"**{factor:.3g} times** as far" in everything(app)
    assert not app.warning
    noise = app.button_group(key="live_classification_classifier_noise_choice")
    noise.set_value("independent").run()
    assert "**not** (ε, δ)-private" in app.warning[0].value
    assert "noise:independent" in str(app.query_params["run"])


@pytest.mark.parametrize(
    ("text", "words_"),
    deep_after(
        2,
        [
            ("epsilon:inf;noise:independent", "No protection: no noise is added."),
            ("n:10000000;m:100", "at most 10,000,000 source records"),
            ("bandwidth:0", "bandwidth must lie in"),
        ],
    ),
)
def test_limits_of_the_classifier_tab(text, words_):
    assert words_ in everything(open_page("classification", tab="classifier", run=text))


def test_my_study_takes_the_study_s_own_rows_and_says_what_was_capped():
    rows = [
        Server(name="a", n=1000, epsilon=1, delta=1e-6),
        Server(name="b", n=10**15, epsilon=1e-13, count=10, signal_exponent=0.5),
    ]
    study = TransferStudy(target=rows[0], sources=(rows[1],), smoothness=0.5, dimension=2, margin=1)
    app = open_page("classification", tab="study", study=codec.to_link(study), run="replicates:4")
    text = everything(app)
    assert "Cut to 1e15 records in all: b" in text
    assert "Where no δ is given" in text
    assert list(app.dataframe[0].value["β, d, α"]) == ["study's", "world's"] * 2
    values = finished(app).values
    assert "4 of 4 replicates" in everything(app)
    assert values["gamma"] == (1.0, 0.5)
    assert values["count"] == (1, 10)


HUGE = Server(name="a", n=10**15, epsilon=1)


@pytest.mark.parametrize(
    ("study", "words_"),
    [
        (FederatedStudy(servers=(HUGE,), smoothness=1), "a classifier needs a target"),
        (
            TransferStudy(target=HUGE, smoothness=1, dimension=1, margin=1),
            "The bandwidth must be at least",
        ),
    ],
)
def test_a_study_that_cannot_be_simulated_is_refused_in_words(study, words_):
    app = open_page("classification", tab="study", study=codec.to_link(study))
    assert words_ in everything(app)


def test_a_study_that_is_too_long_is_refused():
    rows = tuple(Server(name=str(k), n=9, epsilon=1) for k in range(201))
    study = TransferStudy(target=rows[0], sources=rows[1:], smoothness=1, dimension=1, margin=1)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.session_state["bound_study"] = state.Current(study, scope_of(study))
    app.query_params["tab"] = "study"
    driver.at(app, "classification").run()
    assert not app.exception
    assert "at most 200 rows" in everything(app)


@pytest.mark.parametrize(
    ("tab", "text", "words_"),
    [
        ("paper", "figure:3;replicates:2;tuning:replicate", "(95 %: "),
        ("adaptive", "replicates:2;epsilon:1,inf;n:100", "(95 %: "),
        ("attacker", "mechanism:histogram, Laplace;replicates:300", "300 runs in each world"),
    ],
)
def test_the_other_tabs_run(tab, text, words_):
    app = open_page("classification", tab=tab, run=text)
    finished(app)
    assert words_ in app.markdown[0].value
    assert "±" not in app.markdown[0].value


@pytest.mark.parametrize("broken", [True, False])
def test_a_broken_promise_is_called_broken(monkeypatch, broken):
    found = SimpleNamespace(broken=broken, proved=3.0, epsilon=1.0, runs=300)
    monkeypatch.setattr(attacker, "bounds", lambda progress: (found,))
    answer = attacker.answer(start(attacker.TAB.make(attacker.TAB.usual)))
    assert ("the promise is broken" in answer) == broken
    assert "at least **3** where **1** is promised" in answer


numbers = st.floats(min_value=0.01, max_value=100).map(lambda x: float(f"{x:.6g}"))


@given(
    epsilon=st.lists(numbers | st.just(math.inf), min_size=1, max_size=5),
    n=st.lists(st.integers(1, 10**12), min_size=1, max_size=5),
    servers=st.sampled_from(["target", "sources", "both"]),
    replicates=st.integers(2, 10**6),
    seed=st.integers(0, live_plan.MOST_SEED),
)
def test_a_plan_survives_its_link(epsilon, n, servers, replicates, seed):
    asked = replace(
        USUAL.with_values(epsilon=epsilon, n=n, servers=servers), replicates=replicates, seed=seed
    )
    assert live_plan.from_text(live_plan.to_text(asked, USUAL), USUAL) == asked


@given(text=st.text(max_size=60))
def test_any_text_is_a_plan_or_is_refused_in_words(text):
    try:
        found = live_plan.from_text(text, USUAL)
    except DomainError:
        return
    assert live_plan.from_text(live_plan.to_text(found, USUAL), USUAL) == found
