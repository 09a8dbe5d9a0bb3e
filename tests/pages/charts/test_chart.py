"""The vocabulary: what a builder says is what both writers draw."""

from __future__ import annotations

import io
import json
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import plotly.io
import pytest
from PIL import Image, ImageFont

from pages import charts
from pages.charts import axis, bars, line, log_axis, png, spec, svg, trace
from pages.charts.svg_marks import wide
from sims.engine import Estimate


def chart(*marks, **more):
    return charts.chart(marks, title="t", **more)


def told(made):
    """What Plotly is told, as it travels: the same with Plotly's checks and without."""
    checked = json.loads(spec.figure(made).to_json())
    sent = json.loads(plotly.io.to_json(spec.Sent(made), validate=False))
    assert {k: v for k, v in sent["layout"].items() if v != {}} == checked["layout"]
    assert sent["data"] == checked["data"]
    return checked


def sent(mark):
    return told(chart(mark))["data"][0]


def drawing(*marks, **more):
    return ET.fromstring(svg.draw(chart(*marks, **more), ident="t", alt="a <b>"))


def shapes(root, kind):
    return [e for e in root.iter() if e.tag.endswith(kind)]


def words(root):
    return ["".join(e.itertext()) for e in shapes(root, "text")]


def test_points_lie_where_the_axes_say_and_gaps_are_gaps():
    axes = {"x": log_axis("x", (1, 100)), "y": axis(span=(0, 1))}
    root = drawing(line([1, 10, 100, 100, 100], [0, 0.5, 1, math.nan, 1]), **axes)
    (path,) = (e.get("d") for e in shapes(root, "path") if e.get("fill") == "none")
    assert path.count("M") == 2
    points = np.array(re.findall(r"([-\d.]+),([-\d.]+)", path), dtype=float)
    first, middle, last = points[:3]
    assert middle == pytest.approx((first + last) / 2, abs=0.11)
    assert first[1] > last[1]
    assert root.get("aria-label") == "a <b>"


def test_intervals_on_a_log_axis_stay_where_they_can_be_drawn():
    found = [Estimate(1.0, 1.0, 100), Estimate(1.0, 0.01, 100)]
    up = [e.high - e.mean for e in found]
    mark = charts.dots([1, 2], [1, 1], "a", error_y=charts.intervals(found, "red", log=True))
    error = sent(mark)["error_y"]
    assert (error["array"], error["arrayminus"]) == (up, [0.9, found[1].mean - found[1].low])
    root = drawing(mark, y=log_axis("y", (0.01, 10)))
    strokes = [e.get("d") for e in shapes(root, "path") if e.get("stroke") == "red"]
    ends = [[float(p.split(",")[1]) for p in d[1:].split("L")] for d in strokes[:2]]
    (wide, narrow), short = (a - b for a, b in ends), math.log10((1 + up[1]) / (1 - up[1]))
    assert wide / narrow == pytest.approx(math.log10((1.0 + up[0]) / 0.1) / short, rel=0.1)


def test_rules_and_headings_are_drawn_by_both():
    rules, notes = [charts.upright(10.0), charts.across(1.5)], [charts.heading("Head", 0.5)]
    more = {"shapes": rules, "annotations": notes, "x": log_axis("x", (1, 100))}
    made = told(chart(**more))["layout"]
    assert [s.get("yref", s.get("xref")) for s in made["shapes"]] == ["paper", "paper"]
    root = drawing(charts.dots([10.0], [1.0], "a"), charts.dots([1.0], [2.0]), **more)
    assert "Head" in words(root)
    ruled, level = (re.findall(r"[\d.]+", e.get("d")) for e in shapes(root, "path")[-2:])
    assert ruled[0] == ruled[2] == shapes(root, "circle")[0].get("cx")
    assert level[1] == level[3]


def test_surfaces_keep_their_gaps_and_hatches():
    xs, ys = charts.joined([(np.array([0, 1, 1, 0]), np.array([0, 0, 1, 1]))] * 2)
    assert np.isnan(xs).sum() == 1
    look = {"fill": "toself", "fillcolor": "red", "fillpattern": charts.hatch("/", "red")}
    root = drawing(trace(xs, ys, **look))
    (filled,) = (e for e in shapes(root, "path") if (e.get("fill") or "").startswith("url"))
    assert filled.get("d").count("M") == 2
    assert shapes(root, "pattern")
    lower, upper = charts.band([0, 1], [0, 0], [1, 1], "blue")
    assert sent(upper)["fill"] == "tonexty"
    assert not charts.entries([lower, upper])


def test_a_surface_that_goes_beyond_the_axes_is_cut_there():
    """Its corners stay where they are: moved to the border, a slanted edge would turn."""
    surface = line([-1, 3, 3], [-1, -1, 3], None, "white", fill="toself", fillcolor="red")
    root = drawing(surface, x=axis(span=(0, 1)), y=axis(span=(0, 1)))
    (cut,) = shapes(root, "clipPath")
    left, wide = (float(shapes(cut, "rect")[0].get(name)) for name in ("x", "width"))
    group = next(e for e in shapes(root, "g") if e.get("clip-path") == f"url(#{cut.get('id')})")
    first, _ = (e.get("d").removeprefix("M").partition(",")[0] for e in shapes(group, "path"))
    assert float(first) == pytest.approx(left - wide, abs=0.2)


def test_bars_stand_where_they_begin_and_cells_are_boxes_of_their_colour():
    look = {"base": [1.0, 0.0], "text": ["x", "y"], "orientation": "h"}
    lying = bars([1.0, 2.0], ["a", "b"], None, "red", **look)
    assert sent(lying)["orientation"] == "h"
    first, second = shapes(drawing(lying, x=axis(span=(0, 4))), "rect")
    assert float(second.get("width")) == pytest.approx(2 * float(first.get("width")), rel=1e-2)
    assert float(first.get("x")) > float(second.get("x"))
    beside = [bars([1, 2], [1, 2], None, colour) for colour in ("red", "blue")]
    boxes = shapes(drawing(*beside, barmode="group"), "rect")
    assert boxes[0].get("x") != boxes[2].get("x")
    scale = [[0, "red"], [0.5, "red"], [0.5, "blue"], [1, "blue"]]
    kinds = {"z": np.array([[0, 0], [0, 1]]), "zmin": -0.5, "zmax": 1.5, "colorscale": scale}
    cells = trace([1, 2], [1, 2], type="heatmap", **kinds)
    assert sent(cells)["colorscale"] == scale
    assert [e.get("fill") for e in shapes(drawing(cells), "rect")] == ["red", "red", "blue"]


def test_means_are_drawn_from_two_replicates_on():
    found = [Estimate(0.5, 0.1, 9), Estimate(0.4, math.nan, 1), Estimate(-0.1, 0.1, 9)]
    plain = charts.measured([1, 2, 3], found, "a", ("red", "x"))
    assert (plain["x"], plain["y"]) == ([1, 3], [0.5, -0.1])
    assert plain["error_y"]["arrayminus"] == [e.mean - e.low for e in found[::2]]
    log = charts.measured([1, 2, 3], found, "a", ("red", "x"), log=True)
    assert (log["x"], log["error_y"]["arrayminus"]) == ([1], [min(0.5 - found[0].low, 0.45)])
    empty = charts.measured([2], found[1:2], "a", ("red", "x"))
    assert empty["x"] == [None]  # the legend lists it all the same


def test_a_page_breaks_the_lines_of_a_title_and_shows_it_as_text():
    made = charts.chart([line([1], [1])], title="n<sub>0</sub><br>&lt;b&gt;", height=300, head=64)
    title, bare = spec.headed(made)
    assert (title, [bare["layout"][x] for x in ("title", "height")]) == ("n0 <b>", ["", 272])


def test_a_picture_is_twice_the_drawing_with_its_words(monkeypatch):
    made = [charts.chart([line([1, 2], [1, 2])], title=title) for title in ("One", "Other")]
    one, other = (svg.draw(chart, ident="t", alt="a") for chart in made)
    image = png.png(one)
    height = int(ET.fromstring(one).get("height"))
    assert Image.open(io.BytesIO(image)).size == (1440, 2 * height)
    assert image != png.png(other)
    assert png.can_write()
    png.can_write.cache_clear()
    monkeypatch.setattr(png, "png", lambda drawn: b"the same")
    assert not png.can_write()  # a machine without letters
    png.can_write.cache_clear()


# Words have room in every common font: nothing is cut where the page's is missing ----------------


FACES = {bold: ImageFont.truetype(f"DejaVuSans{'-Bold' * bold}.ttf", 1000) for bold in (0, 1)}
LETTERS = "".join(map(chr, range(32, 127))) + "εγβαδκσ₀₁²×→≤≥…·–−∞◆○√éÄß"


@pytest.mark.parametrize("bold", FACES)
def test_every_letter_fits_its_room(bold):
    """DejaVu Sans is, with Verdana, the widest of the common fonts."""
    for letter in LETTERS:
        room = wide(letter.replace("<", "&lt;"), 1, bold=bool(bold))
        assert FACES[bold].getlength(letter) <= 1000 * room, letter


def pictures():
    long = "W" * 28
    look = {"text": [long, long], "orientation": "h"}
    lying = bars([1.0, 9.9], [long, "M" * 27], long * 4, "#888888", **look)
    curve = trace([1, 2], [1, 2], long, text=[long, long], textposition="top center")
    notes = [charts.heading(long, 0.9), charts.heading(long, 0.0)]
    both = [axis(" ".join([long] * 3))] * 2
    yield charts.chart([lying], *both, title=f"{long} {long}", annotations=notes)
    yield charts.chart([curve, curve], *both, title=" ".join(["Wide words"] * 20))


@pytest.mark.deep
def test_nothing_is_drawn_at_the_border():
    for number, figure in enumerate(pictures()):
        image = Image.open(io.BytesIO(png.png(svg.draw(figure, ident="t", alt="a"))))
        seen = np.asarray(image.convert("L")) < 250  # by pixel; it is twice the drawing
        assert seen[2:-2, 2:-2].sum() == seen.sum() > 0, number
