"""What a class answered, as a table to keep: by question, vote and option; nobody is in it."""

from __future__ import annotations

from collections.abc import Iterator

from rates.numbers import between, percent
from rates.rows import csv_text
from sims.classroom import records as r
from sims.classroom.rooms import Rooms
from sims.classroom.shown import counted, estimates, option_of
from sims.lessons import CHOICE, SHARES, TYPED, Truth, hands

COLUMNS = ("question", "text", "kind", "epsilon", "vote", "part", "option", "votes", "truth")
FEW = f"fewer than {r.LEAST_SHOWN}, not told"
Row = tuple[object, ...]


def results(rooms: Rooms, code: str) -> str:
    """Return the results of all questions whose last vote has closed, as CSV.

    Raises:
        RoomError: There is no such room.
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
    question, truth = one.question, one.truth if one.known else None
    options = hands.options(question)
    for vote, (given, total) in enumerate(zip(voted.rounds, voted.totals, strict=True), 1):
        if total and not given:
            yield vote, "", FEW, "", ""
        for k, (part, counts) in enumerate(counted(question, given) if given else ()):
            for option, count in enumerate(counts):
                yield vote, part, options[option], count, _true(truth, one, k, option)


def _true(truth: Truth | None, one: r.Asked, part: int, option: int) -> str:
    """Return what is true of an option, or of the part that its range is of."""
    if truth is None or hands.options(one.question)[option] == hands.OTHER:
        return ""
    if one.question.kind in (CHOICE, TYPED):
        return "right" if option == option_of(one.question, truth.low) else ""
    k = option if one.question.kind == SHARES else part
    return between(truth.low[k], truth.high[k])


def _protected(one: r.Asked, voted: r.Voted) -> Iterator[Row]:
    dealt = "" if voted.dealt is None else percent(voted.dealt / voted.total)
    counts = [count for count in (voted.noisy, voted.released) if count is not None]
    for (name, share, error), count in zip(estimates(one, voted), counts, strict=True):
        about = f"yes: {percent(share)}, typical error {percent(error)}, of {voted.total}"
        yield 1, name, about, count, dealt
