"""A report in a browser: one page of A4 decides, a phone shows it whole, its link leads back."""

from __future__ import annotations

import html
import re
from contextlib import closing
from dataclasses import replace

import pytest

from pages import report as sections
from rates.study import FederatedStudy, Server
from rates.study.presets import PRESETS, preset
from rates.study.scope import Scope
from tests.browser.helpers import no_violation, saved, sheets
from tests.browser.test_planner import FIRST_PAGE
from tests.pages.report.test_report import ALIKE, SEVEN, about

LONG = "University Hospital of the North"
TWELVE = FederatedStudy(
    servers=[
        Server(name=f"{LONG} {k}", n=400 * k, epsilon=(0.5, 1, 2)[k % 3], delta=1e-6)
        for k in range(1, 13)
    ],
    smoothness=1.5,
)
SILENT = preset("hospitals").study
SILENT = SILENT.with_servers([replace(s, delta=None) for s in SILENT.servers])
STUDIES = {entry.key: (entry.study, entry.scope) for entry in PRESETS}
STUDIES |= {"seven": (SEVEN, Scope()), "seven alike": (SEVEN, ALIKE)}
STUDIES |= {"twelve": (TWELVE, Scope(needed=3000)), "no delta": (SILENT, Scope())}


@pytest.fixture(scope="module")
def paper(chromium, tmp_path_factory):
    """Opens a report as a file, without a network."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    with closing(chromium.new_context(offline=True)) as context:
        page = context.new_page()

        def to(name: str, width: int = 1280, scheme: str = "light"):
            path.write_text(sections.build(about(*STUDIES[name])), "utf-8")
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            page.goto(path.as_uri())
            return page

        yield to


@pytest.mark.parametrize("name", STUDIES)
def test_a_report_is_short_on_paper_and_decides_on_its_first_page(paper, name):
    page = paper(name)
    assert sheets(page) <= 6
    assert "Effective records." in page.evaluate(FIRST_PAGE)
    assert sheets(page) == 1


@pytest.mark.parametrize(
    ("name", "scheme"), [("twelve", "light"), ("seven", "dark"), ("phones", "dark")]
)
def test_a_phone_shows_a_report_whole(paper, name, scheme):
    page = paper(name, 400, scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    no_violation(page)


def leads(document: str) -> list[str]:
    """Where the links of a report lead, without what they carry."""
    found = re.findall(r'<a href="(http[^"]*)"', document)
    return [html.unescape(link).partition("?")[0] for link in found]


def test_a_report_leads_to_the_address_that_was_opened_and_to_its_study(server, visit, chromium):
    """Not to the one that the server listens on."""
    other = server.replace("127.0.0.1", "localhost")
    assert other != server
    report = saved(visit("/study", at=other), "Report (HTML)")
    assert leads(report.read_text("utf-8")) == [f"{other}/study"]
    with closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(report.as_uri())
        said = page.get_by_text("Run it?").locator("..").inner_text()
        page.get_by_role("link", name="Open this study in the app").click()
        page.get_by_text(said.partition(" (")[0].removeprefix("Run it? ")[:40]).first.wait_for()
