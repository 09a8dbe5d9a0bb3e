"""Decision regions of one draw, before and after the noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts import theme, words
from sims.classification import Picture

# Told apart by lightness too: light, middle, dark.
KINDS = {"Label 0, right": "#e4e9f0", "Label 1, right": "#7fb0e0", "Wrong": "#9c3d14"}
_BOUNDARY = charts.Stroke("#0b1016", 1.5, "dash")
_PARTS = ((0, 0.46), (0.54, 1))


def figure(picture: Picture, *, title: str) -> charts.Chart:
    """Draw the labels before and after noise; wrong cells are dark."""
    key = charts.Dots(symbol="square", size=13, edge=charts.Stroke(theme.COLOURS[theme.NONE], 1))
    square = charts.Axis(span=(0, 1), ticks=charts.Ticks((0, 0.5, 1)), grid=False, zero=False)
    across = replace(square, title="x₁")
    return charts.Chart(
        marks=[
            _cells(picture, picture.before, "before noise", 1),
            _cells(picture, picture.after, "as released", 2),
            *(
                charts.key(name, dots=replace(key, colour=colour), hover=None)
                for name, colour in KINDS.items()
            ),
        ],
        title=title,
        height=470,
        head=74,
        foot=80,
        x=[replace(across, part=_PARTS[0]), replace(across, part=_PARTS[1], beside=2)],
        y=[replace(square, title="x₂"), replace(square, beside=2, labels=False)],
        rules=[
            charts.Rule(start=start, end=end, stroke=_BOUNDARY, axes=(panel, panel))
            for panel in (1, 2)
            for start, end in (((0.5, 0), (0.5, 1)), ((0, 0.5), (1, 0.5)))
        ],
        notes=[
            charts.heading(f"{name}: {words.tenths(accuracy)}", part[0])
            for name, accuracy, part in (
                ("Before noise", picture.accuracy_before, _PARTS[0]),
                ("Released", picture.accuracy_after, _PARTS[1]),
            )
        ],
        legend=charts.BARE,
    )


def _cells(picture: Picture, labels: NDArray, name: str, panel: int) -> charts.Cells:
    size = len(picture.right)
    centres = (np.arange(size, dtype=np.float32) + 0.5) / size
    return charts.Cells(
        x=centres,
        y=centres,
        kinds=np.where(labels != picture.right, 2, picture.right.astype(int)).T.astype(np.float32),
        colours=list(KINDS.values()),
        ends=(0, 2),
        name=name,
        hover="x₁ %{x:.2f}, x₂ %{y:.2f}",
        extra=name,
        x_axis=panel,
        y_axis=panel,
    )


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
