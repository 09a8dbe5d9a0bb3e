"""A question about one's own rate as a file: the text, its letters, claims, values, the view."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from rates import numbers
from rates.numbers import DomainError, Fields, Parameter, Words

MOST_LETTERS = 40
MOST_CLAIMS = 40
MOST_TEXT = 500
MOST_POWER = 1_000.0
FAR = (1e-30, 1e30)  # ends of an axis of a size
FREE = (0.0, math.inf)  # the usual range of an exponent
_WHERE = "Rate"
_END = Parameter("end", "", "[-inf, inf]", help="An end of a range of an exponent, or of an axis.")
_LISTS = ("where", "sites", "axes")
_TEXTS = {"unknown": 80, "rate": MOST_TEXT, "name": 80, "reference": MOST_TEXT}
_OLD = {"points", "rival"}  # of links and files of before, which still open
_REQUIRED = {"version", "text", "sizes"}

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Said:
    """A claim as text: under the conditions, the rate equals what is written.

    Attributes:
        equals: The other side, in the same letters.
        where: Conditions such as "n <= n0".
        name: What it is called.
    """

    equals: str
    where: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Inquiry:
    """What is asked about a rate, as it was typed; whether it can be read says `parse`.

    Attributes:
        text: The rate, or an equation in the unknown.
        sizes: Letters on log axes.
        exponents: Letters in powers, each with its range; (0, inf) is the usual one.
        unknown: The letter that an equation is solved for; empty for a rate.
        rate: The rate in the unknown; empty for the unknown itself.
        sites: Letters that differ by site.
        claims: What is to be decided.
        where: Conditions on the sizes under which cases are told apart.
        at: Values of letters.
        axes: The letters along a map's two axes.
        spans: Ends of axes by letter.
        name: What the rate is called.
        reference: Where it stands.

    Raises:
        DomainError: A value is not a number of its set, or there are too many of something.

    Examples:
        >>> asked = Inquiry(text="n^(-1/2)", sizes=("n",), at=(("n", 100),))
        >>> from_json(to_json(asked)) == asked
        True
    """

    text: str
    sizes: tuple[str, ...]
    exponents: tuple[tuple[str, Span], ...] = ()
    unknown: str = ""
    rate: str = ""
    sites: tuple[str, ...] = ()
    claims: tuple[Said, ...] = ()
    where: tuple[str, ...] = ()
    at: tuple[tuple[str, float], ...] = ()
    axes: tuple[str, ...] = ()
    spans: tuple[tuple[str, Span], ...] = ()
    name: str = ""
    reference: str = ""

    def __post_init__(self) -> None:
        letters = [*self.sizes, *(x for x, _ in self.exponents), *self.sites]
        if len(letters) > MOST_LETTERS:
            rule = f"A rate has at most {MOST_LETTERS} letters."
            raise DomainError(rule, "sizes", len(letters), _WHERE)
        for many, what in ((self.claims, "claims"), (self.where, "where")):
            if len(many) > MOST_CLAIMS:
                rule = f"There are at most {MOST_CLAIMS} {what}."
                raise DomainError(rule, what, len(many), _WHERE)
        powers = {x for x, _ in self.exponents}
        for letter, value in self.at:
            # Written as "not at most", which refuses nan as well.
            if letter in powers and not abs(value) <= MOST_POWER:
                rule = f"An exponent must be at most {MOST_POWER:,.0f} in size."
                raise DomainError(rule, letter, value, _WHERE)
            if letter not in powers and not value > 0:
                raise DomainError("A size must be positive.", letter, value, _WHERE)
        for letter, (low, high) in self.spans:
            first, last = (-MOST_POWER, MOST_POWER) if letter in powers else FAR
            if not first <= low < high <= last:
                rule = (
                    "An axis needs two ends, the lower one first; those of a size are positive: "
                    f"from {FAR[0]:g} to {FAR[1]:g}, those of an exponent to {MOST_POWER:,.0f}."
                )
                raise DomainError(rule, letter, Words(f"{low:g} to {high:g}"), _WHERE)

    @property
    def values(self) -> dict[str, float]:
        """Values by letter."""
        return dict(self.at)

    def split(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the values of sizes and those of exponents."""
        powers = {x for x, _ in self.exponents}
        sizes = {x: v for x, v in self.at if x not in powers}
        return sizes, {x: v for x, v in self.at if x in powers}


def to_dict(asked: Inquiry) -> dict[str, Any]:
    """Return plain data; what is as usual is left out."""
    # Files that people read say no more than they must.
    usual = all(span == FREE for _, span in asked.exponents)
    ranges = {x: [*map(numbers.plain, span)] for x, span in asked.exponents}
    given = {
        "exponents": list(ranges) if usual else ranges,
        "claims": [
            {"equals": c.equals, "where": list(c.where), **({"name": c.name} if c.name else {})}
            for c in asked.claims
        ],
        "at": {x: numbers.plain(v) for x, v in asked.at},
        "spans": {x: [*map(numbers.plain, span)] for x, span in asked.spans},
        **{name: list(getattr(asked, name)) for name in _LISTS},
        **{name: getattr(asked, name) for name in _TEXTS},
    }
    out = {"version": numbers.VERSION, "text": asked.text, "sizes": list(asked.sizes)}
    return out | {name: value for name, value in given.items() if value}


def to_json(asked: Inquiry, *, indent: int | None = 2) -> str:
    """Return the question as strict JSON."""
    return numbers.to_text(to_dict(asked), indent)


def from_json(text: str | bytes) -> Inquiry:
    """Read a question from a file.

    Raises:
        DomainError: The text is no question of this format; the message names the field.
    """
    return from_dict(numbers.load_json(numbers.decode(text)))


def from_dict(data: object) -> Inquiry:
    """Read a question from plain data, as `from_json` does."""
    part = Fields.of(data, "A rate", _WHERE).version()
    part.keys({"version", *(f.name for f in fields(Inquiry)), *_OLD}, _REQUIRED)
    at, spans = part.part("at"), part.part("spans")
    texts: dict[str, Any] = {name: part.text(name, most) for name, most in _TEXTS.items()}
    lists: dict[str, Any] = {name: part.texts(name) for name in _LISTS}
    return Inquiry(
        text=part.text("text", MOST_TEXT),
        sizes=part.texts("sizes"),
        exponents=_exponents(part),
        claims=tuple(_claim(x, k) for k, x in enumerate(part.items("claims"), start=1)),
        at=tuple((letter, at.number(letter)) for letter in at.data),
        spans=tuple((letter, spans.span(letter, _END)) for letter in spans.data),
        **lists,
        **texts,
    )


def _exponents(part: Fields) -> tuple[tuple[str, Span], ...]:
    # A list is short for letters of the usual range; one that is named twice is one.
    if isinstance(part.data.get("exponents"), Mapping):
        ranges = part.part("exponents")
        return tuple((letter, ranges.span(letter, _END)) for letter in ranges.data)
    return tuple((letter, FREE) for letter in dict.fromkeys(part.texts("exponents")))


def _claim(given: object, row: int) -> Said:
    part = Fields.of(given, "A claim", f"Claim {row}", "claims")
    part.keys({"equals", "where", "name"}, {"equals"})
    # A single condition may stand without its list.
    if isinstance(only := part.data.get("where"), str):
        part = Fields({**part.data, "where": [only]}, part.where)
    for text in part.texts("where"):
        Fields({"where": text}, part.where).text("where", MOST_TEXT)
    return Said(part.text("equals", MOST_TEXT), part.texts("where"), part.text("name"))
