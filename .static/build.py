"""Build the app as a folder of static files: Python runs in the visitor's browser.

    python .static/build.py site

Pyodide comes once from the package registry and is kept in the folder .pyodide beside the result:
from then on it builds without a network. Another folder is given with --pyodide.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import runpy
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import distribution  # noqa: E402
import frontend  # noqa: E402
import packs  # noqa: E402

Refusal = distribution.Refusal
PHONE = "room"  # a class's phones need a server


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the folder; return 2, after a sentence, for what cannot be done."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where it is written; emptied first")
    parser.add_argument("--pyodide", type=Path, help="Pyodide's full distribution, unpacked")
    given = parser.parse_args(arguments)
    try:
        kept = given.folder.resolve().parent / ".pyodide"
        source = distribution.read(given.pyodide or distribution.fetch(kept))
        folder = emptied(given.folder)
        built(source, folder)
    except Refusal as refusal:
        print(f"{Path(__file__).name}: {refusal}", file=sys.stderr)
        return 2
    return 0


def emptied(folder: Path) -> Path:
    """Return the folder, new or emptied of an earlier result.

    Raises:
        Refusal: It cannot be written, or it holds something else.
    """
    try:
        if folder.exists() and any(folder.iterdir()):
            if not (folder / "manifest.json").is_file():
                raise Refusal(f"{folder} holds other files: give a new or an empty folder.")
            shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "manifest.json").write_text("{}", "utf-8")
    except OSError as error:
        raise Refusal(
            f"{folder} cannot be written ({error.strerror}): give a folder that is yours."
        ) from None
    return folder


def built(source: distribution.Distribution, folder: Path) -> None:
    """Write the whole folder and say how large it is."""
    entry, styles = frontend.copy(packs.streamlit_folder(), folder)
    found, swift = packs.compiled(packs.gather(source), source)
    names = packs.write(found, folder)
    core = folder / "pyodide"
    core.mkdir()
    for name in distribution.CORE:
        shutil.copyfile(source.folder / name, core / name)
    bare = {"info": source.lock["info"], "packages": {}}
    (core / distribution.LOCK).write_text(json.dumps(bare), "utf-8")
    for name in ("page.js", "worker.js"):
        shutil.copyfile(HERE / "browser" / name, folder / name)
    _pages(folder, entry, styles)
    told = {
        "version": runpy.run_path(str(ROOT / "rates" / "version.py"))["__version__"],
        "pyodide": source.version,
        "installed": packs.versions(),
        "packs": names,
        "late": packs.LATE,
    }
    (folder / "manifest.json").write_text(json.dumps(told, indent=1), "utf-8")
    if not swift:
        print(
            f"Without Node or Python {source.python} on this machine the sources go as they are, "
            "and the first page takes longer: install one of them and build again."
        )
    print(_sizes(folder))


def _pages(folder: Path, entry: str, styles: str) -> None:
    page = (HERE / "browser" / "index.html").read_text("utf-8")

    def written(path: Path, root: str) -> None:
        sheet = f'<link rel="stylesheet" href="{root}{styles}">'
        path.parent.mkdir(exist_ok=True)
        filled = page.replace("{root}", root).replace("{entry}", entry)
        path.write_text(filled.replace("{styles}", sheet), "utf-8")

    written(folder / "index.html", "./")
    for name in _names():
        written(folder / name / "index.html", "../")


def _names() -> list[str]:
    """Return the pages of the app as addresses name them, by its own list."""
    text = (ROOT / "app.py").read_text("utf-8")
    listed = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in ("DOORS", "SCREENS")
    }
    views = [name for views in (*listed["DOORS"].values(), listed["SCREENS"]) for name in views]
    return [name for name in views if name != PHONE]


def _sizes(folder: Path) -> str:
    """Say what the folder weighs, and what of it travels to a browser if the server compresses."""
    total = packed = 0
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            total += len(data)
            packed += min(len(data), len(gzip.compress(data, 6)))
    return f"{folder}: {total / 1e6:.1f} MB on disk, {packed / 1e6:.1f} MB compressed."


if __name__ == "__main__":
    raise SystemExit(main())
