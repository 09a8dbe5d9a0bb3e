"""One look for one meaning on every page; never colour alone."""

from __future__ import annotations

import plotly.graph_objects as go

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
CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "select2d"]}


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
