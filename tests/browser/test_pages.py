"""Every page by its own link on a cold server; accessibility, width and colours of each."""

from __future__ import annotations

import pytest

from rates.study import PRESETS, preset
from tests.browser.helpers import decided, no_violation
from tests.browser.layout import check_layout
from tests.browser.test_formulas import check

PAGES = {
    "/overview": "Learning together",
    "/orders": "decides: the rate is of the order of",
    "/phases": "the sources decide the rate, and privacy binds there (Ps)",
    "/study": decided(PRESETS[0].study, "run")[0],
    "/fit": "within the classification theory [ACC] by the answers given",
    "/resolution": "20 sites recover 10 functions over the whole curve",
    "/classification": "fitted slopes agree with the calibrated rate's",
    "/statements": "Stored verdicts, from draws with seed 0",
    "/plan": "every ε would have to be 37.8 to 61.8 times as large",
    "/hybrid": "each test of a rule asks 96,400 local users",
    "/adaptation": "times that without privacy at n = 50",
    "/logistic": "detection keeps 5 of 10 sources and drops 5: every one of them rightly",
    "/lessons": "how often of 100 can the attacker be right at most?",
    "/about": "terms used on the pages, are explained here",
    "/regression": "simulated points hold the exact risk in their 95 % intervals",
}


def check_axe(visitor, *, opened: bool = False) -> None:
    """No axe violation.

    On a phone the side bar is closed unless opened: hidden, yet with a scroll area of 40
    pixels that axe reports. Nothing fades: the ends of a slider under the pointer are faint for a
    moment.
    """
    visitor.still()
    closed = visitor.page.viewport_size["width"] < 768 and not opened
    no_violation(visitor.page, without="[data-testid=stSidebar]" if closed else None)


def check_all(visitor) -> None:
    """Accessible, no wider than the screen, and nothing went wrong."""
    check_axe(visitor)
    overflow = visitor.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0
    visitor.check()


# Tests of pages without a browser open every page on a cold server; one is enough in one, and
# test_first_edit opens others.
COLD = ("/study",)


@pytest.mark.parametrize("path", COLD)
def test_a_cold_link_shows_the_whole_app_which_is_accessible(cold_server, visit, path):
    visitor = visit(cold_server, motion="no-preference")
    visitor.open(path)
    visitor.expect(PAGES[path])
    navigation = visitor.page.get_by_test_id("stSidebar")
    for name in ("Overview", "Study"):
        navigation.get_by_text(name, exact=True).first.wait_for()
    check_all(visitor)
    check_layout(visitor, 800, 390)


# Other tests look at these pages on a phone; here that stands behind the slow marker.
ELSEWHERE = {
    *("/classification", "/fit", "/lessons", "/regression", "/resolution", "/statements"),
    *("/adaptation", "/hybrid"),
}
SCREENS = [(1280, "light"), (420, "dark"), (1280, "dark"), (420, "light")]


@pytest.mark.parametrize(
    ("width", "scheme", "path"),
    [
        pytest.param(*where, path, marks=[pytest.mark.slow] if path in late else [])
        for where in SCREENS
        for late in [COLD if where == (1280, "light") else ELSEWHERE]
        for path in PAGES
    ],
)
def test_nothing_breaks_accessibility(walk, path, width, scheme):
    visitor = walk(path, width=width, scheme=scheme)
    visitor.expect(PAGES[path])
    check_all(visitor)
    if width > 1000:  # the side bar stays open
        check_layout(visitor, 800, 390)


@pytest.mark.parametrize("width", [1280, pytest.param(420, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("path", "folds", "views"),
    [
        (
            "/study",
            ["Why: the equation", "What this does not say", "The lines of Python"],
            ["All budgets scaled", "Other designs"],
        ),
        ("/phases", ["Why: the four terms", "What this does not say"], ["Rate along the cut"]),
        ("/resolution", ["Why", "What this does not say"], ["Alike or dominating"]),
        (
            "/orders",
            ["Ranges of exponents", "Where two terms are equal", "What this does not say"],
            ["Along one axis", "Two rates"],
        ),
    ],
)
def test_views_and_folds_are_accessible(server, visit, path, folds, views, width):
    visitor = visit(server, width=width)
    visitor.open(path)
    visitor.expect(PAGES[path])
    for fold in folds:
        visitor.page.locator("summary").filter(has_text=fold).first.click()
        visitor.settle()
    for view in views:
        visitor.page.get_by_text(view, exact=True).click()
        visitor.settle()
        check_axe(visitor)
    visitor.check()


def test_the_side_bar_of_a_phone_is_accessible(server, visit):
    visitor = visit(server, width=420)
    visitor.open("/study")
    visitor.expect(PAGES["/study"])
    visitor.page.get_by_test_id("stExpandSidebarButton").click()
    check_axe(visitor, opened=True)
    visitor.check()


FOLDED = 768  # pixels; where it is narrower the side bar is folded at first
BESIDE = ("/overview", "/study", "/plan", "/phases", "/orders", "/hybrid", "/regression")


@pytest.mark.parametrize("width", [700, 800, 900, 1000])
def test_every_page_is_whole_with_the_side_bar_open(server, visit, width):
    """Nothing is cut beside it, or behind it.

    Below 768 pixels Streamlit folds the side bar, and lays it over the page once it is opened: the
    page behind keeps the whole width.
    """
    visitor = visit(server, width=width)
    visitor.open("/overview")
    bar, main = (visitor.page.get_by_test_id(name) for name in ("stSidebar", "stMain"))
    for path in (*BESIDE, "/statements", "/statements?id=ACC:Cor3.3:case-3:threshold"):
        visitor.turn(path)
        visitor.expect(PAGES.get(path, "Our reading"))
        opens = visitor.page.get_by_test_id("stExpandSidebarButton")
        assert width < FOLDED or not opens.count()
        if opens.count():
            opens.click()
        visitor.still()
        assert (bar.bounding_box()["x"], bar.bounding_box()["width"]) == (0, 300)
        assert main.bounding_box()["x"] == (0 if width < FOLDED else 300)
        check_layout(visitor, width)
        check(visitor, some=False)


def test_the_overview_s_slider_and_doors(server, visit):
    visitor = visit(server)
    visitor.open("/overview")
    visitor.expect("With ε = 1 at every hospital, the rate equation keeps 100 %", "2.5 to 3.7 %")
    slider = visitor.page.locator("input[type=range]").first
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")
    visitor.settle()
    visitor.expect("With ε = 2 at every hospital")
    visitor.page.get_by_text("A million phones").click()
    visitor.settle()
    visitor.expect(*decided(preset("phones").study))
    visitor.becomes(lambda: "/study?study=" in visitor.page.url, True)
    visitor.open("/overview")
    visitor.page.get_by_text("A table that differs").click()
    visitor.settle()
    visitor.expect("At ε = 0.4 and γ = 1.2, the sources decide the rate")
    visitor.check()
