"""The version names the commit that git's own files name, and what an archive was built as."""

from __future__ import annotations

import pytest

from rates.version import RELEASE, found

COMMIT = "0123456789abcdef" * 2 + "01234567"
NAMED = f"{RELEASE}+g0123456789"


@pytest.fixture(autouse=True)
def _untold(monkeypatch):
    monkeypatch.delenv("PRIVATE_RATES_VERSION", raising=False)


def write(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(
    "files",
    [
        {".git__HEAD": f"{COMMIT}\n"},
        {".git__HEAD": "ref: refs/heads/main\n", ".git__refs__heads__main": f"{COMMIT}\n"},
        {".git__HEAD": "ref: refs/heads/a.b", ".git__packed-refs": f"# x\n{COMMIT} refs/heads/a.b"},
        {
            ".git": "gitdir: main/worktrees/w\n",
            "main__worktrees__w__HEAD": "ref: refs/heads/w\n",
            "main__worktrees__w__commondir": "../..\n",
            "main__refs__heads__w": COMMIT,
        },
    ],
    ids=["detached", "branch", "packed", "work tree"],
)
def test_a_checkout_names_its_commit(files, tmp_path):
    assert found(write(tmp_path, **files)) == NAMED


def test_an_archive_names_what_it_was_built_as(tmp_path, monkeypatch):
    archive = {"PKG-INFO": f"Metadata-Version: 2.4\nVersion: {NAMED}\n"}
    assert found(write(tmp_path, **archive)) == NAMED
    monkeypatch.setenv("PRIVATE_RATES_VERSION", "9.1")
    assert found(tmp_path) == "9.1"


def test_a_commit_that_is_none_is_left_out(tmp_path):
    assert "none" not in found(write(tmp_path, **{".git__HEAD": "ref: refs/heads/none"}))
