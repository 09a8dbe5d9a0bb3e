"""From a text to nodes: every refusal names its column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn, TypeVar

from rates.orders.language import powers
from rates.orders.language.letters import FUNCTIONS, Letters
from rates.orders.language.nodes import (
    MAX_LEAVES,
    Labelled,
    Letter,
    NegativeSumError,
    Node,
    Normal,
    Number,
    OverSites,
    Raised,
    TooManyLeavesError,
    joined,
    leaves_of,
    multiplied,
    normal,
    to_the,
)
from rates.orders.language.powers import Power
from rates.orders.language.scan import OrderError, Token, scan

T = TypeVar("T")
MAX_NODES = 200
MAX_DEPTH = 30  # brackets inside brackets
MAX_LABEL = 24
_ENDS = (Fraction(2.3e-308), Fraction(1.7e308))


@dataclass(slots=True)
class Parser:
    """Reads one text by recursive descent, a method for each level of binding.

    Attributes:
        text: What was typed.
        letters: What its letters are.
        where: What a refusal calls the text, empty for the rate itself.
    """

    text: str
    letters: Letters
    where: str = ""
    tokens: tuple[Token, ...] = field(init=False)
    place: int = 0
    nodes: int = 0
    depth: int = 0
    inside: bool = False  # of a sum over sites

    def __post_init__(self) -> None:
        self.tokens = scan(self.text, self.where)

    # -- what stands where ------------------------------------------------------------------
    @property
    def next(self) -> Token:
        """The piece that is read next."""
        return self.tokens[self.place]

    def take(self) -> Token:
        """Read a piece."""
        token = self.next
        if token.kind != "end":
            self.place += 1
        if token.kind != "mark":
            self.nodes += 1
            if self.nodes > MAX_NODES:
                self.refuse(f"A rate has at most {MAX_NODES} numbers and letters", token)
        return token

    def sees(self, *marks: str) -> bool:
        """Whether one of these marks is next."""
        return self.next.kind == "mark" and self.next.text in marks

    def refuse(self, rule: str, start: Token, end: Token | None = None) -> NoReturn:
        """Raise `OrderError` at a piece, or from one to the end of another."""
        raise OrderError(rule, self.text, start.column, (end or start).end, self.where)

    def inner(self, read: Callable[[], T], what: str) -> T:
        """Read what stands between brackets; the opening one is next."""
        opening = self.take()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(f"Brackets go at most {MAX_DEPTH} deep", opening)
        out = read()
        self.depth -= 1
        if not self.sees(")"):
            if self.next.kind == "end":
                self.refuse("This bracket is not closed", opening)
            self.unexpected(what)
        self.take()
        return out

    def unexpected(self, wanted: str) -> NoReturn:
        """Refuse what is next, with what was wanted instead."""
        token = self.next
        if token.kind == "end":
            self.refuse(f"The text ends where {wanted} is wanted", token)
        if token.kind in ("name", "number") or token.text == "(":
            self.refuse("A mark such as * is missing before this", token)
        if token.text == "-":
            self.refuse("A difference has no order: write which side is larger", token)
        if token.text == ")":
            self.refuse("This bracket closes nothing", token)
        if token.text == ":":
            self.refuse("A label stands before a term: label: term", token)
        if token.text == "=":
            if not self.letters.unknown:
                rule = "An equation needs an unknown: declare the letter that it is solved for"
                self.refuse(rule, token)
            self.refuse("An equation has one =, and no brackets around both sides", token)
        self.refuse(f"{wanted.capitalize()} is wanted here", token)

    # -- sizes ------------------------------------------------------------------------------
    def finish(self) -> None:
        """Refuse what is left."""
        if self.next.kind != "end":
            self.unexpected("a mark such as +, * or ^")

    def wants(self, letter: str) -> None:
        """Refuse a text without a letter."""
        if not any(token.text == letter for token in self.tokens):
            self.refuse(f"{letter} is the unknown and does not occur", self.tokens[-1])

    def total(self) -> Node:
        """Read terms joined by +."""
        parts = [self.addend()]
        while self.sees("+"):
            self.take()
            parts.append(self.addend())
        return joined("sum", parts)

    def addend(self) -> Node:
        """Read a term, with its label if it has one."""
        token = self.next
        after = self.tokens[min(self.place + 1, len(self.tokens) - 1)]
        if token.kind in ("name", "number") and (after.kind, after.text) == ("mark", ":"):
            if len(token.text) > MAX_LABEL or not token.text.replace("_", "").isalnum():
                self.refuse(f"A label is a word or whole number of at most {MAX_LABEL}", token)
            self.take()
            self.take()
            return Labelled(token.text, self.factors())
        return self.factors()

    def factors(self) -> Node:
        """Read factors joined by * and /."""
        first = self.next
        out = [self.power()]
        while self.sees("*", "/"):
            mark = self.take()
            start = self.next
            factor = self.power()
            if mark.text == "/":
                factor = self.raised(factor, -self.letters.one, mark, start)
            out.append(factor)
        product = multiplied(out)
        head = product.factors[0] if hasattr(product, "factors") else product
        if isinstance(head, Number) and not _ENDS[0] <= head.value <= _ENDS[1]:
            rule = "This number is out of the range of floating point"
            self.refuse(rule, first, self.tokens[self.place - 1])
        return product

    def power(self) -> Node:
        """Read an atom, with its power if it has one."""
        start = self.next
        base = self.atom()
        if not self.sees("^", "**"):
            return base
        mark = self.take()
        power = self.exponent()
        if self.sees("^", "**"):
            self.refuse("A power of a power is written with brackets: (a^b)^c", self.next)
        return self.raised(base, power, mark, start)

    def raised(self, base: Node, power: Power, mark: Token, start: Token) -> Node:
        """Raise to a power, if its sign is known where it matters."""

        def signs(p: Power) -> int:
            side = powers.sign(p, self.letters.ranges)
            if side is None:
                rule = "The sign of this power is not known: declare ranges of its letters"
                self.refuse(rule, mark, self.tokens[self.place - 1])
            return side or 0

        try:
            node = to_the(base, power)
            if isinstance(node, Raised):
                self.small(node.power, mark)
            self.shape(node, signs)
        except NegativeSumError:
            way = "a negative power of a sum" if mark.text != "/" else "division by a sum"
            self.refuse(f"No order for {way}: write max for the sum", mark)
        except TooManyLeavesError:
            self.refuse(f"A rate has at most {MAX_LEAVES} terms when multiplied out", start)
        except powers.TooLongError:
            self.refuse("This power has too many terms or digits", start, mark)
        return node

    def shape(self, node: Node, signs: Callable[[Power], int]) -> Normal:
        """Return the normal form, refused if it has too many leaves."""
        tree = normal(node, self.letters.one, signs)
        if sum(1 for _ in leaves_of(tree)) > MAX_LEAVES:
            raise TooManyLeavesError
        return tree

    def atom(self) -> Node:
        """Read a number, a letter, a function or a bracket."""
        token = self.next
        if self.sees("("):
            return self.inner(self.total, "a )")
        if self.sees("-"):
            self.refuse("Sizes and numbers are positive: no minus before a factor", token)
        if token.kind == "number":
            self.take()
            return Number(self.number(token, _ENDS))
        if token.kind == "name":
            return self.named(self.take())
        self.unexpected("a number, a letter or a bracket")

    def named(self, token: Token) -> Node:
        """Read what a name stands for."""
        name, known = token.text, self.letters
        if name in FUNCTIONS:
            if not self.sees("("):
                self.refuse(f"{name} wants its terms in brackets", token)
            return self.function(token)
        if self.sees("(") and name not in (*known.sizes, *known.exponents, known.unknown):
            self.refuse(f"{name} is no function: there are {', '.join(FUNCTIONS)}", token)
        if name in known.exponents:
            self.refuse(f"{name} is an exponent and stands in powers only", token)
        if name not in known.sizes and name != known.unknown:
            self.refuse(f"{name} is not declared", token)
        if name in known.sites and not self.inside:
            self.refuse(f"{name} differs by site and stands inside sum_j(...) only", token)
        return Letter(name)

    def function(self, token: Token) -> Node:
        """Read the terms of a function."""
        name = token.text
        if name == "sum_j":
            if self.inside:
                self.refuse("A sum over sites has no other inside", token)
            if not self.letters.sites:
                self.refuse("sum_j needs letters that are declared to differ by site", token)
            self.inside = True
            body = self.inner(self.total, "a )")
            self.inside = False
            return OverSites(body)
        parts = self.inner(self.listed, "a , or a )")
        if name == "sqrt":
            if len(parts) != 1:
                self.refuse("sqrt takes one term", token)
            half = powers.constant(self.letters.exponents, Fraction(1, 2))
            return self.raised(parts[0], half, token, token)
        return joined(name, parts)

    def listed(self) -> list[Node]:
        """Read terms between commas."""
        parts = [self.total()]
        while self.sees(","):
            self.take()
            parts.append(self.total())
        return parts

    def number(self, token: Token, ends: tuple[Fraction, Fraction] | None) -> Fraction:
        """Return a number exactly."""
        near = float(token.text)
        digits = any(c in "123456789" for c in token.text.lower().partition("e")[0])
        if near == float("inf") or (near == 0.0 and digits):
            self.refuse("This number is out of the range of floating point", token)
        if ends is not None and near == 0.0:
            self.refuse("Numbers are positive: 0 has no logarithm", token)
        value = Fraction(token.text) if digits else Fraction(0)
        if ends is not None and not ends[0] <= value <= ends[1]:
            self.refuse("This number is out of the range of floating point", token)
        return value

    # -- powers -----------------------------------------------------------------------------
    def exponent(self) -> Power:
        """Read the power after ^: a number, a letter or a bracket, with its sign."""
        start = self.next
        try:
            value = self.signed()
        except powers.TooLongError:
            end = self.tokens[max(self.place - 1, 0)]
            self.refuse("This power has too many terms or digits", start, end)
        self.small(value, start)
        return value

    def small(self, power: Power, start: Token) -> None:
        """Refuse a number that is too large for a power."""
        known = powers.plain(power)
        if known is not None and abs(known) > powers.MAX_SIZE:
            rule = f"A power is at most {powers.MAX_SIZE:,} in size"
            self.refuse(rule, start, self.tokens[self.place - 1])

    def signed(self) -> Power:
        """Read minus signs and what they stand before."""
        negative = False
        while self.sees("-", "+"):
            negative ^= self.take().text == "-"
        value = self.part()
        return -value if negative else value

    def part(self) -> Power:
        """Read a number, an exponent or a bracket in a power."""
        token = self.next
        known = self.letters
        if self.sees("("):
            return self.inner(self.power_total, "a )")
        if token.kind == "number":
            self.take()
            value = self.number(token, None)
            if max(value.numerator, value.denominator) > powers.MAX_DIGITS:
                self.refuse("This number has too many digits for a power", token)
            return powers.constant(known.exponents, value)
        if token.kind == "name":
            self.take()
            name = token.text
            if name in known.sizes or name == known.unknown:
                self.refuse(f"{name} is a size: only numbers and exponents stand in powers", token)
            if name in FUNCTIONS:
                self.refuse(f"{name} has no place in a power", token)
            if name not in known.exponents:
                self.refuse(f"{name} is not declared", token)
            if name in known.sites and not self.inside:
                self.refuse(f"{name} differs by site and stands inside sum_j(...) only", token)
            return powers.field_of(known.exponents).gens[known.exponents.index(name)]
        self.unexpected("a number, an exponent or a bracket")

    def power_total(self) -> Power:
        """Read the terms of a power."""
        value = self.power_product()
        while self.sees("+", "-"):
            mark = self.take()
            other = self.power_product()
            value = powers.plus(value, -other if mark.text == "-" else other)
        return value

    def power_product(self) -> Power:
        """Read the factors of a term in a power."""
        value = self.signed()
        while True:
            if self.sees("^", "**"):
                self.refuse("A power inside a power is written as a product: a*a", self.next)
            if not self.sees("*", "/"):
                return value
            mark = self.take()
            start = self.next
            other = self.signed()
            if mark.text == "*":
                value = powers.times(value, other)
            elif not other:
                self.refuse("This divides by 0", start, self.tokens[self.place - 1])
            else:
                value = powers.over(value, other)
