"""Fixtures of all pages' tests."""

from __future__ import annotations

import pytest

from pages.parts.live import panel


@pytest.fixture
def by_step(monkeypatch):
    """Let a page do one step of a run at a time."""
    monkeypatch.setattr(panel, "_draw_again", lambda: None)
