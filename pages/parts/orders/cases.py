"""Terms, thresholds as formulas, and the table of cases."""

from __future__ import annotations

import functools

import streamlit as st

from pages.figures.chart import words
from pages.parts.frame import formula, tables
from pages.parts.orders import found, views
from rates import orders
from rates.numbers import DomainError
from rates.orders import Inquiry, Order, texts

MOST = 40  # thresholds shown


@functools.lru_cache(maxsize=64)
def thresholds(order: Order, along: str) -> tuple[orders.Crossing, ...]:
    """The symbolic thresholds of a letter."""
    return orders.crossings(order, along)


def show(now: Inquiry, order: Order) -> None:
    """Show the terms, and where along the horizontal axis two of them cross."""
    st.header("Terms and thresholds", anchor=False)
    looks = found.looks(order)
    explicit = order.explicit()
    tables.wrapped(
        {
            "Term": [looks[term.label].short for term in explicit.terms],
            "Order": [formula.cell(text) for text in texts.term_latex(order).values()],
        }
    )
    x = next((letter for letter in views.axes(now) if letter in now.sizes), "")
    if not x:
        return
    sizes, exponents = now.split()
    rows: dict[str, list[str]] = {"Where": [], f"Threshold of {x}": [], "Here": []}
    try:
        for crossing in thresholds(order, x)[:MOST]:
            value = float(crossing.at.value(sizes, exponents))
            names = (looks[label].short for label in (crossing.first, crossing.second))
            rows["Where"].append(" = ".join(names))
            rows[f"Threshold of {x}"].append(formula.cell(crossing.at.latex))
            rows["Here"].append(words.number(value))
    except DomainError as problem:
        st.caption(words.plain(problem))
    if rows["Where"]:
        with st.expander(f"Where two terms are equal: {len(rows['Where'])} thresholds of {x}"):
            tables.wrapped(rows)
            st.caption(
                "Each pair of terms is equal there; whether the rate changes there depends on the "
                "others. Pairs with the same power of the letter have none."
            )


def parts(now: Inquiry, order: Order) -> list[tuple[str, str]]:
    """The table of cases as a part of a LaTeX file."""
    return []
