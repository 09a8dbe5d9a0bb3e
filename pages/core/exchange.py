"""Files that a visitor brings for the session, and files to take away.

What is brought is read once, kept, and used until it is given back. No cache of the pages holds it
or what was computed of it: `of_visitor` keeps that in the session.
"""

from __future__ import annotations

import functools
import mimetypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, ParamSpec, TypeVar

import streamlit as st

from pages.charts import words
from pages.core import address
from rates.numbers import DomainError

P = ParamSpec("P")
T = TypeVar("T")
_FRAMED = (
    "A frame on another site's page cannot send files. Sites of a study can be pasted "
    "(*Paste rows*, under What it costs); other files cannot. "
)
with suppress(ImportError):  # there is no server in a browser
    # A longer file would be laid aside on the disk; this is above `server.maxUploadSize`.
    import_module("starlette.formparsers").MultiPartParser.spool_max_size = 16 * 2**20


def of_visitor(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep the last results of a function in the visitor's session, which ends with them."""

    def keeping(compute: Callable[P, T]) -> Callable[P, T]:
        name = f"kept {compute.__module__}.{compute.__qualname__}"

        @functools.wraps(compute)
        def kept(*args: P.args, **named: P.kwargs) -> T:
            if name not in st.session_state:
                st.session_state[name] = functools.lru_cache(maxsize=most)(compute)
            found: T = st.session_state[name](*args, **named)
            return found

        return kept

    return keeping


def kept_for(
    most: int, private: Callable[[], object]
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep a function's last results: for all, or for the visitor alone while that is true."""

    def keeping(compute: Callable[P, T]) -> Callable[P, T]:
        of_all, of_one = functools.lru_cache(maxsize=most)(compute), of_visitor(most)(compute)

        @functools.wraps(compute)
        def kept(*args: P.args, **named: P.kwargs) -> T:
            return (of_one if private() else of_all)(*args, **named)

        return kept

    return keeping


def files(
    key: str,
    title: str,
    types: Sequence[str],
    *,
    many: bool = False,
    then: Callable[[Any], None] | None = None,
    help: str | None = None,
) -> None:
    """Draw the box of an upload, or say why there is none.

    Args:
        key: Widget name.
        title: What the box asks for.
        types: Endings of such files.
        many: Whether it takes several.
        then: Called with the file, or None, when another one is given or it is taken back.
        help: What the files must hold.
    """

    def changed() -> None:
        address.touch()
        given = st.session_state.get(key)
        if then is not None and (given is None or held(key)):
            then(given)

    if not address.takes_files():
        st.info(f"{_FRAMED}[Open this page by itself]({address.alone()}) for that.")
        return
    how: dict[str, Any] = {"type": list(types), "accept_multiple_files": many, "help": help}
    st.file_uploader(title, key=key, on_change=changed, **how)


def held(key: str) -> list[Any]:
    """Return the files in a box, by its name."""
    given = st.session_state.get(key) or []
    # In place of a file that the server has not, or no longer, Streamlit hands on its name.
    every = given if isinstance(given, list) else [given]
    return [one for one in every if hasattr(one, "getvalue")]


@dataclass(frozen=True, slots=True)
class Upload(Generic[T]):
    """What an uploaded file is, and the box that takes it.

    Attributes:
        name: Where it is kept in the session.
        title: What the box asks for.
        read: Reads the file; raises `DomainError` for what is refused.
        help: What the file must hold.
        types: Endings of such files.
        behind: Label of the button that opens the box; empty if the box is always there.
    """

    name: str
    title: str
    read: Callable[[bytes], T]
    help: str
    types: Sequence[str] = ("csv", "txt", "tsv")
    behind: str = ""

    def now(self) -> T | None:
        """What is in use, if anything is."""
        return st.session_state.get(self.name)

    def count(self) -> int:
        """How often it has changed, which tells one file from another."""
        return int(st.session_state.get(f"{self.name}_count", 0))

    def take(self, data: bytes) -> None:
        """Read a file; what is refused is kept to be shown, and what was in use stays."""
        try:
            self._keep(self.read(data))
        except DomainError as error:
            st.session_state[f"{self.name}_problem"] = str(error)

    def drop(self) -> None:
        """Put the file out of use."""
        address.touch()
        # A new box, as Streamlit keeps the file in the old one.
        st.session_state[f"{self.name}_box"] = self._box() + 1
        self._keep(None)

    def _keep(self, found: T | None) -> None:
        memory = st.session_state
        memory[self.name], memory[f"{self.name}_problem"] = found, ""
        memory[f"{self.name}_count"] = self.count() + 1

    def _box(self) -> int:
        return int(st.session_state.get(f"{self.name}_box", 0))

    def draw(self) -> None:
        """Draw the box and, below it, why the last file was refused, if it was."""
        icon = ":material/upload_file:"
        with st.popover(self.behind, icon=icon) if self.behind else st.container():
            key = f"{self.name}_upload_{self._box()}"
            files(key, self.title, self.types, then=self._given, help=self.help)
        if problem := st.session_state.get(f"{self.name}_problem"):
            st.error(words.plain(problem))

    def _given(self, file: Any) -> None:
        if file is not None:
            self.take(file.getvalue())
        elif self.now() is not None:
            self.drop()


def offer(
    label: str, data: str | Callable[[], str | bytes], file: str, key: str | None = None, **how: Any
) -> None:
    """Draw a button that downloads a file.

    Args:
        label: What it says.
        data: What the file holds, or what makes it once it is asked for.
        file: Its name.
        key: Widget key.
        **how: More of the button.
    """
    kind = mimetypes.guess_type(file)[0] or "text/plain"
    # A download changes nothing on the page, so the page does not run again.
    look = {"icon": ":material/download:"} | how
    st.download_button(label, data, file, kind, key=key, on_click="ignore", **look)
