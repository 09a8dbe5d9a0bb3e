"""The hybrid page without a browser: every tab against the engine, and refusals."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from pages.charts import words
from pages.core.live import from_text
from pages.hybrid import figures, page, runs
from rates import hybrid
from sims.engine import Estimate, Progress, Request, start
from sims.ks import CLOSENESS, POOLED, REWEIGHTED, Run, Setup
from sims.ks.reweighting import one_of
from tests.pages.driver import everything, open_page


def shown(text: str) -> str:
    """The answer to a link, without a page."""
    return page.answer(page.made(from_text(text, page.TAB.usual)))


def made_run(index: int = 0, **setup: object) -> Run:
    return one_of(Setup(records=2000, sample=200, **setup), 0, index)


# Numbers ---------------------------------------------------------------------------------------


def test_the_verdict_on_the_own_numbers_turns_at_the_limit():
    design = hybrid.HybridDesign(accuracy=0.1, divergence=1 / 0.3)
    need = math.ceil(hybrid.needs.chi_square_records(design))
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
    design = hybrid.HybridDesign(accuracy=0.1, divergence=3.0)
    ways = hybrid.strategies(design, supremum=90.0)
    marks = figures.people(ways).figure["data"]
    points = {(y, x) for mark in marks for x, y in zip(mark["x"], mark["y"], strict=True)}
    given = {(hybrid.STRATEGIES[s.key], s.volunteers) for s in ways if 0 < s.volunteers < math.inf}
    assert given <= points


# Private run -----------------------------------------------------------------------------------


def test_the_rounds_are_drawn_and_noise_is_named():
    for learner, test in (("exponential", "noisy test"), ("least error", "test, without noise")):
        run = made_run(learner=learner)
        shown = {mark["name"]: mark["y"] for mark in figures.rounds(run).figure["data"]}
        both = zip(shown["error on the population"], shown[test], strict=True)
        assert [*both] == [(r.error, r.test) for r in run.rounds]


def test_runs_that_time_has_cut_short_are_counted():
    first, _ = runs.run_figures((made_run(), made_run(1)))
    assert first.markdown.startswith("2 of 5 runs")


@pytest.mark.parametrize("tab", ["run", "alike"])
@pytest.mark.parametrize(("learner", "private"), [("exponential", True), ("least error", False)])
def test_privacy_is_claimed_only_for_a_private_learner(tab: str, learner: str, private: bool):
    small = "records:2000;sample:200;rounds:3"
    told = everything(open_page("hybrid", tab=tab, run=f"{small};learner:{learner}"))
    assert ("Each volunteer is (budgeted epsilon, delta)-private" in told) is private
    assert ("None: " in told) is not private
    assert tab == "alike" or ("Nothing here is private" in told) is not private


@pytest.mark.parametrize(("learner", "level"), [("exponential", 0.3), ("least error", 0.2)])
def test_the_line_of_the_sweep_is_the_learner_s_own_test(learner: str, level: float):
    request = Request(experiment=CLOSENESS, values={"learner": learner}, replicates=2)
    (figure,) = runs.alike_figure(start(request))
    assert [rule["y0"] for rule in figure.figure["layout"]["shapes"]] == pytest.approx([level])


# How alike, PARITY -----------------------------------------------------------------------------


def test_only_gaps_beyond_the_intervals_are_told():
    request = Request(experiment=CLOSENESS, values={"share": [0.3, 0.6]}, replicates=4)
    found = {(REWEIGHTED, 0.3): (0.1, 0.01), (POOLED, 0.3): (0.5, 0.01)}
    found |= {(REWEIGHTED, 0.6): (0.10, 0.05), (POOLED, 0.6): (0.12, 0.05)}
    given = SimpleNamespace(request=request)
    given.estimates = tuple(Estimate(*found[p.series, p.x], 4) for p in request.points)
    given.seen = lambda least: Progress.seen(given, least)
    told = runs.alike_answer(given)
    assert "from **0.3** to **0.3**" in told
    assert "**10% (95%: 6.8 to 13%)**" in told
