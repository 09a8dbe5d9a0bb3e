"""What a server does before and around its first pages, so that they come sooner.

A server runs `app.py` only for its first session. Until then it has nothing to do: so a thread of
its own loads, from its start on, what every page needs and then the page that was asked for, or
else the one where most people enter. What the next pages need, and a figure, for which Plotly loads
its template, waits until the first is shown, whose run it would hold up. All this stays
for good, so the collector of garbage need not look through it: neither meanwhile, which takes an
eighth of the time, nor later.

The answer to an address says which page comes. A browser takes about a second from the page's
frame to the connection that runs the page. In it the server can load that page, and the browser
the script that draws figures, the largest of all, which Streamlit's frame asks for only when the
first figure arrives.
"""

from __future__ import annotations

import gc
import inspect
import sys
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterator,
    MutableMapping,
)
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from threading import Event, Thread
from types import ModuleType
from typing import Any

from pages import framework

FIRST = "overview"
SCREENS = {"present": "pages.classroom.projector", "room": "pages.classroom.phone"}
MORE = {"study": ("pages.plan.report", "pandas", "scipy.special")}  # that its first run needs
WITHOUT = ("about", "overview", "phases", "room", "statements", "study")  # open without Plotly
IDLE = 3.0  # seconds without a visitor after which the next pages' parts are loaded all the same
_shown, _asked = Event(), list[str]()
_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_Next = Callable[[_Message, _Receive, _Send], Awaitable[None]]


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[None]:
    """Begin as soon as the server does (a lifespan of Starlette)."""
    framework.unlock()
    begin()
    yield


# The thread that loads ----------------------------------------------------------------------------


def begin() -> Thread | None:
    """Begin to load; nothing where there are no threads."""
    if sys.platform == "emscripten":
        return None
    thread = Thread(target=load, name="warm", daemon=True)
    thread.start()
    return thread


def expect(page: str) -> None:
    """Say which page a browser has asked for; the first one counts."""
    if not _asked:
        _asked.append(page)


def shown() -> None:
    """Say that a page has been run."""
    _shown.set()


def load() -> None:
    """Load what the first page needs; once it is shown, load what others do, and make a figure."""
    with _kept():
        import_module("pages.core")
        _load(_asked[0] if _asked else FIRST)
        import_module("PIL.Image")  # for the icon of the page
        # Streamlit looks at the stack once, for which Python finds the file of every module.
        inspect.stack()
    _shown.wait(IDLE)
    with _kept():
        for page in (FIRST, "study"):
            _load(page)
        figures, study = import_module("pages.figures"), import_module("rates.study")
        made = figures.drawn(study.preset("hospitals").study)
        import_module("pages.charts").spec.Sent(made.figure).to_json()
        import_module("rates.ledger").entries()


def view(name: str) -> ModuleType:
    """Return the module that draws a view: its package's `page`, or the one of its name."""
    found = import_module(SCREENS.get(name, f"pages.{name}"))
    return found if hasattr(found, "draw") else import_module(f"pages.{name}.page")


def _load(page: str) -> None:
    for name in (view(page).__name__, *MORE.get(page, ())):
        import_module(name)


@contextmanager
def _kept() -> Iterator[None]:
    """What is made meanwhile stays: the collector of garbage passes it by."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


# The answer to an address -------------------------------------------------------------------------


class Ahead:
    """A layer of the server around Streamlit's (ASGI): it changes no answer but by one header."""

    def __init__(self, app: _Next, names: Collection[str] = ()) -> None:
        """Stand around the rest of the server, which has views of these names."""
        self._next, self._names = app, names
        scripts = (f"<./static/js/{one}>; rel=modulepreload" for one in framework.figure_scripts())
        self._link = ", ".join(scripts).encode()

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        """Answer; for the address of a page begin to load it, and name the script of figures."""
        page = self._page(scope)
        if page is not None:
            expect(page)

        async def named(message: _Message) -> None:
            if message["type"] == "http.response.start" and self._link:
                message["headers"] = [*message["headers"], (b"link", self._link)]
            await send(message)

        await self._next(scope, receive, send if page in (None, *WITHOUT) else named)

    def _page(self, scope: _Message) -> str | None:
        """Return the page that is asked for, if it is one; the bare address opens the first."""
        if scope["type"] != "http" or scope["method"] != "GET":
            return None
        name = str(scope["path"]).rpartition("/")[2] or FIRST
        return name if name in self._names else None


def layers(names: Collection[str]) -> list[Any]:
    """Return what `streamlit.App` takes as its layers, for views of these names."""
    return [import_module("starlette.middleware").Middleware(Ahead, names=names)]
