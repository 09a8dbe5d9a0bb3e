"""Rates that papers print, from one text: each with its source, its letters and what it is.

The formula is typed as printed, with the paper's own letters. `Printed.written` puts others in
their place by meaning, so that two rates can be set against each other.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from operator import attrgetter
from typing import Any

from rates.language import scan
from rates.numbers import DomainError
from rates.orders import draft
from rates.orders.inquiry import Inquiry, Span

FILE = "printed.toml"
BOUNDS = {
    "minimax": "upper and lower bound",
    "upper": "upper bound",
    "lower": "lower bound",
}
UP_TO = {"constants": "up to constants", "logs": "up to constants and logarithms"}


@dataclass(frozen=True, kw_only=True)
class Printed:
    """One rate as it is printed.

    Attributes:
        key: Unique, as "acc-equal".
        authors: Family names.
        year: Of the text.
        venue: Where it came out.
        place: Where the rate stands in it, and whose it is if not theirs.
        via: The text that was read instead of the paper, empty for the paper.
        model: Who is trusted: "central", "local", "shuffle", ...; "none" without privacy.
        privacy: The guarantee in words.
        measures: What the rate is of.
        bound: One of `BOUNDS`.
        up_to: One of `UP_TO`.
        says: What it is, in one sentence.
        meanings: What each letter means.
        asked: The rate as a question, with conditions and values.
    """

    key: str
    authors: str
    year: int
    venue: str
    place: str
    model: str
    privacy: str
    measures: str
    bound: str
    up_to: str
    says: str
    via: str = ""
    meanings: Mapping[str, str] = field(hash=False)
    asked: Inquiry

    @cached_property
    def found_by(self) -> str:
        """What a search looks at."""
        words = (self.asked.name, self.asked.reference, self.says, self.model, self.privacy)
        formula = (self.measures, self.asked.text, *self.meanings, *self.meanings.values())
        return " ".join((*words, *formula)).casefold()

    def written(self, names: Mapping[str, str]) -> Inquiry:
        """The same in other letters, by meaning; what is always so of them is a condition too."""
        names = {letter: names[meaning] for letter, meaning in self.meanings.items()}
        asked = self.asked
        # Without what is always so of a letter few rates could be compared.
        usual = (text for x in asked.sizes for text in _bounds(names[x], self.meanings[x]))
        where = (*usual, *(renamed(text, names) for text in asked.where))
        return Inquiry(
            name=asked.name,
            text=renamed(asked.text, names),
            rate=renamed(asked.rate, names),
            unknown=asked.unknown,
            sizes=tuple(names[x] for x in asked.sizes),
            exponents=tuple((names[x], ends) for x, ends in asked.exponents),
            at=tuple((names[x], value) for x, value in asked.at),
            spans=tuple((names[x], ends) for x, ends in asked.spans),
            where=tuple(dict.fromkeys(where)),
        )


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a text with other letters.

    >>> renamed("n: (n*N)^(-1/2)", {"n": "N", "N": "n"})
    'n: (N*n)^(-1/2)'
    """
    out, done = [], 0
    for piece, after in itertools.pairwise(scan(text, strict=False)):
        if piece.text in names and after.text != ":":
            start = piece.start - 1
            out += [text[done:start], names[piece.text]]
            done = start + len(piece.text)
    return "".join([*out, text[done:]])


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(resources.files("rates.orders").joinpath(FILE).read_text("utf-8"))


@cache
def printed() -> Mapping[str, Printed]:
    """Return every printed rate by its key, in the order of the text."""
    return {
        made.key: made
        for paper in _data()["paper"]
        for rate in paper["printed"]
        for made in [_made(paper, rate)]
    }


def one(key: str) -> Printed:
    """Return a printed rate.

    Raises:
        DomainError: There is none of this key.
    """
    if key not in printed():
        raise DomainError("There is no printed rate of this name.", "printed", key)
    return printed()[key]


def search(words: str) -> tuple[Printed, ...]:
    """Return the printed rates in which every word occurs: of the source, the letters, the words.

    >>> [found.key for found in search("heavy bassily")]
    []
    >>> [found.key for found in search("Kroll without")]
    ['kroll-2021-free']
    """
    # One may type the Greek letter itself.
    asked = words.casefold().replace("ε", "eps").split()
    found = printed().values()
    return tuple(x for x in found if all(word in x.found_by.replace("ε", "eps") for word in asked))


def of(asked: Inquiry) -> Printed | None:
    """Return the printed rate that a question is about, None if it is about another."""
    # Its values may have been changed since it was opened: they do not name it.
    parts = attrgetter("text", "rate", "unknown", "name")
    return next((x for x in printed().values() if parts(x.asked) == parts(asked)), None)


def _bounds(letter: str, meaning: str) -> tuple[str, ...]:
    """Return what is always so of a letter: records are at least 1, an error is at most 1."""
    _, *ends = _data()["meanings"].get(meaning, [1.0])
    if not ends:
        return ()
    # An axis from 1 on is one of counts; one up to 1 is of an error or a share.
    low = (f"{letter} >= 1",) if ends[0] >= 1 else ()
    return low + ((f"{letter} <= 1",) if ends[1] <= 1 else ())


def _made(paper: Mapping[str, Any], rate: Mapping[str, Any]) -> Printed:
    """Make a printed rate; what it does not say its paper says."""
    data = {**paper, **rate, "key": f"{paper['key']}-{rate['key']}"}
    blank = Inquiry(text="", sizes=(), unknown=data.get("unknown", ""))
    typed = draft.with_text(blank, data["text"], data.get("rate", ""))
    letters = (*typed.sizes, *(x for x, _ in typed.exponents))
    told = {**_data()["letters"], **paper.get("letters", {}), **rate.get("letters", {})}
    meanings = {x: told.get(x, x) for x in letters}
    usual = {x: _data()["meanings"].get(meaning, []) for x, meaning in meanings.items()}
    at = {x: float(values[0]) for x, values in usual.items() if values} | data.get("at", {})
    spans = {x: v[1:] for x, v in usual.items() if x in typed.sizes and v[1:]}
    ends = {x: data.get("exponents", {}).get(x, free) for x, free in typed.exponents}
    source = f"{data['authors']} {data['year']}, {data['venue']}, {data['place']}"
    via = f"; read in {data['via']}" if "via" in data else ""
    asked = replace(
        typed,
        name=data["name"],
        reference=f"{source}{via}",
        exponents=_spans(ends),
        where=tuple(data.get("where", ())),
        at=tuple(at.items()),
        spans=_spans(spans | data.get("spans", {})),
        axes=tuple(data.get("axes", ())),
    )
    own = {x: data[x] for x in Printed.__dataclass_fields__ if x in data}
    return Printed(**own, meanings=meanings, asked=draft.completed(asked))


def _spans(ends: Mapping[str, Any]) -> tuple[tuple[str, Span], ...]:
    return tuple((x, (float(low), float(high))) for x, (low, high) in ends.items())


def both(one: Printed, other: Printed) -> Mapping[str, str]:
    """The letters of one by meaning, and of another what it needs besides."""
    out = {meaning: letter for letter, meaning in one.meanings.items()}
    for letter, meaning in other.meanings.items():
        if meaning not in out:
            # A number where it is taken; r and D are what equations are solved for.
            names = (letter, *(f"{letter}{k}" for k in range(2, 99)))
            out[meaning] = next(x for x in names if x not in {*out.values(), "r", "D"})
    return out
