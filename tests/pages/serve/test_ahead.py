"""The answer to an address begins to load its page, and names the script that draws figures."""

from __future__ import annotations

import asyncio
import re
import runpy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import streamlit

from pages.serve import ahead, warm

ROOT = Path(__file__).resolve().parents[3]
STATIC = Path(streamlit.__file__).parent / "static"
START = {"type": "http.response.start", "status": 200, "headers": [(b"etag", b"1")]}


@pytest.fixture
def expected(monkeypatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(warm, "_asked", found)
    return found


def headers(path: str, kind: str = "http", method: str = "GET") -> dict[bytes, bytes]:
    """What an answer carries, which came with a tag alone."""
    sent: list[Any] = []

    async def rest(scope: Any, receive: Any, send: Any) -> None:
        await send(dict(START))
        await send({"type": "http.response.body", "body": b"same"})

    async def keep(message: Any) -> None:
        sent.append(message)

    scope = {"type": kind, "method": method, "path": path}
    with ThreadPoolExecutor(1) as apart:  # other tests may leave an event loop in this thread
        apart.submit(lambda: asyncio.run(ahead.Ahead(rest)(scope, None, keep))).result()
    assert sent[1]["body"] == b"same"
    return dict(sent[0]["headers"])


@pytest.mark.parametrize("path", ["/study", "/course/rates/study", "/", "/course/"])
def test_an_address_names_the_script_that_this_streamlit_has(expected, path):
    found = headers(path)
    assert found[b"etag"] == b"1"
    (name,) = re.findall(r"<\./(static/js/PlotlyChart\.[^>]+)>; rel=modulepreload", str(found))
    assert (STATIC / name).is_file()
    assert expected == ["study" if path.endswith("study") else "overview"]


@pytest.mark.parametrize("path", ["/room", "/about"])
def test_a_page_without_a_figure_is_loaded_alone(expected, path):
    assert list(headers(path)) == [b"etag"]
    assert expected == [path[1:]]


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/static/js/index.js", {}),
        ("/_stcore/health", {}),
        ("/study/", {"method": "POST"}),
        ("/study", {"method": "POST"}),
        ("/study", {"kind": "websocket"}),
        ("/nothing", {}),
    ],
)
def test_whatever_else_passes_as_it_is(expected, path, more):
    assert list(headers(path, **more)) == [b"etag"]
    assert expected == []


def test_the_first_address_counts(expected):
    headers("/plan")
    headers("/study")
    assert expected == ["plan"]


def test_the_app_has_the_layer():
    app = runpy.run_path(str(ROOT / "app.py"))["app"]
    assert [layer.cls for layer in app._user_middleware] == [ahead.Ahead]
