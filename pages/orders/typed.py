"""The rate as it is typed: text, formula or what is wrong with it, and its letters."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.charts import number_text, words
from pages.core import Entry, ask, button, formula, number, offered
from pages.orders import asked, found
from rates.numbers import DomainError, Parameter, decades, steps
from rates.orders import EXAMPLES, Inquiry, draft
from rates.rows import number_from_text

_TEXT = Entry(
    "text",
    "A rate, or an equation in one unknown",
    asked.MOST_TEXT,
    live=True,
    more={
        "placeholder": "max(d/n, d^2/(n*eps)^2)",
        "help": "Products and powers of letters joined by min(...), max(...) and +. Powers are "
        "written ^; a term may have a label: min(a: n^-1, b: ...). Letters in powers are "
        "exponents, all others sizes. sum_j(...) adds over the sites of the current study.",
    },
)
_OUTER = Entry(
    "rate",
    "The rate in the unknown",
    asked.MOST_TEXT,
    live=True,
    more={"help": "Empty: the unknown itself. For example min(1, r^(beta*(1+alpha)))."},
)
SIZE = Parameter("size", "", "(0, inf)", help="A positive number; it lives on a log axis.")
_STOPS = tuple(float(f"1e{k}") for k in range(-9, 13))
_EXPONENTS = (*steps(0.05, 1.0, 0.05), *steps(1.1, 3.0, 0.1), 3.5, 4.0, 5.0, 6.0, 8.0, 10.0)


def examples() -> None:
    """Rates to begin with."""
    with st.popover("Examples", icon=":material/auto_stories:"):
        for place, example in enumerate(EXAMPLES):
            button(example.name, f"rate_example_{place}", asked.RATE.set, example)


def text() -> None:
    """Ask for the text; show it typeset, or what is wrong below its column."""
    now = asked.RATE.get()
    if now.name:
        known = any(now.reference == example.reference for example in EXAMPLES)
        source = words.keyed(now.reference) if known else words.md(now.reference)
        st.markdown(f"**{words.md(now.name)}**. {source}")
    _TEXT.draw(asked.RATE)
    if now.unknown:
        left, right = st.columns([1, 2])
        with left:
            _unknown(now)
        with right:
            _OUTER.draw(asked.RATE)
    read = found.read(now)
    if read.problem is not None:
        shown = now.rate if read.field == "rate" else now.text
        if mark := found.marked(shown, read.problem):
            st.code(mark, language=None)
        st.error(words.plain(read.problem))
        return
    if read.order is not None:
        formula.show(read.order.latex)
        if now.unknown:
            formula.show(rf"\text{{rate}} = {read.order.rate_latex}")


def _unknown(now: Inquiry) -> None:
    here = draft.letters(now.text)
    choices = [x for x in here.sizes if x not in here.inside or x == now.unknown]
    options = choices if now.unknown in choices else [now.unknown, *choices]
    ask(
        "rate_unknown",
        now.unknown,
        lambda letter: asked.solved_for(offered(letter, options)),
        lambda **how: st.selectbox("Solve for", options, index=options.index(now.unknown), **how),
    )


def values(now: Inquiry) -> None:
    """Ask for the value of every letter, sizes first."""
    ranges = dict(now.exponents)
    for letter, value in now.at:
        if letter in now.sites:
            continue
        power = letter in ranges
        low, high = ranges.get(letter, (0.0, math.inf))
        parameter = _exponent(letter, low, high) if power else _size(letter)
        ends = draft.span(letter)
        stops = (
            tuple(x for x in _EXPONENTS if low < x < high or (x in (low, high) and x > 0))
            if power
            else decades(round(math.log10(ends[0])), round(math.log10(ends[1])))
        )
        number(
            f"rate_at_{letter}",
            f"{letter} (exponent)" if power else letter,
            parameter,
            value,
            functools.partial(asked.set_value, letter),
            stops or (value,),
        )


def _size(letter: str) -> Parameter:
    return SIZE.within("(0, inf)", name=letter, symbol=letter, noun=letter)


def _exponent(letter: str, low: float, high: float) -> Parameter:
    left = "(" if low in (0.0, -math.inf) else "["
    right = ")" if math.isinf(high) else "]"
    said = f"An exponent; it is declared to lie from {number_text(low)} to {number_text(high)}."
    domain = f"{left}{low:g}, {high:g}{right}"
    return SIZE.within(domain, name=letter, symbol=letter, noun=letter, help=said)


def ranges(now: Inquiry) -> None:
    """Ask in what range exponents lie: signs, and so what is minimum and maximum, hang on it."""
    if not now.exponents:
        return
    text = ", ".join(
        f"{x}: {number_text(low)} to {number_text(high)}" for x, (low, high) in now.exponents
    )
    key = "rate_ranges"
    shown = st.session_state.get(key, text) if asked.RATE.refusal else text
    ask(
        key,
        shown,
        _take_ranges,
        lambda **how: st.text_input(
            "Ranges of exponents",
            shown,
            help="Such as beta: 0 to 1, k: 2 to inf. The form of a rate may hang on them: the "
            "sign of k - 1 is known once k is above 1.",
            **how,
        ),
    )


def _take_ranges(given: str) -> None:
    try:
        out = {}
        for part in filter(None, map(str.strip, given.split(","))):
            letter, colon, ends = part.partition(":")
            low, to, high = ends.partition(" to ")
            if not (colon and to):
                rule = "A range is written letter: low to high, with commas between."
                raise DomainError(rule, "ranges", part)
            low_high = [float(number_from_text(x, letter.strip())) for x in (low, high)]
            if not low_high[0] < low_high[1]:
                raise DomainError("A range has its lower end first.", letter.strip(), part)
            out[letter.strip()] = (low_high[0], low_high[1])
        asked.set_ranges(out)
    except DomainError as problem:
        asked.RATE.refuse(str(problem))


def ends_of(now: Inquiry, letter: str) -> tuple[float, float]:
    """The range in which a letter is looked at."""
    known, declared = dict(now.spans), dict(now.exponents)
    if letter not in declared:
        return known.get(letter, draft.span(letter))
    low, high = declared[letter]
    first = low if math.isfinite(low) else -5.0
    usual = (first or 0.1, high if math.isfinite(high) else max(3.0, first + 3.0))
    ends = known.get(letter, usual)
    inside = max(ends[0], low), min(ends[1], high)
    return inside if inside[0] < inside[1] else usual


def axis_range(now: Inquiry, letter: str) -> None:
    """Ask for the range of an axis."""
    ends = ends_of(now, letter)
    stops = _EXPONENTS if letter in dict(now.exponents) else _STOPS
    ask(
        f"rate_span_{letter}_{number_text(ends[0])}_{number_text(ends[1])}",
        ends,
        lambda given: asked.set_span(letter, (given[0], given[1])),
        lambda **how: st.select_slider(
            f"Range of {letter}",
            sorted({*stops, *ends}),
            value=ends,
            format_func=words.number,
            **how,
        ),
    )
