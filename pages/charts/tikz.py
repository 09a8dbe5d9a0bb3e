"""A map for LaTeX: its regions as filled paths of pgfplots, with hatches and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pages.charts import places
from pages.charts.planes import Axis, Look, Plane
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
_HEAD = r"""\documentclass{standalone}
\usepackage{pgfplots}
\usetikzlibrary{patterns}
\pgfplotsset{compat=1.16}
\begin{document}
\begin{tikzpicture}
"""


def map_tikz(plane: Plane, titles: tuple[str, str], names: Mapping[str, str]) -> str:
    """Return a LaTeX file with a map.

    Args:
        plane: The map.
        titles: What stands beside both axes, in LaTeX.
        names: What stands on the regions by label, in LaTeX.
    """
    lines = [
        rf"\begin{{axis}}[{_axis('x', plane.x, titles[0])}, {_axis('y', plane.y, titles[1])},",
        "  axis on top, width=12cm, height=8cm]",
        *(line for label, parts in plane.regions.items() for line in _region(plane, label, parts)),
        *(
            rf"\node[fill=white, inner sep=2pt] at (axis cs:{_at(name.x, plane.x)},"
            rf"{_at(name.y, plane.y)}) {{{names[name.label]}}};"
            for name in places.names(plane)
        ),
    ]
    if plane.here is not None:
        x, y = plane.here
        lines.append(rf"\addplot[only marks, mark=*] coordinates {{({x:.6g},{y:.6g})}};")
    ends = (rf"\end{{{part}}}" for part in ("axis", "tikzpicture", "document"))
    return _HEAD + "\n".join([*lines, *ends]) + "\n"


def _axis(letter: str, axis: Axis, title: str) -> str:
    mode = "log" if axis.log else "normal"
    ends = f"{letter}min={axis.low:.6g}, {letter}max={axis.high:.6g}"
    return f"{letter}mode={mode}, {ends}, {letter}label={{{title}}}"


def _at(coordinate: float, axis: Axis) -> str:
    return f"{axis.value(coordinate):.6g}"


def _region(plane: Plane, label: str, polygons: Sequence[Polygon]) -> Iterator[str]:
    look: Look = plane.looks[label]
    colour = look.colour.lstrip("#").upper()
    if polygons:
        yield rf"\definecolor{{c{colour}}}{{HTML}}{{{colour}}}"
    hatch = _PATTERNS.get(look.hatch)
    over = f", postaction={{pattern={hatch}, pattern color=black!40}}" if hatch else ""
    for polygon in polygons:
        corners = zip(polygon.x.tolist(), polygon.y.tolist(), strict=True)
        path = " ".join(f"({x:.6g},{y:.6g})" for x, y in corners)
        yield rf"\addplot[draw=none, fill=c{colour}{over}] coordinates {{{path}}} -- cycle;"
