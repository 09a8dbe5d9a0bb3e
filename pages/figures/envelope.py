"""Answers over ranges: intervals by equation and by mechanism, and what moves the rate most."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from pages.figures.budget import EQUATION, MECHANISM
from pages.figures.chart import label, number, percent, span, theme
from rates.fit import Effect, Envelope, Interval

MOST_BARS = 12
_PARTS = (("Rate equation", EQUATION, "circle"), ("Named mechanism", MECHANISM, "diamond"))


def _intervals(result: Envelope) -> list[tuple[str, str, str, Interval, Interval]]:
    """Per answer: name, colour, mark, sample kept, error against no privacy."""
    spreads = [result.equation, result.mechanism]
    return [
        (name, colour, mark, spread.kept, spread.cost)
        for (name, colour, mark), spread in zip(_PARTS, spreads, strict=True)
        if spread is not None
    ]


def figure(result: Envelope, here: Sequence[tuple[float, float]], *, title: str) -> go.Figure:
    """Draw two panels of intervals: the sample kept, and the error against no privacy.

    Args:
        result: The envelope.
        here: Per answer, both values at the parameters of the Study page.
        title: The finding.
    """
    traces: list[dict] = []
    rows = _intervals(result)
    for row, (name, colour, mark, kept, cost) in enumerate(rows):
        for panel, part in enumerate((kept, cost)):
            axis = "x2" if panel else "x"
            text = percent if panel == 0 else number
            traces.append(
                {
                    "x": [part.low, part.high],
                    "y": [name, name],
                    "xaxis": axis,
                    "mode": "lines+markers",
                    "line": {"color": colour, "width": 5},
                    "marker": {"symbol": mark, "size": 11, "color": colour},
                    "name": name,
                    "showlegend": False,
                    "hovertemplate": f"{name}: {span(text(part.low), text(part.high))}"
                    "<extra></extra>",
                }
            )
            traces.append(
                {
                    "x": [here[row][panel]],
                    "y": [name],
                    "xaxis": axis,
                    "mode": "markers",
                    "marker": {
                        "symbol": "line-ns-open",
                        "size": 26,
                        "line": {"width": 3},
                        "color": theme.COLOURS[theme.NONE],
                    },
                    "name": "As on the Study page",
                    "legendgroup": "here",
                    "showlegend": row == 0 and panel == 0,
                    "hovertemplate": "On the Study page: %{x:.3g}<extra></extra>",
                }
            )
    return theme.figure(traces, _layout(rows, here), title=title)


def _layout(
    rows: list[tuple[str, str, str, Interval, Interval]], here: Sequence[tuple[float, float]]
) -> dict:
    layout: dict = {
        "height": 190 + 45 * len(rows),
        "yaxis": {
            "categoryorder": "array",
            "categoryarray": [row[0] for row in rows][::-1],
            "fixedrange": True,
            "automargin": True,
            "range": [-0.6, len(rows) - 0.4],
        },
        "margin": {"l": 10, "r": 20, "t": 76, "b": 80},
        "legend": {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"},
        "annotations": [],
    }
    titles = ("Sample kept", "Error × no privacy")
    for panel, text in enumerate(titles):
        ends = [x for row in rows for x in (row[3 + panel].low, row[3 + panel].high)]
        ends += [pair[panel] for pair in here]
        low, high = min(x for x in ends if x > 0), max(x for x in ends if math.isfinite(x))
        low, high = (low / 1.3, max(high * 1.3, low * 2.0))
        axis = {
            "type": "log",
            "domain": [0.53 * panel, 0.53 * panel + 0.47],
            "range": [math.log10(low), math.log10(high)],
            "fixedrange": True,
            **theme.log_ticks(low, high),
        }
        axis["tickvals"], axis["ticktext"] = _few(axis["tickvals"], panel == 0)
        layout[f"xaxis{panel + 1}" if panel else "xaxis"] = axis
        layout["annotations"].append(
            {
                "text": text,
                "x": 0.53 * panel + 0.235,
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "center",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 13},
            }
        )
    return layout


def _few(values: list[float], share: bool) -> tuple[list[float], list[str]]:
    """At most four ticks, so that a phone can show them."""
    step = max(1, math.ceil(len(values) / 4))
    kept = values[::step]
    return kept, [percent(x) if share else number(x) for x in kept]


def alt(result: Envelope) -> str:
    """Say in words what the intervals show."""
    parts = []
    for name, _, _, kept, cost in _intervals(result):
        shown = span(percent(kept.low), percent(kept.high))
        factor = span(number(cost.low), number(cost.high))
        parts.append(f"{name}: sample kept {shown}, error times {factor}.")
    return "Ranges of both answers. " + " ".join(parts)


def csv_rows(result: Envelope) -> list[dict[str, object]]:
    """The ends of every interval, with where they are attained."""
    out: list[dict[str, object]] = []
    spreads = (("rate equation", result.equation), ("named mechanism", result.mechanism))
    for name, spread in spreads:
        if spread is None:
            continue
        for quantity in ("rate", "kept", "cost"):
            part: Interval = getattr(spread, quantity)
            for end, value, where in (
                ("low", part.low, part.at_low),
                ("high", part.high, part.at_high),
            ):
                out.append(
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
                )
    return out


def ranking(effects: Sequence[Effect], names: Sequence[str], *, title: str) -> go.Figure:
    """Draw how much each unknown moves the rate by itself, largest first.

    Args:
        effects: From `rates.fit.extremes`.
        names: What each is called.
        title: The finding.
    """
    shown = list(zip(effects, names, strict=True))[:MOST_BARS]
    texts = [label(name, 34) for _, name in shown]
    factors = [math.exp(e.log_range) for e, _ in shown]
    trace = {
        "type": "bar",
        "orientation": "h",
        "x": [math.log10(f) for f in factors],
        "y": texts,
        "text": [f"× {number(f)}" for f in factors],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": theme.COLOURS[theme.MIXED]},
        "hovertemplate": "%{y}: %{text}<extra></extra>",
    }
    top = max([math.log10(f) for f in factors] + [math.log10(2.0)]) * 1.25
    layout = {
        "height": 120 + 30 * len(shown),
        "showlegend": False,
        "yaxis": {
            "categoryorder": "array",
            "categoryarray": texts[::-1],
            "fixedrange": True,
            "automargin": True,
        },
        "xaxis": {"visible": False, "range": [0, top], "fixedrange": True},
    }
    return theme.figure([trace], layout, title=title)


def ranking_alt(effects: Sequence[Effect], names: Sequence[str]) -> str:
    """Say in words what the bars show."""
    shown = list(zip(effects, names, strict=True))[:MOST_BARS]
    parts = (f"{name}: factor {number(math.exp(e.log_range))}" for e, name in shown)
    return f"How much each unknown moves the rate. {', '.join(parts)}."


def ranking_rows(effects: Sequence[Effect]) -> list[dict[str, object]]:
    """The plotted numbers."""
    return [
        {
            "unknown": e.name,
            "rate at lower end": e.low,
            "rate at upper end": e.high,
            "log range": e.log_range,
        }
        for e in effects
    ]
