"""Widgets for how something is shown, which stand in no address; boxes, folds and buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.core import address

_KEPT: dict[str, Any] = {"persist_state": "session"}
_PRESSED = "pressed"


def _options(key: str, labels: Mapping[Any, str], *, kept: bool) -> dict[str, Any]:
    """What a widget is told that offers these labels."""
    how = {"options": list(labels), "format_func": labels.__getitem__, "key": key}
    return {**how, "on_change": address.touch, **(_KEPT if kept else {})}


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
    how = {"label_visibility": "collapsed" if hidden else "visible", **how}
    options = _options(key, labels, kept=kept)
    given = st.segmented_control(title, default=first, required=True, **options, **how)
    return first if given is None else given  # a browser may bring a choice that is not offered


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
    place = 0 if start is None else list(labels).index(start)
    return st.selectbox(title, index=place, **_options(key, labels, kept=kept), **how)


def toggle(key: str, title: str, *, help: str | None = None) -> bool:
    """Draw a tick for what is shown only when it is wanted."""
    return st.toggle(title, key=key, on_change=address.touch, help=help)


def sentence(key: str, title: str, *, most: int, help: str) -> str:
    """Draw a box for words of the reader's own: kept for the session, in no address."""
    how = {"max_chars": most, "height": 100, "help": help, **_KEPT}
    written: str = st.text_area(title, key=key, on_change=address.touch, **how)
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
