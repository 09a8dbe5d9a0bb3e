"""The lecturer's screen of a room: how to join, how many have answered, and then what.

Nothing of the answers is read before the last vote closes, nor the truth before the key that
shows it.
"""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.charts.lessons import choices, votes
from pages.classroom import desk, errors, join, opening, said
from pages.core import address, box, button, layout, stage
from pages.lessons import reveals
from sims.classroom import (
    AGAIN,
    CLOSED,
    ENDED,
    LOBBY,
    OPEN,
    PLAIN,
    SHOWN,
    TALK,
    Asked,
    RoomError,
    Seen,
    Voted,
)  # fmt: skip
from sims.lessons import CHOICE, SHARES, Question, explained, hands

POLL = 1.0  # seconds
_DRAWN, _ENDING = "board_drawn", "board_ending"
# What the key for onward does in each state, and what its button says.
_ON = {
    LOBBY: ("open", "Open the vote"),
    OPEN: ("close", "Close the vote"),
    TALK: ("again", "Second vote"),
    AGAIN: ("close", "Close the vote"),
    CLOSED: ("show", "Show the answer"),
    SHOWN: ("next", "Next question"),
}
_HEIGHT, _LINE, _LETTERS = 300.0, 17.0, 84
_LISTED = 6  # sites that have room, with what each holds


def draw() -> None:
    """Draw the screen of the room that the address names."""
    stage.large()
    try:
        seen = desk.rooms().look(desk.asked())
        _screen(seen)
    except RoomError as error:
        st.title("This room is gone" if _DRAWN in st.session_state else "This room does not open")
        st.error(words.plain(error))
        st.page_link(layout.page("lessons"), label="To the lessons")
        return
    st.session_state[_DRAWN] = (seen.state, seen.place)
    _watch(seen.code)
    desk.said_refused()
    _foot(seen)


@st.fragment(run_every=POLL)
def _watch(code: str) -> None:
    """Count phones and answers; only where the room has moved the screen is drawn again."""
    try:
        seen = desk.rooms().look(code)
        now = (seen.state, seen.place)
    except RoomError:
        now = (ENDED, 0)
    if now != st.session_state.get(_DRAWN):
        st.rerun()
    if text := said.counted(seen):
        st.markdown(text)


def _screen(seen: Seen) -> None:
    asked = seen.questions[seen.place]
    if _joining(seen):
        st.title(f"Join room {words.md(seen.code)}")
        join.draw(seen.code)
        return
    st.title(words.md(asked.text) if asked.text else asked.question.text)
    if seen.state in (CLOSED, SHOWN):
        found = desk.rooms().voted(seen.code, seen.place)
        if seen.kind == PLAIN:
            _plain(asked, found, shown=seen.state == SHOWN)
        else:
            errors.draw(seen, found, shown=seen.state == SHOWN)
        return
    if seen.kind == PLAIN:
        _axes(asked)


def _joining(seen: Seen) -> bool:
    """Whether the screen is for joining: nothing has been asked yet."""
    return seen.state == LOBBY and not seen.place


def _plain(of: Asked, found: Voted, *, shown: bool) -> None:
    """Draw both votes, or the truth and why."""
    asked = of.question
    counted = [hands.of_reports(asked, reports) for reports in found.rounds]
    answered = sum(map(len, found.rounds))
    left = answered - sum(map(sum, counted))
    counted += [()] * (len(votes.NAMES) - len(counted))
    names = hands.options(asked)
    lines = float(-(-len(asked.text) // _LETTERS))
    if not shown:
        if found.few or 0 < left == answered:
            st.info(said.few(found.total) if found.few else said.undecided(left))
            return
        listed = asked.kind == CHOICE and len(names) <= hands.MOST  # many leave no room for bars
        letters = choices.LETTERS[: len(names)] if listed else votes.columns(names)
        lines += _options(asked, None) if listed else 0.0
        if left:
            st.caption(said.undecided(left))
            lines += 1.5
        stage.picture(
            votes.drawn(letters, counted, title="", what="answers"), _HEIGHT - _LINE * lines
        )
        return
    known = of.truth
    if asked.kind == CHOICE:
        _options(asked, known.low.index(max(known.low)))
    else:
        stage.picture(reveals.reveal(asked, None, known, of.entry.study), _HEIGHT - _LINE * lines)


def _axes(of: Asked) -> None:
    """Draw what is asked for: the options, or the axes that the answers will stand on."""
    asked = of.question
    if asked.kind == CHOICE or (asked.kind == SHARES and len(asked.parts) <= _LISTED):
        _options(asked, None)
    else:
        blank = reveals.blank(asked, None, of.entry.study)
        stage.picture(reveals.untitled(blank), 0.8 * _HEIGHT)


def _options(asked: Question, right: int | None) -> float:
    """List the options of a choice; return the lines that they take."""
    with st.container(gap="xxsmall"):
        for letter, (k, part) in zip(choices.LETTERS, enumerate(asked.options), strict=False):
            option = f"**{letter}:** {words.md(part)}"
            st.markdown(f"✓ **{letter}: {words.md(part)}**" if k == right else option)
    return 1.5 * len(asked.parts)


def _foot(seen: Seen) -> None:
    """Draw the keys that move the room, for who has a pass."""
    opening.new_key(seen.code)
    if not desk.host(seen.code):
        with st.container(key="foot"), st.popover("Lecturer", icon=":material/key:"):
            opening.ask_key(seen.code)
        return
    action, label = _ON[seen.state]
    if seen.state == OPEN and seen.kind == PLAIN:
        action, label = "talk", "Close, talk to your neighbour"
    last = seen.place + 1 == len(seen.questions)
    with st.container(key="foot", horizontal=True, vertical_alignment="center"):
        _way("Back", "back", "back", seen, ("Left", "PageUp"), disabled=not seen.place)
        _way(
            label,
            "on",
            action,
            seen,
            ("Right", "PageDown"),
            type="primary",
            disabled=seen.state == SHOWN and last,
        )
        if seen.kind == PLAIN and seen.state == SHOWN:
            with st.popover("Why", icon=":material/lightbulb:"):
                _why(seen.questions[seen.place])
        about = box("room_box", "Room", ":material/meeting_room:")
        with about:
            _about(seen, still=about.open)
        st.markdown(
            f"Room **{words.md(seen.code)}** · {seen.place + 1} of {len(seen.questions)}",
            width="content",
        )


def _about(seen: Seen, *, still: bool) -> None:
    """Draw what is seldom needed of a room, or ask alone whether it shall end.

    The way back is last, where that was asked for: a second click there deletes nothing.
    """
    memory = st.session_state
    memory[_ENDING] = memory.get(_ENDING, "") if still else ""
    if memory[_ENDING] == seen.code:
        st.markdown(f"**End room {words.md(seen.code)}?** {said.ENDING}")
        _way("Delete the room", "delete", "end", seen)
        button("Keep the room", "turn_keep", _ending, "")
        return
    if not _joining(seen):
        join.draw(seen.code)
    if seen.state == TALK:
        _way("Close without a second vote", "close", "close", seen)
    if seen.kind == PLAIN and seen.state not in (LOBBY, SHOWN):
        _way("Empty this vote and open it again", "clear", "clear", seen)
    button("End the room and delete it", "turn_end", _ending, seen.code)


def _ending(code: str) -> None:
    st.session_state[_ENDING] = code


def _why(asked: Asked) -> None:
    lesson = asked.entry.lesson
    assert lesson is not None
    st.markdown(words.keyed(explained(lesson.explanation(asked.question), asked.truth)))


def _way(
    label: str,
    name: str,
    action: str,
    seen: Seen,
    keys: tuple[str, ...] = (),
    **how: object,
) -> None:
    step = desk.guarded(lambda: _step(seen, action))
    for key, shortcut in zip((f"turn_{name}", f"twin_{name}"), keys or ("",), strict=False):
        button(label, key, step, shortcut=shortcut or None, **how)


def _step(seen: Seen, action: str) -> None:
    desk.rooms().step(seen.code, desk.host(seen.code), action, seen.place)
    if action == "end":
        address.write({desk.ROOM: ""})
