"""Pyodide's distribution: a folder that is there, or the official release, checked file by file."""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTED = "314.0"  # the line of releases that the tests were run with
WHEELS = ("numpy", "scipy", "pandas", "python-dateutil", "six", "pytz")
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
RELEASE = "https://github.com/pyodide/pyodide/releases/download/{0}/pyodide-{0}.tar.bz2"


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
            f"{folder} has Pyodide {version}; this was tried with {TESTED} only: give such a "
            "folder, or --any-version to try all the same."
        )
    return _listed(folder, version)


def read_any(folder: Path) -> Distribution:
    """Read a folder of whatever version."""
    try:
        return read(folder)
    except Refusal as refusal:
        if "--any-version" not in str(refusal):
            raise
    return _listed(folder, "of another version")


def _listed(folder: Path, version: str) -> Distribution:
    lock = json.loads((folder / LOCK).read_text("utf-8"))
    names = [lock["packages"].get(name, {}).get("file_name", name) for name in WHEELS]
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise Refusal(
            f"{folder} has no {', '.join(missing)}: this is Pyodide's core alone; unpack the full "
            "distribution (pyodide-VERSION.tar.bz2) of its release and give that folder."
        )
    python = ".".join(lock["info"]["python"].split(".")[:2])
    return Distribution(folder, version, python, lock)


def fetch(version: str, checksum: str, into: Path) -> Path:
    """Fetch the official release and unpack it; return the folder.

    Raises:
        Refusal: It cannot be had, or it is not the file with this checksum.
    """
    folder = into / f"pyodide-{version}"
    if (folder / "pyodide" / LOCK).is_file():
        return folder / "pyodide"
    archive = into / f"pyodide-{version}.tar.bz2"
    into.mkdir(parents=True, exist_ok=True)
    try:
        urllib.request.urlretrieve(RELEASE.format(version), archive)
    except OSError as error:
        raise Refusal(
            f"Pyodide {version} could not be fetched ({error}): fetch pyodide-{version}.tar.bz2 "
            "from its release by hand, unpack it, and give the folder with --pyodide."
        ) from None
    if (found := _sum(archive)) != checksum.lower():
        archive.unlink()
        raise Refusal(
            f"The file that came has the checksum {found}, not {checksum}: compare it with the one "
            "on the page of the release."
        )
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    archive.unlink()
    return folder / "pyodide"


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
