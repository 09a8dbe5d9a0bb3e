"""The phone: join, answer, and see what became of it; no bar, no figure, no account.

An answer that is tossed leaves the phone through two buttons of ours, as one of Streamlit would
send it as it is. What they need for their tosses comes with the page, so a phone trusts the page
that the server sends, and nobody after that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial

import streamlit as st

from pages.charts import words
from pages.classroom import room
from pages.core import address, button, forget_pressed
from pages.lessons import fields, reading
from rates.tally import truth_chance
from sims import classroom, lessons
from sims.classroom import AGAIN, LOBBY, OPEN, PLAIN, RoomError, Seen

_HTML = (
    '<div class="both"><button type="button">Yes</button><button type="button">No</button></div>'
)
_CSS = """
.both { display: grid; gap: 0.75rem; }
button { min-height: 3rem; font: inherit; font-size: 1.1rem; border-radius: 0.5rem;
  border: 1px solid var(--st-primary-color); background: var(--st-background-color);
  color: var(--st-text-color); cursor: pointer; }
button:hover, button:focus-visible { background: var(--st-secondary-background-color);
  outline: 2px solid var(--st-primary-color); }
button:disabled { opacity: 0.6; cursor: default; }
"""
# 53 bits of a toss, as a double has them, against the chance that the answer passes unchanged.
_JS = """
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const buttons = [...parentElement.querySelectorAll("button")];
  const toss = () => {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
  };
  buttons.forEach((button, place) => {
    button.onclick = () => {
      buttons.forEach((one) => { one.disabled = true; });
      const yes = place === 0;
      setTriggerValue("bit", Number(toss() < data.kept ? yes : !yes));
    };
  });
}
"""


def draw() -> None:
    """Draw the page."""
    code, me = room.asked(), address.get(room.ME)
    try:
        if not code:
            _ask_code()
        elif not me:
            _offer(code)
        else:
            _room(me)
    except RoomError as error:
        room.gone(error, me)
        _ask_code()


def _ask_code() -> None:
    st.title("Join a class")
    with st.form("code", border=False):
        code = st.text_input("Code of the room, four letters and digits", max_chars=20)
        if st.form_submit_button("Go on", type="primary", width="stretch") and code.strip():
            address.write({room.ROOM: code.strip().upper(), room.ME: ""})
            st.rerun()


def _offer(code: str) -> None:
    seen = room.rooms().look(code)
    st.title(f"Room {words.md(seen.code)}")
    st.markdown(
        f"**{room.NAMES[seen.kind]}.** No account and no name. This phone gets a random number; it "
        "stands in the address of this page, so that a reload finds your answers again."
    )

    @cache  # a second tap, which may cut the first one short, is of the same phone
    def joined() -> str:
        return room.rooms().join(seen.code)

    def join() -> None:
        address.write({room.ROOM: seen.code, room.ME: joined()})

    button("Join", "join", room.guarded(join), type="primary", width="stretch")
    room.said_refused()


def _room(me: str) -> None:
    seen = room.look(me)
    st.caption(f"Room {words.md(seen.code)} · question {seen.place + 1} of {len(seen.questions)}")
    if seen.state != LOBBY:
        _question(seen, me)
    else:
        st.title("You are in")
        st.markdown("The next question appears here by itself.")
    room.said_refused()
    with st.expander("Who sees what, and what is protected"):
        st.markdown(room.long(seen))
    st.fragment(room.follow, run_every=room.POLL)(me)


def _question(seen: Seen, me: str) -> None:
    asked = seen.questions[seen.place]
    st.subheader(room.text(asked), anchor=False)
    if lesson := asked.entry.lesson if asked.key else None:
        with st.expander("What it is about"):
            st.markdown(reading.text(lesson))
    if seen.state in (OPEN, AGAIN):
        _answer(seen, me)
    elif seen.state != LOBBY:
        talk = "Talk to your neighbour; you can vote again after that."
        then = talk if seen.state == classroom.TALK else "Look at the screen."
        st.info(f"The vote is closed. {then}")
    if seen.mine is not None:
        mine = lessons.answer(asked.question, seen.mine)
        st.markdown(f"Your answer: **{words.plain(mine)}**")


def _answer(seen: Seen, me: str) -> None:
    if seen.state == AGAIN:
        st.caption("Second vote on the same question.")
    st.caption(room.short(seen.kind, seen.epsilon))
    if seen.kind == PLAIN:
        _predict(seen, me)
    elif seen.answered:
        st.success("Your answer is stored.")
    elif seen.kind == classroom.CURATOR:
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


def _predict(seen: Seen, me: str) -> None:
    asked = seen.questions[seen.place].question
    key = f"{seen.code}_{seen.place}_{seen.round}"
    fields.forget(key)
    fields.ask(asked, key)
    missing = fields.missing(asked, key)

    def send() -> None:
        report, problem = fields.taken(asked, key)
        if problem:
            raise RoomError(f"Nothing was sent. {problem}")
        room.rooms().vote(seen.code, me, seen.place, report)

    button(
        "Change my answer" if seen.answered else "Send my answer",
        f"send_{key}",
        room.guarded(send),
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
    if seen.kind == classroom.CARDS:
        card = "Yes" if classroom.dealt_card(seen.code, me, seen.place) else "No"
        st.markdown(f"Your card says **{card}**. Answer as the card says.")

    send = partial(room.rooms().send_bit, seen.code, me, seen.place)
    key = f"coins_{seen.code}_{seen.place}"  # new for every question

    sent = room.guarded(lambda: send(getattr(st.session_state.get(key), "bit", None)))
    tosses = st.components.v2.component("coins", html=_HTML, css=_CSS, js=_JS)
    tosses(key=key, data={"kept": truth_chance(seen.epsilon)}, on_bit_change=sent)
    if seen.kind == classroom.COINS and math.isclose(seen.epsilon, math.log(3), rel_tol=1e-3):
        with st.expander("I do not trust this page: real coins"):
            # Two of them promise what epsilon = ln 3 does.
            st.markdown(
                "Toss two coins where nobody looks. Two heads: send the opposite of your answer. "
                "Else: send your answer. That protects you with ε = ln 3 = "
                f"{words.number(math.log(3))}, whatever this page does."
            )
            _both(seen, ("I send yes", "I send no"), "hand", send)
