"""Which version this is, with its commit. The build reads this file alone: it imports no other."""

from __future__ import annotations

import os
import re
from pathlib import Path

PACKAGE = "private-rates"
RELEASE = "0.1.0"
DIGITS = 10  # of a commit


def found(root: Path) -> str:
    """Return the version of the program in a folder.

    It is what the variable PRIVATE_RATES_VERSION says (for who packs a release); else, in a
    checkout, the release and the commit, as 0.1.0+g1a2b3c4d5e; else what the archive or the
    installed package was built as.

    >>> found(Path("nowhere")).startswith(RELEASE)
    True
    """
    if told := os.environ.get("PRIVATE_RATES_VERSION"):
        return told
    if commit := _commit(root / ".git"):
        return f"{RELEASE}+g{commit[:DIGITS]}"
    archive = re.search(r"^Version: (\S+)$", _text(root / "PKG-INFO"), flags=re.M)
    if archive:
        return archive[1]
    from importlib.metadata import PackageNotFoundError, version  # it loads what reads e-mail

    try:
        return version(PACKAGE)
    except PackageNotFoundError:  # a bare copy of the files
        return RELEASE


def _commit(git: Path) -> str:
    """Return the commit that a checkout stands at, read from git's files; empty if none."""
    if pointer := re.match(r"gitdir: (.+)", _text(git)):  # one of several work trees
        git = git.parent / pointer[1]
    head = _text(git / "HEAD")
    common = git / (_text(git / "commondir") or ".")
    if name := re.match(r"ref: (.+)", head):
        packed = re.search(rf"^(\w+) {re.escape(name[1])}$", _text(common / "packed-refs"), re.M)
        # A branch stands in a file of its own until git packs it.
        head = _text(common / name[1]) or (packed[1] if packed else "")
    return head if re.fullmatch("[0-9a-f]{40,64}", head) else ""


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


__version__ = found(Path(__file__).resolve().parents[1])
