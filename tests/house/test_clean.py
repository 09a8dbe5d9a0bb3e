"""Style and types are part of the tests."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.house.tree import ROOT


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["ruff", "check", "."], id="lint"),
        pytest.param(["ruff", "format", "--check", "."], id="format"),
        pytest.param(["mypy"], id="types", marks=pytest.mark.deep),  # a fifth of the quick run
    ],
)
def test_clean(command):
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
