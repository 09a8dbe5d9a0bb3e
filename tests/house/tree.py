"""What the house rules read of a tree: its files, their imports, the rooms they stand in."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOPS = ("rates", "sims", "pages")
# Where rooms stand. A room may have wings (folders with a face of their own): they are its own.
FLOORS = (("rates",), ("sims",), ("pages",))


@dataclass(frozen=True)
class Import:
    """One name that a file imports."""

    line: int
    module: str  # as written: "rates.plan" of "from rates.plan import levers"
    name: str | None  # "levers"; None of "import rates.plan"

    @property
    def dotted(self) -> str:
        """The whole path."""
        return f"{self.module}.{self.name}" if self.name else self.module


@cache  # several tests read the whole house
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def _parts(text: str) -> list[tuple[ast.stmt, list[ast.AST]]]:
    return [(node, list(ast.walk(node))) for node in _parsed(text).body]


@cache
def _named(text: str) -> list[tuple[ast.stmt, Counter[str]]]:
    found = []
    for statement, inside in _parts(text):
        names: Counter[str] = Counter()
        for part in inside:
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store):
                names[part.id] += 1
            elif isinstance(part, ast.Attribute):
                names[part.attr] += 1
            elif isinstance(part, ast.ImportFrom):
                names.update(alias.name for alias in part.names if alias.asname)
        found.append((statement, names))
    return found


class Source:
    """One file of the tree."""

    def __init__(self, root: Path, path: Path) -> None:
        self.path = path
        self.name = path.relative_to(root).as_posix()
        self.text = path.read_text("utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed file."""
        return _parsed(self.text)

    @property
    def nodes(self) -> Iterator[ast.AST]:
        """Everything in it, in no order that matters."""
        return (node for _, inside in _parts(self.text) for node in inside)

    @property
    def named(self) -> list[tuple[ast.stmt, Counter[str]]]:
        """Its statements, each with how often it names what."""
        return _named(self.text)

    @cached_property
    def dotted(self) -> str:
        """The name by which it is imported."""
        return self.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def face(self) -> bool:
        """Whether it is the face of a folder."""
        return self.path.name == "__init__.py"

    @property
    def layer(self) -> str:
        """The top folder, or app."""
        return self.dotted.partition(".")[0]

    @cached_property
    def room(self) -> str | None:
        """The room that it stands in, such as rates.plan."""
        parts = tuple(self.dotted.split("."))
        for floor in FLOORS:
            inside = len(parts) > len(floor) + (not self.face)
            if parts[: len(floor)] == floor and inside:
                return ".".join(parts[: len(floor) + 1])
        return None

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        """Every import, also those inside functions and those for types alone."""
        found = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found += [Import(node.lineno, alias.name, None) for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                found += [Import(node.lineno, node.module, alias.name) for alias in node.names]
        return tuple(found)


class Tree:
    """The product's files below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        paths = sorted(p for top in TOPS for p in (root / top).rglob("*.py"))
        app = root / "app.py"
        self.sources = [Source(root, p) for p in [*paths, *([app] if app.exists() else [])]]
        self.by_name = {source.dotted: source for source in self.sources}

    def rooms(self) -> dict[str, list[Source]]:
        """The files of every room."""
        found: dict[str, list[Source]] = {}
        for source in self.sources:
            if source.room:
                found.setdefault(source.room, []).append(source)
        return found

    def target(self, found: Import) -> Source | None:
        """The file of ours that an import names: a submodule before the face that holds it."""
        return self.by_name.get(found.dotted) or self.by_name.get(found.module)

    def edges(self) -> Iterator[tuple[Source, Source, Import]]:
        """Every import of one of our files by another."""
        for source in self.sources:
            for found in source.imports:
                target = self.target(found)
                if target and target is not source:
                    yield source, target, found


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Return a circle of a graph, if there is one."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []
