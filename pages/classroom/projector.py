"""The projector: a list of lessons, one screen after the other, or the screen of a room.

Nothing that is true is computed before the screen that shows it, and of a room's answers nothing
is read before the last vote closes.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages import charts, core
from pages.charts import votes, words
from pages.classroom import room
from pages.classroom import turn as turns
from pages.classroom.turn import AGAIN, ANSWER, ASK, PAUSE, READ, TURN, VOTES, WHY, Screen
from pages.core import address, button, layout, presenter
from pages.lessons import Task, reading, reveals, tasks
from rates.numbers import DomainError
from rates.tally import coin_error, coin_estimate, laplace_error
from sims import classroom, lessons
from sims.classroom import CARDS, CLOSED, LOBBY, OPEN, PLAIN, SHOWN, TALK, Seen, Voted
from sims.lessons import LISTS, PAUSES, SHARES, Playlist, Question, hands

Votes = Sequence[Sequence[int]]  # the counts of the first and of the second one
POLL = 1.0  # seconds
WIDE = 2.0  # standard errors to each side
_LETTERS = 84  # of a question in one line
_MOST = 6  # sites that have room, with what each holds
_FULL, _LINE = 318.0, 17.0  # height of a figure under a question of no line, and of a line
_ENDING = "board_ending"
_NEXT = {READ: "Next lesson", ASK: "Question", AGAIN: "Second vote", VOTES: "Both votes"}
_NEXT |= {ANSWER: "Answer", WHY: "Why"}
_KEYS = {"back": ("Left", "PageUp"), "on": ("Right", "PageDown")}  # an arrow, and a remote's
# In each state of a room: what the key for onward does, what its button says, and what is said.
_STEPS = {
    LOBBY: ("open", "Open the vote", "The vote is not open yet."),
    OPEN: ("close", "Close the vote", "The vote is open. Answers are shown after the last vote."),
    TALK: ("again", "Second vote", "Find a neighbour who answered otherwise, and convince them."),
    classroom.AGAIN: ("close", "Close the vote", "The second vote is open; then both are shown."),
    CLOSED: ("show", "Show the answer", ""),
    SHOWN: ("next", "Next question", ""),
}


def draw() -> None:
    """Draw the screen whose turn it is, or that of a class."""
    presenter.style("large")
    if room.asked():
        _room()
        return
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
        room.offer(shown)
        return
    every = turns.screens(shown, turn)
    at = turns.current(every, turn)
    _screen(every[at])
    with st.container(key="foot", horizontal=True, vertical_alignment="center"):
        _turns(every, at, shown)
    core.sync_url(TURN, study=False)


# A question ---------------------------------------------------------------------------------------


def _question(
    task: Task, kind: str, counted: Votes, what: str = "hands", *, more: float = 0.0
) -> None:
    """Draw a question as it is asked, voted on, or answered.

    Args:
        task: The question.
        kind: `ASK`, `AGAIN`, `VOTES` or `ANSWER`.
        counted: What was answered.
        what: What was counted: hands, which are raised for one thing of a few, or answers.
        more: Lines that stand on the screen besides.
    """
    question, known, choice = task.question, kind == ANSWER, task.choice
    parts, names = range(len(question.parts)), hands.options(question)
    # A few sites are listed with what each holds; beside votes there is room for a few alone.
    few = len(parts) <= hands.MOST
    listed = choice or (question.kind == SHARES and len(parts) <= _MOST)
    listed = listed and (few or kind != VOTES)
    right = lessons.right(task.truth) if known and choice else None
    own = reveals.beside(question) if known else ()
    figure = own[0] if own else None
    if not own and any(map(sum, counted)) and (kind == VOTES or (known and choice and few)):
        letters = votes.LETTERS[: len(names)] if listed else votes.columns(names)
        figure = votes.votes_figure(letters, counted, title="", what=what)
    about = hands.asked(question) if what == "hands" and not known else ""
    said = [f"{about}?"] if about and listed else []
    if listed:
        for k in parts:
            if not known or (choice and (k == right or not own)):
                letter, text = votes.LETTERS[min(k, len(names) - 1)], words.md(question.options[k])
                said.append(f"✓ **{letter}: {text}**" if k == right else f"**{letter}:** {text}")
    elif figure is None and not known:
        figure = task.blank()
        if what == "hands":
            pairs = zip(votes.LETTERS, names, strict=False)
            ranges = [f"**{letter}:** {words.md(name)}" for letter, name in pairs]
            said = ["  ·  ".join(filter(None, [words.md(about), *ranges]))]
    with st.container(key="words" if listed else None, gap="xxsmall"):
        for line in said:
            st.markdown(line)
    lines = more + math.ceil(len(question.text) / _LETTERS) + 1.6 * len(said)
    height = _FULL - _LINE * lines
    figure = task.reveal() if known and not choice else figure
    if figure is not None:
        presenter.picture(figure, height)


def _way(label: str, name: str, press: Callable[..., None], *args: object, **how: object) -> None:
    """Draw a button of the foot twice: for an arrow, and for a remote's key."""
    for kind, key in zip(("turn", "twin"), _KEYS[name], strict=True):
        button(label, f"{kind}_{name}", press, *args, shortcut=key, **how)


# A list -------------------------------------------------------------------------------------------


def _screen(screen: Screen) -> None:
    lesson = screen.entry.lesson
    if lesson is None:
        st.title(PAUSES[screen.entry.key])
    elif screen.kind in (READ, WHY):
        st.title(lesson.title)
        read = core.Text(reading.text(lesson))
        with st.container(key="prose"):
            shown = [read] if screen.kind == READ else screen.task.reasons()
            core.blocks.show(shown, page="present")
    else:
        task = screen.task
        st.title(task.question.text)
        _question(task, screen.kind, TURN.get().votes(task.question))


def _turns(every: Sequence[Screen], at: int, shown: Playlist) -> None:
    """Draw the way on and back, and the hands."""
    screen = every[at]
    after = every[at + 1] if at + 1 < len(every) else None
    name = "The end"
    if after is not None:
        name = PAUSES[after.entry.key] if after.kind == PAUSE else _NEXT[after.kind]
    _way("Back", "back", _go, every[at - 1] if at else None, disabled=not at)
    _way(name, "on", _go, after, disabled=after is None)
    if screen.kind in (ASK, AGAIN) and not shown.brief:
        with st.popover("Count hands", icon=":material/front_hand:"):
            _hands(screen.task.question, second=screen.kind == AGAIN)
    if screen.kind in (PAUSE, READ):
        room.offer(shown)
    again = "Second vote · " if screen.kind == AGAIN else ""
    st.markdown(f"{again}{screen.place}/{len(shown.entries)}", width="content")
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
        st.page_link(layout.page("lessons"), label="To the lessons")
        return
    _watch()
    room.said_refused()
    room.show_key(seen.code)
    with st.container(key="foot", horizontal=True, vertical_alignment="center"):
        if room.host(seen.code):
            _keys(seen)
        else:
            with st.popover("Lecturer", icon=":material/key:"):
                room.ask_key(seen.code)


@st.fragment(run_every=POLL)
def _watch() -> None:
    """Count phones and answers."""
    if (seen := room.follow()) and _joining(seen):
        st.markdown(f"**{seen.voters}** phones have joined.")
    elif seen and (told := _STEPS[seen.state][2]):
        st.markdown(f"**{seen.answers} of {seen.voters}** phones have answered. {told}")


def _joining(seen: Seen) -> bool:
    """Whether the screen is for joining: nothing has been asked yet."""
    return seen.state == LOBBY and not seen.place


def _seen(seen: Seen) -> None:
    if _joining(seen):
        st.title(f"Join room {words.md(seen.code)}")
        room.invite(seen.code)
        return
    asked = seen.questions[seen.place]
    st.title(room.text(asked))
    voted = None
    if seen.state in (CLOSED, SHOWN):
        voted = room.rooms().voted(seen.code, seen.place)
        if not voted.total:
            st.info("Nobody has answered this question.")
    if seen.kind == PLAIN:
        _plain(seen, _task(seen), voted)
    elif voted and voted.total:
        _errors(seen, voted)


def _task(seen: Seen) -> Task:
    asked = seen.questions[seen.place]
    return next(task for task in tasks(asked.entry) if task.question.key == asked.key)


def _plain(seen: Seen, task: Task, voted: Voted | None) -> None:
    """Draw a question of a lesson; both votes once the last one has closed."""
    kind, more = {CLOSED: VOTES, SHOWN: ANSWER}.get(seen.state, ASK), 2.0
    counted: Votes = ((), ())
    if voted is not None:
        reports = [*voted.rounds, (), ()][:2]
        counted = [hands.of_reports(task.question, given) for given in reports]
        left, more = sum(map(len, reports)) - sum(map(sum, counted)), 0.0
        if voted.few and kind == VOTES:
            few = f"A histogram of fewer than {classroom.LEAST_SHOWN} would show who did."
            st.info(f"{voted.total} answered. {few}")
        elif left and kind == VOTES:
            verb, more = "is" if left == 1 else "are", 1.5
            st.caption(f"{left} preferred none of these and {verb} in no bar.")
    _question(task, kind, counted, "answers", more=more)


def _errors(seen: Seen, voted: Voted) -> None:
    """Draw the share of yes with its error, beside what the formulas of both ways say."""
    rows, shown = estimates(seen, voted), seen.state == SHOWN
    for name, share, error in rows:
        st.markdown(
            f"**{name}: {words.percent(share)}** yes, typical error {words.percent(error)} "
            f"(one standard deviation, from {voted.total} answers)."
        )
    dealt = None
    if seen.kind == CARDS and shown:
        assert voted.dealt is not None
        dealt = voted.dealt / voted.total
        st.markdown(f"**On the cards: {words.percent(dealt)}** yes.")
    presenter.picture(_picture(rows, dealt), 130.0)
    if shown or seen.kind != CARDS:
        st.caption(room.compared(seen, voted.total))


def estimates(seen: Seen, voted: Voted) -> list[tuple[str, float, float]]:
    """Return name, estimated share and its standard deviation of each way that the room used."""
    assert seen.epsilon is not None
    n, rows = voted.total, []
    if voted.noisy is not None:
        share = coin_estimate(voted.noisy / n, seen.epsilon)
        rows.append(("Coins", share, coin_error(n, seen.epsilon)))
    if voted.released is not None:
        rows.append(("Noise on the count", voted.released / n, laplace_error(n, seen.epsilon)))
    return rows


def _picture(rows: Sequence[tuple[str, float, float]], dealt: float | None) -> charts.Figure:
    """Return estimates with their intervals on one axis, and the truth where it is known."""
    names, shares, errors = map(list, zip(*rows, strict=True))
    wide = [WIDE * error for error in errors]
    low = min(0.0, *map(operator.sub, shares, wide))
    high = max(1.0, *map(operator.add, shares, wide))
    told = (f"{n} {words.percent(s)}, error {words.percent(e)}" for n, s, e in rows)
    title = "Share of yes, with two standard errors to each side"
    return charts.plot(
        [charts.dots(shares, names, size=12, spread=charts.Spread(up=wide, across=True))],
        charts.Axis(share=True, span=(low, high), title=title),
        charts.Axis(kind="category", names=names),
        {"way": names, "share": shares, "error": errors},
        rules=[] if dealt is None else [charts.upright(dealt)],
        title="",
        height=150,
        alt=f"Estimated share of yes: {'; '.join(told)}.",
        name="class",
    )


def _keys(seen: Seen) -> None:
    """Draw the keys that move the room, for who has a pass."""
    action, label, _ = _STEPS[seen.state]
    if seen.state == OPEN and seen.kind == PLAIN:
        action, label = "talk", "Close, talk to your neighbour"
    many = len(seen.questions)
    end = seen.state == SHOWN and seen.place + 1 == many
    _way("Back", "back", _step(seen, "back"), disabled=not seen.place)
    _way(label, "on", _step(seen, action), type="primary", disabled=end)
    if seen.kind == PLAIN and seen.state == SHOWN:
        with st.popover("Why", icon=":material/lightbulb:"):
            core.blocks.show(_task(seen).reasons(), page="room")
    about = core.box("room_box", "Room", ":material/meeting_room:")
    with about:
        _about(seen, still=about.open)
    place = f"Room **{words.md(seen.code)}** · {seen.place + 1} of {many}"
    st.markdown(place, width="content")


def _about(seen: Seen, *, still: bool) -> None:
    """Draw what is seldom needed of a room, or ask alone whether it shall end.

    The way back is last, where that was asked for: a second click there deletes nothing.
    """
    memory = st.session_state
    memory[_ENDING] = memory.get(_ENDING, "") if still else ""
    if memory[_ENDING] == seen.code:
        st.markdown(f"**End room {words.md(seen.code)}?** All its answers are deleted with it.")
        button("Delete the room", "turn_delete", _step(seen, "end"))
        button("Keep the room", "turn_keep", memory.__setitem__, _ENDING, "")
        return
    if not _joining(seen):
        room.invite(seen.code)
    if seen.state == TALK:
        button("Close without a second vote", "turn_close", _step(seen, "close"))
    if seen.kind == PLAIN and seen.state not in (LOBBY, SHOWN):
        button("Empty this vote and open it again", "turn_clear", _step(seen, "clear"))
    button("End the room and delete it", "turn_end", memory.__setitem__, _ENDING, seen.code)


def _step(seen: Seen, action: str) -> Callable[[], None]:
    def step() -> None:
        room.rooms().step(seen.code, room.host(seen.code), action, seen.place)
        if action == "end":
            address.write({room.ROOM: ""})

    return room.guarded(step)
