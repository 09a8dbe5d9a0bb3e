"""The command that opens the app, and what a server does before its first visitor."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pages.serve import command, warm
    from pages.serve.command import main


def __getattr__(name: str) -> Any:
    if name != "main":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("sims")  # before NumPy is loaded: linear algebra on one thread
    return import_module("pages.serve.command").main
