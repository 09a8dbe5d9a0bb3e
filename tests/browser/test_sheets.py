"""A lecturer's list in a browser: ordered by keyboard, its sheets saved and printed on A4."""

from __future__ import annotations

import re
from dataclasses import replace

from pages.lessons import lists
from rates.orders import EXAMPLES
from rates.study import preset
from sims.lessons import LESSONS, Entry, Playlist
from tests.browser.helpers import (
    no_violation,
    saved,
)
from tests.browser.test_pages import check_all

PAPER = {"width": 680, "height": 1009}  # pixels of A4 between margins of 15 mm
# Sections that do not fit a page, words that leave their figure, and what is wider than the paper.
CLIPPED = """height => {
    const box = one => one.getBoundingClientRect();
    const out = [...document.querySelectorAll("section.kept")]
        .filter(one => box(one).height > height).map(one => one.id);
    for (const figure of document.querySelectorAll("svg.figure")) {
        const frame = box(figure);
        for (const words of figure.querySelectorAll("text")) {
            const {left, right, top, bottom} = box(words);
            if (left < frame.left - 1 || right > frame.right + 1
                || top < frame.top - 2 || bottom > frame.bottom + 2)
                out.push(words.textContent);
        }
    }
    for (const one of document.querySelectorAll("main *:not(svg *)"))
        if (box(one).right > innerWidth + 1) out.push(one.outerHTML.slice(0, 80));
    return out;
}"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def pages(paper) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", paper.pdf(prefer_css_page_size=True)))


def test_a_list_is_ordered_by_keyboard_and_its_sheets_are_printed(server, visit, tmp_path):
    visitor = visit(server, width=420)
    visitor.open("/lessons?list=odds,twice,noise")
    visitor.page.locator("summary").filter(has_text="For a lecturer").click()
    visitor.settle()
    visitor.page.get_by_role("radio", name="1. What does").focus()
    visitor.page.keyboard.press("ArrowDown")
    later = visitor.page.get_by_role("button", name="Later")
    later.focus()
    visitor.settle()
    later.press("Enter")
    visitor.becomes(lambda: "list=odds%2Cnoise%2Ctwice" in visitor.page.url, True)
    visitor.settle()
    # What was moved is still the one that is chosen, at the end of the list now.
    assert visitor.page.get_by_role("radio", name="3. What are twice").is_checked()
    assert later.is_disabled()
    check_all(visitor)
    file = saved(visitor, "Sheets to print", tmp_path / "lessons.html")
    paper = visitor.page.context.new_page()
    paper.goto(file.as_uri())
    assert "list=odds,noise,twice" in paper.locator("section#solutions").inner_text()
    assert pages(paper) == 3 + 2  # a lesson a page; then the list and the solutions


def test_nothing_is_clipped_or_split_on_paper(visit, tmp_path):
    study = preset("unequal").study
    names = (f"A hospital with the very long name number {k}" for k in range(5))
    own = replace(study, servers=[replace(s, name=next(names)) for s in study.servers])
    every = Playlist(
        (
            *map(Entry, LESSONS),
            *(Entry(key, study=own) for key in ("carry", "free")),
            *(Entry("rate", rate=example) for example in EXAMPLES[:2]),
        )
    )
    file = tmp_path / "lessons.html"
    file.write_text(lists.sheets(every, "http://example.org"), "utf-8")
    visitor = visit("file:")
    visitor.page.goto(file.as_uri())
    visitor.page.emulate_media(media="print")
    visitor.page.set_viewport_size(PAPER)
    assert visitor.page.locator("section.kept svg.figure text").count() > 100
    assert visitor.page.evaluate(CLIPPED, PAPER["height"]) == []
    assert pages(visitor.page) <= 2 * len(every.lessons) + 1
    visitor.page.emulate_media(media="screen")
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    no_violation(visitor.page)
    assert visitor.page.evaluate(WIDER) <= 0
    assert visitor.problems == []
