"""Blocks of a report as HTML: text, tables, figures and code, with nothing fetched from outside.

All user text passes through `html.escape`. There are no scripts; downloads are ``data:`` links.
"""

from __future__ import annotations

import html
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.figures.chart import Drawn
from pages.parts.frame import Text, figure_card

MOST_ROWS = 200
MOST_LINES = 400
_PLAIN = ",;:/()*!~@$="  # need no escape in an address, nor in HTML
_TOKEN = re.compile(r"\\(.)|(\*\*)|(\*)|(`)|([^\\*`]+|\\)", re.DOTALL)
_MARKS = {"**": "strong", "*": "em", "`": "code"}


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of plain text, the first one naming the rows.

    Attributes:
        columns: Title and cells of each column.
        caption: What it shows.
        name: Name of its CSV file without end; empty for none.
        given: Text of the CSV file where it is not the cells.
    """

    columns: Mapping[str, Sequence[str]]
    caption: str
    name: str = ""
    given: str = ""

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
    """Plain text to copy.

    Attributes:
        text: The text.
        name: Name of its file, with end; empty for none.
        caption: What it is; empty for none.
        kind: Media type of the file.
    """

    text: str
    name: str = ""
    caption: str = ""
    kind: str = "text/plain"


@dataclass(frozen=True, slots=True)
class Link:
    """A link that leads back to the app."""

    label: str
    address: str


Block = Text | Table | Drawn | Code | Link


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under a title of its own; `name` is its anchor."""

    name: str
    title: str
    blocks: tuple[Block, ...]


def document(title: str, lead: Sequence[Block], sections: Sequence[Section]) -> str:
    """Return a whole HTML document.

    Args:
        title: Its title, plain text.
        lead: Blocks above the contents.
        sections: What follows, in order.
    """
    contents = "".join(f'<li><a href="#{s.name}">{html.escape(s.title)}</a></li>' for s in sections)
    body = "".join(
        f'<section id="{s.name}"><h2>{html.escape(s.title)}</h2>{_blocks(s.blocks)}</section>\n'
        for s in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{html.escape(title)}</h1>\n{_blocks(lead)}"
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav>\n{body}</main>\n</body>\n</html>\n'
    )


def _blocks(blocks: Sequence[Block]) -> str:
    return "\n".join(_block(block) for block in blocks) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Text):
        return prose(block.markdown)
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Drawn):
        return _picture(block)
    if isinstance(block, Link):
        return (
            f'<p><a href="{html.escape(block.address)}" rel="noreferrer">'
            f"{html.escape(block.label)}</a></p>"
        )
    caption = f"<figcaption>{html.escape(block.caption)}</figcaption>" if block.caption else ""
    save = download(block.name, block.text, block.kind) if block.name else ""
    lines = block.text.splitlines()
    left_out = len(lines) - MOST_LINES if block.name else 0
    shown = block.text if left_out <= 0 else "\n".join(lines[:MOST_LINES])
    note = f"<p>{left_out:,} more lines are in the file.</p>" if left_out > 0 else ""
    return (
        f'<figure class="code">{caption}<pre tabindex="0"><code>{html.escape(shown)}</code>'
        f"</pre>{note}{save}</figure>"
    )


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
    r"""Return one line of Markdown as HTML; a backslash keeps the next character as it is.

    >>> inline(r"**a\*<b**")
    '<strong>a*&lt;b</strong>'
    """
    out: list[str] = []
    opened: list[str] = []
    for kept, *marks, text in _TOKEN.findall(markdown):
        mark = "".join(marks)
        if not mark:
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


def _table(table: Table) -> str:
    lines = table.lines
    head = "".join(f'<th scope="col">{html.escape(t)}</th>' for t in table.columns)
    body = "".join(
        f'<tr><th scope="row">{html.escape(first)}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in lines[:MOST_ROWS]
    )
    left_out = len(lines) - MOST_ROWS
    note = f"<p>{left_out:,} more rows are in the CSV file.</p>" if left_out > 0 else ""
    save = download(f"{table.name}.csv", table.csv, "text/csv") if table.name else ""
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{html.escape(table.caption)}">'
        f"<table><caption>{html.escape(table.caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>{note}{save}"
    )


def _picture(picture: Drawn) -> str:
    drawn = figure_card.to_svg(picture)
    return (
        f'<figure><div class="wide" role="region" tabindex="0" '
        f'aria-label="{html.escape(picture.alt)}">{drawn}</div>'
        f"<figcaption>{inline(picture.caption)}</figcaption>"
        f"{download(f'{picture.name}.svg', drawn, 'image/svg+xml')}"
        f"{download(f'{picture.name}.csv', figure_card.to_csv(picture.rows), 'text/csv')}</figure>"
    )


def download(name: str, text: str, kind: str) -> str:
    """Return a link that saves a text under a name."""
    data = urllib.parse.quote(text, safe=_PLAIN)
    return (
        f'<a class="save" download="{html.escape(name)}" '
        f'href="data:{kind};charset=utf-8,{data}">Save {html.escape(name)}</a>'
    )


def pictures(sections: Sequence[Section]) -> list[Drawn]:
    """Every figure of a report, in order."""
    return [b for s in sections for b in s.blocks if isinstance(b, Drawn)]


def tables(sections: Sequence[Section]) -> dict[str, str]:
    """Every table that has a file, as CSV by file name."""
    return {
        f"{block.name}.csv": block.csv
        for section in sections
        for block in section.blocks
        if isinstance(block, Table) and block.name
    }


_STYLE = """
:root { color-scheme: light dark; --ink: #1f2430; --paper: #fff; --soft: #f3f5f8;
  --line: #c9d0da; --link: #1d5f9f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --paper: #14171d; --soft: #1f242d;
  --line: #444c59; --link: #8fc1f0; } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-top: 1px solid var(--line);
  padding-top: 1rem; }
a { color: var(--link); overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: 0.92rem; }
caption { text-align: left; font-weight: 600; padding: 0.4rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.7rem 0.3rem 0; text-align: left;
  vertical-align: top; overflow-wrap: break-word; } th[scope=row] { font-weight: 500; }
thead th { border-bottom: 2px solid var(--line); }
.wide { overflow-x: auto; } figure { margin: 1.2rem 0; }
svg.figure { color: var(--ink); max-width: 100%; height: auto; }
figcaption { font-size: 0.92rem; margin: 0.3rem 0; }
pre { background: var(--soft); padding: 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.save { display: inline-block; font-size: 0.88rem; margin: 0.2rem 1rem 0.2rem 0; }
@page { size: A4; margin: 15mm; }
@media print { .save, nav { display: none; } h2 { break-after: avoid; }
  nav + section { break-before: page; } nav + section h2 { margin-top: 0; border: 0; }
  figure, tr { break-inside: avoid; } :root { font-size: 10pt; }
  body { font-size: 1rem; line-height: 1.4; } p { margin: 0.7em 0; }
  main { max-width: none; padding: 0; } .wide { overflow: visible; } }
"""
