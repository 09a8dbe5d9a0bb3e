"""On a phone no table is cut: it can be seen to scroll, and what names a row stays in sight."""

from __future__ import annotations

import pytest

BAR = """one => { const look = getComputedStyle(one);
    return [one.scrollWidth - one.clientWidth, look.scrollbarColor] }"""
END = "one => { one.scrollLeft = one.scrollWidth }"
NAMES, REST = 60, 150  # pixels of the first column, and from where on another one stands


@pytest.mark.parametrize("address", ["/plan", "/fit?tab=promises"])
def test_a_table_on_a_phone_scrolls_beside_the_names_of_its_rows(server, visit, address):
    visitor = visit(server, width=400)
    visitor.open(address)
    grid = visitor.page.locator("[data-testid=stDataFrame]").last
    grid.scroll_into_view_if_needed()
    scroller = grid.locator(".dvn-scroller")
    hidden, colour = scroller.evaluate(BAR)
    assert hidden > 0
    assert "rgba(0, 0, 0, 0) rgba" not in colour
    visitor.still()
    box = grid.bounding_box()
    assert box is not None
    names = {"x": box["x"] + 2, "y": box["y"] + 2, "width": NAMES, "height": 60}
    rest = {**names, "x": box["x"] + REST + 90, "width": 100}

    def seen() -> list[bytes]:
        return [visitor.page.screenshot(clip=part) for part in (names, rest)]

    before = seen()
    scroller.evaluate(END)
    visitor.still()
    visitor.until(lambda: seen()[1] != before[1])
    assert seen()[0] == before[0]
    visitor.check()
