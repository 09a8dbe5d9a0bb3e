"""Answers over ranges, a study beside its rivals, and risk against the calibrated rate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pages import charts
from pages.charts import theme
from pages.charts.words import between, label, number, percent
from rates.fit import Effect, Envelope, Interval
from sims.fit import Calibration

MOST_BARS = 12
_ANSWERS = (
    ("equation", "Rate equation", charts.EQUATION, "circle"),
    ("mechanism", "Named mechanism", charts.MECHANISM, "diamond"),
)
Ends = tuple[float, float]


def envelope_figure(result: Envelope, here: Sequence[Ends], *, title: str) -> charts.Figure:
    """Return two panels of intervals: the sample kept, and the error against no privacy.

    Args:
        result: The envelope.
        here: Per answer, both values at the parameters of the Study page.
        title: The finding.
    """
    rows = [
        (*look, spread.kept, spread.cost)
        for key, *look in _ANSWERS
        if (spread := getattr(result, key)) is not None
    ]
    names = [name for name, *_ in rows]
    marks: list[charts.Curve] = []
    for row, (name, colour, symbol, *parts) in enumerate(rows):
        for panel, (part, text) in enumerate(zip(parts, (percent, number), strict=True), 1):
            ends = (part.low, part.high)
            more: charts.Fields = {"x_axis": panel, "name": name, "listed": False, "width": 5}
            more["hover"] = f"{name}: {between(*ends, text)}"
            marks.append(charts.ranged(ends, name, colour, symbol, 11, **more))
            look = ("As on the Study page", "line-ns-open", 26, charts.GREY, charts.Stroke(width=3))
            more = {"x_axis": panel, "group": "here", "listed": row == 0 and panel == 1}
            more |= {"hover": "On the Study page: %{x:.3g}", "extra": ""}
            marks.append(charts.dots([here[row][panel - 1]], [name], *look, **more))
    titles = ("Sample kept", "Error × no privacy")
    told = [
        f"{name}: sample kept {between(kept.low, kept.high, percent)}, error times "
        f"{between(cost.low, cost.high)}."
        for name, _, _, kept, cost in rows
    ]
    return charts.plot(
        marks,
        [_axis([row[-2:][panel] for row in rows], here, panel) for panel in (0, 1)],
        charts.named(names, span=(-0.6, len(rows) - 0.4)),
        _attained(result),
        title=title,
        **charts.room(190 + 45 * len(rows), 80, 76, charts.BARE),
        right=20,
        notes=[charts.heading(t, 0.53 * k + 0.235, left=False) for k, t in enumerate(titles)],
        alt=f"Ranges of both answers. {' '.join(told)}",
        name="ranges",
        caption="From the best to the worst case over the ranges. The grey stroke is the answer "
        "for the parameters of the Study page. Sample kept: what the records are worth, as a "
        "fraction of their worth without privacy. Both axes are logarithmic.",
    )


def _axis(parts: Sequence[Interval], here: Sequence[Ends], panel: int) -> charts.Axis:
    ends = [x for part in parts for x in (part.low, part.high)]
    ends += [pair[panel] for pair in here]
    low, high = min(x for x in ends if x > 0), max(x for x in ends if math.isfinite(x))
    part = (0.53 * panel, 0.53 * panel + 0.47)
    axis = charts.log_axis(None, (low / 1.3, max(high * 1.3, low * 2.0)), part=part, fixed=True)
    assert axis.ticks is not None
    values = axis.ticks.values
    few = values[:: max(1, math.ceil(len(values) / 4))]  # at most four, so that a phone shows them
    texts = [number(x) if panel else percent(x) for x in few]
    return replace(axis, ticks=charts.Ticks(few, texts))


def _attained(result: Envelope) -> list[dict[str, object]]:
    """The ends of every interval, with where they are attained."""
    return [
        {
            "answer": name.lower(),
            "quantity": quantity,
            "end": end,
            "value": value,
            "evidence": part.evidence,
            "smoothness": where[0],
            "margin": where[1],
            "signal exponents": " ".join(f"{x:.6g}" for x in where[2:]),
        }
        for key, name, *_ in _ANSWERS
        if (spread := getattr(result, key)) is not None
        for quantity, part in (("rate", spread.rate), ("kept", spread.kept), ("cost", spread.cost))
        for end, value, where in (("low", part.low, part.at_low), ("high", part.high, part.at_high))
    ]


def ranking_figure(effects: Sequence[Effect], names: Sequence[str], *, title: str) -> charts.Figure:
    """Return how much each unknown moves the rate by itself, largest first.

    Args:
        effects: From `rates.envelope`.
        names: What each is called.
        title: The finding.
    """
    shown = list(zip(effects, names, strict=True))[:MOST_BARS]
    texts = [label(name, 34) for _, name in shown]
    factors = [math.exp(e.log_range) for e, _ in shown]
    lengths = [math.log10(f) for f in factors]
    bars = charts.Bars(
        x=lengths,
        y=texts,
        texts=[f"× {number(f)}" for f in factors],
        colour=theme.COLOURS[theme.MIXED],
        hover="%{y}: %{text}",
        extra="",
    )
    parts = (f"{name}: factor {number(f)}" for (_, name), f in zip(shown, factors, strict=True))
    return charts.plot(
        [bars],
        charts.Axis(shown=False, span=(0, max([*lengths, math.log10(2.0)]) * 1.25), fixed=True),
        charts.named(texts),
        {
            "unknown": [e.name for e in effects],
            "rate at lower end": [e.low for e in effects],
            "rate at upper end": [e.high for e in effects],
            "log range": [e.log_range for e in effects],
        },
        title=title,
        head=64,
        height=120 + 30 * len(shown),
        legend=None,
        keys=False,
        alt=f"How much each unknown moves the rate. {', '.join(parts)}.",
        name="unknowns",
        caption="The worst-case rate between the two ends of one range, the other unknowns in "
        "the middle of theirs, by the rate equation.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """One design.

    Attributes:
        name: What it is called.
        equation: Least and largest worth in unprotected records, by the rate equation; None where
            nothing can be computed.
        mechanism: The same by the named mechanism.
    """

    name: str
    equation: Ends | None
    mechanism: Ends | None


def rivals_figure(parts: Sequence[Rival], *, title: str) -> charts.Figure:
    """Return one row per design: what it is worth by either answer.

    Args:
        parts: The designs, in the order of the rows.
        title: The finding.
    """
    marks: list[charts.Curve] = []
    ends: list[float] = []
    rows = [
        {"design": part.name, "answer": answer.lower(), "least": span[0], "most": span[1]}
        for part in parts
        for key, answer, *_ in _ANSWERS
        if (span := getattr(part, key)) is not None
    ]
    for key, answer, colour, symbol in _ANSWERS:
        spans = [(part.name, getattr(part, key)) for part in parts]
        # A logarithmic axis shows no other ones.
        shown = [(name, s) for name, s in spans if s and s[0] > 0.0 and math.isfinite(s[1])]
        for name, span in dict(shown).items():
            hover = f"{name}, {answer.lower()}: {between(*span)} records"
            more = {"name": answer, "group": key, "listed": name == shown[0][0]}
            marks.append(charts.ranged(span, name, colour, symbol, 10, hover=hover, **more))
            ends += span
    names = [part.name for part in parts]
    told = [
        f"{part.name}: " + " and ".join(_told(part, key, answer) for key, answer, *_ in _ANSWERS)
        for part in parts
    ]
    return charts.plot(
        marks,
        charts.log_axis(
            "Worth, unprotected records", charts.around(ends or [1.0], 1.3), fixed=True
        ),
        charts.named(names, span=(-0.6, len(names) - 0.4)),
        rows,
        title=title,
        **charts.room(150 + 30 * len(names), 96, legend=charts.BARE),
        right=20,
        alt=f"{title}. {'; '.join(told)}.",
        name="alternatives",
        caption="Worth by the rate equation holds up to a constant, by the named mechanism with "
        "its constants. In house: own records without noise, which is to do nothing. The axis is "
        "logarithmic.",
    )


def _told(part: Rival, key: str, answer: str) -> str:
    span = getattr(part, key)
    return f"{answer.lower()} {'nothing' if span is None else between(*span)}"


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
    used = [t.ratio for t in found.settings if not t.left_out]
    alt = f"Risk against calibrated rate at {len(found.settings)} settings, {len(used)} fitted."
    if found.constant is not None and used:
        alt += f" Their quotient lies between {number(min(used))} and {number(max(used))}."
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
    columns: dict[str, charts.Values] = {
        title: [getattr(t, key) for t in found.settings]
        for title, key in (
            ("times records", "records"),
            ("times budgets", "budget"),
            *((key, key) for key in ("rate", "risk", "stderr")),
            ("left out", "left_out"),
        )
    }
    space = charts.room(330, 90, legend=charts.BARE)
    return charts.plot(
        marks, x_axis, y_axis, columns, right=20, **space, alt=alt, name="calibration", **words
    )


def _setting(records: float, budget: float) -> str:
    protected = f"{number(budget)} × budgets" if math.isfinite(budget) else "no privacy"
    return f"{number(records)} × records, {protected}"
