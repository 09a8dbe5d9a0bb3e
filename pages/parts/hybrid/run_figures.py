"""One private run: the volunteers by weight, and error, test and weight along the rounds."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from pages.figures import simulation
from pages.figures.chart import number, theme
from sims.hybrid import Run, halfspaces

_FAR = 3.6
# One column: on a narrow screen two overlap.
_LEGEND = {**simulation.LEGEND, "entrywidth": 0.98}
_ROW = 22  # pixels of one legend row


def points_figure(run: Run, place: int, *, title: str) -> go.Figure:
    """Draw volunteers sized by their weight in one round, and the rule that was learned.

    Args:
        run: The run.
        place: Index of the round.
        title: The finding.
    """
    weights = run.weights[place]
    traces = []
    looks = (
        (True, True, "circle", 2),
        (True, False, "circle-open", 2),
        (False, True, "square", 3),
        (False, False, "square-open", 3),
    )
    for good, label, symbol, colour in looks:
        at = [
            i
            for i in range(len(weights))
            if bool(run.good[i]) is good and bool(run.labels[i]) is label
        ]
        who = "like the population" if good else "others"
        traces.append(
            {
                "x": [float(run.points[i, 0]) for i in at],
                "y": [float(run.points[i, 1]) for i in at],
                "mode": "markers",
                "name": f"{who}, label {'+1' if label else '−1'}",
                "marker": {
                    "symbol": symbol,
                    "size": [2.0 + 6.0 * min(float(weights[i]), 5.0) for i in at],
                    "color": simulation.look(colour)[0],
                    "opacity": 0.75,
                },
                "customdata": [float(weights[i]) for i in at],
                "hovertemplate": "weight %{customdata:.2f} times the mean<extra></extra>",
            }
        )
    a, b, c = (float(v) for v in halfspaces()[run.rounds[place].rule])
    # The line a x + b y + c = 0, from its nearest point to the origin.
    ends = [(-a * c - s * b * 9.0, -b * c + s * a * 9.0) for s in (-1.0, 1.0)]
    traces.append(
        {
            "x": [x for x, _ in ends],
            "y": [y for _, y in ends],
            "mode": "lines",
            "name": "rule of this round",
            "line": {"color": simulation.GREY, "width": 3, "dash": "dash"},
            "hoverinfo": "skip",
        }
    )
    layout = {
        "height": 460 + _ROW * len(traces),
        "margin": {"l": 10, "r": 10, "t": 48, "b": 60 + _ROW * len(traces)},
        "xaxis": {"title": {"text": "x₁"}, "range": [-_FAR, _FAR]},
        "yaxis": {"title": {"text": "x₂"}, "range": [-_FAR, _FAR]},
        "legend": _LEGEND,
    }
    return theme.figure(traces, layout, title=title)


def rounds_figure(runs: Sequence[Run], *, title: str) -> go.Figure:
    """Draw error, noisy test and weight of the good cluster by round; first run strong."""
    first = runs[0]
    traces = []
    for run in runs[1:]:
        traces.append(
            {
                "x": list(range(1, len(run.rounds) + 1)),
                "y": [r.error for r in run.rounds],
                "mode": "lines",
                "name": "error, other runs",
                "legendgroup": "others",
                "showlegend": run is runs[1],
                "line": {"color": simulation.GREY, "width": 1, "dash": "dot"},
                "hoverinfo": "skip",
            }
        )
    series = (
        ("error on the population", [r.error for r in first.rounds]),
        (_test(first), [r.test for r in first.rounds]),
        ("weight of the good cluster", [r.good for r in first.rounds]),
    )
    for place, (name, ys) in enumerate(series):
        colour, marker, dash = simulation.look(place)
        traces.append(
            {
                "x": list(range(1, len(ys) + 1)),
                "y": ys,
                "mode": "lines+markers",
                "name": name,
                "line": {"color": colour, "dash": dash, "width": 2},
                "marker": {"symbol": marker, "size": 8},
                "hovertemplate": "round %{x}: %{y:.3f}<extra>" + name + "</extra>",
            }
        )
    stop = first.setup.threshold
    grey = {"color": simulation.GREY, "dash": "dash", "width": 1.5}
    # Only a key: the line itself is a shape, which spans the plot however few rounds there are.
    name = f"the test is passed below {number(stop)}"
    traces.append({"x": [None], "y": [None], "mode": "lines", "name": name, "line": grey})
    rows = sum(bool(trace.get("showlegend", True)) for trace in traces)
    layout = {
        "height": 370 + _ROW * rows,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 60 + _ROW * rows},
        "xaxis": {"title": {"text": "Round"}},
        "yaxis": {"title": {"text": "Share"}, "range": [0, 1.02]},
        "legend": _LEGEND,
        "shapes": [
            {
                "type": "line",
                "x0": 0,
                "x1": 1,
                "xref": "paper",
                "y0": stop,
                "y1": stop,
                "line": grey,
            }
        ],
    }
    return theme.figure(traces, layout, title=title)


def _test(run: Run) -> str:
    return "noisy test" if run.setup.private else "test, without noise"


def rounds_alt(runs: Sequence[Run]) -> str:
    """Say what `rounds_figure` shows, in words."""
    first = runs[0]
    start, end = first.rounds[0], first.rounds[-1]
    return (
        f"By round, the first of {len(runs)} runs: error from {number(start.error)} to "
        f"{number(end.error)}, {_test(first)} from {number(start.test)} to {number(end.test)}, "
        f"weight of the good cluster from {number(start.good)} to {number(end.good)}, over "
        f"{len(first.rounds)} rounds. The test is passed below {number(first.setup.threshold)}."
    )


def points_alt(run: Run, place: int) -> str:
    """Say what `points_figure` shows, in words."""
    one = run.rounds[place]
    return (
        f"{len(run.points)} volunteers in two clusters, sized by weight in round {place + 1}: the "
        f"cluster like the population holds {number(one.good)} of the weight. The dashed line is "
        f"the rule of this round, which errs by {number(one.error)} on the population."
    )


def rounds_rows(runs: Sequence[Run]) -> list[dict[str, object]]:
    """Return all rounds of all runs as rows for a file."""
    return [
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
    ]


def points_rows(run: Run, place: int) -> list[dict[str, object]]:
    """Return the drawn volunteers as rows for a file."""
    return [
        {
            "x1": float(run.points[i, 0]),
            "x2": float(run.points[i, 1]),
            "label": 1 if run.labels[i] else -1,
            "like the population": bool(run.good[i]),
            "weight": float(run.weights[place][i]),
        }
        for i in range(len(run.points))
    ]
