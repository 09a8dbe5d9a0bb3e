r"""The exact value of a rate: sums as sums, a balance by its root.

In u = log of the unknown a balance reads F(u) = 0, and F is steeper than the least power of the
unknown everywhere: its value at 0 says how far off the root can be.

An infimum over a letter is looked for around the best places at which two of its terms meet.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError, check_array, rising
from rates.orders.language import nodes, powers, trees
from rates.orders.language.letters import Letters, as_fraction, given_for
from rates.orders.language.powers import Power, numeric
from rates.pieces import Leaf, log_number, log_of

Array = NDArray[np.float64]
_FLAT = np.zeros(1)
_BEST = {"min": (np.minimum, -np.inf, np.fmin), "max": (np.maximum, np.inf, np.fmax)}
_FAR = 1e6  # of a root's log
_BEYOND = 40.0  # in logs: what is so much smaller adds nothing
_BESIDE = (1.0, 0.2)  # steps in logs: five of the second reach the next of the first
_STARTS = 5  # places that are searched around, and steps to either side
_SAME = 1e-6  # in logs, two places that count as one
_SECTIONS = 50
_GOLDEN = (3.0 - 5.0**0.5) / 2.0
_WHOLE = 1.0 + 1e-12  # what rounding may have taken from a whole number


@dataclass(slots=True)
class Setting:
    """Numbers for the letters, as arrays that broadcast; for `of` the last axis is that of sites.

    Attributes:
        logs: The logs of the sizes.
        exponents: The exponents, in the order of their letters.
        unknown: The unknown, empty without one.
        count: How many sites there are.
        known: What each letter is, for what is taken over a letter.
    """

    logs: Mapping[str, Array]
    exponents: tuple[Array, ...]
    unknown: str = ""
    count: int = 1
    known: Letters = field(default=Letters(()))
    _powers: dict[Power, Array] = field(default_factory=dict)

    def power(self, power: Power) -> Array:
        """The value of a power."""
        # Powers repeat in many terms, and take longer than sums do.
        if power not in self._powers:
            self._powers[power] = numeric(power, self.exponents)
        return self._powers[power]

    def of(self, node: nodes.Node, u: Array) -> Array:
        """Return the log of a node at the unknown's log u; call inside ``np.errstate``."""
        match node:
            case nodes.Number(value):
                return _FLAT + log_number(value)
            case nodes.Letter(name):
                return u if name == self.unknown else self.logs[name]
            case nodes.Labelled(_, body):
                return self.of(body, u)
            case nodes.Product(factors):
                return reduce(operator.add, (self.of(factor, u) for factor in factors))
            case nodes.Raised(base, power):
                return _times(self.power(power), self.of(base, u))
            case nodes.Called("exp", body):
                return np.exp(self.of(body, u))
            case nodes.Called(name, body):
                return log_of(name, self.of(body, u))
            case nodes.OverSites(body):
                log, _ = np.broadcast_arrays(self.of(body, u), np.empty(self.count))
                return np.asarray(np.logaddexp.reduce(log, axis=-1, keepdims=True))
            case nodes.OverLetter():
                return self.over_letter(node, u)
            case nodes.Join(kind, parts):
                logs = [self.of(part, u) for part in parts]
                if kind == "sum":
                    return reduce(np.logaddexp, logs)
                best, end, known = _BEST[kind]
                # What is undefined, 0 * inf, cannot undo a 0 in a minimum.
                return np.where(reduce(known, logs) == end, end, reduce(best, logs))

    def over_letter(self, node: nodes.OverLetter, u: Array) -> Array:
        """Return the log of what is least or largest over a letter; nan where its range is empty.

        With sums it is searched for where they are no maxima any more.
        """
        logs = {**self.logs, self.unknown: u}
        its = Setting(logs, self.exponents, node.letter, self.count, self.known)
        side = -1.0 if node.kind == "sup" else 1.0
        low = np.array([-_FAR]) if node.low is None else self.of(node.low, u)
        high = np.array([_FAR]) if node.high is None else self.of(node.high, u)

        def height(x: Array) -> Array:
            return np.asarray(side * its.of(node.body, x) + np.zeros(x.shape))

        # Up to sums the best place is an end, or where two terms meet.
        lines = [line(its, leaf) for leaf in _leaves(node.body, self.known)]
        # Sums move it by less in logs the steeper the terms are.
        steep = reduce(np.minimum, [np.where(p == 0.0, np.inf, np.abs(p)) for _, p in lines])
        steep = np.where(np.isinf(steep), 1.0, steep)
        places = [(a - b) / (q - p) for (a, p), (b, q) in itertools.combinations(lines, 2)]
        places = [np.clip(np.nan_to_num(x), -_FAR, _FAR) for x in places] or [_FLAT]
        ends = [
            reduce(best, places) + way * _BEYOND / steep
            for best, way in ((np.minimum, -1.0), (np.maximum, 1.0))
        ]
        ends += [end for end, of in ((low, node.low), (high, node.high)) if of is not None]
        flat = np.zeros(np.broadcast_shapes(*(a.shape for a in (*logs.values(), *self.exponents))))
        x = np.clip(np.stack(np.broadcast_arrays(flat, *places, *ends))[1:], low, high)
        for step in _BESIDE:  # the best places, and others beside
            start = _lowest(x, height, _STARTS)
            x = np.concatenate([start + k * step / steep for k in range(-_STARTS, _STARTS + 1)])
            x = np.clip(x, low, high)
        start = _lowest(x, height, 1)
        left, right = (np.clip(start + way * _BESIDE[-1] / steep, low, high) for way in (-1.0, 1.0))
        # Golden sections: within one step of a best place there is one optimum.
        for _ in range(_SECTIONS):
            inner = left + _GOLDEN * (right - left), right - _GOLDEN * (right - left)
            lower = height(inner[0]) < height(inner[1])
            left, right = np.where(lower, left, inner[0]), np.where(lower, inner[1], right)
        x = np.concatenate([start, left])
        if node.kind == "best":
            # Near a real optimum the best whole number is one of its neighbours.
            whole = np.floor(np.exp(np.minimum(x, 700.0)) * _WHOLE)
            most = np.floor(np.exp(np.minimum(high, 700.0)) * _WHOLE)
            x = np.log(np.clip(np.concatenate([whole, whole + 1.0]), 1.0, most))
        found = side * reduce(np.fmin, height(x))
        return np.where(low > high, np.nan, found)

    def root(self, above: nodes.Node, below: nodes.Node, least: Array) -> Array:
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


def _lowest(x: Array, height: Callable[[Array], Array], count: int) -> Array:
    """Return the places where a function is least, along the first axis, each place once."""
    x = np.sort(x, axis=0)
    heights = height(x)
    # Several pairs of terms may meet in one place: it must not crowd out all others.
    heights[1:][np.diff(x, axis=0) < _SAME] = np.inf
    return np.take_along_axis(x, np.argsort(heights, axis=0)[:count], axis=0)


@lru_cache(maxsize=256)
def _leaves(node: nodes.Node, known: Letters) -> tuple[Leaf, ...]:
    tree = nodes.normal(node, known.one, lambda power: powers.sign(power, known.ranges) or 0)
    return tuple(dict.fromkeys(trees.leaves_of(tree)))


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
    for call, power in leaf.calls:
        log = log + _times(numbers.power(power), log_of(call.name, line(numbers, call.of)[0]))
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
    # Broadcasting would repeat one site silently.
    if len(many) > 1:
        rule = "Letters that differ by site have as many numbers along their last axis as sites."
        raise DomainError(rule, ", ".join(known.sites), sorted(many))
    return Setting(logs, tuple(chosen), known.unknown, max(many, default=1), known)


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
