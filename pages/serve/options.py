"""Streamlit's options, read without its lock.

Streamlit looks at an option with every message that it sends, under one lock of the whole process.
Where many visitors' threads send at once, one that has just been given the lock waits for Python's
own, and all others for it: half of their time at sixty visitors. Looking into a dictionary needs
no lock; a change of an option still takes it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def unlocked() -> None:
    """Let options be read without the lock, where this Streamlit keeps them as we know it."""
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
