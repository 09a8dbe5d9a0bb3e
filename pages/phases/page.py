"""The page: which term decides, and where does it change?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts import words
from pages.core import fold, layout, pick, stage, sync_url
from pages.current import scope_line, takeaway
from pages.phases import designs, own, views, why
from pages.phases import reading as phase_reading
from rates.phases import Design, Regime, sequence
from rates.phases import design as points

VIEWS = {
    "map": "Map",
    "cut": "Rate along the cut",
    "public": "Unprotected source",
    own.VIEW: "Your study",
}
UPPER = {1.0: "up to 1", 100.0: "up to 100"}
SIDES = {"t": "the target", "s": "the sources"}


def draw() -> None:
    """Draw the page."""
    stage.title("Which term decides, and where does it change?")
    answer_place = st.container()
    layout.address_notes(phase_reading.READING, own.OWN)
    designs.POINT.load()
    phase_reading.READING.load()
    own.OWN.load()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = pick(own.SHOWN, "Show", VIEWS, hidden=True, wrap=True)
        if view != own.VIEW:
            designs.examples()
    if view == own.VIEW:
        own.draw(answer_place)
    else:
        _homogeneous(view, answer_place)
    sync_url(designs.POINT, phase_reading.READING, own.OWN)


def _homogeneous(view: str, answer_place: DeltaGenerator) -> None:
    """Draw a view of one target and equal sources."""
    left, right = layout.aside()
    with left:
        designs.ask(designs.MAIN)
        shape = fold("Smoothness, dimension, margin, unequal budgets", "phase_shape")
        if shape is not None:
            with shape:
                designs.ask(designs.SHAPE)
        upper = pick(
            "phase_upper",
            "Budgets shown",
            UPPER,
            wrap=True,
            help="The paper's map stops at 1. The formulas go on; noise as printed is not "
            "private for large budgets.",
        )
    design = designs.POINT.get()
    found = views.along(design, upper)
    with answer_place:
        scope_line.show()
        _answer(design, found)
    with right:
        if view == "cut":
            views.draw_cut(design, upper)
        elif view == "public":
            views.draw_public(design, upper)
        else:
            views.draw_map(design, upper)
    why.expander(design)
    why.limits()
    _take_away(design)


def _answer(design: Design, found: tuple[Regime, ...]) -> None:
    here = next(row.rate for row in found if design.epsilon <= row.hi)
    order = sequence(*design.sizes, **design.shape, ratio=design.ratio, upper=found[-1].hi)
    at = f"At ε = **{words.number(design.epsilon)}** and γ = **{words.number(design.gamma)}**, "
    if here == "1":
        first = f"{at}no term falls below 1: the bound is **trivial**."
    else:
        limit = "sampling" if here.startswith("N") else "privacy"
        first = f"{at}**{SIDES[here[-1]]}** decide{'s' if here[-1] == 't' else ''} the rate, and "
        first += f"**{limit}** binds there ({here})."
    steps = " → ".join(
        f"{'trivial' if row.rate == '1' else row.rate} up to {words.number(row.hi)}"
        for row in found
    )
    st.markdown(f"{first} As the budget grows: {steps}.")
    if order.re_entrant:
        names = {"T": "target", "S": "sources"}
        path = ", ".join(names[side] for side in order.sides)
        st.info(
            f"Re-entrance: {path}. A side that has stopped deciding decides again. Under one "
            "budget the leads in between are small: by our numerical bound the least of them is "
            "at most a factor of about 1.7 in the rate at 10,000 source records and 2.2 at a "
            "million. That is within the constants that rates leave out, so no simulation of "
            "such sizes can show it."
        )
    _caveats(design, found)


def _caveats(design: Design, found: tuple[Regime, ...]) -> None:
    notes = []
    if design.m == 0 or design.n == 0:
        notes.append("Without sources only the target's terms exist (Remark 3.1); γ plays no part.")
    elif design.n0 == 0:
        notes.append("Without target records only the sources' terms exist; γ* is undefined.")
    elif not design.n <= design.n0 <= design.m * design.n:
        notes.append(
            "Outside n ≤ n₀ ≤ m n, the range of Corollary 3.2. The map is exact all the same; "
            "the corollary's table does not apply."
        )
    if design.n0 == 1:
        notes.append("With one target record log n₀ = 0, so γ* is infinite.")
    if design.gamma == 1 and design.m:
        notes.append("At γ = 1 the private terms Pt and Ps are parallel: ε₁₁ does not exist.")
    if found[-1].hi > 1:
        notes.append(
            "Budgets above 1 lie beyond the paper's map. The formulas are still defined; the "
            "printed noise stops being private at about ε = 8.5 to 10."
        )
    if notes:
        st.caption(" ".join(notes))


def _take_away(design: Design) -> None:
    takeaway.as_study("Open this point as a study", points.to_study(design, views.delta(design)))
    st.caption("The address of this page is a link to this point.")
