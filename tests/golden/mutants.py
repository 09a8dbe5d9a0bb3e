"""Small changes in the sources, drawn by a seed: which of them do the tests see?

    python tests/golden/mutants.py --seed 1 --count 60                 # of all layers
    python tests/golden/mutants.py --only pages/phases --count 10 --list
    python tests/golden/mutants.py --only rates --tree ../other        # in another checkout

A change is made in the tree of a file in a copy of the project: a comparison turned round, a `not`
dropped, a number, two arguments, two values of a table or an operator exchanged, a block that is
not yielded, the other of two answers. The tests and examples of the file's package run there, and
where they see nothing what else rests on it: the tests of its layer, for a page its stored screens
(those of all pages for a package that is no page's own). One has to fail. What only places
something on a page is left alone. Some that survive change nothing.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import copy
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("pages", "rates", "sims", "tests", ".streamlit", "app.py", "pyproject.toml")
LAYERS = ("pages", "rates", "sims")
RESTING = {  # the tests that see a package of theory or of experiments from further away
    "rates": ["tests/rates", "tests/sims"],
    "sims": ["tests/sims"],
}
SECONDS = 300  # that the tests of a package may take
LAYOUT = {"layout", "presenter", "theme", "png", "figure_card"}  # files
PLACED = {  # arguments that place something, or say how it is stored
    *("width", "height", "gap", "size", "wrap", "hidden", "expanded", "anchor", "horizontal"),
    *("key", "maxsize", "max_chars", "indent", "frozen", "slots", "kw_only", "strict", "live"),
}
PLACING = {"columns", "container", "isinstance", "getattr", "min", "max"}  # calls left alone
NEGATED = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.Is: ast.IsNot}
NEGATED[ast.In] = ast.NotIn
NEGATED |= {other: one for one, other in NEGATED.items()}
OTHER = {ast.Add: ast.Sub, ast.Mult: ast.Div, ast.And: ast.Or, ast.BitAnd: ast.BitOr}
OTHER |= {other: one for one, other in OTHER.items()}


def _comparison(node: ast.Compare) -> None:
    node.ops[0] = NEGATED[type(node.ops[0])]()


def _not(node: ast.UnaryOp) -> None:
    if isinstance(node.op, ast.Not):
        node.operand = ast.UnaryOp(ast.Not(), node.operand)


def _number(node: ast.Constant) -> None:
    if isinstance(node.value, bool):
        node.value = not node.value
    elif isinstance(node.value, int | float):
        node.value = node.value + 1 if isinstance(node.value, int) else 2 * node.value or 1.0


def _arguments(node: ast.Call) -> None:
    if len(node.args) > 1 and not any(isinstance(one, ast.Starred) for one in node.args[:2]):
        node.args[:2] = node.args[1::-1]


def _values(node: ast.Dict) -> None:
    if len(node.keys) > 1 and None not in node.keys[:2]:
        node.values[:2] = node.values[1::-1]


def _operator(node: ast.BinOp | ast.BoolOp) -> None:
    node.op = OTHER.get(type(node.op), type(node.op))()


def _block(node: ast.Expr) -> None:
    if isinstance(node.value, ast.Yield):
        node.value = ast.YieldFrom(ast.Tuple([], ast.Load()))


def _answer(node: ast.IfExp) -> None:
    node.body, node.orelse = node.orelse, node.body


KINDS: dict[str, tuple[Any, Callable[[Any], None]]] = {
    "comparison": (ast.Compare, _comparison),
    "not": (ast.UnaryOp, _not),
    "number": (ast.Constant, _number),
    "arguments": (ast.Call, _arguments),
    "values": (ast.Dict, _values),
    "operator": (ast.BinOp | ast.BoolOp, _operator),
    "block": (ast.Expr, _block),
    "answer": (ast.IfExp, _answer),
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one place.

    Attributes:
        file: Below the root.
        line: Where it is.
        what: Its kind, and what stands there before and after.
        text: The whole file with it.
    """

    file: str
    line: int
    what: str
    text: str

    @property
    def checks(self) -> list[list[str]]:
        """What has to see it: the tests of its package first, then what rests on the package."""
        layer, package = self.file.split("/")[:2]
        quiet = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        if layer == "pages":
            screens = ["tests/golden/make_screens.py", "--check"]
            if (ROOT / "tests" / "golden" / "screens" / f"{package}.json.gz").is_file():
                screens += ["--only", package]
            return [[*quiet, f"tests/pages/{package}"], screens]
        own = [*quiet, f"{layer}/{package}", f"tests/{layer}/{package}"]
        return [own, [*quiet, *RESTING[layer]]]


def files(root: Path) -> list[Path]:
    """The files of the packages that have tests of their own, but for faces and those of layout."""
    found = []
    for layer in LAYERS:
        tested = sorted(path.name for path in (root / "tests" / layer).iterdir() if path.is_dir())
        found += [path for name in tested for path in sorted((root / layer / name).rglob("*.py"))]
    return [path for path in found if path.stem not in LAYOUT | {"__init__"}]


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The places of a tree that say something on a page, in order."""
    for node in ast.iter_child_nodes(tree):
        name = getattr(node, "func", None)
        called = getattr(name, "attr", getattr(name, "id", ""))
        placed = isinstance(node, ast.keyword) and node.arg in PLACED
        if not (placed or called in PLACING or isinstance(node, ast.arguments)):
            yield node
            yield from _nodes(node)


def places(text: str, kind: str) -> list[tuple[int, int, str]]:
    """Where a change of a kind can be made in a file: the place, its line, before and after."""
    form, change = KINDS[kind]
    found = []
    for place, node in enumerate(list(_nodes(ast.parse(text)))):
        if isinstance(node, form):
            before = ast.unparse(node)
            change(other := copy.deepcopy(node))
            if (after := ast.unparse(other)) != before:
                what = f"{before[:70]} -> {after[:70]}".replace("\n", " ")
                found.append((place, node.lineno, what))
    return found


def changed(text: str, kind: str, place: int) -> str:
    """A file with a change at one of its places."""
    tree = ast.parse(text)
    KINDS[kind][1](list(_nodes(tree))[place])
    return ast.unparse(ast.fix_missing_locations(tree))


def choose(root: Path, seed: int, count: int, only: str = "") -> list[Mutant]:
    """Draw changes by a seed: the kinds in turn, each in a file that is drawn anew."""
    chance, chosen = Random(seed), dict[tuple[str, int, str], Mutant]()
    parts = only.split(",")
    here = [p for p in files(root) if any(part in str(p.relative_to(root)) for part in parts)]
    for turn in range(20 * count):
        path, kind = chance.choice(here), list(KINDS)[turn % len(KINDS)]
        text, file = path.read_text("utf-8"), str(path.relative_to(root))
        if len(chosen) < count and (offered := places(text, kind)):
            place, line, what = chance.choice(offered)
            one = Mutant(file, line, f"{kind}: {what}", changed(text, kind, place))
            chosen[file, line, one.what] = one
    return list(chosen.values())


def survives(one: Mutant, root: Path, seconds: float, *, near: bool = False) -> bool:
    """Whether all that has to see a mutant passes in a copy of the project that has it."""
    path = root / one.file
    whole = path.read_text("utf-8")
    path.write_text(one.text, "utf-8")
    # A compiled file is known by size and second, which those of another mutant may share.
    Path(cache_from_source(str(path))).unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(root)}
    given: dict[str, Any] = {"cwd": root, "env": environment, "timeout": seconds}
    given |= {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        for check in one.checks[: 1 if near else None]:
            done = subprocess.run([sys.executable, *check], check=False, **given)
            if done.returncode not in (0, 1, 2, 4):  # 2, 4: the file could not be loaded
                raise RuntimeError(f"{check} could not be run: {done.returncode}")
            if done.returncode:
                return False
    except subprocess.TimeoutExpired:
        return False  # a loop without an end is seen
    finally:
        path.write_text(whole, "utf-8")
    return True


def main() -> int:
    """Make every change and say which ones no test sees."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--only", default="", help="parts of files' paths, by commas")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout that is changed")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="limit of each")
    parser.add_argument("--near", action="store_true", help="run the tests of its package alone")
    parser.add_argument("--list", action="store_true", help="print the changes, run nothing")
    asked = parser.parse_args()
    chosen = choose(asked.tree, asked.seed, asked.count, asked.only)
    if asked.list:
        print(*(f"{one.file}:{one.line}: {one.what}" for one in chosen), sep="\n")
        return 0
    left = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        root.mkdir()
        if (beside := asked.tree.resolve().parent / "shared").is_dir():
            (root.parent / "shared").symlink_to(beside)
        skipped = shutil.ignore_patterns("__pycache__")
        for name in COPIED:
            if (asked.tree / name).is_file():
                shutil.copy(asked.tree / name, root / name)
            else:
                shutil.copytree(asked.tree / name, root / name, ignore=skipped)
        compileall.compile_dir(folder, quiet=2)
        for made, one in enumerate(chosen, 1):
            left += (lives := survives(one, root, asked.seconds, near=asked.near))
            print(
                f"{made} {'survives' if lives else 'seen'}: {one.file}:{one.line}: {one.what}",
                flush=True,
            )
    print(f"{len(chosen) - left} of {len(chosen)} changes are seen by the tests.")
    return min(left, 1)


if __name__ == "__main__":
    sys.exit(main())
