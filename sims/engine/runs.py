"""Experiments as streams of partial estimates: the same numbers wherever they are computed.

How to define an experiment. Write two functions in an importable module (not in a page, not
in ``__main__``) and one record, and add the record to `sims.experiments.EXPERIMENTS`:

    def points(values: Values) -> tuple[Point, ...]:
        return tuple(
            Point(series="target only", x=n, theory=n**-0.5, settings={"n": n})
            for n in values.numbers("n")
        )

    def sample(values: Values, point: Point, seed: int, indices: range) -> Array:
        draws = generators(seed, point.key, indices=indices)   # one generator per replicate
        return np.array([risk(values, point, rng) for rng in draws])

    MEAN = Experiment(
        name="mean", question="...?", x_label="n", y_label="excess risk", privacy="...",
        parameters=(Numbers(N, (100, 1000)),), points=points, sample=sample,
    )

`values` has one checked entry per parameter, read as what it is: `values.number` or
`values.whole` (`Number`), `values.numbers` (`Numbers`), `values.word` (`Choice`). What only
several parameters together can violate, ``points`` refuses with `DomainError`.

``sample`` returns one finite number per index. Replicate k may depend on the values, the
point, the seed and k, on nothing else: not on the other indices, not on what was drawn
before. Take its random numbers from ``generator(seed, point.key, k)``. Points with the same
key share random numbers; the key is made of series, x and settings unless one is given.
Work may be shared within a call (set a matrix up once, then loop or vectorise over the
indices), and costly preparations may be kept in a bounded `functools.lru_cache`.

`run` asks for a few replicates of every point first and then for blocks that double up to
``Experiment.block``. Where a replicate is dear, two are a first block: an interval needs no
more. Blocks are cut alike in every run, so that rounding is the same too.
Choose ``block`` so that one call takes at most about 0.1 seconds: a page stops, redraws
and shares the processor between calls only.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from rates.numbers import Brief, DomainError, Words, frame
from sims.engine.experiment import (
    FIRST_BLOCK,
    MAX_EVALUATIONS,
    Array,
    Estimate,
    Experiment,
    Point,
    Request,
    SampleOf,
)
from sims.engine.seeds import generator, generators
from sims.engine.settings import Choice, Number, Numbers, Values

__all__ = [
    "Array",
    "Budget",
    "Choice",
    "Estimate",
    "Experiment",
    "Number",
    "Numbers",
    "Point",
    "Progress",
    "Request",
    "Values",
    "generator",
    "generators",
    "run",
    "start",
]

State = Literal["running", "finished", "stopped", "out of budget"]

WINDOW = 64  # parcels of blocks that are out at a time
TOGETHER = 0.1  # seconds that a parcel should take
RENEWALS = 3  # fresh pools after lost ones, before the rest is computed here


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much one run may take.

    Attributes:
        seconds: Computing time; the run stops there and keeps what it has.
        evaluations: Replicates times points; more is refused before the run.
    """

    seconds: float = math.inf
    evaluations: int = MAX_EVALUATIONS

    def check(self, request: Request) -> None:
        """Raise `DomainError` if the request asks for too many evaluations."""
        if request.total > self.evaluations:
            rule = f"Replicates times points must be at most {self.evaluations:,} here."
            got = f"{request.replicates:,} times {len(request.points):,}"
            raise DomainError(rule, field="replicates", value=Words(got))


UNBOUNDED = Budget()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Progress(Brief):
    """What a run has so far; it never changes.

    Estimates of r replicates are always those of the first r, whoever computed them.

    Attributes:
        request: What was asked.
        counts: Replicates done, one entry per point.
        seconds: Time spent.
        state: "running", "finished", "stopped" or "out of budget".
        note: What went wrong on the way and was repaired; empty if nothing.
        prepared: Time spent and evaluations done when every point had its first; None before.
        resumed: Evaluations that an earlier, interrupted run had done.
    """

    _said: ClassVar[tuple[str, ...]] = ("counts", "seconds", "state")

    request: Request
    counts: tuple[int, ...]
    seconds: float
    state: State
    note: str
    replicated: Array = field(repr=False, compare=False)
    prepared: tuple[float, int] | None = None
    resumed: int = 0

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """One estimate per point, computed on every call."""
        rows = zip(self.replicated, self.counts, strict=True)
        span = self.request.experiment.span
        return tuple(Estimate.of(row[:count], span) for row, count in rows)

    def seen(self, least: int = 2) -> list[tuple[Point, Estimate]]:
        """Points with their estimates, where there are as many replicates; two give an interval."""
        pairs = zip(self.request.points, self.estimates, strict=True)
        return [(point, found) for point, found in pairs if found.replicates >= least]

    def to_frame(self) -> Any:
        """Return a row for each point as a pandas table: 95% intervals, nan where unknown."""
        asked = self.request.experiment
        points, found = self.request.points, self.estimates
        return frame(
            {"series": [p.series for p in points], asked.x_label: [p.x for p in points]}
            | {asked.y_label: [e.mean for e in found], "standard error": [e.stderr for e in found]}
            | {"95% low": [e.low for e in found], "95% high": [e.high for e in found]}
            | {"replicates": self.counts, "theory": [p.theory for p in points]}
            | {"exact": [p.exact for p in points], "left out": [p.left_out for p in points]}
        )

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html())

    @property
    def done(self) -> int:
        """Evaluations done."""
        return sum(self.counts)

    @property
    def total(self) -> int:
        """Evaluations asked for."""
        return self.request.total

    @property
    def seconds_left(self) -> float | None:
        """Time left at the pace so far; None before there is one, 0 at the end.

        Where first blocks take longer, the pace is that of the later ones.
        """
        if self.state != "running":
            return 0.0
        seconds, done = 0.0, self.resumed
        if self.request.experiment.prepares:
            if self.prepared is None:
                return None
            seconds, done = self.prepared
        if self.done == done:
            return None
        return (self.seconds - seconds) * (self.total - self.done) / (self.done - done)


_Done = tuple[list[Array], float]  # values of some blocks, and the seconds of each
_Future = Future[_Done]


class _Task(NamedTuple):
    point: int
    start: int
    stop: int


def run(
    request: Request,
    *,
    executor: Executor | Callable[[], Executor] | None = None,
    budget: Budget = UNBOUNDED,
    stop: threading.Event | None = None,
    kept: Sequence[Array] = (),
) -> Generator[Progress, None, None]:
    """Compute a request block by block, and yield what there is after each.

    The last record has every estimate, bit for bit the same for every executor on the same
    kind of machine, as long as linear algebra has one thread (see `sims`). A block that
    fails elsewhere is computed again, in a fresh pool if there is one and here at last, so
    that an error of the experiment's own is raised here.

    Args:
        request: What to run.
        executor: Where to compute: None is this thread, one block per step; an executor is
            left open; a function that opens executors is called again when one is lost.
        budget: Most computing time and evaluations.
        stop: Set it, and the run ends with what it has.
        kept: The first replicates of every point, from an earlier run of the same request;
            what fills whole blocks is not computed again.

    Raises:
        DomainError: The request exceeds the budget.
    """
    budget.check(request)
    _keep_freed_memory()
    job = _Job(request, budget, stop or threading.Event(), kept)
    if executor is None or job.state == "finished":
        return _here(job, deque(job.tasks()))
    return _elsewhere(job, executor)


def blocks(replicates: int, block: int, first: int = FIRST_BLOCK) -> list[tuple[int, int]]:
    """Return how replicates are cut: a few first, then doubling up to ``block``.

    >>> blocks(30, 12), blocks(13, 64, 2)
    ([(0, 4), (4, 12), (12, 24), (24, 30)], [(0, 2), (2, 6), (6, 13)])
    """
    out, start, size = [], 0, min(first, block)
    while start < replicates:
        stop = min(start + size, replicates)
        out.append((start, stop))
        start, size = stop, min(2 * size, block)
    return out


def compute(
    sample: SampleOf, values: Values, point: Point, seed: int, start: int, stop: int
) -> Array:
    """Return the replicates start to stop of one point; this is what workers call."""
    out = np.asarray(sample(values, point, seed, range(start, stop)), dtype=float)
    if out.shape != (stop - start,) or not np.isfinite(out).all():
        raise ValueError(
            f"sample must return {stop - start} finite numbers for {point.key}, got {out!r}."
        )
    return out


def compute_all(calls: Sequence[tuple[SampleOf, Values, Point, int, int, int]]) -> _Done:
    """Return the values of several blocks, and the seconds that one took on average."""
    _keep_freed_memory()
    began = time.perf_counter()
    values = [compute(*call) for call in calls]
    return values, (time.perf_counter() - began) / len(calls)


def _keep_freed_memory() -> None:
    """Let the allocator keep what arrays free, where it is glibc's.

    It returns less than the largest block ever freed to the system, to map it anew for the next
    array; in runs of arrays of a megabyte that took a tenth of the time.
    """
    np.empty(30_000_000, np.uint8)  # never touched, so it takes no memory


def start(request: Request) -> Progress:
    """Return the record of a run that has not computed anything yet."""
    return _Job(request, UNBOUNDED, threading.Event()).progress()


class _Job:
    """The changing part of a run."""

    def __init__(
        self, request: Request, budget: Budget, stop: threading.Event, kept: Sequence[Array] = ()
    ) -> None:
        self.request, self.budget, self.stop = request, budget, stop
        replicates = request.replicates
        self.cut = blocks(replicates, request.experiment.block, request.experiment.first)
        self.replicated = np.empty((len(request.points), replicates))
        self.counts = [0] * len(request.points)
        self.ahead: dict[tuple[int, int], int] = {}  # blocks that came before earlier ones
        self.seconds = 0.0
        self.state: State = "running"
        self.note = ""
        self.together = 1  # blocks that go out as one, where one is soon done
        self.prepared: tuple[float, int] | None = None
        for point, values in enumerate(kept):
            whole = max(end for end in (0, *(stop for _, stop in self.cut)) if end <= len(values))
            self.replicated[point, :whole] = values[:whole]
            self.counts[point] = whole
        self.resumed = sum(self.counts)
        if self.resumed == request.total:
            self.state = "finished"

    def tasks(self) -> Iterator[_Task]:
        """Yield every block that is not there yet, all points before any point's next."""
        for start, stop in self.cut:
            for point in range(len(self.request.points)):
                if start >= self.counts[point]:
                    yield _Task(point, start, stop)

    def call(self, task: _Task) -> tuple[SampleOf, Values, Point, int, int, int]:
        request = self.request
        point = request.points[task.point]
        sample = request.experiment.sample
        return sample, request.values, point, request.seed, task.start, task.stop

    def store(self, task: _Task, values: Array) -> None:
        self.replicated[task.point, task.start : task.stop] = values
        self.ahead[task.point, task.start] = task.stop
        while (task.point, self.counts[task.point]) in self.ahead:
            self.counts[task.point] = self.ahead.pop((task.point, self.counts[task.point]))
        if sum(self.counts) == self.request.total:
            self.state = "finished"

    def ended(self) -> bool:
        """Return whether to end now, and why in ``state``."""
        if self.state == "running" and self.stop.is_set():
            self.state = "stopped"
        if self.state == "running" and self.seconds >= self.budget.seconds:
            self.state = "out of budget"
        return self.state != "running"

    def progress(self) -> Progress:
        if self.prepared is None and min(self.counts) > 0:
            self.prepared = (self.seconds, sum(self.counts))
        return Progress(
            request=self.request,
            counts=tuple(self.counts),
            seconds=self.seconds,
            state=self.state,
            note=self.note,
            replicated=self.replicated,
            prepared=self.prepared,
            resumed=self.resumed,
        )


def _here(job: _Job, queue: deque[_Task]) -> Generator[Progress, None, None]:
    """Compute in this thread; time between the steps is the caller's and not counted."""
    while queue and not job.ended():
        began = time.perf_counter()
        task = queue.popleft()
        job.store(task, compute(*job.call(task)))
        job.seconds += time.perf_counter() - began
        if job.state == "running":
            yield job.progress()
    yield job.progress()


def _elsewhere(
    job: _Job, given: Executor | Callable[[], Executor]
) -> Generator[Progress, None, None]:
    """Hand blocks to an executor; what it loses is computed in a fresh one, or here."""
    began = time.perf_counter()
    renewals = 0 if isinstance(given, Executor) else RENEWALS
    opened = [given if isinstance(given, Executor) else given()]
    queue, running = deque(job.tasks()), dict[_Future, list[_Task]]()
    try:
        while (queue or running) and not job.ended():
            if _exchange(job, opened[-1], queue, running):
                for tasks in reversed(running.values()):
                    queue.extendleft(reversed(tasks))
                running.clear()
                if isinstance(given, Executor) or not renewals:
                    break
                renewals -= 1
                job.note = "Workers were lost; fresh ones computed their blocks."
                opened.append(given())
            job.seconds = time.perf_counter() - began
            if job.state == "running":
                yield job.progress()
    finally:
        for future in running:
            future.cancel()
        if not isinstance(given, Executor):
            for executor in opened:
                executor.shutdown(cancel_futures=True)
    if queue and job.state == "running":
        job.note = "The workers were lost; this process computed the rest."
    yield from _here(job, queue)


def _exchange(
    job: _Job, executor: Executor, queue: deque[_Task], running: dict[_Future, list[_Task]]
) -> bool:
    """Hand out blocks and take in results; return whether the executor is lost."""
    try:
        while queue and len(running) < WINDOW:
            tasks = list(itertools.islice(queue, job.together))
            running[executor.submit(compute_all, [job.call(task) for task in tasks])] = tasks
            for _ in tasks:
                queue.popleft()
    except BrokenExecutor:
        return True
    lost = False
    done = wait(running, timeout=0.1, return_when=FIRST_COMPLETED).done
    for future in [one for one in running if one in done]:  # as handed out: the first error counts
        tasks = running.pop(future)
        if future.cancelled() or isinstance(future.exception(), BrokenExecutor):
            queue.extendleft(reversed(tasks))
            lost = True
        elif future.exception() is None:
            found, seconds = future.result()
            for task, values in zip(tasks, found, strict=True):
                job.store(task, values)
            job.together = int(min(max(TOGETHER / max(seconds, 1e-9), 1), WINDOW))
        else:  # an error of the experiment's own is raised here, another worker's is repaired
            job.note = f"A worker failed with {type(future.exception()).__name__}; "
            job.note += "its blocks were computed in this process."
            for task in tasks:
                job.store(task, compute(*job.call(task)))
    return lost
