"""A prediction in a figure: one look everywhere, named in the legend, never by colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pages import charts
from pages.charts import theme

YOURS = "Your prediction"
TRUE = "What is true"
HEAD, FOOT = 56, 104  # room for a title of two lines, and for a legend of two rows
Told = Mapping[str, Sequence[object]]


def dots(
    x: charts.Values,
    y: charts.Values,
    texts: Sequence[str] = (),
    *,
    at: str = "top center",
    name: str = YOURS,
    **more: Any,
) -> charts.Curve:
    """Return stars where a reader predicted, with words beside them."""
    colour, symbol, _ = theme.PREDICTION
    words = charts.Words(texts=list(texts), at=at) if texts else None
    return charts.dots(
        x, y, name, symbol, 15, colour, words=words, hover="%{x:.4g}: %{y:.4g}", **more
    )


def ticks(x: charts.Values, y: charts.Values, **more: Any) -> charts.Curve:
    """Return upright strokes across bars, where a star would hide their words."""
    colour = theme.PREDICTION[0]
    edge = charts.Stroke(colour, 3)
    hover = "%{y}: %{x:.0%} predicted"
    return charts.dots(x, y, YOURS, "line-ns-open", 18, colour, edge, hover=hover, **more)


def path(x: charts.Values, y: charts.Values, *, name: str = YOURS, **more: Any) -> charts.Curve:
    """Return stars joined by a dashed line."""
    colour, symbol, dash = theme.PREDICTION
    marked = charts.Dots(symbol=symbol, size=15, colour=colour)
    return charts.line(
        x, y, name, colour, dash, 2.0, dots=marked, hover="%{x:.4g}: %{y:.4g}", **more
    )


def leader(x: charts.Values, y: charts.Values, dash: str = "dash", **more: Any) -> charts.Curve:
    """Return a dashed line that leads to a star; the legend names the star alone."""
    return charts.line(x, y, None, theme.PREDICTION[0], dash, 1.5, listed=False, **more)


def true(
    x: charts.Values,
    y: charts.Values,
    texts: Sequence[str] = (),
    *,
    at: str | Sequence[str] = "top center",
    **more: Any,
) -> charts.Curve:
    """Return what is true, as triangles with words beside them."""
    colour, symbol = theme.TRUTH
    words = charts.Words(texts=list(texts), at=at) if texts else None
    edge = charts.Stroke("white", 1)
    return charts.dots(
        x, y, TRUE, symbol, 13, colour, edge, words=words, hover="%{x:.4g}: %{y:.4g}", **more
    )


def added(
    base: charts.Figure,
    marks: Sequence[charts.Mark],
    *,
    title: str,
    told: str,
    predicted: Told,
    **more: Any,
) -> charts.Figure:
    """Return a page's figure with a prediction over it, its numbers as further rows.

    Args:
        base: The page's figure.
        marks: The prediction.
        title: The finding.
        told: The prediction, in words.
        predicted: Columns of the prediction; those the figure has too are one column.
        **more: Further fields of the figure's record.
    """
    figure = replace(base.figure, marks=[*base.figure.marks, *marks], title=title)
    rows = charts.rows_of(predicted)
    columns = dict.fromkeys([*(base.rows[0] if base.rows else ()), *predicted], "")
    both = [{**columns, **row} for row in (*base.rows, *rows)]
    return replace(base, figure=figure, alt=f"{base.alt} {told}".strip(), rows=both, **more)
