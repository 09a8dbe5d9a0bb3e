"""Runs that a page advances tick by tick, and the few places that all visitors share.

A run without ticks does no work: a closed tab stops its run by itself, and its place is
free again when the lease is over.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from rates.numbers import DomainError, Words
from sims import budgets
from sims.engine.experiment import Request
from sims.engine.runs import Progress, run, start


@dataclass(frozen=True, slots=True)
class Turn:
    """The answer to a claim.

    Attributes:
        granted: Whether to work now.
        words: Why not, as a sentence; empty if granted.
        refused: Whether waiting does not help.
    """

    granted: bool
    words: str = ""
    refused: bool = False


class Slots:
    """A few places for live runs, first come first served, one at a time per visitor.

    Attributes:
        places: Runs that may compute at the same time.
        lease: Seconds without a tick after which a place is free again.
        queue: Most runs that wait.
    """

    def __init__(
        self,
        places: int = budgets.PLACES,
        *,
        lease: float = budgets.LEASE,
        queue: int = budgets.QUEUE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.places, self.lease, self.queue = places, lease, queue
        self._clock, self._lock = clock, threading.Lock()
        self._tickets: dict[int, tuple[str, float]] = {}  # visitor and last tick, as they came

    def claim(self, ticket: int, visitor: str) -> Turn:
        """Ask to work now, and keep the place or the rank in the queue.

        Args:
            ticket: Names the run.
            visitor: Names who runs it.
        """
        with self._lock:
            now = self._clock()
            # Before anything is granted: closed tabs must not keep places.
            tickets = self._tickets.items()
            self._tickets = {k: held for k, held in tickets if now - held[1] <= self.lease}
            if ticket not in self._tickets and len(self._tickets) >= self.places + self.queue:
                words = "Too many runs wait on this server. Try again later, or run the command."
                return Turn(False, words, refused=True)
            self._tickets[ticket] = visitor, now  # one that is there keeps its rank
            return self._turn(ticket)

    def release(self, ticket: int) -> None:
        """Give a place or a rank back."""
        with self._lock:
            self._tickets.pop(ticket, None)

    def _turn(self, ticket: int) -> Turn:
        holders: set[str] = set()
        for number, (visitor, _) in self._tickets.items():
            if number == ticket:
                break
            holders.add(visitor)
        if self._tickets[ticket][0] in holders:
            return Turn(False, "Your other run on this server goes first.")
        before = len(holders) - self.places + 1
        return Turn(before <= 0, f"Waiting for a place: {before} before you." if before > 0 else "")


SLOTS = Slots()
_TICKETS = itertools.count()


class LiveRun:
    """One run of one visitor, advanced by the page's own ticks.

    Args:
        request: What to run.
        visitor: Names the visitor, such as a session.
        slots: The places that runs share; those of the server if none are given.
        seconds: Most computing time of this run.
        evaluations: Most replicates times points.

    Raises:
        DomainError: The request asks for more evaluations.
    """

    def __init__(
        self,
        request: Request,
        *,
        visitor: str,
        slots: Slots | None = None,
        seconds: float = budgets.RUN_SECONDS,
        evaluations: int = budgets.RUN_EVALUATIONS,
    ) -> None:
        if request.total > evaluations:
            rule = f"Replicates times points must be at most {evaluations:,} here."
            got = Words(f"{request.replicates:,} times {len(request.points):,}")
            raise DomainError(rule, field="replicates", value=got)
        self._stop, self._busy = threading.Event(), threading.Lock()
        self._stream = run(request, seconds=seconds, stop=self._stop)
        self._progress = start(request)
        self._slots = SLOTS if slots is None else slots
        self._visitor, self._ticket = visitor, next(_TICKETS)
        self.words = ""

    @property
    def progress(self) -> Progress:
        """What there is."""
        return self._progress

    @property
    def active(self) -> bool:
        """Whether another tick may bring more."""
        return self._progress.state == "running"

    def advance(self, seconds: float = budgets.NEXT_STEP) -> Progress:
        """Work for about this long, if there is a place, and return what there is.

        At least one block is computed. While another thread advances the run, nothing is.
        """
        # A page that is drawn twice at once must not wait for itself.
        if not self._busy.acquire(blocking=False):
            return self._progress
        try:
            if self.active:
                self._advance(seconds)
        finally:
            self._busy.release()
        return self._progress

    def stop(self) -> Progress:
        """End the run, after the block that is being computed, and keep what is there."""
        self._stop.set()
        # Waits for the block that another thread computes, so that what is returned is the end.
        with self._busy:
            if self.active:
                self._advance(0.0)
        return self._progress

    def _advance(self, seconds: float) -> None:
        if not self._stop.is_set():
            turn = self._slots.claim(self._ticket, self._visitor)
            self.words = turn.words
            if turn.refused:
                self._progress = replace(self._progress, state="out of budget", note=turn.words)
            if not turn.granted:
                return
        deadline = time.perf_counter() + seconds
        failed = True
        try:
            for progress in self._stream:
                self._progress = progress
                if time.perf_counter() >= deadline and not self._stop.is_set():
                    break
            failed = False
        finally:
            if failed:
                self._progress = replace(self._progress, state="stopped", note="The run failed.")
            # A finished run makes room at once, not after its lease.
            if not self.active:
                self._slots.release(self._ticket)
