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
import tokenize
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("rates", "sims", "pages", "app.py")
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def code_lines(text: str) -> int:
    """Count the lines on which something stands that Python runs."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                lines.difference_update(range(first.lineno, (first.end_lineno or 0) + 1))
    return len(lines)


def by_top(files: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Count the product's files, given as name and text, by top folder."""
    found = dict.fromkeys(PRODUCT, 0)
    for name, text in files:
        top = name.partition("/")[0]
        if top in found and name.endswith(".py"):
            found[top] += code_lines(text)
    return found


def here() -> dict[str, int]:
    """Count the files as they stand."""
    paths = [p for top in PRODUCT for p in [ROOT / top, *(ROOT / top).rglob("*.py")]]
    return by_top(
        (p.relative_to(ROOT).as_posix(), p.read_text("utf-8")) for p in paths if p.is_file()
    )


def at(commit: str) -> dict[str, int]:
    """Count the files of a commit."""
    done = subprocess.run(
        ["git", "archive", commit, *PRODUCT], capture_output=True, cwd=ROOT, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        members = [m for m in archive.getmembers() if m.isfile() and m.name.endswith(".py")]
        texts = [archive.extractfile(m) for m in members]
        pairs = [(m.name, t.read().decode()) for m, t in zip(members, texts, strict=True) if t]
    return by_top(pairs)


def main() -> None:
    """Print the counts."""
    now = here()
    then = at(sys.argv[1]) if len(sys.argv) > 1 else None
    for top in [*PRODUCT, "all"]:
        new = sum(now.values()) if top == "all" else now[top]
        said = f"{top:8}{new:8,}"
        if then:
            old = sum(then.values()) if top == "all" else then[top]
            said += f"   was {old:8,}   {100 * (new / old - 1):+.1f}%"
        print(said)


if __name__ == "__main__":
    main()
