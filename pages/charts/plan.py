"""The rate along a lever, and two designs along their budgets: both answers on one figure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts import theme
from pages.charts.budget import answers
from pages.charts.words import labels, number, signed_percent
from rates.plan import LeverCurve, ScaleCurve, SiteValue, VersusCurve
from rates.split import Frontier, Taps

POINTS = 121
MOST_MARKS = 12
MOST_SITES = 16
VALUES = (
    "Left end: what the effective sample loses without a site; right end: what one more like it "
    "adds. A row with a count is left out as a whole, and one site of its kind is added."
)


def grid(low: float, high: float, points: int = POINTS) -> NDArray[np.float64]:
    """Return values of a lever on a log scale."""
    return np.geomspace(low, high, points)


def grown(
    curve: ScaleCurve,
    *,
    label: str,
    enough: Sequence[float],
    by_equation: float,
    needed: float | None,
    **words: Any,
) -> charts.Figure:
    """Return what a study is worth along one factor on what all of its rows have.

    Args:
        curve: Both answers on a grid of factors.
        label: Name of the horizontal axis.
        enough: Factors from which on the mechanism reaches the goal, over its constants.
        by_equation: The same by the rate equation; not drawn where it is 1 or not finite.
        needed: Effective records that are aimed at; None where that depends on the answer.
        **words: Title (the finding) and caption.
    """
    seen = [float(v) for v in (*curve.equation, *curve.mechanism.ravel()) if 0 < v < math.inf]
    span = charts.around([*seen, *([needed] if needed else [])], 1.3)
    dash, upright = "dashdot", [(1.0, "Today", charts.GREY, "dot")]
    upright += [(at, "Enough, mechanism", charts.MECHANISM, dash) for at in enough if at != 1.0]
    if by_equation > 1.0:
        upright.append((by_equation, "Enough, equation", charts.EQUATION, dash))
    lines, up = (curve.factors, curve.mechanism, curve.equation), "Effective records"
    level = [(needed, "Needed", charts.GREY, dash)] if needed else []
    words |= {"name": "lever"} | charts.room(470, 140)
    axis = charts.log_axis(up, span, fixed=True)
    return answers(lines, label, axis, "%{x:.3g}: %{y:.3g}", upright, level, **words)


def along(
    curve: LeverCurve,
    *,
    label: str,
    where: str,
    target: float,
    by_equation: float,
    now: float,
    marks: Sequence[charts.Curve],
    **words: Any,
) -> charts.Figure:
    """Return the rate over today's along a lever, by both answers.

    Args:
        curve: Both answers on a grid.
        label: Name of the horizontal axis.
        where: Of which site the lever is, after its name on the axis.
        target: The rate wanted, over today's.
        by_equation: The same by the rate equation, drawn where it is another one below 1.
        now: The lever today.
        marks: Points where the target is met.
        **words: Title (the finding) and caption.
    """
    lines = curve.mechanism[None][: not curve.missing]
    seen = [x for x in (*curve.equation, *lines.ravel()) if math.isfinite(x)]
    top = 1.08 * min(max(1.0, target, *seen), 3.0)
    level = [(target, "Target", charts.GREY, "dashdot")]
    if by_equation < 1 and not math.isclose(by_equation, target, rel_tol=1e-9):
        level.append((by_equation, "Target, equation", charts.EQUATION, "dashdot"))
    axis = charts.Axis(title="Rate over today's", span=(0, top), fixed=True)
    words |= {"name": "lever"} | charts.room(470, 140)
    today, hover = [(now, "Today", charts.GREY, "dot")], "%{x:.3g}: %{y:.3g} of today's"
    both = (curve.values, lines, curve.equation)
    return answers(both, f"{label}{where}", axis, hover, today, level, marks, **words)


def mark(name: str, x: float, y: float, *, mechanism: bool) -> charts.Curve:
    """Return a point on one of the two lines of `along`."""
    _, colour, shape, _ = theme.ANSWERS[mechanism]
    return charts.dots([x], [y], name, shape, 12, colour, charts.Stroke(width=1), hover="%{x:.4g}")


_MARKED = ((), ("circle-open", "diamond-open"), ("square-open", "square-open"), ("x", "x"))


def designs(curve: VersusCurve, *, label: str, **words: Any) -> charts.Figure:
    """Return the effective samples of up to four designs along one change of all, by both answers.

    Args:
        curve: The designs along common factors.
        label: Name of the horizontal axis.
        **words: Title (the finding) and caption.
    """
    x, marks, both = curve.factors, [], (curve.equation, curve.mechanism)
    for k, name in enumerate("ABCD"[: len(curve.equation)]):
        for way, (answer, colour, _, dash) in enumerate(theme.ANSWERS):
            if not np.isfinite(both[way][k]).any():
                continue
            symbol = _MARKED[k][way] if k else "circle-open"
            dots = charts.Dots(symbol=symbol, size=9, colour=colour, most=MOST_MARKS, shown=k > 0)
            told: charts.Fields = {"hover": "%{x:.3g}: %{y:.3g}"}
            told["extra"] = f"{name}, {answer.lower()}"
            line = (both[way][k], f"Design {name}, {answer.lower()}", colour, dash, 2.5)
            marks.append(charts.line(x, *line, dots=dots, **told))
    found = [y for mark in marks for y in mark.y if 0 < y < math.inf]
    return charts.plot(
        marks,
        charts.log_axis(label, (float(x[0]), float(x[-1])), fit=True, fixed=True),
        charts.log_axis("Effective records", charts.around(found, 1.3), fixed=True),
        **charts.room(440, 130) if len(curve.equation) < 3 else charts.room(520, 210),
        name="designs",
        **words,
    )


def ranked(found: Sequence[SiteValue]) -> list[SiteValue]:
    """The sites, the one first that the study loses most without by the mechanism."""
    named = not any(math.isnan(x.kept_mechanism) for x in found)
    return sorted(found, key=lambda x: x.kept_mechanism if named else x.kept)


def of_values(found: Sequence[SiteValue]) -> charts.Figure:
    """What is lost without each site, and gained by one more like it, as a span around today."""
    missing, first = any(math.isnan(x.kept_mechanism) for x in found), ranked(found)
    few = first[:MOST_SITES]
    shown = dict(zip(labels([x.name for x in few]), few, strict=True))
    marks = []
    parts = ("",) if missing else ("", "_mechanism")
    for part, (answer, colour, symbol, _) in zip(parts, theme.ANSWERS, strict=False):
        spans = {
            name: (getattr(v, f"kept{part}") - 1.0, getattr(v, f"joined{part}") - 1.0)
            for name, v in shown.items()
        }
        marks.append(charts.ranged(spans, answer, colour, symbol, 10, signed_percent))
    known = [x for mark in marks for x in mark.x if x is not None and math.isfinite(x)]
    low, high = min(-0.05, *known), max(0.05, *known)
    room, title = 0.06 * (high - low), "Effective sample: without it, with one more like it"
    axis: charts.Fields = {"share": True, "span": (low - room, high + room), "zero": True}
    return charts.plot(
        marks,
        charts.Axis(title=title, fixed=True, **axis),
        charts.named(list(shown), span=(-0.6, len(shown) - 0.4)),
        **charts.room(190 + 30 * len(shown), 120),
        title=f"{charts.label(first[0].name)} matters most",
        name="values",
        caption=VALUES,
    )


def frontier(lines: Sequence[tuple[str, Frontier]], **words: Any) -> charts.Figure:
    """Return the effective sample that a cost buys at least: points that are exact, and steps.

    Args:
        lines: "rate equation" or "named mechanism", and its points.
        **words: Title (the finding) and caption.
    """
    marks = []
    for name, line in lines:
        _, colour, symbol, dash = theme.ANSWERS[name != "rate equation"]
        cost = [0.0, *(p.mix.cost for p in line.points)]
        worth = [line.now, *(p.effective_n for p in line.points)]
        look: charts.Fields = {"hover": "%{x:.4g} buys %{y:.3g}", "extra": name}
        look["stroke"] = charts.Stroke(colour, 2, dash, steps="hv")
        look["dots"] = charts.Dots(symbol=symbol, size=9, colour=colour)
        marks.append(charts.Curve(x=cost, y=worth, name=name.capitalize(), **look))
    most = max(x for mark in marks for x in mark.x)
    seen = charts.around([y for mark in marks for y in mark.y], 1.3)
    return charts.plot(
        marks,
        charts.Axis(title="Cost", span=(-0.03 * most, 1.05 * most), fixed=True),
        charts.log_axis("Effective records", seen, fixed=True),
        **charts.room(430, 120),
        name="frontier",
        **words,
    )


_APART, _BENDS = 0.13, 33  # of pipes: from one to the next, over all they add; points of an edge


def pipes(found: Taps, names: Sequence[str], silent: Sequence[str], **words: Any) -> charts.Figure:
    """Return what each site adds as a pipe of that width, all merging into one.

    Args:
        found: What each adds.
        names: Of the sites.
        silent: Why the budget of a site cannot be doubled; empty where it can.
        **words: Name.
    """
    adds, whole = found.adds[0], float(found.adds[0].sum())
    gains = [float(found.adds[step].sum()) - whole for step in found.steps]
    across, apart = np.linspace(0.0, 1.0, _BENDS), _APART * whole
    bend = 0.5 - 0.5 * np.cos(np.pi * across)
    starts = itertools.accumulate(adds, lambda at, add: at + add + apart, initial=0.0)
    ends = itertools.accumulate(adds, initial=apart * (len(adds) - 1) / 2)
    marks, middles, ticks, told = [], [], [], []
    for k, start, end in zip(range(len(adds)), starts, ends, strict=False):
        amount = number(float(adds[k]))
        limit = theme.PRIVACY if found.private[0, k] else theme.SAMPLE
        edge, colour = -(start + (end - start) * bend), theme.COLOURS[limit]
        marks += charts.band(across, edge - adds[k], edge, colour)
        marks.append(charts.line(across, edge - adds[k] / 2, None, colour, width=1))  # where thin
        middles.append(float(-start - adds[k] / 2))
        ticks.append(f"{charts.label(names[k])}: {amount}, {silent[k] or theme.LIMITS[limit]}")
        more = "" if silent[k] else f", {number(gains[k])} more if its ε is doubled"
        told.append(f"{charts.label(names[k])} {amount}{more}")
    return charts.plot(
        marks,
        charts.Axis(shown=False, span=(0.0, 1.0), fixed=True),
        charts.Axis(
            ticks=charts.Ticks(middles, ticks), grid=False, zero=False, roomy=True, fixed=True
        ),
        {"site": list(names), "adds": adds, "records gained by twice its budget": gains},
        title=f"All sites together are worth {number(whole)} effective records",
        height=120 + 52 * len(adds),
        keys=False,
        alt=f"What each site adds, in effective records: {'; '.join(told)}.",
        **words,
    )
