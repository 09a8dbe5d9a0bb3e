"""What the classification page says: guarantees, runs on the way, numbers that agree."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.classification import classifier, common, paper
from pages.core.live import panel
from sims.classification.picture import Picture
from sims.engine.experiment import Request
from sims.engine.noise import Spent
from sims.engine.runs import Progress, start
from sims.paper_acc.adaptive_price import PRICE
from sims.paper_acc.figures import FIGURE_4
from tests.depth import deep_after
from tests.pages.driver import open_page, press

# What is guaranteed ---------------------------------------------------------------------------


@pytest.mark.parametrize("tab", common.OF_TAB)
def test_every_tab_says_its_own_guarantee(tab):
    app = open_page("classification", tab=tab, run="replicates:2")
    assert common.OF_TAB[tab] in " ".join(m.value for m in app.markdown)
    assert "**not**" in common.OF_TAB[tab]


@pytest.mark.parametrize(
    ("tab", "kept", "broken", "words_"),
    deep_after(
        3,
        [
            ("classifier", "", "mechanism:printed;epsilon:16", "delta is really 8.16e-05"),
            (
                "rate",
                "n:1000,10000",
                "n:1000,10000;mechanism:printed;epsilon:1,16",
                "not at 1 of the 2 shown",
            ),
            ("study", "", "mechanism:printed;factor:1,64", "Each row's release is not"),
            ("paper", "split:composed", "split:unsplit", "AdaptDTK is not"),
            ("paper", "figure:5", "figure:5;epsilon:16", "DTK is not"),
            ("adaptive", "split:composed", "split:unsplit", "The adaptive rule is not"),
        ],
    ),
)
def test_a_setting_that_is_not_private_is_warned_of_with_the_delta_that_holds(
    tab, kept, broken, words_
):
    app = open_page("classification", tab=tab, run=kept)
    assert not app.warning
    assert "differentially private" in " ".join(c.value for c in app.caption)
    said = [w.value for w in open_page("classification", tab=tab, run=broken).warning]
    assert words_ in said[0]
    assert "really" in said[0]


def test_the_worst_broken_budget_is_the_one_named():
    spent = [Spent(epsilon=e, delta=1e-6, actual=a) for e, a in ((1, 1e-7), (9, 2e-6), (16, 9e-5))]
    kept, text = common.told(spent)
    assert not kept
    assert "ε = 16, δ = 1e-6, and not at 2 of the 3 shown" in text
    assert "**9e-5**" in text
    assert common.told(spent[:1])[0]
    assert "nothing is protected" in common.told([])[1]


def drawn(app: AppTest) -> dict:
    return json.loads(app.get("plotly_chart")[0].proto.spec)


@pytest.mark.parametrize(
    ("tab", "series", "experiment"),
    [
        ("paper", "AdaptDTK, gaussian, not private", FIGURE_4),
        ("adaptive", "adaptive, m = 1, not private", PRICE),
    ],
)
def test_a_budget_not_split_is_named_in_the_figure_and_keeps_its_random_numbers(
    tab, series, experiment
):
    names, keys = {}, {}
    for split in ("printed", "unsplit"):
        traces = drawn(open_page("classification", tab=tab, run=f"split:{split}"))["data"]
        names[split] = {trace["name"] for trace in traces}
        asked = Request(experiment=experiment, values={"split": split}, replicates=2)
        keys[split] = [(point.series, point.key) for point in asked.points]
    assert series in names["unsplit"]
    assert not any("not private" in name for name in names["printed"])
    assert keys["printed"] == keys["unsplit"]


# What a run says on the way -------------------------------------------------------------------


def paper_progress(first: int, others: int, **more: object) -> Progress:
    """A run of Figure 4 whose first three points have other counts than the rest."""
    asked = Request(experiment=FIGURE_4, values={"gamma": [1.0]}, replicates=8)
    many = len(asked.points)
    return replace(
        start(asked),
        counts=(first,) * 3 + (others,) * (many - 3),
        replicated=np.linspace(0.6, 0.8, many)[:, None] + np.linspace(-0.01, 0.01, 8),
        **more,  # type: ignore[arg-type]
    )


def test_methods_are_compared_only_once_every_point_has_replicates():
    early, later = (paper.answer(paper_progress(4, k)) for k in (0, 4))
    assert "right for" not in early
    assert "**4 replicates**: at ε = " in later
    assert later.count("(95 %: ") == 2


def test_while_points_are_prepared_no_time_left_is_told():
    run = SimpleNamespace(words="", progress=paper_progress(4, 0, seconds=50.0))
    assert panel._position(run) == "Preparing point 4 of 48"
    run.progress = paper_progress(8, 4, seconds=51.0, prepared=(50.0, 192))
    assert panel._position(run) == "204 of 384 done, about 15.0 s left"


# Numbers that agree ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "words_"),
    [
        (0.90940, 0.90551, "the noise costs **0.3 percentage points**"),
        (0.9092, 0.9094, "has no visible cost"),
        (0.90551, 0.9094, "help this one draw by **0.3 percentage points**"),
    ],
)
def test_the_cost_of_noise_is_the_difference_of_the_shares_shown(before, after, words_):
    grid = np.zeros((2, 2))
    picture = Picture(
        right=grid > 0,
        before=grid > 0,
        after=grid > 0,
        accuracy_right=0.92,
        accuracy_before=before,
        accuracy_after=after,
        signal=grid,
        released=grid,
        inflation=1.0,
        actual_delta=1e-6,
    )
    assert words_ in classifier.answer(picture)


# Before a run ---------------------------------------------------------------------------------


def test_the_legend_of_my_study_is_short_and_calls_nothing_left_out_before_a_run():
    app = open_page("classification", tab="study", run="replicates:2")

    def legend() -> set[str]:
        return {t["name"] for t in drawn(app)["data"] if t.get("showlegend", True)}

    assert legend() == {"Calibrated", "(11), (12)", "Exact, not simulated"}
    press(app, "Run")
    assert {name for name in legend() if "left out" in name} <= {"Saturated, left out"}
    assert "(95 %: " in app.markdown[0].value


def test_an_empty_axis_has_a_range_of_risks():
    app = open_page("classification", tab="adaptive", run="replicates:2;epsilon:1,inf;n:100")
    assert drawn(app)["layout"]["yaxis"]["range"] == [-3, 0]
    press(app, "Run")
    assert "range" not in drawn(app)["layout"]["yaxis"]
