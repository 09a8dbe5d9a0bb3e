"""From rows to a decision and its report, as a planner gets there: four kinds of study."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest

from rates.decision import decide
from rates.study import FederatedStudy, Scope, Server, TransferStudy, alike
from rates.study.presets import preset
from tests.browser.helpers import (
    decided,
    example,
    linked,
    no_violation,
    opened,
    paper,
    pick,
    read_rows,
    saved,
    type_in,
    unfold,
    use_rows,
    warned,
)
from tests.browser.test_planner import empty

READING = 3_200  # milliseconds; what a widget brought is forgotten sooner
MORE = "Who may stay out?"
TABLE = "[data-testid=stDataFrame]"
BOX = "[data-testid=stPopoverBody]"
OPENED = "[data-testid=stPopoverButton][aria-expanded=true]"  # Streamlit's colour, in the dark
FRESH = "Fill in the first row: a name, its records n and its budget ε. The answer appears here."

REGISTRIES = [
    ("Ruhr", 3100, 1.0),
    ("Finland", 41_000, math.inf),
    ("Slovenia", 2900, math.inf),
    ("Madeira", 640, math.inf),
    ("Girona", 4200, 0.5),
    ("Modena", 3800, 1.0),
    ("Estonia", 5600, 0.5),
    ("Murcia", 2700, 1.0),
    ("Umbria", 9450, 0.05),
    ("Basel", 1500, 2.0),
    ("Tyrol", 1900, 1.0),
    ("Cork", 820, 1.0),
]
GAINING = ["Madeira", "Cork", "Basel", "Tyrol", "Murcia", "Ruhr", "Slovenia", "Modena"]
HOSPITALS = preset("hospitals").study


def read(visitor) -> None:
    """Read the page before the next click."""
    visitor.page.wait_for_timeout(READING)


def first_screen(visitor) -> str:
    """What is said before the figure, with nothing of the signs of open and shut boxes."""
    text = re.sub(r"expand_(more|less)", "", visitor.text())
    return text.partition("What survives Who carries it")[0]


def says(visitor, study, **asked: Any) -> None:
    """The page decides this study, which its address holds, and warns of nothing."""
    visitor.becomes(lambda: linked(visitor), study)
    visitor.expect(*decided(study, alike=alike(study, opened(visitor)[1] or Scope()), **asked))
    visitor.settle()
    assert warned(visitor) == []
    visitor.check()


def test_twelve_registries_pay_for_eleven_and_name_who_may_stay_out(visit):
    sites = [
        Server(name=name, n=n, epsilon=e, delta=None if e == math.inf else 1e-6)
        for name, n, e in REGISTRIES
    ]
    rows = [
        f"{s.name}\tEurope\t{s.n:,}\t" + (f"{s.epsilon:g}\t1e-6" if s.private else "none\t")
        for s in sites
    ]
    total = f"Total\t\t{sum(s.n for s in sites):,}\t\t"
    visitor = empty(visit)
    read(visitor)
    assert warned(visitor) == [FRESH]
    assert "Everything asked is answered" not in visitor.text()  # what the example's caption said
    read_rows(visitor, "\n".join(("Registry\tPart\tPatients\tEpsilon\tDelta", *rows, total)))
    visitor.expect("Column 'Part' is left out", "Finland, Slovenia, Madeira", "Total")
    read(visitor)
    pick("Whose patients is the answer for", "All alike")(visitor)
    use_rows(visitor)
    # A classifier of which nothing else is told.
    told = {"smoothness": 0.5, "dimension": 2, "margin": 1.0}
    study = TransferStudy(target=sites[0], sources=sites[1:], **told)
    says(visitor, study, use="each")
    type_in("Dimension d, exact value", "3")(visitor)
    study = replace(study, dimension=3)
    says(visitor, study, use="each")
    found = decide(study, use="each")
    assert (found.gainers, found.sites) == (11, 12)
    assert "Umbria" in found.stay_out
    visitor.expect("it pays for 11 of 12 sites")
    unfold(visitor, MORE)
    visitor.expect("The 8 largest gains; 4 more rows.")
    visitor.expect(*decided(study, "out", "take", "turns", use="each"))
    gains = visitor.page.locator(f"details {TABLE}").first.locator("tbody [aria-colindex='1']")
    visitor.becomes(gains.all_text_contents, GAINING)
    # A reload and a second window show the same first screen, and the report its verdict.
    seen = first_screen(visitor)
    visitor.page.reload()
    visitor.settle()
    visitor.becomes(lambda: first_screen(visitor), seen)
    other = visit(visitor.path)
    other.becomes(lambda: first_screen(other), seen)
    text = paper(visitor, saved(visitor, "Report (HTML)")).inner_text("body")
    for sentence in decided(study, "run", use="each"):
        assert sentence in re.sub(r"\s+", " ", text)
    # The same records for a curve: no target, no covariates, nothing left of the classifier.
    read(visitor)
    pick("What is learned?", "A measured number")(visitor)
    curve = FederatedStudy(servers=sites, smoothness=1.5)
    warning, within = "This does not go together", "Within the regression theory"
    visitor.becomes(lambda: linked(visitor), curve)
    unfold(visitor, MORE)
    visitor.expect("Girona, Umbria, Tyrol and Cork can stay out")
    visitor.settle()
    assert [text[: len(warning)] for text in warned(visitor)] == [warning]  # three covariates
    pick("How many covariates?", "One")(visitor)
    says(visitor, curve)
    for move, before, after in (("go_back", within, warning), ("go_forward", warning, within)):
        getattr(visitor.page, move)()
        visitor.expect(after)
        visitor.settle()
        assert before not in visitor.text()


@pytest.mark.parametrize("screen", [{}, {"width": 400, "scheme": "dark"}], ids=["wide", "narrow"])
def test_a_box_opened_by_keys_stays_open_and_the_verdict_follows(visit, screen):
    visitor = visit(example("hospitals"), *decided(HOSPITALS), **screen)
    box, pale = visitor.page.locator(BOX), OPENED if screen else None

    def looks_right(*, accessible: bool) -> None:
        box.locator("input").first.wait_for()
        visitor.still()
        if accessible:
            no_violation(visitor.page, without=pale)
        assert box.count() == 1
        visitor.check()

    visitor.page.get_by_role("button", name="β = 0.5").first.press("Enter")
    looks_right(accessible=True)
    for smoothness in (0.55, 0.6):
        slider = visitor.page.locator(f'{BOX} input[aria-label="Smoothness β"]')
        slider.focus()
        slider.press("ArrowRight")
        says(visitor, replace(HOSPITALS, smoothness=smoothness))
        assert box.count() == 1
    read(visitor)
    assert box.count() == 1
    visitor.page.keyboard.press("Escape")
    box.wait_for(state="detached")
    visitor.page.get_by_role("button", name="β = 0.6").first.wait_for()
    # Each of the others in turn, the one before being shut by the click; a narrow one lies over
    # the words below it and is shut first. The rules are asked of each on one of the screens.
    for k, name in enumerate(("dimension", "margin", "signal_exponent", "delta", "use", "gain")):
        if screen:
            visitor.page.keyboard.press("Escape")
            box.wait_for(state="detached")
            visitor.settle()
        visitor.page.locator(f".st-key-chip_{name} button").click()
        visitor.settle()
        looks_right(accessible=k % 2 == bool(screen))
    type_in("Gain asked for, exact value", "1.05")(visitor)
    says(visitor, replace(HOSPITALS, smoothness=0.6), gain=1.05)
    visitor.expect("Yes for Hungary")
