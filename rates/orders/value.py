r"""The exact value of a rate: sums as sums, a balance by its root.

In u = log of the unknown a balance reads F(u) = 0, and F is steeper than the least power of the
unknown everywhere: its value at 0 says how far off the root can be.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError, bracketed, check_array
from rates.orders.language.letters import Letters, as_fraction, given_for
from rates.orders.language.nodes import (
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
from rates.pieces import log_number

Array = NDArray[np.float64]
Valued = tuple[Array, Array]  # a log, and its slope in the unknown's log

_FLAT = np.zeros(1)


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

    def of(self, node: Node, u: Array) -> Valued:
        """Return the log of a node and its slope in u; call inside ``np.errstate``."""
        match node:
            case Number(value):
                return _FLAT + log_number(value), _FLAT
            case Letter(name):
                return (u, _FLAT + 1.0) if name == self.unknown else (self.logs[name], _FLAT)
            case Labelled(_, body):
                return self.of(body, u)
            case Product(factors):
                each = [self.of(factor, u) for factor in factors]
                return reduce(operator.add, (a for a, _ in each)), sum((s for _, s in each), _FLAT)
            case Raised(base, power):
                log, slope = self.of(base, u)
                p = self.power(power)
                return np.where(p == 0.0, 0.0, p * log), p * slope
            case OverSites(body):
                log, slope, _ = np.broadcast_arrays(*self.of(body, u), np.empty(self.count))
                log, slope = _summed(log, slope)
                return log[..., None], slope[..., None]
            case Join(kind, parts):
                found = [x for part in parts for x in self.of(part, u)]
                both = np.stack(np.broadcast_arrays(*found), axis=-1)
                logs, slopes = both[..., 0::2], both[..., 1::2]
                return _summed(logs, slopes) if kind == "sum" else _extreme(kind, logs, slopes)


def line(numbers: Setting, leaf: Leaf) -> Valued:
    """Return the log of a leaf without the unknown, and the unknown's power."""
    log, slope = _FLAT, _FLAT
    for base, power in leaf.factors:
        log = log + log_number(base) * numbers.power(power)
    for name, power in leaf.powers:
        p = numbers.power(power)
        if name == numbers.unknown:
            slope = p
        else:
            log = log + np.where(p == 0.0, 0.0, p * numbers.logs[name])
    return log, slope


def _summed(logs: Array, slopes: Array) -> Valued:
    """Return the log of the sum over the last axis; a term 0 * inf makes it undefined."""
    top = np.fmax.reduce(logs, axis=-1, initial=-np.inf)
    shift = np.where(np.isfinite(top), top, 0.0)
    weights = np.exp(logs - shift[..., None])
    total = weights.sum(axis=-1)
    log = np.where(np.isposinf(top), top, shift + np.log(total))
    return log, np.where(weights > 0, weights * slopes, 0.0).sum(axis=-1) / total


def _extreme(kind: str, logs: Array, slopes: Array) -> Valued:
    """Return the least or largest over the last axis; 0 * inf cannot undo a 0 in a minimum."""
    key = logs if kind == "min" else -logs
    key = np.where(np.isnan(key), -sys.float_info.max, key)
    where = np.argmin(key, axis=-1)[..., None]
    return (
        np.take_along_axis(logs, where, axis=-1)[..., 0],
        np.take_along_axis(slopes, where, axis=-1)[..., 0],
    )


def root(numbers: Setting, above: Node, below: Node, least: Array) -> Array:
    """Return the log of the root of above / below = 1.

    Both sides' logs part at least as fast as the least power of the unknown says, so that the root
    is at most their gap over that power away from 0.

    Args:
        numbers: The numbers.
        above: One side.
        below: The other.
        least: The least power of the unknown in their ratio, by size, with its sign.
    """

    def gap(u: Array) -> Valued:
        (a, s), (b, t) = numbers.of(above, u), numbers.of(below, u)
        return np.asarray(a - b), s - t

    def at(u: Array) -> tuple[Array, NDArray[np.bool_], Array]:
        log, slope = gap(u)
        return log / slope, log * np.sign(least) > 0, 1.0 / np.abs(least)

    with np.errstate(all="ignore"):
        log, slope = gap(_FLAT)
        start, end = np.broadcast_arrays(-log / slope, -log / least)
        fixed = ~np.isfinite(end)  # one side is 0 or infinite
        pad = 1e-12 * (1.0 + np.abs(end))
        ends = (start, np.minimum(0.0, end) - pad, np.maximum(0.0, end) + pad)
        inner = [np.where(fixed, 0.0, x) for x in ends]
        return np.where(fixed, end, bracketed(at, *inner))


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
