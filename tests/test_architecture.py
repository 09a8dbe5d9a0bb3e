"""The house rules that reading the source can hold."""

from __future__ import annotations

import ast
import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ["rates", "sims", "pages", "app"]  # each may import those before it
SOURCES = sorted(p for top in ("rates", "sims", "pages") for p in (ROOT / top).rglob("*.py"))
ALL = [*SOURCES, ROOT / "app.py"]


def imports(path: Path) -> set[str]:
    """Dotted names that a file imports."""
    out: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            out.add(node.module)
            out |= {f"{node.module}.{alias.name}" for alias in node.names}
    return out


def drawn(path: Path) -> bool:
    """Whether a file draws figures and knows no widgets."""
    return "figures" in path.parts or path.stem.endswith(("figure", "figures"))


def layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", ALL, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_run_one_way(path):
    allowed = LAYERS[: LAYERS.index(layer(path)) + 1]
    for name in imports(path):
        top = name.split(".")[0]
        if top in LAYERS:
            assert top in allowed, f"{path.name} imports {name}"
        if layer(path) in ("rates", "sims"):
            assert top not in ("streamlit", "plotly", "pandas")
        if drawn(path):
            assert top != "streamlit"
        if layer(path) == "pages" and not drawn(path):
            assert top not in ("numpy", "scipy", "sympy")


def test_a_wrong_import_would_be_seen():
    path = ROOT / "rates" / "answer" / "transfer.py"
    assert "rates.numbers" in imports(path)
    assert "rates.numbers.check_array" in imports(path)


@pytest.mark.parametrize("path", ALL, ids=lambda p: str(p.relative_to(ROOT)))
def test_nothing_typed_is_evaluated(path):
    text = path.read_text("utf-8")
    for word in (
        r"\beval\(",
        r"\bexec\(",
        r"sympify\(",
        r"pickle",
        r"unsafe_allow_html",
        r"st\.html\(",
    ):
        assert not re.search(word, text), f"{path.name}: {word}"


@pytest.mark.parametrize("path", ALL, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_stay_readable(path):
    assert len(path.read_text("utf-8").splitlines()) <= 450


def test_pages_are_not_named_like_modules():
    taken = set(sys.stdlib_module_names) | {"rates", "sims", "pages", "app", "tests"}
    for page in (ROOT / "pages").glob("*.py"):
        assert page.stem == "__init__" or page.stem not in taken


def test_every_public_page_routes_first():
    for page in (ROOT / "pages").glob("*.py"):
        if page.stem != "__init__":
            text = page.read_text("utf-8")
            assert "shell.route()" in text
            later = [text.index(word) for word in ("from rates", "from sims") if word in text]
            assert text.index("shell.route()") < min(later, default=len(text))


def test_slow_modules_wait_until_they_are_needed():
    code = (
        "import sys; import rates, rates.codec, rates.study, rates.presets, rates.answer;"
        "print([m for m in ('sympy', 'scipy.stats', 'scipy.optimize', 'streamlit', 'pandas')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


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
    assert tests in runner
