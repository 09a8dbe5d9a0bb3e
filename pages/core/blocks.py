"""Blocks: what a page shows below its answer, as records that one function draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from pages.charts import Figure, words
from pages.core import figure_card, formula, ledger_links, tables


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown in the size of the page."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the page's title; with `anchor` it has a link of its own."""

    title: str
    anchor: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Markdown beside the answer: a caption, or a box in the colour of its kind.

    Attributes:
        markdown: What it says.
        kind: Its look.
        icon: Of a box; empty for none.
    """

    markdown: str
    kind: Literal["caption", "info", "warning", "error"] = "caption"
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of text that a keyboard can scroll.

    Attributes:
        columns: By title, the cells.
        alt: What it shows, in words.
        pinned: Title of the column that stays in sight while the others scroll.
    """

    columns: Mapping[str, Sequence[str]]
    alt: str
    pinned: str | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to copy; of an example in no language they are not broken."""

    text: str
    language: str | None = "python"


@dataclass(frozen=True, slots=True)
class Formula:
    """LaTeX, one formula a line."""

    latex: str


@dataclass(frozen=True, slots=True)
class Link:
    """The way to a statement of the ledger."""

    statement: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks behind a title."""

    title: str
    blocks: Sequence[Block]


Block = Text | Heading | Note | Table | Code | Formula | Link | Fold | Figure | Callable[[], object]


def numbers(name: str, value: str, rows: Mapping[str, float], *, alt: str) -> Table:
    """Numbers by name, as a table with these two titles."""
    return Table({name: list(rows), value: [words.number(x) for x in rows.values()]}, alt)


def show(blocks: Iterable[Block], *, page: str) -> None:
    """Draw blocks, one below the other.

    Args:
        blocks: What to draw; a function draws something that is no record.
        page: Name of the page or tab, so that figures on two of them do not share widgets.
    """
    for block in blocks:
        _show(block, page)


def _show(block: Block, page: str) -> None:
    if isinstance(block, Figure):
        figure_card.show(block, key=f"figure_{page}_{block.name}")
    elif isinstance(block, Text):
        st.markdown(words.keyed(block.markdown))
    elif isinstance(block, Heading):
        st.header(block.title, anchor=None if block.anchor else False)
    elif isinstance(block, Note):
        if block.kind == "caption":
            st.caption(words.keyed(block.markdown))
        else:
            getattr(st, block.kind)(words.keyed(block.markdown), icon=block.icon or None)
    elif isinstance(block, Table):
        tables.show(block.columns, alt=block.alt, pinned=block.pinned)
    elif isinstance(block, Code):
        st.code(block.text, language=block.language, wrap_lines=block.language is not None)
    elif isinstance(block, Formula):
        formula.show(block.latex)
    elif isinstance(block, Link):
        ledger_links.link(block.statement, block.label)
    elif isinstance(block, Fold):
        with st.expander(block.title):
            show(block.blocks, page=page)
    else:
        block()
