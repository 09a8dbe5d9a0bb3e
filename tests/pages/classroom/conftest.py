"""Rooms of a test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sims.classroom import Rooms


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rooms]:
    monkeypatch.setenv("RATES_ROOMS", str(tmp_path / "rooms.sqlite"))
    found = Rooms()
    yield found
    found.close()
