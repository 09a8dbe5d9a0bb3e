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
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from rates.numbers import Brief, frame
from sims.engine import experiment
from sims.engine.experiment import Array, Estimate, Point, Request, SampleOf
from sims.engine.settings import Values

State = Literal["running", "finished", "stopped", "out of budget"]

WINDOW = 64  # parcels of blocks that are out at a time
TOGETHER = 0.1  # seconds that a parcel should take


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
        resumed: Evaluations that an earlier, interrupted run had done.
    """

    _said: ClassVar[tuple[str, ...]] = ("counts", "seconds", "state")

    request: Request
    counts: tuple[int, ...]
    seconds: float
    state: State
    note: str
    replicated: Array = field(repr=False, compare=False)
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
        """Time left at the pace so far; None before there is one, 0 at the end."""
        # What has ended needs no more time, whatever is left undone.
        if self.state != "running":
            return 0.0
        done = self.done - self.resumed
        return self.seconds * (self.total - self.done) / done if done else None


_Call = tuple[SampleOf, Values, Point, int, range]
_Parcel = tuple[list[Array], float]  # values of some blocks, and the seconds of each


class _Block(NamedTuple):
    point: int
    start: int
    stop: int


class _Here(Executor):
    """This thread as an executor: what is handed in is done at once, and its errors are raised."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Compute, and return what is done."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def run(
    request: Request,
    *,
    executor: Executor | Callable[[], Executor] | None = None,
    seconds: float = math.inf,
    stop: threading.Event | None = None,
    kept: Sequence[Array] = (),
) -> Generator[Progress, None, None]:
    """Compute a request block by block, and yield what there is after each.

    The last record has every estimate, bit for bit the same for every executor on the same
    kind of machine, as long as linear algebra has one thread (see `sims`). A block that
    fails elsewhere is computed again here, so that an error of the experiment's own is raised.

    Args:
        request: What to run.
        executor: Where to compute: None is this thread, one block per step; an executor is
            left open; one that a function opens is closed.
        seconds: Most computing time; the run stops there and keeps what it has.
        stop: Set it, and the run ends with what it has.
        kept: The first replicates of every point, from an earlier run of the same request;
            what fills whole blocks is not computed again.
    """
    _keep_freed_memory()
    return _Run(request, seconds, stop or threading.Event(), kept).stream(executor)


def start(request: Request) -> Progress:
    """Return the record of a run that has not computed anything yet."""
    return _Run(request, math.inf, threading.Event()).progress()


def blocks(
    replicates: int, block: int, first: int = experiment.FIRST_BLOCK
) -> list[tuple[int, int]]:
    """Return how replicates are cut: a few first, then doubling up to ``block``.

    >>> blocks(30, 12), blocks(13, 64, 2)
    ([(0, 4), (4, 12), (12, 24), (24, 30)], [(0, 2), (2, 6), (6, 13)])
    """
    # Cut by numbers alone, never by time: rounding depends on how replicates are grouped.
    out, start, size = [], 0, min(first, block)
    while start < replicates:
        stop = min(start + size, replicates)
        out.append((start, stop))
        start, size = stop, min(2 * size, block)
    return out


def compute(call: _Call) -> Array:
    """Return the replicates of one point that a block holds."""
    sample, values, point, seed, indices = call
    out = np.asarray(sample(values, point, seed, indices), dtype=float)
    if out.shape != (len(indices),) or not np.isfinite(out).all():
        raise ValueError(
            f"sample must return {len(indices)} finite numbers for {point.key}, got {out!r}."
        )
    return out


def compute_all(calls: Sequence[_Call]) -> _Parcel:
    """Return the values of several blocks, and the seconds that one took on average.

    This is what workers call.
    """
    _keep_freed_memory()
    began = time.perf_counter()
    values = [compute(call) for call in calls]
    return values, (time.perf_counter() - began) / len(calls)


def _keep_freed_memory() -> None:
    """Let the allocator keep what arrays free, where it is glibc's.

    It returns less than the largest block ever freed to the system, to map it anew for the next
    array; in runs of arrays of a megabyte that took a tenth of the time.
    """
    np.empty(30_000_000, np.uint8)  # never touched, so it takes no memory


class _Run:
    """The changing part of a run."""

    def __init__(
        self, request: Request, most: float, stop: threading.Event, kept: Sequence[Array] = ()
    ) -> None:
        self.request, self.most, self.stop = request, most, stop
        cut = blocks(request.replicates, request.experiment.block, request.experiment.first)
        # One array that is only ever filled: records of the same run share it.
        self.replicated = np.empty((len(request.points), request.replicates))
        self.counts = [0] * len(request.points)
        self.early: dict[tuple[int, int], int] = {}  # blocks that came before earlier ones
        self.seconds, self.note = 0.0, ""
        self.together = 1  # blocks that go out as one, where one is soon done
        for point, values in enumerate(kept):
            # Only whole blocks are taken over, so that a resumed run rounds like any other.
            whole = max(end for end in (0, *(stop for _, stop in cut)) if end <= len(values))
            self.replicated[point, :whole] = values[:whole]
            self.counts[point] = whole
        self.resumed = sum(self.counts)
        # All points before any point's next.
        every = (_Block(i, *ends) for ends in cut for i in range(len(request.points)))
        self.queue = deque(block for block in every if block.start >= self.counts[block.point])
        self.out: dict[Future[_Parcel], list[_Block]] = {}

    @property
    def state(self) -> State:
        if sum(self.counts) == self.request.total:
            return "finished"
        if self.stop.is_set():
            return "stopped"
        return "running" if self.seconds < self.most else "out of budget"

    def progress(self) -> Progress:
        return Progress(
            request=self.request,
            counts=tuple(self.counts),
            seconds=self.seconds,
            state=self.state,
            note=self.note,
            replicated=self.replicated,
            resumed=self.resumed,
        )

    def stream(
        self, given: Executor | Callable[[], Executor] | None
    ) -> Generator[Progress, None, None]:
        """Hand blocks to the executor, and here once it is lost, until all is done.

        Time between the steps is the caller's and not counted.
        """
        executors, executor = self._executors(given), None
        try:
            while self.state == "running":
                began = time.perf_counter()
                executor = executor or next(executors)
                # What a lost executor had in hand is computed anew.
                if self._lost(executor):
                    # To the front, in their old order: what was out is what others wait for.
                    for parcel in reversed(self.out.values()):
                        self.queue.extendleft(reversed(parcel))
                    self.out.clear()
                    executor = next(executors)
                self.seconds += time.perf_counter() - began
                if self.state == "running":
                    yield self.progress()
        finally:
            for future in self.out:
                future.cancel()
            executors.close()
        yield self.progress()

    def _executors(
        self, given: Executor | Callable[[], Executor] | None
    ) -> Generator[Executor, None, None]:
        """Yield where to compute; here once what was given is lost. What was opened is closed."""
        if given is not None:
            opened = given if isinstance(given, Executor) else given()
            try:
                yield opened
            finally:
                if opened is not given:
                    opened.shutdown(cancel_futures=True)
            self.note = "The workers were lost; this process computed the rest."
        yield _Here()

    def _lost(self, executor: Executor) -> bool:
        """Hand out blocks and take in results; return whether the executor is lost."""
        here = isinstance(executor, _Here)
        try:
            while self.queue and len(self.out) < (1 if here else WINDOW):
                parcel = list(itertools.islice(self.queue, 1 if here else self.together))
                calls = [self._call(block) for block in parcel]
                self.out[executor.submit(compute_all, calls)] = parcel
                for _ in parcel:
                    self.queue.popleft()
        except BrokenExecutor:
            return True
        lost = False
        done = wait(self.out, timeout=0.1, return_when=FIRST_COMPLETED).done
        for future in [one for one in self.out if one in done]:  # in order: the first error counts
            parcel = self.out.pop(future)
            if future.cancelled() or isinstance(future.exception(), BrokenExecutor):
                self.queue.extendleft(reversed(parcel))
                lost = True
            elif future.exception() is None:
                values, seconds = future.result()
                self._store(parcel, values)
                # Short blocks go out together, as sending one takes some milliseconds.
                self.together = int(min(max(TOGETHER / max(seconds, 1e-9), 1), WINDOW))
            else:  # an error of the experiment's own is raised here, another worker's is repaired
                self.note = f"A worker failed with {type(future.exception()).__name__}; "
                self.note += "its blocks were computed in this process."
                self._store(parcel, [compute(self._call(block)) for block in parcel])
        return lost

    def _call(self, block: _Block) -> _Call:
        asked, indices = self.request, range(block.start, block.stop)
        return asked.experiment.sample, asked.values, asked.points[block.point], asked.seed, indices

    def _store(self, parcel: Sequence[_Block], found: Sequence[Array]) -> None:
        for (point, start, stop), values in zip(parcel, found, strict=True):
            self.replicated[point, start:stop] = values
            # Estimates are of the first replicates: a block that is early waits.
            self.early[point, start] = stop
            while (point, self.counts[point]) in self.early:
                self.counts[point] = self.early.pop((point, self.counts[point]))
