"""What a class is told of an answer (who sees it, how far it is protected), and a table of them.

In the table that the lecturer keeps are votes by question and option; nobody is in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rates.numbers import number, percent, signed_percent
from rates.rows import csv_text
from rates.study import advantage
from rates.tally import coin_error, laplace_error, truth_chance
from sims.classroom import flow
from sims.classroom import records as r
from sims.classroom.rooms import Rooms, onward
from sims.classroom.shown import counted, estimates
from sims.lessons import hands, true_answer

_ASKS = "class"  # the lesson that asks how both ways compare
NAMES = {
    r.PLAIN: "Answers stored as they are",
    r.COINS: "Coins on every phone",
    r.CURATOR: "True answers, noise on the count",
    r.CARDS: "Dealt cards: both ways on the same answers",
}

# What each step of the lecturer is called, and what is said while the class waits for it.
STEPS = {
    "read": "Begin",
    "open": "Open the vote",
    "settle": "Close the vote",
    "again": "Second vote",
    "close": "Close the vote",
    "show": "Answer",
    "figure": "Picture",
    "why": "Why",
    "next": "Next",
    "": "The end",
}
SCREENS = {
    **{step: STEPS[step] for step in (flow.AGAIN, flow.FIGURE, flow.WHY)},
    **{flow.READ: "Next lesson", flow.ASK: "Question", flow.VOTES: "Votes"},
    flow.ANSWER: STEPS["show"],
}
SAID = {
    r.OPEN: "The vote is open. Answers are shown after the last vote.",
    r.TALK: "The class is split: find a neighbour who answered otherwise.",
    r.AGAIN: "The second vote is open; then both are shown.",
}


def label(seen: r.Seen) -> str:
    """Return what the key for onward is called."""
    action = onward(seen)
    return STEPS["read"] if seen.joining and action == "next" else STEPS[action]


def at(seen: r.Seen) -> str:
    """Return which of the questions is on, pauses not counted."""
    count = [one.kind != r.PAUSE for one in seen.questions]
    return f"{sum(count[: seen.place + 1])} of {sum(count)}"


def estimated(one: r.Asked, voted: r.Voted, *, dealt: bool) -> list[str]:
    """Return the share of yes with its error by each way that a protected question used."""
    lines = [
        f"**{name}: {signed_percent(share)}** yes, typical error {percent(error)} "
        f"(one standard deviation, from {voted.total} answers)."
        for name, share, error in (estimates(one, voted) if voted.total else ())
    ]
    if dealt and voted.dealt is not None:
        lines.append(f"**On the cards: {percent(voted.dealt / voted.total)}** yes.")
    return lines


def compared(seen: r.Seen, n: int) -> str:
    """Return how the errors of both ways compare by their formulas, here and for a million.

    Nothing before the answer is shown, or while a lesson that asks for just that is still to come.
    """
    asked, later = seen.asked, seen.questions[seen.place :]
    if seen.state not in r.TOLD or any(one.key.startswith(_ASKS) for one in later):
        return ""
    assert asked.epsilon is not None
    coins, noise = coin_error(n, asked.epsilon), laplace_error(n, asked.epsilon)
    many = coin_error(10**6, asked.epsilon) / laplace_error(10**6, asked.epsilon)
    return (
        f"By the formulas, {n} answers leave a typical error of {percent(coins)} with coins "
        f"and {percent(noise)} with noise on the count: a factor of "
        f"{number(coins / noise)}, and of {number(many)} for a million."
    )


def short(asked: r.Asked) -> str:
    """Return what stands above an answer: what leaves the phone, and what is ever shown."""
    often = percent(truth_chance(asked.epsilon)) if asked.epsilon else ""
    return {
        r.PLAIN: "Your answer is stored without a name. The class sees how all answered, not who.",
        r.CURATOR: "Your true answer is sent to the server, which counts it. Only the number of "
        "yes, with noise, is ever shown.",
        r.CARDS: "The answer is on a card that was dealt to you by chance, so nothing private is "
        f"at stake. The phone passes it on unchanged with probability {often}.",
        r.COINS: "The phone tosses coins: your answer leaves it unchanged with probability "
        f"{often}, else turned over. Nobody, the server included, learns which.",
    }[asked.kind]


def long(seen: r.Seen) -> str:
    """Return the whole of it, as Markdown."""
    asked = seen.asked
    if asked.kind not in (r.COINS, r.CURATOR):
        return _WHO.get(asked.kind, "") + _END
    assert asked.epsilon is not None
    e = asked.epsilon
    spent = [one.epsilon or 0.0 for one in seen.questions if one.kind in r.PROTECTED[:2]]
    hits = number(100 * (1 + float(advantage(e))) / 2)
    budget = (
        "- **How far.** Two classes are neighbours if one phone's answer to a question is replaced "
        f"by the other. The question is protected by ε = {number(e)}: who knows all other answers "
        f"guesses yours right at most {hits} times of 100, against 50 without any release."
    )
    if len(spent) > 1:
        many = f"All {len(spent)} such questions of this room"
        budget += f" {many} together cost ε = {number(sum(spent))}."
    return f"{_WHO[asked.kind]}\n{budget}{_NOT}{_END}"


_WHO = {
    r.PLAIN: """
- **Who sees what.** The server stores your answer beside a random number that stands for this
  phone. Who runs the server can read it. The class sees a histogram from five answers on.
- **What is protected.** Nothing is protected by differential privacy.""",
    r.CARDS: """
- **Who sees what.** The card is dealt by the app, so the truth is known and may be shown: that is
  how the errors of both ways are compared without spending anybody's privacy.""",
    r.COINS: """
- **Who sees what.** The server counts the answer after the coins, and the class sees the corrected
  share of yes with its error. You trust the page that the server sent to this phone.""",
    r.CURATOR: """
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


# The table to keep -------------------------------------------------------------------------------

COLUMNS = ("question", "text", "kind", "epsilon", "vote", "part", "option", "votes", "truth")
FEW = f"fewer than {r.LEAST_SHOWN}, not told"
Row = tuple[object, ...]


def results(rooms: Rooms, code: str) -> str:
    """Return the results of all questions whose last vote has closed, as CSV.

    Raises:
        r.RoomError: There is no such room.
    """
    rows: list[Row] = [COLUMNS]
    number = 0
    for place, one in enumerate(rooms.look(code).questions):
        number += one.kind != r.PAUSE
        try:
            voted = rooms.voted(code, place)
        except r.RoomError:  # a pause, not asked yet, or still open
            continue
        if voted.total:
            head = (number, one.text or one.question.text, one.kind, one.epsilon or "")
            found = _plain(one, voted) if one.kind == r.PLAIN else _protected(one, voted)
            rows += [(*head, *rest) for rest in found]
    return csv_text(rows)


def _plain(one: r.Asked, voted: r.Voted) -> Iterator[Row]:
    options = hands.options(one.question)
    true = true_answer(one.question, one.truth) if one.known else ""
    for vote, (given, total) in enumerate(zip(voted.rounds, voted.totals, strict=True), 1):
        if total and not given:
            yield vote, "", FEW, "", true
        for part, counts in counted(one.question, given) if given else ():
            yield from ((vote, part, *x, true) for x in zip(options, counts, strict=True))


def _protected(one: r.Asked, voted: r.Voted) -> Iterator[Row]:
    for line in estimated(one, voted, dealt=True):
        yield 1, "", line.replace("*", ""), voted.total, ""
