"""The list of changes in the pages does not rot: every line is there, and every named test."""

from __future__ import annotations

import runpy
from pathlib import Path

made = runpy.run_path(str(Path(__file__).with_name("page_mutants.py")))


def test_every_change_can_be_made_and_names_a_test_that_is_there():
    assert made["old_texts"](made["ROOT"]) == []
    assert len(made["MUTANTS"]) >= 40


def test_every_room_of_the_pages_has_one():
    rooms = {one.file.split("/")[1] for one in made["MUTANTS"] if one.file.startswith("parts/")}
    ours = {path.parent.name for path in (made["ROOT"] / "pages" / "parts").glob("*/__init__.py")}
    assert ours == rooms
