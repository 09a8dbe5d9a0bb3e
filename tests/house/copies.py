"""Copies of the house, to which a test adds a toy as a newcomer would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.house.tree import ROOT

Entries = Mapping[str, Sequence[tuple[str, str]]]  # by file, what stands before, and the entry


def copied(folder: Path, *names: str) -> Path:
    """Copy folders and files of the house into a folder."""
    for name in names:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder)
    return folder


def enter(folder: Path, added: Entries) -> None:
    """Write entries behind what stands before them, once in its file; at its end behind nothing."""
    for name, entries in added.items():
        text = (folder / name).read_text("utf-8")
        for before, entry in entries:
            assert not before or text.count(before) == 1, (name, before)
            text = text.replace(before, before + entry) if before else text + entry
        (folder / name).write_text(text, "utf-8")


def said(house: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy, which comes before the house itself."""
    told = {**os.environ, "PYTHONPATH": f"{house}{os.pathsep}{ROOT}"}
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, cwd=house, check=False, env=told
    )
