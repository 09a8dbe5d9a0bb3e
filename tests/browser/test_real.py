"""Real records in a browser: look, move the budget, run, open as a study; and without them."""

from __future__ import annotations

import pytest

from sims import real
from tests.browser.conftest import serve
from tests.browser.helpers import linked, no_violation, saved

WITH_DATA = pytest.mark.skipif(not real.available(), reason="the public records are not here")
# Where a server is told that the package is not there, by what Python loads first.
HIDDEN = f"import sys\nsys.modules[{real.PACKAGE!r}] = None\n"


@WITH_DATA
def test_a_journey(server, visit, tmp_path):
    visitor = visit(server)
    visitor.open("/real")
    visitor.expect("At ε = 1 per site, 131 local education authorities with 31,022 pupils")
    no_violation(visitor.page)
    slider = visitor.page.locator(".picture input")
    slider.focus()
    slider.press("Home")
    visitor.expect("At ε = 0.01 per site")
    visitor.page.get_by_role("radio", name="Slopes", exact=True).click()
    visitor.expect("Slopes on 131 local education", "finished in", "Along records and sites")
    no_violation(visitor.page)
    visitor.page.get_by_role("radio", name="What theory does not see", exact=True).click()
    visitor.expect("differ beyond chance")
    visitor.page.get_by_role("radio", name="Sites", exact=True).click()
    visitor.expect("At ε = 0.01 per site")
    visitor.page.get_by_role("link", name="Open these sites as a study").click()
    visitor.settle()
    visitor.becomes(lambda: len(linked(visitor).servers), 131)
    visitor.becomes(lambda: {s.epsilon for s in linked(visitor).servers}, {0.01})
    report = saved(visitor, "Report (HTML)", tmp_path / "report.html").read_text("utf-8")
    assert "Site 118" in report
    visitor.check()


def test_without_the_package(visit, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(HIDDEN, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    with serve() as address:
        visitor = visit(address)
        visitor.open("/real")
        visitor.expect("not installed here", real.COMMAND, "A stored run")
        visitor.open("/real?run=data:invented")
        visitor.expect("130 sites")
        visitor.open("/lessons?lesson=pupils")
        visitor.expect("31,022 pupils")
        visitor.check()
