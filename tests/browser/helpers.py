"""What the journeys share: typing into the grid, and reading the study in the address."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, TimeoutError

from app import DOORS
from pages.charts import words
from rates.answer import privacy_cost
from rates.decision import decide, sentences
from rates.study import codec
from rates.study.presets import preset
from rates.study.scenario import Study
from tests.browser.conftest import STILL

ROW_HEIGHT = 35
# What breaks a rule of accessibility; a page keeps the rules from one look to the next.
RULES = Axe().axe_script
LOOK = "where => axe.run(where ?? document, {resultTypes: ['violations']})"
# The browser has drawn what the last click asked for, twice over.
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def button(visitor: Any, name: str) -> Locator:
    """A button of the page's own part, by its name."""
    return visitor.page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)


def expect_asked(visitor: Any, part: str) -> None:
    """Wait until the run in the address asks for this; it follows the page."""

    def asked() -> bool:
        query = urllib.parse.parse_qs(urllib.parse.urlparse(visitor.page.url).query)
        return part in query.get("run", [""])[0]

    visitor.becomes(asked, True)


def no_violation(page: Page, *, without: str | None = None) -> None:
    """No rule of accessibility is broken, on the page or on what is left without some part.

    What faded while it was looked at, as a page does that is drawn anew, is looked at again.
    """
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(RULES)
    where = without and {"exclude": [[without]]}
    found = AxeResults(page.evaluate(LOOK, where))
    if found.violations_count:
        page.wait_for_function(f"!document.querySelector('[data-stale=true]') && ({STILL})()")
        found = AxeResults(page.evaluate(LOOK, where))
    assert found.violations_count == 0, found.generate_report()


def linked(visitor) -> Study:  # type: ignore[no-untyped-def]
    """The study in the address."""
    query = urllib.parse.parse_qs(urllib.parse.urlparse(visitor.page.url).query)
    return codec.from_link(query["study"][0])


def example(key: str, page: str = "study") -> str:
    """The link of a page with an example."""
    return f"/{page}?study={codec.to_link(preset(key).study)}"


def decided(study: Study, *keys: str, **asked: Any) -> list[str]:
    """The sentence that the study page begins with, or those of some questions.

    What is asked is the use, the need, the gain or the risk.
    """
    found = sentences(decide(study, **asked))
    return [f"{one.question} {one.text}" for one in found if one.key in (keys or ("run",))]


def warned(visitor) -> list[str]:  # type: ignore[no-untyped-def]
    """What the page warns of, refuses or tells besides its answer."""
    boxes = visitor.page.locator("[data-testid=stMain] [data-testid=stAlert]")
    return [re.sub(r"\s+", " ", text).strip() for text in boxes.all_inner_texts()]


def displayed(study: Study) -> list[str]:
    """Numbers that the study page shows for a study."""
    cost = privacy_cost(study)[0]
    return [
        words.number(cost.equation.answer.effective_n),
        words.percent(cost.equation.kept),
        words.span(*(words.number(x) for x in cost.ratio_range)),
    ]


def read_rows(visitor, table: str) -> None:  # type: ignore[no-untyped-def]
    """Paste rows, which are then shown as they were read."""
    visitor.settle()
    button = visitor.page.get_by_role("button", name="Paste rows")
    button.evaluate("at => at.scrollIntoView({block: 'start'})")  # what opens has room below it
    button.click()
    box = visitor.page.get_by_label("Rows to paste")
    box.fill(table)
    visitor.page.get_by_role("button", name="Read these rows").click()
    visitor.settle()


def use_rows(visitor) -> None:  # type: ignore[no-untyped-def]
    """Take the rows over that were read."""
    visitor.page.get_by_role("button", name="Use these rows").click()
    visitor.settle()


def select_cell(visitor, *, row: int, column: int) -> None:  # type: ignore[no-untyped-def]
    """Select a cell of the site table; columns count from 0, the site's name."""
    click_grid(visitor, row=row, x=80)
    if not selected(visitor, row):  # what stands above the table has moved it meanwhile
        click_grid(visitor, row=row, x=80)
    editor = visitor.page.locator(".gdg-input")
    visitor.page.evaluate(DRAWN)
    if editor.count():  # a second click had opened the cell
        visitor.page.keyboard.press("Escape")
        editor.wait_for(state="detached")
    for _ in range(column):
        visitor.page.keyboard.press("ArrowRight")


def selected(visitor, row: int) -> bool:  # type: ignore[no-untyped-def]
    """Whether a cell of a row of the site table gets selected; the grid tells after a while."""
    mark = f'[data-testid="glide-cell-1-{row}"][aria-selected="true"]'
    try:
        visitor.page.wait_for_selector(mark, state="attached", timeout=3_000)
    except TimeoutError:
        return False
    return True


def click_grid(visitor, *, row: int, x: float) -> None:  # type: ignore[no-untyped-def]
    """Click into a row of the site table, x pixels from its left edge."""
    canvas = visitor.page.locator("[class*=st-key-sites_] canvas").first
    canvas.wait_for(state="visible")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    visitor.page.mouse.click(box["x"] + x, box["y"] + ROW_HEIGHT * (row + 1.5))


def edit_cell(visitor, *, row: int, column: int, value: str) -> None:  # type: ignore[no-untyped-def]
    """Type into a cell of the site table."""
    select_cell(visitor, row=row, column=column)
    visitor.page.keyboard.press("Enter")
    editor = visitor.page.locator(".gdg-input")
    editor.fill(value)
    editor.press("Enter")
    editor.wait_for(state="detached")
    visitor.settle()


def delete_row(visitor, *, row: int) -> None:  # type: ignore[no-untyped-def]
    """Select a row by its handle and delete it."""
    click_grid(visitor, row=row, x=15)
    visitor.page.evaluate(DRAWN)
    visitor.page.keyboard.press("Delete")
    visitor.settle()


def go(visitor, page: str) -> str:  # type: ignore[no-untyped-def]
    """Follow a link of the bar, through its door where another one is open.

    Returns:
        The address that the link was followed from, to which Back leads.
    """
    name = "about" if page == "Papers and terms" else page.lower()
    bar = visitor.page.locator(".st-key-bar")
    bar.get_by_role("link", name="Start", exact=True).wait_for()
    link = bar.locator(f'a[href="{name}"]:visible, a[href^="{name}?"]:visible').first
    if not link.count():
        door = next(door for door, views in DOORS.items() if name in views)
        bar.get_by_role("link", name=door, exact=True).click()
        visitor.settle()
    address = str(visitor.page.url)
    link.click()
    visitor.settle()
    return address


def unfold(visitor, *folds: str) -> None:  # type: ignore[no-untyped-def]
    """Open folds by their titles; on a page that was walked to, one may be open already."""
    closed = visitor.page.locator("[data-testid=stMain] details:not([open]) > summary")
    for fold in folds:
        visitor.page.locator("summary").filter(has_text=fold).first.wait_for()
        if closed.filter(has_text=fold).count():
            closed.filter(has_text=fold).first.click()
    visitor.settle()


ASSUMED = {  # what stands in a box of the study page's line of assumptions, by its label
    **{"Smoothness": "smoothness", "Dimension d": "dimension", "Margin α": "margin"},
    **{"Integrability p": "integrability", "How many covariates?": "covariates"},
    **{"What is learned?": "outcome", "Whose patients is it for?": "target"},
    **{"Records per person": "records", "Who uses the result?": "use"},
    **{"Records that would do": "needed", "Gain asked for": "gain"},
    **{"Common budget ε": "epsilon", "Budget ε": "epsilon", "Multiply every ε by": "epsilon"},
}


def reach(visitor, name: str) -> None:  # type: ignore[no-untyped-def]
    """Open the box that a widget of the study page stands in, where it is shut."""
    key = next((key for label, key in ASSUMED.items() if name.startswith(label)), "none")
    chip = visitor.page.locator(f".st-key-chip_{key} button[aria-expanded=false]")
    if chip.count():
        chip.click()
        visitor.settle()


def taking(visitor) -> None:  # type: ignore[no-untyped-def]
    """Open the box of what may be taken away of a study, where it is shut."""
    shut = visitor.page.locator("[class*=st-key-take_box] button[aria-expanded=false]")
    if shut.count():
        shut.click()
        visitor.settle()


def saved(visitor, button: str, path: Path) -> Path:  # type: ignore[no-untyped-def]
    """Press a button that saves, and keep the file."""
    taking(visitor)
    place = visitor.page.get_by_role("button", name=button)
    place.scroll_into_view_if_needed()
    with visitor.page.expect_download() as download:
        place.click()
    download.value.save_as(path)
    return path


def slide(name: str, key: str = "ArrowRight") -> Callable[[Any], None]:
    """Move a slider by a key."""

    def act(visitor: Any) -> None:
        reach(visitor, name)
        slider = visitor.page.locator(f'input[type=range][aria-label="{name}"]')
        slider.focus()
        slider.press(key)

    return act


def type_in(name: str, text: str) -> Callable[[Any], None]:
    """Type into a box."""

    def act(visitor: Any) -> None:
        reach(visitor, name)
        box = visitor.page.locator(f'input[aria-label="{name}"]')
        box.fill(text)
        box.press("Enter")

    return act


def choose(name: str) -> Callable[[Any], None]:
    """Choose a part of a switch."""

    def act(visitor: Any) -> None:
        main = visitor.page.get_by_test_id("stMain")
        main.get_by_role("radio", name=name, exact=True).click()

    return act


def pick(menu: str, option: str) -> Callable[[Any], None]:
    """Choose from a list."""

    def act(visitor: Any) -> None:
        visitor.settle()
        reach(visitor, menu)
        box = visitor.page.get_by_role("combobox", name=menu)
        box.scroll_into_view_if_needed()
        visitor.settle()  # a list shuts when the page is scrolled
        choice = visitor.page.get_by_role("option", name=option)
        box.click()
        with suppress(TimeoutError):  # a run that ends only now shuts the list again
            choice.click(timeout=5_000)
            return
        visitor.settle()
        box.click()
        choice.click()

    return act
