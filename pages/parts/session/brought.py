"""What a browser brings for the widgets: it fits, or it counts as not sent; and what stays of it.

Our pages send what their widgets hold. Whoever speaks the protocol by hand can send anything, and
Streamlit reads a number into a field of text, or bytes into a button, by an exception in the
middle of the run. It has no public hook before that, and none to forget the widgets of long ago,
of which it keeps callbacks, options and all for as long as the session lasts: sixty phones gained
1.5 MB with every question. So both are done where it keeps its states; where a later version has
no such place, nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import streamlit as st
from streamlit.proto.Alert_pb2 import Alert
from streamlit.runtime import app_session as sessions
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import session_state as states

REFUSED = (
    "What came with the last message does not fit the controls of this page. It was left out, and "
    "nothing was stored."
)
_KEPT = 16  # widgets that are gone but may still be on their way from a browser; few ever are
_CHECKED = "checked_by_us"
_NUMBERS = {"int_value", "double_value"}  # a field of whole numbers sends the one, and reads both
_refusing: set[str] = set()  # sessions that have not been told yet


def watch() -> None:
    """Have all that a browser brings checked before it is read, and refused in our words."""
    kind, wrapped = getattr(states, "WStates", None), getattr(states, "Serialized", None)
    place, read = getattr(kind, "set_widget_from_proto", None), getattr(kind, "__getitem__", None)
    if place and read and wrapped and not hasattr(place, _CHECKED):
        _put(kind, "__getitem__", _reading(read, wrapped))
        _put(kind, "set_widget_from_proto", _placing(place, kind, read, wrapped))
    session = getattr(sessions, "AppSession", None)
    tell = getattr(session, "_create_exception_message", None)
    if tell and not hasattr(tell, _CHECKED):
        _put(session, "_create_exception_message", _telling(tell))
    clear = getattr(session, "_handle_clear_cache_request", None)
    if clear and not hasattr(clear, _CHECKED):
        _put(session, "_handle_clear_cache_request", _keeping)
    held = getattr(states, "SessionState", None)
    every = getattr(held, "filtered_state", None)
    if isinstance(every, property) and every.fget and not hasattr(every.fget, _CHECKED):
        _put(held, "filtered_state", property(_holding(every.fget)))


class _Held(Mapping[str, Any]):
    """All that a session holds, read as far as it is asked for.

    Streamlit reads all of it for every field of text, to see whether that one field is there.
    """

    def __init__(self, state: Any, every: Callable[[Any], Mapping[str, Any]]) -> None:
        self._state, self._every = state, every

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._every(self._state))

    def __len__(self) -> int:
        return len(self._every(self._state))


def _holding(every: Callable[[Any], Mapping[str, Any]]) -> Callable[[Any], _Held]:
    def holding(state: Any) -> _Held:
        return _Held(state, every)

    return holding


def _put(kind: Any, name: str, function: Any) -> None:
    setattr(getattr(function, "fget", function), _CHECKED, True)
    setattr(kind, name, function)


def _keeping(session: Any) -> None:
    """Let no visitor empty the caches of all, nor the own session in the middle of its run.

    What is offered to developers alone leaves widgets whose session holds nothing any more.
    """
    _refusing.add(session.id)


def _telling(tell: Any) -> Callable[[Any, BaseException], Any]:
    """Say in our words what Streamlit makes of bytes that are no message at all."""

    def telling(session: Any, error: BaseException) -> Any:
        message = tell(session, error)
        alert = message.delta.new_element.alert  # in the place of the exception
        alert.body, alert.format = REFUSED, Alert.ERROR
        return message

    return telling


def _placing(place: Any, kind: Any, read: Any, wrapped: Any) -> Callable[[Any, Any], None]:
    """Put a value to the others only if it has a widget's name, and its widget can read it."""
    named = getattr(states, "is_element_id", bool)
    within = getattr(states, "_is_internal_key", bool)  # what a component of ours sends

    def placing(held: Any, sent: Any) -> None:
        known = held.widget_metadata.get(sent.id)
        if not (named(sent.id) or within(sent.id)):
            note()
            return
        if known is not None:
            alone = kind({sent.id: wrapped(sent)}, {sent.id: known})
            try:
                _fits(known, sent)
                read(alone, sent.id)
            except Exception:  # whatever a widget of Streamlit's raises at what it cannot read
                note()
                return
        place(held, sent)

    return placing


def _reading(read: Any, wrapped: Any) -> Callable[[Any, str], Any]:
    """Read a value that came before its widget was drawn; one that does not fit is not there."""

    def reading(held: Any, key: str) -> Any:
        state, known = held.states.get(key), held.widget_metadata.get(key)
        if known is None or not isinstance(state, wrapped):
            return read(held, key)
        try:
            _fits(known, state.value)
            found = read(held, key)
        except Exception:
            note()
            # Not taken out of the same dictionary: whoever reads one after the other goes on.
            held.states = {name: one for name, one in held.states.items() if name != key}
            raise KeyError(key) from None
        if state.value.WhichOneof("value") is None:
            # Streamlit now takes the widget for one without a type, which the first choice in a
            # list of which nothing was chosen would not fit.
            held.set_widget_metadata(known)
        return found

    return reading


def _fits(known: Any, sent: Any) -> None:
    kind, wanted = sent.WhichOneof("value"), known.value_type
    if kind not in (None, wanted) and not {kind, wanted} <= _NUMBERS:
        raise TypeError(kind)


def note() -> None:
    """Remember that something was left out, for the end of the run."""
    if context := get_script_run_ctx():
        _refusing.add(context.session_id)


def say() -> None:
    """Say, once, that something was left out."""
    context = get_script_run_ctx()
    if context and context.session_id in _refusing:
        _refusing.discard(context.session_id)
        st.warning(REFUSED)


def forget() -> None:
    """Forget widgets that have been gone for long; for the end of a run."""
    context = get_script_run_ctx()
    session: Any = getattr(context and context.session_state, "_state", None)
    fresh, old = (getattr(session, name, None) for name in ("_new_widget_state", "_old_state"))
    known, now = (getattr(fresh, name, None) for name in ("widget_metadata", "states"))
    if not (isinstance(known, dict) and isinstance(now, dict) and isinstance(old, dict)):
        return
    gone = [key for key in known if key not in now and key not in old]
    for key in gone[:-_KEPT]:
        del known[key]
