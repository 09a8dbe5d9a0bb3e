"""The rate that is asked about: kept for the session, shared by ``?rate=``, and typed."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages import core
from pages.charts import number_text, words
from pages.core import Entry, formula
from pages.orders import found
from rates import numbers
from rates.numbers import DomainError, Parameter, Words
from rates.orders import EXAMPLES, Inquiry, asides, draft, inquiry, printed
from rates.study import codec

_PACKED = "~"
_SPLIT = re.compile(r"\s*(?:;|\n|,(?![^()]*\)))\s*")
_LETTERS = ("text", "rate", "unknown", "sizes", "exponents", "sites", "at", "axes", "spans")

# The record ---------------------------------------------------------------------------------------


class _Rate(core.UrlState[Inquiry]):
    """The question as JSON, packed; whether its text can be read says the page."""

    def read(self, texts: core.Texts) -> Inquiry:
        """Return the question of a link: a printed rate's key, the short form, or plain JSON."""
        given = texts.get(self.parameter, "")
        if not given:
            return self.start
        if len(given) > codec.MAX_LINK:
            rule = f"A link holds at most {codec.MAX_LINK:,} characters; use the file."
            raise DomainError(rule, "rate", Words(f"{len(given):,} characters"))
        # Keys first: a link that a person can read and type.
        if given in printed.printed():
            return printed.one(given).asked
        # Links that were made by hand are plain JSON.
        text = numbers.unpack(given) if given[0] == _PACKED else given
        return draft.completed(inquiry.from_json(text))

    def write(self, value: Inquiry) -> core.Texts:
        """Return what an address says of a question."""
        if value == self.start:
            return {self.parameter: ""}
        # A printed rate whose numbers were changed needs the whole question.
        known = printed.of(value)
        if known is not None and known.asked == value:
            return {self.parameter: known.key}
        return {self.parameter: numbers.pack(inquiry.to_json(value, indent=None))}

    def change(self, **values: Any) -> None:
        """Ask for something else; a new text brings its letters along."""
        now = self.get()
        if isinstance(values.get("where"), str):
            values["where"] = conditions(values["where"])
        if isinstance(values.get("exponents"), str):
            values["exponents"] = self._spans(values["exponents"])
        if values.keys() & {"text", "rate"}:
            new = draft.with_text(now, values.pop("text", now.text), values.pop("rate", None))
            # Another text is no longer what the source says.
            old = {name: "" for name in ("name", "reference") if new.text != now.text}
            values = {f: getattr(new, f) for f in _LETTERS} | old | values
        super().change(**values)

    def value(self, name: str) -> Any:
        """What is asked for now; conditions and ranges of exponents as one line."""
        now = super().value(name)
        if name == "exponents":
            spans = ((x, number_text(low), number_text(high)) for x, (low, high) in now)
            now = [f"{x}: {low} to {high}" for x, low, high in spans]
        return ", ".join(now) if name in ("where", "exponents") else now

    def _spans(self, text: str) -> tuple[tuple[str, tuple[float, float]], ...]:
        """Return all exponents with their ranges, some of them anew from a line."""
        out = dict(self.get().exponents)
        for part in filter(None, map(str.strip, text.split(","))):
            letter, colon, ends = part.partition(":")
            low, to, high = ends.partition(" to ")
            if not (colon and to):
                rule = "A range is written letter: low to high, with commas between."
                raise DomainError(rule, "ranges", part)
            first, last = (float(numbers.number_from_text(x, letter.strip())) for x in (low, high))
            if not first < last:
                raise DomainError("A range has its lower end first.", letter.strip(), part)
            if letter.strip() in out:
                out[letter.strip()] = first, last
        return tuple(out.items())


def conditions(text: str) -> tuple[str, ...]:
    """Return the conditions of a line: between commas, semicolons and line ends.

    >>> conditions("n <= max(a, b), m >= 1; m = 2 or m = 3 and n <= 9")
    ('n <= max(a, b)', 'm >= 1', 'm = 2 or m = 3 and n <= 9')
    """
    return tuple(filter(None, _SPLIT.split(text.strip())))


RATE = _Rate(
    parameter="rate",
    start=EXAMPLES[0],
    noun="A rate",
    refused="The rate in the address could not be opened.",
)


def set_values(values: Mapping[str, float]) -> None:
    """Give letters other values."""
    RATE.change(at=tuple((x, values.get(x, v)) for x, v in RATE.get().at))


def move(letters: tuple[str, str], *at: float) -> None:
    """Give the letters along a map's axes the values of its point."""
    set_values(dict(zip(letters, at, strict=True)))


# Its text and letters -----------------------------------------------------------------------------

_TEXT = Entry(
    "text",
    "A rate, or an equation in one unknown",
    inquiry.MOST_TEXT,
    live=True,
    more={
        "placeholder": "max(d/n, d^2/(n*eps)^2)",
        "help": "Products and powers (^) of letters joined by min(...), max(...) and +; a term may "
        "have a label: min(a: n^-1, b: ...). Letters in powers are exponents, all others sizes. "
        "inf_h(h^2 + 1/(n*h)) is over all h > 0, inf_h(1/n <= h <= 1, ...) over a range, "
        "best_k(m, ...) over whole k from 1 to m. "
        "log(x) is the larger of 1 and the natural logarithm; exp(eps) - 1 may stand too. "
        "sum_j(...) adds over the sites of the current study.",
    },
)
_OUTER = Entry(
    "rate",
    "The rate in the unknown",
    inquiry.MOST_TEXT,
    live=True,
    more={"help": "Empty: the unknown itself. For example min(1, r^(beta*(1+alpha)))."},
)
RANGES = Entry(
    "exponents",
    "Ranges of exponents",
    inquiry.MOST_TEXT,
    more={"help": "Such as beta: 0 to 1, k: 2 to inf; the form of a rate may hang on them."},
)
_SIZE = Parameter("size", "", "(0, inf)", help="A positive number; it lives on a log axis.")
_STOPS = tuple(float(f"1e{k}") for k in range(-9, 13))
_FINE, _WIDE = numbers.steps(0.05, 1.0, 0.05), numbers.steps(1.1, 3.0, 0.1)
_EXPONENTS = (*_FINE, *_WIDE, 3.5, 4.0, 5.0, 6.0, 8.0, 10.0)


def examples() -> None:
    """Rates to begin with."""
    with st.popover("Examples", icon=":material/auto_stories:"):
        for place, example in enumerate(EXAMPLES):
            core.button(example.name, f"rate_example_{place}", RATE.set, example)


def text() -> None:
    """Ask for the text; show it typeset, or what is wrong below its column."""
    now = RATE.get()
    if now.name:
        known = any(now.reference == example.reference for example in EXAMPLES)
        source = words.keyed(now.reference) if known else words.md(now.reference)
        st.markdown(f"**{words.md(now.name)}**. {source}")
    _TEXT.draw(RATE)
    if now.unknown:
        left, right = st.columns([1, 2])
        with left:
            _unknown(now)
        with right:
            _OUTER.draw(RATE)
    if wrong := found.problem_of(now):
        if mark := found.marked(*wrong):
            st.code(mark, language=None)
        st.error(words.plain(wrong[1]))
        return
    order = found.order_of(now)
    formula.show(order.latex)
    if now.unknown:
        formula.show(rf"\text{{rate}} = {order.rate_latex}")
    claimed = (text for said in now.claims for text in (said.equals, *said.where))
    for note in asides(now.text, now.rate, *claimed):
        st.caption(words.md(note))


def _unknown(now: Inquiry) -> None:
    here = draft.letters(now.text)
    choices = [x for x in here.sizes if x not in here.inside or x == now.unknown]
    # The present choice stays on the list even where the text no longer has it.
    options = choices if now.unknown in choices else [now.unknown, *choices]
    labels = {letter: found.symbol(letter) for letter in options}
    core.controls.choose("rate_unknown", "Solve for", labels, now.unknown, _solve_for)


def _solve_for(letter: str) -> None:
    now = RATE.get()
    new = draft.with_text(replace(now, unknown=letter), now.text)
    RATE.change(**{f: getattr(new, f) for f in _LETTERS if f not in ("text", "rate")})


def values(now: Inquiry, letters: Collection[str], columns: int = 1) -> None:
    """Ask for the values of letters, sizes first."""
    powers, places = dict(now.exponents), st.columns(columns)
    free = [
        (letter, value) for letter, value in now.at if letter in letters and letter not in now.sites
    ]
    for place, (letter, value) in enumerate(free):
        names = [letter] if found.symbol(letter) != letter else []
        if letter in powers:
            low, high = powers[letter]
            names, kind = [*names, "exponent"], _exponent(low, high)
            stops = tuple(x for x in _EXPONENTS if low < x < high or (x in (low, high) and x > 0))
        else:
            low, high = draft.span(letter)
            kind = _SIZE
            stops = numbers.decades(round(math.log10(low)), round(math.log10(high)))
        title = f"{found.symbol(letter)} ({', '.join(names)})" if names else letter
        with places[place % columns]:
            core.number(
                f"rate_at_{letter}",
                title,
                replace(kind, name=letter, symbol=letter, noun=letter),
                value,
                partial(_set_value, letter),
                stops or (value,),
            )


def _set_value(letter: str, value: float) -> None:
    set_values({letter: value})


def _exponent(low: float, high: float) -> Parameter:
    left = "(" if low in (0.0, -math.inf) else "["
    right = ")" if math.isinf(high) else "]"
    said = f"An exponent; it is declared to lie from {number_text(low)} to {number_text(high)}."
    return _SIZE.within(f"{left}{low:g}, {high:g}{right}", help=said)


# Ranges of axes -----------------------------------------------------------------------------------


def ends_of(now: Inquiry, letter: str) -> tuple[float, float]:
    """The range in which a letter is looked at."""
    known, declared = dict(now.spans), dict(now.exponents)
    if letter not in declared:
        return known.get(letter, draft.span(letter))
    low, high = declared[letter]
    # An axis needs two ends, which a free exponent does not have.
    first = low if math.isfinite(low) else -5.0
    usual = (first or 0.1, high if math.isfinite(high) else max(3.0, first + 3.0))
    ends = known.get(letter, usual)
    inside = max(ends[0], low), min(ends[1], high)
    return inside if inside[0] < inside[1] else usual


def axis_range(now: Inquiry, letter: str) -> None:
    """Ask for the range of an axis."""
    ends = ends_of(now, letter)
    stops = _EXPONENTS if letter in dict(now.exponents) else _STOPS
    core.ask(
        # The ends are in the key: Streamlit keeps a slider's range under one key.
        f"rate_span_{letter}_{number_text(ends[0])}_{number_text(ends[1])}",
        ends,
        lambda given: _take_span(letter, *given),
        lambda **how: st.select_slider(
            f"Range of {found.symbol(letter)}",
            sorted({*stops, *ends}),
            value=ends,
            format_func=words.number,
            **how,
        ),
    )


def _take_span(letter: str, low: float, high: float) -> None:
    spans = dict(RATE.get().spans) | {letter: (low, high)}
    RATE.change(spans=tuple(spans.items()))
