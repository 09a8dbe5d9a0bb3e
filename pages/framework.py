"""What is used of Streamlit beyond what it promises: all of it is in this file.

All else that the app uses of it is public. Other modules take what they need from here; style
sheets and scripts may use marks of the front end. `tests/pages/serve/test_framework.py` fails with
the names and the marks that the installed Streamlit lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import streamlit
from streamlit.delta_generator import DeltaGenerator  # noqa: F401  (the type of a place on a page)
from streamlit.navigation.page import StreamlitPage  # noqa: F401  (what `st.Page` returns)
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx


def one_list() -> None:
    """Keep Streamlit from taking the folder `pages` for a list of scripts.

    It does so until a visitor's run has named the pages: whoever comes first to a fresh server
    would see that list in the place of the app.
    """
    PagesManager.uses_pages_directory = False


def brought() -> list[str]:
    """Return the ids of the widgets whose values the browser brought along.

    After a lost session it brings all: what the visitor did last is the last. Nothing public tells
    it before the widgets are drawn.
    """
    context = get_script_run_ctx()
    # Outside a run, as in a test of one function, there is no context.
    states = context.session_state.get_widget_states() if context else []
    return [state.id for state in states]


def opened() -> str:
    """Return the address that the browser shows; empty where it is not known.

    `st.context.url` puts a page's name behind whatever address that is, such as that of the course
    page around a frame.
    """
    context = get_script_run_ctx()
    return (context.context_info.url or "") if context and context.context_info else ""


def known(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that this Streamlit has: an older one lacks some of the look.

    `st.get_option` would tell, and read all options before they are set.
    """
    here = streamlit.config._config_options_template
    return {name: value for name, value in options.items() if name in here}


def unlock() -> None:
    """Let options be read without the lock, where this Streamlit keeps them as we know it.

    Streamlit looks at an option with every message that it sends, under one lock of the whole
    process. Where many visitors' threads send at once, one that has just been given the lock waits
    for Python's own, and all others for it: half of their time at sixty visitors. Looking into a
    dictionary needs no lock; a change of an option still takes it.
    """
    config: Any = import_module("streamlit.config")
    locked = config.get_option
    # A server may begin twice in one process, as tests do.
    if getattr(locked, "unlocked", False):
        return

    def get_option(key: str) -> Any:
        """Return the value of an option; whatever is not found at once is asked for under lock."""
        option = (getattr(config, "_config_options", None) or {}).get(key)
        return locked(key) if option is None else option.value

    get_option.unlocked = True  # type: ignore[attr-defined]
    config.get_option = get_option
