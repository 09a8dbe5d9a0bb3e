"""Figures of the hybrid page: people asked by each way, and a run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pages import charts
from pages.charts import number
from rates import hybrid
from sims.ks import Run


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
        **charts.room(370, 60, 48, charts.SINGLE, more=22 * len(marks)),
        shapes=[charts.across(stop, colour=charts.GREY)],
        name="rounds",
        caption=f"The test is passed below the dashed line, {number(stop)}. "
        f"{'The curator sees the noisy test only' if private else 'The test is the error itself'}.",
    )
