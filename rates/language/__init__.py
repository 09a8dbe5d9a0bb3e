"""One language of formulas: read from text with columns, shown as LaTeX, evaluated on arrays."""

from rates.language.expression import SIGNS, Expression, letters_of, parts, put, substituted
from rates.language.latex import latex, name
from rates.language.reader import Reader, read, read_relation
from rates.language.scan import TextError, Token, scan
from rates.language.text import number_text, text
from rates.language.value import size, value

__all__ = [
    "SIGNS",
    "Expression",
    "Reader",
    "TextError",
    "Token",
    "latex",
    "letters_of",
    "name",
    "number_text",
    "parts",
    "put",
    "read",
    "read_relation",
    "scan",
    "size",
    "substituted",
    "text",
    "value",
]
