r"""The exact value of a rate: sums as sums, a balance by its root.

In u = log of the unknown a balance reads F(u) = 0, and F is steeper than the least power of the
unknown everywhere: its value at 0 says how far off the root can be.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError, check_array, rising
from rates.orders.language.letters import Letters, as_fraction, given_for
from rates.orders.language.nodes import (
    Called,
    Join,
    Labelled,
    Leaf,
    Letter,
    Node,
    Number,
    OverSites,
    Product,
    Raised,
)
from rates.orders.language.powers import Power, numeric
from rates.pieces import log_number, log_of

Array = NDArray[np.float64]
_FLAT = np.zeros(1)
_BEST = {"min": (np.minimum, -np.inf, np.fmin), "max": (np.maximum, np.inf, np.fmax)}
_FAR = 1e6  # of a root's log


@dataclass(slots=True)
class Setting:
    """Numbers for the letters, as arrays that broadcast; for `of` the last axis is that of sites.

    Attributes:
        logs: The logs of the sizes.
        exponents: The exponents, in the order of their letters.
        unknown: The unknown, empty without one.
        count: How many sites there are.
    """

    logs: Mapping[str, Array]
    exponents: tuple[Array, ...]
    unknown: str = ""
    count: int = 1
    _powers: dict[Power, Array] = field(default_factory=dict)

    def power(self, power: Power) -> Array:
        """The value of a power."""
        if power not in self._powers:
            self._powers[power] = numeric(power, self.exponents)
        return self._powers[power]

    def of(self, node: Node, u: Array) -> Array:
        """Return the log of a node at the unknown's log u; call inside ``np.errstate``."""
        match node:
            case Number(value):
                return _FLAT + log_number(value)
            case Letter(name):
                return u if name == self.unknown else self.logs[name]
            case Labelled(_, body):
                return self.of(body, u)
            case Product(factors):
                return reduce(operator.add, (self.of(factor, u) for factor in factors))
            case Raised(base, power):
                return _times(self.power(power), self.of(base, u))
            case Called("exp", body):
                return np.exp(self.of(body, u))
            case Called(name, body):
                return log_of(name, self.of(body, u))
            case OverSites(body):
                log, _ = np.broadcast_arrays(self.of(body, u), np.empty(self.count))
                return np.asarray(np.logaddexp.reduce(log, axis=-1, keepdims=True))
            case Join(kind, parts):
                logs = [self.of(part, u) for part in parts]
                if kind == "sum":
                    return reduce(np.logaddexp, logs)
                best, end, known = _BEST[kind]
                # What is undefined, 0 * inf, cannot undo a 0 in a minimum.
                return np.where(reduce(known, logs) == end, end, reduce(best, logs))

    def root(self, above: Node, below: Node, least: Array) -> Array:
        """Return the log of the root of above / below = 1.

        Args:
            above: One side.
            below: The other.
            least: The least power of the unknown in their ratio, by size, with its sign.
        """
        with np.errstate(all="ignore"):

            def gap(u: Array) -> Array:
                return (self.of(above, u) - self.of(below, u)) / least

            first = gap(_FLAT)
            start = np.where(np.isfinite(first), -first, 0.0)
            return np.where(np.isnan(first), first, rising(gap, start, low=-_FAR, high=_FAR))


def line(numbers: Setting, leaf: Leaf) -> tuple[Array, Array]:
    """Return the log of a leaf without the unknown, and the unknown's power."""
    log, slope = _FLAT, _FLAT
    for base, power in leaf.factors:
        log = log + log_number(base) * numbers.power(power)
    for name, power in leaf.powers:
        if name == numbers.unknown:
            slope = numbers.power(power)
        else:
            log = log + _times(numbers.power(power), numbers.logs[name])
    return log, slope


def _times(power: Array, log: Array) -> Array:
    """Return the log of a power; with a power of 0 that is 1, whatever the size."""
    return np.where(power == 0.0, 0.0, power * log)


def setting(known: Letters, sizes: Mapping[str, Any], exponents: Mapping[str, Any]) -> Setting:
    """Check numbers for every letter and take logs.

    Raises:
        DomainError: A number is missing, negative, nan or outside its range.
    """
    logs = {}
    with np.errstate(divide="ignore"):
        for name in known.sizes:
            logs[name] = np.log(_size(name, given_for(sizes, name), name in known.sites))
    chosen = []
    for its in known.ranges:
        name = its.letter
        x = _real(name, given_for(exponents, name), name in known.sites)
        for end in (x.min(), x.max()):
            its.check(as_fraction(name, float(end)))
        chosen.append(x)
    by_site = {name: x for name, x in zip(known.exponents, chosen, strict=True)} | logs
    many = {by_site[name].shape[-1] for name in known.sites} - {1}
    if len(many) > 1:
        rule = "Letters that differ by site have as many numbers along their last axis as sites."
        raise DomainError(rule, ", ".join(known.sites), sorted(many))
    return Setting(logs, tuple(chosen), known.unknown, max(many, default=1))


def _size(name: str, x: ArrayLike, by_site: bool) -> Array:
    array = check_array(name, x, zero=True, infinite=True)
    return array if by_site else array.reshape(np.shape(x))[..., None]


def _real(name: str, x: ArrayLike, by_site: bool) -> Array:
    try:
        array = np.asarray(x, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise DomainError(f"{name} must be a finite number.", name, x) from None
    if not array.size or not np.isfinite(array).all():
        raise DomainError(f"{name} must be a finite number.", name, x)
    return np.atleast_1d(array) if by_site else array[..., None]
