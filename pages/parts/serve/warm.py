"""What the first pages need loads while the first browser still loads the app's scripts.

A server runs `app.py` only for its first session. Until then it has nothing to do: so a thread of
its own loads, from its start on, what the two pages need where most people enter, and makes one
figure, for which Plotly loads its template.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Thread
from typing import Any

FIRST = ("pages.parts.frame", "pages.parts.overview.page")
SECOND = ("scipy.special", "pages.parts.study.page", "pages.parts.plan.report", "pandas")


def begin() -> Thread | None:
    """Begin to load; nothing where there are no threads."""
    if sys.platform == "emscripten":
        return None
    thread = Thread(target=load, name="warm", daemon=True)
    thread.start()
    return thread


def load() -> None:
    """Load what Overview needs, make a figure, and load what Study needs."""
    for name in FIRST:
        import_module(name)
    made = import_module("pages.figures").drawn(
        import_module("rates.study").preset("hospitals").study
    )
    import_module("pages.figures.chart").spec.Sent(made.figure).to_json()
    errata = import_module("rates.errata")
    errata.sentences(errata.headline())
    for name in SECOND:
        import_module(name)


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[None]:
    """Begin as soon as the server does (a lifespan of Starlette)."""
    begin()
    yield
