"""A list for one word, where a switch would be too wide."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.parts.live.tabs import Tabs
from pages.parts.session import inputs, state


def select(
    tabs: Tabs,
    tab: str,
    name: str,
    title: str,
    labels: Mapping[str, str],
    *,
    disabled: bool = False,
) -> None:
    """A list for one word, where a switch would be too wide."""
    key = f"menu_{tab}_{name}_select"
    now = tabs.plan(tab).values[name]
    inputs.hold(key, now)
    st.selectbox(
        title,
        list(labels),
        index=list(labels).index(str(now)),
        format_func=labels.__getitem__,
        key=key,
        disabled=disabled,
        help=tabs.setting(tab, name).help,
        on_change=_selected,
        args=(tabs, tab, name, key),
    )


def _selected(tabs: Tabs, tab: str, name: str, key: str) -> None:
    state.touch()
    tabs.change(tab, **{name: st.session_state[key]})
