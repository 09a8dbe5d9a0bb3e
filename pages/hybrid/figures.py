"""Figures of the hybrid page: people asked by each way, and a run."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pages import charts
from pages.charts import number
from rates import hybrid
from sims.ks import Run, halfspaces

_FAR = 3.6
_COLUMN = 0.98  # on a narrow screen two columns overlap
_ROW = 22  # pixels of one legend row


def people(found: Sequence[hybrid.Strategy]) -> charts.Figure:
    """Return volunteers and users of every way on one logarithmic axis."""
    marks = []
    for name, key, symbol, place, at in (
        ("Volunteers", "volunteers", "circle", 0, "top center"),
        ("Local users", "users", "diamond", 2, "bottom center"),
    ):
        there = [s for s in found if 0 < getattr(s, key) < math.inf]
        xs = [getattr(s, key) for s in there]
        ys = [hybrid.STRATEGIES[s.key] for s in there]
        more: charts.Fields = {"text": [number(x) for x in xs], "textposition": at}
        more["hover"] = "%{y}: %{x:.3g}"
        marks.append(charts.dots(xs, ys, name, symbol, 12, charts.look(place)[0], **more))
    most = max([x for mark in marks for x in mark["x"]] + [hybrid.WORLD])
    names, ends = list(hybrid.STRATEGIES.values()), (30.0, 30.0 * most)
    return charts.plot(
        marks,
        charts.log_axis("People", ends),
        charts.axis(names=names, span=(len(names) - 0.5, -0.5)),
        title="People asked by each way",
        # The names of the ways leave the plot little room on a phone.
        **charts.room(440, 90, legend=110),
        name="people-asked",
    )


def volunteers(run: Run, place: int) -> charts.Figure:
    """Return volunteers sized by their weight in one round, and the rule that was learned.

    Args:
        run: The run.
        place: Index of the round.
    """
    weights, one = run.weights[place], run.rounds[place]
    marks = []
    kinds = (True, "like the population", "circle", 2), (False, "others", "square", 3)
    for good, who, symbol, colour in kinds:
        for label, name, mark in ((True, "+1", symbol), (False, "−1", f"{symbol}-open")):
            at = (run.good == good) & (run.labels == label)
            heavy = weights[at].tolist()
            xs, ys = run.points[at, 0].tolist(), run.points[at, 1].tolist()
            sizes = [2.0 + 6.0 * min(weight, 5.0) for weight in heavy]
            told: charts.Fields = {"customdata": heavy, "extra": ""}
            told["hover"] = "weight %{customdata:.2f} times the mean"
            full, ink = f"{who}, label {name}", charts.look(colour)[0]
            marks.append(charts.dots(xs, ys, full, mark, sizes, ink, **told))
    a, b, c = (float(v) for v in halfspaces()[one.rule])
    # The line a x + b y + c = 0, from its nearest point to the origin.
    xs, ys = [-a * c + s * b for s in (9.0, -9.0)], [-b * c - s * a for s in (9.0, -9.0)]
    marks.append(charts.line(xs, ys, "rule of this round", dash="dash", width=3))
    return charts.plot(
        marks,
        charts.axis("x₁", (-_FAR, _FAR)),
        charts.axis("x₂", (-_FAR, _FAR)),
        {
            "x1": run.points[:, 0],
            "x2": run.points[:, 1],
            "label": np.where(run.labels, 1, -1),
            "like the population": run.good,
            "weight": weights,
        },
        title=f"Volunteers by weight, round {place + 1} of {len(run.rounds)}",
        **charts.room(460, 60, 48, _COLUMN, more=_ROW * len(marks)),
        alt=f"{len(run.points)} volunteers, sized by weight: those like the population hold "
        f"{number(one.good)} of it. The dashed rule errs by {number(one.error)} on the population.",
        name="volunteers-by-weight",
        caption="The first of the runs. Where a rule is right a volunteer loses weight.",
    )


def rounds(run: Run) -> charts.Figure:
    """Return error, noisy test and weight of the good cluster by round."""
    stop, private = run.setup.threshold, run.setup.private
    test = "noisy test" if private else "test, without noise"
    shown = {"error on the population": "error", test: "test", "weight of the good cluster": "good"}
    along, marks = list(range(1, len(run.rounds) + 1)), []
    for place, (name, field) in enumerate(shown.items()):
        ys = [getattr(r, field) for r in run.rounds]
        marks.append(charts.series(along, ys, name, place, hover="round %{x}: %{y:.3f}"))
    return charts.plot(
        marks,
        charts.axis("Round"),
        charts.axis("Share", (0, 1.02)),
        title="Error, noisy test and weight along the rounds",
        **charts.room(370, 60, 48, _COLUMN, more=_ROW * len(marks)),
        shapes=[charts.across(stop, colour=charts.GREY)],
        name="rounds",
        caption=f"The test is passed below the dashed line, {number(stop)}. "
        f"{'The curator sees the noisy test only' if private else 'The test is the error itself'}.",
    )
