"""A drawing as PNG: the SVG is painted in this process, without a browser."""

from __future__ import annotations

import functools
from importlib import import_module
from importlib.util import find_spec

SCALE = 2.0
_LETTERS = (  # one of these is on nearly every machine
    "svg { font-family: 'DejaVu Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'Noto Sans', "
    "'Liberation Sans' }"
)


def png(drawn: str) -> bytes:
    """Return an SVG as PNG on white, twice its size."""
    resvg_py = import_module("resvg_py")  # compiled: a browser's Python has none
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn, background="#ffffff", zoom=SCALE, style_sheet=_LETTERS
        )
    )


@functools.cache
def can_write() -> bool:
    """Whether this machine can paint, and has letters: pictures without words mislead."""
    if find_spec("resvg_py") is None:
        return False
    empty = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    return png(empty.format('<text x="2" y="16">a</text>')) != png(empty.format(""))
