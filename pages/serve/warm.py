"""What a server does before and around its first pages, so that they come sooner.

A server runs `app.py` only for its first session. Until then it has nothing to do: so a thread of
its own loads, from its start on, what every page needs and the page where most people enter. What
the next pages need, and a figure, for which Plotly loads its template, waits until the first is
shown, whose run it would hold up.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Event, Thread
from types import ModuleType
from typing import Any

from pages import framework

SCREENS = {"present": "pages.classroom.projector", "room": "pages.classroom.phone"}
FIRST = ("pages.core", "pages.overview", "PIL.Image")  # with what reads the icon of the page
NEXT = ("pages.study.page", "pages.plan.report", "pandas", "scipy.special")
IDLE = 3.0  # seconds without a visitor after which the next pages' parts are loaded all the same
_shown = Event()


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[None]:
    """Begin as soon as the server does (a lifespan of Starlette)."""
    framework.unlock()
    begin()
    yield


def begin() -> Thread | None:
    """Begin to load; nothing where there are no threads."""
    if sys.platform == "emscripten":
        return None
    thread = Thread(target=load, name="warm", daemon=True)
    thread.start()
    return thread


def shown() -> None:
    """Say that a page has been run."""
    _shown.set()


def load() -> None:
    """Load what the first page needs; once it is shown, load what others do, and make a figure."""
    _load(FIRST)
    # Streamlit looks at the stack once, for which Python finds the file of every module.
    inspect.stack()
    _shown.wait(IDLE)
    _load(NEXT)
    figures, study = import_module("pages.figures"), import_module("rates.study")
    made = figures.drawn(study.preset("hospitals").study)
    import_module("pages.charts").spec.Sent(made.figure).to_json()
    import_module("rates.ledger").entries()


def view(name: str) -> ModuleType:
    """Return the module that draws a view: its package's `page`, or the one of its name."""
    found = import_module(SCREENS.get(name, f"pages.{name}"))
    return found if hasattr(found, "draw") else import_module(f"pages.{name}.page")


def _load(names: Sequence[str]) -> None:
    for name in names:
        import_module(name)
