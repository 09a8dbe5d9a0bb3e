"""The page: what is this, and where do I begin?"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages import pictures
from pages.core import Part, Single, layout, presenter, sync_url
from pages.current import state
from rates import numbers
from rates.study import preset

STUDY = preset("hospitals").study
# The ends of the picture's own slider.
_BUDGET = numbers.EPSILON.within("[0.01, 100]")
EPSILON: Single[float] = Single(
    parameter="epsilon",
    start=1.0,
    settings=(Part("epsilon", _BUDGET),),
    noun="A budget",
    refused="The budget in the address could not be used.",
)
DOORS = (
    ("My own study", "Type or paste your sites: who gains, and what privacy costs.", "study"),
    ("Maps of the theory", "Which sites decide, and what binds them.", "phases"),
    ("Six papers, checked", "Every printed statement, with a test to run again.", "statements"),
)
_OPEN = {"study": "Open my study", "phases": "Open the map", "statements": "Open the ledger"}


def draw() -> None:
    """Draw the page."""
    presenter.title("How much survives privacy?")
    st.markdown(
        "Four hospitals learn together, each adding noise to what it sends so that no patient "
        "stands out: **drag the budget** and watch what is left."
    )
    layout.address_notes(EPSILON)
    EPSILON.load()
    # An example, not the visitor's study: who comes first has none.
    drawn = pictures.sites.picture(
        STUDY, "classification", epsilon=EPSILON.get(), people="patients"
    )
    assert drawn is not None  # every hospital is protected
    pictures.show(drawn, key="sites", take=take)
    _guess()
    for place, (title, text, name) in zip(st.columns(3, border=True), DOORS, strict=True):
        with place:
            st.header(title, anchor=False)
            st.markdown(text)
            layout.link(name, _OPEN[name], query=state.carried())
    sync_url(EPSILON, study=False)


def take(sent: Mapping[str, object]) -> None:
    """Take the budget over at which a hand has left the slider."""
    epsilon = pictures.finite(sent, "epsilon", 0.01, 100)
    if epsilon is not None:
        EPSILON.set(epsilon)


def _guess() -> None:
    with st.container(border=True):
        st.header("Guess first", anchor=False)
        st.markdown(
            "An attacker knows everyone's record but one, and sees a release with ε = 1. Of 100 "
            "tries, how many can be right at most?"
        )
        # The study goes along, as the list may end with it.
        tour = {"list": "tour", "lesson": "odds", **(state.carried() or {})}
        layout.link("lessons", "Make a guess", "school", tour)
