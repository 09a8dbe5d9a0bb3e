"""What an expression means as a rate: every refusal names its column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from rates.language import Expression, Reader, TextError, Token, spine
from rates.numbers import DomainError
from rates.orders.language import powers
from rates.orders.language.letters import FUNCTIONS, Letters
from rates.orders.language.nodes import (
    MAX_LEAVES,
    Labelled,
    Letter,
    NegativeSumError,
    Node,
    Number,
    OverSites,
    Product,
    Raised,
    TooManyLeavesError,
    joined,
    leaves_of,
    multiplied,
    normal,
    to_the,
)
from rates.orders.language.powers import Power

MAX_TEXT = 500
MAX_NODES = 200
_ENDS = (Fraction(2.3e-308), Fraction(1.7e308))


@dataclass(slots=True)
class Meaning:
    """Says what the expressions of one text mean.

    Attributes:
        text: What was typed.
        letters: What its letters are.
        part: What a refusal calls the text, empty for the rate itself.
    """

    text: str
    letters: Letters
    part: str = ""
    inside: bool = False  # of a sum over sites

    def chain(self) -> tuple[tuple[Expression, ...], tuple[Token, ...]]:
        """Read the text: sides, and the signs between them."""
        if not isinstance(self.text, str):
            raise DomainError("A rate is a text.", "text", self.text)
        if len(self.text) > MAX_TEXT:
            rule = f"A rate has at most {MAX_TEXT} characters, this one {len(self.text):,}"
            self.refuse(rule, MAX_TEXT + 1, MAX_TEXT + 2)
        known = self.letters
        names = (*known.sizes, *known.exponents, known.unknown)
        return Reader(self.text, self.part, FUNCTIONS, names, MAX_NODES).chain()

    def refuse(self, rule: str, start: int, end: int) -> NoReturn:
        """Raise `TextError` at columns of the text."""
        raise TextError(rule, self.text, start, end, self.part)

    def refuse_all(self, rule: str) -> NoReturn:
        """Refuse the text as a whole."""
        blank = len(self.text) - len(self.text.lstrip())
        self.refuse(rule, blank + 1, self.end)

    @property
    def end(self) -> int:
        """The column after the text."""
        return len(self.text.rstrip()) + 1

    # -- sizes ------------------------------------------------------------------------------
    def node(self, of: Expression) -> Node:
        """Return an expression as a node."""
        body = self._node(of)
        return Labelled(of.label, body) if of.label else body

    def _node(self, of: Expression) -> Node:
        match of.of:
            case _ if of.is_number:
                return Number(self.positive(of))
            case _ if not of.args:
                return self.letter(of)
            case "+":
                first, steps = spine(of, ("+",))
                return joined("sum", [self.node(first), *map(self.added, steps)])
            case "-":
                self.no_minus(of)
            case "*" | "/":
                return self.product(of)
            case "^":
                base = self.node(of.args[0])
                return self.raised(base, self.exponent(of), of)
            case "sqrt":
                half = powers.constant(self.letters.exponents, Fraction(1, 2))
                return self.raised(self.node(of.args[0]), half, of)
            case "sum_j":
                return self.over_sites(of)
            case kind:
                return joined(kind, map(self.node, of.args))

    def added(self, step: Expression) -> Node:
        """Return the last term of a sum."""
        term = step.args[1]
        if term.of == "-" or (term.number or 0) < 0:
            rule = "A difference has no order: write which side is larger"
            self.refuse(rule, term.start, term.start + 1)
        return self.node(term)

    def no_minus(self, of: Expression) -> NoReturn:
        """Refuse what is negative."""
        rule = "Sizes and numbers are positive: no minus before a factor"
        self.refuse(rule, of.start, of.start + 1)

    def positive(self, of: Expression) -> Fraction:
        """Return a number that is a size."""
        value = Fraction(of.of)
        if value < 0:
            self.no_minus(of)
        if value == 0:
            self.refuse("Numbers are positive: 0 has no logarithm", of.start, of.end)
        self.floating(value, of)
        return value

    def floating(self, value: Fraction, of: Expression) -> None:
        """Refuse a number that no floating point number is near."""
        if not _ENDS[0] <= value <= _ENDS[1]:
            self.refuse("This number is out of the range of floating point", of.start, of.end)

    def letter(self, of: Expression) -> Letter:
        """Return a letter that is a size or the unknown."""
        name, known = of.of, self.letters
        if name in known.exponents:
            self.refuse(f"{name} is an exponent and stands in powers only", of.start, of.end)
        if name not in known.sizes and name != known.unknown:
            self.refuse(f"{name} is not declared", of.start, of.end)
        self.at_home(of)
        return Letter(name)

    def at_home(self, of: Expression) -> None:
        """Refuse a letter that differs by site outside of a sum over sites."""
        if of.of in self.letters.sites and not self.inside:
            rule = f"{of.of} differs by site and stands inside sum_j(...) only"
            self.refuse(rule, of.start, of.end)

    def product(self, of: Expression) -> Node:
        """Return factors and divisors as a product."""
        first, steps = spine(of, ("*", "/"))
        out = [self.node(first)]
        for step in steps:
            factor = self.node(step.args[1])
            if step.of == "/":
                factor = self.raised(factor, -self.letters.one, step)
            out.append(factor)
        product = multiplied(out)
        head = product.factors[0] if isinstance(product, Product) else product
        if isinstance(head, Number):
            self.floating(head.value, of)
        return product

    def raised(self, base: Node, power: Power, of: Expression) -> Node:
        """Raise to a power, if its sign is known where it matters."""
        start = of.mark or of.start

        def signs(p: Power) -> int:
            side = powers.sign(p, self.letters.ranges)
            if side is None:
                rule = "The sign of this power is not known: declare ranges of its letters"
                self.refuse(rule, start, of.end)
            return side

        try:
            node = to_the(base, power)
            if isinstance(node, Raised):
                self.small(node.power, start, of.end)
            self.shape(node, signs)
        except NegativeSumError:
            way = "division by a sum" if of.of == "/" else "a negative power of a sum"
            self.refuse(f"No order for {way}: write max for the sum", start, self.after(start))
        except TooManyLeavesError:
            rule = f"A rate has at most {MAX_LEAVES} terms when multiplied out"
            self.refuse(rule, of.start, of.end)
        except powers.TooLongError:
            self.refuse("This power has too many terms or digits", of.start, of.end)
        return node

    def shape(self, node: Node, signs: Callable[[Power], int]) -> None:
        """Refuse a node whose normal form has too many leaves."""
        if sum(1 for _ in leaves_of(normal(node, self.letters.one, signs))) > MAX_LEAVES:
            raise TooManyLeavesError

    def over_sites(self, of: Expression) -> Node:
        """Return a sum over sites."""
        name = (of.start, of.start + len(of.of))
        if self.inside:
            self.refuse("A sum over sites has no other inside", *name)
        if not self.letters.sites:
            self.refuse("sum_j needs letters that are declared to differ by site", *name)
        self.inside = True
        body = self.node(of.args[0])
        self.inside = False
        return OverSites(body)

    # -- powers -----------------------------------------------------------------------------
    def after(self, mark: int) -> int:
        """Return the column after the sign at a column."""
        return mark + (2 if self.text.startswith("**", mark - 1) else 1)

    def right(self, of: Expression) -> int:
        """Return the column at which the right side of a sign begins, its bracket included."""
        column = self.after(of.mark)
        rest = self.text[column - 1 :]
        return column + len(rest) - len(rest.lstrip())

    def exponent(self, of: Expression) -> Power:
        """Return what stands after ^."""
        start = self.right(of)
        try:
            value = self.power(of.args[1])
        except powers.TooLongError:
            self.refuse("This power has too many terms or digits", start, of.end)
        self.small(value, start, of.end)
        return value

    def small(self, power: Power, start: int, end: int) -> None:
        """Refuse a number that is too large for a power."""
        known = powers.plain(power)
        if known is not None and abs(known) > powers.MAX_SIZE:
            self.refuse(f"A power is at most {powers.MAX_SIZE:,} in size", start, end)

    def power(self, of: Expression) -> Power:
        """Return an expression as a power."""
        if of.label:
            self.refuse("A label has no place in a power", of.start, of.end)
        match of.of:
            case _ if of.is_number:
                value = Fraction(of.of)
                if max(abs(value.numerator), value.denominator) > powers.MAX_DIGITS:
                    rule = "This number has too many digits for a power"
                    self.refuse(rule, of.start, of.end)
                return powers.constant(self.letters.exponents, value)
            case _ if not of.args:
                return self.exponent_letter(of)
            case "-":
                return -self.power(of.args[0])
            case "+" | "*" | "/":
                first, steps = spine(of, ("+",) if of.of == "+" else ("*", "/"))
                value = self.power(first)
                for step in steps:
                    value = self.step(value, step)
                return value
            case "^":
                rule = "A power inside a power is written as a product: a*a"
                self.refuse(rule, of.mark, self.after(of.mark))
            case name:
                self.refuse(f"{name} has no place in a power", of.start, of.start + len(name))

    def step(self, value: Power, step: Expression) -> Power:
        """Return a power with one more term or factor."""
        other = self.power(step.args[1])
        if step.of == "+":
            return powers.plus(value, other)
        if step.of == "*":
            return powers.times(value, other)
        if not other:
            self.refuse("This divides by 0", self.right(step), step.end)
        return powers.over(value, other)

    def exponent_letter(self, of: Expression) -> Power:
        """Return a letter that is an exponent."""
        name, known = of.of, self.letters
        if name in known.sizes or name == known.unknown:
            rule = f"{name} is a size: only numbers and exponents stand in powers"
            self.refuse(rule, of.start, of.end)
        if name not in known.exponents:
            self.refuse(f"{name} is not declared", of.start, of.end)
        self.at_home(of)
        return powers.field_of(known.exponents).gens[known.exponents.index(name)]
