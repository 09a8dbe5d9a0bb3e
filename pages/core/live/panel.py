"""The panel of a live run: Run, Stop, progress with the time left, and what repeats the run."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.charts import words
from pages.core import address, button, offer
from pages.framework import DeltaGenerator
from rates.numbers import DomainError
from sims import budgets
from sims.engine import LiveRun, Progress, Request, start
from sims.files import to_csv, to_json

LOOK = 0.1  # seconds of waiting between two looks at what the visitor does
_RUNS, _TURN, _VISITOR = "live_runs", "live_turn", "live_visitor"
ERRORS = (
    "Three errors, three names. **Monte-Carlo interval** (the bars, 95%: Student's, widened by "
    "Hall's correction for skewness, and exact where there are two outcomes): the run has finitely "
    "many replicates; four times as many halve it. **Sampling error**: a server has finitely many "
    "records. **Privacy noise**: the mechanism adds it on purpose. The last two are part of the "
    "risk itself and stay however long the run is."
)
_WORDS = {
    "finished": "finished in",
    "stopped": "stopped after",
    "out of budget": "ended by its limit after",
    "running": "running for",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A run that a visitor may start, and how what it has so far is shown.

    Attributes:
        key: Names the run among those of the session.
        request: What Run will run.
        answer: What there is so far, as a sentence in Markdown.
        draw: Draws what there is so far.
        auto: Whether the run starts by itself when it is shown for the first time.
        repeat: What repeats the run where no command does; empty where one does.
    """

    key: str
    request: Request
    answer: Callable[[Progress], str]
    draw: Callable[[Progress], None]
    auto: bool = False
    repeat: str = ""


def panel(job: Job, place: DeltaGenerator) -> None:
    """Show the run of this session, or what Run would run; `place` takes the answer.

    A changed parameter stops a run. Its numbers stay, named as those of the earlier parameters,
    until Run replaces them by a new run. The page must end with `go_on`, which does the work.

    Args:
        job: What may be run, and how it is shown.
        place: A container above the panel.
    """
    memory, start_key = st.session_state, f"live_start_{job.key}"
    run = _runs().get(job.key)
    if memory.pop(start_key, False) or (job.auto and run is None):
        run = _begin(job)
    stale = run is not None and to_json(run.progress.request) != to_json(job.request)
    if run is not None and stale:
        run.stop()
    progress = start(job.request) if run is None else run.progress
    place.markdown(job.answer(progress))
    # One row, running or not: what stands below stays where it is when a run begins or ends.
    row = f"live_row_{job.key}"
    with st.container(key=row, horizontal=True, vertical_alignment="center", gap="xsmall"):
        label = "Run" if run is None or stale else "Run again"
        press = partial(memory.__setitem__, start_key, True)
        button(label, f"run_{job.key}", press, icon=":material/play_arrow:")
        if run is None or stale:
            points, request = len(job.request.points), job.request
            st.caption(
                f"{points:,} points times {request.replicates:,} replicates, seed {request.seed}."
            )
        elif run.active:
            st.progress(min(progress.done / progress.total, 1.0), text=_position(run))
            button("Stop", f"stop_{job.key}", run.stop, icon=":material/stop:")
            memory[_TURN] = run
    # Two places that are always here, and emptied: a page that draws itself again leaves what
    # it does not replace.
    note, draw, foot = st.empty(), st.container(), st.empty()
    if stale:
        note.warning(
            "**Earlier parameters.** The numbers below are those of the run before the controls "
            "changed. Run replaces them.",
            icon=":material/history:",
        )
    with draw:
        job.draw(progress)
    # While a run goes on the numbers change with every step.
    if run is None or not run.active:
        with foot.container():
            if run is not None:
                st.caption(_status(progress))
            _files(job, progress)


def go_on() -> None:
    """Do one step of the run that the page has just shown, and draw the page again.

    For the very end of a page: a step that runs inside a fragment of the page can meet a page
    whose elements have moved since the browser asked for it.
    """
    run: LiveRun | None = st.session_state.pop(_TURN, None)
    if run is None or not run.active:
        return
    begun, own = time.monotonic(), _computed()
    run.advance(budgets.NEXT_STEP if run.progress.done else budgets.FIRST_STEP)
    held_up = (time.monotonic() - begun) - (_computed() - own)
    if run.active:
        _wait(budgets.ASKS_EVERY if run.words else min(held_up, budgets.GIVES_WAY))
    address.touch()  # this run's address may be an old one
    _draw_again()


def _computed() -> float:
    """Seconds that this thread has computed; a browser's Python knows the time alone."""
    return time.monotonic() if sys.platform == "emscripten" else time.thread_time()


def _wait(seconds: float) -> None:
    """Let others work before the page goes on; a moved control ends the wait."""
    if seconds < LOOK:
        return
    place = st.empty()
    for _ in range(round(seconds / LOOK)):
        time.sleep(LOOK)
        place.empty()  # whatever is drawn lets Streamlit see what the visitor has done meanwhile


def _draw_again() -> None:
    st.rerun()


def _runs() -> dict[str, LiveRun]:
    runs: dict[str, LiveRun] = st.session_state.setdefault(_RUNS, {})
    return runs


def _begin(job: Job) -> LiveRun | None:
    """Start a run; one that is still going on in this session keeps what it has."""
    for other in _runs().values():
        other.stop()
    # A random name: it shares out places, and says nothing of who it is.
    visitor = st.session_state.setdefault(_VISITOR, secrets.token_hex(8))
    try:
        run = LiveRun(job.request, visitor=visitor)
    except DomainError as error:
        st.error(f"{words.plain(error)} The command below has no such limit.")
        return _runs().get(job.key)
    st.session_state[_RUNS] = {**_runs(), job.key: run}
    return run


def _position(run: LiveRun) -> str:
    """How far a run is, and how long it still takes."""
    if run.words:
        return run.words
    progress = run.progress
    left = progress.seconds_left
    time_left = "" if left is None else f", about {max(left, 0.1):.1f} s left"
    return f"{progress.done:,} of {progress.total:,} done{time_left}"


def _status(progress: Progress) -> str:
    """What became of a run."""
    fewest, most = min(progress.counts), max(progress.counts)
    note = f" {progress.note}" if progress.note else ""
    return (
        f"Run with seed {progress.request.seed} {_WORDS[progress.state]} "
        f"{progress.seconds:.1f} s: {words.span(f'{fewest:,}', f'{most:,}')} of "
        f"{progress.request.replicates:,} replicates at each of {len(progress.counts)} points."
        f"{note}"
    )


def _files(job: Job, progress: Progress) -> None:
    """The numbers as CSV, and what repeats the run: a file and a command."""
    request = progress.request
    name, look = request.experiment.name, {"wrap_lines": True}
    if progress.done:
        label = "Numbers and parameters as CSV"
        offer(label, lambda: to_csv(progress), f"{name}.csv", f"csv_{job.key}")
    with st.expander("What repeats this run"):
        if job.repeat:
            st.code(job.repeat, language="python", **look)
            return
        st.code(f"python -m sims run {name}.json --out {name}.csv", language="bash", **look)
        st.code(to_json(request), language="json", **look)
        st.caption(
            "Save the lines as the file that the command names. The same seed gives the same "
            "numbers, with any number of workers; the address of this page is a link to them."
        )
