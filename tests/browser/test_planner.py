"""Two journeys of a planner: from pasted rows to one page, and a curve taken away and back."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import rates
from pages.charts import words
from rates.study import FederatedStudy, Server, codec
from tests.browser.helpers import (
    decided,
    go,
    linked,
    pick,
    read_rows,
    saved,
    type_in,
    use_rows,
)
from tests.browser.test_plan import open_tab
from tests.browser.test_study import upload

SEVEN = Path(__file__).parents[3] / "shared" / "audits" / "seven-hospitals.json"
CURVE = FederatedStudy(
    servers=[
        Server(name=f"Registry {k}", n=400 * k, epsilon=(0.5, 1, 2)[k % 3], delta=1e-6)
        for k in range(1, 13)
    ],
    smoothness=1.5,
)
FIRST_PAGE = """() => {
    const main = document.querySelector("main");
    const end = main.querySelector("nav");
    const blocks = [...main.children];
    blocks.slice(blocks.indexOf(end)).forEach(block => block.remove());
    return main.innerText;
}"""


def as_spreadsheet(study) -> str:
    """The sites as cells of a German sheet, with last year's records beside this year's."""
    lines = ["Klinik\tPatienten 2023\tPatienten 2024\tDatenschutzbudget\tδ\tRolle\tOrt"]
    for k, site in enumerate(study.servers):
        budget = f"{site.epsilon:g}".replace(".", ",") if site.private else "none"
        delta = "" if site.delta is None else repr(site.delta).replace(".", ",")
        records = [f"{n:,}".replace(",", ".") for n in (site.n - 9, site.n)]
        role = "" if k else "Ziel"
        lines.append("\t".join((site.name, *records, budget, delta, role, "Nord")))
    return "\n".join(lines)


def pressed(visitor, box: str, button: str) -> None:
    """Press a button that stands behind another one."""
    visitor.page.get_by_role("button", name=box, exact=True).click()
    visitor.page.get_by_role("button", name=button, exact=True).click()
    visitor.settle()


def empty(visitor) -> None:
    """Open the page with an empty table, of which nothing is answered."""
    visitor.open("/study")
    pressed(visitor, "Examples", "Start with an empty table")
    visitor.expect("Fill in the first row")
    assert "Run it?" not in visitor.text()


@pytest.mark.skipif(not SEVEN.exists(), reason="the audit's study is not beside the project")
def test_from_pasted_rows_to_a_report_of_one_page(server, visit, tmp_path):
    study = codec.from_json(SEVEN.read_text("utf-8"))
    visitor = visit(server)
    empty(visitor)
    read_rows(visitor, as_spreadsheet(study))
    visitor.expect(
        "Nothing has been changed yet",
        "Column 'Klinik' is read as Site",
        "Column 'Ort' is left out",
        "Which column holds how many records a site has?",
    )
    visitor.page.get_by_text("column 'Patienten 2024'", exact=True).click()
    visitor.expect("1.912 is read as 1912", "Budget 'none' is read as unprotected (inf): Regional")
    assert "Run it?" not in visitor.text()
    use_rows(visitor)
    type_in("Smoothness β, exact value", f"{study.smoothness:g}")(visitor)
    said = decided(study)
    visitor.expect(*said)
    visitor.becomes(lambda: linked(visitor), study)
    visitor.check()
    report = saved(visitor, "Report (HTML)", tmp_path / "report.html")
    paper = visitor.page.context.new_page()
    paper.goto(report.as_uri())
    first = re.sub(r"\s+", " ", paper.evaluate(FIRST_PAGE))
    for sentence in decided(study, "run", "out", "take", "turns"):
        assert sentence in first
    sheet = paper.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1


def shows_the_curve(visitor) -> None:
    """The study in page and address is the twelve registries'."""
    visitor.expect(*decided(CURVE))
    visitor.becomes(lambda: linked(visitor), CURVE)
    visitor.check()


def test_twelve_registries_saved_reopened_and_compared(server, visit, tmp_path):
    visitor = visit(server)
    empty(visitor)
    pick("What is learned?", "A measured number")(visitor)
    rows = [f"{s.name}\t{s.n}\t{s.epsilon:g}\t{s.delta:g}" for s in CURVE.servers]
    read_rows(visitor, "\n".join(("Registry\tRecords\tEpsilon\tDelta", *rows)))
    use_rows(visitor)
    smoothness = type_in("Smoothness α, exact value", f"{CURVE.smoothness:g}")
    smoothness(visitor)
    shows_the_curve(visitor)
    files = {
        name: saved(visitor, button, tmp_path / name)
        for button, name in (("Study as JSON", "study.json"), ("Sites as CSV", "sites.csv"))
    }
    link = visitor.page.url
    # Each in a session of its own.
    visitor = visit(server)
    visitor.open("/study")
    upload(visitor, "study.json", files["study.json"].read_bytes())
    shows_the_curve(visitor)
    visitor = visit(server)
    visitor.open("/study")
    upload(visitor, "sites.csv", files["sites.csv"].read_bytes())
    visitor.expect("read as the sites of a curve")
    use_rows(visitor)
    smoothness(visitor)  # a table of sites holds no parameters
    shows_the_curve(visitor)
    visitor = visit(server)
    visitor.open(link.removeprefix(server))
    shows_the_curve(visitor)
    # Twice every budget, beside what was saved.
    type_in("Multiply every ε by, exact value", "2")(visitor)
    twice = CURVE.with_servers([replace(s, epsilon=2 * s.epsilon) for s in CURVE.servers])
    visitor.becomes(lambda: linked(visitor), twice)
    visitor.expect(*decided(twice))
    go(visitor, "Plan")
    open_tab(visitor, "Designs")
    visitor.page.get_by_role("button", name="Link as design B").click()
    visitor.page.get_by_label("Link of another study").fill(link)
    visitor.page.get_by_role("button", name="Use this link").click()
    visitor.settle()
    more, less = (rates.calibrated(x).integrated.effective_n for x in (twice, CURVE))
    visitor.expect(
        f"Design A is best: worth {words.number(more)} effective records, "
        f"{words.number(more / less)} times the next (equation: the designs are equally good",
        "Design B against A: Registry 1: ε 2 → 1;",
    )
    visitor.check()
