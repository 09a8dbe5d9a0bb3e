"""From rows to a decision and its report, as a planner gets there: four kinds of study."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest

from rates.decision import decide
from rates.study import FederatedStudy, Scope, Server, TransferStudy, alike, codec
from rates.study.presets import preset
from tests.browser.helpers import (
    decided,
    example,
    linked,
    no_violation,
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
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
NEED = 'input[aria-label="Records that would do"]'
MORE = "Who may stay out?"
TABLE = "[data-testid=stDataFrame]"
BOX = "[data-testid=stPopoverBody]"
OPENED = (
    "[data-testid=stPopoverButton][aria-expanded=true]"  # Streamlit's colour for it, in the dark
)
FRESH = "Fill in the first row: a name, its records n and its budget ε. The answer appears here."
OPENING = {"smoothness": 0.5, "dimension": 2, "margin": 1.0}  # what nobody told

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


def study_of(servers: Sequence[Server], **told: Any) -> TransferStudy:
    """A classifier of which nothing is told but its sites and what is given here."""
    return TransferStudy(target=servers[0], sources=servers[1:], **{**OPENING, **told})


def read(visitor) -> None:
    """Read the page before the next click."""
    visitor.page.wait_for_timeout(READING)


def first_screen(visitor) -> str:
    """What is said before the figure, with nothing of the signs of open and shut boxes."""
    text = re.sub(r"expand_(more|less)", "", visitor.text())
    return text.partition("What survives Who carries it")[0]


def all_alike(visitor) -> bool:
    """Whether the address says that all sites are alike."""
    query = parse_qs(urlparse(visitor.page.url).query)
    study, scope = codec.open_link(query["study"][0])
    return alike(study, scope or Scope())


def says(visitor, study, *, warns: Iterable[str] = (), **asked: Any) -> None:
    """The page decides this study, which its address holds; it warns of what is true alone."""
    visitor.becomes(lambda: linked(visitor), study)
    visitor.expect(*decided(study, alike=all_alike(visitor), **asked))
    visitor.settle()
    assert warned(visitor) == list(warns)
    assert visitor.page.evaluate(SIDEWAYS) <= 0
    visitor.check()


def comes_again(visitor, visit) -> None:
    """A reload and a second window show the same first screen."""
    visitor.page.keyboard.press("Escape")  # a box that is open keeps its words
    visitor.settle()
    seen = first_screen(visitor)
    visitor.page.reload()
    visitor.settle()
    visitor.becomes(lambda: first_screen(visitor), seen)
    other = visit(visitor.address)
    other.open(visitor.page.url.removeprefix(visitor.address))
    other.becomes(lambda: first_screen(other), seen)
    other.check()


def reports(visitor, tmp_path: Path, study, **asked: Any) -> None:
    """The report that is saved begins with the verdict."""
    file = saved(visitor, "Report (HTML)", tmp_path / "report.html")
    paper = visitor.page.context.new_page()
    paper.goto(file.as_uri())
    text = re.sub(r"\s+", " ", paper.inner_text("body"))
    for sentence in decided(study, "run", **asked):
        assert sentence in text


def undone_and_redone(visitor, before: str, after: str) -> None:
    """Back shows what was said before the last change, and Forward what after it."""
    visitor.page.go_back()
    visitor.expect(before)
    visitor.settle()
    assert after not in visitor.text()
    visitor.page.go_forward()
    visitor.expect(after)
    visitor.settle()
    assert before not in visitor.text()


def test_twelve_registries_pay_for_eleven_and_name_who_may_stay_out(server, visit, tmp_path):
    sites = [
        Server(name=name, n=n, epsilon=e, delta=None if e == math.inf else 1e-6)
        for name, n, e in REGISTRIES
    ]
    rows = [
        f"{s.name}\tEurope\t{s.n:,}\t{s.epsilon:g}\t1e-6"
        if s.private
        else f"{s.name}\tEurope\t{s.n:,}\tnone\t"
        for s in sites
    ]
    total = f"Total\t\t{sum(s.n for s in sites):,}\t\t"
    visitor = visit(server)
    empty(visitor)
    read(visitor)
    assert warned(visitor) == [FRESH]
    assert "Everything asked is answered" not in visitor.text()  # what the example's caption said
    read_rows(visitor, "\n".join(("Registry\tPart\tPatients\tEpsilon\tDelta", *rows, total)))
    visitor.expect("Column 'Part' is left out", "Finland, Slovenia, Madeira", "Total")
    read(visitor)
    pick("Whose patients is the answer for", "All alike")(visitor)
    use_rows(visitor)
    study = study_of(sites)
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
    comes_again(visitor, visit)
    reports(visitor, tmp_path, study, use="each")
    # The same records for a curve: no target, no covariates, nothing left of the classifier.
    read(visitor)
    pick("What is learned?", "A measured number")(visitor)
    curve = FederatedStudy(servers=sites, smoothness=1.5)
    warning = "This does not go together"
    visitor.becomes(lambda: linked(visitor), curve)
    unfold(visitor, MORE)
    visitor.expect("Girona, Umbria, Tyrol and Cork can stay out")
    visitor.settle()
    assert [text[: len(warning)] for text in warned(visitor)] == [warning]  # three covariates
    pick("How many covariates?", "One")(visitor)
    says(visitor, curve)
    undone_and_redone(visitor, warning, "Within the regression theory")


@pytest.mark.parametrize("screen", [{}, {"width": 400, "scheme": "dark"}], ids=["wide", "narrow"])
def test_a_box_opened_by_keys_stays_open_and_the_verdict_follows(server, visit, screen):
    visitor, pale = visit(server, **screen), OPENED if screen else None
    visitor.open(example("hospitals"))
    visitor.expect(*decided(HOSPITALS))
    box = visitor.page.get_by_role("button", name="β = 0.5").first
    box.focus()
    box.press("Enter")
    visitor.page.locator(BOX).wait_for()
    visitor.still()
    no_violation(visitor.page, without=pale)
    for smoothness in (0.55, 0.6):
        slider = visitor.page.locator(f'{BOX} input[aria-label="Smoothness β"]')
        slider.focus()
        slider.press("ArrowRight")
        says(visitor, replace(HOSPITALS, smoothness=smoothness))
        assert visitor.page.locator(BOX).count() == 1
    read(visitor)
    assert visitor.page.locator(BOX).count() == 1
    visitor.page.keyboard.press("Escape")
    visitor.page.locator(BOX).wait_for(state="detached")
    visitor.page.get_by_role("button", name="β = 0.6").first.wait_for()
    # Each of the others in turn, the one before being shut by the click.
    for name in ("dimension", "margin", "signal_exponent", "delta", "use", "gain"):
        visitor.page.locator(f".st-key-chip_{name} button").click()
        visitor.settle()
        visitor.page.locator(BOX).locator("input").first.wait_for()
        visitor.still()
        no_violation(visitor.page, without=pale)
        assert visitor.page.locator(BOX).count() == 1
        assert visitor.page.evaluate(SIDEWAYS) <= 0
    type_in("Gain asked for, exact value", "1.05")(visitor)
    says(visitor, replace(HOSPITALS, smoothness=0.6), gain=1.05)
    visitor.expect("Yes for Hungary")
