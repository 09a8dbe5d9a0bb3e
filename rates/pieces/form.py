r"""Piecewise linear functions of logarithms: minima and maxima of products of powers.

In logs a product of powers is linear, so a rate made of them by min and max is

.. math:: F(x) = \min_i \max_j \dots (a_k + \langle p_k, x \rangle), \qquad x = \log(\text{sizes}).

A tree says how the leaves are joined: a leaf is its number, a branch ("min" or "max", branches);
("times", branches) is a product, a sum in logs, that was not multiplied out. A leaf may also have
factors that are no powers, log(n) and exp(eps) - 1: values have them, lines, borders and slopes
leave them out.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError, check_array

T = TypeVar("T")
Array = NDArray[np.float64]
Codes = NDArray[np.int16]
Leaves = Sequence[Array] | Mapping[int, Array] | Array  # the value of each leaf by its number
Kind = Literal["min", "max", "times"]
Tree = int | tuple[Kind, tuple["Tree", ...]]

MOST_LEAVES = 1024  # of a form multiplied out
TIE = 1e-12  # logs within this part of the larger of 1 and their size are equal


@dataclass(frozen=True, slots=True)
class Call:
    """A function of a product of powers, a size of its own.

    Attributes:
        name: "log", which is the larger of 1 and the natural logarithm; or "expm1", exp less 1.
        of: The product, its letters in order.
    """

    name: str
    of: Leaf

    def __str__(self) -> str:
        return f"{self.name}({self.of.text})"

    def log(self, logs: Mapping[str, Any]) -> Array:
        """Return the log of its value at logs of letters."""
        return log_of(self.name, self.of.log(logs))


@dataclass(frozen=True, slots=True)
class Leaf:
    """One product of powers, exactly.

    Powers are fractions, or anything that adds and multiplies: ratios of polynomials in exponents.

    Attributes:
        label: What it is called.
        powers: Letter and power, without zeros.
        factors: Base and power of each positive number in it.
        calls: Function and power of each logarithm and exponential in it.
    """

    label: str = ""
    powers: tuple[tuple[str, Any], ...] = ()
    factors: tuple[tuple[Fraction, Any], ...] = ()
    calls: tuple[tuple[Call, Any], ...] = ()

    def power_of(self, letter: str) -> Any:
        """The power of a letter, 0 if the letter is absent."""
        return dict(self.powers).get(letter, 0)

    def times(self, other: Leaf, plus: Callable[[Any, Any], Any] = operator.add) -> Leaf:
        """The product of two, with the label of this one; ``plus`` adds powers."""
        return Leaf(
            self.label,
            _merged(self.powers, other.powers, plus),
            _merged(self.factors, other.factors, plus),
            _merged(self.calls, other.calls, plus) if self.calls or other.calls else (),
        )

    def over(self, other: Leaf) -> Leaf:
        """The ratio of two, with the label of this one."""
        return self.times(other.each(operator.neg))

    def each(self, change: Callable[[Any], Any]) -> Leaf:
        """The same with every power changed; what comes to 0 is left out."""
        return Leaf(
            self.label,
            tuple((x, q) for x, p in self.powers if (q := change(p))),
            tuple((x, q) for x, p in self.factors if (q := change(p))),
            tuple((x, q) for x, p in self.calls if (q := change(p))),
        )

    def meets(
        self, other: Leaf, along: str, divide: Callable[[Any, Any], Any] = operator.truediv
    ) -> Leaf:
        """Where two that are not parallel are equal along a letter, in the other letters.

        >>> one, two = Fraction(1), Fraction(2)
        >>> Leaf("", (("n", -one),)).meets(Leaf("", (("n", one), ("e", two))), "e").powers
        (('n', Fraction(-1, 1)),)
        """
        turn = other.power_of(along) - self.power_of(along)
        return self.over(other).without(along).each(lambda power: divide(power, turn))

    def without(self, letter: str) -> Leaf:
        """The same without a letter, and without the functions of it."""
        kept = tuple(pair for pair in self.powers if pair[0] != letter)
        calls = tuple(pair for pair in self.calls if letter not in pair[0].of.letters)
        return Leaf(self.label, kept, self.factors, calls)

    def without_logs(self) -> Leaf:
        """The same with 1 for each logarithm."""
        if not self.calls:
            return self
        calls = tuple((call, power) for call, power in self.calls if call.name != "log")
        return Leaf(self.label, self.powers, self.factors, calls)

    @property
    def letters(self) -> set[str]:
        """All letters, those inside functions with them."""
        return {x for x, _ in self.powers}.union(*(call.of.letters for call, _ in self.calls))

    @property
    def text(self) -> str:
        """The product as text, as a certificate calls it: 2*n^(1/2)/m."""
        pairs = [*self.factors, *self.powers, *self.calls]
        return "*".join(f"{x}" if p == 1 else f"{x}^({p})" for x, p in pairs) or "1"

    def log(self, logs: Mapping[str, Any]) -> Array:
        """Return the log of its value at logs of letters."""
        out = np.asarray(self.log_constant)
        for letter, power in self.powers:
            out = out + float(power) * np.asarray(logs[letter])
        with np.errstate(over="ignore"):  # an exponential beyond all numbers is infinite
            for call, power in self.calls:
                out = out + float(power) * call.log(logs)
        return out

    @property
    def log_constant(self) -> float:
        """The logarithm of the numbers."""
        return math.fsum(float(p) * log_number(base) for base, p in self.factors)


def mapped(
    tree: T, leaf: Callable[[Any], Any], kind: Callable[[Any], Any] = lambda kind: kind
) -> T:
    """Return a tree with other leaves, and other kinds of branches.

    >>> mapped(("min", (0, ("max", (1, 2)))), lambda k: k + 1)
    ('min', (1, ('max', (2, 3))))
    """
    if not isinstance(tree, tuple):
        return cast(T, leaf(tree))
    out = kind(tree[0]), tuple(mapped(branch, leaf, kind) for branch in tree[1])
    return cast(T, out)


def _merged(mine: tuple, others: tuple, plus: Callable[[Any, Any], Any]) -> tuple:
    out = dict(mine)
    for base, power in others:
        out[base] = plus(out[base], power) if base in out else power
    return tuple((base, power) for base, power in out.items() if power)


def log_of(name: str, inner: Array) -> Array:
    """Return the log of a function, see `Call`, of a size whose log is given."""
    with np.errstate(all="ignore"):
        if name == "log":
            return np.asarray(np.log(np.maximum(1.0, inner)))
        size = np.exp(inner)
        large = size + np.log(-np.expm1(-size))  # log(e^x - 1) without overflow
        return np.asarray(np.where(inner > -30.0, large, inner))


def log_number(base: Fraction) -> float:
    """Return the log of a positive number, however large."""
    return math.log(base.numerator) - math.log(base.denominator)


@dataclass(frozen=True)
class Form:
    """A piecewise linear function of the logs of its letters.

    Attributes:
        letters: The letters, in the order of the columns.
        leaves: The leaves, in reading order.
        tree: How they are joined.

    Raises:
        DomainError: A leaf has a letter that is not among the letters.

    Examples:
        >>> n = Leaf("first", (("n", Fraction(-1, 2)),))
        >>> e = Leaf("second", (("n", Fraction(-1)), ("eps", Fraction(-1))))
        >>> form = Form(("n", "eps"), (n, e), ("max", (0, 1)))
        >>> form.deciding({"n": 100.0, "eps": [0.01, 1.0]}).tolist()
        ['second', 'first']

    Source: [ACC] eq. (4) is one with five leaves.
    """

    letters: tuple[str, ...]
    leaves: tuple[Leaf, ...]
    tree: Tree

    def __post_init__(self) -> None:
        for leaf in self.leaves:
            for letter in leaf.letters:
                if letter not in self.letters:
                    raise DomainError(f"{letter} is no letter of the form.", leaf.label, letter)

    @property
    def has_calls(self) -> bool:
        """Whether some leaf has a logarithm or an exponential."""
        return any(leaf.calls for leaf in self.leaves)

    def without_logs(self) -> Form:
        """The same with 1 for each logarithm."""
        leaves = tuple(leaf.without_logs() for leaf in self.leaves)
        return Form(self.letters, leaves, self.tree)

    @cached_property
    def powers(self) -> Array:
        """Powers as a matrix, one row per leaf, one column per letter."""
        rows = [dict(leaf.powers) for leaf in self.leaves]
        table = [[float(row.get(letter, 0)) for letter in self.letters] for row in rows]
        return np.array(table, dtype=float).reshape(len(rows), len(self.letters))

    @cached_property
    def constants(self) -> Array:
        """Logarithms of the leaves' numbers."""
        return np.array([leaf.log_constant for leaf in self.leaves])

    @cached_property
    def multiplied(self) -> Form:
        """The same with products multiplied out: labels of their leaves are joined.

        Raises:
            DomainError: It has too many terms then.

        Examples:
            >>> n, e, one = Leaf("n", (("n", 1),)), Leaf("e", (("e", 1),)), Leaf("1")
            >>> tree = ("times", (("max", (0, 2)), ("min", (1, 2))))
            >>> [leaf.label for leaf in Form(("n", "e"), (n, e, one), tree).multiplied.leaves]
            ['n*e', 'n*1', '1*e', '1*1']
        """
        if not _has_product(self.tree):
            return self
        if _count(self.tree) > MOST_LEAVES:
            rule = f"Multiplied out, a rate has at most {MOST_LEAVES:,} terms here."
            raise DomainError(rule, "terms", _count(self.tree))
        leaves: list[Leaf] = []

        def number(leaf: Leaf) -> int:
            leaves.append(leaf)
            return len(leaves) - 1

        tree = mapped(cast(Any, _multiplied(self.tree, self.leaves)), number)
        return Form(self.letters, tuple(leaves), tree)

    def along(
        self, letters: Sequence[str], sizes: Mapping[str, ArrayLike], *, single: bool = False
    ) -> tuple[Array, Array]:
        """Return the leaves as linear functions of the logs of some letters, the others fixed.

        Args:
            letters: The letters that vary, different ones of the form.
            sizes: The other letters' sizes, positive and finite; they broadcast.
            single: Whether each is one number.

        Returns:
            Slopes, one row per leaf and one column per letter, and intercepts, whose last axis
            runs over the leaves.

        Raises:
            DomainError: A letter is not in the form or given twice, a size is missing or
                outside its domain, or a leaf has an exponential in it.

        Examples:
            >>> form = Form(("n", "eps"), (Leaf("1"), Leaf("2", (("eps", Fraction(-1)),))), 0)
            >>> [part.tolist() for part in form.along(["eps"], {"n": 10})]
            [[[0.0], [-1.0]], [0.0, 0.0]]
        """
        for k, letter in enumerate(letters):
            if letter not in self.letters:
                raise DomainError(f"{letter} is no letter of the form.", "axis", letter)
            if letter in letters[:k]:
                raise DomainError(f"{letter} is on both axes.", "axis", letter)
        self.check_lines()
        intercepts = self.constants
        for column, letter in enumerate(self.letters):
            if letter in letters:
                continue
            if letter not in sizes:
                raise DomainError(f"{letter} has no size.", letter, None)
            log = np.log(check_array(letter, sizes[letter])).reshape(np.shape(sizes[letter]))
            intercepts = intercepts + log[..., None] * self.powers[:, column]
        if single and intercepts.ndim != 1:
            shape = intercepts.shape[:-1]
            raise DomainError("Every other letter has one number.", "sizes", shape)
        return self.powers[:, [self.letters.index(letter) for letter in letters]], intercepts

    def check_lines(self) -> None:
        """Refuse a leaf that grows faster than every power: there is no line near it."""
        for leaf in self.leaves:
            for call, _ in leaf.calls:
                if call.name == "expm1":
                    rule = (
                        f"exp({call.of.text}) is no power, so there are no borders and cases: "
                        "for what is at most 1, write x for exp(x) - 1 and 1 for exp(x)."
                    )
                    raise DomainError(rule, leaf.label, str(call))

    def leaf_logs(self, sizes: Mapping[str, ArrayLike]) -> Array:
        """Return the logs of all leaves; sizes broadcast, the last axis runs over leaves."""
        logs = [np.log(np.asarray(sizes[letter], dtype=float)) for letter in self.letters]
        if not logs:
            return self.constants
        lines = np.asarray(np.stack(np.broadcast_arrays(*logs), axis=-1) @ self.powers.T)
        if self.has_calls:
            at = dict(zip(self.letters, logs, strict=True))
            shape = lines.shape[:-1]
            return np.stack([np.broadcast_to(leaf.log(at), shape) for leaf in self.leaves], axis=-1)
        return lines + self.constants

    def value(self, sizes: Mapping[str, ArrayLike]) -> Array:
        """Return the value itself, not its log; sizes broadcast."""
        return np.asarray(np.exp(choose(self.tree, self.leaf_logs(sizes))[0]))

    def deciding(self, sizes: Mapping[str, ArrayLike]) -> NDArray[np.str_]:
        """Return the label of the leaf that gives the value, the first one at ties."""
        form = self.multiplied
        _, index = choose(form.tree, form.leaf_logs(sizes))
        return np.asarray(np.array([leaf.label for leaf in form.leaves])[index])


def _has_product(tree: Tree) -> bool:
    return not isinstance(tree, int) and (tree[0] == "times" or any(map(_has_product, tree[1])))


def _count(tree: Tree) -> int:
    """Return how many leaves a tree has when multiplied out."""
    if isinstance(tree, int):
        return 1
    counts = map(_count, tree[1])
    return math.prod(counts) if tree[0] == "times" else sum(counts)


def _multiplied(tree: Tree, leaves: Sequence[Leaf]) -> Any:
    """Return a tree of leaves with products multiplied out."""
    if isinstance(tree, int):
        return leaves[tree]
    branches = [_multiplied(branch, leaves) for branch in tree[1]]
    return reduce(_times, branches) if tree[0] == "times" else (tree[0], tuple(branches))


def _times(a: Any, b: Any) -> Any:
    if isinstance(a, tuple):
        return a[0], tuple(_times(branch, b) for branch in a[1])
    if isinstance(b, tuple):
        return b[0], tuple(_times(a, branch) for branch in b[1])
    return replace(a.times(b), label=f"{a.label}*{b.label}")


def choose(tree: Tree, values: Array) -> tuple[Array, Codes]:
    """Return the value of a tree of minima and maxima, and the leaf that gives it.

    Values within 1e-12 of the larger of 1 and their size tie; the leaf that is read first wins.

    Args:
        tree: How the leaves are joined.
        values: Logs of the leaves along the last axis.

    Examples:
        >>> value, leaf = choose(("min", (0, ("max", (1, 2)))), np.array([0.0, -3.0, -2.0]))
        >>> float(value), int(leaf)
        (-2.0, 2)
    """
    return decide(tree, np.moveaxis(values, -1, 0))


def decide(tree: Tree, values: Leaves) -> tuple[Array, Codes]:
    """Return as `choose` does; the leaves' values come one by one and broadcast.

    >>> value, leaf = decide(("max", (0, 1)), [np.array(0.0), np.array([-1.0, 1.0])])
    >>> value.tolist(), leaf.tolist()
    ([0.0, 1.0], [0, 1])
    """
    value, leaf = _decide(tree, values)
    return value, np.broadcast_to(leaf, value.shape)


def _decide(tree: Tree, values: Leaves) -> tuple[Array, Codes]:
    if isinstance(tree, int):
        return values[tree], np.asarray(tree, dtype=np.int16)
    kind, branches = tree
    value, leaf = _decide(branches[0], values)
    for branch in branches[1:]:
        other, its = _decide(branch, values)
        with np.errstate(invalid="ignore"):
            if kind == "times":
                value = value + other
                continue
            gap = TIE * np.maximum(1.0, np.minimum(np.abs(value), np.abs(other)))
            better = other < value - gap if kind == "min" else other > value + gap
            # A leaf that is not defined gives way to any other.
            leaf = np.where(better | np.isnan(value), its, leaf)
            value = np.fmin(value, other) if kind == "min" else np.fmax(value, other)
    return value, leaf
