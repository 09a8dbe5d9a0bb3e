"""A lesson on a phone, taken up again by its link; a lecturer's list, its sheets on A4."""

from __future__ import annotations

from dataclasses import replace

from pages.lessons import lists
from rates.orders import EXAMPLES
from rates.study import preset
from sims.lessons import LESSONS, Entry, Playlist
from tests.browser.helpers import (
    check_axe,
    no_violation,
    paper,
    press,
    saved,
    sheets,
    slide,
    unfold,
)

PHONE = {"width": 390, "height": 844}
FREE = "Next: What does ε = 1 promise?"
IN_SIGHT = """slider => {
    const figure = [...document.querySelectorAll("[data-testid=stPlotlyChart]")].pop();
    const [above, below] = [figure, slider].map(one => one.getBoundingClientRect());
    return [below.bottom - above.top, innerHeight];
}"""


def lock(visitor) -> None:
    """Lock what is predicted, and ask for the last explanation."""
    press("Lock my answer")(visitor)
    visitor.settle()
    visitor.page.locator("summary").filter(has_text="Our explanation").last.click()
    visitor.settle()


def test_a_lesson_on_a_phone_is_taken_up_again_by_its_link(visit):
    visitor = visit(
        "/lessons?list=odds,free&lesson=free", "Counted in unprotected records", **PHONE
    )
    sliders = visitor.page.locator('input[type=range][aria-label^="At ε"]')
    sliders.first.wait_for()
    for place in range(3):
        slider = sliders.nth(place)
        slider.focus()
        for _ in range(3 - place):
            slider.press("ArrowRight")
        visitor.settle()
        # Figure and slider fit on the screen together, so a reader sees what moves.
        height, screen = slider.evaluate(IN_SIGHT)
        assert height <= screen
    lock(visitor)
    visitor.expect("With the noise of the named mechanism", "You expected", "True: ")
    words = visitor.page.get_by_role("textbox", name="In your own words")
    words.fill("Constants <b>count</b> & *more*.")
    words.blur()
    visitor.settle()
    check_axe(visitor)
    # Its link begins where one was, in another window; what is locked stands, own words do not.
    other = visit(visitor.path, "True: ", "brings back 1 locked answer", scheme="dark", **PHONE)
    slide("ε")(other)
    other.settle()
    lock(other)
    other.expect("Skill", "brings back 2 locked answers", FREE)
    check_axe(other)
    other.page.reload()
    other.expect("brings back 2 locked answers")
    press(FREE)(other)
    other.expect("how often of 100 can the attacker be right at most?")


# Sheets

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


def test_a_list_is_written_on_a_phone_and_its_sheets_are_saved(visit):
    visitor = visit("/lessons?list=odds,twice,noise", width=420)
    unfold(visitor, "For a lecturer")
    box = visitor.page.get_by_label("The list, one entry a line")
    box.fill("odds\nnoise\ntwice")
    box.blur()
    visitor.becomes(lambda: "list=odds%2Cnoise%2Ctwice" in visitor.path, True)
    visitor.settle()
    check_axe(visitor)
    printed = paper(visitor, saved(visitor, "Sheets to print"))
    assert "list=odds,noise,twice" in printed.locator("section#solutions").inner_text()
    assert sheets(printed) == 3 + 2  # a lesson a page; then the list and the solutions


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
    visitor = visit(at="file:")
    visitor.page.goto(file.as_uri())
    visitor.page.emulate_media(media="print")
    visitor.page.set_viewport_size(PAPER)
    assert visitor.page.locator("section.kept svg.figure text").count() > 100
    assert visitor.page.evaluate(CLIPPED, PAPER["height"]) == []
    assert sheets(visitor.page) <= 2 * len(every.lessons) + 1
    visitor.page.emulate_media(media="screen")
    visitor.page.set_viewport_size(PHONE)
    no_violation(visitor.page)
    visitor.check()
