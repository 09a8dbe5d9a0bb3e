"""What is looked at on the phase map, kept and shared: a point, and a reading of Table 1."""

from __future__ import annotations

import functools

import streamlit as st

from pages.charts import phase_maps, words
from pages.core import Menu, Part, Single, Slider, UrlState, button, choice, controls
from pages.current import state
from rates.phases import Design
from rates.phases import design as designs
from rates.study import TransferStudy

_point = functools.partial(Design, margin=1)
EXAMPLES = {
    "Figure 1 of the paper (our sizes)": _point(
        n=2_000, m=50, n0=10_000, smoothness=0.25, dimension=2, gamma=1.2, epsilon=0.2
    ),
    "Sources, target, sources again": _point(
        n=10_000, m=100, n0=80_000, smoothness=0.5, dimension=2, gamma=1.2, epsilon=0.1
    ),
    "The misprinted threshold": _point(
        n=10_000, m=100, n0=100_000, smoothness=0.5, dimension=2, gamma=1.2, epsilon=0.4
    ),
    "Target, sources, target (unequal budgets)": _point(
        n=5_000, m=2, n0=10**7, smoothness=0.5, dimension=1, gamma=0.3, epsilon=0.02, ratio=0.006
    ),
    "No cell of Table 1": _point(
        n=1_000, m=100, n0=90_000, smoothness=0.5, dimension=2, gamma=0.8, epsilon=0.3
    ),
}
POINT = UrlState(
    parameter="at",
    start=next(iter(EXAMPLES.values())),
    settings=tuple(Part(name, parameter) for name, parameter in designs.FIELDS.items()),
    noun="A point of the map",
    refused="The point in the address could not be opened.",
    old=designs.from_text,
)
NONE = "none"  # of the readings of the printed Table 1, which the map shows hatched


def _opened(before: str, now: str) -> None:
    if now != NONE:  # the table is about the first map
        memory = st.session_state
        memory["phase_view"], memory["phase_axes"] = "map", next(iter(phase_maps.AXES))


READING = Single(
    parameter="table",
    start=NONE,
    settings=(
        choice(
            "table",
            phase_maps.READINGS,
            "In our text the first row of the table has three cells for four columns. The text "
            "below it says that A is meant; B is only what the lost columns would allow. Hatched: "
            "where that reading names a term that does not decide.",
        ),
    ),
    noun="The address",
    refused="The table in the address could not be shown.",
    opened=_opened,
)
BOX = Menu("table", "Table 1 as printed", phase_maps.READINGS)
MAIN = (
    Slider("epsilon", "Sources' budget ε"),
    Slider("gamma", "Signal exponent γ"),
    Slider("n", "Records per source n"),
    Slider("m", "Number of sources m"),
    Slider("n0", "Target records n₀"),
)
SHAPE = (
    Slider("smoothness", "Smoothness β"),
    Slider("dimension", "Dimension d"),
    Slider("margin", "Margin α"),
    Slider("ratio", "Target's budget over the sources' c"),
)


def ask(fields: tuple[Slider, ...], columns: int = 1) -> None:
    """Ask for some of the numbers of the design."""
    places = st.columns(columns)
    for k, field in enumerate(fields):
        with places[k % columns]:
            controls.draw(POINT, field)
    if problem := POINT.refusal:
        st.error(words.plain(problem))


def examples() -> None:
    """Designs worth looking at, and the current study if it is one."""
    with st.popover("Examples", icon=":material/auto_stories:"):
        for number, (title, design) in enumerate(EXAMPLES.items()):
            button(title, f"design_example_{number}", POINT.set, design)
        study = state.current()
        own = designs.from_study(study) if isinstance(study, TransferStudy) else None
        if own is not None:
            button("The current study", "design_from_study", POINT.set, own)
        else:
            st.caption(
                "The current study is not a single target with one row of sources under "
                "positive budgets, so it is no point of this map."
            )
