"""Whose patients the answer is for: of one site, which is then asked for, or of all alike."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.core import ask, offered
from pages.current import draft, state

_LEFT = "whose_left"  # what was answered instead of "all alike", before a site was named
_NONE = ""


def now() -> str | None:
    """What has been answered, the last word of it: a site may still have to be named."""
    left = _left()
    return left[0] if left else state.scope().answer("target")


def take(given: str | None) -> None:
    """Take an answer over; None stands for "I don't know".

    Where all sites were alike, none of them is the target, and none becomes it unasked: until a
    site is named, all stay alike.
    """
    st.session_state[_LEFT] = None
    if state.alike() and given != "shared" and len(state.draft().rows) > 1:
        st.session_state[_LEFT] = (st.session_state["version"], given)
        return
    state.set_scope(state.scope().with_answer("target", given))
    if state.alike():
        held = state.draft()
        rows = tuple({**row, "signal_exponent": "1"} for row in held.rows)
        if rows != held.rows:
            state.show(replace(held, rows=rows))


def ask_site(key: str) -> None:
    """Ask which site it is, and say what is missing, where that has to be known."""
    if not _left():
        return
    names = {_NONE: "Not said yet"}
    names |= {str(k): str(row["name"]) for k, row in enumerate(state.draft().rows)}
    ask(
        key,
        _NONE,
        lambda word: _take_site(offered(word, names)),
        lambda **how: st.selectbox(
            "Which site?",
            list(names),
            index=0,
            format_func=names.__getitem__,
            help="The one site whose patients the classifier is for.",
            **how,
        ),
    )
    st.warning("Missing: which site it is. Until that is said, all sites count as alike.")


def _take_site(word: str) -> None:
    left, held = _left(), state.draft()
    if word == _NONE or left is None:
        return
    rows = tuple({**row, draft.TARGET: str(k) == word} for k, row in enumerate(held.rows))
    state.set_scope(state.scope().with_answer("target", left[0]))
    st.session_state[_LEFT] = None
    state.show(replace(held, rows=rows))


def _left() -> tuple[str | None] | None:
    """The answer that waits for a site; None if none does, or for another table."""
    version, given = st.session_state.get(_LEFT) or (None, None)
    return (given,) if version == st.session_state["version"] and state.alike() else None
