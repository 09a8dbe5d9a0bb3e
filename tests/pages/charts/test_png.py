"""Pictures without a browser."""

from __future__ import annotations

import struct

from pages.charts import png as pictures
from pages.charts import svg
from pages.charts.chart import Chart
from pages.charts.make import line


def drawing(title):
    return svg.draw(Chart(marks=[line([1, 2], [1, 2])], title=title), ident="t", alt="a")


def test_a_picture_is_twice_the_drawing_with_its_words():
    drawn = drawing("A finding")
    image = pictures.png(drawn)
    assert image.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", image[16:24])
    assert (width, height) == (1440, 2 * int(drawn.split('height="')[1].split('"')[0]))
    assert pictures.can_write()
    assert image != pictures.png(drawing("Another finding"))


def test_a_machine_without_letters_is_known(monkeypatch):
    pictures.can_write.cache_clear()
    monkeypatch.setattr(pictures, "png", lambda drawn: b"the same")
    assert not pictures.can_write()
    pictures.can_write.cache_clear()
