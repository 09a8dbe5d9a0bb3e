"""Which screen of a list is shown, and the hands that were counted; both stand in the address."""

from __future__ import annotations

from pages.core import Texts, UrlState, address
from sims.classroom import flow
from sims.lessons import Playlist, read_list

LIST = "list"


def playlist() -> tuple[Playlist, tuple[str, ...]]:
    """Return the list in the address, and what is wrong with it."""
    return read_list(address.get(LIST))


class _Turns(UrlState[flow.Turn]):
    """The turn in session and address: ``place``, ``step`` and ``hands``."""

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters of the address."""
        return flow.NAMES

    def open(self, texts: Texts) -> tuple[flow.Turn, list[str]]:
        """Return the turn that an address asks for, and what of it was refused."""
        return flow.read(texts, playlist()[0], address.get(LIST))

    def write(self, value: flow.Turn) -> Texts:
        """Return what an address says of a turn."""
        return value.texts()


TURN = _Turns(
    parameter="place",
    start=flow.Turn(),
    refused="Of the place in the address not all could be taken over.",
)


def load() -> flow.Turn:
    """Return whose turn it is; another list than the last one begins anew."""
    turn, of = TURN.load(), address.get(LIST)
    if turn.of != of:
        turn = flow.Turn(of=of)
        TURN.keep(turn)
    return turn
