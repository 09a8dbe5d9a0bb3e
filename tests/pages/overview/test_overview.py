"""The overview without a browser: links that are broken."""

from __future__ import annotations

from tests.pages.driver import open_page


def test_a_broken_link_and_one_for_another_page_are_said():
    app = open_page("overview", study="~1nonsense", phase="7")
    assert "could not be opened" in app.error[0].value
    assert "phase, which this page does not use" in app.warning[0].value
