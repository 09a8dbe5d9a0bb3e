"""What is taken away of a rate, and what its answer does not say."""

from __future__ import annotations

import streamlit as st

from pages.charts.maps import tikz
from pages.core import offer
from pages.orders import asked, cases, found, views
from rates.numbers import DomainError
from rates.orders import Inquiry, Order, inquiry, texts, write


def take_away(now: Inquiry, order: Order) -> None:
    """Offer the question as a file, its tables and map as LaTeX, and lines of Python."""
    st.header("Take away", anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        offer("Rate as JSON", inquiry.to_json(now), "rate.json", "rate_json")
        offer("Tables as LaTeX", lambda: tables(now, order), "rate-tables.tex", "rate_latex")
        offer("Map as TikZ", lambda: drawing(now, order), "rate-map.tex", "rate_tikz")
    if asked.RATE.fits():
        st.caption(
            "The address of this page is a link to this rate. The JSON file is what "
            "`python -m rates orders` reads."
        )
    else:
        st.caption("This rate is too long for a link; use the JSON file.")
    with st.expander("The lines of Python that reproduce the answer"):
        st.code(texts.to_python(now), language="python", wrap_lines=True)


def tables(now: Inquiry, order: Order) -> str:
    """The terms, thresholds and cases as a LaTeX file."""
    looks = found.looks(order)
    name = {label: tikz.escaped(look.short) for label, look in looks.items()}
    terms = [(name[label], f"${text}$") for label, text in texts.term_latex(order).items()]
    parts = [("Terms", texts.tabular(["Term", "Order"], terms))]
    x = next((letter for letter in views.axes(now) if letter in now.sizes), "")
    if x:
        crossings = [
            (f"{name[row.first]} = {name[row.second]}", f"${row.at.latex}$")
            for row in cases.thresholds(order, x)
        ]
        title = f"${write.letter_tex(x)}$ at which two terms are equal"
        parts.append(("Thresholds", texts.tabular(["Terms", title], crossings)))
    parts += cases.parts(now, order)
    return texts.document(tikz.escaped(now.name or "A rate"), parts)


def drawing(now: Inquiry, order: Order) -> str:
    """The map as PGFPlots source."""
    try:
        shown = views.plane_of(now)
    except DomainError as problem:
        return f"% {problem}\n"
    looks = found.looks(order)
    legend = {
        label: f"{tikz.escaped(looks[label].short)}: ${text}$"
        for label, text in texts.term_latex(order).items()
    }
    names = tuple(f"${write.letter_tex(axis.title)}$" for axis in (shown.x, shown.y))
    return tikz.document(
        shown, title=now.name or "The term that decides", axes=(names[0], names[1]), legend=legend
    )


def limits() -> None:
    """Say what an order does not say."""
    with st.expander("What this does not say"):
        st.markdown(
            "- Rates hold up to constants and logarithms: a threshold found here can lie elsewhere "
            "by any constant factor, and no sample size follows from it.\n"
            "- A sum of k terms is read as the largest of them for maps and claims; that loses at "
            "most a factor of k. Values take sums as sums.\n"
            "- Whether the typed rate is the rate of your problem is not examined: the page says "
            "what follows from it."
        )
