"""What a room asks, as a lecturer writes it: one place a line.

A line is a lesson or a pause of the list by its name, or a question of one's own, as
`sims.lessons.plain` has it, or for yes and no::

    odds
    break-5
    What is the capital of Australia? | Sydney | Canberra | Perth | true: Canberra
    Have you ever copied homework? | coins
"""

from __future__ import annotations

import re

from rates.numbers import DomainError, listed
from sims.classroom import records as r
from sims.classroom.records import Asked, RoomError
from sims.lessons import LESSONS, PAUSES, Entry, Playlist, plain, read_entry

MOST = 40_000  # characters


def named(shown: Playlist) -> dict[str, Entry]:
    """Return the entries of a list by the names that they have in a room's lines.

    >>> [*named(Playlist((Entry("odds"), Entry("break", minutes=5), Entry("odds"))))]
    ['odds', 'break-5', 'odds.2']
    """
    found: dict[str, Entry] = {}
    for entry in shown.entries:
        name = entry.key if entry.lesson else entry.text()
        name = entry.asked.line if entry.asked else name
        k = 1 + sum(known.partition(".")[0] == name for known in found)
        found[name if k == 1 else f"{name}.{k}"] = entry
    return found


def read(text: str, shown: Playlist, epsilon: float) -> tuple[Asked, ...]:
    r"""Read what a room asks.

    Args:
        text: One place a line.
        shown: The list whose lessons and pauses are called by their names.
        epsilon: Budget of each protected question.

    Raises:
        RoomError: A line says neither; the message says which.

    >>> [one.key or one.kind for one in read("odds\nIs it? | coins", Playlist(()), 1.0)]
    ['odds', 'odds-transfer', 'coins']
    """
    entries, found = named(shown), list[Asked]()
    lines = [line.strip() for line in text[:MOST].splitlines()]
    for number, line in enumerate(lines, 1):
        if line:
            try:
                found += _line(line, entries, epsilon, brief=shown.brief)
            except DomainError as error:
                raise RoomError(f"Line {number}: {error}") from None
    return tuple(found)


def _line(line: str, entries: dict[str, Entry], epsilon: float, *, brief: bool) -> list[Asked]:
    text, *rest = (part.strip() for part in line.split("|"))
    known = text in entries or re.split(r"[.-]", text)[0] in (*LESSONS, *PAUSES)
    if known and not rest:
        entry = entries.get(text) or read_entry(text)
        own = entry.text() if entry.study or entry.rate or not entry.lesson else ""
        if entry.lesson is None:
            return [Asked(entry.key, own=own, kind=r.PAUSE)]
        asked = entry.lesson.questions[: 1 if brief else None]
        return [Asked(one.key, own=own) for one in asked]
    word = " ".join(rest).lower()
    if word in r.PROTECTED:
        return [Asked(text=text, kind=word, epsilon=epsilon)]
    if not rest:
        ways = listed([*r.PROTECTED, "0 to 100", "A | B"], most=5)
        rule = f"“{text[:40]}” is no lesson of the list; of a question | says how it is answered:"
        raise DomainError(f"{rule} {ways}.")
    one = plain.read(line)
    return [Asked(text=one.text, options=one.options, ends=one.ends, true=one.true)]
