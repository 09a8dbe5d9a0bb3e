"""The page of real records without a browser: every tab against the engine, own tables."""

from __future__ import annotations

import pytest

from pages.charts import number
from pages.core.live import from_text
from pages.real import slopes
from sims import real
from sims.engine import run
from tests.pages.driver import answer, drawing, everything, grid, open_page, press, told

SHORT = "data:invented;epsilon:0.5,1;share:0.5,1;replicates:2"


def own(*, y: str = "") -> bytes:
    """A table of three unequal sites."""
    lines = (f"{'AAB'[k % 3]}{k % 2},{k},{y or k % 7}" for k in range(120))
    return "\n".join(["site,x,y", *lines]).encode()


def test_the_second_tab_says_what_the_run_says():
    app = press(open_page("real", tab="slopes", run=SHORT), "Run")
    *_, last = run(slopes.TAB.make(from_text(SHORT, slopes.TAB.usual)))
    assert slopes.answer(last) == answer(app)
    assert drawing(app)["layout"]["xaxis"]["title"]["text"].startswith("Budget ε")
    found = real.findings(last, real.sites_of(last.request.values))
    shown = grid(app, "Slope in")
    assert list(shown["verdict"]) == [one.verdict for one in found.slopes]
    free = grid(app, "Privacy is free for")
    assert list(free["from ε"]) == [number(one.epsilon) for one in found.factors]


def test_without_the_package_a_command_and_a_stored_run_are_shown(monkeypatch):
    monkeypatch.setattr(real, "available", lambda: False)
    for tab in ("sites", "slopes", "differ"):
        app = open_page("real", tab=tab)
        assert "**not installed here**" in answer(app)
        assert next(c.value for c in app.code) == real.COMMAND
        stored = real.stored("chem97")
        assert f"{stored.records:,} records" in everything(app)
        shown = grid(app, "Slope in")
        assert list(shown["verdict"]) == [one.verdict for one in stored.findings.slopes]
    assert "squared error" in answer(open_page("real", run="data:invented"))


def test_an_own_table_is_used_and_given_back():
    app = open_page("real", run="data:invented")
    app.file_uploader[0].set_value(("t.csv", own(), "text/csv")).run()
    assert "**4** sites with **120** records" in answer(app)
    assert "are taken from the records" in everything(app)
    app.segmented_control[-1].set_value("classification").run()
    assert "y must be 0 or 1" in everything(app)
    press(app, "Back to the public records")
    assert "**130** sites" in answer(app)


@pytest.mark.parametrize(
    ("given", "said"), [(own(y="3"), "y must vary"), (own().replace(b",5\n", b",two\n"), "two")]
)
def test_a_table_that_cannot_be_used_changes_nothing(given: bytes, said: str):
    app = open_page("real", run="data:invented")
    before = answer(app)
    app.file_uploader[0].set_value(("t.csv", given, "text/csv")).run()
    assert said in told(app)
    assert answer(app) == before
