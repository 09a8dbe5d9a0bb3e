"""Blocks: what is shown, as records; `show` draws them on a page, `html.document` on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from pages.charts import Figure, words
from pages.core import figure_card, formula, layout


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown in the size of the page."""

    markdown: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the page's title.

    Attributes:
        title: Its text.
        small: Whether it stands below another heading.
    """

    title: str
    small: bool = False


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
    """Columns of text, the first one naming the rows; a keyboard can scroll it.

    Attributes:
        columns: Title and cells of each column.
        alt: What it shows, in words.
        name: Name of its CSV file in a report, without end; empty for none.
        given: Text of the CSV file where it is not the cells.
        pinned: Title of the column that stays in sight while the others scroll.
    """

    columns: Mapping[str, Sequence[str]]
    alt: str
    name: str = ""
    given: str = ""
    pinned: str | None = None

    @classmethod
    def of(cls, titles: Sequence[str], rows: Iterable[Sequence[str]], **more: Any) -> Table:
        """Return a table of rows, each with a cell for every title."""
        every = list(rows)
        return cls({title: [row[k] for row in every] for k, title in enumerate(titles)}, **more)

    @property
    def lines(self) -> list[list[str]]:
        """The cells row by row."""
        return [list(cells) for cells in zip(*self.columns.values(), strict=True)]

    @property
    def csv(self) -> str:
        """What its file holds."""
        rows = [dict(zip(self.columns, line, strict=True)) for line in self.lines]
        return self.given or figure_card.to_csv(rows)


@dataclass(frozen=True, slots=True)
class Metric:
    """A number with its name.

    Attributes:
        label: What it is.
        value: The number.
        delta: What stands below it, without an arrow; empty for none.
        help: What it means.
    """

    label: str
    value: str
    delta: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to copy; of an example in no language they are not broken.

    Attributes:
        text: The lines.
        language: What they are written in.
        name: Name of their file in a report, with end; empty for none.
        caption: What they are, in a report.
    """

    text: str
    language: str | None = "python"
    name: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """A text that a report saves and does not show.

    Attributes:
        text: The text.
        name: Name of its file, with end.
        kind: Media type of the file.
    """

    text: str
    name: str
    kind: str = "text/plain"


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
class Address:
    """A link that leads back to the app, from a report."""

    label: str
    address: str


@dataclass(frozen=True, slots=True)
class Room:
    """Room to write on paper.

    Attributes:
        options: Markdown of what one of is ticked.
        blanks: What is filled in: Markdown before the line, and after it.
        said: Markdown of what is written on the lines; empty for none.
        lines: How many there are.
    """

    options: Sequence[str] = ()
    blanks: Sequence[tuple[str, str]] = ()
    said: str = ""
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks behind a title."""

    title: str
    blocks: Sequence[Block]


Shown = Text | Heading | Note | Table | Metric | Code | Formula | Link | Fold | Figure
OnPaper = File | Address | Room  # a page shows none of them
Block = Shown | OnPaper | Callable[[], object]


def numbers(name: str, value: str, rows: Mapping[str, float], *, alt: str) -> Table:
    """Numbers by name, as a table with these two titles."""
    return Table({name: list(rows), value: [words.number(x) for x in rows.values()]}, alt)


def show(blocks: Iterable[Block], *, page: str, under: Callable[[], object] = lambda: None) -> None:
    """Draw blocks, one below the other.

    Args:
        blocks: What to draw; a function draws something that is no record.
        page: Name of the page or tab, so that figures on two of them do not share widgets.
        under: Draws what stands directly under the pictures, such as a slider that moves one.
    """
    for block in blocks:
        if isinstance(block, Figure):
            figure_card.show(block, key=f"figure_{page}_{block.name}", under=under)
        elif isinstance(block, Fold):
            with st.expander(block.title):
                show(block.blocks, page=page)
        elif draw := _DRAW.get(type(block)):
            draw(block)
        elif callable(block):
            block()


def _note(block: Note) -> None:
    if block.kind == "caption":
        st.caption(words.keyed(block.markdown))
    else:
        getattr(st, block.kind)(words.keyed(block.markdown), icon=block.icon or None)


def _metric(block: Metric) -> None:
    st.metric(
        block.label,
        block.value,
        block.delta or None,
        delta_color="off",
        delta_arrow="off",
        width="content",
        help=block.help or None,
    )


_DRAW: dict[type, Callable[[Any], object]] = {
    Text: lambda block: st.markdown(words.keyed(block.markdown)),
    Heading: lambda block: (st.subheader if block.small else st.header)(block.title, anchor=False),
    Note: _note,
    Table: lambda block: figure_card.show_table(block.columns, alt=block.alt, pinned=block.pinned),
    Metric: _metric,
    Code: lambda x: st.code(x.text, language=x.language, wrap_lines=x.language is not None),
    Formula: lambda block: formula.show(block.latex),
    Link: lambda block: layout.statement_link(block.statement, block.label),
}
