"""The page: what does my own rate say?"""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.core import Entry, controls, layout, pick, stage, sync_url
from pages.orders import asked, cases, claims, data, files, found, sites, typed, views
from rates.numbers import DomainError
from rates.orders import Inquiry, Order

_RIVAL = Entry(
    "rival",
    "A second rate in the same letters",
    asked.MOST_TEXT,
    live=True,
    more={"help": "For example a lower bound, or the rate of another paper."},
)


def draw() -> None:
    """Draw the page."""
    stage.title("What does my own rate say?")
    place = st.container()
    layout.address_notes(asked.RATE)
    asked.RATE.load()
    now = asked.RATE.get()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed.examples()
        data.box(now)
    typed.text()
    controls.refusal(asked.RATE, "Nothing was changed.")
    now, read = asked.RATE.get(), found.read(asked.RATE.get())
    if read.order is None:
        place.markdown("The text below cannot be read yet; what is wrong stands under its column.")
    elif read.order.sites:
        sites.show(now, read.order, place)
    else:
        _body(now, read.order, place)
    files.limits()
    sync_url(asked.RATE)


def _body(now: Inquiry, order: Order, place: st.delta_generator.DeltaGenerator) -> None:
    figure, controls = layout.beside()
    with figure:
        view = pick("rate_view", "Show", views.VIEWS, hidden=True, wrap=True)
        if view == "two":
            _RIVAL.draw(asked.RATE)
        views.ask_axes(now, view)
        drawn = views.draw(now, order, view)
        if drawn and now.points and view == "cut":
            data.told(now, order, views.sizes_of(now)[0])
    with controls:
        typed.values(now)
        with st.expander("Ranges of exponents"):
            typed.ranges(now)
    with place:
        _answer(now, order)
    cases.show(now, order)
    cases.tell(now, order)
    claims.show(now)
    files.take_away(now, order)


def _answer(now: Inquiry, order: Order) -> None:
    try:
        sizes, exponents = now.split()
        label = str(order.deciding(sizes, exponents).item())
        value = float(order.value(sizes, exponents))
    except DomainError as problem:
        st.warning(words.plain(problem))
        return
    short = found.looks(order)[label].short
    text = f"At the numbers below **{words.md(short)}** decides: the rate is of the order of "
    text += f"**{words.number(value)}**, up to constants and logs."
    if now.claims:
        held, decided = claims.counts(now)
        text += f" Of {decided} claims **{held}** hold{'s' if held == 1 else ''} for all sizes."
    st.markdown(text)
