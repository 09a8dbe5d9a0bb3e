"""Take every view of `app.DOORS` and each of its tabs to sheets one can look through.

``PYTHONPATH=. python tests/golden/contact_sheets.py FOLDER [view ...]`` writes one PNG for each
view and tab: 1280, 800 and 400 pixels wide beside each other, light above dark. It prints where the
first picture begins and what is cut, laid over or pale, and ends with 1 where a picture begins
below the first screen, or on a phone below 1.2 of them.
"""

from __future__ import annotations

import base64
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from app import DOORS
from tests.browser import conftest, layout

SCREENS = {1280: 900, 800: 900, 400: 844}  # by width, the height of the first screen
LATEST = {1280: 900, 400: 1013}  # by width, where the first picture begins at the latest
SCHEMES = ("light", "dark")
TALLEST, SCALE = 2000, 0.6  # of what is taken of a view, and of how large it is shown
TABS = (
    "[data-testid=stMain] [role=radiogroup]:is([aria-label=Show], [aria-label='Part of the page'])"
)
Taken = dict[tuple[str, int], str]


def states(visitor: conftest.Visitor, name: str) -> Iterator[str]:
    """Open a view, then each of its other tabs; what each is called."""
    visitor.open(f"/{name}")
    yield name
    for bar in visitor.page.locator(TABS).all():
        first, *others = bar.get_by_role("radio").all()
        for choice in (*others, first):
            title = choice.inner_text()
            choice.click()
            visitor.settle()
            if choice is not first:
                yield f"{name} {title}"


def take(visitor: conftest.Visitor, width: int) -> tuple[str, list[str], int | None]:
    """Return a picture of the view at a width, what is wrong with it, and where it begins."""
    page = visitor.page
    page.set_viewport_size({"width": width, "height": SCREENS[width]})
    if page.locator("[data-testid=stPlotlyChart]").count():
        page.locator(".js-plotly-plot").first.wait_for()
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")
    visitor.still()
    seen = layout.measured(visitor)
    whole = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": min(whole, TALLEST)})
    visitor.still()
    data = base64.b64encode(page.screenshot(animations="disabled")).decode()
    return f"data:image/png;base64,{data}", seen["found"], seen["top"]


def write(page: Page, taken: Taken, path: Path) -> None:
    """Lay the pictures of one view on a sheet."""
    rows = "".join(
        "<p>"
        + "".join(f'<img width="{SCALE * w:.0f}" src="{taken[scheme, w]}">' for w in SCREENS)
        + "</p>"
        for scheme in SCHEMES
    )
    page.set_content(
        "<style>body {margin: 0; width: max-content; background: #888} p {margin: 8px; "
        f"display: flex; gap: 8px; align-items: start}}</style>{rows}"
    )
    page.locator("body").screenshot(path=path)


def main(folder: Path, names: list[str]) -> int:
    """Write the sheets of every view, or of those that are named."""
    views = [name for door in DOORS.values() for name in door if not names or name in names]
    browser = next(filter(None, map(shutil.which, conftest.BROWSERS)))
    folder.mkdir(parents=True, exist_ok=True)
    late = []
    with sync_playwright() as playwright, conftest.serve() as address:
        windows = conftest.Windows(
            playwright.chromium.launch(executable_path=browser, args=conftest.FLAGS)
        )
        desk = windows.take(address).page
        for name in views:
            sheets: dict[str, Taken] = {}
            for scheme in SCHEMES:
                visitor = windows.take(address, scheme=scheme)
                visitor.page.add_init_script(f"({layout.STOPS})()")
                for state in states(visitor, name):
                    for width in SCREENS:
                        image, found, top = take(visitor, width)
                        sheets.setdefault(state, {})[scheme, width] = image
                        late += [(state, width)] * ((top or 0) > LATEST.get(width, TALLEST))
                        print(f"{state}, {width} {scheme}: picture at {top}", *found, sep="\n    ")
                    visitor.page.set_viewport_size({"width": 1280, "height": 900})
                visitor.page.context.close()
            for state, taken in sheets.items():
                write(desk, taken, folder / f"{re.sub(r'[^a-z0-9]+', '-', state.lower())}.png")
        windows.browser.close()
    print("Pictures that begin too late:", *(f"{one} at {width}" for one, width in set(late)))
    return int(bool(late))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
