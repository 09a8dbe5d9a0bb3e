"""Fixtures of all pages' tests."""

from __future__ import annotations

import pytest

from pages.core.live import panel
from sims.engine import live


@pytest.fixture(autouse=True)
def _own_slots(monkeypatch):
    """No test waits for the place of a run that another one left behind."""
    monkeypatch.setattr(live, "SLOTS", live.Slots())


@pytest.fixture
def by_step(monkeypatch):
    """Let a page do one step of a run at a time."""
    monkeypatch.setattr(panel, "_draw_again", lambda: None)
