"""A planner's journey on the fit page, in a real browser."""

from __future__ import annotations

from pages.charts import words
from rates.fit.extremes import envelope
from rates.study import codec
from rates.study.scope import Scope
from tests.browser.helpers import check_axe, go, opened, pick, type_in
from tests.browser.test_study import six_sites


def shown_cost(study, scope: Scope) -> str:
    found = envelope(study, scope, "classification").mechanism.cost
    return words.span(words.number(found.low), words.number(found.high))


def test_answers_survive_back_reload_and_other_pages(visit):
    visitor = visit(f"/fit?study={codec.to_link(six_sites())}", "has not been asked yet")
    effect, twice = "No theorem here bounds that error", "the two budgets add up"
    pick("Is the answer a time to an event", "A treatment effect")(visitor)
    visitor.expect(effect)
    visitor.settle()
    pick("Can the same person be at two sites?", "Yes")(visitor)
    visitor.expect(twice)
    visitor.page.go_back()
    visitor.settle()
    answers = (("estimand", "effect"),)
    visitor.becomes(lambda: opened(visitor)[1].answers, answers)
    visitor.expect(effect)
    visitor.becomes(lambda: twice in visitor.text(), False)
    visitor.page.reload()
    visitor.settle()
    visitor.expect(effect)
    go(visitor, "Study")
    visitor.expect("No theory here covers this study", "an outcome that is seen for every record")
    visitor.becomes(lambda: opened(visitor)[1].answers, answers)
    go(visitor, "Fit")
    visitor.expect(effect)


def test_ranges_are_typed_refused_and_kept(visit):
    study, most = six_sites(), "Highest value"
    visitor = visit(f"/fit?tab=unknown&study={codec.to_link(study)}", shown_cost(study, Scope()))
    pick("How rare are patients near 50% risk?", "Between two values")(visitor)
    type_in(most, "1")(visitor)
    scope = Scope(margin=(0, 1))
    visitor.expect(shown_cost(study, scope))
    visitor.settle()
    type_in(most, "-1")(visitor)
    visitor.expect("upside down", "Nothing was changed", shown_cost(study, scope))
    visitor.becomes(lambda: opened(visitor), (study, scope))
    check_axe(visitor)
