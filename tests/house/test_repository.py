"""What the repository says, beyond the rules that a file's text shows."""

from __future__ import annotations

import gzip
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.house.tree import ROOT


def test_the_project_speaks_of_itself_alone():
    done = subprocess.run(
        ["git", "ls-files", "-z"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    private = re.compile(
        r"/(?:work|root|home|tmp|farm)/[A-Za-z]|https?://[^\s)\"']*(?:simple|registry)"
    )
    for name in filter(None, done.stdout.split("\0")):
        path = ROOT / name
        if path.suffix in (".png", ".gz") or path == Path(__file__) or not path.exists():
            continue
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        assert not private.search(text), name


def test_readme_commands_are_those_that_run():
    readme = (ROOT / "README.md").read_text("utf-8")
    runner = (ROOT / ".ci" / "run").read_text("utf-8")
    (tests,) = re.findall(r"^python3 -m venv .*pytest.*$", readme, flags=re.M)
    (deep,) = re.findall(r"`(\S+python -m pytest .*-m deep)`", readme)
    assert {tests, deep} <= set(runner.splitlines())
    assert "REQUIRE_BROWSER=1" in readme
    assert "export REQUIRE_BROWSER=1" in runner
    markers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    for marker in markers["ini_options"]["markers"]:
        assert f"-m {marker.partition(':')[0]}" in readme


def test_an_old_python_is_refused_before_anything_is_downloaded(monkeypatch):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    backend = runpy.run_path(str(ROOT / ".build" / "backend.py"))
    least = ".".join(map(str, backend["LEAST"]))
    assert settings["build-system"]["requires"] == []  # pip fetches these before it asks
    assert settings["project"]["requires-python"] == f">={least}"
    assert f"lowest=$(found {least})" in (ROOT / ".ci" / "legs").read_text("utf-8")
    said = f"needs Python {least} or newer, and this is 3.10"
    for kind in ("wheel", "sdist", "editable"):
        asked = backend[f"get_requires_for_build_{kind}"]
        assert asked() == ["setuptools>=77"]
        with monkeypatch.context() as patch:
            patch.setattr(sys, "version_info", (3, 10, 13, "final", 0))
            with pytest.raises(SystemExit, match=said):
                asked()
