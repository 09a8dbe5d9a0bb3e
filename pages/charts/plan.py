"""What would help, and what is not known: both answers along a lever, by site, over ranges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts import theme
from pages.charts.curves import answers
from pages.charts.words import labels, number, percent
from rates.fit import Effect, Envelope
from rates.plan import LeverCurve
from rates.split import Taps

if TYPE_CHECKING:  # the first page draws figures of plans, and no pilot's
    from sims.calibration import Calibration

POINTS = 121


def grid(low: float, high: float, points: int = POINTS) -> NDArray[np.float64]:
    """Return values of a lever on a log scale."""
    return np.geomspace(low, high, points)


def along(
    curve: LeverCurve,
    *,
    label: str,
    now: float,
    enough: Sequence[float],
    by_equation: float,
    needed: float | None,
    **words: Any,
) -> charts.Figure:
    """Return what a study is worth along one lever, by both answers.

    Args:
        curve: Both answers on a grid.
        label: Name of the horizontal axis.
        now: The lever today.
        enough: Where the mechanism reaches the goal, over its constants.
        by_equation: The same by the rate equation; not drawn where it is today's or not finite.
        needed: Effective records that are aimed at; None where that depends on the answer.
        **words: Title (the finding) and caption.
    """
    seen = [float(v) for v in (*curve.equation, *curve.mechanism.ravel()) if 0 < v < math.inf]
    # What is aimed at is seen even where nothing reaches it.
    span = charts.around([*seen, *([needed] if needed else [])], 1.3)
    dash, upright = "dashdot", [(now, "Today", charts.GREY, "dot")]
    upright += [(at, "Enough, mechanism", charts.MECHANISM, dash) for at in enough if at != now]
    if by_equation != now:
        upright.append((by_equation, "Enough, equation", charts.EQUATION, dash))
    lines, up = (curve.values, curve.mechanism, curve.equation), "Effective records"
    level = [(needed, "Needed", charts.GREY, dash)] if needed else []
    words |= {"name": "lever"} | charts.room(470, 140)
    axis = charts.log_axis(up, span)
    return answers(lines, label, axis, "%{x:.3g}: %{y:.3g}", upright, level, **words)


def _rows(names: Iterable[str]) -> charts.Fields:
    """Return the axis of rows of `charts.ranged`, half a row away from both ends."""
    listed = list(names)
    return charts.named(listed, span=(-0.6, len(listed) - 0.4))


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
    # Pipes stand apart on the left and touch on the right, where they add up.
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
    ticks_of: charts.Fields = {"ticks": (middles, ticks), "automargin": True}
    return charts.plot(
        marks,
        charts.axis(visible=False, span=(0.0, 1.0)),
        charts.axis(showgrid=False, zeroline=False, **ticks_of),
        {"site": list(names), "adds": adds, "records gained by twice its budget": gains},
        title=f"All sites together are worth {number(whole)} effective records",
        height=120 + 52 * len(adds),
        showlegend=False,
        alt=f"What each site adds, in effective records: {'; '.join(told)}.",
        **words,
    )


# What is not known ----------------------------------------------------------------------------

MOST_BARS = 12
_COST = "Error × no privacy"
Ends = tuple[float, float]


def envelope_figure(result: Envelope, here: Sequence[Ends], *, title: str) -> charts.Figure:
    """Return two panels of intervals: the sample kept, and the error against no privacy.

    Args:
        result: The envelope.
        here: Per answer, both values at the parameters of the Study page.
        title: The finding.
    """
    both = zip((result.equation, result.mechanism), theme.ANSWERS, strict=True)
    shown = [(spread, *look[:3]) for spread, look in both if spread]
    names, panels = [name for _, name, *_ in shown], (("Sample kept", percent), (_COST, number))
    marks: list[charts.Fields] = []
    axes = []
    for panel, (title_of, text) in enumerate(panels, 1):
        spans = [
            (s.cost.low, s.cost.high) if panel - 1 else (s.kept.low, s.kept.high) for s, *_ in shown
        ]
        for span, (_, name, colour, symbol) in zip(spans, shown, strict=True):
            row: charts.Fields = {"xaxis": charts.nth("x", panel), "extra": ""}
            marks.append(charts.ranged({name: span}, None, colour, symbol, 11, text, **row))
        at = [pair[panel - 1] for pair in here]
        look = ("As under What it costs", "line-ns-open", 26, charts.GREY, {"width": 3})
        row |= {"showlegend": panel == 1, "hover": "Under What it costs: %{x:.3g}"}
        marks.append(charts.dots(at, names, *look, **row))
        axes.append(_panel(title_of, [x for span in (*spans, at) for x in span], panel, text))
    return charts.plot(
        marks,
        axes,
        _rows(names),
        title=title,
        **charts.room(190 + 45 * len(names), 80, 76),
        name="ranges",
        caption="From the best to the worst case over the ranges. Sample kept: what the records "
        "are worth, as a fraction of their worth without privacy.",
    )


def _panel(
    title: str, values: Sequence[float], panel: int, text: Callable[[float], str]
) -> charts.Fields:
    """Return the axis of a panel with at most four ticks, so that a phone shows them."""
    low, high = min(x for x in values if x > 0), max(x for x in values if math.isfinite(x))
    ends, part = (low / 1.3, max(high * 1.3, low * 2.0)), (0.53 * panel - 0.53, 0.53 * panel - 0.06)
    every, _ = charts.log_ticks(*ends)
    # More than four labels of a panel run into each other on a phone.
    few = every[:: max(1, math.ceil(len(every) / 4))]
    ticks = few, [text(x) for x in few]
    return charts.log_axis(title, ends, ticks=ticks, domain=part)


def ranking_figure(effects: Sequence[Effect], names: Sequence[str], *, title: str) -> charts.Figure:
    """Return how much each unknown moves the rate by itself, largest first.

    Args:
        effects: From `rates.fit.envelope`.
        names: What each is called.
        title: The finding.
    """
    ends_of = [(1.0, math.exp(e.log_range)) for e in effects[:MOST_BARS]]
    spans = dict(zip(labels(names[:MOST_BARS], 34), ends_of, strict=True))
    texts = [text for _, f in spans.values() for text in ("", f"× {number(f)}", "")]
    more: charts.Fields = {"text": texts, "textposition": "middle right"}
    mark = charts.ranged(spans, None, theme.COLOURS[theme.MIXED], "circle", 10, **more)
    # The words at the end of the longest row need room on the axis itself.
    ends = (1.0, 1.5 * max(2.0, *(factor for _, factor in spans.values())) ** 1.3)
    return charts.plot(
        [mark],
        charts.log_axis("Factor on the rate", ends),
        _rows(spans),
        title=title,
        **charts.room(140 + 30 * len(spans), 10),
        showlegend=False,
        name="unknowns",
        caption="The worst-case rate between the two ends of one range, the other unknowns in "
        "the middle of theirs, by the rate equation.",
    )


def rivals_figure(worth: Mapping[str, Sequence[Ends | None]], *, title: str) -> charts.Figure:
    """Return one row per design: what it is worth by either answer.

    Args:
        worth: By design, least and largest worth in unprotected records by the rate equation and
            by the named mechanism; None where nothing can be computed.
        title: The finding.
    """
    marks: list[charts.Fields] = []
    for place, (answer, colour, symbol, _) in enumerate(theme.ANSWERS):
        known = {name: span for name, both in worth.items() if (span := both[place])}
        # A logarithmic axis shows no other ones.
        spans = {name: s for name, s in known.items() if s[0] > 0.0 and math.isfinite(s[1])}
        if spans:
            marks.append(charts.ranged(spans, answer, colour, symbol, 10))
    ends = charts.around([x for mark in marks for x in mark["x"] if x is not None] or [1.0], 1.3)
    return charts.plot(
        marks,
        charts.log_axis("Worth, unprotected records", ends),
        _rows(worth),
        title=title,
        **charts.room(150 + 30 * len(worth), 96),
        name="alternatives",
        caption="Worth by the rate equation holds up to a constant, by the named mechanism with "
        "its constants. In house: own records without noise, the same as doing nothing.",
    )


def calibration_figure(found: Calibration, *, y_title: str, **words: Any) -> charts.Figure:
    """Return every setting that was tried, and C times the rate where it was fitted."""
    marks: list[charts.Fields] = []
    told = [t for t in found.settings if t.risk > 0 and t.rate > 0]
    for name, symbol, colour, out in (
        ("In the fit", "circle", charts.MECHANISM, False),
        ("Left out", "x", charts.GREY, True),
    ):
        if at := [t for t in told if bool(t.left_out) == out]:
            texts = [_setting(t.records, t.budget) for t in at]
            more: charts.Fields = {"hovertext": texts, "extra": ""}
            more["hover"] = "%{hovertext}<br>rate %{x:.3g}, risk %{y:.3g}"
            x, y = [t.rate for t in at], [t.risk for t in at]
            marks.append(charts.dots(x, y, name, symbol, colour=colour, **more))
    if found.constant is not None and found.rates[0] > 0:
        value, ends = found.constant.value, list(found.rates)
        name, colour = f"{number(value)} × rate", theme.COLOURS[theme.MIXED]
        marks.append(charts.line(ends, [value * rate for rate in ends], name, colour, "dash"))
    x_axis, y_axis = (
        charts.log_axis(title, charts.around(values or [1.0], 1.2), fit=True, automargin=True)
        for title, values in (
            ("Rate of the named mechanism", [t.rate for t in told]),
            (y_title, [t.risk for t in told]),
        )
    )
    space = charts.room(330, 90)
    return charts.plot(marks, x_axis, y_axis, **space, name="calibration", **words)


def _setting(records: float, budget: float) -> str:
    protected = f"{number(budget)} × budgets" if math.isfinite(budget) else "no privacy"
    return f"{number(records)} × records, {protected}"
