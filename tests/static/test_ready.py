"""The product stays ready for a browser: no process, thread or compiled extra where it loads."""

from __future__ import annotations

import ast
import re

import pytest

from sims.classroom import RoomError, Rooms
from sims.classroom import store as store_module
from tests.house.tree import ROOT, Source, Tree

# A browser's Python has none of these; what needs one imports it where it is used.
NEVER = ("multiprocessing", "subprocess", "resvg_py", "distributed", "concurrent.futures.process")
# Work that takes counts and places as the platform's own whole numbers, 32 bits in a browser.
PLACES = re.compile(r"np\.(?:repeat|bincount)\([^#\n]*int64")


def at_the_top(source: Source) -> list[str]:
    """What a file imports when it is loaded."""
    found: list[str] = []
    for node in source.tree.body:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def test_nothing_that_a_browser_lacks_is_loaded_with_a_file():
    for source in Tree(ROOT).sources:
        for name in at_the_top(source):
            assert not name.startswith(NEVER), f"{source.name} imports {name} when it is loaded"
            assert name != "concurrent.futures.ProcessPoolExecutor", source.name


def test_places_are_of_the_platform_s_own_size():
    for source in Tree(ROOT).sources:
        assert not PLACES.search(source.text), source.name


def test_a_room_says_that_it_needs_a_server(monkeypatch, tmp_path):
    monkeypatch.setattr(store_module.sys, "platform", "emscripten")
    with pytest.raises(RoomError, match=r"needs a server that phones can reach"):
        Rooms(tmp_path / "rooms.sqlite")
