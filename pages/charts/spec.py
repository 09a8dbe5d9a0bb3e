"""A chart as Plotly draws it."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
from plotly.basedatatypes import BaseFigure, convert_to_base64

from pages.charts import theme
from pages.charts.layout import COLUMNS, Fields
from pages.charts.svg_marks import plain, wide, wrapped

# Without the camera: it saves words that are cut where the page's font is missing.
CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "select2d", "toImage"]}
_TITLE, _ACROSS, _ENTRY = 380.0, 300.0, 100.0  # pixels for words where it is narrowest
_LINE = 18.0
_LARGEST = 1e38  # that a short number holds
_HEAD, _LEAST = 28.0, 20.0  # what the title takes, and what is left of a head for half a tick


class Sent(BaseFigure):  # type: ignore[misc]  # untyped
    """A figure as it is sent: Plotly's own checks of every field take six times as long.

    They also fail where another visitor's page is just loading pandas.
    """

    def __init__(self, chart: Fields, *, dark: bool = False) -> None:
        made = theme.dark(_made(chart)) if dark else _made(chart)
        # Arrays travel as bytes, as those of Plotly's own figures do.
        convert_to_base64(made)
        self._made: Fields = {
            "data": [{"type": "scatter"} | trace for trace in made["data"]],
            # What Plotly takes as empty it would send all the same.
            "layout": {name: said for name, said in made["layout"].items() if said != []},
        }

    def to_dict(self) -> Fields:
        """Return what is sent, with the template that is Plotly's default by then."""
        # Streamlit sets its template as the default only while it sends.
        return {**self._made, "layout": _template(pio.templates.default) | self._made["layout"]}


@functools.lru_cache(maxsize=2)
def _template(name: str) -> Fields:
    """Return what a figure's layout says of Plotly's template of a name."""
    return {"template": pio.templates[name].to_plotly_json()}


def headed(chart: Fields) -> tuple[str, Fields]:
    """Return the finding as plain text, and the chart without it, for a page that breaks lines.

    Plotly breaks none, and how wide a page is no server knows.
    """
    # The title has left, so the plot keeps its height and the figure shrinks.
    layout, margin = chart["layout"], chart["layout"]["margin"]
    head = max(margin["t"] - _HEAD, _LEAST)
    height = None if layout["height"] is None else layout["height"] - margin["t"] + head
    bare = layout | {"title": "", "margin": margin | {"t": head}, "height": height}
    return plain(layout["title"]), chart | {"layout": bare}


def figure(chart: Fields) -> go.Figure:
    """Return the figure with all its fields checked by Plotly."""
    return go.Figure(_made(chart))


def _made(chart: Fields) -> Fields:
    """Return a figure with what every figure has alike."""
    layout, quiet = chart["layout"], {"color": theme.QUIET, "size": 13}
    title = wrapped(layout["title"], _TITLE, 15, bold=False)
    more = _LINE * (len(title) - 1)
    height, margin = layout["height"], layout["margin"]
    look = {
        "title": {"text": "<br>".join(title), "font": {"size": 15}, "x": 0, "xanchor": "left"},
        "margin": margin | {"t": margin["t"] + more},
        "hoverlabel": {"align": "left"},
        "legend": _legend(chart),
        "font": quiet,
        "height": None if height is None else height + more,
    }
    for name, axis in layout.items():
        if name[1:5] == "axis":
            look[name] = axis | {"fixedrange": True, "tickfont": quiet}
            if (text := axis.get("title")) is not None:
                # An upright title may be as long as the plot is high, which nobody knows here.
                lines = wrapped(text, _ACROSS, 13, bold=False) if name[0] == "x" else [text]
                look[name]["title"] = {"text": "<br>".join(lines), "font": quiet}
    return {"data": [_said(one) for one in chart["data"]], "layout": _said(layout | look)}


def _said(value: Any) -> Any:
    """Return what is said of a figure, without what is not."""
    if isinstance(value, dict):
        shown = {name: one for name, one in value.items() if one is not None}
        # An interval that a table alone tells.
        if value.get("error_y", {}).get("visible") is False:
            del shown["error_y"]
        return {name: _said(one) for name, one in shown.items()}
    # Seven digits are more than a screen shows, and half of what travels.
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value if np.any(np.abs(value) > _LARGEST) else value.astype(np.float32)
    return value


def _legend(chart: Fields) -> Fields:
    """Return the legend; where half of a narrow figure is too little for an entry, in pixels."""
    place = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
    # Plotly cuts entries of half the width at 100 pixels on a phone.
    listed = (mark for mark in chart["data"] if mark.get("showlegend") is not False)
    most = max((wide(mark["name"], 10) for mark in listed), default=0.0)
    entry = chart["layout"]["legend"]["entrywidth"]
    entry = most if entry == COLUMNS and most > _ENTRY else entry
    if entry:
        place |= {"entrywidthmode": "pixels" if entry > 1 else "fraction", "entrywidth": entry}
    return place | {"traceorder": "normal", "font": {"color": theme.QUIET}}
