"""A Dask cluster of two worker processes, one of them killed on the way."""

from __future__ import annotations

import json
import os
import signal

import pytest

from sims import experiments, files
from sims.__main__ import main
from sims.engine.pools import cluster
from sims.engine.runs import Request, run
from tests.sims.toy import TOY


@pytest.fixture(scope="module")
def local():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        host="127.0.0.1",
        silence_logs=50,
    ) as made:
        yield made


@pytest.mark.deep
def test_a_killed_worker_changes_nothing(local, tmp_path):
    asked = Request(experiment=TOY, values={"pause": 0.03}, replicates=150)
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    killed, partial = 0, ""
    with cluster(local.scheduler_address) as executor:
        for progress in files.saved(run(asked, executor=executor), there, every=0.0):
            if not killed and progress.done >= 100:
                killed = next(iter(local.workers.values())).pid
                os.kill(killed, signal.SIGKILL)
                partial = there.read_text("utf-8")
    for _ in files.saved(run(asked), here):
        pass
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
