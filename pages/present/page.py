"""The page: a list of lessons, one screen after the other.

Nothing that is true is computed before the screen that shows it.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages.charts import Figure, words
from pages.charts.lessons import choices, votes
from pages.classroom import board, desk, opening
from pages.core import address, ask, button, layout, stage, sync_url
from pages.core.live import panel
from pages.lessons import arriving, reveals
from pages.present import turn as turns
from pages.present.turn import AGAIN, ANSWER, ASK, PAUSE, READ, TURN, VOTES, Screen, Turn
from rates.numbers import DomainError
from sims.engine import Progress
from sims.lessons import CHOICE, PAUSES, SHARES, Playlist, Question, Truth, explained, hands, truth

_TICK = 20  # seconds between two looks at the clock
_SINCE = "present_since"
_LETTERS = 84  # of a question in one line
_FULL, _LINE = 318.0, 17.0  # height of a figure under a question of no line, and of a line
_MOST = 6  # sites that are listed
_NEXT = {READ: "Next lesson", ASK: "Question", AGAIN: "Second vote", VOTES: "Both votes"}
_NEXT |= {ANSWER: "Answer", turns.WHY: "Why"}

true = functools.lru_cache(maxsize=128)(truth)


def draw() -> None:
    """Draw the screen whose turn it is, or that of a class."""
    if desk.asked():
        board.draw()
        return
    stage.large()
    turn = turns.load()
    shown, problems = turns.playlist()
    for problem in problems if address.untouched() else ():  # gone with the first turn
        st.warning(words.plain(problem))
    if not shown.entries:
        st.title("There is no list to present")
        st.markdown(
            "The address names none: it ends with `?list=45` for 45 minutes with a class, or with "
            "lessons such as `?list=odds,free`."
        )
        st.header("Vote by phone")
        opening.draw(shown)
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
    elif screen.kind == READ:
        st.title(lesson.title)
        with st.container(key="words"):
            st.markdown(words.keyed(lesson.read))
    elif screen.kind == turns.WHY:
        st.title(lesson.title)
        with st.container(key="words"):
            _why(screen)
    else:
        st.title(screen.question.text)
        _asked(screen, turn.votes(screen.question))


def _asked(screen: Screen, counted: tuple[turns.Counts, turns.Counts]) -> None:
    """Draw a question as it is asked, voted on, or answered."""
    asked, known = screen.question, _true(screen) if screen.kind == ANSWER else None
    few = len(asked.parts) <= hands.MOST
    listed = asked.kind == CHOICE or (asked.kind == SHARES and len(asked.parts) <= _MOST)
    listed = listed and (few or screen.kind != VOTES)  # beside votes there is room for a few alone
    figure: Figure | None = None
    lines = float(math.ceil(len(asked.text) / _LETTERS))
    if screen.kind == VOTES or (known and asked.kind == CHOICE and few and any(counted)):
        names = hands.options(asked)
        shown = choices.LETTERS[: len(names)] if listed else votes.columns(names)
        figure = votes.drawn(shown, counted, title="")
    if listed:
        own = reveals.beside(asked) if known else ()
        figure = own[0] if own else figure
        lines += _options(asked, known, brief=bool(own))
    elif figure is None and not known:
        figure = reveals.untitled(reveals.blank(asked, None, screen.entry.study))
        lines += _classes(asked)
    height = _FULL - _LINE * lines
    if known and asked.kind != CHOICE:
        _reveal(screen, known, height)
    elif figure is not None:
        stage.picture(figure, height)


def _reveal(screen: Screen, known: Truth, height: float) -> None:
    """Draw what is exact at once, and simulated points as they come where there are any."""
    asked, place = screen.question, st.container()

    def draw(found: Progress | None = None) -> None:
        with place:
            stage.picture(reveals.reveal(asked, None, known, screen.entry.study, found), height)

    request = arriving.run_of(asked)
    if request is None:
        draw()
        return
    with st.container(key="twin_run"):  # its buttons and words are for pages that one reads
        job = panel.Job(
            key=f"present_{asked.key}",
            request=request,
            answer=lambda found: "",
            draw=draw,
            auto=True,
        )
        panel.panel(job, st.container())


def _options(asked: Question, known: Truth | None, *, brief: bool) -> float:
    """List the options or sites, or what is right alone; return the lines that they take."""
    right = known.low.index(max(known.low)) if known and asked.kind == CHOICE else None
    if known and (brief or asked.kind == SHARES):
        shown = [] if right is None else [right]
    else:
        shown = list(range(len(asked.parts)))
    raised, about = len(hands.options(asked)), "" if known else hands.asked(asked)
    with st.container(key="words", gap="xxsmall"):
        if about:
            st.markdown(f"{about}?")
        for k in shown:
            option = words.md(asked.options[k])
            letter = choices.LETTERS[min(k, raised - 1)]
            st.markdown(f"✓ **{letter}: {option}**" if k == right else f"**{letter}:** {option}")
    return 1.6 * (len(shown) + bool(about))


def _classes(asked: Question) -> float:
    """Say what a hand may be raised for where no options say it; return the lines that it takes."""
    about = hands.asked(asked)
    names = zip(choices.LETTERS, hands.options(asked), strict=False)
    shown = "  ·  ".join(f"**{letter}:** {words.md(name)}" for letter, name in names)
    st.markdown(f"{words.md(about)}  ·  {shown}" if about else shown)
    return 1.5


def _true(screen: Screen) -> Truth:
    return true(screen.question, screen.entry.study, screen.entry.rate)


def _why(screen: Screen) -> None:
    lesson, found = screen.entry.lesson, _true(screen)
    assert lesson is not None
    if not screen.second:
        st.markdown(f"*{words.keyed(lesson.misconception)}*")
    st.markdown(words.keyed(explained(lesson.explanation(screen.question), found)))
    st.caption(words.keyed(f"True by: {found.source.rstrip('.')}."))


def _foot(every: Sequence[Screen], at: int, shown: Playlist) -> None:
    """Draw the way on and back, by arrows and by a remote's keys, the hands and the clock."""
    screen = every[at]
    before = every[at - 1] if at else None
    after = every[at + 1] if at + 1 < len(every) else None
    with st.container(key="foot", horizontal=True, vertical_alignment="center"):
        _way("Back", "back", before, ("Left", "PageUp"))
        _way(_named(after), "next", after, ("Right", "PageDown"))
        if screen.kind in (ASK, AGAIN) and not shown.brief:
            with st.popover("Count hands", icon=":material/front_hand:"):
                _hands(screen)
        if screen.kind in (PAUSE, READ):
            opening.offer(shown)
        entries = len(shown.entries)
        again = "Second vote · " if screen.kind == AGAIN else ""
        st.markdown(f"{again}{screen.place}/{entries}", width="content")
        left = 0 if shown.brief else sum(e.minutes for e in shown.entries[screen.place :])
        minutes = shown.minutes if shown.brief else screen.entry.minutes
        st.fragment(_clock, run_every=_TICK)(screen.place, minutes, left)
        with st.container(width="content"):
            _leave()


def _leave() -> None:
    """Offer the way back to where the list came from."""
    shown = {turns.LIST: address.get(turns.LIST)}
    st.page_link(layout.page("lessons"), label="Close", query_params=shown)


def _way(label: str, name: str, to: Screen | None, keys: tuple[str, str]) -> None:
    arrow, remote = keys
    for key, shortcut in ((f"turn_{name}", arrow), (f"twin_{name}", remote)):
        button(label, key, _go, to, shortcut=shortcut, disabled=to is None)


def _named(after: Screen | None) -> str:
    if after is None:
        return "The end"
    return PAUSES[after.entry.key] if after.kind == PAUSE else _NEXT[after.kind]


def _go(to: Screen | None) -> None:
    if to is not None:
        TURN.set(replace(TURN.get(), place=to.place, step=to.step))


def _hands(screen: Screen) -> None:
    """Take the counts of a vote as one line."""
    asked, second = screen.question, screen.kind == AGAIN
    letters = choices.LETTERS[: len(hands.options(asked))]
    now = " ".join(map(str, TURN.get().votes(asked)[second]))
    ask(
        f"hands_{asked.key}_{int(second)}",
        now,
        lambda given: _take(asked, second, given),
        lambda **how: st.text_input(
            f"Hands for {', '.join(letters)}", now, max_chars=40, placeholder="12 30 8 5", **how
        ),
    )
    if TURN.refusal:
        st.warning(f"{words.plain(TURN.refusal)} Nothing was counted.")
    else:
        st.caption("Both votes are shown together, after the second.")


def _take(asked: Question, second: bool, given: str) -> None:
    try:
        turns.count(asked, second, given)
    except DomainError as error:
        TURN.refuse(str(error))


def _clock(place: int, minutes: int, left: int) -> None:
    """Say the minutes that a place has taken, and those that the list still takes."""
    memory = st.session_state
    if memory.get(_SINCE, (0, 0.0))[0] != place:
        memory[_SINCE] = (place, time.monotonic())
    gone = int((time.monotonic() - memory[_SINCE][1]) / 60)
    rest = left + max(minutes - gone, 0)
    st.markdown(f"**{gone}** of {minutes} min, {rest} left", width="content")
