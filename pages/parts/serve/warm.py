"""What the first pages need loads while the first browser still loads the app's scripts.

A server runs `app.py` only for its first session. Until then it has nothing to do: so a thread of
its own loads, from its start on, what the two pages need where most people enter, and draws one
figure, which is when Plotly loads its parts.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Thread
from typing import Any

FIRST = ("pages.parts.frame", "pages.parts.overview.page", "pages.parts.plan.report")
SECOND = ("pages.parts.study.page", "scipy.special")


def begin() -> Thread | None:
    """Begin to load; nothing where there are no threads."""
    if sys.platform == "emscripten":
        return None
    thread = Thread(target=load, name="warm", daemon=True)
    thread.start()
    return thread


def load() -> None:
    """Load what Overview and Study need, and draw a figure."""
    for name in (*FIRST, *SECOND):
        import_module(name)
    figures, study = import_module("pages.figures"), import_module("rates.study")
    figures.of(study.preset("hospitals").study)
    errata = import_module("rates.errata")
    errata.sentences(errata.headline())


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[None]:
    """Begin as soon as the server does (a lifespan of Starlette)."""
    begin()
    yield
