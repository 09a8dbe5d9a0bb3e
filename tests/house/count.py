"""Count the product's lines of code, without docstrings, comments and blanks.

    python tests/house/count.py            # the files as they stand
    python tests/house/count.py COMMIT     # and those of a commit, with the change

The tests, their generators and data files do not count.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from tokenize import COMMENT, DEDENT, ENCODING, ENDMARKER, INDENT, NEWLINE, NL, generate_tokens

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("rates", "sims", "pages", "app.py")
SILENT = {COMMENT, DEDENT, ENCODING, ENDMARKER, INDENT, NEWLINE, NL}


def code_lines(text: str) -> int:
    """Count the lines on which something stands that Python runs."""
    lines: set[int] = set()
    for token in generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                lines.difference_update(range(first.lineno, (first.end_lineno or 0) + 1))
    return len(lines)


def by_top(root: Path) -> dict[str, int]:
    """Count the product's files below a folder, by top folder, and all."""
    found = {}
    for top in PRODUCT:
        paths = [root / top] if top.endswith(".py") else (root / top).rglob("*.py")
        found[top] = sum(code_lines(path.read_text("utf-8")) for path in paths)
    return found | {"all": sum(found.values())}


def at(commit: str) -> dict[str, int]:
    """Count the files of a commit."""
    command = ["git", "archive", commit, *PRODUCT]
    data = subprocess.run(command, capture_output=True, cwd=ROOT, check=True).stdout
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(data)) as packed:
        packed.extractall(folder, filter="data")
        return by_top(Path(folder))


if __name__ == "__main__":
    then = at(sys.argv[1]) if len(sys.argv) > 1 else {}
    for top, new in by_top(ROOT).items():
        was = f"   was {then[top]:8,}   {100 * (new / then[top] - 1):+.1f}%" if then else ""
        print(f"{top:8}{new:8,}{was}")
