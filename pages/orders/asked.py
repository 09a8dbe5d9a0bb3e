"""The rate that is asked about: kept for the session, and shared by ``?rate=``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pages.core import Texts, UrlState, address
from rates.numbers import DomainError, Words
from rates.orders import EXAMPLES, Inquiry, draft, inquiry
from rates.study import codec

MOST_TEXT = inquiry.MOST_TEXT
_PACKED = "~"


class _Rate(UrlState[Inquiry]):
    """The question as JSON, packed; whether its text can be read says the page."""

    def read(self, texts: Texts) -> Inquiry:
        """Return the question of a link: the short form, or plain JSON."""
        given = texts.get(self.parameter, "")
        if not given:
            return self.start
        if len(given) > codec.MAX_LINK:
            rule = f"A link holds at most {codec.MAX_LINK:,} characters; use the file."
            raise DomainError(rule, "rate", Words(f"{len(given):,} characters"))
        text = codec.unpack(given) if given[0] == _PACKED else given
        return draft.completed(inquiry.from_json(text))

    def write(self, value: Inquiry) -> Texts | None:
        """Return what an address says of a question; None where it is too long for one."""
        if value == self.start:
            return {self.parameter: ""}
        packed = codec.pack(inquiry.to_json(value, indent=None))
        return {self.parameter: packed} if len(packed) <= codec.MAX_LINK else None

    def change(self, **values: Any) -> None:
        """Ask for something else; a new text brings its letters along."""
        now = self.get()
        if isinstance(values.get("where"), str):
            values["where"] = conditions(values["where"])
        if values.keys() & {"text", "rate"}:
            new = draft.with_text(now, values.pop("text", now.text), values.pop("rate", None))
            old = {name: "" for name in ("name", "reference") if new.text != now.text}
            values = {f: getattr(new, f) for f in _LETTERS} | old | values
        super().change(**values)

    def value(self, name: str) -> Any:
        """What is asked for now; conditions as one line."""
        found = super().value(name)
        return ", ".join(found) if name == "where" else found


_SPLIT = re.compile(r"\s*(?:;|\n|\band\b|,(?![^()]*\)))\s*")


def conditions(text: str) -> tuple[str, ...]:
    """Return the conditions of a line: commas, semicolons, "and" and line ends part them.

    >>> conditions("n <= max(a, b), m >= 1 and eps <= 1")
    ('n <= max(a, b)', 'm >= 1', 'eps <= 1')
    """
    return tuple(filter(None, _SPLIT.split(text.strip())))


_LETTERS = ("text", "rate", "unknown", "sizes", "exponents", "sites", "at", "axes", "spans")

RATE = _Rate(
    parameter="rate",
    start=EXAMPLES[0],
    noun="A rate",
    refused="The rate in the address could not be opened.",
)


def opened(link: str) -> Inquiry:
    """Return the rate of a link, whole or only what stands after ``rate=``.

    Raises:
        DomainError: There is none in it.
    """
    rule = "A link of page Orders holds a rate after rate=."
    given = address.part(link, RATE.parameter, rule)
    try:
        return RATE.read({RATE.parameter: given})
    except DomainError as refusal:
        if refusal.field != "file":  # what is packed or half a rate says itself what is wrong
            raise
        raise DomainError(rule, field="link", value=given) from None


def set_value(letter: str, value: float) -> None:
    """Give a letter another value."""
    now = RATE.get()
    RATE.change(at=tuple((x, value if x == letter else v) for x, v in now.at))


def set_span(letter: str, ends: tuple[float, float]) -> None:
    """Look at another range of a letter."""
    spans = {**dict(RATE.get().spans), letter: ends}
    RATE.change(spans=tuple(spans.items()))


def set_ranges(ranges: Mapping[str, tuple[float, float]]) -> None:
    """Say in what range exponents lie."""
    now = RATE.get()
    RATE.change(exponents=tuple((x, ranges.get(x, ends)) for x, ends in now.exponents))


def without_claim(place: int) -> None:
    """Drop a claim."""
    claims = RATE.get().claims
    RATE.change(claims=claims[:place] + claims[place + 1 :])


def with_claim(equals: str, where: tuple[str, ...]) -> None:
    """Add a claim."""
    RATE.change(claims=(*RATE.get().claims, inquiry.Said(equals, where)))


def solved_for(letter: str) -> None:
    """Solve an equation for another letter."""
    now = RATE.get()
    new = draft.with_text(replace(now, unknown=letter), now.text)
    RATE.change(**{f: getattr(new, f) for f in _LETTERS if f not in ("text", "rate")})
