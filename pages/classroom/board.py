"""The lecturer's screen of a room: how to join, how many have answered, and then what.

Nothing of the answers is read before the last vote closes, nor the truth before the key that
shows it. What a projector shows of a question alone is here for a list without phones too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from pages import charts
from pages.charts import EQUATION, MECHANISM, votes, words
from pages.classroom import room
from pages.core import address, box, button, layout, presenter
from pages.lessons import Task, tasks
from rates.tally import coin_error, coin_estimate, laplace_error
from sims import classroom
from sims.classroom import AGAIN, CARDS, CLOSED, LOBBY, OPEN, PLAIN, SHOWN, TALK, Asked, Seen, Voted
from sims.lessons import CHOICE, SHARES, Question, hands

POLL = 1.0  # seconds
WIDE = 2.0  # standard errors to each side
LETTERS = 84  # of a question in one line
_MOST = 6  # sites that have room, with what each holds
_HEIGHT, LINE = 300.0, 17.0  # of a figure under a question of no line, and of a line
_DRAWN, _ENDING = "board_drawn", "board_ending"
_LOOKS = {"Coins": (EQUATION, "circle"), "Noise on the count": (MECHANISM, "diamond")}
# What the key for onward does in each state, and what its button says.
_ON = {
    LOBBY: ("open", "Open the vote"),
    OPEN: ("close", "Close the vote"),
    TALK: ("again", "Second vote"),
    AGAIN: ("close", "Close the vote"),
    CLOSED: ("show", "Show the answer"),
    SHOWN: ("next", "Next question"),
}
_VOTE = {
    LOBBY: "The vote is not open yet.",
    OPEN: "The vote is open. What was answered is shown when the last vote has closed.",
    TALK: "The first vote is closed. Find a neighbour who answered otherwise, and convince them.",
    AGAIN: "The second vote is open. Both votes are shown together, when it has closed.",
}


def draw() -> None:
    """Draw the screen of the room that the address names."""
    presenter.style("large")
    try:
        seen = room.rooms().look(room.asked())
        _screen(seen)
    except classroom.RoomError as error:
        st.title("This room is gone" if _DRAWN in st.session_state else "This room does not open")
        st.error(words.plain(error))
        st.page_link(layout.page("lessons"), label="To the lessons")
        return
    st.session_state[_DRAWN] = (seen.state, seen.place)
    _watch(seen.code)
    room.said_refused()
    _foot(seen)


@st.fragment(run_every=POLL)
def _watch(code: str) -> None:
    """Count phones and answers; only where the room has moved the screen is drawn again."""
    try:
        seen = room.rooms().look(code)
        now = (seen.state, seen.place)
    except classroom.RoomError:
        now = (classroom.ENDED, 0)
    if now != st.session_state.get(_DRAWN):
        st.rerun()
    if _joining(seen):
        st.markdown(f"**{seen.voters}** phones have joined.")
    elif seen.state in _VOTE:
        answered = f"**{seen.answers} of {seen.voters}** phones have answered."
        st.markdown(f"{answered} {_VOTE[seen.state]}")


def _joining(seen: Seen) -> bool:
    """Whether the screen is for joining: nothing has been asked yet."""
    return seen.state == LOBBY and not seen.place


def _screen(seen: Seen) -> None:
    asked, shown = seen.questions[seen.place], seen.state == SHOWN
    if _joining(seen):
        st.title(f"Join room {words.md(seen.code)}")
        room.invite(seen.code)
        return
    st.title(words.md(asked.text) if asked.text else asked.question.text)
    if seen.state in (CLOSED, SHOWN):
        voted = room.rooms().voted(seen.code, seen.place)
        if seen.kind != PLAIN:
            _errors(seen, voted, shown=shown)
        elif shown:
            _answer(_task(asked))
        else:
            _votes(asked.question, voted)
    elif seen.kind == PLAIN:
        # The options, or the axes that the answers will stand on.
        task = _task(asked)
        if listed(task.question):
            list_options(task.question)
        else:
            presenter.picture(task.blank(titled=False), 0.8 * _HEIGHT)


def _task(asked: Asked) -> Task:
    return next(task for task in tasks(asked.entry) if task.question.key == asked.key)


def listed(question: Question) -> bool:
    """Whether what is asked is listed: options, or a few sites with what each holds."""
    few = question.kind == SHARES and len(question.parts) <= _MOST
    return question.kind == CHOICE or few


def list_options(
    question: Question,
    right: int | None = None,
    *,
    only: bool = False,
    about: str = "",
    key: str | None = None,
) -> float:
    """List options with their letters, a tick at the right one; return how many lines there are.

    Args:
        question: Whose options.
        right: Place of the right one; None before the answer.
        only: Whether none but the right one is listed.
        about: A line above them; empty for none.
        key: Names the list for the style of the screen.
    """
    last, places = len(hands.options(question)) - 1, range(len(question.parts))
    shown = [k for k in places if k == right] if only else list(places)
    with st.container(key=key, gap="xxsmall"):
        if about:
            st.markdown(about)
        for k in shown:
            letter, option = votes.LETTERS[min(k, last)], words.md(question.options[k])
            st.markdown(f"✓ **{letter}: {option}**" if k == right else f"**{letter}:** {option}")
    return float(len(shown) + bool(about))


def _answer(task: Task) -> None:
    if task.choice:
        list_options(task.question, right=task.right)
    else:
        lines = -(-len(task.question.text) // LETTERS)
        presenter.picture(task.reveal(), _HEIGHT - LINE * lines)


def _votes(question: Question, voted: Voted) -> None:
    """Draw both votes."""
    counted = [hands.of_reports(question, reports) for reports in voted.rounds]
    answered = sum(map(len, voted.rounds))
    left = answered - sum(map(sum, counted))
    verb = "is" if left == 1 else "are"
    undecided = f"{left} preferred none of these and {verb} in no bar."
    if voted.few:
        least = classroom.LEAST_SHOWN
        few = f"A histogram of fewer than {least} would show who did."
        st.info(f"{voted.total} answered. {few}")
        return
    if 0 < left == answered:
        st.info(undecided)
        return
    lines = -(-len(question.text) // LETTERS) + 1.5 * bool(left)
    names = hands.options(question)
    letters: Sequence[str] = votes.columns(names)
    if question.kind == CHOICE and len(names) <= hands.MOST:  # many leave no room for bars
        letters = votes.LETTERS[: len(names)]
        lines += 1.5 * list_options(question)
    if left:
        st.caption(undecided)
    counted += [()] * (len(votes.NAMES) - len(counted))
    figure = votes.votes_figure(letters, counted, title="", what="answers")
    presenter.picture(figure, _HEIGHT - LINE * lines)


# Yes and no -------------------------------------------------------------------------------------


def _errors(seen: Seen, voted: Voted, *, shown: bool) -> None:
    """Draw the share of yes with its error, beside what the formulas of both ways say."""
    if not voted.total:
        st.info("Nobody has answered this question.")
        return
    rows = estimates(seen, voted)
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
    if voted.noisy is not None and n:
        share = coin_estimate(voted.noisy / n, seen.epsilon)
        rows.append(("Coins", share, coin_error(n, seen.epsilon)))
    if voted.released is not None and n:
        rows.append(("Noise on the count", voted.released / n, laplace_error(n, seen.epsilon)))
    return rows


def _picture(rows: Sequence[tuple[str, float, float]], dealt: float | None) -> charts.Figure:
    """Return estimates with their intervals on one axis, and the truth where it is known."""
    low = min(0.0, *(share - WIDE * error for _, share, error in rows))
    high = max(1.0, *(share + WIDE * error for _, share, error in rows))
    marks: list[charts.Mark] = []
    for name, share, error in rows:
        colour, symbol = _LOOKS[name]
        spread = charts.Spread(up=[WIDE * error], colour=colour, across=True)
        look = charts.dots([share], [name], symbol=symbol, size=12, colour=colour, spread=spread)
        marks.append(replace(look, name=name))
    title = "Share of yes, with two standard errors to each side"
    names, shares, errors = map(list, zip(*rows, strict=True))
    return charts.plot(
        marks,
        charts.Axis(share=True, span=(low, high), title=title),
        charts.Axis(kind="category", names=names),
        {"way": names, "share": shares, "error": errors},
        rules=[] if dealt is None else [charts.upright(dealt)],
        title="",
        height=150,
        alt="Estimated share of yes: "
        + "; ".join(f"{n} {words.percent(s)}, error {words.percent(e)}" for n, s, e in rows),
        name="class",
    )


# The keys that move the room --------------------------------------------------------------------


def way(
    label: str,
    name: str,
    press: Callable[..., None],
    *args: object,
    keys: Sequence[str] = (),
    **how: object,
) -> None:
    """Draw a button, once more for each further key: an arrow, and that of a remote."""
    for kind, shortcut in zip(("turn", "twin"), keys or ("",), strict=False):
        button(label, f"{kind}_{name}", press, *args, shortcut=shortcut or None, **how)


BACK, ON = ("Left", "PageUp"), ("Right", "PageDown")


def _foot(seen: Seen) -> None:
    """Draw the keys that move the room, for who has a pass."""
    room.show_key(seen.code)
    if not room.host(seen.code):
        with st.container(key="foot"), st.popover("Lecturer", icon=":material/key:"):
            room.ask_key(seen.code)
        return
    action, label = _ON[seen.state]
    if seen.state == OPEN and seen.kind == PLAIN:
        action, label = "talk", "Close, talk to your neighbour"
    many = len(seen.questions)
    end = seen.state == SHOWN and seen.place + 1 == many
    with st.container(key="foot", horizontal=True, vertical_alignment="center"):
        way("Back", "back", _step(seen, "back"), keys=BACK, disabled=not seen.place)
        way(label, "on", _step(seen, action), keys=ON, type="primary", disabled=end)
        if seen.kind == PLAIN and seen.state == SHOWN:
            with st.popover("Why", icon=":material/lightbulb:"):
                st.markdown(words.keyed(_task(seen.questions[seen.place]).why))
        about = box("room_box", "Room", ":material/meeting_room:")
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
        st.markdown(
            f"**End room {words.md(seen.code)}?** All its answers are deleted with it. Phones that "
            "are in it are told that it is gone."
        )
        way("Delete the room", "delete", _step(seen, "end"))
        button("Keep the room", "turn_keep", memory.__setitem__, _ENDING, "")
        return
    if not _joining(seen):
        room.invite(seen.code)
    if seen.state == TALK:
        way("Close without a second vote", "close", _step(seen, "close"))
    if seen.kind == PLAIN and seen.state not in (LOBBY, SHOWN):
        way("Empty this vote and open it again", "clear", _step(seen, "clear"))
    button("End the room and delete it", "turn_end", memory.__setitem__, _ENDING, seen.code)


def _step(seen: Seen, action: str) -> Callable[[], None]:
    def step() -> None:
        room.rooms().step(seen.code, room.host(seen.code), action, seen.place)
        if action == "end":
            address.write({room.ROOM: ""})

    return room.guarded(step)
