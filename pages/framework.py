"""What is used of Streamlit beyond what it promises: each name and why, all in this file.

All else that the app uses of it is public. Other modules take what they need from here; style
sheets and scripts may use the `MARKS`, and `.static/browser/alone.py`, which puts a browser in the
place of the server, the names in `ALONE`. ``python -m pages.framework`` says which of them the
installed Streamlit lacks; a test does so for the oldest and the newest.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

import streamlit
from streamlit.delta_generator import DeltaGenerator  # noqa: F401  (the type of a place on a page)
from streamlit.navigation.page import StreamlitPage  # noqa: F401  (what `st.Page` returns)
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

_FRONT = Path(streamlit.__file__).parent / "static" / "static" / "js"

# Modules, and what is used of them, with a dot before the attribute of a class.
NAMES = {
    "streamlit.runtime.pages_manager": ("PagesManager.uses_pages_directory",),
    "streamlit.runtime.scriptrunner_utils.script_run_context": (
        "ScriptRunContext.session_state",
        "ScriptRunContext.context_info",
    ),
    "streamlit.runtime.state": ("SafeSessionState.get_widget_states",),
    "streamlit.config": ("_config_options", "_config_options_template", "get_option"),
}
ALONE = {  # one visitor, one thread, no server: what stands between a message and the script
    "streamlit.config": ("get_config_options",),
    "streamlit.proto.BackMsg_pb2": ("BackMsg",),
    "streamlit.runtime": ("Runtime", "RuntimeConfig"),
    "streamlit.runtime.runtime": (
        *("Runtime.connect_session", "Runtime.disconnect_session", "Runtime.handle_backmsg"),
        *("Runtime._session_mgr", "Runtime._send_message", "Runtime.uploaded_file_mgr"),
    ),
    "streamlit.runtime.app_session": (
        *("_close_script_event_loop", "asyncio", "AppSession._call_soon_on_event_loop"),
        *("AppSession._create_scriptrunner", "AppSession._scriptrunner"),
        "AppSession.flush_browser_queue",
    ),
    "streamlit.runtime.scriptrunner.script_runner": (
        *("asyncio", "exec_func_with_error_handling", "ScriptRunner._install_event_loop"),
        *("ScriptRunner._run_script_thread", "ScriptRunner._script_thread"),
        "ScriptRunner._requests",
    ),
    "streamlit.runtime.scriptrunner_utils.script_requests": (
        *("ScriptRequestType.RERUN", "ScriptRequests.request_stop"),
        *("ScriptRequests._state", "ScriptRequests._rerun_data"),
    ),
    "streamlit.runtime.session_manager": (
        *("SessionClient", "SessionManager.get_active_session_info"),
    ),
    "streamlit.runtime.memory_media_file_storage": (
        *("MemoryMediaFileStorage.get_file", "MemoryMediaFileStorage.get_url"),
        "MemoryMediaFileStorage.delete_file",
    ),
    "streamlit.runtime.memory_uploaded_file_manager": (
        *("MemoryUploadedFileManager.add_file", "MemoryUploadedFileManager.remove_file"),
    ),
    "streamlit.runtime.runtime_util": ("serialize_forward_msg",),
    "streamlit.runtime.uploaded_file_manager": ("UploadedFileRec",),
}
# Of the front end, where a style or a script of ours cannot do with a key (`st-key-...`).
MARKS = {
    "stApp": "while a run is live nothing on the page fades",
    "data-stale": "the same: what Streamlit lets fade",
    "data-test-script-state": "a link waits until what a press ended is answered",
    "stPopoverBody": "whether a press ends something: a box that is open",
    "stPageLink": "such a link waits too, and its words wrap instead of being cut",
    "stMain": "what is ours, not the frame's: quotes, buttons, the ring around what has the focus",
    "stMainBlockContainer": "the page is as wide as one reads, and fills a projector's screen",
    "stHeader": "less room above the page; none on a projector",
    "stToolbar": "the same",
    "stColumn": "columns stand below each other where one would be too narrow",
    "stPlotlyChart": "a column with a figure needs more room",
    "katex": "one with formulas too; formulas of a quote are as large as its words",
    "stHorizontalBlock": "a figure comes before its controls on a phone; rows stand closer",
    "stVerticalBlock": "lines stand closer on a projector",
    "stDataFrame": "a table shows that it scrolls",
    "dvn-scroller": "the same",
    "stPopoverButton": "what is assumed is said in lines, not in rows of buttons",
    "stMetricValue": "numbers fit beside each other on a small screen",
    "stMetricLabel": "what a number is called wraps instead of being cut",
    "stMarkdownBadge": "the same for a badge",
    "stCaptionContainer": "a caption has the contrast that reading asks for",
    "stHeading": "a question has no margins on a projector",
    "stMarkdownContainer": "the same",
    "stImageContainer": "of a figure's two drawings a screen shows the one that fills it",
    "stBaseButton-": "words on a button of the first colour can be read in the dark",
    "stButton": "what a phone taps is 44 pixels high",
    "stFormSubmitButton": "the same",
    "stTextInput": "the same",
    "stSlider": "a slider's thumb can be met with a finger",
    "stMarkdown": "no entry of a printed sheet is broken",
    "_streamlit_xsrf": "whether a browser in a frame may send files: it keeps this cookie",
    "_stcore/upload_file": "without a server a file goes to the page's own worker",
    "_stcore/health": "without a server the page answers itself",
    "_stcore/host-config": "the same",
    "__streamlit": "without a server the front end is told where it is",
}


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
    states = context.session_state.get_widget_states() if context else []
    return [state.id for state in states]


def opened() -> str:
    """Return the address that the browser shows; empty where it is not known.

    `st.context.url` puts a page's name behind whatever address that is, such as that of the course
    page around a frame.
    """
    context = get_script_run_ctx()
    return (context.context_info.url or "") if context and context.context_info else ""


def figure_scripts() -> list[str]:
    """Return the names of the scripts that draw figures: they change with the version."""
    return [one.name for one in _FRONT.glob("PlotlyChart.*")]


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
    if getattr(locked, "unlocked", False):
        return

    def get_option(key: str) -> Any:
        """Return the value of an option; whatever is not found at once is asked for under lock."""
        option = (getattr(config, "_config_options", None) or {}).get(key)
        return locked(key) if option is None else option.value

    get_option.unlocked = True  # type: ignore[attr-defined]
    config.get_option = get_option


def missing() -> Iterator[str]:
    """Yield the names that the installed Streamlit lacks."""
    for listed in (NAMES, ALONE):
        for module, names in listed.items():
            yield from (f"{module}: {name}" for name in names if not _there(module, name))
    front = "".join(path.read_text("utf-8") for path in _FRONT.glob("*.js"))
    yield from (mark for mark in MARKS if mark not in front)
    if not figure_scripts():
        yield "PlotlyChart.*.js"


def _there(module: str, name: str) -> bool:
    holder, _, attribute = name.rpartition(".")
    try:
        found = reduce(getattr, filter(None, [holder]), import_module(module))
        if hasattr(found, attribute):
            return True
        return bool(re.search(rf"\b{attribute}\b\s*(:|=)", inspect.getsource(found)))
    except (ImportError, AttributeError):
        return False


if __name__ == "__main__":
    print("\n".join(missing()) or "Nothing is missing.")
