"""The glossary: every term that a page uses."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from rates.numbers import (
    COUNT,
    DELTA,
    DIMENSION,
    EPSILON,
    INTEGRABILITY,
    KAPPA,
    MARGIN,
    SAMPLE_SIZE,
    SIGNAL_EXPONENT,
    SMOOTHNESS_CLASSIFICATION,
    SMOOTHNESS_REGRESSION,
    DomainError,
    Parameter,
)

# Terms that are numbers of a study take letter and help from there.
_NUMBERS: Mapping[str, Parameter] = {
    "smoothness_classification": SMOOTHNESS_CLASSIFICATION,
    "smoothness_regression": SMOOTHNESS_REGRESSION,
    "signal_exponent": SIGNAL_EXPONENT,
    **{
        one.name: one
        for one in (COUNT, DELTA, DIMENSION, EPSILON, INTEGRABILITY, KAPPA, MARGIN, SAMPLE_SIZE)
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One term.

    Attributes:
        name: As it is used.
        group: What it belongs to.
        text: One plain sentence.
        pages: Pages that use it.
        letter: Its letter or formula; empty without one.
        help: More words, of the number that it is; empty for other terms.
        also: Other words for the same thing, and forms of the word.
        source: Where a paper says it; empty where the term is ours.
    """

    name: str
    group: str
    text: str
    pages: tuple[str, ...] = ()
    letter: str = ""
    help: str = ""
    also: tuple[str, ...] = ()
    source: str = ""

    @property
    def key(self) -> str:
        """Its name in an address.

        >>> term("margin").key
        'margin-α'
        """
        return re.sub(r"[^\w%]+", "-", self.name.casefold()).strip("-")

    @property
    def words(self) -> tuple[str, ...]:
        """All the words that it goes by, its name first."""
        return (self.name, *self.also)


@cache
def glossary() -> tuple[Term, ...]:
    """Return every term, in the order of its file.

    >>> term("effective sample").name
    'effective records'
    """
    file = resources.files("rates") / "ledger" / "glossary.toml"
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["term"]
    return tuple(
        _term({k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}) for row in rows
    )


def _term(entry: dict[str, Any]) -> Term:
    number = _NUMBERS.get(entry.pop("parameter", ""))
    if number is None:
        return Term(**entry)
    return Term(letter=number.symbol.removesuffix("_j"), help=number.help, **entry)


def term(name: str) -> Term:
    """Return a term by its name, its key, its letter or another word for it.

    Raises:
        DomainError: There is none.
    """
    asked = name.casefold().strip()
    for of in (lambda t: (t.name, t.key), lambda t: (t.letter,), lambda t: t.also):
        for item in glossary():
            if asked and asked in {word.casefold() for word in of(item)}:
                return item
    raise DomainError("The glossary has no such term.", field="term", value=name, where="About")
