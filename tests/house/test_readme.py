"""The README's Python runs, and its pictures exist."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_python_runs(tmp_path):
    (block,) = re.findall(r"```python\n(.*?)```", README, flags=re.S)
    script = tmp_path / "block.py"
    script.write_text(block, "utf-8")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        runpy.run_path(str(script))
    shares, worth = said.getvalue().splitlines()
    assert shares.startswith("(0.")
    assert float(worth) > 0


def test_pictures_and_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target


def test_what_is_said_to_be_tried_is_tried():
    rows = re.findall(r"^\| an? [\w ]+ \|(.*)\|(.*)\|$", README, flags=re.M)
    assert len(rows) == 6
    for written, tried in rows:
        for name in re.findall(r"`([\w./]+)`", tried):
            assert (ROOT / "tests" / "house" / name).exists(), name
        for path in re.findall(r"`((?:rates|sims|pages)/[\w./]+)`", written):
            assert re.search("NAME|PAPER", path) or (ROOT / path).exists(), path
