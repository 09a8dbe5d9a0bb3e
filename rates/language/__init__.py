"""One language of formulas: read from text with columns, shown as LaTeX, evaluated on arrays."""

from rates.language.expression import Expression, letters_of, parts, put, substituted
from rates.language.factors import factors
from rates.language.latex import latex, name
from rates.language.reader import read, read_relation
from rates.language.scan import TextError, Token, scan
from rates.language.value import size, value
from rates.language.words import escaped

__all__ = [
    "Expression",
    "TextError",
    "Token",
    "escaped",
    "factors",
    "latex",
    "letters_of",
    "name",
    "parts",
    "put",
    "read",
    "read_relation",
    "scan",
    "size",
    "substituted",
    "value",
]
