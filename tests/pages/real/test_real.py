"""The page of real records without a browser: every tab against the engine, own tables."""

from __future__ import annotations

import pytest

from pages.charts import number
from pages.real import slopes
from sims import real
from tests.pages.driver import answer, enter, everything, finished, grid, open_page, press, told

SHORT = "data:invented;epsilon:0.5,1;share:0.5,1;replicates:2"


def given(y: str = ""):
    """The page, and a table of three unequal sites in its box."""
    lines = (f"{'AAB'[k % 3]}{k % 2},{k},{y or k % 7}" for k in range(120))
    table = "\n".join(["site,x,y", *lines])
    app = open_page("real", run="data:invented")
    before = answer(app)
    return enter(app, app.file_uploader[0], ("t.csv", table.encode(), "text/csv")), before


def test_the_second_tab_says_what_the_run_says():
    app, last = (
        press(open_page("real", tab="slopes", run=SHORT), "Run"),
        finished(slopes.TAB, SHORT),
    )
    assert slopes.answer(last) == answer(app)
    found = real.findings(last, real.sites_of(last.request.values))
    assert list(grid(app, "Slope in")["verdict"]) == [one.verdict for one in found.slopes]
    free = list(grid(app, "Privacy is free for")["from ε"])
    assert free == [number(one.epsilon) for one in found.factors]


def test_without_the_package_a_command_and_a_stored_run_are_shown(monkeypatch):
    monkeypatch.setattr(real, "available", lambda: False)
    for tab in ("sites", "slopes", "differ"):
        app = open_page("real", tab=tab)
        assert "**not installed here**" in answer(app)
        assert app.code[0].value == real.COMMAND
        stored = real.stored("chem97")
        assert f"{stored.records:,} records" in everything(app)
        shown = list(grid(app, "Slope in")["verdict"])
        assert shown == [one.verdict for one in stored.findings.slopes]
    assert "squared error" in answer(open_page("real", run="data:invented"))


def test_an_own_table_is_used_and_given_back():
    app, _ = given()
    assert "**4** sites with **120** records" in answer(app)
    assert "are taken from the records" in everything(app)
    app.segmented_control[-1].set_value("classification").run()
    assert "y must be 0 or 1" in everything(app)
    press(app, "Back to the public records")
    assert "**130** sites" in answer(app)


@pytest.mark.parametrize(("y", "said"), [("3", "y must vary"), ("two", "two")])
def test_a_table_that_cannot_be_used_changes_nothing(y: str, said: str):
    app, before = given(y)
    assert said in told(app)
    assert answer(app) == before
