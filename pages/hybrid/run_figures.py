"""One private run: the volunteers by weight, and error, test and weight along the rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages import charts
from pages.charts import number
from sims.hybrid import Run, halfspaces

_FAR = 3.6
# One column: on a narrow screen two overlap.
_LEGEND = charts.Legend(entry=0.98)
_ROW = 22  # pixels of one legend row


def points(run: Run, place: int) -> charts.Figure:
    """Return volunteers sized by their weight in one round, and the rule that was learned.

    Args:
        run: The run.
        place: Index of the round.
    """
    weights, one = run.weights[place], run.rounds[place]
    marks = []
    for good, label, symbol, colour in (
        (True, True, "circle", 2),
        (True, False, "circle-open", 2),
        (False, True, "square", 3),
        (False, False, "square-open", 3),
    ):
        at = [
            i
            for i in range(len(weights))
            if bool(run.good[i]) is good and bool(run.labels[i]) is label
        ]
        who = "like the population" if good else "others"
        heavy = [float(weights[i]) for i in at]
        marks.append(
            charts.Curve(
                x=[float(run.points[i, 0]) for i in at],
                y=[float(run.points[i, 1]) for i in at],
                name=f"{who}, label {'+1' if label else '−1'}",
                dots=charts.Dots(
                    symbol=symbol,
                    size=[2.0 + 6.0 * min(weight, 5.0) for weight in heavy],
                    colour=charts.look(colour)[0],
                    opacity=0.75,
                ),
                data=heavy,
                hover="weight %{customdata:.2f} times the mean",
                extra="",
            )
        )
    a, b, c = (float(v) for v in halfspaces()[one.rule])
    # The line a x + b y + c = 0, from its nearest point to the origin.
    ends = [(-a * c - s * b * 9.0, -b * c + s * a * 9.0) for s in (-1.0, 1.0)]
    xs, ys = [x for x, _ in ends], [y for _, y in ends]
    marks.append(charts.line(xs, ys, "rule of this round", dash="dash", width=3))
    figure = charts.Chart(
        marks=marks,
        title=f"Volunteers by weight, round {place + 1} of {len(run.rounds)}",
        height=460 + _ROW * len(marks),
        foot=60 + _ROW * len(marks),
        x=charts.Axis(title="x₁", span=(-_FAR, _FAR)),
        y=charts.Axis(title="x₂", span=(-_FAR, _FAR)),
        legend=_LEGEND,
    )
    return charts.Figure(
        figure=figure,
        alt=f"{len(run.points)} volunteers in two clusters, sized by weight in round {place + 1}: "
        f"the cluster like the population holds {number(one.good)} of the weight. The dashed "
        f"line is the rule of this round, which errs by {number(one.error)} on the population.",
        rows=[
            {
                "x1": float(run.points[i, 0]),
                "x2": float(run.points[i, 1]),
                "label": 1 if run.labels[i] else -1,
                "like the population": bool(run.good[i]),
                "weight": float(weights[i]),
            }
            for i in range(len(run.points))
        ],
        name="volunteers-by-weight",
        caption="The first of the runs. Where a shown rule is right a volunteer loses weight; "
        "the population's cluster is the upper one. No real curator would show this picture.",
    )


def rounds(runs: Sequence[Run]) -> charts.Figure:
    """Return error, noisy test and weight of the good cluster by round; first run strong."""
    first = runs[0]
    other: dict[str, Any] = {"group": "others", "dash": "dot", "width": 1}
    marks = [
        charts.line(
            list(range(1, len(run.rounds) + 1)),
            [r.error for r in run.rounds],
            "error, other runs",
            listed=run is runs[1],
            **other,
        )
        for run in runs[1:]
    ]
    series = (
        ("error on the population", [r.error for r in first.rounds]),
        (_test(first), [r.test for r in first.rounds]),
        ("weight of the good cluster", [r.good for r in first.rounds]),
    )
    for place, (name, ys) in enumerate(series):
        along = list(range(1, len(ys) + 1))
        marks.append(charts.series(along, ys, name, place, hover="round %{x}: %{y:.3f}"))
    stop = first.setup.threshold
    # Only a key: the line itself is a rule, which spans the plot however few rounds there are.
    dashed = charts.Stroke(charts.GREY, 1.5, "dash")
    marks.append(charts.key(f"the test is passed below {number(stop)}", stroke=dashed, hover=None))
    rows = charts.entries(marks)
    figure = charts.Chart(
        marks=marks,
        title="Error, noisy test and weight along the rounds",
        height=370 + _ROW * rows,
        foot=60 + _ROW * rows,
        x=charts.Axis(title="Round"),
        y=charts.Axis(title="Share", span=(0, 1.02)),
        legend=_LEGEND,
        rules=[charts.across(stop, colour=charts.GREY)],
    )
    start, end = first.rounds[0], first.rounds[-1]
    return charts.Figure(
        figure=figure,
        alt=f"By round, the first of {len(runs)} runs: error from {number(start.error)} to "
        f"{number(end.error)}, {_test(first)} from {number(start.test)} to {number(end.test)}, "
        f"weight of the good cluster from {number(start.good)} to {number(end.good)}, over "
        f"{len(first.rounds)} rounds. The test is passed below {number(first.setup.threshold)}.",
        rows=[
            {
                "run": k + 1,
                "round": t + 1,
                "error": r.error,
                "test": r.test,
                "weight of the good cluster": r.good,
                "error under the weights": r.weighted,
                "effective share of records": r.effective,
            }
            for k, run in enumerate(runs)
            for t, r in enumerate(run.rounds)
        ],
        name="rounds",
        caption="The curator sees the noisy test only. The error is exact, by integration."
        if first.setup.private
        else "The test is the error itself: both are exact, by integration.",
    )


def _test(run: Run) -> str:
    return "noisy test" if run.setup.private else "test, without noise"
