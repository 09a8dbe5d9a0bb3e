"""A planner's journey on the fit page, in a real browser."""

from __future__ import annotations

import urllib.parse

from pages.charts import words
from rates.fit.extremes import envelope
from rates.study import codec
from rates.study.scope import Scope
from tests.browser import helpers
from tests.browser.helpers import go
from tests.browser.test_pages import check_axe
from tests.browser.test_study import six_sites


def choose(visitor, label: str, option: str) -> None:
    """Choose an answer in a list."""
    box = visitor.page.get_by_role("combobox", name=label)
    box.scroll_into_view_if_needed()
    box.click()
    visitor.page.get_by_role("option", name=option, exact=True).click()
    visitor.settle()


def turn(visitor, tab: str) -> None:
    """Open a tab."""
    helpers.choose(tab)(visitor)
    visitor.settle()


def opened(visitor):
    """Study and scope in the address."""
    query = urllib.parse.parse_qs(urllib.parse.urlparse(visitor.page.url).query)
    return codec.open_link(query["study"][0])


def shown_cost(study, scope: Scope) -> str:
    found = envelope(study, scope, "classification").mechanism.cost
    return words.span(words.number(found.low), words.number(found.high))


def test_answers_survive_back_reload_and_other_pages(server, visit):
    visitor = visit(server)
    visitor.open(f"/fit?study={codec.to_link(six_sites())}")
    visitor.expect("has not been asked yet")
    choose(visitor, "Is the answer a time to an event", "A treatment effect")
    visitor.expect("No theorem here bounds that error")
    choose(visitor, "Can the same person be at two sites?", "Yes")
    visitor.expect("the two budgets add up")
    visitor.page.go_back()
    visitor.settle()
    visitor.becomes(lambda: opened(visitor)[1].answers, (("estimand", "effect"),))
    visitor.expect("No theorem here bounds that error")
    visitor.becomes(lambda: "the two budgets add up" in visitor.text(), False)
    visitor.page.reload()
    visitor.settle()
    visitor.expect("No theorem here bounds that error")
    go(visitor, "Study")
    visitor.expect("No theory here covers this study", "an outcome that is seen for every record")
    visitor.becomes(lambda: opened(visitor)[1].answers, (("estimand", "effect"),))
    go(visitor, "Fit")
    visitor.expect("No theorem here bounds that error")
    visitor.check()


def test_ranges_are_typed_refused_and_kept(server, visit):
    study = six_sites()
    visitor = visit(server)
    visitor.open(f"/fit?tab=unknown&study={codec.to_link(study)}")
    visitor.expect(shown_cost(study, Scope()))
    choose(visitor, "How rare are patients near 50% risk?", "Between two values")
    box = visitor.page.get_by_label("Highest value")
    box.fill("1")
    box.press("Enter")
    visitor.settle()
    visitor.expect(shown_cost(study, Scope(margin=(0, 1))))
    box.fill("-1")
    box.press("Enter")
    visitor.settle()
    visitor.expect("upside down", "Nothing was changed", shown_cost(study, Scope(margin=(0, 1))))
    visitor.becomes(lambda: opened(visitor), (study, Scope(margin=(0, 1))))
    check_axe(visitor)
    visitor.check()
