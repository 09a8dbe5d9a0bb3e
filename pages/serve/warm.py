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
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from typing import Any

import streamlit

PAGES = frozenset(  # packages with a page, modules that are one, and the screens of a class
    {path.parent.name for path in Path(__file__).parents[1].glob("*/page.py")}
    | {path.stem for path in Path(__file__).parents[1].glob("[!_]*.py") if path.stem != "figures"}
    | {"present", "room"}
)
FIRST = "overview"
NEEDS = {  # of the others, their own part
    "study": ("pages.study.page", "pages.plan.report", "pandas", "scipy.special"),
    "present": ("pages.classroom.projector",),
    "room": ("pages.classroom.phone",),
}
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
    unlock()
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


def _load(page: str) -> None:
    for name in NEEDS.get(page, (f"pages.{page}",)):
        view = import_module(name)
        if page not in NEEDS and not hasattr(view, "draw"):
            import_module(f"{name}.page")


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

    def __init__(self, app: _Next) -> None:
        """Stand around the rest of the server."""
        self._next, self._link = app, _link()

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        """Answer; for the address of a page begin to load it, and name the script of figures."""
        page = _page(scope)
        if page is not None:
            expect(page)

        async def named(message: _Message) -> None:
            if message["type"] == "http.response.start" and self._link:
                message["headers"] = [*message["headers"], (b"link", self._link)]
            await send(message)

        await self._next(scope, receive, send if page in (None, *WITHOUT) else named)


def layers() -> list[Any]:
    """Return what `streamlit.App` takes as its layers."""
    return [import_module("starlette.middleware").Middleware(Ahead)]


def _page(scope: _Message) -> str | None:
    """Return the page that is asked for, if it is one; the bare address opens the first."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    name = str(scope["path"]).rpartition("/")[2] or FIRST
    return name if name in PAGES else None


def _link() -> bytes:
    """Return the header that names the script, whose name Streamlit changes with its version."""
    scripts = (Path(streamlit.__file__).parent / "static" / "static" / "js").glob("PlotlyChart.*")
    return ", ".join(f"<./static/js/{one.name}>; rel=modulepreload" for one in scripts).encode()


# Options ------------------------------------------------------------------------------------------


def unlock() -> None:
    """Let options be read without the lock, where this Streamlit keeps them as we know it.

    Streamlit looks at an option with every message that it sends, under one lock of the whole
    process. Where many visitors' threads send at once, one that has just been given the lock waits
    for Python's own, and all others for it: half of their time at sixty visitors. Looking into a
    dictionary needs no lock; a change of an option still takes it.
    """
    config: Any = import_module("streamlit.config")
    locked = config.get_option
    if getattr(locked, "unlocked", False):
        return

    def get_option(key: str) -> Any:
        """Return the value of an option; whatever is not found at once is asked for under lock."""
        option = (getattr(config, "_config_options", None) or {}).get(key)
        return locked(key) if option is None else option.value

    get_option.unlocked = True  # type: ignore[attr-defined]
    config.get_option = get_option
