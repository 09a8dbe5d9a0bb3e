"""The projector: one screen, large letters, turned by keys, light and dark."""

from __future__ import annotations

import base64
import re
from dataclasses import replace

import pytest

from rates.study import preset
from sims.lessons import Entry
from tests.browser.helpers import check_axe, press

LEAST = 22.0  # pixels
INDEX = "sub, sup, .katex *"  # smaller by their nature
LETTERS = """skipped => [...document.querySelectorAll("[data-testid=stMain] *")]
    .filter(one => one.checkVisibility() && !one.closest(skipped) && one.closest("h1, p, li"))
    .filter(one => [...one.childNodes].some(part => part.nodeType === 3 && part.data.trim()))
    .filter(one => one.getAttribute("translate") !== "no")
    .map(one => [parseFloat(getComputedStyle(one).fontSize), one.textContent])"""
PICTURES = """() => [...document.querySelectorAll("[data-testid=stImage] img")]
    .filter(one => one.checkVisibility())
    .map(one => [one.src, one.getBoundingClientRect().width])"""
# The part of the screen that the figure has, and what is free under the foot.
FREE = """() => {
    const seen = [...document.querySelectorAll("[data-testid=stImage] img")];
    const figure = seen.find(one => one.checkVisibility()).getBoundingClientRect();
    const foot = document.querySelector(".st-key-unpresent").getBoundingClientRect();
    return [figure.height / innerHeight, innerHeight - foot.bottom] }"""
ROOM = """() => { const main = document.querySelector("[data-testid=stMain]");
    return main.scrollHeight - main.clientHeight }"""


def letters(visitor) -> list[tuple[float, str]]:
    """Sizes and words of all that is written on the screen, in its figure too."""
    found = [(size, words) for size, words in visitor.page.evaluate(LETTERS, INDEX)]
    for source, wide in visitor.page.evaluate(PICTURES):
        drawn = base64.b64decode(source.partition("base64,")[2]).decode()
        scale = wide / float(re.search(r'viewBox="0 0 (\S+)', drawn)[1])
        words = re.findall(r'<text[^>]*font-size="([\d.]+)"[^>]*>(.*?)</text>', drawn)
        assert words
        found += [(float(size) * scale, text) for size, text in words]
    return found


def fits(visitor) -> None:
    """One screen, nothing small on it, and nothing wrong with it."""
    visitor.still()
    assert visitor.page.evaluate(ROOM) <= 0
    small = [one for one in letters(visitor) if one[0] < LEAST]
    assert not small
    visitor.check()


def fills(visitor) -> None:
    """The figure has no title in it, begins under the question and ends above the foot."""
    (high, left) = visitor.page.evaluate(FREE)
    assert 0 <= left <= 60
    assert high >= 0.68
    drawn = visitor.page.evaluate(PICTURES)
    assert len(drawn) == 1
    assert 'font-weight="600"' not in base64.b64decode(drawn[0][0].partition("base64,")[2]).decode()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1920, "dark")])
def test_a_lesson_is_presented_by_keys(visit, width, scheme):
    visitor = visit("/present?list=odds,free", width=width, height=width * 9 // 16, scheme=scheme)
    page = visitor.page
    visitor.expect("An attacker knows every record but one")
    fits(visitor)
    page.keyboard.press("ArrowRight")
    visitor.expect("how often of 100", "A: 50 to 62.5")
    fits(visitor)
    check_axe(visitor)
    page.keyboard.press("PageDown")
    visitor.expect("Second vote ·")
    press("Count hands")(visitor)
    box = page.get_by_label("Hands for A, B, C, D")
    box.fill("3 9 30 2")
    box.press("ArrowLeft")
    box.press("Enter")
    page.get_by_role("button", name="Votes").wait_for()
    page.keyboard.press("Escape")
    box.wait_for(state="detached")
    page.keyboard.press("PageDown")
    visitor.until(lambda: "Second vote, 44 hands" in str(letters(visitor)))
    fits(visitor)
    for shown in ("✓ 62.5 to 75", "73.1"):  # the class beside what is true, then its picture
        page.keyboard.press("ArrowRight")
        visitor.until(lambda shown=shown: shown in str(letters(visitor)))
        assert "73.1" in str(letters(visitor)).replace("\\", "")
        fits(visitor)
    page.keyboard.press("ArrowRight")
    visitor.expect("At most 73.1 of 100")
    fits(visitor)
    check_axe(visitor)
    page.keyboard.press("PageUp")
    visitor.becomes(lambda: "At most" in visitor.text(), False)


def test_a_theory_page_is_presented_and_left_again(visit):
    visitor = visit("/phases", height=720)
    page = visitor.page
    page.get_by_role("button", name="Details").first.click()
    page.get_by_role("button", name="Present this").click()
    page.wait_for_url(lambda url: "view=present" in url)
    visitor.expect("Back to the page")
    visitor.settle()
    page.get_by_test_id("stImage").wait_for()
    for height in (720, 800):
        page.set_viewport_size({"width": 1280, "height": height})
        fits(visitor)
        fills(visitor)
    assert not page.locator(".st-key-bar").is_visible()
    check_axe(visitor)
    page.get_by_role("button", name="Back to the page").click()
    page.wait_for_url(lambda url: "view=present" not in url)
    page.get_by_role("button", name="Details").first.wait_for()


@pytest.mark.parametrize(("width", "sites"), [(1280, 5), (1280, 12), (1920, 5)])
def test_the_sites_stand_with_the_question_where_they_fit(visit, width, sites):
    study = preset("regional").study
    more = [replace(study.sources[0], name=f"Hospital of the town {k}") for k in range(sites - 5)]
    study = study.with_servers([*study.servers, *more])
    visitor = visit("/present", width=width, height=width * 9 // 16)
    for key in ("free", "carry") if sites == 5 else ("free",):
        for step in ("ask", "ask-2"):
            visitor.turn(f"/present?list={Entry(key, study=study).text()}&step={step}")
            visitor.expect("Second vote")
            fits(visitor)
            last, told = (key, step) == ("carry", "ask-2"), visitor.text()
            for site in study.servers if sites == 5 and not last else ():
                assert site.name in told
                assert f"{site.n:,}" in told
            assert not last or "9,000 records, ε = 0.1, γ = 0.9" in told
