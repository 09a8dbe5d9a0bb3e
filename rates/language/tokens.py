"""The pieces of a typed formula: numbers, letters and marks, each with its column."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

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
    "[": "Brackets are round: write (",
    "{": "Brackets are round: write (",
    "]": "Brackets are round: write )",
    "}": "Brackets are round: write )",
}


class TextError(DomainError):
    """A text that cannot be read, with the place of the first thing wrong in it.

    Attributes:
        column: Where it begins, from 1.
        end: Where it ends, that column not included.
    """

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
