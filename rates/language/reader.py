"""From a text to an expression: pieces first; every refusal names its column."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NoReturn, TypeVar, cast

from rates.language.expression import FUNCTIONS, SIGNS, Expression, bound_letter
from rates.numbers import DomainError, Words

_PIECE = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9_]*)"
    r"|(?P<mark>\*\*|<=|>=|==|->|[-+*/^(),:=<>∧∨])",
    re.ASCII,
)
_INSTEAD = {
    "−": "-",
    "–": "-",
    "—": "-",
    "×": "*",
    "·": "*",
    "⋅": "*",
    "∗": "*",
    "÷": "/",
    "⁄": "/",
    "²": "^2",
    "³": "^3",
    "√": "sqrt",
    "≤": "<=",
    "≥": ">=",
    "→": "what is large as a condition, as n >= 2: rates and claims hold for all sizes",
    "∞": "a size and let it grow",
}
_SAID = {
    "_": "A letter begins with a to z or A to Z",
    **dict.fromkeys("[{", "Brackets are round: write ("),
    **dict.fromkeys("]}", "Brackets are round: write )"),
}


class TextError(DomainError):
    """A text that cannot be read, with the place of the first thing wrong in it.

    Attributes:
        column: Where it begins, from 1.
        end: Where it ends, that column not included.
    """

    # Named as users import it, in doctests and tracebacks.
    __module__ = "rates.language"

    def __init__(
        self, rule: str, text: str, column: int, end: int | None = None, part: str = ""
    ) -> None:
        self.column = column
        self.end = max(column + 1, end if end is not None else column + 1)
        seen = text[column - 1 : self.end - 1]
        got: object = seen if seen else Words("the end of the text")
        super().__init__(f"{rule}.", value=got, where=_at(column, part))


def _at(column: int, part: str) -> str:
    return f"Column {column} of {part}" if part else f"Column {column}"


@dataclass(frozen=True, slots=True)
class Token:
    """One piece.

    Attributes:
        kind: "number", "name", "mark", or "end" after the last piece.
        text: As typed.
        start: The column at which it begins, from 1.
    """

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The column after it."""
        return self.start + len(self.text)


def scan(text: str, part: str = "", *, strict: bool = True) -> tuple[Token, ...]:
    """Return the pieces of a text; unless strict, without what has no meaning.

    >>> [token.text for token in scan("n0**(-1/2)")]
    ['n0', '**', '(', '-', '1', '/', '2', ')', '']

    Raises:
        TextError: A character has no meaning.
    """
    out: list[Token] = []
    place = 0
    while place < len(text):
        found = _PIECE.match(text, place)
        if found is None and strict:
            raise TextError(_no_meaning(text[place]), text, place + 1, part=part)
        if found is not None and found.lastgroup != "space":
            out.append(Token(str(found.lastgroup), found.group(), place + 1))
        place = found.end() if found else place + 1
    return (*out, Token("end", "", len(text.rstrip()) + 1))


def _no_meaning(sign: str) -> str:
    if sign in _INSTEAD:
        return f"{sign} is not read: write {_INSTEAD[sign]}"
    if sign in _SAID:
        return _SAID[sign]
    name = unicodedata.name(sign, "an unnamed character").lower()
    if name.startswith("greek ") and " with " not in name:
        letter = name.rsplit(" ", 1)[1].replace("lamda", "lambda")
        letter = letter.capitalize() if "capital" in name else letter
        return f"{sign} is not read: write its name, {letter}, in a to z"
    if sign == "\\":
        return "No TeX is read: write a letter by its name alone, alpha"
    if not sign.isascii():
        return f"Only plain letters, digits and marks are read, not {name}"
    return f"{name.capitalize()} has no meaning in a formula"


# Expressions ------------------------------------------------------------------------------------

T = TypeVar("T")
Sign = Literal["=", "<=", "<", ">=", ">"]
MAX_NODES = 400
MAX_DEPTH = 30  # brackets inside brackets
MAX_LABEL = 24
_ENDS = (2.3e-308, 1.7e308)  # of numbers, by size
_MANY = ("min", "max")  # functions of several terms


def read(text: str, part: str = "") -> Expression:
    """Return the expression that a text says.

    Args:
        text: As "min(1, (n0*eps)^(-1/(beta + d)))".
        part: What a refusal calls the text.

    Raises:
        TextError: It is no expression.

    Examples:
        >>> from rates.language import text
        >>> text(read("(2*n) ** (-1/(2*beta))"))
        '(2*n)^(-1/(2*beta))'
    """
    reader = Reader(text, part)
    found = reader.total()
    reader.finish()
    return found


def read_relation(text: str, part: str = "") -> tuple[Expression, Sign, Expression]:
    """Return both sides of a relation and its sign.

    >>> left, sign, right = read_relation("n <= m*n0")
    >>> left.of, sign, right.of
    ('n', '<=', '*')

    Raises:
        TextError: It is no relation.
    """
    reader = Reader(text, part)
    sides, signs = reader.chain()
    if not signs:
        reader.unexpected("one of " + ", ".join(SIGNS))
    if len(signs) > 1:
        reader.refuse("A relation has one sign", signs[1])
    if signs[0].text == "==":
        reader.refuse("Two sides that are equal have = between them", signs[0])
    return sides[0], cast("Sign", signs[0].text), sides[1]


@dataclass(slots=True)
class Reader:
    """Reads one text by recursive descent, a method for each level of binding.

    Attributes:
        text: What was typed.
        part: What a refusal calls the text, empty for the formula itself.
        functions: Names that stand before terms in brackets.
        letters: Names that are known for letters: between one and a bracket a mark is missing.
        most: How many numbers and letters there may be.
    """

    text: str
    part: str = ""
    functions: Collection[str] = FUNCTIONS
    letters: Collection[str] = ()
    most: int = MAX_NODES
    tokens: tuple[Token, ...] = field(init=False)
    place: int = 0
    nodes: int = 0
    depth: int = 0

    def __post_init__(self) -> None:
        self.tokens = scan(self.text, self.part)

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
        # Counted as they are read, so that a long text ends soon.
        if token.kind != "mark":
            self.nodes += 1
            if self.nodes > self.most:
                self.refuse(f"A formula has at most {self.most} numbers and letters", token)
        return token

    def sees(self, *marks: str) -> bool:
        """Whether one of these marks is next."""
        token = self.tokens[self.place]  # asked at every level of binding: without `next`
        return token.kind == "mark" and token.text in marks

    def refuse(self, rule: str, start: Token, end: Token | None = None) -> NoReturn:
        """Raise `TextError` at a piece, or from one to the end of another."""
        raise TextError(rule, self.text, start.start, (end or start).end, self.part)

    def unexpected(self, wanted: str) -> NoReturn:
        """Refuse what is next, with what was wanted instead."""
        token = self.next
        if token.kind == "end":
            self.refuse(f"The text ends where {wanted} is wanted", token)
        if token.text in ("or", "and"):
            self.refuse(f"{token.text} stands between two conditions of a claim", token)
        if token.text == "->":
            rule = "Rates and claims hold for all sizes: write what is large as a condition, n >= 2"
            self.refuse(rule, token)
        if token.kind in ("name", "number") or token.text == "(":
            self.refuse("A mark such as * is missing before this", token)
        if token.text == ")":
            self.refuse("This bracket closes nothing", token)
        if token.text == ":":
            self.refuse("A label stands before a term: label: term", token)
        if token.text in SIGNS:
            self.refuse(f"{token.text} stands between two sides, outside of brackets", token)
        self.refuse(f"{wanted[0].upper()}{wanted[1:]} is wanted here", token)

    def inner(self, read: Callable[[], T], what: str) -> T:
        """Read what stands between brackets; the opening one is next."""
        opening = self.take()
        # Python itself would fail on brackets a thousand deep.
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

    def finish(self) -> None:
        """Refuse what is left."""
        if self.next.kind != "end":
            self.unexpected("a mark such as +, * or ^")

    def made(
        self, of: str, args: tuple[Expression, ...], start: Token, mark: Token | None = None
    ) -> Expression:
        """Return an expression that ends at the piece just read."""
        end, at = self.tokens[self.place - 1].end, mark.start if mark else 0
        return Expression(of, args, "", start.start, end, at)

    def negated(self, of: Expression, start: Token) -> Expression:
        """Return minus an expression; of a number it is a number."""
        if of.number is None or of.label:
            return self.made("-", (of,), start)
        return self.made(str(-of.number), (), start)

    # -- levels of binding ------------------------------------------------------------------
    def chain(self) -> tuple[tuple[Expression, ...], tuple[Token, ...]]:
        """Read the whole text: sides, and the signs between them, as in n <= m <= 2*n."""
        sides, signs = self.sides()
        self.finish()
        return sides, signs

    def sides(self) -> tuple[tuple[Expression, ...], tuple[Token, ...]]:
        """Read sides, and the signs between them."""
        sides, signs = [self.total()], []
        while self.sees(*SIGNS):
            signs.append(self.take())
            sides.append(self.total())
        return tuple(sides), tuple(signs)

    def total(self) -> Expression:
        """Read terms joined by + and -."""
        start = self.next
        out = self.extreme()
        while self.sees("+", "-"):
            mark = self.take()
            other = self.extreme()
            if mark.text == "-":
                other = self.made("-", (other,), mark)
            out = self.made("+", (out, other), start, mark)
        return out

    def extreme(self) -> Expression:
        """Read terms joined by ∧, the smaller, or by ∨, the larger; + binds less, * more."""
        start = self.next
        out = [self.addend()]
        if not self.sees("∧", "∨"):
            return out[0]
        mark = self.next.text
        while self.sees("∧", "∨"):
            if self.next.text != mark:
                self.refuse("∧ and ∨ side by side are parted by brackets", self.next)
            self.take()
            out.append(self.addend())
        return self.made("min" if mark == "∧" else "max", tuple(out), start)

    def addend(self) -> Expression:
        """Read a term, with its label if it has one."""
        token = self.next
        after = self.tokens[min(self.place + 1, len(self.tokens) - 1)]
        if token.kind not in ("name", "number") or (after.kind, after.text) != ("mark", ":"):
            return self.factors()
        if len(token.text) > MAX_LABEL or not token.text.replace("_", "").isalnum():
            self.refuse(f"A label is a word or whole number of at most {MAX_LABEL}", token)
        self.take()
        self.take()
        return replace(self.factors(), label=token.text)

    def minus(self) -> bool:
        """Read signs, and say whether they make a minus."""
        out = False
        while self.sees("-", "+"):
            out ^= self.take().text == "-"
        return out

    def factors(self) -> Expression:
        """Read factors joined by * and /, each with its sign; the first sign is that of all."""
        start = self.next
        minus = self.minus()
        out = self.power()
        while self.sees("*", "/"):
            mark, inner = self.take(), self.next
            signed = self.minus()
            other = self.power()
            other = self.negated(other, inner) if signed else other
            if mark.text == "/" and other.number == 0:
                self.refuse("This divides by 0", inner, self.tokens[self.place - 1])
            # 1/3 is one number, exactly; a float would not come back as typed.
            ratio = _ratio(out, other) if mark.text == "/" else None
            if ratio is not None:
                out = self.made(str(ratio), (), start)
            else:
                out = self.made(mark.text, (out, other), start, mark)
        return self.negated(out, start) if minus else out

    def power(self) -> Expression:
        """Read an atom, with its power if it has one."""
        start = self.next
        base = self.atom()
        if not self.sees("^", "**"):
            return base
        mark, inner = self.take(), self.next
        minus = self.minus()
        power = self.atom()
        power = self.negated(power, inner) if minus else power
        if self.sees("^", "**"):
            self.refuse("A power of a power is written with brackets: (a^b)^c", self.next)
        return self.made("^", (base, power), start, mark)

    def atom(self) -> Expression:
        """Read a number, a letter, a function or a bracket."""
        token = self.next
        if self.sees("("):
            within = self.inner(self.total, "a )")
            return replace(within, start=token.start, end=self.tokens[self.place - 1].end)
        if token.kind == "number":
            self.take()
            return self.made(str(self.number(token)), (), token)
        if token.kind == "name":
            self.take()
            return self.named(token)
        self.unexpected("a number, a letter or a bracket")

    def named(self, token: Token) -> Expression:
        """Read a letter, or a function with its terms."""
        name = token.text
        over_letter = bound_letter(name) and any(map(bound_letter, self.functions))
        if name not in self.functions and not over_letter:
            # Before a bracket a known letter lacks its mark; any other name is no function.
            if self.sees("(") and name not in self.letters:
                known = ", ".join(self.functions)
                self.refuse(f"{name} is no function: there are {known}", token)
            return self.made(name, (), token)
        if not self.sees("("):
            self.refuse(f"{name} wants its terms in brackets", token)
        if over_letter:
            return self.made(name, self.inner(self.ranged, "a , or a )"), token)
        args = self.inner(self.listed, "a , or a )")
        if name not in _MANY and len(args) != 1:
            self.refuse(f"{name} takes one term", token)
        return self.made(name, tuple(args), token)

    def ranged(self) -> tuple[Expression, ...]:
        """Read terms of which the first may be a range, as 1/n <= h <= 1, kept from low to high."""
        start = self.next
        sides, signs = self.sides()
        # What the letter lies between comes before what is taken of it.
        first = sides[0]
        if signs:
            if {sign.text[0] for sign in signs} not in ({"<"}, {">"}):
                self.refuse("A range runs one way, as in 1/n <= h <= 1", signs[-1])
            first = self.made("<=", sides if signs[0].text[0] == "<" else sides[::-1], start)
            if not self.sees(","):
                self.unexpected("a , and what the letter is in")
        if not self.sees(","):
            return (first,)
        self.take()
        return (first, *self.listed())

    def listed(self) -> list[Expression]:
        """Read terms between commas."""
        out = [self.total()]
        while self.sees(","):
            self.take()
            out.append(self.total())
        return out

    def number(self, token: Token) -> Fraction:
        """Return a number exactly."""
        near = float(token.text)
        if not any(c in "123456789" for c in token.text.lower().partition("e")[0]):
            return Fraction(0)  # whatever its power of ten, which may be a long one
        if not _ENDS[0] <= near <= _ENDS[1]:
            self.refuse("This number is out of the range of floating point", token)
        return Fraction(token.text)


def _ratio(above: Expression, below: Expression) -> Fraction | None:
    """Return what two numbers make, if that is one that can be written."""
    if above.number is None or below.number is None or above.label or below.label:
        return None
    ratio = above.number / below.number
    return ratio if not ratio or _ENDS[0] <= abs(ratio) <= _ENDS[1] else None
