"""Ask by a widget: it shows what is held, and whatever a browser shows besides the user did."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from pages.core import address, inputs
from rates.numbers import Parameter

Take = Callable[[Any], None]
_KEPT: dict[str, Any] = {"persist_state": "session"}
T = TypeVar("T")
_PRESSED = "pressed"


def ask(key: str, now: T, take: Take, draw: Callable[..., Any]) -> T:
    """Draw a widget that shows ``now``, and take over what the user chooses.

    A widget that answers at once with something else was drawn for the first time in a session,
    and the browser brought what the user chose in the one before, which is lost.
    """
    inputs.hold(key, now)
    given = draw(key=key, on_change=_changed, args=(key, take))
    if _differs(given, now):
        address.touch()
        if _taken(take, given):
            st.rerun()
    return now


def _differs(given: Any, now: Any) -> bool:
    if isinstance(now, list):
        return bool(given) and sorted(given) != sorted(now)
    return given is not None and given != now


def _changed(key: str, take: Take) -> None:
    address.touch()
    value = st.session_state.get(key)
    if value is not None and value != []:
        _taken(take, value)


def offered(word: T, options: Collection[T]) -> T:
    """Return a word of a list; any other, which Streamlit hands on, is none to take."""
    if word not in options:
        raise ValueError(word)
    return word


def _taken(take: Take, value: Any) -> bool:
    """Take a value over; whether it was one to take."""
    try:
        take(value)
    except (LookupError, TypeError, ValueError):  # no option of this list, sent by hand
        return False
    return True


def number(
    key: str,
    title: str,
    parameter: Parameter,
    now: float,
    take: Callable[[float], None],
    stops: Sequence[float] = (),
) -> None:
    """Draw a slider with a box for a number that is no setting of a source."""
    inputs.show(
        inputs.Control(
            key=key,
            title=title,
            parameter=parameter,
            value=float(now),
            options=[float(x) for x in stops or parameter.stops],
            apply=take,
        )
    )


def pick(
    key: str,
    title: str,
    labels: Mapping[Any, str],
    *,
    start: Any = None,
    hidden: bool = False,
    kept: bool = True,
    **how: Any,
) -> Any:
    """Draw a switch for how something is shown: kept for the session, in no address."""
    first = next(iter(labels)) if start is None else start
    found = st.segmented_control(
        title,
        list(labels),
        format_func=labels.__getitem__,
        default=first,
        key=key,
        required=True,
        on_change=address.touch,
        label_visibility="collapsed" if hidden else "visible",
        **(_KEPT if kept else {}),
        **how,
    )
    return first if found is None else found  # a browser may bring a choice that is not offered


def menu(
    key: str,
    title: str,
    labels: Mapping[Any, str],
    *,
    start: Any = None,
    kept: bool = False,
    **how: Any,
) -> Any:
    """Draw a list for what is looked at: kept while it is drawn or for the session."""
    return st.selectbox(
        title,
        list(labels),
        index=0 if start is None else list(labels).index(start),
        format_func=labels.__getitem__,
        key=key,
        on_change=address.touch,
        **(_KEPT if kept else {}),
        **how,
    )


def toggle(key: str, title: str, *, help: str | None = None) -> bool:
    """Draw a tick for what is shown only when it is wanted."""
    return st.toggle(title, key=key, on_change=address.touch, help=help)


def sentence(key: str, title: str, *, most: int, help: str) -> str:
    """Draw a box for words of the reader's own: kept for the session, in no address."""
    written: str = st.text_area(
        title,
        key=key,
        max_chars=most,
        height=100,
        on_change=address.touch,
        help=help,
        **_KEPT,
    )
    return written


def fold(title: str, key: str, *, expanded: bool = False) -> Any:
    """Draw a fold; return its place while it is open, and None while it is shut.

    What is shut is not drawn: a page with less on it is redrawn sooner.
    """
    place = st.expander(title, expanded, key=key, on_change=address.touch)
    return place if place.open else None


def box(key: str, title: str, icon: str) -> Any:
    """Draw a button that opens a box, which closes when what it asks for is done: see `shut`."""
    name = f"{key}_{st.session_state.get(_shut(key), 0)}"
    return st.popover(title, icon=icon, key=name, on_change=address.touch)


def chip(key: str, title: str) -> Any:
    """Draw words that open a box; return its place while it is open, and None while it is shut.

    Streamlit makes a box with another title a new one, which is shut: an open one keeps its title.
    """
    memory, held = st.session_state, f"{key}_title"
    if not memory.get(key):
        memory[held] = title
    place = st.popover(memory.get(held, title), type="tertiary", key=key, on_change=address.touch)
    return place if place.open else None


def shut(key: str) -> None:
    """Close a box: the next run draws a new one in its place.

    A browser only heeds a change, and what it says meanwhile may still call the box open; what is
    said of the old one changes nothing in the new.
    """
    st.session_state[_shut(key)] = st.session_state.get(_shut(key), 0) + 1


def _shut(key: str) -> str:
    return f"{key}_shut"


def button(label: str, key: str, press: Callable[..., None], *args: Any, **how: Any) -> None:
    """Draw a button; one that was pressed before its session began works like any other."""
    memory = st.session_state
    pressed = st.button(label, key=key, on_click=_pressed, args=(key, press, args), **how)
    called = memory.get(_PRESSED) == key
    memory[_PRESSED] = None if called else memory.get(_PRESSED)
    if pressed and not called:
        address.touch()
        press(*args)
        st.rerun()


def forget_pressed() -> None:
    """Forget which button was pressed last: where that would tell what a visitor answered."""
    st.session_state[_PRESSED] = None


def _pressed(key: str, press: Callable[..., None], args: tuple[Any, ...]) -> None:
    address.touch()
    st.session_state[_PRESSED] = key
    press(*args)
