"""What the repository says is so: style, types, the README, and what reading the tests shows."""

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

README = (ROOT / "README.md").read_text("utf-8")
# Where looking again, a person's reading or a time to live takes a pause.
PAUSES = {
    *(("conftest.py", "until"), ("test_decision.py", "read"), ("test_first_edit.py", "lose")),
    ("test_fresh.py", "look"),  # what is waited for is whatever comes unasked
}


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


def test_browser_tests_wait_for_what_they_expect():
    found = {
        (path.name, part.partition("(")[0])
        for path in (ROOT / "tests" / "browser").rglob("*.py")
        for part in path.read_text("utf-8").split("def ")
        if re.search(r"\.(wait_for_timeout|sleep)\b", part)
    }
    assert ("conftest.py", "until") in found
    assert found <= PAUSES


def test_the_readme_s_python_runs(tmp_path, capsys):
    (block,) = re.findall(r"```python\n(.*?)```", README, flags=re.S)
    (tmp_path / "block.py").write_text(block, "utf-8")
    runpy.run_path(str(tmp_path / "block.py"))
    shares, worth = capsys.readouterr().out.splitlines()
    assert shares.startswith("(0.")
    assert float(worth) > 0


def test_pictures_and_links_lead_somewhere_and_what_is_said_to_be_tried_is_tried():
    rows = re.findall(r"^\| an? [\w ]+ \|(.*)\|(.*)\|$", README, flags=re.M)
    assert len(rows) == 6
    named = {target for target in re.findall(r"\]\(([^)#]+)\)", README) if target[:4] != "http"}
    for written, tried in rows:
        named |= {f"tests/house/{name}" for name in re.findall(r"`([\w./]+)`", tried)}
        named |= {*re.findall(r"`((?:rates|sims|pages)/[a-z_./]+)`", written)}
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_project_speaks_of_itself_alone():
    command = ["git", "ls-files", "-z"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
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
    runner = (ROOT / ".ci" / "run").read_text("utf-8")
    (tests,) = re.findall(r"^python3 -m venv .*pytest.*$", README, flags=re.M)
    (deep,) = re.findall(r"`(\S+python -m pytest .*-m deep)`", README)
    assert {tests, deep} <= set(runner.splitlines())
    assert "REQUIRE_BROWSER=1" in README
    assert "export REQUIRE_BROWSER=1" in runner
    markers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    for marker in markers["ini_options"]["markers"]:
        assert f"-m {marker.partition(':')[0]}" in README


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
