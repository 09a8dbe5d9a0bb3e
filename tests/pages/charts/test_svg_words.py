"""Words in an SVG have room in every common font: nothing is cut where the page's is missing."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
from PIL import Image, ImageFont

from pages import charts
from pages.charts import png, svg
from pages.charts.svg_marks import wide

FACES = {bold: ImageFont.truetype(f"DejaVuSans{'-Bold' * bold}.ttf", 1000) for bold in (0, 1)}
LETTERS = "".join(map(chr, range(32, 127))) + "εγβαδκσ₀₁²×→≤≥…·–−∞◆○√éÄß"


@pytest.mark.parametrize("bold", FACES)
def test_every_letter_fits_its_room(bold):
    """DejaVu Sans is, with Verdana, the widest of the common fonts."""
    for letter in LETTERS:
        room = wide(letter.replace("<", "&lt;"), 1, bold=bool(bold))
        assert FACES[bold].getlength(letter) <= 1000 * room, letter


def ink(drawn):
    """Where something is drawn, by pixel; the picture is twice the drawing."""
    return np.asarray(Image.open(io.BytesIO(png.png(drawn))).convert("L")) < 250


def pictures():
    long = "W" * 28
    look = {"name": long * 4, "texts": [long, long], "colour": "#888888"}
    bars = charts.Bars(x=[1.0, 9.9], y=[long, "M" * 27], **look)
    words = charts.Words(texts=[long, long], at="top center")
    curve = charts.Curve(x=[1, 2], y=[1, 2], name=long, words=words)
    notes = [charts.heading(long, 0.9), charts.heading(long, 0.0, left=False)]
    axis = charts.Axis(title=" ".join([long] * 3))
    yield charts.Chart(marks=[bars], title=f"{long} {long}", x=axis, y=axis, notes=notes)
    yield charts.Chart(marks=[curve, curve], title=" ".join(["Wide words"] * 20), x=axis, y=axis)


@pytest.mark.deep
def test_nothing_is_drawn_at_the_border():
    for number, figure in enumerate(pictures()):
        seen = ink(svg.draw(figure, ident="t", alt="a"))
        border = [seen[:, :2], seen[:, -2:], seen[:2], seen[-2:]]
        assert not any(edge.any() for edge in border), number
        assert seen.any()
    assert math.isclose(seen.shape[1], 2 * svg.WIDTH)
