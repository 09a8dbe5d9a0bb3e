"""Text and marks of a drawing: letters, dashes, hatches and symbols."""

from __future__ import annotations

import html
import itertools
import math
import re
from collections.abc import Sequence

# The least room, over the size of the letters, in which they fit in every common font without
# serifs: DejaVu Sans and Verdana are the widest. What is not named takes a whole square.
_WIDTHS = {
    0.3: "'ijl",
    0.35: "IJ ,./:;\\|",
    0.4: "()-[]ft",
    0.45: "!r²³₀₁₂₃₄₅₆₇₈₉",
    0.5: '"*_`',
    0.55: "?csz",
    0.6: "FLkvxy",
    0.65: "$0123456789EPSTYabdeghnopqu{}",
    0.7: "ABCKRVXZαβγδεκλμνρστ",
    0.75: "NU",
    0.8: "&DGHOQ",
    0.85: "#+<=>^w~×−→≤≥",
    0.9: "M",
}
_ROOM = {ord(c): room for room, letters in _WIDTHS.items() for c in letters}
_BOLD = 1.2
FONTS = (  # the first three are equally wide, and one of them is on nearly every machine
    "Arial, 'Helvetica Neue', 'Liberation Sans', 'Segoe UI', Roboto, 'Noto Sans', Verdana, "
    "'DejaVu Sans', sans-serif"
)
_RAISED = re.compile(r"(<su[bp]>.*?</su[bp]>)")
_INDEX = re.compile(r"</?su[bp]>")
_OTHER = re.compile(r"<[^<>]*>")
_DASHES = {
    "dash": "9 5",
    "dot": "2 4",
    "dashdot": "9 4 2 4",
    "longdash": "15 6",
    "longdashdot": "15 5 2 5",
}
HATCHES = {
    "/": "M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4",
    "\\": "M-2,6 l4,4 M0,0 l8,8 M6,-2 l4,4",
    "x": "M0,8 l8,-8 M0,0 l8,8",
    "-": "M0,4 l8,0",
    "|": "M4,0 l0,8",
    "+": "M0,4 l8,0 M4,0 l0,8",
    ".": "M3,4 l2,0",
}


def plain(text: str) -> str:
    """Return what a label says, without markup.

    >>> plain("n<sub>0</sub> &lt;b&gt;"), plain("two<br>lines")
    ('n0 <b>', 'two lines')
    """
    # Other markup is dropped before entities are read: "&lt;b&gt;" is text, not a tag.
    return html.unescape(_OTHER.sub(" ", _INDEX.sub("", text)))


def spans(text: str) -> str:
    """Return a label as SVG: indices raised and lowered, everything else escaped.

    >>> spans("r<sup>d</sup> &lt;b&gt;")
    'r<tspan dy="-4" font-size="75%">d</tspan><tspan dy="4"> &lt;b&gt;</tspan>'
    """
    out, back = [], 0
    for piece in _RAISED.split(text):
        shown = html.escape(plain(piece))
        if piece.startswith(("<sup>", "<sub>")):
            # The next piece goes back by as much, or all that follows would be raised.
            level = -4 if piece.startswith("<sup>") else 3
            out.append(f'<tspan dy="{level + back}" font-size="75%">{shown}</tspan>')
            back = -level
        elif piece:
            out.append(f'<tspan dy="{back}">{shown}</tspan>' if back else shown)
            back = 0
    return "".join(out)


def wide(text: str, size: float, *, bold: bool = False) -> float:
    """Return the pixels that a label takes at most, in whatever common font it is written.

    >>> wide("il<sub>0</sub>", 10)
    12.5
    """
    # An unknown letter takes a whole square, which is the widest there is.
    room = sum(map(_ROOM.get, map(ord, plain(text)), itertools.repeat(1.0)))
    return room * size * (_BOLD if bold else 1.0)


def wrapped(text: str, width: float, size: float, *, bold: bool = True) -> list[str]:
    """Cut a text into lines that fit, at its blanks.

    >>> wrapped("one two three", 64, 10)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in text.replace("<br>", " ").split():
        if lines and wide(f"{lines[-1]} {word}", size, bold=bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def text(
    x: float,
    y: float,
    words: str,
    *,
    anchor: str = "start",
    size: float = 13.0,
    colour: str | None = None,
) -> str:
    """Write a label."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}"'
        f"{paint('fill', colour) if colour else ''}>{spans(words)}</text>"
    )


def paint(name: str, value: object) -> str:
    """Return an attribute, with characters that could end it escaped."""
    return f' {name}="{html.escape(str(value))}"'


def line(
    points: Sequence[tuple[float, float]], colour: object, width: float, dash: object = None
) -> str:
    """Draw a line, with a gap wherever a point has no place."""
    path, pen = [], "M"
    for x, y in points:
        if not (math.isfinite(x) and math.isfinite(y)):
            pen = "M"
            continue
        path.append(f"{pen}{x:.1f},{y:.1f}")
        pen = "L"
    if not path:
        return ""
    given = str(dash or "solid")
    dashes = paint("stroke-dasharray", _DASHES.get(given, given.replace("px", "")))
    return (
        f'<path d="{"".join(path)}" fill="none"{paint("stroke", colour)} stroke-width="{width:g}" '
        f'stroke-linejoin="round"{dashes if given != "solid" else ""}/>'
    )


def stepped(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of a staircase through points, which first goes across.

    >>> stepped([(0, 0), (2, 1)])
    [(0, 0), (2, 0), (2, 1)]
    """
    corners = ([(c, b), (c, d)] for (_, b), (c, d) in itertools.pairwise(points))
    return [*points[:1], *itertools.chain.from_iterable(corners)]


def area(points: Sequence[tuple[float, float]], colour: object) -> str:
    """Fill a polygon, or several with gaps between them."""
    parts: list[list[str]] = [[]]
    for x, y in points:
        if math.isfinite(x) and math.isfinite(y):
            parts[-1].append(f"{x:.1f},{y:.1f}")
        elif parts[-1]:
            parts.append([])
    path = "".join(f"M{'L'.join(part)}Z" for part in parts if part)
    return f'<path d="{path}"{paint("fill", colour)} stroke="none"/>' if path else ""


def symbol(x: float, y: float, kind: str, size: float, colour: object) -> str:
    """Draw a mark of a given size around a point."""
    if not (math.isfinite(x) and math.isfinite(y)):
        return ""
    # A hollow mark is the same shape without a surface.
    name, _, _ = kind.partition("-open")
    r = size / 2.0
    shapes = {
        "diamond": [(0, -r), (r, 0), (0, r), (-r, 0)],
        "square": [(-r, -r), (r, -r), (r, r), (-r, r)],
        "triangle-up": [(0, -r), (r, r), (-r, r)],
        "triangle-down": [(0, r), (r, -r), (-r, -r)],
        "pentagon": _round(5, [r]),
        "star": _round(5, [r, 0.4 * r]),
    }
    look = paint("fill", "none" if kind.endswith("-open") else colour)
    look += paint("stroke", colour) + ' stroke-width="1.6"'
    if name in shapes:
        path = "L".join(f"{x + a:.1f},{y + b:.1f}" for a, b in shapes[name])
        return f'<path d="M{path}Z"{look}/>'
    upright = [(0.0, -r), (0.0, r)]
    strokes = {
        "line-ns": [upright],
        "cross": [upright, [(-r, 0.0), (r, 0.0)]],
        "x": [[(-r, -r), (r, r)], [(-r, r), (r, -r)]],
    }
    if name in strokes:
        lines = ([(x + a, y + b) for a, b in ends] for ends in strokes[name])
        return "".join(line(ends, colour, 2.4) for ends in lines)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"{look}/>'


def _round(corners: int, radii: Sequence[float]) -> list[tuple[float, float]]:
    """Return corners around a point, the first above it, at radii that take turns."""
    steps = range(corners * len(radii))
    angles = [2 * math.pi * k / len(steps) for k in steps]
    return [
        (radii[k % len(radii)] * math.sin(a), -radii[k % len(radii)] * math.cos(a))
        for k, a in enumerate(angles)
    ]


def hatch(ident: str, shape: str, colour: object) -> str:
    """Define a hatched fill."""
    strokes = f'<path d="{HATCHES[shape]}" stroke="#fff" stroke-opacity="0.75" stroke-width="1.5"/>'
    return (
        f'<pattern id="{ident}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8"{paint("fill", colour)}/>{strokes}</pattern>'
    )
