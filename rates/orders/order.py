"""The record of a rate, and what it says at given numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import pieces
from rates.language import unordered
from rates.numbers import DomainError, check_array, safe_exp
from rates.orders.language import nodes, powers, trees, write
from rates.orders.language.letters import Letters, exponents_at, given_for
from rates.orders.language.nodes import Join, Labelled, Node, Number, Raised
from rates.orders.language.powers import Power
from rates.orders.language.trees import Tree
from rates.orders.value import setting
from rates.pieces import Leaf

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a rate.

    Attributes:
        label: What it is called.
        constant: The number in it, as an expression of sympy.
        powers: Letter and power, as an expression of sympy.
        calls: Logarithm or exponential as text, as "log(n)", and power likewise.
    """

    label: str
    constant: Any
    powers: Mapping[str, Any]
    calls: Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class Order:
    r"""A rate up to constants: powers of letters, joined by products, min, max and sums.

    Or a balance, left = right, in one unknown, with a rate in that unknown. Equal orders are
    built alike from the same letters; ``parse(str(order), **order.letters) == order``.

    Attributes:
        left: The rate, or the left side of a balance.
        right: The right side of a balance, None without one.
        outer: A balance's rate in the unknown, None for the unknown itself.
        known: What each letter is.
    """

    left: Node
    right: Node | None
    outer: Node | None
    known: Letters

    # -- what was declared ----------------------------------------------------------------
    @property
    def sizes(self) -> tuple[str, ...]:
        """The sizes, the unknown not among them."""
        return self.known.sizes

    @property
    def exponents(self) -> tuple[str, ...]:
        """The exponents."""
        return self.known.exponents

    @property
    def unknown(self) -> str | None:
        """The letter that a balance is solved for."""
        return self.known.unknown or None

    @property
    def sites(self) -> tuple[str, ...]:
        """Letters that differ by site."""
        return self.known.sites

    @property
    def rate(self) -> str | None:
        """A balance's rate in the unknown as typed, None for the unknown itself."""
        return None if self.outer is None else write.text_of(self.outer)

    @property
    def letters(self) -> dict[str, Any]:
        """What `parse` is given beside the text."""
        ends = {r.letter: (r.low, r.high) if r.stated else None for r in self.known.ranges}
        return {
            "sizes": self.sizes,
            "exponents": ends,
            "unknown": self.unknown,
            "rate": self.rate,
            "sites": self.sites,
        }

    @property
    def explicit_letters(self) -> Letters:
        """The letters of its explicit form, and of what it is compared with."""
        return Letters(self.sizes, self.known.ranges)

    # -- how it is written ------------------------------------------------------------------
    @property
    def _sides(self) -> tuple[Node, ...]:
        return (self.left,) if self.right is None else (self.left, self.right)

    def __str__(self) -> str:
        text = " = ".join(map(write.text_of, self._sides))
        # What is written must be read again: a long text can spare its blanks.
        if len(text) <= 500:
            return text
        return "=".join(write.text_of(side, "") for side in self._sides)

    def __repr__(self) -> str:
        return f"Order({str(self)!r})"

    @cached_property
    def latex(self) -> str:
        """The rate as LaTeX; a balance's own rate is not in it, see `rate_latex`."""
        return " = ".join(write.tex_of(side, self.sites) for side in self._sides)

    @property
    def rate_latex(self) -> str | None:
        """The rate of a balance as LaTeX, None without a balance."""
        return None if self.unknown is None else write.tex_of(self._said, self.sites)

    @property
    def typed(self) -> tuple[Node, ...]:
        """Everything that was typed: one side or two, and a balance's own rate."""
        return self._sides if self.outer is None else (*self._sides, self.outer)

    # -- its order --------------------------------------------------------------------------
    def sign(self, power: Power) -> int:
        """Return the sign of a power inside the ranges, or raise `DomainError`."""
        found = powers.sign(power, self.known.ranges)
        if found is None:
            text = write.power_text(power)
            rule = f"The sign of {text} is not known: declare ranges of its letters."
            raise DomainError(rule, text, power)
        return found

    def _normal(self, node: Node, bound: Mapping[str, trees.Normal] | None = None) -> trees.Normal:
        return nodes.normal(node, self.known.one, self.sign, bound)

    @cached_property
    def _balance(self) -> trees.Normal:
        """One side of a balance over the other, multiplied out."""
        assert self.right is not None
        above, below = map(self._normal, (self.left, self.right))
        found = trees.product(above, trees.raised(below, -self.known.one, self.sign))
        return trees.multiplied_out(found)

    @cached_property
    def _tree(self) -> trees.Normal:
        """The order multiplied out; of a balance that of its rate."""
        if self.unknown is None:
            return self._normal(self.left)
        # It has as many terms as there are sites, which only the value is told.
        if "sites" in trees.kinds_of(self._balance):
            rule = "A sum over sites has no explicit form: give the sites and ask for the value."
            raise DomainError(rule, "sum_j", str(self))
        # All terms have powers of one sign, as reading saw to it; the first tells which.
        steep = next(trees.leaves_of(self._balance)).power_of(self.unknown)
        found = trees.tropical(self._balance, self.unknown, self.sign(steep) > 0)
        if self.outer is None:
            return trees.flat(found)
        return trees.flat(self._normal(self.outer, {self.unknown: found}))

    @cached_property
    def _explicit(self) -> Order:
        if self.unknown is None:
            return self
        known = self.explicit_letters
        return Order(nodes.as_node(self._tree, known.one), None, None, known)

    def explicit(self) -> Order:
        """Return the order of a balance's root, min and max kept; itself if it has no unknown.

        Raises:
            DomainError: It sums over sites.

        Examples:
            >>> from rates.orders import parse
            >>> print(parse("n*r^2 + m*r^4 = 1", sizes=["n", "m"], unknown="r").explicit())
            min(n^(-1/2), m^(-1/4))
        """
        return self._explicit

    @cached_property
    def _numbered(self) -> tuple[tuple[Leaf, ...], Tree]:
        if self.unknown is None and "sites" in trees.kinds_of(self._tree):
            raise DomainError("A sum over sites has no fixed terms.", "sum_j", str(self))
        return trees.numbered(self._tree)

    def bound(self, side: int) -> trees.Normal:
        """Return minima and maxima that are nowhere below (1) or above (-1) a rate with sums."""
        # Without sums, functions and ranges the form is the rate itself.
        if not any(map(nodes.is_rounded, nodes.nodes_in(self.left))):
            return trees.flat(self._tree)
        return trees.flat(nodes.normal(self.left, self.known.one, self.sign, None, side))

    @property
    def factored(self) -> bool:
        """Whether a product in it has too many terms to be multiplied out."""
        return "times" in trees.kinds_of(self._tree)

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """The terms of the explicit form, in reading order, with powers in the field.

        Of one that is `factored` those of its factors.
        """
        return self._numbered[0]

    def whole(self) -> Order:
        """Return itself.

        Raises:
            DomainError: It has too many terms to be multiplied out.
        """
        trees.multiplied_out(self._tree)
        return self

    @cached_property
    def ranges(self) -> tuple[Leaf, ...]:
        """What is at most 1 where no letter's range is empty: its lower end over its upper one."""
        parts = (part for side in self.typed for part in nodes.nodes_in(side))
        ends = [(x.low, x.high) for x in parts if isinstance(x, nodes.OverLetter)]
        return tuple(
            replace(cast(Leaf, self._normal(low)).over(cast(Leaf, self._normal(high))), label=text)
            for low, high in ends
            if low is not None and high is not None
            if (text := f"{write.text_of(low)} <= {write.text_of(high)}")
        )

    @property
    def tree(self) -> Tree:
        """How the leaves are joined: by "min", "max", "sum" and "times"."""
        return self._numbered[1]

    @cached_property
    def maxima(self) -> pieces.Tree:
        """The tree with sums read as maxima."""
        tree = pieces.mapped(self.tree, int, lambda kind: "max" if kind == "sum" else kind)
        return cast(pieces.Tree, trees.flat(tree))

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the explicit form, in reading order, with powers as sympy's expressions.

        With a sum over sites they are those of what was typed, all on one side.
        """
        # Who never asks for terms need not wait for sympy to load.
        from sympy import Mul, Rational

        typed = self._tree if self.unknown is None else self._balance
        by_sites = "sites" in trees.kinds_of(typed)
        # Terms under a sum over sites are shown as typed: there is no explicit form.
        leaves = trees.numbered(typed)[0] if by_sites else self.whole().leaves
        return tuple(
            Term(
                leaf.label,
                Mul(*(Rational(*b.as_integer_ratio()) ** p.as_expr() for b, p in leaf.factors)),
                {letter: power.as_expr() for letter, power in leaf.powers},
                {str(call): power.as_expr() for call, power in leaf.calls},
            )
            for leaf in leaves
        )

    @property
    def has_logs(self) -> bool:
        """Whether a term of the explicit form has a logarithm."""
        return any(call.name == "log" for leaf in self.leaves for call, _ in leaf.calls)

    # -- at given exponents -------------------------------------------------------------------
    def at(self, exponents: Mapping[str, Any]) -> pieces.Form:
        """Return the explicit form at given exponents, exactly, sums read as maxima.

        Args:
            exponents: A number for every exponent: int, Fraction, text or float, which is read
                by its shortest decimal.

        Raises:
            DomainError: A number is missing or outside its range, a denominator is 0, or the
                order sums over sites.

        Examples:
            >>> from rates.orders import parse
            >>> order = parse("n^(-2*b/(2*b+1)) + 1/n", sizes=["n"], exponents=["b"])
            >>> order.at({"b": 0.5}).leaves[0].powers
            (('n', Fraction(-1, 2)),)
        """
        return _form(self, exponents_at(self.known.ranges, exponents))

    def sum_factor(self, exponents: Mapping[str, Any]) -> float:
        """Return a C such that the value lies in [1/C, C] times the form of `at`.

        A sum of k terms read as their maximum loses at most k; a power multiplies logs, and the
        root of a balance with least power s of its unknown loses at most the power 1/s.

        Raises:
            DomainError: As `at`.

        Examples:
            >>> from rates.orders import parse
            >>> order = parse("n*r^2 + m*r^4 = 1", sizes=["n", "m"], unknown="r")
            >>> round(order.sum_factor({}), 9)
            1.414213562
        """
        return safe_exp(math.fsum(abs(p) * loss for p, loss in self.losses(exponents).values()))

    def losses(self, exponents: Mapping[str, Any]) -> dict[Any, tuple[float, float]]:
        """Return the power of each factor that `at` reads otherwise, and the log of what it loses.

        Equal factors of two rates are under one key: their powers may be subtracted.
        """
        values = exponents_at(self.known.ranges, exponents)
        out: dict[Any, tuple[float, float]] = {}
        if self.unknown is None:
            _gather(self.left, 1.0, values, out)
            return out
        steep = min(
            abs(powers.exact(leaf.power_of(self.unknown), values))
            for leaf in trees.leaves_of(self._balance)
        )
        both = math.fsum(_log_loss(side, values, {}) for side in self._sides)
        of_root = {self.unknown: both / float(steep)}
        return {self: (1.0, _log_loss(self._said, values, of_root))}

    @property
    def _said(self) -> Node:
        """The rate itself, in the unknown of a balance."""
        if self.unknown is None:
            return self.left
        return self.outer or nodes.Letter(self.unknown)

    def deciding(
        self, sizes: Mapping[str, ArrayLike], exponents: Mapping[str, Any]
    ) -> NDArray[np.str_]:
        """Return the label of the explicit term that decides, at ties the first as read.

        Raises:
            DomainError: A size is not positive and finite, or as `at`.

        Examples:
            >>> from rates.orders import parse
            >>> order = parse("max(A: n, B: m^2)", sizes=["n", "m"])
            >>> order.deciding({"n": [1.0, 4.0, 9.0], "m": 2.0}, {}).tolist()
            ['B', 'A', 'A']
        """
        form = self.at(exponents)
        given = {x: given_for(sizes, x) for x in form.letters}
        return form.deciding({x: check_array(x, v).reshape(np.shape(v)) for x, v in given.items()})

    def value(
        self, sizes: Mapping[str, ArrayLike], exponents: Mapping[str, ArrayLike] | None = None
    ) -> Array:
        """Return the value: sums as sums, a balance by its exact root.

        Args:
            sizes: Numbers >= 0 or infinite, as arrays that broadcast; letters that differ by
                site have a last axis over sites.
            exponents: Numbers as arrays that broadcast, likewise.

        Returns:
            The value with the broadcast shape; nan where it is undefined, such as 0 * inf.

        Raises:
            DomainError: A number is missing, negative, nan or outside its range.

        Examples:
            >>> from rates.orders import parse
            >>> order = parse("n*r^2 + m*r^2 = 1", sizes=["n", "m"], unknown="r")
            >>> order.value({"n": 9.0, "m": [7.0, 91.0]}).round(12).tolist()
            [0.25, 0.1]
        """
        numbers = setting(self.known, sizes, exponents or {})
        u = np.zeros(1)
        if self.right is not None:
            leaves = trees.leaves_of(self._balance)
            each = (numbers.power(leaf.power_of(self.known.unknown)) + u for leaf in leaves)
            # The least power bounds how far the root can be from a first guess.
            steep = np.stack(np.broadcast_arrays(*each))
            side = np.sign(steep.flat[0])
            if not (steep * side > 0.0).all():
                rule = f"Every power of {self.unknown} must differ from 0 at these exponents."
                raise DomainError(rule, self.known.unknown, 0)
            u = numbers.root(
                self.left, self.right, side * np.abs(steep).min(axis=(0, -1))[..., None]
            )
        with np.errstate(all="ignore"):
            return np.asarray(np.exp(numbers.of(self._said, u))[..., 0])


# Claims and maps ask for the same exponents again and again.
@lru_cache(maxsize=256)
def _form(order: Order, values: tuple[Fraction, ...]) -> pieces.Form:
    leaves = tuple(powers.leaf_at(leaf, values) for leaf in order.leaves)
    return pieces.Form(order.sizes, leaves, order.maxima)


def single(leaf: Leaf, known: Letters) -> Order:
    """Return one product of powers as a rate."""
    return Order(nodes.as_node(replace(leaf, label=""), known.one), None, None, known)


def losses_apart(one: Order, other: Order, exponents: Mapping[str, Any]) -> float:
    """Return the factor that the ratio of two rates may lose; what both have costs nothing.

    >>> from rates.orders import parse
    >>> first, second = (parse(x, sizes=["n", "m"]) for x in ("(n + m)^3", "(m + n)^2*max(n, m)"))
    >>> losses_apart(first, second, {}), losses_apart(first, first, {})
    (2.0, 1.0)
    """
    first, second = one.losses(exponents), other.losses(exponents)
    return safe_exp(
        math.fsum(
            abs(first.get(key, (0.0, 0.0))[0] - second.get(key, (0.0, 0.0))[0])
            * max(side[key][1] for side in (first, second) if key in side)
            for key in {**first, **second}
        )
    )


def _gather(
    node: Node, power: float, values: tuple[Fraction, ...], out: dict[Any, tuple[float, float]]
) -> None:
    match node:
        case Labelled(_, body):
            _gather(body, power, values, out)
        case nodes.Product(factors):
            for factor in factors:
                _gather(factor, power, values, out)
        case Raised(base, by):
            _gather(base, power * float(powers.exact(by, values)), values, out)
        case _ if loss := _log_loss(node, values, {}):
            # One key whatever the order of terms, so that (n + m) cancels (m + n).
            key = unordered(write.expression(node))
            out[key] = out.get(key, (0.0, 0.0))[0] + power, loss


def _log_loss(node: Node, values: tuple[Fraction, ...], loss: Mapping[str, float]) -> float:
    """Return the log of what sums read as maxima, and letters known up to a factor, may add."""
    match node:
        case Labelled(_, body):
            return _log_loss(body, values, loss)
        case nodes.Product(factors):
            return math.fsum(_log_loss(factor, values, loss) for factor in factors)
        case Raised(base, power):
            inner = _log_loss(base, values, loss)
            # A power multiplies logs, and with them what is lost.
            return inner * abs(float(powers.exact(power, values))) if inner else 0.0
        case Join(kind, parts):
            each = [_log_loss(part, values, loss) for part in parts]
            most = max(each)
            if kind != "sum" or math.isinf(most):
                return most
            # Added from the largest on, so that no exponential overflows.
            return most + math.log(math.fsum(math.exp(x - most) for x in each))
        case nodes.Letter(name):
            return loss.get(name, 0.0)
        case nodes.OverLetter(kind, letter, body):  # whole numbers are within a factor of 2
            return _log_loss(body, values, {**loss, letter: math.log(2.0) * (kind == "best")})
        case nodes.Called("log", body):  # log(C x) is at most (1 + log C) log(x)
            return math.log1p(_log_loss(body, values, loss))
        case nodes.Called(name, body):
            exactly = math.log(2.0) if name == "exp" else 0.0
            return math.inf if _log_loss(body, values, loss) else exactly
        case nodes.OverSites():
            raise DomainError("A sum over sites has no fixed number of terms.", "sum_j", None)
        case Number():
            return 0.0
