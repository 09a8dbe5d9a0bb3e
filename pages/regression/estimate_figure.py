"""One draw of a private regression: what every server releases, and what comes of it."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from pages import charts
from pages.charts import number, theme
from sims.regression import Look

FRAME = 2.5  # both panels end here, so that noise that exceeds it is seen to do so
_PURPLE = "#7b4fb5"
_DASHES = ("solid", "dash", "dot", "dashdot")


def figure(look: Look, *, title: str) -> charts.Chart:
    """Draw the servers' releases above, the combined estimate below, the truth in both."""
    colours = theme.COLOURS
    marks = [
        _line(
            look,
            curve,
            "Each server's release",
            colours[theme.PRIVACY],
            _DASHES[i % 4],
            1.0,
            group="servers",
            listed=i == 0,
            opacity=0.75,
        )
        for i, curve in enumerate(look.private)
    ]
    for panel in (1, 2):
        there = {"group": "truth", "listed": panel == 1, "x_axis": panel, "y_axis": panel}
        marks.append(
            _line(look, look.truth, "True curve", colours[theme.MIXED], "solid", 2.5, **there)
        )
    for curve, name, colour, dash in (
        (look.combined_without, "Combined, before noise", colours[theme.SAMPLE], "dash"),
        (look.combined, "Combined, as released", _PURPLE, "solid"),
    ):
        marks.append(_line(look, curve, name, colour, dash, 2.0, x_axis=2, y_axis=2))
    frame: dict[str, Any] = {"span": (-FRAME, FRAME), "zero": False}
    return charts.Chart(
        marks=marks,
        title=title,
        height=620,
        foot=100,
        x=[
            charts.Axis(beside=1, like=2, labels=False),
            charts.Axis(beside=2, title="x", span=(0, 1)),
        ],
        y=[
            charts.Axis(title="Released", part=(0.54, 1.0), **frame),
            charts.Axis(title="Combined", part=(0.0, 0.46), **frame),
        ],
        legend=charts.Legend(ordered=False),
        kept="look",
    )


def _line(
    look: Look, curve: NDArray, name: str, colour: str, dash: str, width: float, **more: Any
) -> charts.Curve:
    x, y = look.x.astype("float32"), curve.astype("float32")
    told = {"hover": "%{x:.3f}: %{y:.3g}", "extra": "%{fullData.name}"}
    return charts.line(x, y, name, colour, dash, width, **told, **more)


def drawn(look: Look, *, title: str, caption: str) -> charts.Figure:
    """Return the figure with what it shows, in words and in numbers."""
    return charts.Figure(
        figure=figure(look, title=title),
        caption=caption,
        alt=(
            f"Two panels over [0, 1]. Above, {len(look.rows)} servers' releases and the true "
            "curve. Below, the combined estimate before and after noise; its squared error is "
            f"{number(look.loss)}."
        ),
        rows=charts.rows_of(
            {
                "x": look.x,
                "truth": look.truth,
                "combined before noise": look.combined_without,
                "combined": look.combined,
                **{f"server {i + 1}": curve for i, curve in enumerate(look.private)},
            }
        ),
        name="one-draw",
    )
