"""Back undoes what a page keeps in the address, and then leaves the page: every record of it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pages
from pages.about import TERM
from pages.classroom.projector import TURN
from pages.core import UrlState
from pages.current import state
from pages.fit.constant import CONSTANT
from pages.fit.page import TAB as FIT_TAB
from pages.fit.rivals import CURATOR
from pages.lessons.task import LESSON, LIST, PROGRESS
from pages.orders.asked import RATE
from pages.orders.shelf import AGAINST
from pages.overview import EPSILON
from pages.phases.own import OWN
from pages.phases.page import POINT, READING
from pages.pictures.attacker import GAME
from pages.plan.state import PLAN
from pages.plan.state import TAB as PLAN_TAB
from pages.resolution import DETAIL
from pages.statements.view import VIEW
from rates.study import codec
from tests.browser.helpers import choose, displayed, go, pick, press, slide, type_in, unfold
from tests.browser.test_study import six_sites

USUAL = state.STUDY.start.study
FITTED = replace(six_sites(), smoothness=1.0, margin=1.0)  # where a constant can be fitted
STARTS = {"epsilon": "/resolution", "constant": f"/study?study={codec.to_link(FITTED)}"}
# What is opened before, which adds an entry to the history of its own.
PREPARED = {"curator": "Alternatives", "constant": "Alternatives"}
PREPARED |= {"own": "Your study", "against": "Printed rates"}
LIVE = "live"  # the tabs of a page make their record anew for every page


def predict(visitor: Any) -> None:
    """Move the slider of the first lesson and lock; Back does not undo it, and this is said."""
    slide("Right guesses")(visitor)
    visitor.settle()
    press("Lock my answer")(visitor)


def calibrate(visitor: Any) -> None:
    """Fit a constant and use it."""
    pick("World", "Risk crosses 50% along a line, β = 1, α = 1")(visitor)
    visitor.expect("28 of 28 settings")
    visitor.page.get_by_role("button", name="Use this constant").click()


def print_table(visitor: Any) -> None:
    """Ask for the printed table, which is folded away."""
    unfold(visitor, "Sizes, shape, unequal budgets")
    pick("Table 1 as printed", "Reading A")(visitor)


def turn(visitor: Any) -> None:
    """Turn the lecture by a key."""
    visitor.page.keyboard.press("ArrowRight")


BETA, WON, ONE = "Smoothness β, exact value", "Part won back, exact value", "Lesson 1 of 3."
CURATED = "Budget ε of a trusted curator, exact value"
BY_CURATOR = "all records with a trusted curator (ε = {})".format
ATTACK = f"/lessons?lesson=attack&study={codec.to_link(USUAL)}"
NUMBERS = [displayed(study)[0] for study in (USUAL, replace(USUAL, smoothness=0.5))]
MINE, ODDS = "equal sources, own budgets", "An attacker knows every record but one"
LOOK_UP = "Look up a term, a letter or a paper"
# By record: the page, a change, and what the page says before and after it.
CHANGES: list[tuple[UrlState[Any] | str, str, Callable[[Any], None], str, str]] = [
    (state.STUDY, "Study", type_in(BETA, "0.5"), *NUMBERS),
    (FIT_TAB, "Fit", choose("What ε promises"), "Your answers", "The edge is the most"),
    (CURATOR, "Fit", type_in(CURATED, "0.25"), BY_CURATOR(0.1), BY_CURATOR(0.25)),
    (PLAN, "Plan", type_in(WON, "0.3"), "To halve what privacy costs", "To win back 30% of what"),
    (PLAN_TAB, "Plan", choose("Sites on offer"), "What do you aim at?", "One line per offer"),
    (EPSILON, "Overview", slide("Common budget ε", "ArrowLeft"), "ε = 1 strict", "ε = 0.891"),
    (GAME, ATTACK, slide("Budget ε of each release"), "Twenty guesses", "ε = 1.1"),
    (POINT, "Phases", slide("Signal exponent γ"), ", γ = 1.2.", ", γ = 1.3."),
    (READING, "Phases", print_table, "As the budget grows", "reading A of the printed table"),
    (OWN, "Phases", choose("Named mechanism"), "border at ε × 1.68", "border at ε × 30.8"),
    (RATE, "Orders", type_in("ε (eps), exact value", "0.5"), "Pt decides", "Ps decides: the rate"),
    (AGAINST, "Orders", pick("printed rates", MINE), "without any source", "with m equal sources"),
    (DETAIL, "Resolution", slide("Budget ε of each site"), "under ε = 0.05", "under ε = 0.063"),
    (VIEW, "Statements", type_in("Search", "eps21"), "What changes a", "Show all statements"),
    (LIST, "Lessons", pick("List", "45 minutes"), ONE, "Lesson 1 of 5."),
    (LESSON, "Lessons", pick("Lesson", "2. "), ONE, "Lesson 2 of 3."),
    (PROGRESS, "Lessons", predict, ONE, "brings back 1 locked answer"),
    (TERM, "Papers and terms", type_in(LOOK_UP, "CCV"), "How to cite", "converted from its PDF"),
    (TURN, "/present?list=odds", turn, ODDS, "how often of 100 can the attacker be right"),
    (LIVE, "Regression", choose("Weights"), "recover this curve", "Against weights by inverse"),
    # The last, as it begins with another study, which the session keeps.
    (CONSTANT, "Fit", calibrate, "No absolute risk yet", "What would help says what a smaller"),
]


@pytest.mark.parametrize(
    ("record", "page", "act", "before", "after"),
    CHANGES,
    ids=[record if isinstance(record, str) else record.parameter for record, *_ in CHANGES],
)
def test_back_undoes_and_then_leaves(visit, walk, record, page, act, before, after):
    start = STARTS.get(getattr(record, "parameter", LIVE), "/overview")
    if page.startswith("/"):  # loaded, as no link leads to it
        visitor = visit(start)
        came = visitor.page.url
        visitor.open(page)
    else:
        visitor = walk(start)
        came = go(visitor, page)
    if prepare := PREPARED.get(getattr(record, "parameter", LIVE)):
        choose(prepare)(visitor)
    visitor.expect(before)
    visitor.settle()
    address = visitor.page.url
    act(visitor)
    visitor.expect(after)
    visitor.page.wait_for_url(lambda url: url != address)
    visitor.settle()
    visitor.page.go_back()
    visitor.becomes(lambda: after in visitor.text(), False)
    visitor.expect(before)
    visitor.becomes(lambda: visitor.page.url, address)
    visitor.settle()
    if prepare:
        visitor.page.go_back()
        visitor.becomes(lambda: before in visitor.text(), False)
        visitor.settle()
    visitor.page.go_back()
    visitor.becomes(lambda: visitor.page.url, came)
    visitor.check()


def test_every_record_is_tried():
    """A new record in the address goes into the list above."""
    made = set()
    for path in Path(pages.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            given = {k.arg: k.value for k in getattr(node, "keywords", ())}
            if {"parameter", "start"} <= set(given):
                text = ast.unparse(given["parameter"]).strip("'\"")
                made.add(LIVE if "live_" in text else text)
    tried = {record if isinstance(record, str) else record.parameter for record, *_ in CHANGES}
    tabs = {"tab" if name.endswith("_tab") else name for name in tried}
    known = {"PARAMETER": "study", "f'{page}_{TAB}": "tab"}
    assert {known.get(name, name) for name in made} == tabs
