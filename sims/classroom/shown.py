"""What is shown of the answers to a question, when its last vote has closed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rates.tally import coin_error, coin_estimate, laplace_error
from sims.classroom import records as r
from sims.classroom.records import RoomError
from sims.classroom.store import Store
from sims.lessons import CHOICE, NUMBER, SHARES, TYPED, Question, hands

Reports = Sequence[tuple[float, ...]]


def voted(store: Store, questions: Sequence[r.Asked], code: str, place: int) -> r.Voted:
    """Return the answers to a question of a room.

    Raises:
        RoomError: There is no such question, or its vote is not closed.
    """
    at = (code, place if type(place) is int and 0 <= place < len(questions) else -1)
    stage = store.read("SELECT state FROM stage WHERE code=? AND place=?", *at)
    if not stage or stage[0][0] not in r.DONE:
        raise RoomError("Answers are shown when the vote has closed.")
    asked = questions[place]
    if asked.kind == r.PLAIN:
        rows = store.read("SELECT round, value FROM answer WHERE code=? AND place=?", *at)
        rounds = [reports(asked, [value for turn, value in rows if turn == k]) for k in (0, 1)]
        rounds = rounds if rounds[1] else rounds[:1]
        return r.Voted(
            tuple(given if len(given) >= r.LEAST_SHOWN else () for given in rounds),
            totals=tuple(map(len, rounds)),
        )
    tally = dict(store.read("SELECT what, count FROM tally WHERE code=? AND place=?", *at))
    released = store.read("SELECT value FROM release WHERE code=? AND place=?", *at)
    ((total,),) = store.read("SELECT COUNT(*) FROM answered WHERE code=? AND place=?", *at)
    return r.Voted(
        totals=(total,),
        noisy=tally.get("noisy"),
        released=released[0][0] if released else None,
        dealt=tally.get("dealt"),
    )


def reports(asked: r.Asked, stored: Sequence[str]) -> tuple[tuple[float, ...], ...]:
    """Return answers that were stored, each with a number for every part, sorted."""
    return tuple(sorted(asked.report(tuple(json.loads(value))) for value in stored))


def counted(question: Question, given: Reports) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Return for each part of a question its name, and the counts of its options or ranges.

    Choices, points over sites and typed rates have one count, whose part is called nothing.
    """
    if question.kind in (CHOICE, SHARES, TYPED):
        yield "", hands.of_reports(question, given)
        return
    for k, part in enumerate(question.parts):
        one = replace(question, kind=NUMBER, parts=(part,), at=(), details=())
        name = part if len(question.parts) > 1 else ""
        yield name, hands.of_reports(one, [(report[k],) for report in given])


def divided(counts: Sequence[int]) -> bool:
    """Whether no answer has most of the class."""
    return max(counts) < r.SPLIT * sum(counts)


def split(question: Question, given: Reports) -> bool:
    """Whether enough answered for a histogram and none of their answers has most of the class."""
    enough = len(given) >= r.LEAST_SHOWN
    return enough and any(divided(counts) for _, counts in counted(question, given))


def option_of(question: Question, report: tuple[float, ...] | None) -> int | None:
    """Return the option, range or part that an answer counts for; None where it is none."""
    counts = hands.of_reports(question, [report]) if report else ()
    return counts.index(1) if 1 in counts else None


def estimates(asked: r.Asked, voted: r.Voted) -> list[tuple[str, float, float]]:
    """Return name, estimated share of yes and its standard deviation of each way that was used."""
    n, rows = voted.total, []
    assert asked.epsilon is not None
    if voted.noisy is not None:
        share = coin_estimate(voted.noisy / n, asked.epsilon)
        rows.append(("Coins", share, coin_error(n, asked.epsilon)))
    if voted.released is not None:
        error = laplace_error(n, asked.epsilon)
        rows.append(("Noise on the count", voted.released / n, error))
    return rows
