"""A Dask cluster of two worker processes, one of them killed on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sims import experiments, files
from sims.__main__ import main
from sims.engine.pools import PATIENCE, cluster
from sims.engine.runs import Request, run
from sims.result_file import ResultFile
from tests.sims.toy import TOY

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.deep  # two processes of a cluster take five seconds to start


@pytest.fixture(scope="module")
def local():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        silence_logs=50,
    ) as made:
        yield made


def test_a_killed_worker_changes_nothing(local, tmp_path):
    asked = Request(experiment=TOY, values={"pause": 0.03}, replicates=150)
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    killed, partial = 0, ""
    with cluster(local.scheduler_address) as executor:
        out = ResultFile(str(there), asked, every=0.0)
        for progress in run(asked, executor=executor):
            out.save(progress)
            if not killed and progress.done >= 100:
                killed = next(iter(local.workers.values())).pid
                os.kill(killed, signal.SIGKILL)
                partial = there.read_text("utf-8")
        out.close(progress)
    (*_, alone) = run(asked)
    here.write_text(files.to_csv(alone), "utf-8")
    assert killed
    assert "# state partial" in partial
    assert progress.state == "finished"
    assert here.read_bytes() == there.read_bytes()


def test_the_command_line_on_a_cluster(local, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(experiments, "EXPERIMENTS", (TOY,))
    path = tmp_path / "experiment.json"
    path.write_text(json.dumps({"version": 1, "experiment": "toy", "replicates": 20}), "utf-8")
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    assert main(["run", str(path), "--out", str(here)]) == 0
    assert (
        main(["run", str(path), "--out", str(there), "--scheduler", local.scheduler_address]) == 0
    )
    assert here.read_bytes() == there.read_bytes()
    assert capsys.readouterr() == ("", "")


def test_a_scheduler_that_is_not_there_is_refused_at_once(tmp_path):
    path = tmp_path / "experiment.json"
    path.write_text(json.dumps({"version": 1, "experiment": "hybrid-parity"}), "utf-8")
    took = []
    for address in ("nonsense", "tcp://127.0.0.1:1"):
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "sims", "run", str(path), "--scheduler", address],
            check=False,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert "A Dask scheduler must answer at this address: " in done.stderr
        took.append(time.monotonic() - began)  # of which starting Python takes most
    assert took[1] - took[0] < PATIENCE


def test_a_killed_scheduler_loses_nothing(tmp_path):
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1"]
    command += ["--port", "0", "--no-dashboard", "--scheduler-file", str(tmp_path / "where.json")]
    scheduler = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    worker = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            "--scheduler-file",
            str(tmp_path / "where.json"),
            "--no-nanny",
            "--no-dashboard",
            "--death-timeout",
            "5",
        ],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not (tmp_path / "where.json").exists():
            time.sleep(0.1)
        address = json.loads((tmp_path / "where.json").read_text("utf-8"))["address"]
        asked = Request(experiment=TOY, values={"pause": 0.03}, replicates=150)
        path = tmp_path / "out.csv"
        out, killed = ResultFile(str(path), asked, every=0.0), False
        with cluster(address) as executor:
            for progress in run(asked, executor=executor):
                out.save(progress)
                if not killed and progress.done >= 100:
                    scheduler.kill()
                    killed = True
            out.close(progress)
        assert killed
        assert progress.state == "finished"
        (*_, here) = run(asked)
        assert path.read_bytes() == files.to_csv(here).encode()
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
