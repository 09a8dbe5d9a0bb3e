"""A real Chromium and a server of its own for every cold link."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from sims.classroom import Rooms
from tests.benchmarks import wire
from tests.benchmarks.wire import wait_until_up

ROOT = wire.ROOT
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
BROWSERS = ("chromium-headless-shell", "chromium")  # the same engine; the first draws no window
PATIENCE = 30.0  # seconds that a busy machine may take to show what it is asked for
SLIDER_REST = 250  # milliseconds; a slider tells the server 200 after the last key
# Nobody has done anything and the script has not run for so many milliseconds; the clock goes on
# from one look to the next, but that a token makes it begin anew.
RESTS = """([token, rest]) => {
    const app = document.querySelector("[data-testid=stApp]"), now = performance.now();
    let clock = window.__rests;
    if (!clock) {
        clock = window.__rests = {since: now};
        const anew = () => { clock.since = performance.now(); };
        const acts = "pointerdown pointerup click keydown keyup input change";
        for (const act of `${acts} focusin focusout paste popstate pageshow`.split(" "))
            addEventListener(act, anew, true);
        const states = {attributeFilter: ["data-test-script-state"], subtree: true};
        new MutationObserver(anew).observe(document, states);
    }
    if (token && token !== clock.token) [clock.token, clock.asked] = [token, now];
    if (app?.dataset.testScriptState !== "notRunning") clock.since = now;
    return now - Math.max(clock.since, token ? clock.asked : 0) >= rest;
}"""
# No transition is under way but those without end, such as a placeholder's.
STILL = """() => document.getAnimations().every(one =>
    one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity)"""
# Another address without loading it, told to the app as Back tells it.
TURN = """path => {
    history.pushState({}, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
}"""
# A dialog other than an open popover says that a page was not found.
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
BROKEN = (
    "[data-testid=stException], .katex-error, "
    "[role=dialog]:not([data-testid=stPopoverBody]):not(:has([data-testid=stPopoverBody]))"
)


# The journeys of the quick run; all others are deep.
MAIN = {
    "test_a_cold_link_shows_the_whole_app_which_is_accessible",
    "test_a_table_of_six_sites_gives_the_command_line_s_numbers",
    "test_points_arrive_and_stop_keeps_them",
}
SCREENS = {(1280, "light"), (420, "dark")}  # every width and every colour scheme once


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    whole = {item.path for item in items} >= set(here.glob("test_*.py"))
    if whole and (lost := MAIN - {item.name for item in items}):
        raise pytest.UsageError(f"Main journeys that are nowhere: {lost}")
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            given = item.callspec.params if hasattr(item, "callspec") else {}
            screen = given.get("width"), given.get("scheme")
            if None not in screen and screen not in SCREENS:
                item.add_marker(pytest.mark.slow)
            elif item.name not in MAIN and not item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.deep)


@contextmanager
def serve(*more: str, port: int = 0) -> Iterator[str]:
    """Run the app on a port, a free one if none is given, until the block ends."""
    with wire.server(*more, port=port) as (address, _):
        yield f"http://{address}"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail("Chromium is required here and is not installed.")
        pytest.skip("Chromium is not installed.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rooms]:
    """The rooms of the server that the journeys share; each journey opens its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RATES_ROOMS", str(tmp_path_factory.mktemp("hall") / "rooms.sqlite"))
        rooms = Rooms()
        yield rooms
        rooms.close()


@pytest.fixture(scope="session")
def server(hall: Rooms) -> Iterator[str]:
    with serve() as address:
        yield address


@pytest.fixture
def cold_server() -> Iterator[str]:
    with serve() as address:
        yield address


class Visitor:
    """A browser page that remembers whatever went wrong on it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.problems: list[str] = []
        self._heard = {
            "pageerror": lambda error: self.problems.append(f"page error: {error}"),
            "console": self._console,
            "request": self._request,
        }
        for event, hear in self._heard.items():
            page.on(event, hear)  # type: ignore[call-overload]

    def leave(self) -> None:
        """Listen no more."""
        for event, hear in self._heard.items():
            self.page.remove_listener(event, hear)

    def _console(self, message) -> None:  # type: ignore[no-untyped-def]
        # A link below the root probes two addresses that do not exist; nothing else may fail.
        place = message.location.get("url", "")
        if message.type == "error" and "_stcore/" not in place:
            self.problems.append(f"console: {message.text} ({place})")

    def _request(self, request) -> None:  # type: ignore[no-untyped-def]
        if not request.url.startswith(
            (self.address, "data:", "blob:", self.address.replace("http", "ws"))
        ):
            self.problems.append(f"outside request: {request.url}")

    def open(self, path: str) -> None:
        self.page.goto(f"{self.address}{path}")
        self.settle()

    def turn(self, path: str) -> None:
        """Go to an address as Back does: in the same session, the app is not loaded again."""
        self.page.evaluate(TURN, path)
        self.settle()

    def settle(self) -> None:
        """Wait until the script has run and rests, longer than a slider waits before it tells.

        On a busy machine the browser's message arrives late; there the server's own answer, for
        which this waits as well, comes late too.
        """
        for token, rest in ((0, SLIDER_REST), (time.monotonic(), 50)):
            self.page.wait_for_function(RESTS, arg=[token, rest], polling=25)
            wait_until_up(self.address)

    def still(self) -> None:
        """Wait until nothing fades or moves, away from what shows itself under the pointer."""
        self.page.mouse.move(0, 0)
        self.settle()
        self.page.wait_for_function(STILL)

    def text(self) -> str:
        """The page's visible text, every run of white space as one space."""
        return re.sub(r"\s+", " ", self.page.locator("[data-testid=stMain]").inner_text())

    def expect(self, *pieces: str) -> None:
        """Wait until the page shows every piece of text; parts of it load lazily."""
        if not self.until(lambda: all(map(self.text().__contains__, pieces))):
            text = self.text()
            raise AssertionError(f"{[x for x in pieces if x not in text]} not in: {text}")

    def becomes(self, read: Callable[[], object], wanted: object) -> None:
        """Wait until what is read, such as a part of the address, equals what is wanted.

        A browser tells the server of a change, and the server the browser, in its own time: what
        stands there right after an action may be what stood there before it.
        """
        seen: object = None

        def same() -> bool:
            nonlocal seen
            try:
                seen = read()
            except KeyError as missing:  # not in the address yet
                seen = missing
            return seen == wanted

        self.until(same)
        assert seen == wanted

    def until(self, happened: Callable[[], object]) -> bool:
        """Look again and again until something has happened; whether it has, in good time."""
        end = time.monotonic() + PATIENCE
        while not happened():
            if time.monotonic() > end:
                return False
            self.page.wait_for_timeout(50)
        return True

    @property
    def path(self) -> str:
        """The address without its server."""
        return self.page.url.removeprefix(self.address)

    def check(self) -> None:
        """Nothing is broken, no formula is red, nothing is wider than the screen or went wrong."""
        assert self.page.locator(BROKEN).count() == 0, self.text()
        assert self.page.locator('.katex [style*="color"]').count() == 0
        assert self.page.evaluate(SIDEWAYS) <= 0
        assert self.problems == []


class Windows:
    """Windows of a browser, each with a memory of its own; a later visitor gets an earlier one.

    A window that has shown the app has its scripts compiled: it loads in a third of the time.
    Emptied, it holds nothing else of the visitor before.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser, self.free = browser, list[Page]()

    def take(self, address, width=1280, scheme="light", motion="reduce", height=1100) -> Visitor:
        """A visitor with a screen and a memory of its own, to whom little moves if it can be so.

        What moves while a page loads takes half of the time: the screen is drawn without a GPU.
        """
        known = self.free and address.startswith("http")  # a file is shown in a process of its own
        page = self.free.pop() if known else self._open()
        page.set_viewport_size({"width": width, "height": height})
        asked = {"color_scheme": scheme, "reduced_motion": motion}
        page.emulate_media(media="null", **asked)  # type: ignore[arg-type]
        return Visitor(page, address)

    def _open(self) -> Page:
        context = self.browser.new_context(accept_downloads=True)
        context.set_default_timeout(1000 * PATIENCE)
        return context.new_page()

    def give_back(self, visitor: Visitor) -> None:
        """Empty a visitor's window, or close it if it no longer shows the app."""
        visitor.leave()
        page, context = visitor.page, visitor.page.context
        if page.is_closed() or not page.url.startswith("http://127.0.0.1"):
            context.close()
            return
        for other in context.pages:
            if other is not page:
                other.close()
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.goto("about:blank")
        context.clear_cookies()
        history = context.new_cdp_session(page)
        history.send("Page.resetNavigationHistory")
        history.detach()
        self.free.append(page)


@pytest.fixture(scope="session")
def windows(chromium: Browser) -> Windows:
    return Windows(chromium)


@pytest.fixture
def visit(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Callable[..., Visitor]]:
    """Visitors who open a path and wait for what it says, on the shared server if no other is told.

    Those of the shared server are looked at once more when the journey has ended.
    """
    made: list[Visitor] = []
    with ExitStack() as ending:

        def make(path: str = "", *says: str, at: str = "", **screen: Any) -> Visitor:
            one = windows.take(at or request.getfixturevalue("server"), **screen)
            ending.callback(windows.give_back, one)
            if not at:
                made.append(one)
            if path:
                one.open(path)
                one.expect(*says)
            return one

        yield make
        for one in made:
            one.check()


@pytest.fixture(scope="module")
def walk(windows: Windows, server: str) -> Iterator[Callable[..., Visitor]]:
    """One visitor per screen who walks from test to test of a file: the app is loaded once.

    Where stops are asked for, a run that begins by itself is stopped as soon as it can be.
    """
    from tests.browser.layout import STOPS  # which loads the app

    made: dict[tuple[int, str], Visitor] = {}

    def to(path: str, *, width: int = 1280, scheme: str = "light", stops: bool = False) -> Visitor:
        one = made.pop((width, scheme), None)
        fresh = one is None or one.problems or one.page.locator(BROKEN).count()
        if one is None or fresh:
            if one is not None:
                windows.give_back(one)
            one = windows.take(server, width, scheme)
            one.open("/about" if stops else path)
        else:
            one.settle()
        stopping = f"window.__stops = ({STOPS})()" if stops else "0"
        one.page.evaluate(f"clearInterval(window.__stops), {stopping}, 0")
        if one.path != path and (stops or not fresh):
            one.turn(path)
        return made.setdefault((width, scheme), one)

    yield to
    for one in made.values():
        windows.give_back(one)
