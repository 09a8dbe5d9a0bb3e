r"""A map of labelled regions as PGFPlots source: a LaTeX file of its own that compiles as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pages.charts.maps.plane import Axis, Look, Plane
from rates.pieces import Polygon

_PATTERNS = {
    "/": "north east lines",
    "\\": "north west lines",
    ".": "dots",
    "x": "crosshatch",
    "-": "horizontal lines",
    "|": "vertical lines",
    "+": "grid",
}
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_HEAD = r"""\documentclass{article}
\usepackage{amsmath,pgfplots}
\usetikzlibrary{patterns}
\pgfplotsset{compat=1.16}
"""


def escaped(text: str) -> str:
    r"""Return plain text as LaTeX; what is not ASCII becomes a question mark.

    >>> escaped("n_0 & 50 %")
    'n\\_0 \\& 50 \\%'
    """
    plain = text.encode("ascii", "replace").decode()
    return "".join(_SPECIAL.get(c, c) for c in plain)


def document(plane: Plane, *, title: str, axes: tuple[str, str], legend: Mapping[str, str]) -> str:
    """Return the source of a map.

    Args:
        plane: The map.
        title: Above it, as plain text.
        axes: What stands at the axes, as LaTeX.
        legend: By label, its entry, as LaTeX.
    """
    shown = {label: found for label, found in plane.regions.items() if found}
    colours = [
        f"\\definecolor{{region{k}}}{{HTML}}{{{plane.looks[label].colour[1:].upper()}}}"
        for k, label in enumerate(shown)
    ]
    plots: list[str] = []
    for k, (label, polygons) in enumerate(shown.items()):
        plots += _filled(k, polygons, plane.looks[label], legend.get(label, escaped(label)))
    if plane.here is not None:
        x, y = plane.here
        plots.append(
            f"\\addplot[only marks, mark=star, mark size=4pt] coordinates {{({x:.8g},{y:.8g})}};"
        )
        plots.append("\\addlegendentry{chosen point}")
    ends = [_ends(name, axis) for name, axis in (("x", plane.x), ("y", plane.y))]
    return "\n".join(
        [
            _HEAD + "\n".join(colours),
            r"\begin{document}",
            r"\pagestyle{empty}",
            r"\begin{tikzpicture}",
            r"\begin{axis}[width=12cm, height=9cm, axis on top,",
            f"  title={{{escaped(title)}}},",
            f"  xlabel={{{axes[0]}}}, ylabel={{{axes[1]}}},",
            *(f"  {line}," for line in ends),
            r"  legend style={at={(0.5,-0.2)}, anchor=north, draw=none, cells={anchor=west}}]",
            *plots,
            r"\end{axis}",
            r"\end{tikzpicture}",
            r"\end{document}",
            "",
        ]
    )


def _ends(name: str, axis: Axis) -> str:
    mode = "log" if axis.log else "linear"
    return f"{name}mode={mode}, {name}min={axis.low:.8g}, {name}max={axis.high:.8g}"


def _filled(k: int, polygons: Sequence[Polygon], look: Look, entry: str) -> list[str]:
    """All polygons of a label; the first one brings the entry of the legend."""
    lines = []
    pattern = _PATTERNS.get(look.hatch)
    for j, polygon in enumerate(polygons):
        path = " ".join(
            f"({x:.8g},{y:.8g})"
            for x, y in zip(np.asarray(polygon.x), np.asarray(polygon.y), strict=True)
        )
        quiet = "" if j == 0 else ", forget plot"
        lines.append(
            f"\\addplot[fill=region{k}, draw=region{k}, area legend{quiet}] coordinates {{{path}}};"
        )
        if j == 0:
            lines.append(f"\\addlegendentry{{{entry}}}")
        if pattern:
            lines.append(
                f"\\addplot[pattern={pattern}, pattern color=white, draw=none, forget plot] "
                f"coordinates {{{path}}};"
            )
    return lines
