"""What an expression means as a rate: every refusal names its column."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn

from rates.language import Expression, Reader, TextError, Token, bound_letter, parts, spine
from rates.numbers import DomainError
from rates.orders.language import nodes, powers
from rates.orders.language.letters import FUNCTIONS, NAME, Letters
from rates.orders.language.powers import NoOrderError, Power
from rates.orders.language.trees import Normal
from rates.pieces import Leaf

MAX_TEXT = 500
MAX_NODES = 200
MAX_BOUND = 2  # letters of infima inside each other
_EXPONENT = "is an exponent and stands in powers only: write another letter for a size"
_SIZE = "is a size: only numbers and exponents stand in powers, so write its number there"
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
    bound: list[str] = field(default_factory=list)  # letters of an infimum, a supremum, a best

    def chain(self) -> tuple[tuple[Expression, ...], tuple[Token, ...]]:
        """Read the text: sides, and the signs between them."""
        if not isinstance(self.text, str):
            raise DomainError("A rate is a text.", "text", self.text)
        if len(self.text) > MAX_TEXT:
            rule = f"A rate has at most {MAX_TEXT} characters, this one {len(self.text):,}"
            self.refuse(rule, Expression("", start=MAX_TEXT + 1, end=MAX_TEXT + 2))
        known = self.letters
        names = (*known.sizes, *known.exponents, known.unknown)
        return Reader(self.text, self.part, FUNCTIONS, names, MAX_NODES).chain()

    def refuse(self, rule: str, of: Expression | Token | None = None) -> NoReturn:
        """Raise `TextError` at an expression or a sign, or at the end of the text."""
        last = len(self.text.rstrip()) + 1
        start, end = (of.start, of.end) if of else (last, last)
        raise TextError(rule, self.text, start, end, self.part)

    def refuse_mark(self, rule: str, of: Expression) -> NoReturn:
        """Raise `TextError` at the sign of an operation."""
        start = of.mark or of.start
        self.refuse(rule, Expression("", start=start, end=start + 1))

    @property
    def whole(self) -> Expression:
        """All of the text, to be refused."""
        # Columns are those of the text as typed.
        blank = len(self.text) - len(self.text.lstrip())
        return Expression("", start=blank + 1, end=len(self.text.rstrip()) + 1)

    def named(self, of: Expression, wanted: Collection[str], otherwise: str) -> str:
        """Return the name of a letter that is one of those wanted here."""
        name, known = of.of, self.letters
        if name not in wanted:
            every = (*known.sizes, *known.exponents, known.unknown)
            self.refuse(f"{name} {otherwise if name in every else 'is not declared'}", of)
        if name in known.sites and not self.inside:
            self.refuse(f"{name} differs by site and stands inside sum_j(...) only", of)
        return name

    # -- sizes ------------------------------------------------------------------------------
    def node(self, of: Expression) -> nodes.Node:
        """Return an expression as a node."""
        body = self._node(of)
        return nodes.Labelled(of.label, body) if of.label else body

    def _node(self, of: Expression) -> nodes.Node:
        known = self.letters
        match of.of:
            case _ if of.is_number:
                return nodes.Number(self.positive(of))
            case _ if not of.args:
                sizes = (*known.sizes, known.unknown, *self.bound)
                return nodes.Letter(self.named(of, sizes, _EXPONENT))
            case "+":
                return self.total(of)
            case "-":
                self.no_minus(of)
            case "*" | "/":
                return self.product(of)
            case "^":
                return self.raised(self.node(of.args[0]), self.exponent(of.args[1]), of)
            case "sqrt":
                half = powers.constant(known.exponents, Fraction(1, 2))
                return self.raised(self.node(of.args[0]), half, of)
            case "sum_j":
                return self.over_sites(of)
            case "log" | "exp" | "expm1" as name:
                return self.called(name, of)
            case kind if bound_letter(kind):
                return self.over_letter(of)
            case kind:
                return nodes.joined(kind, map(self.node, of.args))

    def total(self, of: Expression) -> nodes.Node:
        """Return terms that are added; exp(x) - 1 is one of them."""
        if _less_one(of):
            return self.called("expm1", of.args[0])
        first, steps = spine(of, ("+",))
        if _less_one(steps[0]):
            first, *steps = steps
        return nodes.joined("sum", [self.node(first), *map(self.added, steps)])

    def added(self, step: Expression) -> nodes.Node:
        """Return the last term of a sum."""
        term = step.args[1]
        if term.of == "-" or (term.number or 0) < 0:
            self.refuse_mark("A difference has no order: write which side is larger", step)
        return self.node(term)

    def no_minus(self, of: Expression) -> NoReturn:
        """Refuse what is negative."""
        self.refuse("Sizes and numbers are positive: no minus before a factor", of)

    def positive(self, of: Expression) -> Fraction:
        """Return a number that is a size."""
        value = Fraction(of.of)
        if value < 0:
            self.no_minus(of)
        if value == 0:
            self.refuse("Numbers are positive: 0 has no logarithm", of)
        return value

    def product(self, of: Expression) -> nodes.Node:
        """Return factors and divisors as a product."""
        first, steps = spine(of, ("*", "/"))
        out = [self.node(first)]
        for step in steps:
            factor = self.node(step.args[1])
            if step.of == "/":
                factor = self.raised(factor, -self.letters.one, step)
            out.append(factor)
        product = nodes.multiplied(out)
        # Numbers in range may have a product out of it.
        head = product.factors[0] if isinstance(product, nodes.Product) else product
        if isinstance(head, nodes.Number) and not _ENDS[0] <= head.value <= _ENDS[1]:
            self.refuse("This number is out of the range of floating point", of)
        return product

    def raised(self, base: nodes.Node, power: Power, of: Expression) -> nodes.Node:
        """Raise to a power, if its sign is known where it matters."""
        try:
            node = nodes.to_the(base, power)
            if isinstance(node, nodes.Raised):
                self.small(node.power, of)
        except NoOrderError as error:
            self.refuse_mark(error.rule.rstrip("."), of)
        # Its sign matters where it turns a minimum, which only the normal form knows.
        return self.tried(node, of, "this power")

    def tried(self, node: nodes.Node, of: Expression, what: str) -> nodes.Node:
        """Return a node that has a normal form; it is tried at once, as its place is known here."""
        self.form(node, of, what)
        return node

    def form(self, node: nodes.Node, of: Expression, what: str) -> Normal:
        """Return the normal form of a node, or refuse it."""

        def signs(p: Power) -> int:
            side = powers.sign(p, self.letters.ranges)
            if side is None:
                rule = f"The sign of {what} is not known: declare ranges of its letters"
                self.refuse_mark(rule, of)
            return side

        try:
            return nodes.normal(node, self.letters.one, signs)
        except NoOrderError as error:
            self.refuse_mark(error.rule.rstrip("."), of)

    def called(self, name: str, of: Expression) -> nodes.Node:
        """Return a function of a size; exp of minus a size divides by exp of it."""
        body = of.args[0]
        # A rate has no minus: exp(-x) divides by exp(x).
        turned = name == "exp" and body.of == "-" and not body.label
        node = nodes.Called(name, self.node(body.args[0] if turned else body))
        self.tried(node, of, "a power in it")
        return self.raised(node, -self.letters.one, of) if turned else node

    def over_sites(self, of: Expression) -> nodes.Node:
        """Return a sum over sites."""
        if self.inside:
            self.refuse("A sum over sites has no other inside", of)
        if not self.letters.sites:
            rule = "sum_j needs letters that are declared to differ by site"
            self.refuse("Claims and conditions have no sum over sites" if self.part else rule, of)
        self.inside = True
        body = self.node(of.args[0])
        self.inside = False
        return nodes.OverSites(body)

    def over_letter(self, of: Expression) -> nodes.Node:
        """Return an infimum or supremum over a letter, or the best count of sites."""
        kind, letter = of.of.partition("_")[0], bound_letter(of.of)
        known = self.letters
        if not NAME.fullmatch(letter):
            self.refuse(f"{of.of} wants a letter after {kind}_", of)
        if letter in (*known.sizes, *known.exponents, known.unknown, *self.bound):
            self.refuse(f"{of.of} needs a letter of its own, and {letter} is declared", of)
        if len(of.args) != 1 + (kind == "best" or of.args[0].of == "<="):
            ranged = f"{of.of}(a <= {letter} <= b, ...)"
            forms = f"{of.of}(m, ...)" if kind == "best" else f"{of.of}(...), or {ranged}"
            self.refuse(f"This is written {forms}", of)
        if len(self.bound) == MAX_BOUND:
            self.refuse(f"At most {MAX_BOUND} letters are taken out inside each other", of)
        low, high = self.ends(of, letter)
        self.bound.append(letter)
        body = self.node(of.args[-1])
        self.bound.pop()
        node = nodes.OverLetter(kind, letter, body, low, high)
        return self.tried(node, of, f"a power of {letter}")

    def ends(self, of: Expression, letter: str) -> tuple[nodes.Node | None, nodes.Node | None]:
        """Return the ends of the range of a letter, None where it has none."""
        first = of.args[0]
        if of.of.startswith("best_"):
            return nodes.Number(Fraction(1)), self.end(first)
        if first.of != "<=":
            return None, None
        place = next((k for k, side in enumerate(first.args) if side.of == letter), len(first.args))
        below, above = first.args[:place], first.args[place + 1 :]
        if max(len(below), len(above)) > 1:
            self.refuse(f"A range of {letter} is written a <= {letter} <= b", first)
        return self.end(*below) if below else None, self.end(*above) if above else None

    def end(self, of: Expression) -> nodes.Node:
        """Return an end of a range: a product of powers of sizes."""
        # An end may not hang on a letter that is taken out itself.
        bound, self.bound = self.bound, []
        node = self.node(of)
        self.bound = bound
        if not isinstance(self.form(node, of, "a power in it"), Leaf):
            self.refuse("An end of a range is a product of powers", of)
        if self.letters.unknown in (one.of for one in parts(of)):
            self.refuse("An end of a range is free of the unknown", of)
        return node

    # -- powers -----------------------------------------------------------------------------
    def exponent(self, of: Expression) -> Power:
        """Return what stands after ^."""
        try:
            value = self.power(of)
        except NoOrderError as error:
            self.refuse(error.rule.rstrip("."), of)
        self.small(value, of)
        return value

    def small(self, power: Power, of: Expression) -> None:
        """Refuse a number that is too large for a power."""
        known = powers.plain(power)
        if known is not None and abs(known) > powers.MAX_SIZE:
            self.refuse(f"A power is at most {powers.MAX_SIZE:,} in size", of)

    def power(self, of: Expression) -> Power:
        """Return an expression as a power."""
        known = self.letters.exponents
        if of.label:
            self.refuse("A label has no place in a power", of)
        match of.of:
            case _ if of.is_number:
                value = Fraction(of.of)
                if max(abs(value.numerator), value.denominator) > powers.MAX_DIGITS:
                    self.refuse("This number has too many digits for a power", of)
                return powers.constant(known, value)
            case _ if not of.args:
                return powers.field_of(known).gens[known.index(self.named(of, known, _SIZE))]
            case "-":
                return -self.power(of.args[0])
            case "+" | "*" | "/":
                first, steps = spine(of, ("+",) if of.of == "+" else ("*", "/"))
                value = self.power(first)
                for step in steps:
                    other = self.power(step.args[1])
                    if step.of == "/" and not other:
                        self.refuse("This divides by 0", step.args[1])
                    value = _STEPS[step.of](value, other)
                return value
            case "^":
                self.refuse_mark("A power inside a power is written as a product: a*a", of)
            case name:
                self.refuse(f"{name} has no place in a power", of)


def _less_one(of: Expression) -> bool:
    """Whether an expression is exp(x) - 1 and nothing more."""
    first, other = of.args
    minus = other.of == "-" and other.args[0].number == 1
    return minus and not (first.label or other.label) and first.of == "exp"


_STEPS = {"+": powers.plus, "*": powers.times, "/": powers.over}
