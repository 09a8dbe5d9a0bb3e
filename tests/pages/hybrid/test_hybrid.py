"""The hybrid page without a browser: every tab against the engine, and refusals."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.core.live import Missing
from pages.core.live.plans import from_text, to_text
from pages.hybrid import closeness as hybrid_closeness
from pages.hybrid import figures
from pages.hybrid import map_figure as hybrid_map
from pages.hybrid import needs as hybrid_needs
from pages.hybrid import parity as hybrid_parity
from pages.hybrid import run as hybrid_run_tab
from pages.hybrid import run_figures as hybrid_run
from rates.hybrid import needs as hybrid
from rates.hybrid import sgd as hybrid_sgd
from rates.hybrid.design import HybridDesign
from rates.hybrid.methods import STRATEGIES, Circumstances, log_costs, strategies
from rates.hybrid.parity import batch_records, mean_square_of
from rates.hybrid.parity_learner import batch_needed
from rates.hybrid.sgd import SgdDesign
from rates.numbers.parameters import DomainError
from sims.engine.experiment import Estimate, Point, Request
from sims.engine.runs import Progress, start
from sims.hybrid.reweighting import Run, Setup, one_of
from sims.hybrid.study import CLOSENESS, POOLED, REWEIGHTED, agrees
from tests.pages.driver import everything, open_page, press

ROOT = Path(__file__).resolve().parents[3]


def answer(app: AppTest) -> str:
    return str(app.markdown[0].value)


# Numbers ---------------------------------------------------------------------------------------


def test_the_numbers_are_the_engine_s():
    app = open_page("hybrid", run="distance:number;divergence:39.2;accuracy:0.05;volunteers:70000")
    design = HybridDesign(accuracy=0.05, divergence=39.2, dimension=1000)
    asked = hybrid.needs(design)
    told = answer(app)
    for value in (asked.users_per_test, asked.users, asked.records):
        assert f"**{words.number(value)}**" in told
    simple = float(hybrid.chi_square_records(0.05, 0.05, 1.0, 1e6, 39.2))
    assert f"asks **{words.number(simple)}** of them" in told
    limit = hybrid.weights_must_be(design, 70_000)
    assert f"up to X = **{words.number(limit)}**" in told
    assert "**too few**" in told
    assert "times the world" in told
    assert "Theorem A.4 is stated only there" in everything(app)


def test_gradient_descent_as_the_learner_is_the_engine_s():
    app = open_page("hybrid", run="epsilon:0.5;share:0.5")
    found = hybrid_sgd.solve(
        SgdDesign(accuracy=0.1, divergence=2.0, epsilon=0.5, delta=1e-6, dimension=1000)
    )
    shown = [str(v) for frame in app.dataframe for v in frame.value.to_numpy().ravel()]
    for value in (found.records, found.steps, found.noise):
        assert words.number(value) in shown


def test_the_verdict_on_the_own_numbers_turns_at_the_limit():
    need = math.ceil(float(hybrid.chi_square_records(0.1, 0.05, 1.0, 1e6, 1 / 0.3)))
    for volunteers, word in ((need, "**enough**"), (need - 1, "**too few**"), (10, "for any")):
        asked = hybrid_needs.TAB.usual.with_values(volunteers=volunteers)
        assert word in hybrid_needs.answer(hybrid_needs.made(asked))


def told_of(text: str) -> str:
    """The answer, or what is refused, without a page."""
    try:
        numbers = hybrid_needs.made(from_text(text, hybrid_needs.TAB.usual))
    except Missing as missing:
        return str(missing.blocks[0].markdown)
    note = hybrid.needs(numbers.design).note
    return f"{numbers.found.note} {note} {hybrid_needs.answer(numbers)}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("distance:groups;volunteer_groups:1,0;population_groups:1,1", "no volunteer"),
        ("epsilon:20", "private only up"),
        ("distance:spreads;target_spread:1.2", "weigh without bound"),
        ("realizable:no", "volunteers alone promise nothing"),
    ],
)
def test_what_still_holds_is_said_in_words(text: str, told: str):
    assert told in told_of(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("distance:groups;volunteer_groups:1;population_groups:1,1", "same number of groups"),
        ("accuracy:0.125", "below 1/8"),
        ("failure:0.125", "below 1/8"),
        ("volunteers:20000000000", "not more than 1e10 people"),
        ("divergence:inf", "users' own answers still do"),
    ],
)
def test_what_cannot_be_is_refused(text: str, rule: str):
    with pytest.raises(DomainError, match=rule):
        told_of(text)


def test_a_page_without_an_answer_says_why():
    app = open_page("hybrid", run="distance:spreads;target_spread:1.5")
    assert "no answer from the bounds" in answer(app)
    assert "every bound here is void" in everything(app)
    app = open_page("hybrid", run="accuracy:0.125")
    assert "below 1/8" in everything(app)


def test_a_finite_x_is_not_called_infinite():
    text = "distance:spreads;coordinates:1000;target_spread:0.001"
    with pytest.raises(DomainError, match="X is finite here but above 1e308") as caught:
        told_of(text)
    assert "log10 X = 2,849" in str(caught.value)
    assert "got inf" not in str(caught.value)


def test_more_users_than_printed_are_told_with_both_numbers():
    for epsilon, both in ((1, False), (3, True), (9, True), (1000, True)):
        told = told_of(f"epsilon:{epsilon}")
        asked = hybrid.needs(HybridDesign(accuracy=0.1, divergence=1 / 0.3, epsilon=epsilon))
        assert f"asks **{words.number(asked.users_per_test)}** local users" in told
        printed = f"(printed: {words.number(asked.printed_users)}, which no proof covers here)"
        assert (printed in told) is both
    assert "asks **11,100** local users by our reading (printed: 10,700" in told_of("epsilon:3")
    label = "Why more users than printed: test and proof"
    assert label not in [link.proto.label for link in open_page("hybrid").get("page_link")]
    app = open_page("hybrid", run="epsilon:3")
    assert label in [link.proto.label for link in app.get("page_link")]
    assert r"\max" in "".join(str(e.value) for e in app.latex)


@pytest.mark.parametrize("picture", ["closeness", "map"])
def test_every_picture_is_drawn(picture: str):
    app = open_page("hybrid", run=f"picture:{picture}")
    assert not app.error
    assert len(app.get("plotly_chart")) == 1


def test_the_map_is_the_cheapest_cell_by_cell():
    design, given = HybridDesign(accuracy=0.1, divergence=3.0), Circumstances(ratio=30.0)
    chart = hybrid_map.build(design, given, "dimension", 12)
    names = list(STRATEGIES)
    for i, j in ((0, 0), (5, 7), (11, 11), (3, 11)):
        one = replace(design, divergence=float(chart.y[i]), dimension=10)
        costs = log_costs(
            accuracy=0.1,
            divergence=one.divergence,
            epsilon=1.0,
            dimension=float(chart.x[j]),
            design=one,
            given=given,
        )
        assert names[int(chart.best[i, j])] == names[int(costs.argmin())]
        assert float(chart.log_cost[i, j]) == pytest.approx(float(costs.min()))
    assert sum(hybrid_map.shares(chart).values()) == pytest.approx(1.0)
    drawn = hybrid_map.drawn(chart)
    assert "users alone" in drawn.alt
    assert len(drawn.rows) == 144


def test_figures_show_what_they_are_given():
    design, given = HybridDesign(accuracy=0.1, divergence=3.0), Circumstances()
    ways = strategies(design, given)
    drawn = figures.people(ways)
    shown = {(y, x) for t in drawn.figure.marks for x, y in zip(t.x, t.y, strict=True)}
    for way in ways:
        if 0 < way.volunteers < math.inf:
            assert (STRATEGIES[way.key], way.volunteers) in shown
    curves = figures.curves(design, given)
    name = f"{STRATEGIES['chi-square']}: volunteers"
    x, y = curves[name][30]
    assert y == pytest.approx(float(hybrid.chi_square_records(0.1, 0.05, 1.0, 1e6, x)))
    rows = figures.closeness(design, given, volunteers=1e4).rows
    assert len(rows) == sum(map(len, curves.values()))


def made(setup: Setup, seed: int, count: int) -> tuple[Run, ...]:
    """Some runs, as the page makes them."""
    return tuple(one_of(setup, seed, k) for k in range(count))


# Private run -----------------------------------------------------------------------------------


def test_the_run_tab_tells_what_the_runs_did():
    app = open_page("hybrid", tab="run", run="records:5000;sample:200;rounds:8;seed:3")
    setup = Setup(records=5000, sample=200, rounds=8)
    runs = made(setup, 3, 5)
    told = answer(app)
    assert f"**{sum(r.halted for r in runs)} of 5** runs" in told
    assert f"ε = **{words.number(setup.budgeted)}**" in told
    assert f"**{words.number(runs[0].users)}** users" in told
    assert len(app.get("plotly_chart")) == 2
    free = made(Setup(records=2000, sample=200, rounds=3, learner="least error"), 0, 2)
    assert "Nothing here is private" in hybrid_run_tab.answer(hybrid_run_tab.Made(free, 1))


def test_the_drawn_rule_is_the_rule_of_the_round():
    run = made(Setup(records=2000, sample=200), 0, 1)[0]
    drawn = hybrid_run.points(run, 0).figure
    line = drawn.marks[-1]
    from sims.hybrid.two_clusters import halfspaces

    a, b, c = halfspaces()[run.rounds[0].rule]
    assert a * np.array(line.x) + b * np.array(line.y) + c == pytest.approx([0, 0], abs=1e-9)
    assert sum(len(t.x) for t in drawn.marks[:-1]) == len(run.points)
    rows = hybrid_run.rounds([run]).rows
    assert [row["error"] for row in rows] == [r.error for r in run.rounds]


@pytest.mark.parametrize("tab", ["run", "alike"])
def test_privacy_is_claimed_only_for_a_private_learner(tab: str):
    small = "records:2000;sample:200;rounds:3"
    for learner, private in (("exponential", True), ("least error", False)):
        told = everything(open_page("hybrid", tab=tab, run=f"{small};learner:{learner}"))
        assert ("Each volunteer is (budgeted epsilon, delta)-private" in told) is private
        assert ("**Privacy.** None" in told) is not private
    assert "With a private learner: Each" in CLOSENESS.privacy
    assert "nothing is private" in CLOSENESS.privacy


def test_a_density_that_is_too_small_is_told_with_its_least_value():
    app = open_page("hybrid", tab="run", run="density:0.002")
    told = everything(app).replace("\\", "")
    assert "κ n = 0.002 × 100,000 = 200 is below m = 400" in told
    assert "κ must be at least 0.004. The bounds of Numbers still hold." in told
    assert "field density: got 0.002" in told


def test_the_line_of_the_sweep_is_the_learner_s_own_test():
    for learner, level in (("exponential", 0.3), ("least error", 0.2)):
        request = Request(experiment=CLOSENESS, values={"learner": learner}, replicates=2)
        (drawn,) = hybrid_closeness.drawn(start(request))
        assert [rule.start[1] for rule in drawn.figure.rules] == pytest.approx([level])


def test_runs_that_take_long_end_early_and_say_so(monkeypatch):
    clock = iter(range(0, 1000, 6))
    watch = SimpleNamespace(monotonic=lambda: next(clock))
    monkeypatch.setattr(hybrid_run_tab, "time", watch)
    app = open_page("hybrid", tab="run", run="share:0.6")
    assert "2 of 2** runs pass a test" in answer(app)
    assert "2 of 5 runs: no further one is begun after 15 seconds." in everything(app)


def test_the_run_s_legends_fit_a_narrow_screen():
    """One column, room for every row below the axis, and no text over the data."""
    for learner in ("exponential", "least error"):
        setup = Setup(records=2000, sample=200, rounds=4, learner=learner)
        runs = made(setup, 0, 2)
        for drawn in (
            hybrid_run.points(runs[0], 0).figure,
            hybrid_run.rounds(runs).figure,
        ):
            assert drawn.legend.entry > 0.5
            keys = [t for t in drawn.marks if t.listed is not False]
            assert drawn.foot >= 40 + 20 * len(keys)
            assert not drawn.notes
        names = [t.name for t in hybrid_run.rounds(runs).figure.marks]
        assert f"the test is passed below {words.number(setup.threshold)}" in names
        assert ("noisy test" in names) is setup.private


# How alike, PARITY -----------------------------------------------------------------------------


def test_a_live_run_over_the_share():
    app = open_page("hybrid", tab="alike", run="records:2000;share:0.3,0.6;sample:200;replicates:3")
    assert "**Run** compares" in answer(app)
    press(app, "Run")
    assert "finished in" in everything(app)
    assert "share:0.3,0.6" in str(app.query_params["run"])


def test_only_gaps_beyond_the_intervals_are_told():
    request = Request(experiment=CLOSENESS, values={"share": [0.3, 0.6]}, replicates=4)
    made = {
        (REWEIGHTED, 0.3): Estimate(0.1, 0.01, 4),
        (POOLED, 0.3): Estimate(0.5, 0.01, 4),
        (REWEIGHTED, 0.6): Estimate(0.10, 0.05, 4),
        (POOLED, 0.6): Estimate(0.12, 0.05, 4),
    }

    class Given:
        seen = Progress.seen
        estimates = tuple(made[p.series, p.x] for p in request.points)

    Given.request = request  # type: ignore[attr-defined]
    told = hybrid_closeness.answer(Given())  # type: ignore[arg-type]
    assert "from **0.3** to **0.3**" in told
    assert "**10 % (95 %: 6.8 to 13 %)**" in told
    assert "±" not in told
    assert "**Run** compares" in hybrid_closeness.answer(start(request))


def test_parity_is_told_beside_its_bounds():
    app = open_page("hybrid", tab="parity", run="bits:32;rare:0.005;replicates:20;extra:0,5,50")
    told = answer(app)
    assert "**39** records show all 32 bits" in told
    assert "it takes **919**" in told
    assert "asks **51,900**" in told
    press(app, "Run")
    assert "simulated shares lie within" in answer(app)
    assert not agrees(Point(series="a", x=0, exact=0.5), Estimate(0.7, 0.01, 200))


def test_the_private_parity_learner_is_told_beside_its_bound():
    run = "bits:8;rare:0.2;replicates:10;records:50,150;batches:7"
    app = open_page("hybrid", tab="learner", run=run)
    needed = batch_needed(8, 0.01, 0.2, 0.5, 7)
    assert needed is not None
    told = answer(app)
    assert f"7 batches of **{words.number(needed)}** volunteers" in told
    printed = batch_records(8, 0.01, mean_square_of(0.2), 0.5)
    assert f"Corollary B.3 asks 19 batches of **{words.number(printed)}**" in told
    press(app, "Run")
    assert "simulated shares lie within" in answer(app)
    few = open_page("hybrid", tab="learner", run=run.replace("batches:7", "batches:6"))
    assert "6 batches cannot name the right bits with probability 99 %" in answer(few)
    refused = open_page("hybrid", tab="learner", run="epsilon:0.6")
    assert "at most 1/2" in everything(refused)


def test_links_hold_what_differs():
    usual = hybrid_needs.TAB.usual
    text = "picture:map;share:0.1;rounds:40"
    assert to_text(from_text(text, usual), usual) == text
    assert hybrid_parity.TAB.usual.replicates == 200
