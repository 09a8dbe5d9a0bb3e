"""One draw of a private regression: what every server releases, and what comes of it."""

from __future__ import annotations

import plotly.graph_objects as go

from pages.figures.chart import number, theme
from sims.regression import Look

FRAME = 2.5  # both panels end here, so that noise that exceeds it is seen to do so
_PURPLE = "#7b4fb5"
_DASHES = ("solid", "dash", "dot", "dashdot")


def figure(look: Look, *, title: str) -> go.Figure:
    """Draw the servers' releases above, the combined estimate below, the truth in both."""
    traces: list[dict] = []
    for i, curve in enumerate(look.private):
        traces.append(
            {
                **_line(look, curve, theme.COLOURS[theme.PRIVACY], _DASHES[i % 4], 1.0),
                "name": "Each server's release",
                "legendgroup": "servers",
                "showlegend": i == 0,
                "opacity": 0.75,
            }
        )
    for axis in ("", "2"):
        truth = _line(look, look.truth, theme.COLOURS[theme.MIXED], "solid", 2.5)
        traces.append(
            {
                **truth,
                "name": "True curve",
                "legendgroup": "truth",
                "showlegend": not axis,
                "xaxis": f"x{axis}",
                "yaxis": f"y{axis}",
            }
        )
    for curve, name, colour, dash in (
        (look.combined_without, "Combined, before noise", theme.COLOURS[theme.SAMPLE], "dash"),
        (look.combined, "Combined, as released", _PURPLE, "solid"),
    ):
        line = _line(look, curve, colour, dash, 2.0)
        traces.append({**line, "name": name, "xaxis": "x2", "yaxis": "y2"})
    span = {"range": [-FRAME, FRAME], "zeroline": False}
    layout = {
        "height": 620,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 100},
        "xaxis": {"anchor": "y", "matches": "x2", "showticklabels": False},
        "xaxis2": {"anchor": "y2", "title": {"text": "x"}, "range": [0, 1]},
        "yaxis": {**span, "domain": [0.54, 1.0], "title": {"text": "Released"}},
        "yaxis2": {**span, "domain": [0.0, 0.46], "title": {"text": "Combined"}},
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "entrywidthmode": "fraction",
            "entrywidth": 0.48,
        },
        "uirevision": "look",
    }
    return theme.figure(traces, layout, title=title)


def _line(look: Look, curve: object, colour: str, dash: str, width: float) -> dict:
    return {
        "x": look.x.astype("float32"),
        "y": curve.astype("float32"),  # type: ignore[attr-defined]
        "mode": "lines",
        "line": {"color": colour, "dash": dash, "width": width},
        "hovertemplate": "%{x:.3f}: %{y:.3g}<extra>%{fullData.name}</extra>",
    }


def alt(look: Look) -> str:
    """Say what `figure` shows, in words."""
    return (
        f"Two panels over [0, 1]. Above, {len(look.rows)} servers' releases and the true curve. "
        f"Below, the combined estimate before and after noise; its squared error is "
        f"{number(look.loss)}."
    )


def rows(look: Look) -> list[dict[str, object]]:
    """Return the plotted numbers."""
    columns = {
        "x": look.x,
        "truth": look.truth,
        "combined before noise": look.combined_without,
        "combined": look.combined,
        **{f"server {i + 1}": curve for i, curve in enumerate(look.private)},
    }
    return [
        dict(zip(columns, map(float, entries), strict=True))
        for entries in zip(*columns.values(), strict=True)
    ]
