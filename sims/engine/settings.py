"""What an experiment may be asked: numbers, lists of numbers and choices, each checked once.

Lists may be the rows of somebody's study, or sweeps: one quantity then runs along the axis, and the
lists of the others make the series.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from rates.answer import offered_delta
from rates.numbers import DomainError, Parameter, Words, shown
from rates.study import Server, Study
from sims import budgets

Value = float | int | str | tuple[float, ...]
Word = TypeVar("Word", bound=str)

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
        # Values are keys of caches, in whatever order they were given.
        return hash(frozenset(self._held.items()))

    def __repr__(self) -> str:
        return repr(self._held)

    def number(self, name: str) -> float:
        """Return the one number of this name."""
        return cast(float, self._held[name])

    def whole(self, name: str) -> int:
        """Return the whole number of this name."""
        return int(self.number(name))

    def numbers(self, name: str) -> tuple[float, ...]:
        """Return the list of numbers of this name."""
        return cast(tuple[float, ...], self._held[name])

    def word(self, name: str) -> str:
        """Return the word of this name."""
        return cast(str, self._held[name])

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
    default: float | tuple[float, ...]

    @property
    def name(self) -> str:
        """Name in files."""
        return self.parameter.name

    @property
    def help(self) -> str:
        """What it means."""
        return self.parameter.help

    def describe(self) -> dict[str, Any]:
        """Return name, kind, default, allowed set and help as plain data."""
        told = ("name", "allowed", "low", "high", "whole", "help")
        kind = "list of numbers" if isinstance(self, Numbers) else "number"
        more = {"most": self.most} if isinstance(self, Numbers) else {}
        domain = {name: getattr(self.parameter, name) for name in told}
        return {"kind": kind, **domain, **more, "default": self.default}


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
        if isinstance(value, str) or not isinstance(value, Sequence):
            rule = f"{self.name} must be a list of numbers."
            raise DomainError(rule, field=self.name, value=value, where=where)
        if not 1 <= len(value) <= self.most:
            rule = f"{self.name} must list 1 to {self.most} numbers."
            raise DomainError(rule, field=self.name, value=Words(f"{len(value)} of them"))
        return tuple(_number(self.parameter, entry, where) for entry in value)


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
    asked = {name: given.get(name, setting.default) for name, setting in known.items()}
    return Values({name: known[name].check(x, "parameters") for name, x in asked.items()})


def _number(parameter: Parameter, value: object, where: str) -> float:
    """Check one number; the text "inf" stands for infinity where the domain holds it."""
    # JSON has no infinity.
    if isinstance(value, str) and value == "inf":
        value = math.inf
    number = parameter.check(value, where)
    outside = number and math.isfinite(number) and not LEAST <= abs(number) <= MOST
    if outside or (parameter.high_open and parameter.high - number < CLOSEST):
        rule = f"{parameter.allowed} Simulated are 0, inf and sizes from {LEAST:g} to {MOST:g} only"
        rule += f", {CLOSEST:g} below an upper end that is excluded."
        raise DomainError(rule, field=parameter.name, value=value, where=where)
    return number


MOST_ROWS = budgets.SIMULATED_ROWS
_FIELDS = {"gamma": "signal_exponent"}


def rows_of(study: Study, names: Sequence[str], most: int) -> tuple[Values, str]:
    """Return a study's rows as one list per name, and what was capped, as a sentence.

    A missing delta becomes `rates.answer.offered_delta`.

    Args:
        study: A study.
        names: Which of n, epsilon, delta, gamma and count.
        most: Records of one row, all its servers together, that are simulated; more are cut.

    Raises:
        DomainError: The study has more than `MOST_ROWS` rows.
    """
    if len(study.servers) > MOST_ROWS:
        rule = f"The simulation takes at most {MOST_ROWS} rows."
        raise DomainError(rule, field="servers", value=len(study.servers))
    lists = {
        name: tuple(float(getattr(row, _FIELDS.get(name, name)) or 0.0) for row in study.servers)
        for name in names
    }
    n = tuple(float(min(row.n, most // row.count)) for row in study.servers)
    delta = tuple(found or offered_delta(study) for found in lists["delta"])
    capped = [row.name for row, kept in zip(study.servers, n, strict=True) if kept < row.n]
    note = f"Cut to 1e{math.log10(most):.0f} records in all: {', '.join(capped)}."
    return Values({**lists, "n": n, "delta": delta}), note if capped else ""


def servers_from(values: Values, names: Sequence[str], factor: float) -> tuple[Server, ...]:
    """Return the servers that lists state, every budget multiplied by the factor.

    Raises:
        DomainError: The first list of several entries says how many rows there are, and others
            differ; the message names those.
    """
    lists = {name: values.numbers(name) for name in names}
    # A list of one entry speaks for every row.
    lengths = {name: len(entries) for name, entries in lists.items() if len(entries) > 1}
    rows = next(iter(lengths.values()), 1)
    if others := {name: length for name, length in lengths.items() if length != rows}:
        rule = "Lists of one study must have one entry per row, or one for all rows."
        got = Words(f"{' and '.join(map(str, others.values()))} of {rows}")
        raise DomainError(rule, field=" and ".join(others), value=got)
    lists = {name: v * rows if len(v) == 1 else v for name, v in lists.items()}
    return tuple(
        Server(
            name=f"row {k + 1}",
            n=int(lists["n"][k]),
            epsilon=lists["epsilon"][k] * factor,
            delta=lists["delta"][k],
            signal_exponent=lists["gamma"][k] if "gamma" in lists else 1.0,
            count=int(lists["count"][k]),
        )
        for k in range(rows)
    )


SYMBOLS = {"gamma": "γ", "epsilon": "ε", "n0": "n0", "m": "m", "n": "n"}
# By how much the sampling and the privacy term of a rate have n, eps or m in their power: with
# sweep m the total mn is fixed, so that the one stays and the other grows.
POWERS = {"n": (1.0, 2.0), "epsilon": (0.0, 2.0), "m": (0.0, -1.0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponents:
    """Slopes of log risk in the logarithm of the swept quantity, far out.

    Attributes:
        sampling: Where sampling decides.
        privacy: Where privacy decides; None where nothing is protected.
    """

    sampling: float
    privacy: float | None


def grid(*lists: Sequence[float]) -> Iterator[tuple[float, ...]]:
    """Return all combinations, which are counted before the first of them is computed.

    Raises:
        DomainError: There are more than one request may have.
    """
    # Before the first is computed: each may take 10 ms.
    count = math.prod(map(len, lists))
    if count > budgets.POINTS:
        most = f"{budgets.POINTS:,}"
        rule = f"A run of this experiment has at most {most} combinations of the numbers listed."
        got = Words(f"{' times '.join(str(len(numbers)) for numbers in lists)}, or {count:,}")
        raise DomainError(rule, field="parameters", value=got)
    return itertools.product(*lists)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Every quantity that matters with its values, the swept one last.

    Attributes:
        values: What was asked, lists included.
        axes: Values by name.
    """

    values: Values
    axes: dict[str, tuple[float, ...]]

    @classmethod
    def of(cls, values: Values, names: Sequence[str]) -> Sweep:
        """Return the sweep that "sweep" asks for over these names."""
        swept = values.word("sweep")
        order = [*(name for name in names if name != swept), swept]
        return cls(values, {name: values.numbers(name) for name in order})

    @property
    def name(self) -> str:
        """What runs along the axis."""
        return [*self.axes][-1]

    @property
    def fixed(self) -> tuple[str, ...]:
        """The others."""
        return tuple(self.axes)[:-1]

    def possible(self, each: str) -> Sweep:
        """Return the sweep itself if its servers can be had; ``each`` names one of them.

        Raises:
            DomainError: A budget has no place on the axis, or a server would hold no record.
        """
        if self.name == "epsilon" and any(math.isinf(e) for e in self.axes["epsilon"]):
            rule = "With sweep epsilon every budget must be finite, to have a place on the axis."
            raise DomainError(rule, field="epsilon", value=math.inf)
        if self.name == "m" and min(self.axes["n"]) < max(self.axes["m"]):
            rule = f"With sweep m every {each} needs a record: n must be at least m."
            raise DomainError(rule, field="n", value=min(self.axes["n"]))
        return self

    def settings(self) -> Iterator[Values]:
        """Yield what varies at each point, series by series."""
        for combination in grid(*self.axes.values()):
            yield Values(dict(zip(self.axes, combination, strict=True)))

    def ends(self) -> Iterator[Values]:
        """Yield the values that are asked at the first point of each series."""
        for combination in itertools.product(*(self.axes[name] for name in self.fixed)):
            at = dict(zip(self.fixed, combination, strict=True))
            yield self.values.changed(**at, **{self.name: min(self.axes[self.name])})

    def label(self, at: Values) -> str:
        """Name a series by what tells it from the others, and by its budget."""
        parts = [
            "no privacy"
            if name == "epsilon" and math.isinf(at.number(name))
            else f"{SYMBOLS[name]} = {at.number(name):g}"
            for name in self.fixed
            if len(self.axes[name]) > 1 or name == "epsilon"
        ]
        return ", ".join(parts) or "all"
