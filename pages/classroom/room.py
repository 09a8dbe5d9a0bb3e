"""A room: the way to its file, how it is opened and found, and what its phones are told."""

from __future__ import annotations

import functools
import io
import math
import re
import urllib.parse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import segno
import streamlit as st

from pages.charts import words
from pages.core import address, box, button, menu, number, shut
from rates.numbers import EPSILON
from rates.study import advantage
from rates.tally import coin_error, laplace_error, truth_chance
from sims import classroom
from sims.classroom import CARDS, COINS, CURATOR, PLAIN, Asked, RoomError, Rooms, Seen
from sims.lessons import Playlist

try:
    import resource
except ImportError:  # Windows, which knows no such limit
    resource = None  # type: ignore[assignment]

ROOM, ME = "room", "me"
POLL = 2.0  # seconds between two looks of a phone
_FILES = 4 * 4 * classroom.MOST_VOTERS  # four full rooms
_REFUSED, _SHOWN, _HOSTS, _KEYS = "room_refused", "room_shown", "room_hosts", "room_keys"


@st.cache_resource(show_spinner=False)
def _rooms(path: Path) -> Rooms:
    open_files()
    return Rooms(path)


def open_files() -> None:
    """Let the server hold enough open files, where the system allows it.

    Every phone takes four: its line, and three of Streamlit's loop for its session. Many systems
    begin with 1,024 for all, macOS with 256, which sixty phones use up.
    """
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def rooms() -> Rooms:
    """Return the rooms of this server.

    Raises:
        RoomError: Their file cannot be used.
    """
    return _rooms(classroom.place_of_files())


def asked() -> str:
    """Return the code of a room that the address names, as people write it; empty for none."""
    return "".join(address.get(ROOM).upper().split())[:20]


def look(me: str = "") -> Seen:
    """Return the room that the address names, and note what a screen shows of it.

    Raises:
        RoomError: There is none, or it does not know the phone.
    """
    seen = rooms().look(asked(), me)
    st.session_state[_SHOWN] = _what(seen)
    return seen


def follow(me: str = "") -> Seen | None:
    """Look whether the room has moved since, and only then draw the page again; for a fragment."""
    seen = None
    with suppress(RoomError):
        seen = rooms().look(asked(), me)
    if _what(seen) != st.session_state.get(_SHOWN):
        st.rerun()
    return seen


def _what(seen: Seen | None) -> tuple[str, int, bool] | None:
    return (seen.state, seen.place, seen.answered) if seen else None


def gone(error: RoomError, me: str = "") -> None:
    """Say that a room is gone or does not open; one that was on this screen is looked for again."""
    was = _SHOWN in st.session_state
    st.title("This room is gone" if was else "This room does not open")
    st.error(words.plain(error))
    if was:  # ended, or for a moment out of reach
        st.caption("This page looks again by itself; if the room has ended, nothing more comes.")
        st.session_state[_SHOWN] = None
        st.fragment(follow, run_every=POLL)(me)


def guarded(act: Callable[[], object]) -> Callable[[], None]:
    """Return what a button calls: what is refused is remembered for the run that follows."""

    def called() -> None:
        st.session_state[_REFUSED] = ""
        try:
            act()
        except RoomError as error:
            st.session_state[_REFUSED] = str(error)

    return called


def said_refused() -> None:
    """Say what was refused last, once."""
    if problem := st.session_state.pop(_REFUSED, ""):
        st.error(words.plain(problem))


# The lecturer's pass ----------------------------------------------------------------------------


def _enter(code: str, host: str) -> None:
    st.session_state[_HOSTS] = {**st.session_state.get(_HOSTS, {}), code: host}


def host(code: str) -> str:
    """Return this session's pass for a room; empty if it has none."""
    return str(st.session_state.get(_HOSTS, {}).get(code, ""))


def show_key(code: str) -> None:
    """Show the key of a room that was just opened, until it has been written down.

    Whoever sees the screen shall not read it for longer than needed.
    """
    keys = st.session_state.get(_KEYS, {})
    if key := keys.get(code):
        st.warning(
            f"The key of room {words.md(code)} is **{key}**. Write it down: it is shown only now, "
            "stored nowhere, and moves the room after a reload or from another computer."
        )
        button("I have it", "room_key_seen", keys.pop, code)


def ask_key(code: str) -> None:
    """Ask for the key where this window has no pass."""
    with st.form("key", border=False):
        given = st.text_input("The lecturer's key moves this room", type="password", max_chars=20)
        if not st.form_submit_button("Take over"):
            return
    try:
        _enter(code, rooms().admit(code, given))
    except RoomError as error:
        st.error(words.plain(error))
        return
    st.rerun()


# Opening one: which kind, and what is asked -----------------------------------------------------

_EPSILON, _BOX = "room_epsilon", "room_opening"
_LN3 = round(math.log(3), 4)
_BUDGET = EPSILON.within(
    f"[{classroom.LOWEST}, {classroom.HIGHEST:g}]",
    noun="The budget of one question",
    help="Protects one answer, replaced by the other. ln 3 = 1.10 can be tossed with two coins.",
    stops=(0.1, 0.2, 0.5, 1.0, _LN3, 2.0, 3.0, 5.0),
)
NAMES = {
    PLAIN: "Answers without protection",
    COINS: "Coins on the phone",
    CURATOR: "A curator who adds noise",
    CARDS: "Dealt cards",
}


def offer(shown: Playlist) -> None:
    """Draw the box that opens a room, and closes then; a plain one asks what a list asks."""
    with box(_BOX, "Vote by phone", ":material/smartphone:"):
        epsilon: float | None = None
        own = [entry for entry in shown.entries if entry.study or entry.rate]
        given = [
            Asked(key=question.key, own=entry.text() if entry in own else "")
            for entry in shown.entries
            for question in (entry.lesson.questions if entry.lesson else ())
        ]
        questions = list(dict.fromkeys(given))
        kind = menu("room_kind", "What becomes of the answers", NAMES)
        if kind == PLAIN:
            st.caption(f"It asks the {len(questions)} questions of the list.")
            if own:
                keys = words.listed([entry.key for entry in own])
                st.caption(f"The room stores what is your own in {keys}; phones show it.")
        else:
            epsilon = float(st.session_state.get(_EPSILON, _LN3))
            keep = functools.partial(st.session_state.__setitem__, _EPSILON)
            number("room_budget", "Budget ε of one question", _BUDGET, epsilon, keep)
            texts = "Does your card say yes?"
            if kind != CARDS:
                texts = st.text_area(
                    f"Questions for yes or no, one a line, at most {classroom.MOST_QUESTIONS}",
                    "Have you ever copied homework?",
                    max_chars=10_000,
                    key="room_questions",
                )
            questions = [Asked(text=line.strip()) for line in texts.splitlines() if line.strip()]
        st.caption(f"Phones say: {short(kind, epsilon)}")

        @functools.cache  # a second click, which may cut the first one short, finds the same room
        def opened() -> classroom.Opened:
            return rooms().open(kind, questions, epsilon)

        def open_room() -> None:
            room = opened()
            _enter(room.code, room.host)
            st.session_state[_KEYS] = {**st.session_state.get(_KEYS, {}), room.code: room.key}
            shut(_BOX)
            address.write({ROOM: room.code, "list": "", "place": "", "step": "", "hands": ""})

        button("Open the room", "room_open", guarded(open_room), type="primary")
        said_refused()


# How phones find it -----------------------------------------------------------------------------

_BASE = "room_base"
_HOST = re.compile(r"[A-Za-z0-9.\-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?")


def invite(code: str) -> None:
    """Draw the address for phones, with a code to photograph, or ask for one that they reach."""
    base = st.session_state.get(_BASE) or address.home()
    if address.loopback(base):
        st.warning(
            "No phone can use the address of this page. Start the app with `private-rates --share` "
            "and type this computer's address in the network."
        )
        _ask_host(base)
        return
    link = f"{base}/room?room={urllib.parse.quote(code)}"
    row = st.container(horizontal=True)  # the lecturer's key has to fit below
    picture, form = io.BytesIO(), {"xmldecl": False, "omitsize": True, "light": "#fff"}
    segno.make(link, error="m", micro=False).save(picture, kind="svg", border=4, **form)
    row.image(picture.getvalue().decode(), width=280, alt=f"To photograph; leads to {link}")
    row.markdown(f"**{words.md(link)}**", width="content")


def _ask_host(base: str) -> None:
    with st.form("lan", border=False):
        title = "This computer's address in the network, such as 192.168.1.20:8501"
        given = st.text_input(title, max_chars=300)
        if not st.form_submit_button("Use it"):
            return
    found = typed(given, base)
    if not found:
        rule = "An address is a name or number of a computer that others reach, with its port"
        st.error(f"{rule}; got {words.md(given[:60]) or 'an empty field'}.")
        return
    st.session_state[_BASE] = found
    st.rerun()


def typed(given: str, base: str) -> str:
    """Return the app's address at a host that was typed; empty if it is none that others reach.

    >>> typed("192.168.1.20:8501", "http://localhost:8501/app")
    'http://192.168.1.20:8501/app'
    >>> typed("localhost:8501", ""), typed("a b", "")
    ('', '')
    """
    scheme, _, rest = given.strip().rpartition("://")
    host = rest.split("/")[0]
    if scheme not in ("", "http", "https") or not _HOST.fullmatch(host):
        return ""
    folder = urllib.parse.urlsplit(base).path
    found = f"{scheme or 'http'}://{host}{folder}".rstrip("/")
    return "" if address.loopback(found) else found


def text(asked: Asked) -> str:
    """Return what is asked, as Markdown."""
    return words.md(asked.text) if asked.text else asked.question.text


# Who sees what, what is protected and how far, and what is not ----------------------------------


def compared(seen: Seen, n: int) -> str:
    """Return how the errors of both ways compare by their formulas, here and for a million."""
    assert seen.epsilon is not None
    coins, noise = coin_error(n, seen.epsilon), laplace_error(n, seen.epsilon)
    many = coin_error(10**6, seen.epsilon) / laplace_error(10**6, seen.epsilon)
    return (
        f"By the formulas, {n} answers leave a typical error of {words.percent(coins)} with coins "
        f"and {words.percent(noise)} with noise on the count: a factor of "
        f"{words.number(coins / noise)}, and of {words.number(many)} for a million."
    )


def short(kind: str, epsilon: float | None) -> str:
    """Return what stands above an answer: what leaves the phone, and what is ever shown."""
    often = words.percent(truth_chance(epsilon)) if epsilon else ""
    return {
        PLAIN: "Your answer is stored without a name. The class sees how all answered, not who.",
        CURATOR: "Your true answer is sent to the server, which counts it. Only the number of yes, "
        "with noise, is ever shown.",
        CARDS: "The answer is on a card that was dealt to you by chance, so nothing private is at "
        f"stake. The phone passes it on unchanged with probability {often}.",
        COINS: "The phone tosses coins: your answer leaves it unchanged with probability "
        f"{often}, else turned over. Nobody, the server included, learns which.",
    }[kind]


def long(seen: Seen) -> str:
    """Return the whole of it, as Markdown."""
    if seen.kind in (PLAIN, CARDS):
        return _WHO[seen.kind] + _END
    assert seen.epsilon is not None
    e, k = seen.epsilon, len(seen.questions)
    hits = words.number(100 * (1 + float(advantage(e))) / 2)
    each = "Each question" if k > 1 else "The question"
    budget = (
        "- **How far.** Two classes are neighbours if one phone's answer to a question is replaced "
        f"by the other. {each} is protected by ε = {words.number(e)}: who knows all other answers "
        f"guesses yours right at most {hits} times of 100, against 50 without any release."
    )
    if k > 1:
        budget += f" All {k} questions of this room together cost ε = {words.number(k * e)}."
    return f"{_WHO[seen.kind]}\n{budget}{_NOT}{_END}"


_WHO = {
    PLAIN: """
- **Who sees what.** The server stores your answer beside a random number that stands for this
  phone. Who runs the server can read it. The class sees a histogram from five answers on.
- **What is protected.** Nothing is protected by differential privacy: these are answers about
  mathematics, not about you.""",
    CARDS: """
- **Who sees what.** The card is dealt by the app, so the truth is known and may be shown: that is
  how the errors of both ways are compared without spending anybody's privacy.""",
    COINS: """
- **Who sees what.** The server counts the answer after the coins, and the class sees the corrected
  share of yes with its error. You trust the page that the server sent to this phone.""",
    CURATOR: """
- **Who sees what.** Your true answer reaches the server. It is counted, not stored beside this
  phone; until the release, the server's file and its log could still show which phone answered
  what to somebody who reads them. At the release noise is added once, and the count is deleted
  from file and log. Who runs the server could keep a copy before that: you trust them.""",
}
_NOT = """
- **What is not protected.** That you take part, and when; your address in the network, which the
  server sees. Without a padlock in the address bar the network sees what this phone sends. Two
  phones in one hand are two votes; nothing prevents it."""
_END = """
- **When it ends.** The room is deleted when the lecturer ends it, or 12 hours after the last
  action."""
