"""Rules for the tests themselves, each seen to fail on a planted breach."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT

# Where looking again, or a time to live, takes a pause; all else waits for what it expects.
PAUSES = {
    ("conftest.py", "until"),
    ("conftest.py", "wait_until_up"),
    ("test_decision.py", "read"),  # a person reads before the next click
    ("test_first_edit.py", None),
    ("test_fresh.py", "look"),  # what is waited for is whatever comes unasked
}


def fixed_waits(tests: Path) -> Iterator[str]:
    """Pauses of a fixed length in the tests that use a browser."""
    for path in sorted((tests / "browser").rglob("*.py")):
        for top in ast.parse(path.read_text("utf-8")).body:
            for part in getattr(top, "body", [top]) if isinstance(top, ast.ClassDef) else [top]:
                name = getattr(part, "name", None)
                if {(path.name, name), (path.name, None)} & PAUSES:
                    continue
                for node in ast.walk(part):
                    if isinstance(node, ast.Attribute) and node.attr in (
                        "wait_for_timeout",
                        "sleep",
                    ):
                        yield f"{path.name}, line {node.lineno}"


def test_browser_tests_wait_for_what_they_expect():
    assert list(fixed_waits(ROOT / "tests")) == []


@pytest.mark.parametrize(
    ("rule", "files"),
    [
        (fixed_waits, {"browser/a.py": "def test_a():\n    page.wait_for_timeout(9)\n"}),
        (fixed_waits, {"browser/a.py": "class A:\n    def f(self):\n        time.sleep(1)\n"}),
        (fixed_waits, {"browser/conftest.py": "def other():\n    time.sleep(1)\n"}),
    ],
)
def test_a_planted_breach_is_found(rule, files, tmp_path):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert list(rule(tmp_path))
