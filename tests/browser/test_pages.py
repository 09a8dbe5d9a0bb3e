"""Every page by its own link on a cold server; accessibility, width and colours of each."""

from __future__ import annotations

import pytest

from app import DOORS
from rates.study import PRESETS
from tests.browser.helpers import check_axe, choose, decided, unfold_all
from tests.browser.layout import EVERY, check_layout, pale, tabs

SAYS = {
    "overview": "How much survives privacy?",
    "orders": "decides: the rate is of the order of",
    "phases": "Here the sources decide, privacy binds.",
    "study": decided(PRESETS[0].study, "run")[0],
    "fit": "Within the classification theory [ACC], by the answers given",
    "resolution": "20 sites recover 10 functions over the whole curve",
    "classification": "No classifier exceeds 92.0%",
    "statements": "What changes a conclusion",
    "plan": "every ε × 37.8 to 61.8",
    "hybrid": "each test of a rule asks 96,400 local users",
    "adaptation": "times that without privacy at n = 50",
    "logistic": "detection keeps 5 of 10 sources and drops 5: 0 kept wrongly",
    "columns": "privacy is free from ε₂ = 0.00447 by the rate",
    "real": "calls privacy free",
    "lessons": "how often of 100 can the attacker be right at most?",
    "about": "papers, statement by statement",
    "regression": "5 sites of 5,000 to 20,000 records recover this curve",
}
# What each view says as it opens; a new one needs no entry.
PAGES = {f"/{name}": [SAYS[name]] if name in SAYS else [] for name in EVERY}


def test_a_cold_link_shows_the_whole_app_which_is_accessible(cold_server, visit):
    visitor = visit("/study", *PAGES["/study"], at=cold_server, motion="no-preference")
    for name in (*DOORS, *DOORS["My study"].values()):
        visitor.page.locator(".st-key-bar").get_by_role("link", name=name, exact=True).wait_for()
    check_axe(visitor)
    check_layout(visitor, 800, 390)
    visitor.check()


MOST = 200.0  # pixels between a picture and the slider that moves it, on a phone
APART = """label => {
    const slider = document.querySelector(`input[type=range][aria-label="${label}"]`);
    const seen = [...document.querySelectorAll("[data-testid=stPlotlyChart], .picture")];
    const picture = seen.find(one => one.checkVisibility());
    return slider.getBoundingClientRect().top - picture.getBoundingClientRect().bottom }"""
SLIDERS = {
    "/phases": "Sources' budget ε",
    "/resolution": "Budget ε of each site",
    "/orders": "ε (eps)",
    "/classification": "Budget ε of every server",
    "/hybrid": "Share of volunteers like the population ρ",
    "/logistic": "Budget ε of every site",
}


def stands_under(visitor, label: str) -> None:
    """The main slider stands under its picture."""
    visitor.page.locator(f'input[type=range][aria-label="{label}"]').wait_for(state="attached")
    visitor.page.locator("[data-testid=stPlotlyChart], .picture svg").first.wait_for()
    visitor.still()
    assert 0 < visitor.page.evaluate(APART, label) <= MOST


SCREENS = [(1280, "light"), (420, "dark")]
TABS = [f"/{page}?tab={tab}" for page in EVERY for tab in tabs(page)]


@pytest.mark.parametrize(
    ("path", "width", "scheme"),
    [
        *((path, *screen) for screen in SCREENS for path in PAGES),
        *((path, *SCREENS[k % 2]) for k, path in enumerate(TABS)),  # every other tab on a phone
    ],
)
def test_every_word_stands_out_and_nothing_breaks_accessibility(walk, path, width, scheme):
    """Of a tab the words alone: its page has been looked at. A run is seen to its end once."""
    phone = width < 1000
    visitor = walk(path, width=width, scheme=scheme, stops=phone or "?" in path)
    if path in PAGES:
        visitor.expect(*PAGES[path] if not phone else [])
        check_axe(visitor)
        visitor.check()
        if not phone:
            check_layout(visitor, 800, 390)
        elif path in SLIDERS:
            stands_under(visitor, SLIDERS[path])
    visitor.still()
    if visitor.page.get_by_test_id("stPlotlyChart").count():
        visitor.page.locator(".js-plotly-plot").first.wait_for()
    visitor.until(lambda: not pale(visitor))  # a run that was stopped is drawn once more
    assert pale(visitor) == []


def test_a_pale_word_is_found(walk):
    visitor = walk("/phases")
    visitor.expect(*PAGES["/phases"])
    visitor.still()
    for where in ("h1", ".picture .map-tick"):
        words = visitor.page.locator(f"[data-testid=stMain] {where}").first
        words.evaluate("word => { word.style.color = word.style.fill = '#808495'; }")
        assert [words.text_content() in one for one in pale(visitor)] == [True]
        words.evaluate("word => { word.style.color = word.style.fill = ''; }")


VIEWS = {
    "/study": ["Who carries it"],
    "/phases": ["Your study"],
    "/resolution": [],
    "/orders": ["Cases", "Claims", "Take away"],
}


@pytest.mark.parametrize("path", VIEWS)
def test_views_and_folds_are_accessible(walk, path):
    visitor = walk(path)
    visitor.expect(*PAGES[path])
    unfold_all(visitor)
    check_axe(visitor)
    for view in VIEWS[path]:
        choose(view)(visitor)
        visitor.settle()
        check_axe(visitor)


def test_the_menu_of_a_phone_leads_to_every_view_and_is_accessible(visit):
    visitor = visit("/study", *PAGES["/study"], width=400)
    bar = visitor.page.locator(".st-key-bar")
    bar.locator(".study a").wait_for()
    assert [link.is_visible() for link in bar.get_by_role("link").all()].count(True) == 1
    bar.locator("summary").click()
    listed = bar.locator(".menu")
    listed.get_by_role("link", name="Papers and terms").wait_for()
    assert listed.get_by_role("link").count() == sum(map(len, DOORS.values()))
    check_axe(visitor)
    listed.get_by_role("link", name="What would help").click()
    visitor.expect(*PAGES["/plan"])


BAR = """one => { const look = getComputedStyle(one);
    return [one.scrollWidth - one.clientWidth, look.scrollbarColor] }"""
END = "one => { one.scrollLeft = one.scrollWidth }"
NAMES, REST = 60, 150  # pixels of the first column, and from where on another one stands


@pytest.mark.parametrize("address", ["/plan", "/real"])
def test_a_table_on_a_phone_scrolls_beside_the_names_of_its_rows(walk, address):
    visitor = walk(address, width=400)
    grid = visitor.page.locator("[data-testid=stDataFrame]").last
    grid.scroll_into_view_if_needed()
    scroller = grid.locator(".dvn-scroller")
    hidden, colour = scroller.evaluate(BAR)
    assert hidden > 0
    assert "rgba(0, 0, 0, 0) rgba" not in colour
    visitor.still()
    box = grid.bounding_box()
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
