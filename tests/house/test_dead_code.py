"""No name of a module is used by tests or docstrings alone, but for the doors' and what is found.

A definition is used where another one names it, in its own file or elsewhere; handing it on in a
face is no use.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.house.rules import DOORS
from tests.house.tree import ROOT, Source, Tree

NOTEBOOKS = {"rates/__init__.py", *DOORS}  # what they hand on is used by whoever imports them
# What is found by its name: pages by app.py, the layer by a server, commands by an installation.
FOUND = {"draw", "main", "app", "TAB", "PagesManager"}


def _defined(source: Source) -> Iterator[tuple[str, ast.stmt]]:
    for node in source.tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((one.id, node) for one in targets if isinstance(one, ast.Name))


def _named(node: ast.AST) -> Counter[str]:
    """How often a piece of code names what."""
    found: Counter[str] = Counter()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store):
            found[part.id] += 1
        elif isinstance(part, ast.Attribute):
            found[part.attr] += 1
        elif isinstance(part, ast.ImportFrom):
            found.update(alias.name for alias in part.names if alias.asname)
    return found


def dead(tree: Tree) -> list[str]:
    """The definitions that nothing of the product names but they themselves."""
    used: Counter[str] = Counter()
    for source in tree.sources:
        if not source.face or source.name in NOTEBOOKS:
            used += _named(source.tree)
        if source.name in NOTEBOOKS:
            used.update(found.name for found in source.imports if found.name)
    return sorted(
        f"{source.dotted}.{name}"
        for source in tree.sources
        for name, node in _defined(source)
        if name not in FOUND
        and not name.startswith("__")
        and name != "_"
        and not getattr(node, "decorator_list", ())
        and used[name] <= _named(node)[name]
    )


def test_nothing_is_there_for_tests_alone() -> None:
    assert not dead(Tree(ROOT))


def test_planted_dead_code_is_found(tmp_path: Path) -> None:
    room = tmp_path / "rates" / "toy"
    room.mkdir(parents=True)
    (room / "__init__.py").write_text("from rates.toy.a import dead, used\n")
    (room / "a.py").write_text(
        "def used(): return _inner()\ndef _inner(): return 1\n"
        "def dead(): return used() + dead()\nALONE = 2\n"
        "@CHECKS.add(1)\ndef named(): return 3\n"
    )
    (tmp_path / "app.py").write_text("from rates import toy\nprint(toy.used())\n")
    assert dead(Tree(tmp_path)) == ["rates.toy.a.ALONE", "rates.toy.a.dead"]
