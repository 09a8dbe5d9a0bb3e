"""Where phones find the app, and how often one connection may try a key, a code, a room.

What a browser shows as the app's address may be known to this computer alone. What costs the server
or others is counted for each connection alone, so whoever tries too often waits, and nobody else
does: a class comes through one address, and a new connection begins anew. Against whoever opens
many stands the length of codes and keys alone (`sims.classroom.checks`).
"""

from __future__ import annotations

import ipaddress
import re
import socket
import urllib.parse
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sims.classroom.records import RoomError

_HOST = re.compile(r"[A-Za-z0-9.\-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?")


def loopback(base: str) -> bool:
    """Whether an address reaches the computer that it is used on, or nothing.

    >>> loopback("http://127.0.0.1:8501"), loopback("http://[::1]:8501"), loopback("")
    (True, True, True)
    >>> loopback("https://rates.example.org")
    False
    """
    host = "localhost"
    try:
        host = urllib.parse.urlsplit(base).hostname or host
        here = ipaddress.ip_address(host)
    except ValueError:  # a name, or no address at all
        return host == "localhost" or host.endswith(".localhost")
    return here.is_loopback or here.is_unspecified


def reached(home: str, network: str) -> str:
    """Return an address of the app with the computer's own in the network in place of a loopback.

    >>> reached("http://localhost:8501/app", "192.168.1.20")
    'http://192.168.1.20:8501/app'
    >>> reached("https://a.example", "192.168.1.20"), reached("http://[::1]:8501", "")
    ('https://a.example', 'http://[::1]:8501')
    """
    parts = urllib.parse.urlsplit(home)
    if not network or not parts.netloc or not loopback(home):
        return home
    port = f":{parts.port}" if parts.port else ""
    return urllib.parse.urlunsplit(parts._replace(netloc=f"{network}{port}"))


def network() -> str:
    """Return this computer's own address in its network; empty where it has none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # which sends nothing
        return str(probe.getsockname()[0])
    return ""


def typed(given: str, home: str) -> str:
    """Return the app's address at a host that was typed; empty if it is none that others reach.

    >>> typed("192.168.1.20:8501", "http://localhost:8501/app")
    'http://192.168.1.20:8501/app'
    >>> {typed(bad, "") for bad in ("localhost:8501", "a b", "x@y", "<b>", "javascript:alert(1)")}
    {''}
    """
    scheme, _, rest = given.strip().rpartition("://")
    there = rest.split("/")[0]
    if scheme not in ("", "http", "https") or not _HOST.fullmatch(there):
        return ""
    folder = urllib.parse.urlsplit(home).path
    found = f"{scheme or 'http'}://{there}{folder}".rstrip("/")
    return "" if loopback(found) else found


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
