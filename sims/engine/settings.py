"""What an experiment may be asked: numbers, lists of numbers and choices, each checked once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from rates.numbers import DomainError, Parameter, Words, shown

Value = float | int | str | tuple[float, ...]
Word = TypeVar("Word", bound=str)

MAX_LIST = 1_000
LEAST, MOST = 1e-50, 1e50  # sizes a simulation holds: products and squares of two stay floats
CLOSEST = 1e-9  # to an upper end that is excluded


class Values(Mapping[str, Value]):
    """Values by name, each read as what its setting is; they never change.

    >>> asked = Values({"n": 100}, epsilon=(1.0, 2.0), noise="tight")
    >>> asked.whole("n"), asked.numbers("epsilon"), asked.among("noise", ("tight", "printed"))
    (100, (1.0, 2.0), 'tight')
    >>> asked.changed(epsilon=2.0)
    {'n': 100, 'epsilon': 2.0, 'noise': 'tight'}
    """

    def __init__(self, held: Mapping[str, Any] | None = None, /, **more: Value) -> None:
        self._held: dict[str, Value] = {**(held or {}), **more}

    def __getitem__(self, name: str) -> Value:
        return self._held[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __hash__(self) -> int:
        return hash(frozenset(self._held.items()))

    def __repr__(self) -> str:
        return repr(self._held)

    def number(self, name: str) -> float:
        """Return the one number of this name."""
        value = self._held[name]
        if isinstance(value, str | tuple):
            raise TypeError(f"{name} is not one number but {value!r}.")
        return value

    def whole(self, name: str) -> int:
        """Return the whole number of this name."""
        return int(self.number(name))

    def numbers(self, name: str) -> tuple[float, ...]:
        """Return the list of numbers of this name."""
        value = self._held[name]
        if not isinstance(value, tuple):
            raise TypeError(f"{name} is not a list of numbers but {value!r}.")
        return value

    def word(self, name: str) -> str:
        """Return the word of this name."""
        value = self._held[name]
        if not isinstance(value, str):
            raise TypeError(f"{name} is not a word but {value!r}.")
        return value

    def among(self, name: str, options: Iterable[Word]) -> Word:
        """Return the word of this name as the one of these options that it is."""
        return next(option for option in options if option == self._held[name])

    def changed(self, **more: Value) -> Values:
        """Return the values with some of them others, or new."""
        return Values(self._held, **more)


class _OfParameter:
    """What a parameter states of a number, or of each number of a list."""

    __slots__ = ()
    parameter: Parameter

    @property
    def name(self) -> str:
        """Name in files."""
        return self.parameter.name

    @property
    def help(self) -> str:
        """What it means."""
        return self.parameter.help


@dataclass(frozen=True, slots=True)
class Number(_OfParameter):
    """A number of an experiment.

    Attributes:
        parameter: Name, domain, refusal and help, shared with the theory where it is the same.
        default: Value where none is given.

    >>> from rates.numbers.parameters import EPSILON
    >>> Number(EPSILON, 1.0).check("inf")
    inf
    """

    parameter: Parameter
    default: float

    def check(self, value: object, where: str = "") -> Value:
        """Return the value as a plain number, or raise `DomainError`."""
        return _number(self.parameter, value, where)

    def describe(self) -> dict[str, Any]:
        """Return name, kind, default, allowed set and help as plain data."""
        return {"kind": "number", **_domain(self.parameter), "default": self.default}


@dataclass(frozen=True, slots=True)
class Numbers(_OfParameter):
    """A list of numbers of an experiment, such as the sizes of a sweep.

    Attributes:
        parameter: Domain of each entry, and name, refusal and help.
        default: Values where none are given.
        most: Largest length allowed.

    >>> from rates.numbers.parameters import EPSILON
    >>> Numbers(EPSILON, (1.0,)).check([1, "inf"])
    (1.0, inf)
    """

    parameter: Parameter
    default: tuple[float, ...]
    most: int = 60

    def check(self, value: object, where: str = "") -> Value:
        """Return the values as a tuple of plain numbers, or raise `DomainError`."""
        most = min(self.most, MAX_LIST)
        if isinstance(value, str) or not isinstance(value, Sequence):
            rule = f"{self.name} must be a list of numbers."
            raise DomainError(rule, field=self.name, value=value, where=where)
        if not 1 <= len(value) <= most:
            rule = f"{self.name} must list 1 to {most} numbers."
            raise DomainError(rule, field=self.name, value=Words(f"{len(value)} of them"))
        return tuple(_number(self.parameter, entry, where) for entry in value)

    def describe(self) -> dict[str, Any]:
        """Return name, kind, default, allowed set and help as plain data."""
        return {
            "kind": "list of numbers",
            **_domain(self.parameter),
            "most": min(self.most, MAX_LIST),
            "default": list(self.default),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One word out of a few.

    >>> Choice(name="noise", options=("joint", "independent"), default="joint", help="").check("x")
    Traceback (most recent call last):
        ...
    rates.DomainError: noise must be "joint" or "independent". noise: got 'x'.
    """

    name: str
    options: tuple[str, ...]
    default: str
    help: str

    def check(self, value: object, where: str = "") -> Value:
        """Return the value if it is one of the options, or raise `DomainError`."""
        if isinstance(value, str) and value in self.options:
            return value
        rule = f"{self.name} must be {self._allowed()}."
        raise DomainError(rule, field=self.name, value=value, where=where)

    def describe(self) -> dict[str, Any]:
        """Return name, kind, default, allowed set and help as plain data."""
        return {
            "kind": "choice",
            "name": self.name,
            "allowed": self._allowed(),
            "options": list(self.options),
            "help": self.help,
            "default": self.default,
        }

    def _allowed(self) -> str:
        return " or ".join(f'"{option}"' for option in self.options)


Setting = Number | Numbers | Choice


def check_values(settings: Sequence[Setting], given: Mapping[str, object]) -> Values:
    """Return one checked value per setting; those left out take their defaults.

    Raises:
        DomainError: A name is not a setting's, or a value is outside its allowed set.
    """
    known = {setting.name: setting for setting in settings}
    for name in given:
        if name not in known:
            rule = f"Unknown parameter; known are {', '.join(sorted(known))}."
            raise DomainError(rule, field=shown(name)[1:-1], value=name, where="parameters")
    return Values(
        {
            name: setting.check(given.get(name, setting.default), "parameters")
            for name, setting in known.items()
        }
    )


def _number(parameter: Parameter, value: object, where: str) -> float:
    """Check one number; the text "inf" stands for infinity where the domain holds it."""
    if isinstance(value, str) and value == "inf":
        value = math.inf
    number = parameter.check(value, where)
    outside = number and math.isfinite(number) and not LEAST <= abs(number) <= MOST
    if outside or (parameter.high_open and parameter.high - number < CLOSEST):
        rule = f"{parameter.allowed} Simulated are 0, inf and sizes from {LEAST:g} to {MOST:g} only"
        rule += f", {CLOSEST:g} below an upper end that is excluded."
        raise DomainError(rule, field=parameter.name, value=value, where=where)
    return number


def _domain(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "allowed": parameter.allowed,
        "low": parameter.low,
        "high": parameter.high,
        "whole": parameter.whole,
        "help": parameter.help,
    }
