"""Blocks as HTML, for reports and sheets: one file, with nothing fetched from outside.

All user text passes through `html.escape`. Formulas are MathML. There are no scripts; downloads
are ``data:`` links.
"""

from __future__ import annotations

import html
import re
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pages.charts import Figure, svg
from pages.core import figure_card, formula
from pages.core.blocks import (
    Address,
    Block,
    Code,
    File,
    Formula,
    Heading,
    Note,
    Room,
    Table,
    Text,
)

STYLE = "\n" + (Path(__file__).parent / "report.css").read_text("utf-8")
MOST_ROWS = 12  # of a table whose file holds them all
NARROW = 480.0  # pixels of a figure that has room to write beside it
_PLAIN = ",;:/()*!~@$="  # need no escape in an address, nor in HTML
_TOKEN = re.compile(
    r"\\(.)|(\${1,2})([^$]+)\${1,2}|`([^`]+)`|(\*\*)|(\*)|([^\\*`$]+|\\|\$|`)", re.DOTALL
)
_MARKS = {"**": "strong", "*": "em"}


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

    @property
    def look(self) -> str:
        """Its classes, as an attribute."""
        names = [name for name in ("kept", "page") if getattr(self, name)]
        return f' class="{" ".join(names)}"' if names else ""


def document(
    title: str, lead: Sequence[Block], sections: Sequence[Chapter], *, dense: bool = False
) -> str:
    """Return a whole HTML document.

    Args:
        title: Its title, plain text.
        lead: Blocks above the contents.
        sections: What follows, in order.
        dense: Whether paper holds as much as can be read.
    """
    look = ' class="dense"' if dense else ""
    contents = "".join(f'<li><a href="#{s.name}">{html.escape(s.title)}</a></li>' for s in sections)
    body = "".join(
        f'<section id="{s.name}"{s.look}><h2>{html.escape(s.title)}</h2>'
        f"{_blocks(s.blocks, NARROW if s.kept else svg.WIDTH)}</section>\n"
        for s in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main{look}>\n"
        f"<h1>{html.escape(title)}</h1>\n{_blocks(lead)}"
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav>\n{body}</main>\n</body>\n</html>\n'
    )


def _blocks(blocks: Sequence[Block], width: float = svg.WIDTH) -> str:
    return "\n".join(_block(block, width) for block in blocks) + "\n"


def _block(block: Block, width: float) -> str:
    if isinstance(block, Text | Note):
        return prose(block.markdown)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Figure):
        return _picture(block, width)
    if isinstance(block, Heading):
        return f"<h3>{html.escape(block.title)}</h3>"
    if isinstance(block, Formula):
        return prose("\n".join(f"$${line}$$" for line in block.latex.splitlines()))
    if isinstance(block, Room):
        return _room(block)
    if isinstance(block, File):
        return f"<p>{download(block.name, block.text, block.kind)}</p>"
    if isinstance(block, Address):
        return (
            f'<p><a href="{html.escape(block.address)}" rel="noreferrer">'
            f"{html.escape(block.label)}</a></p>"
        )
    if isinstance(block, Code):
        caption = f"<figcaption>{html.escape(block.caption)}</figcaption>" if block.caption else ""
        save = download(block.name, block.text, "text/plain") if block.name else ""
        return (
            f'<figure class="code">{caption}<pre tabindex="0"><code>{html.escape(block.text)}'
            f"</code></pre>{save}</figure>"
        )
    return ""  # what is asked, or leads somewhere on the page alone


def prose(markdown: str) -> str:
    r"""Return Markdown of this app as HTML: paragraphs, lists with "- ", and marks in a line.

    >>> prose("One **two**.\n- <a>\n- b")
    '<p>One <strong>two</strong>.</p><ul><li>&lt;a&gt;</li><li>b</li></ul>'
    """
    out: list[str] = []
    items: list[str] = []
    for line in [*markdown.splitlines(), ""]:
        if line.startswith("- "):
            items.append(f"<li>{inline(line[2:])}</li>")
            continue
        if items:
            out.append(f"<ul>{''.join(items)}</ul>")
            items = []
        if line.strip():
            out.append(f"<p>{inline(line.strip())}</p>")
    return "".join(out)


def inline(markdown: str) -> str:
    r"""Return one line of Markdown as HTML, formulas between dollars as MathML.

    A backslash keeps the next character as it is.

    >>> inline(r"**a\*<b**"), inline("`n*eps*2`")
    ('<strong>a*&lt;b</strong>', '<code>n*eps*2</code>')
    """
    out: list[str] = []
    opened: list[str] = []
    for kept, dollars, latex, code, *marks, text in _TOKEN.findall(markdown):
        mark = "".join(marks)
        if latex:
            out.append(formula.mathml(latex, alone=dollars == "$$"))
        elif code:
            out.append(f"<code>{html.escape(code)}</code>")
        elif not mark:
            out.append(html.escape(kept or text))
        elif mark in opened:
            while opened:  # an inner mark that is still open ends with the outer one
                closed = opened.pop()
                out.append(f"</{_MARKS[closed]}>")
                if closed == mark:
                    break
        else:
            opened.append(mark)
            out.append(f"<{_MARKS[mark]}>")
    out += [f"</{_MARKS[mark]}>" for mark in reversed(opened)]
    return "".join(out)


def _room(room: Room) -> str:
    rows = [f"<li><b></b>{inline(option)}</li>" for option in room.options]
    rows += [f"<li>{inline(first)}<i></i>{inline(last)}</li>" for first, last in room.blanks]
    listed = f"<ul>{''.join(rows)}</ul>" if rows else ""
    said = f"<p>{inline(room.said)}</p>" if room.said else ""
    look = "room lines" if room.lines else "room"
    return f'<div class="{look}">{listed}{said}{"<hr>" * room.lines}</div>'


def _table(table: Table) -> str:
    lines = table.lines
    most = MOST_ROWS if table.name else len(lines)
    head = "".join(f'<th scope="col">{html.escape(t)}</th>' for t in table.columns)
    body = "".join(
        f'<tr><th scope="row">{html.escape(first)}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in lines[:most]
    )
    left_out = len(lines) - most
    note = f"<p>{left_out:,} more rows are in the CSV file.</p>" if left_out > 0 else ""
    save = download(f"{table.name}.csv", table.csv, "text/csv") if table.name else ""
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{html.escape(table.alt)}">'
        f"<table><caption>{html.escape(table.alt)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>{note}{save}"
    )


def _picture(picture: Figure, width: float) -> str:
    drawn, rows = figure_card.to_svg(picture, width), figure_card.to_csv(picture.rows)
    numbers = download(f"{picture.name}.csv", rows, "text/csv") if picture.rows else ""
    caption = f"<figcaption>{inline(picture.caption)}</figcaption>" if picture.caption else ""
    return (
        f'<figure><div class="wide" role="region" tabindex="0" '
        f'aria-label="{html.escape(picture.alt)}">{drawn}</div>'
        f"{caption}"
        f"{download(f'{picture.name}.svg', drawn, 'image/svg+xml')}"
        f"{numbers}</figure>"
    )


def download(name: str, text: str, kind: str) -> str:
    """Return a link that saves a text under a name."""
    data = urllib.parse.quote(text, safe=_PLAIN)
    return (
        f'<a class="save" download="{html.escape(name)}" '
        f'href="data:{kind};charset=utf-8,{data}">Save {html.escape(name)}</a>'
    )
