"""Fixtures of all pages' tests."""

from __future__ import annotations

import pytest

from pages.parts.live import panel
from pages.parts.session import brought
from sims.engine import live


@pytest.fixture(autouse=True)
def _own_slots(monkeypatch):
    """No test waits for the place of a run that another one left behind."""
    monkeypatch.setattr(live, "SLOTS", live.Slots())


@pytest.fixture(autouse=True)
def _nothing_left_out(monkeypatch):
    """No test is told what was left out in another one."""
    monkeypatch.setattr(brought, "_refusing", set())


@pytest.fixture
def by_step(monkeypatch):
    """Let a page do one step of a run at a time."""
    monkeypatch.setattr(panel, "_draw_again", lambda: None)
