"""The stream: same numbers anywhere, in any order, whole or stopped; on a Dask cluster."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import signal
import socket
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers import DomainError
from sims import files
from sims.engine import Request, generator, generators, pools, run, start
from sims.engine.pools import PATIENCE, cluster, local_pool
from sims.engine.runs import blocks
from sims.result_file import ResultFile
from tests.sims.toy import BROKEN, TOY, sample

NO_NUMBERS = (2.5, True, "200", math.nan, 10**400)  # of replicates, nor a seed


def request(replicates=50, seed=3, **values):
    return Request(experiment=TOY, values=values, replicates=replicates, seed=seed)


def last(stream):
    (*_, end) = stream
    return end


def late(pause, function, *arguments):
    pause()
    return function(*arguments)


class Shuffled(ThreadPoolExecutor):
    """Brings results in a random order, the first when told to, and breaks at given calls."""

    def __init__(self, lose=(), first=lambda: time.sleep(0.1)):
        super().__init__(5)
        self.rng, self.calls, self.lose, self.given = random.Random(1), 0, set(lose), []
        self.first = first

    def submit(self, function, *arguments):
        self.calls += 1
        if self.calls in self.lose:
            future = Future()
            future.set_exception(BrokenExecutor("lost"))
            return future
        pause = self.first if self.calls == 1 else partial(time.sleep, 0.004 * self.rng.random())
        self.given.append(super().submit(late, pause, function, *arguments))
        return self.given[-1]


def same(a, b):
    return a.estimates == b.estimates and np.array_equal(a.replicated, b.replicated)


def test_estimates_are_those_of_the_replicates():
    progress = last(run(request()))
    assert (progress.state, progress.done, progress.total) == ("finished", 300, 300)
    for point, estimate in zip(progress.request.points, progress.estimates, strict=True):
        values = sample(progress.request.values, point, 3, range(50))
        assert estimate.mean == values.mean()
        assert estimate.stderr == pytest.approx(values.std(ddof=1) / math.sqrt(50), rel=1e-14)
        assert estimate.replicates == 50


@given(st.integers(2, 3000), st.integers(1, 200), st.integers(1, 9))
def test_blocks_cover_once(replicates, block, first):
    cut = blocks(replicates, block, first)
    assert cut[0] == (0, min(first, block, replicates))
    assert [k for a, b in cut for k in range(a, b)] == list(range(replicates))
    assert max(b - a for a, b in cut) <= block


def test_a_block_that_comes_early_waits_for_those_before_it():
    whole, others = last(run(request())), threading.Event()
    counts = []
    for progress in run(request(), executor=Shuffled(first=partial(others.wait, 20))):
        counts.append(progress.counts)
        if progress.counts[1] > 12:
            others.set()
        for row, right, count in zip(
            progress.replicated, whole.replicated, progress.counts, strict=True
        ):
            assert np.array_equal(row[:count], right[:count])
    assert any(c[0] == 0 and c[1] > 12 for c in counts)


def test_seeds_points_and_replicates_differ():
    draws = {
        float(g.random())
        for seed in (0, 1)
        for key in ("a", "b", "a1")
        for g in generators(seed, key, indices=range(3))
    }
    assert len(draws) == 18
    assert generator(0, "a", 11).random() != generator(0, "a1", 1).random()
    # Keys are fixed for all time.
    assert generator(7, "point", 3).integers(10**9) == 609_837_858


@pytest.mark.parametrize("make", [Shuffled, partial(ThreadPoolExecutor, 3)])
def test_same_numbers_from_threads_in_any_order(make):
    with make() as pool:
        assert same(last(run(request())), last(run(request(), executor=pool)))
        assert pool.submit(int).result() == 0  # left open


def test_same_numbers_after_a_lost_executor():
    progress = last(run(request(), executor=Shuffled(lose=[7])))
    assert same(last(run(request())), progress)
    assert "this process computed the rest" in progress.note
    opened = Shuffled(lose=[3, 9])
    assert same(last(run(request())), last(run(request(), executor=lambda: opened)))
    with pytest.raises(RuntimeError, match="after shutdown"):
        opened.submit(int)  # what a function opened is closed


@pytest.mark.deep
@pytest.mark.parametrize("which", [0, 1])  # one of them holds the lock of the queue
def test_a_pool_ends_when_one_of_its_idle_processes_is_killed(which):
    pool, seen = local_pool(2), set()
    while len(seen) < 2:  # both have answered, and wait for more
        seen |= {made.result() for made in [pool.submit(os.getpid) for _ in range(4)]}
    idle = [one for one in multiprocessing.active_children() if one.pid in seen]
    os.kill(sorted(seen)[which], signal.SIGKILL)
    with suppress(BrokenExecutor):
        while pool.submit(os.getpid).result():
            pass
    ending = threading.Thread(target=pool.shutdown, daemon=True)
    ending.start()
    ending.join(20)
    left = [one for one in idle if one.is_alive()]
    for one in left:
        one.kill()
    assert not left
    ending.join()


def test_an_error_of_the_experiment_is_raised_here():
    asked = Request(experiment=BROKEN, replicates=50)
    with pytest.raises(ValueError, match="4 finite numbers"):
        last(run(asked))
    with Shuffled() as pool, pytest.raises(ValueError, match="4 finite numbers"):
        last(run(asked, executor=pool))


@pytest.mark.parametrize("pool", [None, Shuffled])
def test_stop_keeps_what_is_there(pool):
    stop = threading.Event()
    stream = run(request(), stop=stop, executor=pool and pool())
    before = [next(stream) for _ in range(2)][-1]
    stop.set()
    after = last(stream)
    assert after.state == "stopped"
    assert before.done <= after.done < after.total
    assert after.seconds_left == 0


class Held(ThreadPoolExecutor):
    """Its first call is made at once; the others last until one that waits is taken back."""

    def __init__(self):
        super().__init__(2)
        self.given = []

    def submit(self, function, *arguments):
        pause = self.until_one_is_taken_back if self.given else int
        self.given.append(super().submit(late, pause, function, *arguments))
        return self.given[-1]

    def until_one_is_taken_back(self):
        for _ in range(5000):
            if any(future.cancelled() for future in self.given):
                return
            time.sleep(0.002)


def test_stop_takes_back_what_waits_in_an_executor():
    stop = threading.Event()
    pool = Held()
    stream = run(request(), stop=stop, executor=pool)
    next(stream)
    stop.set()
    last(stream)
    assert sum(future.cancelled() for future in pool.given) >= 10


def test_time_left():
    assert start(request()).seconds_left is None
    stream = run(request(pause=0.001))
    early = next(stream)
    assert early.seconds_left == pytest.approx(early.seconds * 296 / 4)
    assert last(stream).seconds_left == 0


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"x": 1}, "Unknown parameter; known are epsilon, law, n, pause. parameters, field x"),
        ({"n": []}, "n must list 1 to 20 numbers"),
        ({"n": 5}, "n must be a list of numbers"),
        ({"n": [10, True]}, "n must be a positive integer"),
        ({"n": [10, 10]}, "a value is listed twice"),
        ({"epsilon": True}, "epsilon must be >= 0"),
        ({"pause": "inf"}, "pause must lie in"),
        ({"law": "cauchy"}, 'law must be "gamma" or "exponential"'),
        ({"epsilon": 0}, "With epsilon 0 there is one n only"),
        ({"replicates": 1_000_000}, "at most 5,000,000"),
        *(({"replicates": bad}, "Replicates") for bad in (1, 10**7, *NO_NUMBERS)),
        *(({"seed": bad}, "seed") for bad in (-1, *NO_NUMBERS)),
    ],
)
def test_what_is_refused(values, words):
    with pytest.raises(DomainError, match=words):
        request(**values)


# A Dask cluster ----------------------------------------------------------------------------------


@pytest.mark.deep  # two processes of a cluster take five seconds to start
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


@pytest.mark.parametrize("scheme", ["", "tcp://", "tls://"])
def test_an_address_is_tried_with_and_without_its_scheme(scheme):
    with socket.create_server(("127.0.0.1", 0)) as there:
        pools._reach(f"{scheme}127.0.0.1:{there.getsockname()[1]}")


@pytest.mark.deep
@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:1"])
def test_a_scheduler_that_is_not_there_is_refused_at_once(address):
    began = time.monotonic()
    with pytest.raises(DomainError, match="A Dask scheduler must answer"), cluster(address):
        pass
    assert time.monotonic() - began < PATIENCE
