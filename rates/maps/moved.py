"""The numbers of a study that a map can have as axes, and the study's equation along them."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.answer import Lens, equation, mechanism_budgets
from rates.numbers import SERVER_FIELDS, DomainError, Terms, Words, make_terms
from rates.pieces import Axis as Scale
from rates.study import Study, columns

Array = NDArray[np.float64]
Quantity = Literal["n", "epsilon", "signal_exponent", "count"]
QUANTITIES: tuple[Quantity, ...] = ("n", "epsilon", "signal_exponent", "count")
_equation = functools.lru_cache(maxsize=16)(equation)  # asked for at every step of a search
MOST_VALUE = 1e15
LEAST_BUDGET, MOST_BUDGET = 1e-300, 1e300  # within which factors leave a budget private
MOST_FACTOR = 1e9  # by which the numbers of all sites may be multiplied


@dataclass(frozen=True, slots=True, order=True)
class Moved:
    """A number of a study that changes along an axis.

    Attributes:
        quantity: "n", "epsilon", "signal_exponent" or "count".
        row: The row of the table whose number it is. None: those of all rows, each multiplied by
            one common factor; budgets of the private rows, counts of all but the target.

    Raises:
        DomainError: There is no such quantity or row, or the exponents of all rows are meant.

    Examples:
        >>> Moved.of("epsilon_2"), str(Moved("n", None))
        (Moved(quantity='epsilon', row=1), 'n_all')
    """

    quantity: Quantity
    row: int | None

    def __post_init__(self) -> None:
        if self.quantity not in QUANTITIES:
            rule = f"A map moves {', '.join(QUANTITIES)}."
            raise DomainError(rule, "quantity", self.quantity)
        if self.row is None and self.quantity == "signal_exponent":
            rule = "A map moves the signal exponent of one row."
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
        found = re.fullmatch(rf"({'|'.join(QUANTITIES)})_(all|[1-9]\d{{0,4}})", text, re.ASCII)
        if not found:
            rule = "An axis is a quantity and a row, such as n_all, n_1 or epsilon_2."
            raise DomainError(rule, "axis", text)
        quantity, row = found.groups()
        return cls(quantity, None if row == "all" else int(row) - 1)  # type: ignore[arg-type]

    @property
    def log(self) -> bool:
        """Whether its axis is logarithmic."""
        return self.quantity != "signal_exponent"


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
    return float(min(SERVER_FIELDS[moved.quantity].high, MOST_VALUE))


def choices(study: Study) -> tuple[Moved, ...]:
    """Return what can be moved in a study: common factors of two rows or more, then row by row.

    A row without records or with budget 0 takes no part; an unprotected row has no budget, the
    target no exponent and no count, and the sites of a curve no exponents.

    >>> from rates.presets import preset
    >>> [str(moved) for moved in choices(preset("figure1").study)][:6]
    ['n_all', 'epsilon_all', 'n_1', 'epsilon_1', 'n_2', 'epsilon_2']
    """
    transfer = study.target is not None
    out: list[Moved] = []
    for row, server in enumerate(study.servers):
        if not server.informative:
            continue
        source = transfer and row > 0
        out.append(Moved("n", row))
        out += [Moved("epsilon", row)] if server.private else []
        out += [Moved("signal_exponent", row)] if source else []
        out += [Moved("count", row)] if source or not transfer else []
    of = [moved.quantity for moved in out]
    common = [Moved(q, None) for q in ("n", "epsilon", "count") if of.count(q) > 1]
    return (*common, *out)


def usual(study: Study) -> tuple[Moved, ...]:
    """Return the axes of a study's map that nobody has chosen: budgets, and the first records.

    Fewer than two where the study has no two numbers to move.
    """
    found = list(choices(study))
    found.sort(key=lambda moved: moved.quantity != "epsilon")
    rest = sorted(found[1:], key=lambda moved: (moved.quantity != "n", moved.row is None))
    return (*found[:1], *rest[:1])


def value(study: Study, moved: Moved) -> float:
    """Return where a study stands on an axis; 1 for a common factor."""
    if moved.row is None:
        return 1.0
    return float(getattr(study.servers[moved.row], moved.quantity))


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
    least = 1.0 if moved.row is not None and moved.quantity != "epsilon" else LEAST_BUDGET
    low = max(least, here / factor)
    return Axis(moved=moved, low=low, high=min(most(moved), max(here * factor, 2.0 * low)))


def moves(study: Study, moved: Moved, other: Moved | None = None) -> NDArray[np.bool_]:
    """Say which rows an axis moves; a number that is the other axis does not follow a factor."""
    servers = study.servers
    if moved.row is not None:
        return np.asarray(np.arange(len(servers)) == moved.row)
    on: NDArray[np.bool_] = np.array(
        [s.private if moved.quantity == "epsilon" else s.informative for s in servers]
    )
    if moved.quantity == "count" and study.target is not None:
        on[0] = False
    if other is not None and other.quantity == moved.quantity and other.row is not None:
        on[other.row] = False
    return on


@dataclass(frozen=True, slots=True, kw_only=True)
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
        offered = choices(self.study)
        for name, moved in (("x", self.x), ("y", self.y)):
            if moved not in offered:
                raise DomainError("The study has no such number.", name, Words(str(moved)))
        if self.x == self.y:
            raise DomainError("The axes must be two numbers.", "y", Words(str(self.y)))
        _equation(self.study, self.lens)

    @property
    def live(self) -> NDArray[np.intp]:
        """The rows that take part."""
        return np.flatnonzero([s.informative for s in self.study.servers])

    def terms(self, x: Array, y: Array) -> Terms:
        """Return the equation at points, which broadcast; the live rows along the last axis.

        An exponent 0 and a size, budget or count 1 stand for the equation without the number.
        """
        own, c = _equation(self.study, self.lens).terms, columns(self.study.servers)
        size, budget, slope = own.log_size, own.log_budget, own.slope
        sample, private, epsilon = own.log_sample, own.log_private, c["epsilon"]
        points = ((self.x, self.y, x), (self.y, self.x, y))
        for moved, other, values in sorted(points, key=lambda point: point[0].row is not None):
            on, at = moves(self.study, moved, other), np.asarray(values, dtype=float)[..., None]
            single = moved.row is not None
            if moved.quantity == "n":
                size = np.where(on, np.log(at) + (0.0 if single else size), size)
            elif moved.quantity == "epsilon":
                with np.errstate(over="ignore", under="ignore"):
                    scaled = at if single else at * epsilon
                epsilon = np.where(on, np.clip(scaled, LEAST_BUDGET, MOST_BUDGET), epsilon)
            elif moved.quantity == "count":
                more = np.where(on, np.log(at) - (np.log(c["count"]) if single else 0.0), 0.0)
                sample, private = sample + more, private + more
            else:
                step = float(self.study.dimension)
                slope = np.where(on, 2.0 * self.study.smoothness * at + step, slope)
        if epsilon is not c["epsilon"]:
            flat = epsilon.reshape(-1, epsilon.shape[-1])
            budget = mechanism_budgets(self.study, self.lens, flat).reshape(epsilon.shape)
        pieces = np.broadcast_arrays(size, budget, slope, own.step, sample, private)
        return make_terms(*(piece[..., self.live] for piece in pieces), smooth=own.smooth)
