"""A planner's journey: from pasted rows to one page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rates.study import codec
from tests.browser.helpers import (
    decided,
    linked,
    read_rows,
    saved,
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
