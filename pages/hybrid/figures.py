"""People asked by each way to learn, and how they grow as volunteers get less alike."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pages import charts
from pages.charts import number, simulation
from rates import hybrid
from sims.engine import Progress

Curves = dict[str, list[tuple[float, float]]]  # by name, X and people

CLOSENESS = ("chi-square", "worst", "own")


def people(found: Sequence[hybrid.Strategy]) -> charts.Figure:
    """Return volunteers and users of every way on one logarithmic axis with yardsticks."""
    marks = []
    for name, symbol, place in (("Volunteers", "circle", 0), ("Local users", "diamond", 2)):
        asked = [s.volunteers if name == "Volunteers" else s.users for s in found]
        there = [
            (x, hybrid.STRATEGIES[s.key])
            for x, s in zip(asked, found, strict=True)
            if 0 < x < math.inf
        ]
        words = charts.Words(
            texts=[number(x) for x, _ in there],
            at="top center" if place == 0 else "bottom center",
        )
        xs, ys = [x for x, _ in there], [y for _, y in there]
        colour, hover = charts.look(place)[0], "%{y}: %{x:.3g}"
        marks.append(charts.dots(xs, ys, name, symbol, 12, colour, words=words, hover=hover))
    most = max([x for mark in marks for x in mark.x] + [hybrid.WORLD])
    figure = charts.Chart(
        marks=marks,
        title="People asked by each way",
        height=440,
        head=64,
        foot=90,
        x=charts.log_axis("People", (30.0, 30.0 * most)),
        y=charts.Axis(downwards=True, names=list(hybrid.STRATEGIES.values()), sorted_so=False),
        # The names of the ways leave the plot little room on a phone.
        legend=charts.Legend(entry=110, full=True),
        rules=[charts.upright(x) for x in hybrid.YARDSTICKS.values()],
        notes=[  # two lines of names: neighbours never touch
            charts.Note(
                text=name, x=math.log10(x), y=1.0, paper="y", above=True, shift=14 * (k % 2)
            )
            for k, (name, x) in enumerate(hybrid.YARDSTICKS.items())
        ],
    )
    parts = [
        f"{hybrid.STRATEGIES[s.key]}: {number(s.volunteers)} volunteers and {number(s.users)} users"
        for s in found
    ]
    return charts.Figure(
        figure=figure,
        alt=f"People asked by each way, logarithmic. {'; '.join(parts)}.",
        rows=[
            {
                "way": hybrid.STRATEGIES[s.key],
                "volunteers": s.volunteers,
                "users": s.users,
                "note": s.note,
            }
            for s in found
        ],
        name="people-asked",
        caption="Dotted lines are yardsticks: a hospital, a city, a country, the world.",
    )


@functools.lru_cache(maxsize=32)
def curves(design: hybrid.HybridDesign, given: hybrid.Circumstances) -> Curves:
    """Return curves of people against X: volunteers of three ways, and users of the last two."""
    out: dict[str, list[tuple[float, float]]] = {}
    for x in np.geomspace(1.0, 1e6, 61):
        for s in hybrid.strategies(replace(design, divergence=float(x)), given):
            if s.key in CLOSENESS and math.isfinite(s.people):
                # A phone's legend has no room for the whole name.
                name = hybrid.STRATEGIES[s.key].removesuffix(" and density")
                out.setdefault(f"{name}: volunteers", []).append((x, s.volunteers))
                if s.users > 0:
                    out.setdefault(f"{name}: users", []).append((x, s.users))
    return out


def closeness(
    design: hybrid.HybridDesign, given: hybrid.Circumstances, *, volunteers: float
) -> charts.Figure:
    """Return the curves with the volunteers there are, the world, and the chosen X."""
    here, found = design.divergence, curves(design, given)
    marks = []
    for place, (name, points) in enumerate(found.items()):
        xs, ys = [x for x, _ in points], [y for _, y in points]
        marks.append(charts.series(xs, ys, name, place, most=7, hover="X = %{x:.3g}: %{y:.3g}"))
    levels = [(hybrid.WORLD, "the world", "dot")]
    if volunteers > 0:
        levels.insert(0, (volunteers, f"your volunteers, {number(volunteers)}", "dash"))
    heights = [y for points in found.values() for _, y in points]
    step = charts.step((min(heights), max(heights)))
    figure = charts.Chart(
        marks=marks,
        title="People asked as volunteers get less like the population",
        height=500,
        foot=150,
        x=charts.log_axis("X, chi-square plus one", (1.0, 1e6), fit=True),
        y=charts.Axis(kind="log", title="People", powers=True, step=step),
        legend=charts.Legend(entry=0.9),
        rules=[charts.upright(here), *(charts.across(y, dash=dash) for y, _, dash in levels)],
        notes=[
            charts.Note(text=name, x=0, y=math.log10(y), paper="x", left=True, above=True)
            for y, name, _ in levels
        ],
    )
    parts = [
        f"{name} from {number(points[0][1])} at X = 1 to {number(points[-1][1])} at X = 1e6"
        for name, points in found.items()
    ]
    return charts.Figure(
        figure=figure,
        alt=f"People against X, both logarithmic. {'; '.join(parts)}.",
        rows=[
            {"curve": name, "X": float(x), "people": float(y)}
            for name, points in found.items()
            for x, y in points
        ],
        name="people-against-closeness",
        caption="The vertical line is your X. Own rounds and density do not grow with X "
        "because they are taken as known.",
    )


def sweep(
    progress: Progress,
    name: str,
    title: str,
    x_title: str,
    y_title: str,
    *,
    caption: str,
    setting: str = "records",
    letter: str = "",
    level: float | None = None,
) -> charts.Figure:
    """Return shares or errors against one setting: intervals of 95 %, and exact lines.

    Args:
        progress: What has been simulated so far.
        name: Name of its files.
        title: The finding.
        x_title: Name of the axis.
        y_title: Name of the other.
        caption: What stands below.
        setting: Which of the points' settings lies along the axis.
        letter: Its symbol.
        level: Where a grey line is drawn across; nowhere if None.
    """
    points, estimates = progress.request.points, progress.estimates
    marks: list[charts.Curve] = []
    xs = [p.settings.number(setting) for p in points]
    for place, (series, at) in enumerate(simulation.series_of(points).items()):
        colour, symbol, dash = charts.look(place)
        exact = [points[i].exact for i in at]
        if any(y is not None for y in exact):
            told: dict[str, Any] = {"hover": "%{x:.4g}: %{y:.3g}, exact", "extra": ""}
            along = [xs[i] for i in at]
            marks.append(charts.line(along, exact, f"{series}, exact", colour, dash, 1.5, **told))
        marks.append(
            charts.measured(
                [xs[i] for i in at],
                [estimates[i] for i in at],
                series,
                colour,
                ends=3,
                dots=charts.Dots(symbol=symbol, size=9, colour=colour),
                hover="%{x:.4g}: %{y:.3g}",
            )
        )
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=450,
        foot=110,
        x=charts.log_axis(f"{x_title} {letter}".strip(), charts.around(xs, 1.1)),
        y=charts.Axis(title=y_title, span=(-0.05, 1.05)),
        rules=[] if level is None else [charts.across(level)],
        kept="run",
    )
    found = simulation.told(
        simulation.scores(points, estimates, setting=setting),
        number,
        "from ",
        "no simulated points yet",
    )
    return charts.Figure(
        figure=figure,
        alt=f"Against {x_title}: {found}.",
        rows=simulation.rows(points, estimates),
        name=name,
        caption=caption,
    )
