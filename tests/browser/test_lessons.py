"""A lesson on a phone, from reading to the score, taken up again by its link."""

from __future__ import annotations

from tests.browser.test_pages import check_all

PHONE = {"width": 390, "height": 844}
IN_SIGHT = """slider => {
    const figure = [...document.querySelectorAll("[data-testid=stPlotlyChart]")].pop();
    const [above, below] = [figure, slider].map(one => one.getBoundingClientRect());
    return [below.bottom - above.top, innerHeight];
}"""


def lock(visitor) -> None:  # type: ignore[no-untyped-def]
    """Lock what is predicted, and ask for the explanation."""
    for button in ("Lock my answer", "Show our explanation"):
        visitor.page.get_by_role("button", name=button).click()
        visitor.settle()


def test_a_lesson_on_a_phone_is_taken_up_again_by_its_link(server, visit):
    visitor = visit(server)
    visitor.page.set_viewport_size(PHONE)
    visitor.open("/lessons?list=odds,free&lesson=free")
    visitor.expect("Counted in unprotected records")
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
    visitor.expect("from ε = 0.115 on", "You expected", "True: ")
    words = visitor.page.get_by_role("textbox", name="In your own words")
    words.fill("Constants <b>count</b> & *more*.")
    words.blur()
    visitor.settle()
    check_all(visitor)
    # Its link begins where one was, in another window; what is locked stands, own words do not.
    other = visit(server, scheme="dark")
    other.page.set_viewport_size(PHONE)
    other.open(visitor.page.url.removeprefix(server))
    other.expect("from ε = 0.115 on", "brings back 1 locked answer")
    other.page.get_by_role("button", name="Lock my answer").wait_for()
    slider = other.page.locator('input[type=range][aria-label="ε"]')
    slider.focus()
    slider.press("ArrowRight")
    other.settle()
    lock(other)
    other.expect("Skill", "brings back 2 locked answers", "Next: What does ε = 1 promise?")
    check_all(other)
    # A reload brings back all of it.
    before = other.text()
    other.page.reload()
    other.expect("brings back 2 locked answers")
    other.becomes(other.text, before)
    other.page.get_by_role("button", name="Next: What does ε = 1 promise?").click()
    other.expect("how often of 100 can the attacker be right at most?")
    other.check()
