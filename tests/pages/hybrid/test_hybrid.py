"""The hybrid page without a browser: every tab against the engine, and refusals."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from pages.charts import words
from pages.core import Note
from pages.core.live import from_text
from pages.hybrid import figures, page, runs
from rates import hybrid
from sims.engine import Estimate, Point, Progress, Request, start
from sims.ks import CLOSENESS, POOLED, REWEIGHTED, Run, Setup, agrees
from sims.ks.reweighting import one_of
from tests.pages.driver import answer, everything, open_page, press

DESIGN = hybrid.HybridDesign(accuracy=0.1, divergence=3.0)


def shown(text: str) -> str:
    """The answer to a link, without a page."""
    return page.answer(page.made(from_text(text, page.TAB.usual)))


def made_runs(count: int, seed: int = 0, **setup: object) -> tuple[Run, ...]:
    return tuple(one_of(Setup(**setup), seed, k) for k in range(count))


# Numbers ---------------------------------------------------------------------------------------


def simple_need(accuracy: float, x: float) -> float:
    return hybrid.needs.chi_square_records(hybrid.HybridDesign(accuracy=accuracy, divergence=x))


def test_the_numbers_are_the_engine_s():
    app = open_page("hybrid", run="distance:number;divergence:39.2;accuracy:0.05;volunteers:70000")
    design = hybrid.HybridDesign(accuracy=0.05, divergence=39.2, dimension=1000)
    asked, told = hybrid.needs.needs(design), answer(app)
    numbers = [asked.users_per_test, asked.users, asked.records, simple_need(0.05, 39.2)]
    for value in (*numbers, hybrid.needs.weights_must_be(design, 70_000)):
        assert f"**{words.number(value)}**" in told


def test_the_verdict_on_the_own_numbers_turns_at_the_limit():
    need = math.ceil(simple_need(0.1, 1 / 0.3))
    for volunteers, word in ((need, "**enough**"), (need - 1, "**too few**"), (10, "for any")):
        assert word in shown(f"volunteers:{volunteers}")


@pytest.mark.parametrize(("epsilon", "both"), [(1, False), (3, True), (9, True), (1000, True)])
def test_more_users_than_printed_are_told_with_both_numbers(epsilon: int, both: bool):
    told = shown(f"epsilon:{epsilon}")
    design = hybrid.HybridDesign(accuracy=0.1, divergence=1 / 0.3, epsilon=epsilon)
    asked = hybrid.needs.needs(design)
    assert f"**{words.number(asked.users_per_test)}** local users" in told
    assert (f"(printed: {words.number(asked.printed_users)}, which no" in told) is both


def test_the_figure_shows_what_it_is_given():
    ways = hybrid.strategies(DESIGN, supremum=90.0)
    marks = figures.people(ways).figure["data"]
    points = {(y, x) for mark in marks for x, y in zip(mark["x"], mark["y"], strict=True)}
    given = {(hybrid.STRATEGIES[s.key], s.volunteers) for s in ways if 0 < s.volunteers < math.inf}
    assert given <= points


# Private run -----------------------------------------------------------------------------------


def test_the_run_tab_tells_what_the_runs_did():
    app = open_page("hybrid", tab="run", run="records:5000;sample:200;rounds:8;seed:3")
    found = made_runs(5, 3, records=5000, sample=200, rounds=8)
    told = answer(app)
    assert told == runs.run_answer(found)
    for number in (found[0].setup.budgeted, found[0].users):
        assert f"**{words.number(number)}**" in told
    assert len(app.get("plotly_chart")) == 1


def test_the_rounds_are_drawn_and_noise_is_named():
    for learner, test in (("exponential", "noisy test"), ("least error", "test, without noise")):
        (run,) = made_runs(1, records=2000, sample=200, learner=learner)
        shown = {mark["name"]: mark["y"] for mark in figures.rounds(run).figure["data"]}
        assert list(shown["error on the population"]) == [r.error for r in run.rounds]
        assert list(shown[test]) == [r.test for r in run.rounds]


def test_runs_that_time_has_cut_short_are_counted():
    first, *drawn = runs.run_figures(made_runs(2, records=2000, sample=200))
    assert isinstance(first, Note)
    assert first.markdown.startswith("2 of 5 runs")
    assert len(drawn) == 1


@pytest.mark.parametrize("tab", ["run", "alike"])
@pytest.mark.parametrize(("learner", "private"), [("exponential", True), ("least error", False)])
def test_privacy_is_claimed_only_for_a_private_learner(tab: str, learner: str, private: bool):
    small = "records:2000;sample:200;rounds:3"
    told = everything(open_page("hybrid", tab=tab, run=f"{small};learner:{learner}"))
    assert ("Each volunteer is (budgeted epsilon, delta)-private" in told) is private
    assert ("None: " in told) is not private
    if tab == "run":
        assert ("Nothing here is private" in told) is not private


@pytest.mark.parametrize(("learner", "level"), [("exponential", 0.3), ("least error", 0.2)])
def test_the_line_of_the_sweep_is_the_learner_s_own_test(learner: str, level: float):
    request = Request(experiment=CLOSENESS, values={"learner": learner}, replicates=2)
    (figure,) = runs.alike_figure(start(request))
    assert [rule["y0"] for rule in figure.figure["layout"]["shapes"]] == pytest.approx([level])


# How alike, PARITY -----------------------------------------------------------------------------


def test_only_gaps_beyond_the_intervals_are_told():
    request = Request(experiment=CLOSENESS, values={"share": [0.3, 0.6]}, replicates=4)
    found = {
        (REWEIGHTED, 0.3): Estimate(0.1, 0.01, 4),
        (POOLED, 0.3): Estimate(0.5, 0.01, 4),
        (REWEIGHTED, 0.6): Estimate(0.10, 0.05, 4),
        (POOLED, 0.6): Estimate(0.12, 0.05, 4),
    }
    given = SimpleNamespace(request=request)
    given.estimates = tuple(found[p.series, p.x] for p in request.points)
    given.seen = lambda least: Progress.seen(given, least)
    told = runs.alike_answer(given)
    assert "from **0.3** to **0.3**" in told
    assert "**10% (95%: 6.8 to 13%)**" in told


def test_parity_is_told_beside_its_bounds():
    app = open_page("hybrid", tab="parity", run="bits:32;rare:0.005;replicates:20;extra:0,5,50")
    told = answer(app)
    assert all(f"**{number}**" in told for number in ("39", "919", "51,900"))
    press(app, "Run")
    assert "of 6** simulated shares" in everything(app)
    assert not agrees(Point(series="a", x=0, exact=0.5), Estimate(0.7, 0.01, 200))
