"""A Dask cluster of two worker processes, one of them killed on the way."""

from __future__ import annotations

import os
import signal
import time

import pytest

from rates.numbers import DomainError
from sims import files
from sims.engine.pools import PATIENCE, cluster
from sims.engine.runs import Request, run
from sims.result_file import ResultFile
from tests.sims.toy import TOY

pytestmark = pytest.mark.deep  # two processes of a cluster take five seconds to start


def test_a_killed_worker_changes_nothing(tmp_path):
    from distributed import LocalCluster

    asked, path = Request(experiment=TOY, values={"pause": 0.03}, replicates=150), tmp_path / "out"
    out, partial = ResultFile(str(path), asked, every=0.0), ""
    at = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **at) as local,
        cluster(local.scheduler_address) as executor,
    ):
        for progress in run(asked, executor=executor):
            out.save(progress)
            if not partial and progress.done >= 100:
                os.kill(next(iter(local.workers.values())).pid, signal.SIGKILL)
                partial = path.read_text("utf-8")
        out.close(progress)
    (*_, alone) = run(asked)
    assert "# state partial" in partial
    assert progress.state == "finished"
    assert path.read_bytes() == files.to_csv(alone).encode()


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:1"])
def test_a_scheduler_that_is_not_there_is_refused_at_once(address):
    began = time.monotonic()
    with pytest.raises(DomainError, match="A Dask scheduler must answer"), cluster(address):
        pass
    assert time.monotonic() - began < PATIENCE
