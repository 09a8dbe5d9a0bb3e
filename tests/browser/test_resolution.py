"""A journey on the resolution page: a slider, other pages and back."""

from __future__ import annotations

import rates
from pages.charts import words
from pages.resolution import DETAIL
from rates.maps import Detail
from tests.browser.helpers import go
from tests.pages.core.links import asked_by


def linked(visitor) -> Detail:
    return asked_by(visitor.page.url, DETAIL)


def press(visitor, label: str, key: str) -> None:
    slider = visitor.page.locator(f'input[type=range][aria-label="{label}"]')
    slider.focus()
    slider.press(key)
    visitor.settle()


def test_a_slider_and_coming_back(server, visit):
    visitor = visit(server)
    visitor.open("/resolution")
    visitor.expect("20 sites recover 10 functions over the whole curve")
    press(visitor, "Budget ε of each site", "ArrowLeft")
    detail = Detail(epsilon=0.04)
    visitor.becomes(lambda: linked(visitor), detail)
    answer = rates.solve(detail.study())
    visitor.expect(
        f"recover {words.number(answer.integrated.D)} functions",
        f"{words.number(answer.pointwise.D)} functions at one point",
    )
    go(visitor, "Overview")
    go(visitor, "Resolution")
    visitor.becomes(lambda: linked(visitor), detail)
    visitor.page.reload()
    visitor.settle()
    visitor.expect(f"recover {words.number(answer.integrated.D)} functions")
    visitor.check()
