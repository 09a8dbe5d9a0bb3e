"""Simulated points that arrive on the figure of a question while one watches."""

from __future__ import annotations

import streamlit as st

from pages.core import figure_card, number
from pages.core.live import PAGE_SEED, panel
from pages.lessons import reveals
from rates.numbers import DomainError
from sims import regression
from sims.engine import Progress, Request
from sims.lessons import Question, Truth, simulated

_SEEDS = "lesson_seeds"  # by question, the seed that was asked for in this session


def run_of(question: Question) -> Request | None:
    """Return what is simulated for a question, with the seed of this session; None for nothing."""
    try:
        return simulated(question, st.session_state.get(_SEEDS, {}).get(question.key, 0))
    except DomainError:
        return None


def show(question: Question, report: reveals.Report | None, truth: Truth, request: Request) -> None:
    """Show the figure of a locked question: what is exact at once, simulated points as they come.

    The page must end with `live.panel.go_on`, which does the work.

    Args:
        question: The question.
        report: The answer that is locked; None for a class.
        truth: What is true.
        request: What `run_of` returned.
    """
    key = f"lesson_{question.key}"
    place = st.container()
    panel.panel(
        panel.Job(
            key=key,
            request=request,
            answer=_answer,
            draw=lambda found: figure_card.show(
                reveals.reveal(question, report, truth, run=found), key=f"figure_{key}_run"
            ),
            auto=True,
            repeat=_lines(question, request.seed),
        ),
        place,
    )
    number(
        f"{key}_seed",
        "Seed of the simulation",
        PAGE_SEED,
        request.seed,
        lambda seed: _keep(question, int(seed)),
        tuple(map(float, range(10))),
    )


def _keep(question: Question, seed: int) -> None:
    seeds = st.session_state.get(_SEEDS, {})
    st.session_state[_SEEDS] = {**seeds, question.key: seed}


def _answer(found: Progress) -> str:
    """How many simulated points lie on the exact curve so far."""
    held = regression.on_curve(found.request.points, found.estimates)
    if not held.points:
        return "The curves are exact. Simulated points arrive on them."
    return (
        f"**{held.inside} of {held.points}** simulated points hold the exact error in their 95 % "
        "intervals."
    )


def _lines(question: Question, seed: int) -> str:
    """The lines of Python that repeat a run."""
    return (
        "from sims.files import to_csv\n"
        "from sims.lessons import question, simulated\n"
        "from sims.run import run\n\n"
        f'for progress in run(simulated(question("{question.key}"), seed={seed})):\n'
        "    pass\n"
        "print(to_csv(progress))\n"
    )
