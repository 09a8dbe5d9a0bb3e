"""The homogeneous design of the resolution page: kept across pages, and shared by ``?detail=``."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.figures import resolution as figures
from pages.figures.chart import words
from pages.parts.session import inputs, state
from rates.numbers import DomainError
from rates.resolution import Detail
from rates.resolution import design as details

PARAMETER = "detail"
_DESIGN, _LINK, _ERROR, _REFUSAL = "detail", "detail_link", "detail_error", "detail_refusal"
_CONTROLS = {
    "sites": ("Number of sites m", inputs.decades(0, 4, whole=True)),
    "records": ("Records per site n", inputs.decades(1, 6, whole=True)),
    "epsilon": ("Budget ε of each site", inputs.decades(-3, 1)),
    "smoothness": ("Smoothness α", inputs.steps(0.6, 4.0, 0.1)),
    "integrability": (
        "Integrability p",
        [2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, float("inf")],
    ),
    "moved": (
        "Moved to one site, per cent",
        [*inputs.steps(0, 95, 5), 98.0, 99.0, 99.9, 100.0],
    ),
}
_TOTALS = inputs.decades(2, 8, whole=True)
_CHOICES = {
    "view": ("Show", {"alike": "One kind of site", "dominating": "Alike or dominating"}),
    "held": ("Held fixed", {"site": "Records per site", "total": "All records"}),
    "quantity": ("Vertical axis", {"D": "D and level", "rate": "Rate"}),
}


def load() -> None:
    """Make sure there is a design, and open the one in the address if it is new."""
    memory = st.session_state
    memory.setdefault(_DESIGN, Detail())
    if memory.get("published") is None:  # the page has just been entered
        memory[_LINK] = None
    text = st.query_params.get(PARAMETER)
    if text and text != memory.get(_LINK) and state.untouched():
        memory[_LINK] = text
        memory[_REFUSAL] = memory[_ERROR] = None
        try:
            memory[_DESIGN] = details.from_text(text)
        except DomainError as error:
            memory[_ERROR] = str(error)
    if problem := memory.get(_ERROR):
        st.error(f"The design in the address could not be opened. {words.plain(problem)}")


def current() -> Detail:
    """The design that is shown."""
    return st.session_state[_DESIGN]


def publish() -> None:
    """Write the design into the address; the one that every visit starts from stays out of it.

    Going back to the entry that had no design yet must not add a new one. The address of this
    request may be older than what was published last, which is on its way.
    """
    memory, text = st.session_state, details.to_text(current())
    address, last = st.query_params.get(PARAMETER), memory.get(_LINK)
    if memory.get(_ERROR) or (last == text and address in (None, text)):
        return
    if address is None and last is None and current() == Detail():
        return
    memory[_LINK] = text
    st.query_params[PARAMETER] = text


def controls(*names: str) -> None:
    """Sliders and boxes for some numbers of the design."""
    for name in names:
        title, options = _CONTROLS[name]
        if name == "records" and current().held == "total":
            title, options = "Records of all sites N", _TOTALS
        inputs.show(
            inputs.Control(
                key=f"detail_{name}",
                title=title,
                parameter=details.NUMBERS[name],
                value=float(getattr(current(), name)),
                options=options,
                apply=lambda value, name=name: _set(name, value),
            )
        )


def refusal() -> None:
    """Say why the last change was not taken, if it was not."""
    if problem := st.session_state.get(_REFUSAL):
        st.warning(f"{words.plain(problem)} The design is left as it was.")


def choice(name: str, *, hidden: bool = False) -> None:
    """Draw one of the switches of the design."""
    label, options = _CHOICES[name]
    key = f"detail_{name}"
    now = getattr(current(), name)
    inputs.hold(key, now)
    st.segmented_control(
        label,
        list(options),
        format_func=options.__getitem__,
        default=now,
        key=key,
        required=True,
        on_change=_chosen,
        args=(name, key),
        label_visibility="collapsed" if hidden else "visible",
    )


def axis() -> None:
    """Choose along what D is shown."""
    key = "detail_axis"
    inputs.hold(key, current().axis)
    st.selectbox(
        "Horizontal axis",
        list(figures.AXES),
        index=list(figures.AXES).index(current().axis),
        format_func=figures.AXES.__getitem__,
        key=key,
        on_change=_chosen,
        args=("axis", key),
    )


def _chosen(name: str, key: str) -> None:
    value = st.session_state[key]
    if value is None:
        return
    if name == "held":
        before = current()
        n, m = before.n, before.sites
        _change(held=value, records=n * m if value == "total" else n)
        return
    _change(**{name: value})


def _set(name: str, value: float) -> None:
    _change(**{name: value})


def _change(**values: object) -> None:
    state.touch()
    memory = st.session_state
    memory[_ERROR] = None
    try:
        memory[_DESIGN] = replace(current(), **values)
        memory[_REFUSAL] = None
    except DomainError as error:
        memory[_REFUSAL] = str(error)
