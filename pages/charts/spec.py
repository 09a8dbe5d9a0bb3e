"""A chart as Plotly draws it."""

from __future__ import annotations

import functools
from dataclasses import is_dataclass, replace
from typing import Any, get_type_hints

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
from numpy.typing import NDArray
from plotly.basedatatypes import BaseFigure, convert_to_base64

from pages.charts import chart as marks
from pages.charts import theme
from pages.charts.chart import COLUMNS, Axis, Chart
from pages.charts.svg_marks import plain, wide, wrapped

# Without the camera: it saves words that are cut where the page's font is missing.
CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "select2d", "toImage"]}
_TITLE, _ACROSS, _ENTRY = 380.0, 300.0, 100.0  # pixels for words where it is narrowest
_LINE = 18.0
_LARGEST = 1e38  # that a short number holds
_HEAD, _LEAST = 28.0, 20.0  # what the title takes, and what is left of a head for half a tick


@functools.cache
def _names(kind: type) -> dict[str, str]:
    """Return own name and Plotly's name of the fields that Plotly takes as they are.

    >>> _names(marks.Hatch)["ink"]
    'fgcolor'
    """
    hints = get_type_hints(kind, include_extras=True).items()
    return {own: hint.__metadata__[0] for own, hint in hints if hasattr(hint, "__metadata__")}


class Sent(BaseFigure):  # type: ignore[misc]  # untyped
    """A figure as it is sent: Plotly's own checks of every field take six times as long.

    They also fail where another visitor's page is just loading pandas.
    """

    def __init__(self, chart: Chart, *, dark: bool = False) -> None:
        made = theme.dark(_made(chart)) if dark else _made(chart)
        # Arrays travel as bytes, as those of Plotly's own figures do.
        convert_to_base64(made)
        self._made: dict[str, Any] = {
            "data": [{"type": "scatter"} | trace for trace in made["data"]],
            # What Plotly takes as empty it would send all the same.
            "layout": {name: said for name, said in made["layout"].items() if said != []},
        }

    def to_dict(self) -> dict[str, Any]:
        """Return what is sent, with the template that is Plotly's default by then."""
        # Streamlit sets its template as the default only while it sends.
        return {**self._made, "layout": _template(pio.templates.default) | self._made["layout"]}


@functools.lru_cache(maxsize=2)
def _template(name: str) -> dict[str, Any]:
    """Return what a figure's layout says of Plotly's template of a name."""
    return {"template": pio.templates[name].to_plotly_json()}


def headed(chart: Chart) -> tuple[str, Chart]:
    """Return the finding as plain text, and the chart without it, for a page that breaks lines.

    Plotly breaks none, and how wide a page is no server knows.
    """
    # The title has left, so the plot keeps its height and the figure shrinks.
    head = max(chart.head - _HEAD, _LEAST)
    height = None if chart.height is None else chart.height - chart.head + head
    return plain(chart.title), replace(chart, title="", head=head, height=height)


def figure(chart: Chart) -> go.Figure:
    """Return the figure with all its fields checked by Plotly."""
    return go.Figure(_made(chart))


def _made(chart: Chart) -> dict[str, Any]:
    """Return a figure's data and layout under Plotly's names."""
    title = wrapped(chart.title, _TITLE, 15, bold=False)
    more = _LINE * (len(title) - 1)
    layout = _said(chart) | {
        "title": {"text": "<br>".join(title), "font": {"size": 15}, "x": 0, "xanchor": "left"},
        "margin": {"l": 10, "r": 10, "t": chart.head + more, "b": chart.foot},
        "hoverlabel": {"align": "left"},
        "legend": _legend(chart),
        "font": {"color": theme.QUIET, "size": 13},
    }
    if chart.height is not None:
        layout["height"] = chart.height + more
    for letter in "xy":
        for number, axis in enumerate(chart.axes(letter), 1):
            layout[f"{letter}axis{'' if number == 1 else number}"] = _axis(axis, letter)
    return {"data": [_trace(mark) for mark in chart.marks], "layout": layout}


def _said(record: Any) -> dict[str, Any]:
    """Return what a record says, under Plotly's names."""
    found = ((name, getattr(record, own)) for own, name in _names(record.__class__).items())
    return {name: _value(value) for name, value in found if value is not None}


def _value(value: Any) -> Any:
    # Seven digits are more than a screen shows, and half of what travels.
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and _short(value):
        return value.astype(np.float32)
    if isinstance(value, list | tuple) and value and type(value[0]) in _WRITERS:
        return [_value(one) for one in value]
    write = _WRITERS.get(type(value)) or (_said if is_dataclass(value) else None)
    return value if write is None else write(value)


def _short(values: NDArray[np.float64]) -> bool:
    return not np.any(np.abs(values) > _LARGEST)


def _given(**fields: Any) -> dict[str, Any]:
    """Return the fields that are said."""
    return {name: value for name, value in fields.items() if value is not None}


def _ref(letter: str, number: int | None) -> str | None:
    return letter if number == 1 else None if number is None else f"{letter}{number}"


def _trace(mark: marks.Mark) -> dict[str, Any]:
    out = _said(mark) | _given(xaxis=_ref("x", mark.x_axis), yaxis=_ref("y", mark.y_axis))
    if mark.hover:
        extra = (mark.name or "") if mark.extra is None else mark.extra
        out["hovertemplate"] = f"{mark.hover}<extra>{extra}</extra>"
    elif mark.hover is not None:
        out["hoverinfo"] = "skip"
    if not mark.name:  # Plotly would list it as "trace 0"
        out["showlegend"] = False
    kinds: dict[type, Any] = {marks.Curve: _curve, marks.Bars: _bars, marks.Cells: _cells}
    out |= kinds[type(mark)](mark)
    return out


def _curve(mark: marks.Curve) -> dict[str, Any]:
    words, spread, fill = mark.words, mark.spread, mark.fill
    shown = {
        "lines": mark.stroke is not None,
        "markers": mark.dots is not None and mark.dots.shown,
        "text": words is not None and words.shown,
    }
    out: dict[str, Any] = {"mode": "+".join(name for name, there in shown.items() if there)}
    out |= {} if words is None else _said(words)
    if fill is not None:
        out |= {"fill": "tonexty" if fill.band else "toself"} | _said(fill)
    if spread is not None and spread.shown is not False:
        sides = _given(type="data", symmetric=None if spread.down is None else False)
        out["error_x" if spread.across else "error_y"] = sides | _said(spread)
    return out


def _bars(mark: marks.Bars) -> dict[str, Any]:
    pattern = None if mark.hatch is None else _said(mark.hatch)
    named = {} if mark.texts is None else {"textposition": "outside", "cliponaxis": False}
    look = {"type": "bar", "marker": _given(color=mark.colour, pattern=pattern)}
    return look | _given(orientation="h" if mark.lying else None) | named


def _cells(mark: marks.Cells) -> dict[str, Any]:
    count = len(mark.colours)
    scale = [[edge / count, c] for k, c in enumerate(mark.colours) for edge in (k, k + 1)]
    ends = {"zmin": mark.ends[0], "zmax": mark.ends[1]}
    return {"type": "heatmap", "colorscale": scale, "showscale": False, **ends}


def _axis(axis: Axis, letter: str) -> dict[str, Any]:
    out = _said(axis) | _given(
        exponentformat="power" if axis.powers else None,
        tickformat=".0%" if axis.share else None,
        categoryorder="array" if axis.names is not None else None,
        anchor=_ref("y" if letter == "x" else "x", axis.beside),
    )
    # Streamlit's own colour of these words is too pale.
    out["tickfont"] = {"color": theme.QUIET, "size": 13}
    if axis.title is not None:
        # An upright title may be as long as the plot is high, which nobody knows here.
        lines = wrapped(axis.title, _ACROSS, 13, bold=False) if letter == "x" else [axis.title]
        text = "<br>".join(lines)
        out["title"] = {"text": text, "font": out["tickfont"]}
    if axis.ticks is not None:
        out["tickvals"] = axis.ticks.values
        if axis.ticks.texts is not None:
            out |= {"tickmode": "array", "ticktext": axis.ticks.texts}
    return out


def _legend(chart: Chart) -> dict[str, Any]:
    """Return the legend; where half of a narrow figure is too little for an entry, in pixels."""
    place = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
    # Plotly cuts entries of half the width at 100 pixels on a phone.
    names = [mark.name for mark in chart.marks if mark.name and mark.listed is not False]
    most = max((wide(name, 10) for name in names), default=0.0)
    entry = most if chart.legend == COLUMNS and most > _ENTRY else chart.legend
    if entry:
        place |= {"entrywidthmode": "pixels" if entry > 1 else "fraction", "entrywidth": entry}
    return place | {"traceorder": "normal", "font": {"color": theme.QUIET}}


def _rule(rule: marks.Rule) -> dict[str, Any]:
    (x0, y0), (x1, y1) = rule.start, rule.end
    first, second = rule.axes or (None, None)
    return _said(rule) | _given(
        **{"type": "line", "x0": x0, "x1": x1, "y0": y0, "y1": y1},
        xref="paper" if rule.paper == "x" else _ref("x", first),
        yref="paper" if rule.paper == "y" else _ref("y", second),
    )


def _note(note: marks.Note) -> dict[str, Any]:
    return _said(note) | _given(
        xref="paper" if "x" in note.paper else None,
        yref="paper" if "y" in note.paper else _ref("y", note.y_axis),
        xanchor="left" if note.left else None,
        yanchor="bottom" if note.above else None,
        align="left" if note.left and "<br>" in note.text else None,
        showarrow=False,
    )


_WRITERS: dict[type, Any] = {marks.Rule: _rule, marks.Note: _note}
