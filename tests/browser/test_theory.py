"""Journeys through the pages of a theory: each step says something, and a link shows the last."""

from __future__ import annotations

import pytest

import rates
from pages.charts import words
from pages.resolution import DETAIL
from rates.maps import Detail
from tests.browser.helpers import check_axe, choose, example, go, pick, press, slide, type_in
from tests.pages.core.links import asked_by

FITS = "/adaptation?run=replicates:3;private:50,400;epsilon:1;public:300;steps:100"
SMALL = "dimension:12;sparsity:3;sources:4;transferable:2"
SHARE = "Share of volunteers like the population ρ, exact value"
# By link: what is done, each with what the page then says, and what its last link says elsewhere.
# The rules of accessibility are asked once of what a view shows, not after each number of it.
JOURNEYS = {
    "/hybrid": [
        (check_axe, "each test of a rule asks", "Learning on volunteers alone", "Within reach"),
        (type_in("Volunteers you have n, exact value", "100"), "too few"),
        (choose("Private run"), "runs pass a test", "Each volunteer spends"),
        (type_in(SHARE, "0.6"), "5 of 5 runs pass a test, after 1 round"),
        (check_axe,),
        "5 of 5 runs pass a test, after 1 round",
    ],
    FITS: [
        (press("Run"), "times that without privacy at n = 50", "finished in"),
        (check_axe,),
        (choose("Budget"), "really gives ε = 10.54 by Algorithm 1 alone, which breaks its promise"),
        (slide("Nominal budget ε"), "Noise meant for ε = 15", "really gives ε = 19."),
        (choose("Weights"), "The printed algorithm moves no inverse weight of them by"),
        (check_axe,),
        (choose("Is it close?"), "from one private reading", "finished in"),
        (check_axe,),
        "Concept shifts s",
    ],
    "/adaptation?tab=budget&run=budget:5": [
        (check_axe, "which keeps its promise"),
        "which keeps its promise",
    ],
    f"/logistic?run={SMALL}": [
        (check_axe, "With ε = 16, detection keeps", "best possible"),
        (slide("Budget ε of every site", "Home"), "With ε = 0.5, detection keeps", "All noise"),
        "With ε = 0.5, detection keeps",
    ],
    f"/logistic?tab=accuracy&run={SMALL};epsilon:8,inf;replicates:3": [
        (press("Run"), "finished in", "3 of 3 replicates", "target alone"),
        (check_axe,),
        "Run compares the four fits",
    ],
    example("hospitals", "phases"): [
        (choose("Your study"), "Cleveland carries most and sampling binds it by the rate equation"),
        (choose("Map"), "As the budget grows"),
        (choose("Your study"), "every ε above × 0.512"),
        (pick("From bottom to top", "Budget ε of Long Beach"), "Budget ε of Long Beach"),
        (choose("Named mechanism"), "located to 1e-6 of the axis"),
        (check_axe,),
        "Budget ε of Long Beach below 2.37",
    ],
}


@pytest.mark.parametrize("link", JOURNEYS, ids=lambda link: link[1:20])
def test_a_page_is_walked_through_and_its_link_shows_it(visit, walk, link):
    visitor = walk(link)
    *steps, again = JOURNEYS[link]
    for act, *said in steps:
        act(visitor)
        visitor.expect(*said)
        visitor.settle()
    visitor.check()
    check_axe(visit(visitor.path, again, width=420, scheme="dark"))


def test_records_are_brought_and_judged(visit):
    """Three sites, one of them with turned labels; nothing random."""
    lines = ["source,y,a,b"]
    for name, n, turned in (("small", 60, 0), ("like", 120, 0), ("unlike", 120, 1)):
        for k in range(n):
            a, b = ((37 * k) % 41) / 20 - 1, ((17 * k) % 29) / 14 - 1
            lines.append(f"{name},{int(a + b > 0) ^ turned},{a:.3f},{b:.3f}")
    visitor = visit("/logistic?tab=records&run=kind:none", "table of records")
    press("Bring the table")(visitor)
    table = {"name": "records.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}
    visitor.page.locator("input[type=file]").set_input_files(table)
    visitor.expect("For small the detection", "Not private end to end")


def test_a_slider_and_coming_back(visit):
    visitor = visit("/resolution", "20 sites recover 10 functions over the whole curve")
    slide("Budget ε of each site", "ArrowLeft")(visitor)
    detail = Detail(epsilon=0.04)
    visitor.becomes(lambda: asked_by(visitor.page.url, DETAIL), detail)
    answer = rates.solve(detail.study())
    said = f"recover {words.number(answer.integrated.D)} functions"
    visitor.expect(said, f"{words.number(answer.pointwise.D)} functions at one point")
    go(visitor, "Overview")
    go(visitor, "Resolution")
    visitor.becomes(lambda: asked_by(visitor.page.url, DETAIL), detail)
    visitor.page.reload()
    visitor.expect(said)
