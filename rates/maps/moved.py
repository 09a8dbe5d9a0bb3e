"""The numbers of a study that a map can have as axes, and the study's equation along them."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.answer import Lens, equation
from rates.numbers import DomainError, Terms, Words
from rates.pieces import Array
from rates.pieces import Axis as Scale
from rates.plan import LEVERS, Change, base
from rates.study import Study

MOST_VALUE = 1e15
LEAST, MOST = 1e-300, 1e300  # within which factors leave a budget private
MOST_FACTOR = 1e9  # by which the numbers of all sites may be multiplied


@functools.lru_cache(maxsize=16)  # asked for at every step of a search
def _own(study: Study, lens: Lens) -> base.Basis:
    return base.of_terms(study, lens, equation(study, lens).terms)


def _movable() -> dict[str, Change]:
    return {name: lever for name, lever in LEVERS.items() if not lever.further}


@dataclass(frozen=True, slots=True, order=True)
class Moved:
    """A number of a study that changes along an axis.

    Attributes:
        quantity: The name of one of `rates.plan.LEVERS`, but for further sites.
        row: The row of the table whose number it is. None: those of all rows, each multiplied by
            one common factor.

    Raises:
        DomainError: There is no such quantity or row, or a factor on all rows has no meaning.

    Examples:
        >>> Moved.of("epsilon_2"), str(Moved("n", None))
        (Moved(quantity='epsilon', row=1), 'n_all')
    """

    quantity: str
    row: int | None

    def __post_init__(self) -> None:
        if self.quantity not in _movable():
            rule = f"A map moves {', '.join(_movable())}."
            raise DomainError(rule, "quantity", self.quantity)
        if self.row is None and not self.lever.grown:
            rule = f"A map moves the {self.quantity.replace('_', ' ')} of one row."
            raise DomainError(rule, "row", Words("all rows"))
        if self.row is not None and (not isinstance(self.row, int) or self.row < 0):
            raise DomainError("A row is a whole number from 0, or None for all.", "row", self.row)

    def __str__(self) -> str:
        return f"{self.quantity}_{'all' if self.row is None else self.row + 1}"

    @classmethod
    def of(cls, text: str) -> Moved:
        """Read what `str` writes; rows are counted from 1.

        Raises:
            DomainError: It is none.
        """
        found = re.fullmatch(rf"({'|'.join(_movable())})_(all|[1-9]\d{{0,4}})", text, re.ASCII)
        if not found:
            rule = "An axis is a quantity and a row, such as n_all, n_1 or epsilon_2."
            raise DomainError(rule, "axis", text)
        quantity, row = found.groups()
        return cls(quantity, None if row == "all" else int(row) - 1)

    @property
    def lever(self) -> Change:
        """What is changed."""
        return LEVERS[self.quantity]

    @property
    def log(self) -> bool:
        """Whether its axis is logarithmic."""
        return self.lever.log


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis of the map.

    Attributes:
        moved: The number that changes.
        low: Lower end: a value, or a factor where all rows are moved.
        high: Upper end, above the lower one.

    Raises:
        DomainError: An end is outside the number's domain, or not positive and finite.
    """

    moved: Moved
    low: float
    high: float

    def __post_init__(self) -> None:
        where = f"Axis {self.moved}"
        for end, value in (("low", self.low), ("high", self.high)):
            if not (isinstance(value, int | float) and 0 < value < math.inf):
                raise DomainError("An end must be positive and finite.", end, value, where)
        if not self.low < self.high:
            ends = Words(f"{self.low:g} and {self.high:g}")
            raise DomainError("low must be below high.", "low and high", ends, where)
        high = most(self.moved)
        if self.high > high:
            raise DomainError(f"high must be at most {high:.12g}.", "high", self.high, where)

    @property
    def scale(self) -> Scale:
        """Its range, and whether it is logarithmic."""
        return Scale(low=self.low, high=self.high, log=self.moved.log)


def most(moved: Moved) -> float:
    """Return the largest value that an axis may reach."""
    if moved.row is None:
        return MOST_FACTOR
    return float(min(moved.lever.domain.high, MOST_VALUE))


def choices(study: Study) -> tuple[Moved, ...]:
    """Return what can be moved in a study: common factors of two rows or more, then row by row.

    A row without records or with budget 0 takes no part; an unprotected row has no budget, the
    target no exponent and no count, and the sites of a curve no exponents.

    >>> from rates.presets import preset
    >>> [str(moved) for moved in choices(preset("figure1").study)][:6]
    ['n_all', 'epsilon_all', 'n_1', 'epsilon_1', 'n_2', 'epsilon_2']
    """
    have = {name: lever.has(study) for name, lever in _movable().items()}
    common = [Moved(q, None) for q, on in have.items() if LEVERS[q].grown and on.sum() > 1]
    rows = range(len(study.servers))
    return (*common, *(Moved(q, row) for row in rows for q, on in have.items() if on[row]))


def usual(study: Study) -> tuple[Moved, ...]:
    """Return the axes of a study's map that nobody has chosen: budgets, and the first records.

    Fewer than two where the study has no two numbers to move.
    """
    found = list(choices(study))
    # Budgets first, as they are what a planner can move; then records, rows before factors.
    found.sort(key=lambda moved: moved.quantity != "epsilon")
    rest = sorted(found[1:], key=lambda moved: (moved.quantity != "n", moved.row is None))
    return (*found[:1], *rest[:1])


def value(study: Study, moved: Moved) -> float:
    """Return where a study stands on an axis; 1 for a common factor."""
    if moved.row is None:
        return 1.0
    return moved.lever.today(study.servers[moved.row])


def around(study: Study, moved: Moved, factor: float = 100.0) -> Axis:
    """Return the axis that reaches a factor below and above the study, as far as its domain goes.

    An exponent's axis is linear and begins at 0.1 or below.

    >>> from rates.presets import preset
    >>> axis = around(preset("hospitals").study, Moved("n", 0), 10)
    >>> axis.low, axis.high
    (14.2, 1420.0)
    """
    here = min(value(study, moved), most(moved))
    if not moved.log:
        high = min(max(2.5, 1.5 * here), most(moved))
        return Axis(moved=moved, low=min(0.1, 0.5 * here), high=high)
    lever = moved.lever
    least = LEAST if moved.row is None else max(LEAST, lever.domain.low, float(lever.whole))
    low = max(least, here / factor)
    return Axis(moved=moved, low=low, high=min(most(moved), max(here * factor, 2.0 * low)))


def moves(study: Study, moved: Moved, other: Moved | None = None) -> NDArray[np.bool_]:
    """Say which rows an axis moves; a number that is the other axis does not follow a factor."""
    if moved.row is not None:
        return np.asarray(np.arange(len(study.servers)) == moved.row)
    on = moved.lever.has(study)
    if other is not None and other.quantity == moved.quantity and other.row is not None:
        on[other.row] = False
    return on


@dataclass(frozen=True, kw_only=True)  # no slots: what no point changes is kept
class Ground:
    """A study over two of its numbers: its equation at every point.

    Attributes:
        study: The study.
        lens: Which risk, by which answer.
        x: What moves across.
        y: What moves upwards.

    Raises:
        DomainError: The study has no such number, both axes are the same, or a private row lacks
            the delta that the mechanism needs.
    """

    study: Study
    lens: Lens
    x: Moved
    y: Moved

    def __post_init__(self) -> None:
        for name, moved in (("x", self.x), ("y", self.y)):
            on = moved.lever.has(self.study)
            if on.sum() < 2 if moved.row is None else not on[moved.row : moved.row + 1].any():
                raise DomainError("The study has no such number.", name, Words(str(moved)))
        if self.x == self.y:
            raise DomainError("The axes must be two numbers.", "y", Words(str(self.y)))
        _own(self.study, self.lens)

    @functools.cached_property
    def changes(self) -> tuple[tuple[int, Moved, NDArray[np.bool_]], ...]:
        """The axes by place, with the rows that each moves; factors on all rows come first."""
        both = ((0, self.x, self.y), (1, self.y, self.x))
        every = ((place, moved, moves(self.study, moved, other)) for place, moved, other in both)
        return tuple(sorted(every, key=lambda one: one[1].row is not None))

    @functools.cached_property
    def live(self) -> NDArray[np.intp]:
        """The rows that take part."""
        return np.flatnonzero([s.informative for s in self.study.servers])

    def terms(self, x: Array, y: Array) -> Terms:
        """Return the equation at points, which broadcast; the live rows along the last axis.

        An exponent 0 and a size, budget or count 1 stand for the equation without the number.
        """
        own = _own(self.study, self.lens)
        values: dict[str, Array] = {}
        for place, moved, on in self.changes:
            now = values.get(moved.quantity, moved.lever.values(own))
            at = np.asarray((x, y)[place], dtype=float)[..., None]
            with np.errstate(over="ignore", under="ignore"):
                # Inside what a budget can be and still protect: 0 would be silent, inf public.
                new = np.clip(at if moved.row is not None else at * now, LEAST, MOST)
            values[moved.quantity] = np.where(on, new, now)
        for name, value in values.items():
            own = own.changed(LEVERS[name].change(own, value))
        return own.terms[..., self.live]
