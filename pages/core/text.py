"""The one text form of settings in an address: ``name:value;name:value``, the usual left out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pages.charts import number_text
from rates.numbers import DomainError, Parameter, Words
from rates.study import codec
from sims.engine import Choice, Numbers

MOST_TEXT = 2_000
_EXACT = 2**53  # up to here a float is a whole number exactly; beyond it stays a float
_PART = re.compile(r"([A-Za-z_0-9]+):(.*)", re.DOTALL)


class Setting(Protocol):
    """What may be asked: a name, and the check of a value."""

    @property
    def name(self) -> str:
        """Name in an address."""

    def check(self, value: object, where: str = "") -> Any:
        """Return the value as it is kept, or raise `DomainError`."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A setting with a text of its own, such as a table or a study.

    Attributes:
        name: Name in an address.
        write: From value to text, without semicolons.
        read: From text to value; raises `DomainError`.
        help: What the value means.
    """

    name: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    help: str = ""

    def check(self, value: object, where: str = "") -> Any:
        """Return the value, which `read` has checked."""
        return value


@dataclass(frozen=True, slots=True)
class Part:
    """A number of a record, by a name that need not be its parameter's.

    Attributes:
        name: Name in an address.
        parameter: Domain, words and slider stops.
    """

    name: str
    parameter: Parameter

    def check(self, value: object, where: str = "") -> float:
        """Return the value as a plain number of its domain, or raise `DomainError`."""
        return self.parameter.check(value, where)


def choice(name: str, options: Iterable[str], help: str = "") -> Choice:
    """Return a setting for one of these words, usually the first."""
    words = tuple(options)
    return Choice(name=name, options=words, default=words[0], help=help)


def to_text(settings: Iterable[Setting], now: Mapping[str, Any], usual: Mapping[str, Any]) -> str:
    """Return what differs from the usual, as text for a link; empty if nothing does.

    >>> from rates.numbers import EPSILON
    >>> to_text((Numbers(EPSILON, (1.0,)),), {"epsilon": (0.1, math.inf)}, {})
    'epsilon:0.1,inf'
    """
    return ";".join(
        f"{setting.name}:{written(setting, now[setting.name])}"
        for setting in settings
        if setting.name not in usual or now[setting.name] != usual[setting.name]
    )


def written(setting: Setting, value: Any) -> str:
    """Return one value as text."""
    if isinstance(setting, Packed):
        return setting.write(value)
    if isinstance(value, tuple):
        return ",".join(map(number_text, value))
    return value if isinstance(value, str) else number_text(value)


def parse(
    text: str,
    settings: Iterable[Setting],
    *,
    field: str,
    noun: str,
    gone: Collection[str] = (),
) -> dict[str, Any]:
    """Return what a text gives by name, split into numbers and words but not checked.

    Names that are no setting's are read as numbers, as those of a run beside its settings; those
    that once were settings and are ``gone`` are passed over, so that old links open.

    Raises:
        DomainError: The text is too long, a part cannot be read, or one is named twice.

    >>> parse("replicates:20", (), field="run", noun="A run")
    {'replicates': 20}
    """
    known = {setting.name: setting for setting in settings}
    packed = any(isinstance(setting, Packed) for setting in known.values())
    most = codec.MAX_LINK if packed else MOST_TEXT
    if len(text) > most:
        rule = f"{noun} in a link has at most {most:,} characters."
        raise DomainError(rule, field=field, value=len(text))
    given: dict[str, Any] = {}
    for part in filter(None, text.split(";")):
        found = _PART.fullmatch(part)
        if not found:
            rule = f"{noun} in a link is made of parts like epsilon:0.1,1 with semicolons between."
            raise DomainError(rule, field=field, value=part)
        name, entry = found.groups()
        if name in given:
            raise DomainError("A part of a link may be named once.", field=name, value=entry)
        if name not in gone:
            given[name] = read(known.get(name), name, entry)
    return given


def read(setting: Setting | None, name: str, entry: str) -> Any:
    """Return one value of a text, not checked yet."""
    if isinstance(setting, Packed):
        return setting.read(entry)
    if isinstance(setting, Numbers):
        return [number(piece, name) for piece in entry.split(",")]
    if isinstance(setting, Choice):
        return entry
    return number(entry, name)


def checked(given: Mapping[str, Any], settings: Iterable[Setting], where: str) -> dict[str, Any]:
    """Return given values by name, each checked by its setting.

    Raises:
        DomainError: A name is no setting's, or a value is outside its set.
    """
    known = {setting.name: setting for setting in settings}
    for name, value in given.items():
        if name not in known:
            rule = f"{where} has no part of this name; known are {', '.join(known)}."
            raise DomainError(rule, field=name[:40], value=value)
    return {name: known[name].check(value, where) for name, value in given.items()}


def number(text: str, name: str) -> float:
    """Return a number that was typed or linked, inf included.

    Raises:
        DomainError: It is none.
    """
    try:
        found = float(text)
    except ValueError:
        raise DomainError(f"{name} must be a number.", field=name, value=text) from None
    if math.isnan(found):
        raise DomainError(f"{name} must be a number.", field=name, value=Words("nan"))
    return int(found) if found.is_integer() and abs(found) <= _EXACT else found
