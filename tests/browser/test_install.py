"""The wheel alone, in a folder with a space and an umlaut, and the archive of the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.benchmarks.wire import ROOT, free_port, wait_until_up

pytestmark = pytest.mark.slow  # it installs everything anew
# What a process connects to beyond this machine, a line each.
GUARD = """
import os, socket
def told(method):
    def connect(self, address, *rest):
        if self.family in (socket.AF_INET, socket.AF_INET6) and self.type & socket.SOCK_STREAM:
            if address[0] not in ("127.0.0.1", "::1", "localhost"):
                with open(os.environ["OUTSIDE"], "a") as file:
                    print(address, file=file)
        return method(self, address, *rest)
    return connect
for name in ("connect", "connect_ex"):
    setattr(socket.socket, name, told(getattr(socket.socket, name)))
"""
PAGES = ("overview", "study", "plan", "orders", "phases", "regression", "statements", "lessons")


def run(*command: object, **more: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bare(**more: str) -> dict[str, str]:
    """An environment that knows nothing of these sources."""
    return {"PATH": os.environ["PATH"], **more}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A copy of the sources, its two archives, and an environment with the wheel alone."""
    folder = tmp_path_factory.mktemp("a b") / "Rößle, a folder"
    tracked = run("git", "ls-files", "-z", cwd=ROOT).split("\0")
    for name in filter(None, tracked):
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / "source" / name)
    run(sys.executable, "-m", "venv", folder / "build")
    run(folder / "build/bin/pip", "install", "-q", "setuptools>=77")
    for kind in ("sdist", "wheel"):
        code = f"import backend; backend.build_{kind}({str(folder / 'dist')!r})"
        (folder / "dist").mkdir(exist_ok=True)
        told = {**os.environ, "PYTHONPATH": ".build", "PRIVATE_RATES_VERSION": "0.1.0"}
        run(folder / "build/bin/python", "-c", code, cwd=folder / "source", env=told)
    run(sys.executable, "-m", "venv", folder / "env")
    (wheel,) = (folder / "dist").glob("*.whl")
    run(folder / "env/bin/pip", "install", "-q", wheel)
    shutil.rmtree(folder / "source")
    (guard,) = (folder / "env/lib").glob("*/site-packages")
    (guard / "guard.py").write_text(GUARD, "utf-8")
    (guard / "guard.pth").write_text("import guard\n", "utf-8")
    return folder


@contextmanager
def started(folder: Path, *more: str) -> Iterator[str]:
    """Run the installed command in an empty folder with a user who has settings of their own."""
    here, home, port = folder / "here", folder / "home", free_port()
    (home / ".streamlit").mkdir(parents=True, exist_ok=True)
    (home / ".streamlit/config.toml").write_text("[browser]\ngatherUsageStats = true\n", "utf-8")
    here.mkdir(exist_ok=True)
    for name in ("app", "pages", "rates", "sims"):  # others of these names where it is started
        (here / f"{name}.py").write_text("raise SystemExit('not ours')\n", "utf-8")
    told = bare(HOME=str(home), OUTSIDE=str(folder / "outside"))
    command = [str(folder / "env/bin/private-rates"), f"--port={port}", "--quiet", *more]
    process = subprocess.Popen(
        command, cwd=here, env=told, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        wait_until_up(f"http://localhost:{port}")
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        print(process.communicate(timeout=15)[0])


def test_pages_open_and_nothing_outside_is_asked(folder, visit):
    with started(folder) as address:
        visitor = visit(at=address)
        for page in PAGES:
            visitor.open(f"/{page}")
            visitor.check()
        port = address.rpartition(":")[2]
        again = [folder / "env/bin/private-rates", f"--port={port}"]
        taken = subprocess.run(again, capture_output=True, text=True, check=False, env=bare())
        assert taken.returncode == 2
        refused = f"private-rates: --port {port}: Address already in use; give another, as"
        assert taken.stderr.startswith(refused)
        colour = "one => getComputedStyle(one).color"  # the text's in our light theme
        app = visitor.page.get_by_test_id("stApp")
        assert app.evaluate(colour) == "rgb(25, 23, 20)"
    assert not (folder / "outside").exists(), (folder / "outside").read_text("utf-8")
    said = run(folder / "env/bin/private-rates", "--version", env=bare())
    assert said == "private-rates 0.1.0\n"


def test_both_archives_are_complete(folder):
    (wheel,) = (folder / "dist").glob("*.whl")
    (archive,) = (folder / "dist").glob("*.tar.gz")
    tracked = set(filter(None, run("git", "ls-files", "-z", cwd=ROOT).split("\0")))
    product = {name for name in tracked if name.startswith(("rates/", "sims/", "pages/"))}
    packed = set(zipfile.ZipFile(wheel).namelist())
    assert not (product | {"app.py"}) - packed
    assert any(name.endswith("share/private-rates/config.toml") for name in packed)
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert not tracked - names
