"""The tests of the ledger run again, one after the other, until they are done or stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import ask, button
from pages.core.live import tabs
from pages.statements.view import VIEW, Verdicts, group
from rates.statements import PAPERS, Evaluation, Statement, StoredVerdict, evaluate, statements
from rates.statements import verdicts as kept

_RUN = "ledger_run"


@dataclass(slots=True)
class Run:
    """Tests made in this session, and those still to be made.

    Attributes:
        seed: Seed of the draws.
        items: The statements to test, in order.
        found: What has been found so far, by id.
        stopped: Whether the user has had enough.
    """

    seed: int
    items: tuple[Statement, ...] = ()
    found: dict[str, Evaluation] = field(default_factory=dict)
    stopped: bool = False

    @property
    def left(self) -> list[Statement]:
        """The statements not yet tested."""
        return [item for item in self.items if item.id not in self.found]

    @property
    def done(self) -> int:
        """How many of the statements have been tested."""
        return len(self.items) - len(self.left)


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
    run = st.session_state.setdefault(_RUN, Run(VIEW.get().seed))
    run.found[item.id] = evaluate(item, seed=VIEW.get().seed)


def seed_box(place: str) -> None:
    """Ask for the seed of the next test."""
    now = VIEW.get().seed

    def box(**how: Any) -> Any:
        return st.number_input(
            "Seed of the draws", 0, tabs.MOST_SEED, now, step=1, width=220, **how
        )

    ask(f"ledger_seed_{place}", now, lambda seed: VIEW.change(seed=int(seed)), box)


def panel() -> None:
    """Offer to run all tests again; go on with a run until whatever is clicked ends this one.

    For the very end of a page: what is drawn after it would wait.
    """
    st.markdown(
        "Every test draws its parameters anew from the seed. One that holds has to hold for "
        "every seed."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed_box("all")
        button("Run all tests again", "ledger_start", _start, icon=":material/play_arrow:")
    run: Run | None = st.session_state.get(_RUN)
    if run is None or not run.items:
        return
    if run.stopped or not run.left:
        st.markdown(_result(run))
        return
    bar = st.progress(0.0)
    # A name that begins so keeps the page from fading meanwhile, see `layout`.
    button("Stop", "stop_ledger", setattr, run, "stopped", True, icon=":material/stop:")
    for item in run.left:
        of = f"{run.done} of {len(run.items)} statements with seed {run.seed}"
        bar.progress(run.done / len(run.items), f"Tested {of}.")
        run.found[item.id] = evaluate(item, seed=run.seed)
    st.rerun()


def _start() -> None:
    st.session_state[_RUN] = Run(VIEW.get().seed, statements())


def _result(run: Run) -> str:
    """What the run found beside what is stored."""
    text = (
        f"{'Stopped: tested' if run.left else 'Tested'} **{run.done}** of "
        f"**{len(run.items)}** statements with seed **{run.seed}**. "
    )
    if other := differing():
        return f"{text}Other verdicts than stored: {', '.join(map(words.md, other))}."
    return f"{text}Every verdict is the same as the stored one."
