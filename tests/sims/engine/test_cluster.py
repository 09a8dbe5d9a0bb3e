"""A Dask cluster of two worker processes, one of them killed on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sims import files
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


def whole_though_killed(address: str, path: Path, kill: Callable[[], object]) -> None:
    """Run on a cluster, kill something on the way, and hold the file to a run without one."""
    asked = Request(experiment=TOY, values={"pause": 0.03}, replicates=150)
    out, partial = ResultFile(str(path), asked, every=0.0), ""
    with cluster(address) as executor:
        for progress in run(asked, executor=executor):
            out.save(progress)
            if not partial and progress.done >= 100:
                kill()
                partial = path.read_text("utf-8")
        out.close(progress)
    (*_, alone) = run(asked)
    assert "# state partial" in partial
    assert progress.state == "finished"
    assert path.read_bytes() == files.to_csv(alone).encode()


def test_a_killed_worker_changes_nothing(local, tmp_path):
    def kill():
        os.kill(next(iter(local.workers.values())).pid, signal.SIGKILL)

    whole_though_killed(local.scheduler_address, tmp_path / "out.csv", kill)


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
