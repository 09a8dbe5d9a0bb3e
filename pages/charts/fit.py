"""Answers over ranges, a study beside its rivals, and risk against the calibrated rate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pages import charts
from pages.charts import theme
from pages.charts.chart import log_ticks
from pages.charts.words import labels, number, percent
from rates.fit import Effect, Envelope
from sims.calibration import Calibration

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
    marks: list[charts.Curve] = []
    axes = []
    for panel, (title_of, text) in enumerate(panels, 1):
        spans = [
            (s.cost.low, s.cost.high) if panel - 1 else (s.kept.low, s.kept.high) for s, *_ in shown
        ]
        for span, (_, name, colour, symbol) in zip(spans, shown, strict=True):
            row: charts.Fields = {"x_axis": panel, "extra": ""}
            marks.append(charts.ranged({name: span}, None, colour, symbol, 11, text, **row))
        at = [pair[panel - 1] for pair in here]
        look = ("As under What it costs", "line-ns-open", 26, charts.GREY, charts.Stroke(width=3))
        row |= {"listed": panel == 1, "hover": "Under What it costs: %{x:.3g}"}
        marks.append(charts.dots(at, names, *look, **row))
        axes.append(_axis(title_of, [x for span in (*spans, at) for x in span], panel, text))
    return charts.plot(
        marks,
        axes,
        charts.named(names, span=(-0.6, len(names) - 0.4)),
        title=title,
        **charts.room(190 + 45 * len(names), 80, 76),
        name="ranges",
        caption="From the best to the worst case over the ranges. Sample kept: what the records "
        "are worth, as a fraction of their worth without privacy.",
    )


def _axis(
    title: str, values: Sequence[float], panel: int, text: Callable[[float], str]
) -> charts.Axis:
    """Return the axis of a panel with at most four ticks, so that a phone shows them."""
    low, high = min(x for x in values if x > 0), max(x for x in values if math.isfinite(x))
    ends, part = (low / 1.3, max(high * 1.3, low * 2.0)), (0.53 * panel - 0.53, 0.53 * panel - 0.06)
    every = log_ticks(*ends).values
    few = every[:: max(1, math.ceil(len(every) / 4))]
    ticks = charts.Ticks(few, [text(x) for x in few])
    return charts.log_axis(title, ends, ticks=ticks, part=part, fixed=True)


def ranking_figure(effects: Sequence[Effect], names: Sequence[str], *, title: str) -> charts.Figure:
    """Return how much each unknown moves the rate by itself, largest first.

    Args:
        effects: From `rates.envelope`.
        names: What each is called.
        title: The finding.
    """
    ends_of = [(1.0, math.exp(e.log_range)) for e in effects[:MOST_BARS]]
    spans = dict(zip(labels(names[:MOST_BARS], 34), ends_of, strict=True))
    texts = [text for _, f in spans.values() for text in ("", f"× {number(f)}", "")]
    mark = charts.ranged(spans, None, theme.COLOURS[theme.MIXED], "circle", 10)
    ends = (1.0, 1.5 * max(2.0, *(factor for _, factor in spans.values())) ** 1.3)  # and words
    return charts.plot(
        [replace(mark, words=charts.Words(texts=texts, at="middle right"))],
        charts.log_axis("Factor on the rate", ends, fixed=True),
        charts.named(list(spans), span=(-0.6, len(spans) - 0.4)),
        title=title,
        **charts.room(140 + 30 * len(spans), 10),
        keys=False,
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
    marks: list[charts.Curve] = []
    for place, (answer, colour, symbol) in enumerate(look[:3] for look in theme.ANSWERS):
        # A logarithmic axis shows no other ones.
        spans = {
            name: span
            for name, both in worth.items()
            if (span := both[place]) and span[0] > 0.0 and math.isfinite(span[1])
        }
        if spans:
            marks.append(charts.ranged(spans, answer, colour, symbol, 10))
    ends = charts.around([x for mark in marks for x in mark.x if x is not None] or [1.0], 1.3)
    return charts.plot(
        marks,
        charts.log_axis("Worth, unprotected records", ends, fixed=True),
        charts.named(list(worth), span=(-0.6, len(worth) - 0.4)),
        title=title,
        **charts.room(150 + 30 * len(worth), 96),
        name="alternatives",
        caption="Worth by the rate equation holds up to a constant, by the named mechanism with "
        "its constants. In house: own records without noise, which is to do nothing.",
    )


def calibration_figure(found: Calibration, *, y_title: str, **words: Any) -> charts.Figure:
    """Return every setting that was tried, and C times the rate where it was fitted."""
    marks: list[charts.Curve] = []
    told = [t for t in found.settings if t.risk > 0 and t.rate > 0]
    for name, symbol, colour, out in (
        ("In the fit", "circle", charts.MECHANISM, False),
        ("Left out", "x", charts.GREY, True),
    ):
        if at := [t for t in told if bool(t.left_out) == out]:
            texts = [_setting(t.records, t.budget) for t in at]
            more: charts.Fields = {"words": charts.Words(texts=texts, shown=False), "extra": ""}
            more["spread"] = charts.Spread(up=[1.96 * t.stderr for t in at])
            more["hover"] = "%{text}<br>rate %{x:.3g}, risk %{y:.3g}"
            x, y = [t.rate for t in at], [t.risk for t in at]
            marks.append(charts.dots(x, y, name, symbol, colour=colour, **more))
    if found.constant is not None and found.rates[0] > 0:
        value, ends = found.constant.value, list(found.rates)
        name, colour = f"{number(value)} × rate", theme.COLOURS[theme.MIXED]
        marks.append(charts.line(ends, [value * rate for rate in ends], name, colour, "dash"))
    x_axis, y_axis = (
        charts.log_axis(title, charts.around(values or [1.0], 1.2), fit=True, roomy=True)
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
