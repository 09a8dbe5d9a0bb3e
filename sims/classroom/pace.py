"""How often one connection may try what costs the server or others: keys, codes, joins, rooms.

It is counted for each connection alone, so whoever tries too often waits, and nobody else does: a
class comes through one address, and a new connection begins anew. Against whoever opens many stands
the length of codes and keys alone (`sims.classroom.checks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sims.classroom.records import RoomError


@dataclass(frozen=True, slots=True)
class Pace:
    """How often something may be tried.

    Attributes:
        what: What is tried, in words.
        most: So many times
        seconds: within so many seconds.
    """

    what: str
    most: int
    seconds: float

    def after(self, times: Sequence[float], now: float) -> tuple[float, ...]:
        """Return the times that count, with one more try at `now`.

        Raises:
            RoomError: There were too many.

        >>> KEYS.after((1.0, 2.0), 70.0), len(KEYS.after((1.0, 2.0), 30.0))
        ((70.0,), 3)
        """
        late = tuple(time for time in times if 0 <= now - time < self.seconds)
        if len(late) >= self.most:
            wait = f"Wait {self.seconds:g} seconds." if self.seconds > 1 else "Wait a moment."
            raise RoomError(f"Too many {self.what} were tried on this screen. {wait}")
        return (*late, now)


KEYS = Pace("keys", 5, 60.0)
CODES = Pace("codes", 5, 10.0)
JOINS = Pace("joins", 3, 10.0)
ROOMS = Pace("rooms", 3, 60.0)
