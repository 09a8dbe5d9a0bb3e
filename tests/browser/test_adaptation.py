"""The adaptation page in a real Chromium: tabs, a run, a slider, a link, a phone."""

from __future__ import annotations

from tests.browser.test_pages import check_axe

RUN = "/adaptation?run=replicates:3;private:50,400;epsilon:1;public:300;steps:100"


def button(visitor, name: str):  # type: ignore[no-untyped-def]
    return visitor.page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)


def open_tab(visitor, title: str) -> None:  # type: ignore[no-untyped-def]
    visitor.page.get_by_test_id("stMain").get_by_text(title, exact=True).first.click()


def test_a_run_then_every_tab_by_its_switch(server, visit):
    visitor = visit(server)
    visitor.open(RUN)
    visitor.expect("Run compares private fits")
    button(visitor, "Run").click()
    visitor.expect("times that without privacy at n = 50", "finished in")
    check_axe(visitor)
    open_tab(visitor, "Budget")
    visitor.expect("really gives ε = 10.54 by Algorithm 1 alone, which breaks its promise")
    slider = visitor.page.locator('input[type=range][aria-label="Nominal budget ε"]')
    slider.focus()
    slider.press("ArrowRight")
    visitor.expect("Noise meant for ε = 15", "really gives ε = 19.")
    check_axe(visitor)
    open_tab(visitor, "Weights")
    visitor.expect("The printed algorithm moves no inverse weight of them by")
    open_tab(visitor, "Is it close?")
    visitor.expect("from one private reading", "finished in")
    link = visitor.page.url
    again = visit(server, width=420, scheme="dark")
    again.open("/adaptation?tab=budget&run=budget:5")
    again.expect("which keeps its promise")
    check_axe(again)
    again.open(link[len(server) :])
    again.expect("Concept shifts s")
    overflow = again.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0
    visitor.check()
    again.check()
