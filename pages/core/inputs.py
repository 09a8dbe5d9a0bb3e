"""A slider for intuition beside a box for the exact value.

Every request of the browser carries the state of all widgets of the page as the browser has it
then; what the last runs wrote may still be on its way. So what a widget holds need not be what
the user wants:

- A slider is never written to. Where its value comes from elsewhere (the box, a link, Back) a
  new slider takes its place. Whatever a slider says that it did not say before, the user did.
- A box is written to, and keeps what is being typed in it. A text that was put there earlier may
  come back late, so it counts as typed only if nothing else has changed with it.

What was moved and typed is taken over by `settle` at the start of a run, not by callbacks: when
the next request arrives early the server drops a callback half-way and does not call it again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages.charts import number_text, words
from pages.core import address
from rates.numbers import DomainError, Parameter
from rates.rows import number_from_text

ERROR = "error_"
_SHOWN = "controls"
_KEPT = 64  # texts of a box remembered; many more than are ever on their way at once
_BOX_WIDTH = 92  # pixels


@dataclass(frozen=True, slots=True)
class Control:
    """What a slider with its box shows and does.

    Attributes:
        key: Widget name, unique on the page.
        title: Label.
        parameter: Domain and help.
        value: The current value.
        options: Values the slider stops at; the current value is added to them.
        apply: Called with a value that has been checked.
    """

    key: str
    title: str
    parameter: Parameter
    value: float
    options: Sequence[float]
    apply: Callable[[float], None]


def hold(key: str, value: object) -> None:
    """Put a value into a widget that shows another; a new widget starts with its default.

    A value that is only put there can be lost on its way to the browser, which then answers with
    the first of the options or none; so such a widget gets the value as its default too.
    """
    if key in st.session_state and st.session_state[key] != value:
        st.session_state[key] = value


@dataclass(frozen=True, slots=True)
class _Slider:
    """A slider: its widget name, the value it was drawn with first, and the one it shows."""

    key: str
    start: float
    value: float


@dataclass(frozen=True, slots=True)
class _Shown:
    """A control as it was drawn last.

    Attributes:
        control: The control.
        number: How many sliders it has had.
        sliders: The slider, after earlier ones that the browser may still show.
        texts: What the box may hold in the browser, the last one being what it should hold.
        refused: What was typed last and refused.
    """

    control: Control
    number: int = 0
    sliders: tuple[_Slider, ...] = ()
    texts: tuple[str, ...] = ()
    refused: str = ""


def show(control: Control) -> None:
    """Draw a slider, its box, and below them what is wrong with the box, if anything."""
    memory = st.session_state
    problem, box = memory.get(ERROR + control.key), _box(control.key)
    known = control.key in _shown()
    brought = not known and address.held(re.escape(box)) is not None
    shown = _with_slider(
        replace(_shown()[control.key] if known else _first(control), control=control)
    )
    slider = shown.sliders[-1]
    text = shown.refused if problem else number_text(control.value)
    # Sent again with the next runs: one that is cut short may not have sent it, and an earlier
    # text may arrive after what was typed.
    late = memory.get(box) != text or set(shown.texts) != {text}
    if late:
        shown = replace(shown, texts=(*shown.texts, text)[-_KEPT:])
    _remember(shown)
    if late and not brought:
        memory[box] = text
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    left = row.container()  # where it is narrow the box goes below, and the label stays whole
    # Not where the last slider was, or both would show until the run ends.
    place = left if shown.number % 2 else left.container()
    moved = place.select_slider(
        control.title,
        sorted({*control.options, slider.start, control.value}),
        value=slider.start,
        format_func=number_text,
        key=slider.key,
        help=control.parameter.help,
    )
    written = row.text_input(
        f"{control.title}, exact value",
        text,
        key=box,
        width=_BOX_WIDTH,
        label_visibility="collapsed",
    )
    if brought and (moved, written) != (slider.value, text):
        _take_over(shown, slider, moved, written)
    if problem:
        st.error(words.plain(problem))


def _first(control: Control) -> _Shown:
    """A control that is new in this session; it goes on with a slider that the browser brought."""
    found = address.held(rf"slider_{re.escape(control.key)}_(\d{{1,9}})")
    return _Shown(control, number=int(found[1]) - 1 if found else 0)


def _take_over(shown: _Shown, slider: _Slider, moved: float, written: str) -> None:
    """Take over what was done before this session began, the session before it being lost.

    Slider and box that agree with each other were not touched: the address was, by Back.
    """
    if written == number_text(moved):
        _remember(replace(shown, sliders=(), texts=()))
    elif moved != slider.value:
        _take_position(shown.control.key, slider)
    else:
        _take_text(shown.control.key, written)
    address.touch()
    st.rerun()


def _with_slider(shown: _Shown) -> _Shown:
    """Put a new slider in the place of one that is gone or shows another value."""
    memory, control = st.session_state, shown.control
    kept = tuple(slider for slider in shown.sliders if slider.key in memory)
    if kept and kept[-1] == shown.sliders[-1] and kept[-1].value == control.value:
        return replace(shown, sliders=kept)
    number = shown.number + 1
    slider = _Slider(f"slider_{control.key}_{number}", control.value, control.value)
    return replace(shown, number=number, sliders=(*kept, slider))


def settle(*, acted: bool) -> bool:
    """Take over what was moved and typed since the last run; for the start of a run.

    ``acted`` says that something else has changed too. Returns whether anything was taken over.
    """
    memory = st.session_state
    moved = [
        (shown, slider)
        for shown in _shown().values()
        for slider in shown.sliders
        if slider.key in memory and memory[slider.key] != slider.value
    ]
    written = [
        (shown, memory[_box(key)])
        for key, shown in _shown().items()
        if shown.texts and memory.get(_box(key), shown.texts[-1]) != shown.texts[-1]
    ]
    alone = len(moved) + len(written) == 1 and not acted
    typed = [(shown, text) for shown, text in written if alone or text not in shown.texts]
    for shown, slider in moved:
        _take_position(shown.control.key, slider)
    for shown, text in typed:
        _take_text(shown.control.key, text)
    return bool(moved or typed)


def leave() -> bool:
    """Do the same when a new page is entered, and forget the widgets of the last one."""
    taken = settle(acted=True)
    for shown in _shown().values():
        _remember(replace(shown, sliders=(), texts=()))
    return taken


def forget(but: str) -> None:
    """Forget all controls but those whose names begin so, with what was wrong with them."""
    memory = st.session_state
    for key in [key for key in _shown() if not key.startswith(but)]:
        memory.pop(ERROR + key, None)
    memory[_SHOWN] = {key: one for key, one in _shown().items() if key.startswith(but)}


def _take_position(key: str, slider: _Slider) -> None:
    memory, shown = st.session_state, _shown()[key]
    value = memory[slider.key]
    memory[ERROR + key] = None
    shown.control.apply(value)
    now = replace(slider, value=value)
    _remember(replace(shown, sliders=tuple(now if s == slider else s for s in shown.sliders)))


def _take_text(key: str, text: str) -> None:
    memory, shown = st.session_state, _shown()[key]
    try:
        value = _value(shown, text)
    except DomainError as refusal:
        memory[ERROR + key] = str(refusal)
    else:
        memory[ERROR + key] = None
        shown.control.apply(value)
    _remember(replace(shown, texts=(text, *shown.texts), refused=text))


def _value(shown: _Shown, text: str) -> float:
    """Return the value that was typed.

    Raises:
        DomainError: It is no number, or outside the domain.
    """
    parameter = shown.control.parameter
    try:
        number = number_from_text(text, parameter.name, whole=parameter.whole)
    except DomainError as refusal:
        # Put into the box after its content was selected, a text stands before what was typed.
        known = [t for t in shown.texts if t != shown.refused and text.startswith(t)]
        try:
            rest = text.removeprefix(max(known, key=len, default=""))
            number = number_from_text(rest, parameter.name, whole=parameter.whole)
        except DomainError:
            raise refusal from None
    return parameter.check(float("inf") if number == "inf" else number)


def _box(key: str) -> str:
    return f"box_{key}"


def _shown() -> dict[str, _Shown]:
    found: dict[str, _Shown] = st.session_state.get(_SHOWN, {})
    return found


def _remember(shown: _Shown) -> None:
    # Set anew, not changed in place: a run that is being cut short must not interfere.
    st.session_state[_SHOWN] = {**_shown(), shown.control.key: shown}
