"""A drawing as PNG: the SVG is painted in this process, without a browser."""

from __future__ import annotations

import functools

import resvg_py

SCALE = 2.0
_LETTERS = (  # one of these is on nearly every machine
    "svg { font-family: 'DejaVu Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'Noto Sans', "
    "'Liberation Sans' }"
)


def png(drawn: str) -> bytes:
    """Return an SVG as PNG on white, twice its size."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn, background="#ffffff", zoom=SCALE, style_sheet=_LETTERS
        )
    )


@functools.cache
def can_write() -> bool:
    """Whether this machine has letters to write with; pictures without words mislead."""
    empty = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    return png(empty.format('<text x="2" y="16">a</text>')) != png(empty.format(""))
