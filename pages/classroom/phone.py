"""The phone: join, answer, and see what became of it; no bar, no account.

Answers with coins are tossed on the phone and sent by two buttons of ours: one of Streamlit would
send the answer itself. What they need for their tosses comes with the page, so a phone trusts the
page that the server sends, and nobody after that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from pages.charts import Fields, predictions, svg, theme, words
from pages.classroom import room
from pages.core import address, button, forget_pressed, presenter
from pages.lessons import fields, reading
from pages.pictures import attacker
from rates.tally import truth_chance
from sims import classroom, lessons
from sims.classroom import COINS, CURATOR, PLAIN, READ, TOLD, RoomError, Seen, sayings
from sims.lessons import CHOICE, PAUSES, TYPED, Question

_SMALL: Fields = {"width": 380.0, "height": 300.0}  # of a figure, in pixels of a phone
_HTML = (
    '<div class="both"><button type="button">Yes</button><button type="button">No</button></div>'
)
_CSS, _JS, _KEEP = (
    Path(__file__).with_name(name).read_text("utf-8")
    for name in ("coins.css", "coins.js", "keep.js")
)


def draw() -> None:
    """Draw the page."""
    presenter.style("phone")
    code, me = room.asked(), ""
    try:
        me = room.me(code) if code else ""
        if me:
            _room(me)
        elif code:
            _offer()
        else:
            _ask_code()
    except RoomError as error:
        room.gone(error, me)
        _ask_code()


def _ask_code() -> None:
    st.title("Join a class")
    with st.form("code", border=False):
        code = st.text_input("Code of the room, six letters and digits", max_chars=20)
        if st.form_submit_button("Go on", type="primary", width="stretch") and code.strip():
            address.write({room.ROOM: code.strip().upper()})
            st.rerun()


def _offer() -> None:
    seen = room.look()
    st.title(f"Room {words.md(seen.code)}")
    st.markdown(
        "No account and no name. This phone gets a random number, which its browser keeps in a "
        "cookie, so that a reload finds your answers again."
    )
    own, key = room.token(seen.code), f"keep_{seen.code}"
    keep = st.components.v2.component("keep", js=_KEEP)
    keep(key=key, data={"name": room.cookie(seen.code), "token": own}, on_token_change=lambda: None)

    def join() -> None:  # an older Streamlit has nothing there before the browser has told
        room.join(seen.code, st.session_state.get(key, {}).get("token") or own)

    button("Join", "join", room.guarded(join), type="primary", width="stretch")
    room.said_refused()


def _room(me: str) -> None:
    seen = room.look(me)
    st.caption(f"Room {words.md(seen.code)} · question {sayings.at(seen)}")
    if seen.joining:
        st.title("You are in")
        st.markdown("The next question appears here by itself.")
    elif seen.kind == classroom.PAUSE:
        st.title(PAUSES[seen.asked.key])
    else:
        _question(seen, me)
    room.said_refused()
    if seen.kind != classroom.PAUSE:
        with st.expander("Who sees what, and what is protected"):
            st.markdown(sayings.long(seen))
    st.fragment(room.follow, run_every=room.POLL)(me)


def _question(seen: Seen, me: str) -> None:
    lesson = seen.asked.lesson
    if lesson and seen.state == READ and seen.asked.first:
        st.subheader(lesson.title, anchor=False)
        st.markdown(reading(lesson))
        return
    st.subheader(room.text(seen.asked), anchor=False)
    if lesson and lesson.read:
        with st.expander("What it is about"):
            st.markdown(reading(lesson))
    if seen.state == READ:
        st.info("The vote opens soon.")
    elif seen.state in classroom.VOTING:
        _answer(seen, me)
    elif seen.state in TOLD or (seen.state == classroom.CLOSED and not seen.asked.known):
        _told(seen)
    else:
        talk = "Talk to your neighbour; you can vote again after that."
        st.info(
            f"The vote is closed. {talk if seen.state == classroom.TALK else 'Look at the screen.'}"
        )
    if seen.mine is not None and seen.state not in TOLD:
        mine = lessons.answer(seen.asked.question, seen.asked.report(seen.mine))
        st.markdown(f"Your answer: **{words.plain(mine)}**")


def _told(seen: Seen) -> None:
    """Show one's own answer, what is true, and the class."""
    one, voted = seen.asked, room.rooms().voted(seen.code, seen.place)
    if seen.kind != PLAIN:
        for line in sayings.estimated(one, voted, dealt=seen.state in TOLD):
            st.markdown(line)
        return
    truth = one.truth if seen.state in TOLD else None
    if truth:
        mine = None if seen.mine is None else lessons.answer(one.question, one.report(seen.mine))
        said = words.plain(mine) if mine else "none"
        true = words.plain(lessons.true_answer(one.question, truth))
        st.markdown(f"Your answer: **{said}**  \nTrue: **{true}**")
        if one.question.kind == TYPED and seen.mine is not None:
            verdict = lessons.typed.verdict(one.question, one.report(seen.mine), truth)
            st.markdown(words.plain(verdict))
    drawn = room.class_figure(one, voted, truth, seen.mine)
    ink = theme.INK[st.context.theme.type or "light"]
    look = {"ident": "class", "alt": drawn.alt, "ink": ink, **_SMALL}
    picture = svg.draw(drawn.figure, **look)
    st.image(picture, width="stretch", alt=drawn.alt)
    if seen.state == classroom.WHY:
        st.markdown(room.task(one).why)


def _answer(seen: Seen, me: str) -> None:
    if seen.state == classroom.AGAIN:
        st.caption("Second vote on the same question.")
    st.caption(sayings.short(seen.asked))
    if seen.asked.key == "attack-transfer":  # it asks for a game
        attacker.play(me)
    if seen.kind == PLAIN:
        (_options if seen.asked.question.kind == CHOICE else _numbers)(seen, me)
        if seen.answered:
            st.caption("It is stored. You can change it until the vote closes.")
    elif seen.answered:
        st.success("Your answer is stored.")
    elif seen.kind == CURATOR:
        _both(seen, ("Yes", "No"), "tell", partial(_tell, seen, me))
    else:
        _toss(seen, me)


def _both(seen: Seen, labels: tuple[str, str], name: str, send: Callable[[object], object]) -> None:
    """Draw two buttons, for yes and for no."""
    for label, bit in zip(labels, (1, 0), strict=True):
        key = f"{name}_{seen.code}_{seen.place}_{bit}"
        button(label, key, room.guarded(partial(send, bit)), width="stretch")


def _tell(seen: Seen, me: str, bit: object) -> None:
    forget_pressed()  # the session shall not know more than the count
    room.rooms().tell(seen.code, me, seen.place, bit)


def _options(seen: Seen, me: str) -> None:
    """Draw a button for each option, which sends it; the one that is stored is marked."""
    for k, option in enumerate(seen.asked.question.options):
        chosen = seen.mine is not None and seen.asked.report(seen.mine)[k] == 1
        send = partial(room.rooms().vote, seen.code, me, seen.place, k)
        label = f"{'✓ ' * chosen}{predictions.LETTERS[k]}: {words.md(option)}"
        key = f"option_{seen.code}_{seen.place}_{seen.round}_{k}"
        look = "primary" if chosen else "secondary"
        button(label, key, room.guarded(send), width="stretch", type=look)


def _numbers(seen: Seen, me: str) -> None:
    """Ask for the numbers, say what is missing, and send them."""
    asked = seen.asked.question
    key = f"{seen.code}_{seen.place}_{seen.round}"
    fields.forget(key)
    fields.ask(asked, key)
    missing = fields.missing(asked, key)

    send = partial(_send, seen.code, me, seen.place, asked, key)
    label = "Change my answer" if seen.answered else "Send my answer"
    look = {"type": "primary", "width": "stretch", "disabled": bool(missing)}
    button(label, f"send_{key}", room.guarded(send), **look)
    if missing:
        st.caption(missing)


def _send(code: str, me: str, place: int, asked: Question, key: str) -> None:
    """Send the numbers; what a session keeps of an old question holds no more than this."""
    report, problem = fields.taken(asked, key)
    if problem:
        raise RoomError(f"Nothing was sent. {problem}")
    room.rooms().vote(code, me, place, report)


def _toss(seen: Seen, me: str) -> None:
    epsilon = seen.asked.epsilon
    assert epsilon is not None
    if seen.kind == classroom.CARDS:
        card = "Yes" if classroom.dealt_card(seen.code, me, seen.place) else "No"
        st.markdown(f"Your card says **{card}**. Answer as the card says.")

    send = partial(room.rooms().send_bit, seen.code, me, seen.place)
    key = f"coins_{seen.code}_{seen.place}"  # new for every question

    sent = room.guarded(lambda: send(getattr(st.session_state.get(key), "bit", None)))
    tosses = st.components.v2.component("coins", html=_HTML, css=_CSS, js=_JS)
    tosses(key=key, data={"kept": truth_chance(epsilon)}, on_bit_change=sent)
    if seen.kind == COINS and math.isclose(epsilon, math.log(3), rel_tol=1e-3):
        with st.expander("I do not trust this page: real coins"):
            # Two of them promise what epsilon = ln 3 does.
            st.markdown(
                "Toss two coins where nobody looks. Two heads: send the opposite of your answer. "
                "Else: send your answer. That protects you with ε = ln 3 = "
                f"{words.number(math.log(3))}, whatever this page does."
            )
            _both(seen, ("I send yes", "I send no"), "hand", send)
