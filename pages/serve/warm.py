"""What the first pages need loads while the first browser still loads the app's scripts.

A server runs `app.py` only for its first session. Until then it has nothing to do: so a thread of
its own loads, from its start on, what every page needs and then the page that was asked for, or
else the one where most people enter; it makes one figure, for which Plotly loads its template.
What the next pages need waits until the first is shown, whose run it would hold up. All this stays
for good, so the collector of garbage need not look through it: neither meanwhile, which takes an
eighth of the time, nor later.
"""

from __future__ import annotations

import gc
import inspect
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from typing import Any

from pages.serve import options

PAGES = frozenset(  # packages of a page, and the phones of a class
    {path.parent.name for path in Path(__file__).parents[1].glob("*/page.py")} | {"room"}
)
FIRST = "overview"
NEEDS = {  # of the others, their own part
    "study": ("pages.study.page", "pages.plan.report", "pandas", "scipy.special"),
    "room": ("pages.classroom.phone",),
}
IDLE = 3.0  # seconds without a visitor after which the next pages' parts are loaded all the same
_shown, _asked = Event(), list[str]()


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
    """Load what the first page needs and make a figure; once it is shown, load what others need."""
    with _kept():
        import_module("pages.core")
        first = _asked[0] if _asked else FIRST
        _load(first)
        if first == FIRST:
            _draw()
        import_module("PIL.Image")  # for the icon of the page
        # Streamlit looks at the stack once, for which Python finds the file of every module.
        inspect.stack()
    _shown.wait(IDLE)
    with _kept():
        for page in (FIRST, "study"):
            _load(page)
        if first != FIRST:
            _draw()


def _load(page: str) -> None:
    for name in NEEDS.get(page, (f"pages.{page}.page",)):
        import_module(name)


def _draw() -> None:
    made = import_module("pages.charts").drawn(
        import_module("rates.study").preset("hospitals").study
    )
    import_module("pages.charts").spec.Sent(made.figure).to_json()
    errata = import_module("rates.errata")
    errata.sentences(errata.headline())


@contextmanager
def _kept() -> Iterator[None]:
    """What is made meanwhile stays: the collector of garbage passes it by."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[None]:
    """Begin as soon as the server does (a lifespan of Starlette)."""
    options.unlocked()
    begin()
    yield
