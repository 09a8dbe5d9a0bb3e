"""The projector: a list of lessons, one screen after the other, or the screen of a room.

Nothing that is true is computed before the screen that shows it, and of a room's answers nothing
is read before the last vote closes. A room's key and its end are on the lecturer's own screen.
"""

from __future__ import annotations

import io
import math
import operator
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import segno
import streamlit as st

from pages import charts, core
from pages.charts import Figure, predictions, words
from pages.classroom import lecturer, room
from pages.core import Texts, UrlState, address, button, layout, presenter
from pages.lessons import Task, reading, reveals, sites_line, tasks
from rates.numbers import DomainError
from sims import classroom, lessons
from sims.classroom import Seen, Voted, flow, option_of, sayings
from sims.lessons import CHOICE, LISTS, PAUSES, SHARES, Entry, Lesson, Playlist, Question, hands

LIST = "list"
POLL = 1.0  # seconds
WIDE = 2.0  # standard errors to each side
_LETTERS, _SMALL = 84, 112  # of a question in one line, and of what is small
_FULL, _LINE = 318.0, 17.0  # height of a figure under a question of no line, and of a line


def draw() -> None:
    """Draw the screen whose turn it is, or that of a class."""
    if room.asked() and address.get(room.SIDE):
        lecturer.draw()
        return
    presenter.style("large")
    if room.asked():
        _room()
        return
    turn = _turn()
    shown, problems = _playlist()
    for problem in problems if address.untouched() else ():  # gone with the first turn
        st.warning(words.plain(problem))
    if not shown.entries:
        st.title("Which list is presented?")
        with st.container(horizontal=True):
            for name, known in LISTS.items():
                button(words.md(known.title), f"list_{name}", address.write, {LIST: name})
        layout.link("lessons", "A list of your own")
        room.offer(shown)
        return
    every = flow.screens(shown, turn)
    at = flow.current(every, turn)
    _screen(every[at])
    with st.container(key="foot", horizontal=True, vertical_alignment="center"):
        _turns(every, at, shown)
    core.sync_url(TURN, study=False)


# A question ---------------------------------------------------------------------------------------


def _question(
    question: Question,
    entry: Entry | None,
    kind: str,
    figure: Figure | None,
    right: int | None = None,
    *,
    what: str = "hands",
    more: float = 0.0,
) -> None:
    """Draw a question as it is asked, voted on, or answered.

    Args:
        question: The question.
        entry: Where it stands; None for one of the lecturer's own in a room.
        kind: `flow.ASK`, `flow.AGAIN`, `flow.VOTES`, `flow.ANSWER` or `flow.FIGURE`.
        figure: What the class answered, or what is true; None where there is neither.
        right: The right option; None as long as it is not to be known.
        what: What is counted: hands, which are raised for one thing of a few, or answers.
        more: Lines that stand on the screen besides.
    """
    choice, names, letters = question.kind == CHOICE, hands.options(question), predictions.LETTERS
    parts, asking = range(len(question.parts)), kind in (flow.ASK, flow.AGAIN)
    # A few are listed with what is known of each; beside a figure there is room for fewer.
    listed = choice or (question.kind == SHARES and len(parts) <= room.MOST_PARTS)
    listed = listed and (asking or choice or len(parts) <= hands.MOST)
    about = hands.asked(question) if what == "hands" and asking else ""
    said = [f"{about}?"] if about and listed else []
    for k in parts if listed else ():
        if k == right or kind != flow.FIGURE:
            letter, text = letters[min(k, len(names) - 1)], words.md(question.options[k])
            said.append(f"✓ **{letter}: {text}**" if k == right else f"**{letter}:** {text}")
    if not asking and len(said) > hands.MOST:  # in one paragraph above the figure
        said, listed = ["  ·  ".join(said)], False
    if not listed and figure is None and asking:
        figure = reveals.figure(question, study=entry.study if entry else None)
        facts = entry.lesson.facts if entry and entry.lesson else None
        said = [sites_line(facts)] if facts and len(facts.sites) <= room.MOST_PARTS else []
        if what == "hands":
            pairs = zip(letters, names, strict=False)
            ranges = [f"**{letter}:** {words.md(name)}" for letter, name in pairs]
            said.append("  ·  ".join(filter(None, [words.md(about), *ranges])))
    with st.container(key="words" if listed else None, gap="xxsmall"):
        for line in said:
            st.markdown(line)
    lines = more + math.ceil(len(question.text) / _LETTERS)
    wide, high = (_LETTERS, 1.6) if listed else (_SMALL, 1.2)
    lines += sum(high * math.ceil(len(line) / wide) for line in said)
    if figure is not None:
        presenter.picture(figure, _FULL - _LINE * lines)


def _picture(task: Task) -> Figure | None:
    """Return the lesson's own picture of what is true; a choice may have none."""
    if not task.choice:
        return task.reveal()
    return next(iter(reveals.beside(task.question)), None)


def _prose(lesson: Lesson, task: Task | None) -> None:
    """Draw what is read before a lesson's question, or why its answer is true."""
    st.title(lesson.title)
    with st.container(key="prose"):
        shown = task.reasons() if task else [core.Text(reading(lesson))]
        core.blocks.show(shown, page="present")


# A list -------------------------------------------------------------------------------------------


def _playlist() -> tuple[Playlist, tuple[str, ...]]:
    """Return the list in the address, and what is wrong with it."""
    return lessons.read_list(address.get(LIST))


class _Turns(UrlState[flow.Turn]):
    """The turn in session and address: ``place``, ``step`` and ``hands``."""

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters of the address."""
        return flow.NAMES

    def open(self, texts: Texts) -> tuple[flow.Turn, list[str]]:
        """Return the turn that an address asks for, and what of it was refused."""
        return flow.read(texts, _playlist()[0], address.get(LIST))

    def write(self, value: flow.Turn) -> Texts:
        """Return what an address says of a turn."""
        return value.texts()


TURN = _Turns(
    parameter="place",
    start=flow.Turn(),
    refused="Of the place in the address not all could be taken over.",
)


def _turn() -> flow.Turn:
    """Return whose turn it is; another list than the last one begins anew."""
    turn, of = TURN.load(), address.get(LIST)
    if turn.of != of:
        turn = flow.Turn(of=of)
        TURN.keep(turn)
    return turn


def _screen(screen: flow.Screen) -> None:
    lesson = screen.entry.lesson
    if lesson is None:
        st.title(screen.entry.title)
    elif screen.kind in (flow.READ, flow.WHY):
        _prose(lesson, _task(screen) if screen.kind == flow.WHY else None)
    else:
        task = _task(screen)
        st.title(task.text)
        figure, right = _of_hands(task, screen.kind)
        _question(task.question, screen.entry, screen.kind, figure, right)


def _task(screen: flow.Screen) -> Task:
    """Return the question that a screen is about."""
    return tasks(screen.entry)[screen.question]


def _of_hands(task: Task, kind: str) -> tuple[Figure | None, int | None]:
    """Return the figure of a screen of a list, and the right option where it is to be known."""
    question, counted = task.question, TURN.get().votes(task.question)
    truth = task.truth if kind in (flow.ANSWER, flow.FIGURE) else None
    right = option_of(question, truth.low if truth else None)
    if any(map(sum, counted)) and kind in (flow.VOTES, flow.ANSWER):
        return room.class_bars(question, counted, "hands", truth), right
    return _picture(task) if truth else None, right


def _turns(every: Sequence[flow.Screen], at: int, shown: Playlist) -> None:
    """Draw the way on and back, and the hands."""
    screen = every[at]
    after = every[at + 1] if at + 1 < len(every) else None
    name = "The end"
    if after is not None:
        name = after.entry.title if after.kind == flow.PAUSE else sayings.SCREENS[after.kind]
    room.way("Back", "back", _go, every[at - 1] if at else None, disabled=not at)
    room.way(name, "on", _go, after, disabled=after is None)
    if screen.kind in (flow.ASK, flow.AGAIN):
        with st.popover("Count hands", icon=":material/front_hand:"):
            _hands(_task(screen).question, second=screen.kind == flow.AGAIN)
    if screen.kind in (flow.PAUSE, flow.READ) or not at:
        room.offer(shown)
    again = "Second vote · " if screen.kind == flow.AGAIN else ""
    st.markdown(f"{again}{screen.place}/{len(shown.entries)}", width="content")
    st.fragment(_clock, run_every=20.0)(screen)
    with st.container(width="content"):  # the way back to where the list came from
        layout.link("lessons", "Close", query={LIST: address.get(LIST)})


def _clock(screen: flow.Screen) -> None:
    with st.container(width="content"):
        st.markdown(room.clock(screen.place, screen.entry.minutes))


def _go(to: flow.Screen | None) -> None:
    if to is not None:
        TURN.set(replace(TURN.get(), place=to.place, step=to.step))


def _hands(question: Question, *, second: bool) -> None:
    """Take the counts of a vote as one line."""
    letters = predictions.LETTERS[: len(hands.options(question))]
    now = " ".join(map(str, TURN.get().votes(question)[second]))

    def take(given: str) -> None:
        try:
            TURN.set(TURN.get().counted(question, second, given))
        except DomainError as error:
            TURN.refuse(str(error))

    title, usual = f"Hands for {', '.join(letters)}", "12 30 8 5"
    box = partial(st.text_input, title, now, max_chars=40, placeholder=usual)
    core.ask(f"hands_{question.key}_{int(second)}", now, take, box)
    core.controls.refusal(TURN, "Nothing was counted.")
    st.caption("Both votes are shown together, after the second.")


# A room -------------------------------------------------------------------------------------------


def _room() -> None:
    """Draw the screen of the room that the address names."""
    try:
        seen = room.look()
        _seen(seen)
    except classroom.RoomError as error:
        room.gone(error)
        layout.link("lessons", "To the lessons")
        return
    _watch()
    room.said_refused()
    with st.container(key="foot", horizontal=True, vertical_alignment="center"):
        if room.host(seen.code):
            room.keys(seen)
            button("Your own screen", "turn_private", address.write, {room.SIDE: room.PRIVATE})
        else:
            with st.popover("Lecturer", icon=":material/key:"):
                room.ask_key(seen.code)
        if not seen.joining:
            place = f"Room **{words.md(seen.code)}** · {sayings.at(seen)}"
            st.markdown(place, width="content")


@st.fragment(run_every=POLL)
def _watch() -> None:
    """Count phones and answers."""
    if (seen := room.follow()) and seen.joining:
        st.markdown(f"Phones that have joined: **{seen.voters}**")
    elif seen and (told := sayings.SAID.get(seen.state, "")):
        st.markdown(f"**{seen.answers} of {seen.voters}** phones have answered. {told}")
    elif seen and seen.kind == classroom.PAUSE:
        st.caption(room.clock(seen.place, seen.asked.entry.minutes))


def _seen(seen: Seen) -> None:
    """Draw where a room stands: joining, a pause, reading, a question, or why."""
    one, lesson = seen.asked, seen.asked.lesson
    if seen.joining:
        _join(seen)
    elif one.kind == classroom.PAUSE:
        st.title(PAUSES[one.key])
    elif lesson and one.first and seen.state in (classroom.LOBBY, classroom.READ):
        _prose(lesson, None)
    elif lesson and seen.state == classroom.WHY:
        _prose(lesson, room.task(one))
    else:
        _asked(seen)


def _asked(seen: Seen) -> None:
    one = seen.asked
    st.title(room.text(one))
    voted = None
    if seen.state in classroom.DONE:
        voted = room.rooms().voted(seen.code, seen.place)
        if not voted.total:
            st.info("Nobody has answered this question.")
    if one.kind == classroom.PLAIN:
        _plain(seen, voted)
    elif voted and voted.total:
        _errors(seen, voted)


def _join(seen: Seen) -> None:
    """Draw how phones find the room: a code to photograph, and one to type."""
    base = room.base(seen.code)
    link = f"{base}/room?room={seen.code}"
    picture, form = io.BytesIO(), {"xmldecl": False, "omitsize": True, "light": "#fff"}
    segno.make(link, error="m", micro=False).save(picture, kind="svg", border=2, **form)
    with st.container(key="join", horizontal=True, vertical_alignment="center"):
        st.image(picture.getvalue().decode(), width=440, alt=f"To photograph; leads to {link}")
        with st.container():
            st.title(f"{words.md(base.partition('://')[2])}/room")
            with st.container(key="code"):
                st.markdown(f"**{words.md(seen.code)}**")


def _plain(seen: Seen, voted: Voted | None) -> None:
    """Draw a question; both votes once the last one has closed, then with what is true."""
    one, figure, right, more = seen.asked, None, None, 2.0
    now = flow.OF_ROOM.get(seen.state, flow.ASK)
    if voted is not None:
        more = 0.0 if voted.total else 2.0  # for what is said above
        truth = one.truth if seen.state in classroom.TOLD else None
        right = option_of(one.question, truth.low if truth else None)
        if now == flow.FIGURE:
            figure = _picture(room.task(one))
        elif any(voted.rounds) or truth:
            figure = room.class_figure(one, voted, truth)
        if voted.few:
            least, many = classroom.LEAST_SHOWN, " and ".join(map(str, voted.few))
            st.info(f"{many} answered. A histogram of fewer than {least} would show who did.")
            more = 2.0
    entry = one.entry if one.key else None
    _question(one.question, entry, now, figure, right, what="answers", more=more)


def _errors(seen: Seen, voted: Voted) -> None:
    """Draw the share of yes with its error; once it is told, what the formulas of both ways say."""
    one, known = seen.asked, seen.state in classroom.TOLD
    for line in sayings.estimated(one, voted, dealt=known):
        st.markdown(line)
    truth = voted.dealt / voted.total if known and voted.dealt is not None else None
    presenter.picture(_intervals(classroom.estimates(one, voted), truth), 130.0)
    if told := sayings.compared(seen, voted.total):
        st.caption(told)


def _intervals(rows: Sequence[tuple[str, float, float]], dealt: float | None) -> charts.Figure:
    """Return estimates with their intervals on one axis, and the truth where it is known."""
    names, shares, errors = map(list, zip(*rows, strict=True))
    wide = [WIDE * error for error in errors]
    low = min(0.0, *map(operator.sub, shares, wide))
    high = max(1.0, *map(operator.add, shares, wide))
    told = (f"{n} {words.signed_percent(s)}, error {words.percent(e)}" for n, s, e in rows)
    title = "Share of yes, with two standard errors to each side"
    return charts.plot(
        [charts.dots(shares, names, size=12, error_x=charts.spread(wide))],
        charts.axis(title, (low, high), share=True),
        charts.axis(type="category", names=names),
        {"way": names, "share": shares, "error": errors},
        shapes=[] if dealt is None else [charts.upright(dealt)],
        title="",
        height=150,
        alt=f"Estimated share of yes: {'; '.join(told)}.",
        name="class",
    )
