"""No public name is used by tests or docstrings alone, but for the contract's names and the doors.

What a page, a command line or a module does when it is loaded is used; so is every definition that
something used names. All else is dead.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.house.rules import DOORS
from tests.house.tree import ROOT, Source, Tree

NOTEBOOKS = {"rates", "pages.figures"}  # what they hand on is used by whoever imports them
# A claim names its check by words; a gap's decorator puts it there. A server looks for the app.
BY_NAME = {"CHECKS", "TESTS", "app", "TAB", "PagesManager"}

Name = tuple[str, str]  # module and name


class Module:
    """One file: what it defines, what it imports, and what each definition names."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.imports: dict[str, tuple[str, str | None]] = {}  # here -> module, name in it
        for node in source.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = (node.module, alias.name)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    whole = alias.name if alias.asname else alias.name.partition(".")[0]
                    self.imports[alias.asname or whole] = (whole, None)
        self.defined: dict[str, list[ast.stmt]] = {}
        self.loose: list[ast.stmt] = []  # what runs when it is loaded
        for node in _flat(source.tree.body):
            names = list(_targets(node))
            for name in names:
                self.defined.setdefault(name, []).append(node)
            if not names and not isinstance(node, ast.Import | ast.ImportFrom):
                self.loose.append(node)


def _flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, also those below an if or a try."""
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            yield from _flat(node.body)
            yield from _flat(node.orelse)
        else:
            yield node


def _targets(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))


def _put_by_name(node: ast.stmt) -> bool:
    """Whether a decorator puts a definition into what is used by name."""
    decorators = getattr(node, "decorator_list", ())
    parts = [part for decorator in decorators for part in ast.walk(decorator)]
    return any(isinstance(part, ast.Name) and part.id in BY_NAME for part in parts)


class House:
    """All files, and which definition each name means."""

    def __init__(self, tree: Tree) -> None:
        self.modules = {source.dotted: Module(source) for source in tree.sources}
        self.attributes = {
            node.attr for s in tree.sources for node in s.nodes if isinstance(node, ast.Attribute)
        }

    def meant(self, module: str, name: str, depth: int = 0) -> str | Name | None:
        """Return the module (text) or the definition that a name of a module means."""
        if f"{module}.{name}" in self.modules:
            return f"{module}.{name}"
        here = self.modules.get(module)
        if here is None or depth > 9:
            return None
        if name in here.defined:
            return module, name
        if name in here.imports:
            where, what = here.imports[name]
            if what is None:
                return where if where in self.modules else None
            return self.meant(where, what, depth + 1)
        for where, what in here.imports.values():  # a door: from x import *
            if what == "*" and (found := self.meant(where, name, depth + 1)):
                return found
        return None

    def named(self, module: str, node: ast.AST) -> Iterator[Name]:
        """The definitions that a piece of code names."""
        parts = list(ast.walk(node))
        owners = {id(part.value) for part in parts if isinstance(part, ast.Attribute)}
        for part in parts:
            found: str | Name | None = None
            if isinstance(part, ast.Name):
                found = self.meant(module, part.id)
                if isinstance(found, str) and id(part) not in owners:  # a module as a value
                    names = self.modules[found].defined.keys() & self.attributes
                    yield from ((found, name) for name in names)
            elif isinstance(part, ast.Attribute):
                owner = self._module(module, part.value)
                found = self.meant(owner, part.attr) if owner else None
            elif isinstance(part, ast.ImportFrom) and part.module:
                for alias in part.names:
                    inner = self.meant(part.module, alias.name)
                    if isinstance(inner, tuple):
                        yield inner
            if isinstance(found, tuple):
                yield found

    def _module(self, module: str, node: ast.expr) -> str | None:
        """The module of ours that an expression such as `rates.plan` means."""
        if isinstance(node, ast.Name):
            found = self.meant(module, node.id)
        elif isinstance(node, ast.Attribute) and (owner := self._module(module, node.value)):
            found = self.meant(owner, node.attr)
        else:
            return None
        return found if isinstance(found, str) else None


def _commands(root: Path, house: House) -> Iterator[Name]:
    """The functions that an installation makes commands of."""
    file = root / "pyproject.toml"
    project = tomllib.loads(file.read_text("utf-8"))["project"] if file.exists() else {}
    for place in project.get("scripts", {}).values():
        module, _, name = place.partition(":")
        if isinstance(found := house.meant(module, name), tuple):
            yield found


def _page(module: str, name: str) -> bool:
    """Whether the list of pages in app.py means a function."""
    return name == "draw" and module.startswith("pages.")


def dead(tree: Tree) -> list[str]:
    """The public definitions that nothing used names, as dotted paths."""
    house = House(tree)
    doors = {name.removesuffix(".py").replace("/", ".") for name in DOORS}
    alive: set[Name] = set()
    todo: list[tuple[str, ast.AST]] = []

    def use(name: Name) -> None:
        if name not in alive:
            alive.add(name)
            todo.extend((name[0], node) for node in house.modules[name[0]].defined[name[1]])

    for dotted, module in house.modules.items():
        face = module.source.face and dotted not in NOTEBOOKS
        todo += [(dotted, node) for node in module.loose if not face]
        for name, nodes in module.defined.items():
            if (
                name in BY_NAME
                or name.startswith("__")
                or _page(dotted, name)
                or any(map(_put_by_name, nodes))
            ):
                use((dotted, name))
    for door in doors | NOTEBOOKS:
        here = house.modules.get(door)
        for name, (where, what) in here.imports.items() if here else ():
            if what == "*" and where in house.modules:
                for inner in house.modules[where].defined:
                    if not inner.startswith("_"):
                        use((where, inner))
            elif isinstance(found := house.meant(door, name), tuple):
                use(found)
    for found in _commands(tree.root, house):
        use(found)
    while todo:
        dotted, node = todo.pop()
        for found in house.named(dotted, node):
            use(found)
    return sorted(
        f"{dotted}.{name}"
        for dotted, module in house.modules.items()
        for name in module.defined
        if (dotted, name) not in alive and name != "_"
    )


def test_nothing_is_there_for_tests_alone() -> None:
    assert not dead(Tree(ROOT))


def test_planted_dead_code_is_found(tmp_path: Path) -> None:
    room = tmp_path / "rates" / "toy"
    room.mkdir(parents=True)
    (room / "__init__.py").write_text("from rates.toy.a import dead, used\n")
    (room / "a.py").write_text(
        "def used(): return _inner()\ndef _inner(): return 1\n"
        "def dead(): return used() + alone()\ndef alone(): return 2\n"
        "CHECKS = {}\n@CHECKS.add(1)\ndef named(): return 3\n"
        "@other.add(1)\ndef unnamed(): return 4\n"
    )
    (tmp_path / "app.py").write_text("from rates import toy\nprint(toy.used())\n")
    assert dead(Tree(tmp_path)) == ["rates.toy.a.alone", "rates.toy.a.dead", "rates.toy.a.unnamed"]
