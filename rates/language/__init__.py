"""One language of formulas: read from text with columns, shown as LaTeX, evaluated on arrays."""

from rates.language.expression import (
    SIGNS, Expression, bound_letter, letters_of, parts, spine, substituted,
)
from rates.language.typeset import escaped, latex, name, number_text, text
from rates.language.reader import Reader, Sign, TextError, Token, read, read_relation, scan
from rates.language.arrays import Array, factors, size, unordered, value
