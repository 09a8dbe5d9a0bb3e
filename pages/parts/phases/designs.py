"""The point of the phase map that is being looked at: kept, and shared by ``?at=``."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.figures.chart import words
from pages.parts.session import inputs, state
from rates.numbers import DomainError
from rates.phases import Design
from rates.phases import design as designs

PARAMETER = "at"
EXAMPLES = {
    "Figure 1 of the paper (our sizes)": Design(
        n=2_000, m=50, n0=10_000, smoothness=0.25, dimension=2, margin=1, gamma=1.2, epsilon=0.2
    ),
    "Sources, target, sources again": Design(
        n=10_000, m=100, n0=80_000, smoothness=0.5, dimension=2, margin=1, gamma=1.2, epsilon=0.1
    ),
    "The misprinted threshold": Design(
        n=10_000, m=100, n0=100_000, smoothness=0.5, dimension=2, margin=1, gamma=1.2, epsilon=0.4
    ),
    "Target, sources, target (unequal budgets)": Design(
        n=5_000,
        m=2,
        n0=10_000_000,
        smoothness=0.5,
        dimension=1,
        margin=1,
        gamma=0.3,
        epsilon=0.02,
        ratio=0.006,
    ),
    "No cell of Table 1": Design(
        n=1_000, m=100, n0=90_000, smoothness=0.5, dimension=2, margin=1, gamma=0.8, epsilon=0.3
    ),
}
_CONTROLS = {
    "epsilon": ("Sources' budget ε", inputs.decades(-6, 1)),
    "gamma": ("Signal exponent γ", inputs.steps(0.1, 4.0, 0.1)),
    "n": ("Records per source n", inputs.decades(1, 6, whole=True)),
    "m": ("Number of sources m", [0.0, *inputs.decades(0, 4, whole=True)]),
    "n0": ("Target records n₀", [0.0, *inputs.decades(0, 7, whole=True)]),
    "smoothness": ("Smoothness β", inputs.steps(0.05, 1.0, 0.05)),
    "dimension": ("Dimension d", inputs.steps(1, 10, 1)),
    "margin": ("Margin α", inputs.steps(0.0, 4.0, 0.25)),
    "ratio": ("Target's budget over the sources' c", inputs.decades(-2, 2)),
}


def load() -> None:
    """Make sure there is a design, and open the one in the address if it is new."""
    memory = st.session_state
    if "design" not in memory:
        memory["design"] = next(iter(EXAMPLES.values()))
    text = st.query_params.get(PARAMETER)
    if text and text != memory.get("design_link") and state.untouched():
        memory["design_link"] = text
        try:
            memory["design"] = designs.from_text(text)
            memory["design_error"] = None
        except DomainError as error:
            memory["design_error"] = str(error)
    if problem := memory.get("design_error"):
        st.error(f"The point in the address could not be opened. {words.plain(problem)}")


def current() -> Design:
    """The point that is being looked at."""
    return st.session_state["design"]


def publish() -> None:
    """Write the point into the address.

    The address of this request may be older than what was published last, which is on its way.
    """
    text, memory = designs.to_text(current()), st.session_state
    if st.query_params.get(PARAMETER) != text or memory.get("design_link") != text:
        memory["design_link"] = text
        st.query_params[PARAMETER] = text


def controls(names: list[str]) -> None:
    """Sliders and boxes for some of the numbers of the design."""
    for name in names:
        title, options = _CONTROLS[name]
        inputs.show(
            inputs.Control(
                key=f"design_{name}",
                title=title,
                parameter=designs.FIELDS[name],
                value=float(getattr(current(), name)),
                options=options,
                apply=lambda value, name=name: _set(name, value),
            )
        )
    if problem := st.session_state.get("design_refusal"):
        st.error(words.plain(problem))


def examples() -> None:
    """Designs worth looking at, and the current study if it is one."""
    with st.popover("Examples", icon=":material/auto_stories:"):
        for number, (title, design) in enumerate(EXAMPLES.items()):
            st.button(title, key=f"design_example_{number}", on_click=_adopt, args=(design,))
        study = state.current()
        own = designs.from_study(study) if hasattr(study, "target") else None
        if own is not None:
            st.button("The current study", key="design_from_study", on_click=_adopt, args=(own,))
        else:
            st.caption(
                "The current study is not a single target with one row of sources under "
                "positive budgets, so it is no point of this map."
            )


def _adopt(design: Design) -> None:
    state.touch()
    memory = st.session_state
    memory["design"] = design
    memory["design_refusal"] = memory["design_error"] = None
    for name in _CONTROLS:
        memory[f"{inputs.ERROR}design_{name}"] = None


def _set(name: str, value: float) -> None:
    memory = st.session_state
    try:
        memory["design"] = replace(current(), **{name: value})
        memory["design_refusal"] = None
    except DomainError as error:
        memory["design_refusal"] = str(error)
