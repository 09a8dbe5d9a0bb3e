"""One look for one meaning on every page; never colour alone."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from pages.figures.chart.words import number

PRIVACY, SAMPLE, NONE, MIXED = "privacy", "sample", "none", "mixed"
COLOURS = {PRIVACY: "#d1682b", SAMPLE: "#3b82c4", NONE: "#8a94a3", MIXED: "#6d7683"}
HATCHES = {PRIVACY: "/", SAMPLE: "", NONE: ".", MIXED: "x"}
LIMITS = {
    PRIVACY: "privacy binds",
    SAMPLE: "sampling binds",
    NONE: "nothing to contribute",
    MIXED: "several rows together",
}
TARGET_MARK, SOURCE_MARK = "◆", "○"
GREY = COLOURS[NONE]
LOOKS = (  # colour, marker, dash of the theory
    ("#7b4fb5", "circle", "solid"),
    ("#1b8a7a", "diamond", "dash"),
    ("#d1682b", "square", "dashdot"),
    ("#3b82c4", "triangle-up", "longdash"),
    ("#b8476f", "cross", "longdashdot"),
    ("#8a7a1f", "star", "dash"),
    ("#6d7683", "triangle-down", "dot"),
    ("#4a6fe3", "pentagon", "solid"),
    ("#5d9c3b", "hexagram", "dash"),
    ("#c0392b", "x", "dashdot"),
    ("#9b6bcc", "bowtie", "longdash"),
    ("#2f6f6a", "hourglass", "longdashdot"),
)
EQUATION, MECHANISM = "#3b82c4", "#d1682b"
RULE = "rgba(128,128,128,0.9)"
CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "select2d"]}


def look(place: int) -> tuple[str, str, str]:
    """Return colour, marker and dash of a series."""
    return LOOKS[place % len(LOOKS)]


def figure(traces: list[dict], layout: dict, *, title: str) -> go.Figure:
    """Make a figure from plain data with the common font, title and spacing.

    Plain data is checked once, as a whole, which is several times faster than adding
    traces one by one.
    """
    common = {
        "title": {"text": title, "font": {"size": 15}, "x": 0, "xanchor": "left"},
        "margin": {"l": 10, "r": 10, "t": 64 if title else 30, "b": 10},
        "hoverlabel": {"align": "left"},
        "bargap": 0.35,
    }
    return go.Figure({"data": traces, "layout": {**common, **layout}})


def log_ticks(a: float, b: float) -> dict:
    """Return ticks for a log axis from a to b: decades, 1-3, 1-2-5, or even steps, as they fit.

    >>> log_ticks(0.9, 60)["ticktext"], log_ticks(9, 13)["ticktext"]
    (['1', '2', '5', '10', '20', '50'], ['9', '10', '11', '12', '13'])
    """
    low, high = sorted((math.log10(a), math.log10(b)))
    span = high - low
    parts = (1, 2, 5) if span <= 2.2 else (1, 3) if span <= 3.5 else (1,)
    step = max(1, math.ceil(span / 8))
    decades = range(math.floor(low), math.ceil(high) + 1)
    values = [float(f"{part}e{k}") for k in decades if k % step == 0 for part in parts]
    if span < 0.9:
        width = (10**high - 10**low) / 5
        size = 10.0 ** math.floor(math.log10(width))
        even = next(size * part for part in (1, 2, 5, 10) if size * part >= width)
        first = math.floor(10**low / even)
        values = [even * k for k in range(max(first, 1), first + 8)]
    shown = [v for v in values if low - 1e-9 <= math.log10(v) <= high + 1e-9]
    return {"tickmode": "array", "tickvals": shown, "ticktext": [number(v) for v in shown]}
