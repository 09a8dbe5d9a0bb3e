"""On a phone every formula is within its place: not cut, not scrolled, not set too small."""

from __future__ import annotations

import pytest

from rates.ledger import entries
from rates.study import PRESETS, FederatedStudy, codec
from tests.browser.helpers import unfold_all
from tests.browser.layout import check_layout, tabs

WIDTH = 400
SMALLEST = 12.0  # pixels of a letter that is no index

# What is wrong with the formulas that are seen: where one leaves its place, or its smallest letter.
MEASURE = """smallest => {
  const main = document.querySelector('[data-testid=stMain]');
  const visible = node => node.getClientRects().length > 0;
  const scrolls = style => [style.overflowX, style.overflowY].some(x => x !== 'visible');
  return [...main.querySelectorAll('.katex')].filter(visible).flatMap(formula => {
    const pieces = [...formula.querySelectorAll('.katex-html .base')];
    const boxes = pieces.map(piece => piece.getBoundingClientRect());
    const left = Math.min(...boxes.map(box => box.left));
    const right = Math.max(...boxes.map(box => box.right));
    const problems = [];
    const room = formula.closest('[data-testid=stVerticalBlock]').getBoundingClientRect();
    if (right > room.right + 0.5 || left < room.left - 0.5)
      problems.push(`${Math.round(right - left)} px in ${Math.round(room.width)}`);
    if (right > innerWidth || left < 0) problems.push('outside the screen');
    for (let node = formula; node !== main; node = node.parentElement) {
      const style = getComputedStyle(node);
      if (!scrolls(style) || node.closest('.katex-mathml')) continue;
      if (node.scrollWidth > node.clientWidth + 1) problems.push('scrolled or cut sideways');
      if (node.scrollHeight > node.clientHeight + 6) problems.push('scrolled or cut in height');
    }
    const letters = [...formula.querySelectorAll('.katex-html *')].filter(
      node => !node.closest('.mtight, .vlist-s, .sqrt') && node.childElementCount === 0 &&
        node.textContent.trim() && node.textContent.trim() !== '\\u200b');
    const size = Math.min(...letters.map(node => parseFloat(getComputedStyle(node).fontSize)));
    if (size < smallest) problems.push(`${size} px`);
    return problems.map(one => `${formula.querySelector('annotation').textContent}: ${one}`);
  });
}"""


def check(visitor, *, some: bool = True) -> None:
    """No formula that is shown leaves its place or is too small."""
    if some:
        visitor.page.locator("[data-testid=stMain] .katex").first.wait_for(state="attached")
    visitor.page.evaluate("document.fonts.ready.then(() => true)")
    assert visitor.page.evaluate(MEASURE, SMALLEST) == []
    visitor.check()


CURVE = next(entry.study for entry in PRESETS if isinstance(entry.study, FederatedStudy))
PLAIN = ("overview", "fit", "plan", "statements", "about")  # pages without a formula
PAGES = ("classification", "regression", "hybrid", "adaptation", "logistic")
LINKS = {  # with whether there is a formula
    **{f"/{page}": False for page in PLAIN},
    **{f"/{page}": True for page in ("study", "phases", "resolution", "columns", *PAGES)},
    f"/study?study={codec.to_link(CURVE)}": True,
    **{f"/{page}?tab={tab}": True for page in PAGES for tab in tabs(page)},
}
QUICK = ("/study", "/regression?tab=rate")
DEPTH = [*LINKS, *(f"/statements?id={item.id}" for item in entries())]


@pytest.mark.parametrize(
    "link",
    [pytest.param(link, marks=[] if link in QUICK else [pytest.mark.slow]) for link in DEPTH],
)
def test_every_formula_is_within_its_place_on_a_phone(walk, link):
    visitor = walk(link, width=WIDTH, stops=True)
    unfold_all(visitor)
    check(visitor, some=LINKS.get(link, False))


@pytest.mark.parametrize(("paper", "scheme"), [("CCV", "light"), ("DPLR", "dark")])
def test_the_sheet_of_a_paper_is_whole_for_who_comes_from_the_list(visit, paper, scheme):
    """The address of the sheet, which hides nothing of the app, within a session."""
    visitor = visit("/statements", width=800, scheme=scheme)
    visitor.turn(f"/statements?paper={paper}&view=sheet")
    assert not visitor.page.locator(".st-key-bar").is_visible()
    check_layout(visitor, 1280, 390, 800)
    check(visitor)
    visitor.page.go_back()
    visitor.expect("Do the printed theorems hold?")
    visitor.settle()
    assert visitor.page.locator(".st-key-bar").is_visible()
    check_layout(visitor, 800)
