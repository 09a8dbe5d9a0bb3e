"""Every address is a page of app.py: on a cold server, and at every step of a test."""

from __future__ import annotations

import pytest

from app import DOORS, SCREENS
from pages.current import bar
from tests.benchmarks.phones import Screen, apart
from tests.benchmarks.wire import server
from tests.pages.driver import open_page, told

NAMES = [name for views in DOORS.values() for name in views]
ALONE = [*SCREENS]


@pytest.mark.parametrize("name", NAMES)
def test_every_step_goes_through_the_app(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page(name)
    monkeypatch.delattr(bar, "above")
    with pytest.raises(AssertionError):  # of a page that shows an exception
        app.run()


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES + ALONE)
def test_a_cold_server_opens_every_address(name: str) -> None:
    async def look(address: str) -> Screen:
        screen = Screen(address, name, "")
        await screen.open()
        await screen.close()
        return screen

    with server() as (address, _):
        seen = apart(look(address))
    assert seen.title
    assert not seen.problems


@pytest.mark.parametrize(
    ("page", "tab", "other", "computed"),
    [
        ("fit", "unknown", "covered", "unknowns.of"),
        ("fit", "alternatives", "covered", "constant.section"),
        ("orders", "cases", "terms", "found.cases"),
    ],
)
def test_only_the_open_tab_is_computed(monkeypatch, page, tab, other, computed):
    def refused(*given: object, **more: object) -> None:
        raise AssertionError("computed")

    monkeypatch.setattr(f"pages.{page}.{computed}", refused)
    app = open_page(page, tab=other)
    assert ("got 'nothing'" in told(app)) == (other == "nothing")
    with pytest.raises(AssertionError):
        open_page(page, tab=tab)
