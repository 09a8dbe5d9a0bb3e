"""One language of formulas: read from text with columns, shown as LaTeX, evaluated on arrays."""

from rates.language.expression import (
    SIGNS, Expression, bound_letter, letters_of, parts, spine, substituted,
)
from rates.language.factoring import factors, unordered
from rates.language.typeset import latex, name
from rates.language.reader import Reader, Sign, read, read_relation
from rates.language.tokens import TextError, Token, scan
from rates.language.plain import number_text, text
from rates.language.arrays import Array, size, value
from rates.language.words import escaped
