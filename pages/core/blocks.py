"""Blocks: what is shown, as records; `show` draws them on a page, `html.document` on paper.

A section makes them of what it asks: the same record draws on the page and in a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from pages.charts import Figure, words
from pages.core import controls, figure_card, formula, layout


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
    """

    markdown: str
    kind: Literal["caption", "info", "warning", "error"] = "caption"


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
class Code:
    """Lines to copy; of an example in no language they are not broken.

    Attributes:
        text: The lines.
        language: What they are written in.
    """

    text: str
    language: str | None = "python"


@dataclass(frozen=True, slots=True)
class File:
    """A text that a report saves and does not show.

    Attributes:
        text: The text.
        name: Name of its file, with end.
    """

    text: str
    name: str


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


Shown = Text | Heading | Note | Table | Code | Formula | Link | Fold | Figure
OnPaper = File | Address | Room  # a page shows none of them
Block = Shown | OnPaper | Callable[[], object]


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
        # What is for paper alone is in none of these, and is passed over.
        elif draw := _DRAW.get(type(block)):
            draw(block)
        elif callable(block):
            block()


_DRAW: dict[type, Callable[[Any], object]] = {
    Text: lambda block: st.markdown(words.keyed(block.markdown)),
    Heading: lambda block: (st.subheader if block.small else st.header)(block.title, anchor=False),
    Note: lambda block: getattr(st, block.kind)(words.keyed(block.markdown)),
    Table: lambda block: figure_card.show_table(block.columns, alt=block.alt, pinned=block.pinned),
    Code: lambda x: st.code(x.text, language=x.language, wrap_lines=x.language is not None),
    Formula: lambda block: formula.show(block.latex),
    Link: lambda block: layout.statement_link(block.statement, block.label),
}


# Blocks under a title --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chapter:
    """Blocks under a title of their own.

    Attributes:
        name: Its anchor.
        title: Its title, plain text.
        blocks: What it holds.
        kept: Whether paper holds it on one page, with narrow figures and text beside them.
        page: Whether it begins a page.
    """

    name: str
    title: str
    blocks: tuple[Block, ...]
    kept: bool = False
    page: bool = False


Inputs = Sequence[Any] | Callable[[Any], Iterable[Any] | None]  # fields, or what draws itself


@dataclass(frozen=True, kw_only=True)
class Section:
    """What one question needs.

    Attributes:
        id: Its anchor in a report, and the name of its widgets.
        title: Its title, plain text; empty for none on the page.
        inputs: Fields; or a function of what is asked, which may draw some itself.
        compute: Result of what is asked; that itself by default.
        blocks: What is shown of a result.
        why: The reason, in a fold: Markdown or blocks; a report leaves it out.
        limits: What the answer leaves open, in a fold: lists in Markdown.
    """

    id: str
    title: str
    inputs: Inputs = ()
    compute: Callable[[Any], Any] | None = None
    blocks: Callable[[Any], Iterable[Block]]
    why: str | Sequence[Block] = ""
    limits: str | Sequence[str] = ""

    def chapter(self, params: Any) -> Chapter:
        """Return it for a report, with its result."""
        return Chapter(self.id, self.title, tuple(self.blocks(self.make(params))))

    def show(self, params: Any, source: controls.Source | None = None) -> Any:
        """Draw it with its result, and return the result.

        Args:
            params: What is asked.
            source: What its fields read and write.
        """
        if self.title:
            st.header(self.title, anchor=False)
        if source is not None:
            fields = self.inputs(params) if callable(self.inputs) else self.inputs
            for field in fields or ():
                field.draw(source)
        result = self.make(params)
        show(self.blocks(result), page=self.id)
        self.folds()
        return result

    def make(self, params: Any) -> Any:
        """Return the result of what is asked."""
        return params if self.compute is None else self.compute(params)

    def reasons(self) -> Iterable[Block]:
        """Yield the reason."""
        if self.why:
            yield from [Text(self.why)] if isinstance(self.why, str) else self.why

    def folds(self) -> None:
        """Draw the reason, and what the answer leaves open."""
        limits = [self.limits] if isinstance(self.limits, str) else self.limits
        left_open = [Text(text) for text in limits if text]
        for title, held in (("Why", [*self.reasons()]), (words.LIMITS, left_open)):
            if held:
                show([Fold(title, held)], page=self.id)
