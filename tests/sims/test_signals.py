"""A run that is ended at any moment: no orphan, no lost result, the rest resumed to the byte."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ASKED = {"version": 1, "experiment": "hybrid-parity", "replicates": 60, "seed": 3}
SIGNALS = ("INT", "TERM", "HUP", "KILL")


def command(folder: Path, *more: str) -> list[str]:
    file = folder / "asked.json"
    if not file.exists():
        file.write_text(json.dumps(ASKED), "utf-8")
    return [sys.executable, "-m", "sims", "run", str(file), "--out", str(folder / "out.csv"), *more]


def family(session: int) -> list[int]:
    """Return the processes of a session that still live."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                said = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(said[3]) == session and said[0] != "Z":
                found.append(int(entry.name))
    return found


@pytest.fixture(scope="module")
def want(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    began = time.monotonic()
    subprocess.run(command(folder), cwd=ROOT, check=True)
    return (folder / "out.csv").read_bytes(), time.monotonic() - began


def cases() -> list:
    """Twenty moments of every signal and way to run: eight are deep."""
    found = []
    for k in range(20):
        for where in ("serial", "workers", "cluster"):
            for name in SIGNALS:
                mark = pytest.mark.deep if k == 0 and where != "cluster" else pytest.mark.slow
                found.append(pytest.param(name, k, where, marks=mark))
    return found


@pytest.fixture(scope="module")
def scheduler():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1"
    ) as made:
        yield made.scheduler_address


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are counted in /proc")
@pytest.mark.parametrize(("name", "k", "where"), cases())
def test_an_ended_run_is_whole_partial_or_absent(name, k, where, want, tmp_path, request):
    """Send a signal after a share of a run's time; check what is left, and go on."""
    whole, seconds = want
    more, longer = {
        "serial": lambda: ([], 0.0),
        "workers": lambda: (["--workers", "2"], 1.5),
        "cluster": lambda: (["--scheduler", request.getfixturevalue("scheduler")], 1.5),
    }[where]()
    said = {"cwd": ROOT, "stderr": subprocess.PIPE, "text": True}
    running = subprocess.Popen(command(tmp_path, *more), start_new_session=True, **said)
    time.sleep(random.Random(f"{name} {k} {where}").random() * (seconds + longer))
    os.kill(running.pid, getattr(signal, f"SIG{name}"))
    _, err = running.communicate(timeout=60)
    until = time.monotonic() + 10
    while family(running.pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert family(running.pid) == []
    out = tmp_path / "out.csv"
    left = out.read_bytes() if out.exists() else b""
    assert "Traceback" not in err or not left  # Python's own, while it still imports
    if left:
        state = next(line for line in left.decode().splitlines() if line.startswith("# state"))
        assert state.startswith("# state partial, ") or left == whole
    done = subprocess.run(command(tmp_path, "--resume", *more), check=False, **said)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == whole
    assert sorted(p.name for p in tmp_path.iterdir()) == ["asked.json", "out.csv"]
