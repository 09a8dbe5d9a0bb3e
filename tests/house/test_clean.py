"""Style and types are part of the tests."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from tests.house.tree import ROOT, TOPS


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


def unstrict(settings: dict) -> list[str]:
    """What of the product is not under strict types."""
    found = [top for top in (*TOPS, "app.py") if top not in settings.get("files", ())]
    if settings.get("strict") is not True:
        found.append("strict is off")
    for override in settings.get("overrides", ()):
        ours = [name for name in override["module"] if name.partition(".")[0] in (*TOPS, "app")]
        found += [f"{name} is excepted" for name in ours]
    return found


def test_types_are_strict_everywhere():
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert unstrict(tomllib.loads(text)["tool"]["mypy"]) == []
    assert unstrict({"files": ["rates", "sims", "app.py"], "strict": True}) == ["pages"]
    assert unstrict({"files": [*TOPS, "app.py"]}) == ["strict is off"]
    excepted = [{"module": ["pages.*"], "ignore_errors": True}]
    assert unstrict({"files": [*TOPS, "app.py"], "strict": True, "overrides": excepted})
