"""The page: a list of lessons, one screen after the other.

Nothing that is true is computed before the screen that shows it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.charts import Figure, votes, words
from pages.classroom import board, room
from pages.core import address, ask, blocks, button, layout, presenter, sync_url
from pages.core.live import panel
from pages.lessons import Task, reveals
from pages.present import turn as turns
from pages.present.turn import AGAIN, ANSWER, ASK, PAUSE, READ, TURN, VOTES, WHY, Screen, Turn
from rates.numbers import DomainError
from sims.engine import Progress
from sims.lessons import LISTS, PAUSES, Playlist, Question, hands

_TICK = 20  # seconds between two looks at the clock
_SINCE = "present_since"
_FULL = 318.0  # height of a figure under a question of no line
_NEXT = {READ: "Next lesson", ASK: "Question", AGAIN: "Second vote", VOTES: "Both votes"}
_NEXT |= {ANSWER: "Answer", WHY: "Why"}


def draw() -> None:
    """Draw the screen whose turn it is, or that of a class."""
    if room.asked():
        board.draw()
        return
    presenter.style("large")
    turn = turns.load()
    shown, problems = turns.playlist()
    for problem in problems if address.untouched() else ():  # gone with the first turn
        st.warning(words.plain(problem))
    if not shown.entries:
        st.title("Which list is presented?")
        with st.container(horizontal=True):
            for name, known in LISTS.items():
                button(words.md(known.title), f"list_{name}", address.write, {turns.LIST: name})
        st.page_link(layout.page("lessons"), label="A list of your own")
        st.header("Vote by phone")
        room.open_one(shown)
        return
    every = turns.screens(shown, turn)
    at = turns.current(every, turn)
    _screen(every[at], turn)
    _foot(every, at, shown)
    sync_url(TURN, study=False)
    panel.go_on()


def _screen(screen: Screen, turn: Turn) -> None:
    lesson = screen.entry.lesson
    if lesson is None:
        st.title(PAUSES[screen.entry.key])
    elif screen.kind in (READ, WHY):
        st.title(lesson.title)
        shown = [blocks.Text(lesson.read)] if screen.kind == READ else screen.task.reasons()
        with st.container(key="words"):
            blocks.show(shown, page="present")
    else:
        st.title(screen.task.question.text)
        _asked(screen.task, screen.kind, turn.votes(screen.task.question))


def _asked(task: Task, kind: str, counted: tuple[turns.Counts, turns.Counts]) -> None:
    """Draw a question as it is asked, voted on, or answered."""
    question, known = task.question, kind == ANSWER
    few = len(question.parts) <= hands.MOST
    # Beside votes there is room for a few alone.
    listed = board.listed(question) and (few or kind != VOTES)
    right = task.right if known and task.choice else None
    figure: Figure | None = None
    lines = float(math.ceil(len(question.text) / board.LETTERS))
    if kind == VOTES or (right is not None and few and any(counted)):
        names = hands.options(question)
        letters = votes.LETTERS[: len(names)] if listed else votes.columns(names)
        figure = votes.votes_figure(letters, counted, title="")
    if listed:
        own = reveals.beside(question) if known else ()
        figure = own[0] if own else figure
        only, about = known and (bool(own) or not task.choice), hands.asked(question)
        about = f"{about}?" if about and not known else ""
        lines += 1.6 * board.list_options(question, right, only=only, about=about, key="words")
    elif figure is None and not known:
        figure = task.blank(titled=False)
        lines += 1.5
        _classes(question)
    height = _FULL - board.LINE * lines
    if known and not task.choice:
        _reveal(task, height)
    elif figure is not None:
        presenter.picture(figure, height)


def _reveal(task: Task, height: float) -> None:
    """Draw what is exact at once, and simulated points as they come where there are any."""
    place = st.container()

    def draw(found: Progress | None = None) -> None:
        with place:
            presenter.picture(task.reveal(run=found), height)

    if task.request is None:
        draw()
        return
    with st.container(key="twin_run"):  # its buttons and words are for pages that one reads
        task.arrive(f"present_{task.question.key}", draw, answer=lambda found: "")


def _classes(question: Question) -> None:
    """Say what a hand may be raised for where no options say it."""
    about = hands.asked(question)
    names = zip(votes.LETTERS, hands.options(question), strict=False)
    shown = [f"**{letter}:** {words.md(name)}" for letter, name in names]
    st.markdown("  ·  ".join([words.md(about), *shown] if about else shown))


def _foot(every: Sequence[Screen], at: int, shown: Playlist) -> None:
    """Draw the way on and back, by arrows and by a remote's keys, the hands and the clock."""
    screen = every[at]
    after = every[at + 1] if at + 1 < len(every) else None
    name = "The end"
    if after is not None:
        name = PAUSES[after.entry.key] if after.kind == PAUSE else _NEXT[after.kind]
    with st.container(key="foot", horizontal=True, vertical_alignment="center"):
        for label, key, to, keys in (
            ("Back", "back", every[at - 1] if at else None, board.BACK),
            (name, "next", after, board.ON),
        ):
            board.way(label, key, _go, to, keys=keys, disabled=to is None)
        if screen.kind in (ASK, AGAIN) and not shown.brief:
            with st.popover("Count hands", icon=":material/front_hand:"):
                _hands(screen.task.question, second=screen.kind == AGAIN)
        if screen.kind in (PAUSE, READ):
            room.offer(shown)
        again = "Second vote · " if screen.kind == AGAIN else ""
        st.markdown(f"{again}{screen.place}/{len(shown.entries)}", width="content")
        left = 0 if shown.brief else sum(e.minutes for e in shown.entries[screen.place :])
        minutes = shown.minutes if shown.brief else screen.entry.minutes
        st.fragment(_clock, run_every=_TICK)(screen.place, minutes, left)
        with st.container(width="content"):  # the way back to where the list came from
            query = {turns.LIST: address.get(turns.LIST)}
            st.page_link(layout.page("lessons"), label="Close", query_params=query)


def _go(to: Screen | None) -> None:
    if to is not None:
        TURN.set(replace(TURN.get(), place=to.place, step=to.step))


def _hands(question: Question, *, second: bool) -> None:
    """Take the counts of a vote as one line."""
    letters = votes.LETTERS[: len(hands.options(question))]
    now = " ".join(map(str, TURN.get().votes(question)[second]))

    def take(given: str) -> None:
        try:
            turns.count(question, second, given)
        except DomainError as error:
            TURN.refuse(str(error))

    title, usual = f"Hands for {', '.join(letters)}", "12 30 8 5"
    box = partial(st.text_input, title, now, max_chars=40, placeholder=usual)
    ask(f"hands_{question.key}_{int(second)}", now, take, box)
    if TURN.refusal:
        st.warning(f"{words.plain(TURN.refusal)} Nothing was counted.")
    else:
        st.caption("Both votes are shown together, after the second.")


def _clock(place: int, minutes: int, left: int) -> None:
    """Say the minutes that a place has taken, and those that the list still takes."""
    memory = st.session_state
    if memory.get(_SINCE, (0, 0.0))[0] != place:
        memory[_SINCE] = (place, time.monotonic())
    gone = int((time.monotonic() - memory[_SINCE][1]) / 60)
    rest = left + max(minutes - gone, 0)
    st.markdown(f"**{gone}** of {minutes} min, {rest} left", width="content")
