"""Result records in, figures out; no Streamlit here. `of` gives one of a study in one call."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pages.figures.study import FIGURES, drawn, of

__all__ = ["FIGURES", "drawn", "of"]


def __getattr__(name: str) -> Any:  # its rooms are many: they load when it is asked for
    if name in __all__:
        return getattr(import_module("pages.figures.study"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
