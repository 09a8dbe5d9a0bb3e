"""The page: what is this, and where do I begin?"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.charts import Figure, budget, words
from pages.core import figure_card, layout, presenter, with_lines
from pages.current import state, takeaway
from pages.phases import designs
from rates import errata
from rates.numbers import decades
from rates.study import PRESETS, Study, preset

FACTORS = tuple(10 ** (k / 20) for k in range(-40, 41))
MISPRINT = "The misprinted threshold"
STUDY = (
    ("study", "State my study", ":material/groups:"),
    ("fit", "Does a theory cover it?", ":material/checklist:"),
    ("plan", "What would improve it?", ":material/route:"),
    ("hybrid", "Can volunteers stand in?", ":material/volunteer_activism:"),
    ("adaptation", "Is open data close enough?", ":material/compare_arrows:"),
    ("logistic", "Which sources to drop?", ":material/filter_alt:"),
)
LEDGER = (
    ("statements", "Open the ledger", ":material/fact_check:"),
    ("orders", "My own rate", ":material/function:"),
    ("about", "Every term explained", ":material/menu_book:"),
)


def draw() -> None:
    """Draw the page."""
    st.title("Learning together from sites that protect their data")
    st.markdown(
        "Several hospitals, registries or phones hold data. Each protects its own records by "
        "differential privacy, with its own budget. How much can be learned together, who "
        "carries the answer, and what does privacy cost? Five recent papers answer with rates. "
        "This app solves their equations exactly, sets a named mechanism with all its constants "
        "beside every answer, and says which printed statement each answer rests on."
    )
    layout.address_notes()
    # Nothing else depends on it, so it is drawn again alone; but not where it stands elsewhere.
    (_live_figure if presenter.asked() else st.fragment(_live_figure))()
    _links()
    _limits()


def _live_figure() -> None:
    study = preset("hospitals").study
    left, right = st.columns([1, 2], gap="large")
    with left:
        st.header("Two answers, never one")
        epsilon = st.select_slider(
            "Common budget ε of the four hospitals",
            decades(-2, 2),
            value=1.0,
            key="overview_epsilon",
            persist_state="session",
        )
        sweep = state.sweep(study, "classification", FACTORS)
        k = min(range(len(FACTORS)), key=lambda i: abs(FACTORS[i] / epsilon - 1))
        low, high = (words.percent(float(f(sweep.mechanism[:, k]))) for f in (min, max))
        st.markdown(
            f"With ε = **{words.number(epsilon)}** at every hospital, the rate equation keeps "
            f"**{words.percent(float(sweep.equation[k]))}** of the effective sample; a named "
            f"mechanism with its constants keeps **{words.span(low, high)}**."
        )
        st.caption(
            "Four heart-disease hospitals of 142, 303, 141 and 116 patients. The equation is "
            "exact up to constants; the mechanism is one procedure. A true answer needs both."
        )
    with right:
        figure_card.show(with_lines(kept, study, FACTORS[k]), key="figure_overview")


def kept(study: Study, here: float) -> Figure:
    """What sites with a budget of 1 keep under other common budgets, and under one of them."""
    return budget.kept_figure(
        state.sweep(study, "classification", FACTORS),
        unit=1.0,
        label="Common budget ε",
        title="What four hospitals keep of their sample under privacy",
        here=here,
        mark="Your choice",
        name="four-hospitals",
    )


def _links() -> None:
    learn, check, verify = st.columns(3, gap="medium", border=True)
    with learn:
        st.header("Learn")
        st.markdown("Predict, then see: three questions in three minutes, and more after that.")
        tour = {"list": "tour", **(state.carried() or {})}
        _link("lessons", "What do you expect?", ":material/school:", tour)
        st.markdown("Or open an example, read its story, and move one number.")
        for entry in PRESETS:
            takeaway.as_study(entry.title, entry.study, None)
    with check:
        st.header("Check my study")
        st.markdown(
            "Type your sites, or paste them from a spreadsheet: records, budget and δ of each. "
            "You get who carries the answer, what binds each site, what privacy costs by both "
            "answers, and a link or file to take away."
        )
        for link in STUDY:
            _link(*link)
    with verify:
        st.header("Check the theorems")
        st.markdown(words.keyed(errata.sentences(errata.headline())))
        st.markdown(
            "Each entry of the ledger shows the printed form and our reading, with a test that "
            "you can run again, the counterexample and the argument. Under every answer, *Why* "
            "says which theorem it rests on."
        )
        for link in LEDGER:
            _link(*link)
        point, table = designs.EXAMPLES[MISPRINT], designs.READING.link("A")
        _link("phases", "A table that differs", None, designs.POINT.link(point) | table)


def _link(page: str, label: str, icon: str | None, query: Mapping[str, str] | None = None) -> None:
    st.page_link(layout.page(page), label=label, icon=icon, query_params=query)


def _limits() -> None:
    st.header("What rates can and cannot tell")
    can, cannot = st.columns(2, gap="large")
    can.markdown(
        "**They can tell**\n\n"
        "- which site carries the answer, and whether its sample or its privacy binds it\n"
        "- in what proportion the worst-case error changes with records and budgets\n"
        "- where more budget, or more records, stops helping"
    )
    cannot.markdown(
        "**They cannot tell**\n\n"
        "- an absolute error or a required sample size: constants and logarithms are left out\n"
        "- what happens on one given data set, which may be easier than the worst case\n"
        "- whether the assumptions hold for your data, or whether a budget is acceptable"
    )
