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


def drawn(result: Envelope, here: Sequence[tuple[float, float]], *, title: str) -> charts.Figure:
    """Return two panels of intervals: the sample kept, and the error against no privacy.

    Args:
        result: The envelope.
        here: Per answer, both values at the parameters of the Study page.
        title: The finding.
    """
    spreads = zip(_PARTS, (result.equation, result.mechanism), strict=True)
    rows = [(*look, spread.kept, spread.cost) for look, spread in spreads if spread is not None]
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
        _ends(result),
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


def _axis(
    parts: Sequence[Interval], here: Sequence[tuple[float, float]], panel: int
) -> charts.Axis:
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
        title=f"{names[0][0].upper()}{names[0][1:]} moves the rate most",
        head=64,
        height=120 + 30 * len(shown),
        legend=None,
        keys=False,
        alt=f"How much each unknown moves the rate. {', '.join(parts)}.",
        name="unknowns",
        caption="The worst-case rate between the two ends of one range, the other unknowns in "
        "the middle of theirs, by the rate equation.",
    )
