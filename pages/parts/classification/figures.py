"""Decision regions of one draw, before and after the noise."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from pages.figures.chart import theme
from sims.classification import Picture

# Told apart by lightness too: light, middle, dark.
KINDS = {
    "Label 0, right": "#e4e9f0",
    "Label 1, right": "#7fb0e0",
    "Wrong": "#9c3d14",
}


def figure(picture: Picture, *, title: str) -> go.Figure:
    """Draw the labels before and after noise; wrong cells are dark."""
    size = len(picture.right)
    centres = (np.arange(size, dtype=np.float32) + 0.5) / size
    colours = list(KINDS.values())
    scale = [[edge, colour] for k, colour in enumerate(colours) for edge in (k / 3, (k + 1) / 3)]
    traces: list[dict] = []
    for place, (labels, name) in enumerate(
        ((picture.before, "before noise"), (picture.after, "as released"))
    ):
        kind = np.where(labels != picture.right, 2, picture.right.astype(int))
        axis = "" if place == 0 else "2"
        traces.append(
            {
                "type": "heatmap",
                "x": centres,
                "y": centres,
                "z": kind.T.astype(np.float32),
                "xaxis": f"x{axis}",
                "yaxis": f"y{axis}",
                "zmin": 0,
                "zmax": 2,
                "colorscale": scale,
                "showscale": False,
                "name": name,
                "hovertemplate": "x₁ %{x:.2f}, x₂ %{y:.2f}<extra>" + name + "</extra>",
            }
        )
    for name, colour in KINDS.items():
        traces.append(
            {
                "type": "scatter",
                "x": [None],
                "y": [None],
                "mode": "markers",
                "name": name,
                "marker": {
                    "symbol": "square",
                    "size": 13,
                    "color": colour,
                    "line": {"width": 1, "color": theme.COLOURS[theme.NONE]},
                },
            }
        )
    square = {"range": [0, 1], "tickvals": [0, 0.5, 1], "showgrid": False, "zeroline": False}
    boundary = [
        {
            "type": "line",
            "xref": f"x{axis}",
            "yref": f"y{axis}",
            "x0": a,
            "y0": b,
            "x1": c,
            "y1": d,
            "line": {"color": "#0b1016", "dash": "dash", "width": 1.5},
        }
        for axis in ("", "2")
        for a, b, c, d in ((0.5, 0, 0.5, 1), (0, 0.5, 1, 0.5))
    ]
    heads = [
        {
            "text": f"{name}: {100.0 * accuracy:.1f} %",
            "x": x,
            "y": 1.0,
            "xref": "paper",
            "yref": "paper",
            "xanchor": "left",
            "yanchor": "bottom",
            "showarrow": False,
            "font": {"size": 13},
        }
        for name, accuracy, x in (
            ("Before noise", picture.accuracy_before, 0.0),
            ("Released", picture.accuracy_after, 0.54),
        )
    ]
    layout = {
        "height": 470,
        "margin": {"l": 10, "r": 10, "t": 74, "b": 80},
        "xaxis": {**square, "domain": [0, 0.46], "title": {"text": "x₁"}},
        "yaxis": {**square, "title": {"text": "x₂"}},
        "xaxis2": {**square, "domain": [0.54, 1], "title": {"text": "x₁"}, "anchor": "y2"},
        "yaxis2": {**square, "anchor": "x2", "showticklabels": False},
        "shapes": boundary,
        "annotations": heads,
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
        },
    }
    return theme.figure(traces, layout, title=title)


def rows(picture: Picture) -> list[dict[str, float]]:
    """Return the cells with both statistics, for a file."""
    size = len(picture.right)
    return [
        {
            "x1": (i + 0.5) / size,
            "x2": (j + 0.5) / size,
            "best label": int(picture.right[i, j]),
            "statistic": float(picture.signal[i, j]),
            "released": float(picture.released[i, j]),
        }
        for i in range(size)
        for j in range(size)
    ]
