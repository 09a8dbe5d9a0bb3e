"""A slider for intuition beside a box for the exact value.

Every request of the browser carries the state of all widgets of the page as the browser has it
then; what the last runs wrote may still be on its way. So what a widget holds need not be what
the user wants:

- A slider is never written to. Where its value comes from elsewhere (the box, a link, Back) a
  new slider takes its place. Whatever a slider says that it did not say before, the user did.
- A box is written to, and keeps what is being typed in it. A text that was put there earlier may
  come back late, so it counts as typed only if nothing else has changed with it.

What was moved and typed is taken over by `apply_inputs` at the start of a run, not by callbacks:
when the next request arrives early the server drops a callback half-way and does not call it again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from pages.charts import number_text, words
from pages.core import address
from rates.numbers import DomainError, Parameter, number_from_text

ERROR = "error_"
UNSET = -math.inf  # where a slider stands that nobody has moved; no parameter has it
_SHOWN = "controls"
_KEPT = 64  # texts of a box remembered; many more than are ever on their way at once
_BOX: dict[str, Any] = {"width": 92, "label_visibility": "collapsed"}


@dataclass(frozen=True, slots=True)
class _Slider:
    """A slider: its widget name, the value it was drawn with first, and the one it shows."""

    key: str
    start: float
    value: float


@dataclass(frozen=True, slots=True)
class _Shown:
    """A slider with its box, as they were drawn last.

    Attributes:
        key: Its name, unique on the page.
        parameter: Domain and help.
        take: Called with a value that has been checked.
        number: How many sliders it has had.
        sliders: The slider, after earlier ones that the browser may still show.
        texts: What the box may hold in the browser, the last one being what it should hold.
        refused: What was typed last and refused.
    """

    key: str
    parameter: Parameter
    take: Callable[[float], None]
    number: int = 0
    sliders: tuple[_Slider, ...] = ()
    texts: tuple[str, ...] = ()
    refused: str = ""

    @property
    def box(self) -> str:
        """Widget name of the box."""
        return f"box_{self.key}"


def number(
    key: str,
    title: str,
    parameter: Parameter,
    now: float,
    take: Callable[[float], None],
    stops: Sequence[float] = (),
    *,
    empty: bool = False,
) -> None:
    """Draw a slider, its box, and below them what is wrong with the box, if anything.

    Args:
        key: Its name, unique on the page.
        title: Label.
        parameter: Domain and help.
        now: The current value.
        take: Called with a value that has been checked.
        stops: Where the slider stops besides, if these are not the parameter's own stops.
        empty: Whether nobody has said anything yet: the box is empty, and the slider stands below
            its first stop, where moving it back to gives `UNSET`.
    """
    memory, problem = st.session_state, st.session_state.get(ERROR + key)
    now = UNSET if empty else float(now)
    known = _all_shown().get(key, _Shown(key, parameter, take))
    shown = _with_slider(replace(known, parameter=parameter, take=take), now)
    brought = not known.number and address.held(re.escape(shown.box)) is not None
    slider = shown.sliders[-1]
    text = shown.refused if problem else "" if empty else number_text(now)
    # Sent again with the next runs: one that is cut short may not have sent it, and an earlier
    # text may arrive after what was typed.
    late = memory.get(shown.box) != text or set(shown.texts) != {text}
    if late:
        shown = replace(shown, texts=(*shown.texts, text)[-_KEPT:])
    _remember(shown)
    if late and not brought:
        memory[shown.box] = text
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    # Not where the last slider was, or both would show until the run ends.
    place = row if shown.number % 2 else row.container()
    options = sorted({*map(float, stops or parameter.stops), slider.start, now})
    how: dict[str, Any] = {"value": slider.start, "format_func": _stop}
    moved = place.select_slider(title, options, key=slider.key, help=parameter.help, **how)
    written = row.text_input(f"{title}, exact value", text, key=shown.box, **_BOX)
    if brought and (moved, written) != (slider.value, text):
        _take_brought(shown, slider, moved, written)
    if problem:
        st.error(words.plain(problem))


def _stop(value: float) -> str:
    return "not set" if value == UNSET else number_text(value)


def _with_slider(shown: _Shown, value: float) -> _Shown:
    """Put a new slider in the place of one that is gone or shows another value.

    A control that is new in this session goes on with a slider that the browser brought.
    """
    memory, count = st.session_state, shown.number
    kept = tuple(slider for slider in shown.sliders if slider.key in memory)
    if kept and kept[-1] == shown.sliders[-1] and kept[-1].value == value:
        return replace(shown, sliders=kept)
    if not count and (found := address.held(rf"slider_{re.escape(shown.key)}_([1-9]\d{{0,8}})")):
        count = int(found[1]) - 1
    slider = _Slider(f"slider_{shown.key}_{count + 1}", value, value)
    return replace(shown, number=count + 1, sliders=(*kept, slider))


def _take_brought(shown: _Shown, slider: _Slider, moved: float, written: str) -> None:
    """Take over what was done before this session began, the session before it being lost.

    Slider and box that agree with each other were not touched: the address was, by Back.
    """
    if written == number_text(moved):
        _remember(replace(shown, sliders=(), texts=()))
    elif moved == slider.value:
        _take_text(shown.key, written)
    # What was moved is taken over as the next run starts.
    address.touch()
    st.rerun()


def apply_inputs(*, entered: bool = False) -> None:
    """Take over what was moved and typed since the last run; for the start of a run.

    Where a new page is ``entered``, the widgets of the last one are forgotten then.
    """
    memory, alone = st.session_state, address.untouched() and not entered
    known = _all_shown().values()
    moved = [
        (shown.key, replace(slider, value=memory[slider.key]))
        for shown in known
        for slider in shown.sliders
        if slider.key in memory and memory[slider.key] != slider.value
    ]
    written = [
        (shown, memory[shown.box])
        for shown in known
        if shown.texts and memory.get(shown.box, shown.texts[-1]) != shown.texts[-1]
    ]
    alone = alone and len(moved) + len(written) == 1
    typed = [(shown.key, text) for shown, text in written if alone or text not in shown.texts]
    for key, now in moved:
        memory.pop(ERROR + key, None)
        shown = _all_shown()[key]
        shown.take(now.value)
        sliders = tuple(now if s.key == now.key else s for s in shown.sliders)
        _remember(replace(shown, sliders=sliders))
    for key, text in typed:
        _take_text(key, text)
    if moved or typed:
        address.touch()
    for shown in _all_shown().values() if entered else ():
        _remember(replace(shown, sliders=(), texts=()))


def forget(but: str) -> None:
    """Forget all controls but those whose names begin so, with what was wrong with them."""
    memory, known = st.session_state, _all_shown()
    memory[_SHOWN] = {key: one for key, one in known.items() if key.startswith(but)}
    for key in known.keys() - memory[_SHOWN].keys():
        memory.pop(ERROR + key, None)


def _take_text(key: str, text: str) -> None:
    memory, shown = st.session_state, _all_shown()[key]
    try:
        value = _value(shown, text)
    except DomainError as refusal:
        memory[ERROR + key] = str(refusal)
    else:
        memory.pop(ERROR + key, None)
        shown.take(value)
    _remember(replace(shown, texts=(text, *shown.texts), refused=text))


def _value(shown: _Shown, text: str) -> float:
    """Return the value that was typed.

    Raises:
        DomainError: It is no number, or outside the domain.
    """
    parameter = shown.parameter
    read = partial(number_from_text, field=parameter.name, whole=parameter.whole)
    try:
        value = read(text)
    except DomainError as refusal:
        # Put into the box after its content was selected, a text stands before what was typed.
        known = [t for t in shown.texts if t != shown.refused and text.startswith(t)]
        try:
            value = read(text.removeprefix(max(known, key=len, default="")))
        except DomainError:
            raise refusal from None
    return parameter.check(float("inf") if value == "inf" else value)


def _all_shown() -> dict[str, _Shown]:
    known: dict[str, _Shown] = st.session_state.get(_SHOWN, {})
    return known


def _remember(shown: _Shown) -> None:
    # Set anew, not changed in place: a run that is being cut short must not interfere.
    st.session_state[_SHOWN] = {**_all_shown(), shown.key: shown}
