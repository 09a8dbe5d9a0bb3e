"""What is loaded ahead of time: the answer to an address says which page comes.

A browser takes about a second from the page's frame to the connection that runs the page. In it
the server can load that page, and the browser the script that draws figures, the largest of all,
which Streamlit's frame asks for only when the first figure arrives.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from importlib import import_module
from pathlib import Path
from typing import Any

import streamlit

from pages.serve import warm

WITHOUT = ("about", "room")  # pages that open without a figure
_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_Next = Callable[[_Message, _Receive, _Send], Awaitable[None]]


class Ahead:
    """A layer of the server around Streamlit's (ASGI): it changes no answer but by one header."""

    def __init__(self, app: _Next) -> None:
        """Stand around the rest of the server."""
        self._next, self._link = app, _link()

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        """Answer; for the address of a page begin to load it, and name the script of figures."""
        page = _page(scope)
        if page is None:
            await self._next(scope, receive, send)
            return
        warm.expect(page)

        async def named(message: _Message) -> None:
            if message["type"] == "http.response.start" and page not in WITHOUT and self._link:
                message["headers"] = [*message["headers"], (b"link", self._link)]
            await send(message)

        await self._next(scope, receive, named)


def layers() -> list[Any]:
    """Return what `streamlit.App` takes as its layers."""
    return [import_module("starlette.middleware").Middleware(Ahead)]


def _page(scope: _Message) -> str | None:
    """Return the page that is asked for, if it is one; the bare address opens the first."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    name = str(scope["path"]).rpartition("/")[2] or warm.FIRST
    return name if name in warm.PAGES else None


def _link() -> bytes:
    """Return the header that names the script, whose name Streamlit changes with its version."""
    scripts = (Path(streamlit.__file__).parent / "static" / "static" / "js").glob("PlotlyChart.*")
    return ", ".join(f"<./static/js/{one.name}>; rel=modulepreload" for one in scripts).encode()
