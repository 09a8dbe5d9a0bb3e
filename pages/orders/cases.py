"""Terms, thresholds as formulas, and the table of cases."""

from __future__ import annotations

import functools

import streamlit as st

from pages.charts import words
from pages.charts.maps import tikz
from pages.core import Entry, formula, tables, toggle
from pages.orders import asked, found, views
from rates import orders
from rates.numbers import DomainError
from rates.orders import Inquiry, Order, draft, texts

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
    x = _along(now)
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


def tell(now: Inquiry, order: Order) -> None:
    """Show the table of cases once it is wanted."""
    x = _along(now)
    if not x:
        return
    st.header("The table of cases", anchor=False)
    _WHERE.draw(asked.RATE)
    if left := [text for text in now.where if text not in draft.applicable(now)]:
        listed = words.md(", ".join(left))
        st.caption(f"Left out, for letters that the rate does not have: {listed}.")
    if not toggle("rate_cases", f"Write the cases along {x} out"):
        return
    try:
        with st.spinner("Writing the cases out and proving each"):
            tables_ = found_cases(order, x, draft.applicable(now))
    except DomainError as problem:
        st.warning(words.plain(problem))
        return
    looks = found.looks(order)
    for one in tables_:
        if one.exponents:
            st.markdown("**Where " + " and ".join(f"`{text}`" for text in one.exponents) + "**")
        rows = orders.case_rows(order, one)
        tables.wrapped(
            {
                "If": [formula.cell(where) if where else "always" for where, _, _ in rows],
                "and": [formula.cell(between) if between else "" for _, between, _ in rows],
                "then decides": [looks[case.label].short for case in one.cases],
            }
        )
    proved = sum(len(one.draws) for one in tables_)
    st.caption(
        f"Thresholds are written for all exponents. That one term decides in each row, and that "
        f"the rows leave nothing out, is proved for all sizes at each of {proved} drawn sets of "
        "exponents; other exponents may need another table."
        if order.exponents
        else "That one term decides in each row, and that nothing is left out, is proved for all "
        "sizes."
    )


@functools.lru_cache(maxsize=32)
def found_cases(order: Order, along: str, where: tuple[str, ...]) -> tuple[orders.Table, ...]:
    """The tables of cases, with symbolic exponents."""
    return orders.cases(order, along, where)


def _along(now: Inquiry) -> str:
    return next((letter for letter in views.axes(now) if letter in now.sizes), "")


def parts(now: Inquiry, order: Order) -> list[tuple[str, str]]:
    """The tables of cases as parts of a LaTeX file."""
    x = _along(now)
    out: list[tuple[str, str]] = []
    try:
        found_ = found_cases(order, x, draft.applicable(now)) if x else ()
    except DomainError as problem:
        return [("Cases", tikz.escaped(str(problem)))]
    for one in found_:
        name = "Cases" + (f" where {' and '.join(one.exponents)}" if one.exponents else "")
        rows = [
            (f"${where}$", f"${between}$", f"${rate}$")
            for where, between, rate in orders.case_rows(order, one)
        ]
        out.append((tikz.escaped(name), texts.tabular(["if", "and", "rate"], rows)))
    return out


_WHERE = Entry(
    "where",
    "Conditions on the sizes, with commas between",
    2 * asked.MOST_TEXT,
    more={"placeholder": "n >= 1, n <= n0, n0 <= m*n, eps <= 1"},
)
