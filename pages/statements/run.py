"""Running the tests of the ledger again: in small steps, with progress, until done or stopped."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import ask, button, pick
from pages.statements.view import MOST_SEED, VIEW, Verdicts, group
from rates.numbers import budgets
from rates.statements import PAPERS, Evaluation, Statement, StoredVerdict, evaluate, statements
from rates.statements import verdicts as kept

TICK = budgets.LEDGER_STEP
PAUSE = 0.4  # seconds between two questions of the browser; one of them waits while a step works
DEPTHS = {1: "As stored", 10: "10 times as many"}
_RUN, _SEED, _DEPTH = "ledger_run", "ledger_seed", "ledger_depth"


@dataclass(slots=True)
class Run:
    """Tests made in this session, and those still to be made.

    Attributes:
        seed: Seed of the draws.
        items: The statements to test, in order.
        depth: How many times as many draws as the stored verdicts rest on.
        found: What has been found so far, by id.
        spent: Seconds of work so far.
        stopped: Whether the user has had enough.
        shown: Whether the page has shown the beginning of the run.
        reported: Whether the page has shown the end of the run.
    """

    seed: int
    items: tuple[Statement, ...]
    depth: int = 1
    found: dict[str, Evaluation] = field(default_factory=dict)
    spent: float = 0.0
    stopped: bool = False
    shown: bool = False
    reported: bool = False

    @property
    def left(self) -> list[Statement]:
        """The statements not yet tested."""
        return [item for item in self.items if item.id not in self.found]

    @property
    def done(self) -> int:
        """How many of the statements have been tested."""
        return len(self.items) - len(self.left)

    @property
    def busy(self) -> bool:
        """Whether there is still something to do."""
        return not self.stopped and bool(self.left)

    def step(self, seconds: float) -> None:
        """Test statements one after another for about so long; at least one."""
        started = time.perf_counter()
        for item in self.left:
            self.found[item.id] = _evaluate(item, self.seed, self.depth)
            if self.stopped or time.perf_counter() - started > seconds:
                break
        self.spent += time.perf_counter() - started


def _evaluate(item: Statement, seed: int, depth: int) -> Evaluation:
    number = stored()[item.id][0].number
    return evaluate(item, seed=seed, number=None if number is None else depth * number)


def fresh() -> Mapping[str, Evaluation]:
    """Return what the tests of this session have found, by id."""
    run: Run | None = st.session_state.get(_RUN)
    return run.found if run else {}


def stored() -> Verdicts:
    """Return the verdicts that stand in the repository."""
    return {name: row for paper in PAPERS for name, row in kept.stored(paper).items()}


def verdicts() -> Verdicts:
    """Return the verdicts on every statement: of this session, or else as stored."""
    return {**stored(), **{k: kept.of_evaluation(found) for k, found in fresh().items()}}


def verdicts_on(item: Statement) -> tuple[tuple[StoredVerdict, ...], Evaluation | None]:
    """Return the verdicts on a statement, and the evaluation if it was tested in this session."""
    return verdicts()[item.id], fresh().get(item.id)


def differing() -> tuple[str, ...]:
    """Return the ids with a fresh verdict of another group than the stored one."""
    before, now = stored(), verdicts()
    return tuple(n for n in fresh() if [*map(group, now[n])] != [*map(group, before[n])])


def again(item: Statement) -> None:
    """Test one statement with the chosen seed; for a button."""
    VIEW.change()
    run = st.session_state.setdefault(_RUN, Run(seed=VIEW.get().seed, items=()))
    run.found[item.id] = _evaluate(item, VIEW.get().seed, 1)


def seed_box(place: str) -> None:
    """Ask for the seed of the next test."""
    now = VIEW.get().seed

    def box(**how: Any) -> Any:
        return st.number_input("Seed of the draws", 0, MOST_SEED, now, step=1, width=220, **how)

    ask(f"{_SEED}_{place}", now, lambda seed: VIEW.change(seed=int(seed)), box)


def panel() -> None:
    """Offer to run all tests again; show how far they are, and what they found."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed_box("all")
        pick(_DEPTH, "Draws of each test", DEPTHS, start=1, kept=False, wrap=True)
        button("Run all tests again", "ledger_start", _start, icon=":material/play_arrow:")
    run: Run | None = st.session_state.get(_RUN)
    with st.container():
        st.fragment(_progress, run_every=PAUSE if run and run.busy else None)()


def _start() -> None:
    st.session_state[_RUN] = Run(
        seed=VIEW.get().seed, items=statements(), depth=st.session_state.get(_DEPTH, 1)
    )


def _progress() -> None:
    """One step of a run, drawn again and again by the browser; at the end the whole page.

    The result stands in here too: a step that the browser asked for before the page was drawn
    may still come after it, and takes away whatever it does not draw itself.
    """
    run: Run | None = st.session_state.get(_RUN)
    if run is None or not run.items:
        return
    if run.busy:  # drawn before the step, so that it is there while the step works
        st.progress(min(run.done / len(run.items), 1.0), text=_position(run))
        button("Stop", "ledger_stop", setattr, run, "stopped", True, icon=":material/stop:")
        if not run.shown:  # the page is drawn to its end first
            run.shown = True
            return
        run.step(TICK)
        if run.busy:
            return
    if not run.reported:
        run.reported = True
        st.rerun()
    st.markdown(_result(run))


def _position(run: Run) -> str:
    text = f"Tested {run.done} of {len(run.items)} statements with seed {run.seed}"
    if not run.done:
        return f"{text}; the first ones are under way."
    return f"{text}; about {run.spent / run.done * len(run.left):.0f} s left."


def _result(run: Run) -> str:
    """What the run found beside what is stored."""
    text = (
        f"{'Stopped: tested' if run.left else 'Tested'} **{run.done}** of **{len(run.items)}** "
        f"statements with seed **{run.seed}** in {run.spent:.1f} s. "
    )
    other = differing()
    if not other:
        return f"{text}Every verdict is the same as the stored one."
    names = ", ".join(map(words.md, other))
    verb = "verdict differs" if len(other) == 1 else "verdicts differ"
    return f"{text}**{len(other)}** {verb} from the stored one: {names}."
