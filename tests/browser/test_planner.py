"""A planner's journey: from pasted rows to one page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rates.study import codec
from tests.browser.conftest import Visitor
from tests.browser.helpers import (
    decided,
    linked,
    paper,
    press,
    read_rows,
    saved,
    sheets,
    type_in,
    use_rows,
)

SEVEN = Path(__file__).parents[3] / "shared" / "audits" / "seven-hospitals.json"
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


def empty(visit) -> Visitor:
    """Open the page with an empty table, of which nothing is answered."""
    visitor = visit("/study")
    press("Examples")(visitor)
    visitor.page.get_by_role("button", name="Start with an empty table", exact=True).click()
    visitor.settle()
    visitor.expect("Fill in the first row")
    assert "Run it?" not in visitor.text()
    return visitor


@pytest.mark.skipif(not SEVEN.exists(), reason="the audit's study is not beside the project")
def test_from_pasted_rows_to_a_report_of_one_page(visit):
    study = codec.from_json(SEVEN.read_text("utf-8"))
    visitor = empty(visit)
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
    visitor.expect(*decided(study))
    visitor.becomes(lambda: linked(visitor), study)
    report = paper(visitor, saved(visitor, "Report (HTML)"))
    first = re.sub(r"\s+", " ", report.evaluate(FIRST_PAGE))
    for sentence in decided(study, "run", "out", "take", "turns"):
        assert sentence in first
    assert sheets(report) == 1
