"""Real records in a browser: look, move the budget, run, open as a study; and without them."""

from __future__ import annotations

import pytest

from sims import real
from tests.browser.conftest import serve
from tests.browser.helpers import choose, linked, no_violation, saved

# Where a server is told that the package is not there, by what Python loads first.
HIDDEN = f"import sys\nsys.modules[{real.PACKAGE!r}] = None\n"


@pytest.mark.skipif(not real.available(), reason="the public records are not here")
def test_a_journey(visit):
    visitor = visit(
        "/real", "At ε = 1 per site, 131 local education authorities with 31,022 pupils"
    )
    visitor.page.locator(".picture input").press("Home")
    visitor.expect("At ε = 0.01 per site")
    choose("Slopes")(visitor)
    visitor.expect("Slopes on 131 local education", "finished in", "Along records and sites")
    no_violation(visitor.page)
    choose("What theory does not see")(visitor)
    visitor.expect("differ beyond chance")
    choose("Sites")(visitor)
    visitor.expect("At ε = 0.01 per site")
    visitor.page.get_by_role("link", name="Open these sites as a study").click()
    visitor.settle()
    visitor.becomes(lambda: [s.epsilon for s in linked(visitor).servers], [0.01] * 131)
    assert "Site 118" in saved(visitor, "Report (HTML)").read_text("utf-8")


def test_without_the_package(visit, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(HIDDEN, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    with serve() as address:
        visitor = visit("/real", "not installed here", real.COMMAND, "A stored run", at=address)
        for path, said in {
            "/real?run=data:invented": "130 sites",
            "/lessons?lesson=pupils": "31,022 pupils",
        }.items():
            visitor.turn(path)
            visitor.expect(said)
        visitor.check()
