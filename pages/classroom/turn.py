"""Which screen of a list is shown, and the hands that were counted; both stand in the address."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pages.core import Texts, UrlState, address
from rates.numbers import DomainError, Words
from rates.study import codec
from sims.classroom import flow
from sims.classroom.flow import Turn
from sims.lessons import Playlist, Question, hands, read_list

LIST = "list"


def playlist() -> tuple[Playlist, tuple[str, ...]]:
    """Return the list in the address, and what is wrong with it."""
    return read_list(address.get(LIST))


class _Turns(UrlState[Turn]):
    """The turn in session and address: ``place``, ``step`` and ``hands``."""

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters of the address."""
        return tuple(_READ)

    def open(self, texts: Texts) -> tuple[Turn, list[str]]:
        """Return the turn that an address asks for, and what of it was refused."""
        problems: list[str] = []
        turn = Turn(of=address.get(LIST))
        for name, read in _READ.items():
            try:
                given = texts.get(name, "")
                turn = replace(turn, **{name: read(given)}) if given else turn
            except DomainError as error:
                problems.append(str(error))
        return turn, problems

    def write(self, value: Turn) -> Texts | None:
        """Return what an address says of a turn; None where it is too long for one."""
        counted = ";".join(
            f"{key}:{'/'.join('-'.join(map(str, vote)) for vote in votes)}"
            for key, votes in value.hands.items()
        )
        if len(counted) > codec.MAX_LINK:
            return None
        place = "" if value.place == 1 else str(value.place)
        return {"place": place, "step": value.step, "hands": counted}


TURN = _Turns(
    parameter="place",
    start=Turn(),
    refused="Of the place in the address not all could be taken over.",
)


def load() -> Turn:
    """Return whose turn it is; another list than the last one begins anew."""
    turn, of = TURN.load(), address.get(LIST)
    if turn.of != of:
        turn = Turn(of=of)
        TURN.keep(turn)
    return turn


def count(asked: Question, second: bool, text: str) -> None:
    """Take the counts of a vote on a question.

    Raises:
        DomainError: They are no counts of it.
    """
    now = TURN.get()
    votes = list(now.votes(asked))
    votes[second] = hands.counts(text, asked)
    TURN.set(replace(now, hands={**now.hands, asked.key: (votes[0], votes[1])}))


def _place(text: str) -> int:
    entries = len(playlist()[0].entries)
    if not (re.fullmatch(r"[0-9]{1,4}", text) and 1 <= int(text) <= entries):
        rule = f"The list has the places 1 to {entries}." if entries else "The list is empty."
        raise DomainError(rule, "place", Words(repr(text[:20])))
    return int(text)


def _step(text: str) -> str:
    if text not in flow.STEPS:
        raise DomainError(
            f"A step is one of {', '.join(flow.STEPS)}.", "step", Words(repr(text[:20]))
        )
    return text


def _hands(text: str) -> dict[str, tuple[flow.Counts, flow.Counts]]:
    known = {asked.key: asked for one in playlist()[0].lessons for asked in one.questions}
    found = {}
    for part in text.split(";"):
        key, _, given = part.partition(":")
        if key not in known:
            rule = "Hands are of a question of the list."
            raise DomainError(rule, "hands", Words(repr(key[:20])))
        first, _, second = given.replace("-", " ").partition("/")
        found[key] = hands.counts(first, known[key]), hands.counts(second, known[key])
    return found


_READ: Mapping[str, Callable[[str], Any]] = {"place": _place, "step": _step, "hands": _hands}
