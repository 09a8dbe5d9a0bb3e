"""Fixtures of all pages' tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.core.live import panel
from sims.classroom import Rooms
from sims.engine import live


@pytest.fixture(autouse=True)
def _own_slots(monkeypatch):
    """No test waits for the place of a run that another one left behind."""
    monkeypatch.setattr(live, "SLOTS", live.Slots())


@pytest.fixture
def by_step(monkeypatch):
    """Let a page do one step of a run at a time."""
    monkeypatch.setattr(panel, "_draw_again", lambda: None)


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rooms]:
    """Rooms of a test's own."""
    monkeypatch.setenv("RATES_ROOMS", str(tmp_path / "rooms.sqlite"))
    found = Rooms()
    yield found
    found.close()
