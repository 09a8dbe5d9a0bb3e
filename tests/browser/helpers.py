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
from rates.study.scope import Scope
from tests.browser.conftest import STILL

ROW_HEIGHT = 35
# What breaks a rule of accessibility; a page keeps the rules from one look to the next. No style
# sheet is read beforehand, a quarter of the time: of the rules that are run by themselves one asks
# for that, which is about sound and film.
RULES = Axe().axe_script
LOOK = "where => axe.run(where ?? document, {resultTypes: ['violations'], preload: false})"
# The browser has drawn what the last click asked for, twice over.
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def button(visitor: Any, name: str) -> Locator:
    """A button of the page's own part, by its name."""
    return visitor.page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)


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


def check_axe(visitor) -> None:
    """No axe violation; nothing fades: a slider's ends under the pointer are faint for a moment."""
    visitor.still()
    no_violation(visitor.page)


def query(visitor: Any) -> dict[str, str]:
    """What the address of a visitor, or of a page, holds."""
    url = getattr(visitor, "page", visitor).url
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


def opened(visitor: Any) -> tuple[Study, Scope | None]:
    """Study and scope in an address."""
    return codec.open_link(query(visitor)["study"])


def linked(visitor: Any) -> Study:
    """The study in an address."""
    return opened(visitor)[0]


def example(key: str, page: str = "study") -> str:
    """The link of a page with an example."""
    return f"/{page}?study={codec.to_link(preset(key).study)}"


def decided(study: Study, *keys: str, **asked: Any) -> list[str]:
    """The sentence that the study page begins with, or those of some questions.

    What is asked is the use, the need, the gain or the risk.
    """
    found = sentences(decide(study, **asked))
    return [f"{one.question} {one.text}" for one in found if one.key in (keys or ("run",))]


def warned(visitor) -> list[str]:
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


def read_rows(visitor, table: str) -> None:
    """Paste rows, which are then shown as they were read."""
    visitor.settle()
    button = visitor.page.get_by_role("button", name="Paste rows")
    button.evaluate("at => at.scrollIntoView({block: 'start'})")  # what opens has room below it
    button.click()
    box = visitor.page.get_by_label("Rows to paste")
    box.fill(table)
    visitor.page.get_by_role("button", name="Read these rows").click()
    visitor.settle()


def use_rows(visitor) -> None:
    """Take the rows over that were read."""
    visitor.page.get_by_role("button", name="Use these rows").click()
    visitor.settle()


def select_cell(visitor, *, row: int, column: int) -> None:
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


def selected(visitor, row: int) -> bool:
    """Whether a cell of a row of the site table gets selected; the grid tells after a while."""
    mark = f'[data-testid="glide-cell-1-{row}"][aria-selected="true"]'
    try:
        visitor.page.wait_for_selector(mark, state="attached", timeout=3_000)
    except TimeoutError:
        return False
    return True


def click_grid(visitor, *, row: int, x: float) -> None:
    """Click into a row of the site table, x pixels from its left edge."""
    canvas = visitor.page.locator("[class*=st-key-sites_] canvas").first
    canvas.wait_for(state="visible")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    visitor.page.mouse.click(box["x"] + x, box["y"] + ROW_HEIGHT * (row + 1.5))


def edit_cell(visitor, *, row: int, column: int, value: str) -> None:
    """Type into a cell of the site table."""
    select_cell(visitor, row=row, column=column)
    visitor.page.keyboard.press("Enter")
    editor = visitor.page.locator(".gdg-input")
    editor.fill(value)
    editor.press("Enter")
    editor.wait_for(state="detached")
    visitor.settle()


def delete_row(visitor, *, row: int) -> None:
    """Select a row by its handle and delete it."""
    click_grid(visitor, row=row, x=15)
    visitor.page.evaluate(DRAWN)
    visitor.page.keyboard.press("Delete")
    visitor.settle()


def go(visitor, page: str) -> str:
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


def unfold(visitor, *folds: str) -> None:
    """Open folds by their titles; on a page that was walked to, one may be open already."""
    closed = visitor.page.locator("[data-testid=stMain] details:not([open]) > summary")
    for fold in folds:
        visitor.page.locator("summary").filter(has_text=fold).first.wait_for()
        if closed.filter(has_text=fold).count():
            closed.filter(has_text=fold).first.click()
    visitor.settle()


def unfold_all(visitor) -> None:
    """Open every fold of the page, all that are seen at once; one may hold others."""
    closed = visitor.page.locator("[data-testid=stMain] details:not([open]) > summary:visible")
    for _ in range(20):
        if not closed.count():
            return
        closed.evaluate_all("all => all.forEach(one => one.click())")
        visitor.settle()
    raise AssertionError("Folds remain closed.")


ASSUMED = {  # what stands in a box of the study page's line of assumptions, by its label
    **{"Smoothness": "smoothness", "Dimension d": "dimension", "Margin α": "margin"},
    **{"Integrability p": "integrability", "How many covariates?": "covariates"},
    **{"What is learned?": "outcome", "Whose patients is it for?": "target"},
    **{"Records per person": "records", "Who uses the result?": "use"},
    **{"Records that would do": "needed", "Gain asked for": "gain"},
    **{"Common budget ε": "epsilon", "Budget ε": "epsilon", "Multiply every ε by": "epsilon"},
}


def reach(visitor, name: str) -> None:
    """Open the box that a widget of the study page stands in, where it is shut."""
    key = next((key for label, key in ASSUMED.items() if name.startswith(label)), "none")
    chip = visitor.page.locator(f".st-key-chip_{key} button[aria-expanded=false]")
    if chip.count():
        chip.click()
        visitor.settle()


def taking(visitor) -> None:
    """Open the box of what may be taken away of a study, where it is shut."""
    shut = visitor.page.locator("[class*=st-key-take_box] button[aria-expanded=false]")
    if shut.count():
        shut.click()
        visitor.settle()


def download(visitor, button: Locator) -> Path:
    """Press a button that saves, and keep the file by its name."""
    with visitor.page.expect_download() as download:
        button.click()
    path = download.value.path()
    return path.rename(path.with_name(f"{path.name}-{download.value.suggested_filename}"))


def saved(visitor, button: str) -> Path:
    """Take something away of a study."""
    taking(visitor)
    place = visitor.page.get_by_role("button", name=button)
    place.scroll_into_view_if_needed()
    return download(visitor, place)


def paper(visitor, file: Path) -> Page:
    """A file that was saved, opened in another window without the app."""
    page = visitor.page.context.new_page()
    page.goto(file.as_uri())
    return page


def sheets(page: Page) -> int:
    """How many sheets of A4 a page takes."""
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def press(name: str) -> Callable[[Any], None]:
    """Press a button of the page's own part."""
    return lambda visitor: button(visitor, name).click()


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
