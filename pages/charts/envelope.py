"""Answers over ranges: intervals by equation and by mechanism, and what moves the rate most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from pages import charts
from pages.charts import theme
from pages.charts.words import between, label, number, percent
from rates.fit import Effect, Envelope, Interval

MOST_BARS = 12
_PARTS = (
    ("Rate equation", charts.EQUATION, "circle"),
    ("Named mechanism", charts.MECHANISM, "diamond"),
)


def _intervals(result: Envelope) -> list[tuple[str, str, str, Interval, Interval]]:
    """Per answer: name, colour, mark, sample kept, error against no privacy."""
    spreads = [result.equation, result.mechanism]
    return [
        (name, colour, mark, spread.kept, spread.cost)
        for (name, colour, mark), spread in zip(_PARTS, spreads, strict=True)
        if spread is not None
    ]


def drawn(result: Envelope, here: Sequence[tuple[float, float]], *, title: str) -> charts.Figure:
    """Return two panels of intervals: the sample kept, and the error against no privacy.

    Args:
        result: The envelope.
        here: Per answer, both values at the parameters of the Study page.
        title: The finding.
    """
    marks: list[charts.Curve] = []
    rows = _intervals(result)
    for row, (name, colour, symbol, *parts) in enumerate(rows):
        for panel, (part, text) in enumerate(zip(parts, (percent, number), strict=True)):
            marks += [
                charts.Curve(
                    x=[part.low, part.high],
                    y=[name, name],
                    x_axis=panel + 1,
                    stroke=charts.Stroke(colour, 5),
                    dots=charts.Dots(symbol=symbol, size=11, colour=colour),
                    name=name,
                    listed=False,
                    hover=f"{name}: {between(part.low, part.high, text)}",
                    extra="",
                ),
                charts.dots(
                    [here[row][panel]],
                    [name],
                    "As on the Study page",
                    "line-ns-open",
                    26,
                    charts.GREY,
                    charts.Stroke(width=3),
                    x_axis=panel + 1,
                    group="here",
                    listed=row == 0 and panel == 0,
                    hover="On the Study page: %{x:.3g}",
                    extra="",
                ),
            ]
    titles = ("Sample kept", "Error × no privacy")
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=190 + 45 * len(rows),
        x=[_axis(rows, here, panel) for panel in range(len(titles))],
        y=charts.Axis(
            names=[row[0] for row in rows][::-1],
            fixed=True,
            roomy=True,
            span=(-0.6, len(rows) - 0.4),
        ),
        head=76,
        right=20,
        foot=80,
        legend=charts.BARE,
        notes=[
            charts.heading(t, 0.53 * panel + 0.235, left=False) for panel, t in enumerate(titles)
        ],
    )
    told = [
        f"{name}: sample kept {between(kept.low, kept.high, percent)}, error times "
        f"{between(cost.low, cost.high)}."
        for name, _, _, kept, cost in rows
    ]
    return charts.Figure(
        figure=figure,
        alt=f"Ranges of both answers. {' '.join(told)}",
        rows=_ends(result),
        name="ranges",
        caption="From the best to the worst case over the ranges. The grey stroke is the answer "
        "for the parameters of the Study page. Sample kept: what the records are worth, as a "
        "fraction of their worth without privacy. Both axes are logarithmic.",
    )


def _axis(
    rows: list[tuple[str, str, str, Interval, Interval]],
    here: Sequence[tuple[float, float]],
    panel: int,
) -> charts.Axis:
    parts = [(kept, cost)[panel] for *_, kept, cost in rows]
    ends = [x for part in parts for x in (part.low, part.high)]
    ends += [pair[panel] for pair in here]
    low, high = min(x for x in ends if x > 0), max(x for x in ends if math.isfinite(x))
    part = (0.53 * panel, 0.53 * panel + 0.47)
    axis = charts.log_axis(None, (low / 1.3, max(high * 1.3, low * 2.0)), part=part, fixed=True)
    assert axis.ticks is not None
    return replace(axis, ticks=_few(axis.ticks.values, panel == 0))


def _few(values: Sequence[float], share: bool) -> charts.Ticks:
    """At most four ticks, so that a phone can show them."""
    kept = values[:: max(1, math.ceil(len(values) / 4))]
    return charts.Ticks(kept, [percent(x) if share else number(x) for x in kept])


def _ends(result: Envelope) -> list[dict[str, object]]:
    """The ends of every interval, with where they are attained."""
    spreads = (("rate equation", result.equation), ("named mechanism", result.mechanism))
    return [
        {
            "answer": name,
            "quantity": quantity,
            "end": end,
            "value": value,
            "evidence": part.evidence,
            "smoothness": where[0],
            "margin": where[1],
            "signal exponents": " ".join(f"{x:.6g}" for x in where[2:]),
        }
        for name, spread in spreads
        if spread is not None
        for quantity, part in (("rate", spread.rate), ("kept", spread.kept), ("cost", spread.cost))
        for end, value, where in (("low", part.low, part.at_low), ("high", part.high, part.at_high))
    ]


def ranking(effects: Sequence[Effect], names: Sequence[str]) -> charts.Figure:
    """Return how much each unknown moves the rate by itself, largest first.

    Args:
        effects: From `rates.envelope`.
        names: What each is called.
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
    figure = charts.Chart(
        marks=[bars],
        title=f"{names[0][0].upper()}{names[0][1:]} moves the rate most",
        head=64,
        height=120 + 30 * len(shown),
        legend=None,
        keys=False,
        x=charts.Axis(shown=False, span=(0, max([*lengths, math.log10(2.0)]) * 1.25), fixed=True),
        y=charts.Axis(names=texts[::-1], fixed=True, roomy=True),
    )
    parts = (f"{name}: factor {number(f)}" for (_, name), f in zip(shown, factors, strict=True))
    return charts.Figure(
        figure=figure,
        alt=f"How much each unknown moves the rate. {', '.join(parts)}.",
        rows=[
            {
                "unknown": e.name,
                "rate at lower end": e.low,
                "rate at upper end": e.high,
                "log range": e.log_range,
            }
            for e in effects
        ],
        name="unknowns",
        caption="The worst-case rate between the two ends of one range, the other unknowns in "
        "the middle of theirs, by the rate equation.",
    )
