"""A power of e is typeset wherever a page says it in words."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "pages"
RAW = re.compile(r"e\^[(ε]")


def test_no_page_shows_a_power_of_e_as_it_is_typed():
    files = sorted(PAGES.rglob("*.py"))
    assert files
    shown = [
        f"{file.relative_to(PAGES)}:{place}"
        for file in files
        for place, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if RAW.search(line)
    ]
    assert not shown
