"""The phone: join, answer, and see what became of it; no side bar, no figure, no account."""

from __future__ import annotations

import math
from functools import cache, partial

import streamlit as st

from pages.charts import words
from pages.classroom import coins, desk, said
from pages.core import address, button, forget_pressed, inputs
from pages.lessons import fields
from pages.lessons import said as answers
from rates.tally import truth_chance
from sims.classroom import (
    AGAIN,
    CARDS,
    CLOSED,
    COINS,
    CURATOR,
    ENDED,
    LOBBY,
    OPEN,
    PLAIN,
    SHOWN,
    TALK,
    RoomError,
    Seen,
    dealt_card,
)  # fmt: skip

POLL = 2.0  # seconds
_SHOWN = "phone_shown"
_NOWHERE = (ENDED, 0, False)


def draw() -> None:
    """Draw the page."""
    code, me = desk.asked(), address.get(desk.ME)
    try:
        if not code:
            _ask_code()
        elif not me:
            _offer(code)
        else:
            _room(code, me)
    except RoomError as error:
        was_in = me and _SHOWN in st.session_state
        st.title("This room is gone" if was_in else "This room does not open")
        st.error(words.plain(error))
        if was_in:  # ended, or for a moment out of reach
            st.caption(said.GONE)
            st.session_state[_SHOWN] = _NOWHERE
            _watch(code, me)
        _ask_code()


def _ask_code() -> None:
    st.title("Join a class")
    with st.form("code", border=False):
        code = st.text_input("Code of the room, four letters and digits", max_chars=20)
        if st.form_submit_button("Go on", type="primary", width="stretch") and code.strip():
            address.write({desk.ROOM: code.strip().upper(), desk.ME: ""})
            st.rerun()


def _offer(code: str) -> None:
    seen = desk.rooms().look(code)
    st.title(f"Room {words.md(seen.code)}")
    st.markdown(
        f"**{said.NAMES[seen.kind]}.** No account and no name. This phone gets a random number; it "
        "stands in the address of this page, so that a reload finds your answers again."
    )

    @cache  # a second tap, which may cut the first one short, is of the same phone
    def joined() -> str:
        return desk.rooms().join(seen.code)

    def join() -> None:
        address.write({desk.ROOM: seen.code, desk.ME: joined()})

    button("Join", "join", desk.guarded(join), type="primary", width="stretch")
    desk.said_refused()


def _room(code: str, me: str) -> None:
    seen = desk.rooms().look(code, me)
    st.session_state[_SHOWN] = _what(seen)
    st.caption(
        f"Room {words.md(seen.code)} · question {seen.place + 1} of {len(seen.questions)} · "
        f"{said.NAMES[seen.kind].lower()}"
    )
    if seen.state != LOBBY:
        _question(seen, me)
    else:
        st.title("You are in")
        st.markdown(said.WAITING)
    desk.said_refused()
    with st.expander("Who sees what, and what is protected"):
        st.markdown(said.long(seen))
    _watch(code, me)


@st.fragment(run_every=POLL)
def _watch(code: str, me: str) -> None:
    """Look whether the lecturer has moved the room; only then the page is drawn again."""
    try:
        now = _what(desk.rooms().look(code, me))
    except RoomError:
        now = _NOWHERE
    if now != st.session_state.get(_SHOWN):
        st.rerun()


def _what(seen: Seen) -> tuple[str, int, bool]:
    return seen.state, seen.place, seen.answered


def _question(seen: Seen, me: str) -> None:
    asked = seen.questions[seen.place]
    st.title(words.md(asked.text) if asked.text else words.md(f"Question {seen.place + 1}"))
    if asked.key:
        st.markdown(asked.question.text)
        lesson = asked.entry.lesson
        assert lesson is not None
        with st.expander("What it is about"):
            st.markdown(lesson.read)
    if seen.state in (OPEN, AGAIN):
        _answer(seen, me)
    elif seen.state == TALK:
        st.info(said.TALKING)
    elif seen.state in (CLOSED, SHOWN):
        st.info(said.CLOSED)
    if seen.mine is not None:
        st.markdown(f"Your answer: **{answers.answer(asked.question, seen.mine)}**")


def _answer(seen: Seen, me: str) -> None:
    if seen.state == AGAIN:
        st.caption("Second vote on the same question.")
    st.caption(said.short(seen))
    if seen.kind == PLAIN:
        _predict(seen, me)
    elif seen.answered:
        st.success(said.SENT)
    elif seen.kind == CURATOR:
        for label, bit in (("Yes", 1), ("No", 0)):
            button(
                label,
                f"tell_{seen.code}_{seen.place}_{bit}",
                desk.guarded(partial(_tell, seen, me, bit)),
                width="stretch",
            )
    else:
        _toss(seen, me)


def _tell(seen: Seen, me: str, bit: int) -> None:
    forget_pressed()  # the session shall not know more than the count
    desk.rooms().tell(seen.code, me, seen.place, bit)


def _predict(seen: Seen, me: str) -> None:
    asked = seen.questions[seen.place].question
    key = f"{seen.code}_{seen.place}_{seen.round}"
    fields.forget(key)
    fields.ask(asked, key)
    missing = fields.missing(asked, key)

    def send() -> None:
        inputs.apply_inputs()  # what was moved or typed may come with the tap
        if problem := fields.problem(asked, key):
            raise RoomError(f"Nothing was sent. {problem}")
        desk.rooms().vote(seen.code, me, seen.place, fields.report(asked, key))

    button(
        "Change my answer" if seen.answered else "Send my answer",
        f"send_{key}",
        desk.guarded(send),
        type="primary",
        width="stretch",
        disabled=bool(missing),
    )
    if missing:
        st.caption(missing)
    if seen.answered:
        st.caption("It is stored. You can change it until the vote closes.")


def _toss(seen: Seen, me: str) -> None:
    assert seen.epsilon is not None
    if seen.kind == CARDS:
        card = "Yes" if dealt_card(seen.code, me, seen.place) else "No"
        st.markdown(f"Your card says **{card}**. Answer as the card says.")

    def send(bit: object) -> None:
        desk.guarded(partial(desk.rooms().send_bit, seen.code, me, seen.place, bit))()

    coins.buttons(f"coins_{seen.code}_{seen.place}", truth_chance(seen.epsilon), send)
    if seen.kind == COINS and math.isclose(seen.epsilon, math.log(3), rel_tol=1e-3):
        with st.expander("I do not trust this page: real coins"):
            _hand(seen, me)


def _hand(seen: Seen, me: str) -> None:
    """Real coins: two of them promise what epsilon = ln 3 does."""
    st.markdown(
        "Toss two coins where nobody looks. Two heads: send the opposite of your answer. Else: "
        "send your answer. That protects you with ε = ln 3 = "
        f"{words.number(math.log(3))}, whatever this page does."
    )
    for label, bit in (("I send yes", 1), ("I send no", 0)):
        button(
            label,
            f"hand_{seen.code}_{seen.place}_{bit}",
            desk.guarded(partial(desk.rooms().send_bit, seen.code, me, seen.place, bit)),
            width="stretch",
        )
