"""A room on its screens: its file, how it is opened and found, who moves it, its answers."""

from __future__ import annotations

import functools
import math
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import streamlit as st

from pages.charts import Figure, predictions, words
from pages.core import address, box, button, number, shut
from pages.lessons import Task, reveals
from rates.numbers import EPSILON
from sims import classroom, lessons
from sims.classroom import Asked, RoomError, Rooms, Seen, Voted, found, onward, option_of, sayings
from sims.lessons import CHOICE, SHARES, TYPED, Playlist, Question, Truth, hands, plain

try:
    import resource
except ImportError:  # Windows, which knows no such limit
    resource = None  # type: ignore[assignment]

ROOM, SIDE, PRIVATE = "room", "side", "private"
POLL = 2.0  # seconds between two looks of a phone
_FILES = 4 * 4 * classroom.MOST_VOTERS  # four full rooms
_REFUSED, _SHOWN, _HOSTS, _KEYS = "room_refused", "room_shown", "room_hosts", "room_keys"
_ME, _KNOWN, _SINCE, _PACE = "room_me", "room_known", "room_since", "room_pace"


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
        RoomError: There is none, it does not know the phone, or too many codes were tried.
    """
    code = asked()
    if st.session_state.get(_KNOWN) != code:
        paced(classroom.CODES)
    seen = rooms().look(code, me)
    st.session_state[_KNOWN], st.session_state[_SHOWN] = code, _what(seen)
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
    (st.info if was else st.error)(words.plain(error))
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


def paced(pace: classroom.Pace) -> None:
    """Count a try of this session.

    Raises:
        RoomError: There were too many.
    """
    key = f"{_PACE}_{pace.what}"
    st.session_state[key] = pace.after(st.session_state.get(key, ()), time.monotonic())


def clock(place: int, minutes: int = 0) -> str:
    """Return how long a place has been on this screen, in minutes, and how long it should be."""
    memory, now = st.session_state, time.monotonic()
    if memory.get(_SINCE, (-1, 0.0))[0] != place:
        memory[_SINCE] = (place, now)
    gone_by = int((now - memory[_SINCE][1]) / 60)
    return f"{gone_by} of {minutes} min" if minutes else f"{gone_by} min"


def text(one: Asked) -> str:
    """Return what is asked, as Markdown."""
    return task(one).text if one.key else words.md(one.text)


# Who is who -------------------------------------------------------------------------------------


def me(code: str) -> str:
    """Return this phone's token in a room, of the session or kept by the browser; empty if none."""
    kept = st.context.cookies.get(cookie(code), "")
    token = str(st.session_state.get(_ME, {}).get(code, kept))
    return token if token and rooms().knows(code, token) else ""


def cookie(code: str) -> str:
    """Return the name under which a browser keeps its token: an address holds none."""
    return f"room_{code}"


def token(code: str) -> str:
    """Return the token with which this session would join, if its browser has none yet."""
    return str(st.session_state.setdefault(f"room_token_{code}", classroom.new_token()))


def join(code: str, token: object) -> None:
    """Let this phone in; a second tap, and another tab of its browser, are of the same phone."""
    paced(classroom.JOINS)
    st.session_state[_ME] = {code: rooms().join(code, token)}


def _enter(code: str, host: str) -> None:
    st.session_state[_HOSTS] = {**st.session_state.get(_HOSTS, {}), code: host}


def host(code: str) -> str:
    """Return this session's pass for a room; empty if it has none."""
    return str(st.session_state.get(_HOSTS, {}).get(code, ""))


def show_key(code: str) -> None:
    """Show the key of a room that was just opened, until it has been written down."""
    keys = st.session_state.get(_KEYS, {})
    if key := keys.get(code):
        st.warning(
            f"The key of room {words.md(code)} is **{key}**. Write it down: it is shown only now, "
            "stored nowhere, and moves the room after a reload or from another computer."
        )
        button("I have it", "room_key_seen", keys.pop, code)


def ask_key(code: str) -> None:
    """Ask for the key where this window has no pass; whoever tries too often waits, alone."""
    with st.form("key", border=False):
        given = st.text_input("The lecturer's key moves this room", type="password", max_chars=20)
        if not st.form_submit_button("Take over"):
            return
    try:
        paced(classroom.KEYS)
        _enter(code, rooms().admit(code, given))
    except RoomError as error:
        st.error(words.plain(error))
        return
    st.rerun()


def step(seen: Seen, action: str) -> Callable[[], None]:
    """Return what a button of the lecturer calls."""

    def act() -> None:
        rooms().step(seen.code, host(seen.code), action, seen.place)
        if action == "end":
            address.write({ROOM: "", SIDE: ""})

    return guarded(act)


_WAYS = {"back": ("Left", "PageUp"), "on": ("Right", "PageDown")}  # an arrow, and a remote's


def way(label: str, name: str, press: Callable[..., None], *args: object, **how: object) -> None:
    """Draw a button on or back twice: for an arrow, and for a remote's key."""
    for kind, key in zip(("turn", "twin"), _WAYS[name], strict=True):
        button(label, f"{kind}_{name}", press, *args, shortcut=key, **how)


def keys(seen: Seen) -> None:
    """Draw the keys that move the room, for who has a pass."""
    action, last = onward(seen), seen.place + 1 == len(seen.questions)
    way("Back", "back", step(seen, "back"), disabled=not seen.place)
    way(sayings.label(seen), "on", step(seen, action), type="primary", disabled=not action)
    if action != "next" and not seen.joining:
        button("Skip", "turn_skip", step(seen, "next"), disabled=last)
    if seen.state == classroom.TALK:
        button("No second vote", "turn_close", step(seen, "close"))


# Opening one ------------------------------------------------------------------------------------

_EPSILON, _BOX = "room_epsilon", "room_opening"
_LN3 = round(math.log(3), 4)
_BUDGET = EPSILON.within(f"[{classroom.LOWEST}, {classroom.HIGHEST:g}]")
_OWN = f"""Of your own: {plain.HOW}. For yes and no: `Is it? | coins` (tossed on every phone),
`Is it? | curator` (true answers, noise on the count), `Does your card say yes? | cards` (both ways
on dealt cards)."""


def offer(shown: Playlist) -> None:
    """Offer a room: the questions of a list, and of one's own, one a line.

    Not where the app runs in a browser: no phone could reach it.
    """
    if sys.platform == "emscripten":
        return
    with box(_BOX, "Vote by phone", ":material/smartphone:"):
        key = f"room_lines_{zlib.crc32(shown.text().encode())}"
        lines, most = "\n".join(shown.named), classroom.MOST_LINES
        st.text_area("What is asked, one a line", lines, key=key, max_chars=most, height=200)
        epsilon = float(st.session_state.get(_EPSILON, _LN3))

        @functools.cache  # a second click, which may cut the first one short, finds the same room
        def opened() -> classroom.Opened:
            paced(classroom.ROOMS)
            # What was typed may come with the press.
            asked = classroom.read_questions(st.session_state[key], shown, epsilon)
            return rooms().open(asked)

        def open_room() -> None:
            room = opened()
            _enter(room.code, room.host)
            st.session_state[_KEYS] = {**st.session_state.get(_KEYS, {}), room.code: room.key}
            shut(_BOX)
            gone_ = dict.fromkeys(("list", "place", "step", "hands"), "")
            address.write({ROOM: room.code, SIDE: PRIVATE, **gone_})

        button("Open the room", "room_open", guarded(open_room), type="primary")
        said_refused()
        st.caption(_OWN)
        keep = functools.partial(st.session_state.__setitem__, _EPSILON)
        number("room_budget", "Budget ε of one question that is protected", _BUDGET, epsilon, keep)
        if own := [entry.key for entry in shown.entries if entry.study or entry.rate]:
            keys = words.listed(own)
            st.caption(f"The room stores what is your own in {keys}; phones show it.")


# How phones find it -----------------------------------------------------------------------------


def base(code: str) -> str:
    """Return where phones find the app: what the lecturer said, or this computer in its network."""
    return rooms().address(code) or found.reached(address.home(), found.network())


def ask_address(code: str) -> None:
    """Ask where phones find the app, this computer's own address being filled in."""
    now = base(code)
    if any(map(found.loopback, (now, f"http://{st.get_option('server.address')}"))):
        st.warning(
            "Phones cannot reach this server: start it with `private-rates --share`, and let the "
            "firewall pass its port."
        )
    with st.form("lan", border=False):
        given = st.text_input("Address that phones use", now, max_chars=300)
        if not st.form_submit_button("Use it"):
            return
    if base_ := found.typed(given, address.home()):
        rooms().tell_address(code, host(code), base_)
        st.rerun()
    rule = "An address is a name or number of a computer that others reach, with its port"
    st.error(f"{rule}; got {words.md(given[:60]) or 'an empty field'}.")


# The answers of a class in one figure -----------------------------------------------------------

MOST_PARTS = 6  # parts that have room for a row each
Report = tuple[float, ...]


def task(one: Asked) -> Task:
    """Return a question of a lesson with what is true of it."""
    return Task(one.entry, one.question)


def class_figure(
    one: Asked, voted: Voted, truth: Truth | None = None, mine: Report | None = None
) -> Figure:
    """Return how a class answered a plain question.

    Args:
        one: The question.
        voted: The answers; of a vote of few there are none.
        truth: What is true; None as long as it is not to be known, or where nothing is.
        mine: What a phone answered; None for the class.
    """
    question = one.question
    given = None if mine is None else one.report(mine)
    if question.kind in (CHOICE, TYPED) or len(question.parts) > MOST_PARTS:
        counts = [hands.of_reports(question, reports) for reports in voted.rounds]
        return class_bars(question, counts, "answers", truth, given)
    true = zip(truth.low, truth.high, strict=True) if truth else ()
    shown = [*voted.rounds]
    if len(question.parts) > 2:  # no room for both votes
        shown = [(), *shown[1:]] if any(shown[1:]) else shown[:1]
    scale, look = reveals.axis(question), {"title": "", "name": "answers"}
    return predictions.answers_figure(
        scale, question.parts, shown, true=tuple(true), mine=given or (), **look
    )


def class_bars(
    question: Question,
    counts: Sequence[Sequence[int]],
    what: str,
    truth: Truth | None,
    mine: Report | None = None,
) -> Figure:
    """Return the parts of a class for each option or range, with the right one marked."""
    names, choice = hands.options(question), question.kind == CHOICE
    few = choice or (question.kind == SHARES and len(question.parts) <= hands.MOST)
    return predictions.votes_figure(
        [*predictions.LETTERS[: len(names)]] if few else predictions.columns(names),
        counts,
        title=f"True: {lessons.true_answer(question, truth)}" if truth and not choice else "",
        what=what,
        right=option_of(question, truth.low if truth else None),
        mine=option_of(question, mine),
    )
