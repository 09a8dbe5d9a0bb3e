"""Blocks as HTML, for reports and sheets: one file, with nothing fetched from outside.

All user text passes through `escape`. Formulas are MathML. There are no scripts; downloads
are ``data:`` links.
"""

from __future__ import annotations

import mimetypes
import re
import urllib.parse
from collections.abc import Callable, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from pages.charts import Figure, svg
from pages.core import blocks, figure_card, formula
from pages.core.blocks import Block, Chapter, Code, Room, Table

STYLE = "\n" + (Path(__file__).parent / "report.css").read_text("utf-8")
MOST_ROWS = 12  # of a table whose file holds them all
NARROW = 480.0  # pixels of a figure that has room to write beside it
_PLAIN = ",;:/()*!~@$="  # need no escape in an address, nor in HTML
_TOKEN = re.compile(
    r"\\(.)|(\${1,2})([^$]+)\${1,2}|`([^`]+)`|(\*\*)|(\*)|([^\\*`$]+|\\|\$|`)", re.DOTALL
)
_MARKS = {"**": "strong", "*": "em"}


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
    contents = "".join(_tag("li", _tag("a", escape(s.title), href=f"#{s.name}")) for s in sections)
    body = "".join(map(_section, sections))
    main = (
        f"\n<h1>{escape(title)}</h1>\n{_blocks(lead)}"
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav>\n{body}'
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{_tag('main', main, class_='dense' if dense else '')}\n</body>\n</html>\n"
    )


def _tag(name: str, inside: str, **attributes: str) -> str:
    """Return an element of what is HTML already, without the attributes that are empty."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value
    )
    return f"<{name}{given}>{inside}</{name}>"


def _section(chapter: Chapter) -> str:
    look = " ".join(name for name in ("kept", "page") if getattr(chapter, name))
    shown = _blocks(chapter.blocks, NARROW if chapter.kept else svg.WIDTH)
    inside = f"<h2>{escape(chapter.title)}</h2>{shown}"
    return _tag("section", inside, id=chapter.name, class_=look) + "\n"


def _blocks(blocks: Sequence[Block], width: float = svg.WIDTH) -> str:
    """Return blocks; what is asked, or leads somewhere on the page alone, is none of them."""
    return "".join(
        (_picture(block, width) if isinstance(block, Figure) else _DRAW[type(block)](block)) + "\n"
        for block in blocks
        if isinstance(block, Figure) or type(block) in _DRAW
    )


def prose(markdown: str) -> str:
    r"""Return Markdown of this app as HTML: paragraphs, lists with "- ", and marks in a line.

    >>> prose("One **two**.\n- <a>\n- b")
    '<p>One <strong>two</strong>.</p><ul><li>&lt;a&gt;</li><li>b</li></ul>'
    """
    out = []
    for listed, lines in groupby(markdown.splitlines(), lambda line: line.startswith("- ")):
        if listed:
            out.append(f"<ul>{''.join(f'<li>{inline(line[2:])}</li>' for line in lines)}</ul>")
        else:
            out += [f"<p>{inline(line.strip())}</p>" for line in lines if line.strip()]
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
            out.append(f"<code>{escape(code)}</code>")
        elif not mark:
            out.append(escape(kept or text))
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
    inside = f"{listed}{said}{'<hr>' * room.lines}"
    return _tag("div", inside, class_="room lines" if room.lines else "room")


def _code(code: Code) -> str:
    lines = f'<pre tabindex="0"><code>{escape(code.text)}</code></pre>'
    return f'<figure class="code">{lines}</figure>'


def _table(table: Table) -> str:
    lines = table.lines
    # Without a file nothing else would hold the rest.
    most = MOST_ROWS if table.name else len(lines)
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in table.columns)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in lines[:most]
    )
    left_out = len(lines) - most
    note = f"<p>{left_out:,} more rows are in the CSV file.</p>" if left_out > 0 else ""
    save = download(f"{table.name}.csv", table.csv) if table.name else ""
    shown = f"<caption>{escape(table.alt)}</caption><thead><tr>{head}</tr></thead>"
    return _wide(f"<table>{shown}<tbody>{body}</tbody></table>", table.alt) + note + save


def _picture(picture: Figure, width: float) -> str:
    drawn, name = figure_card.to_svg(picture, width), picture.name
    caption = f"<figcaption>{inline(picture.caption)}</figcaption>" if picture.caption else ""
    saved = download(f"{name}.svg", drawn)
    if picture.rows:
        saved += download(f"{name}.csv", figure_card.to_csv(picture.rows))
    return f"<figure>{_wide(drawn, picture.alt)}{caption}{saved}</figure>"


def _wide(inside: str, alt: str) -> str:
    """Return what a keyboard can scroll where it is wider than the paper."""
    return _tag("div", inside, class_="wide", role="region", tabindex="0", aria_label=alt)


def download(name: str, text: str) -> str:
    """Return a link that saves a text under a name."""
    kind = mimetypes.guess_type(name)[0]
    data = f"data:{kind};charset=utf-8,{urllib.parse.quote(text, safe=_PLAIN)}"
    return _tag("a", f"Save {escape(name)}", class_="save", download=name, href=data)


_DRAW: dict[type, Callable[[Any], str]] = {
    blocks.Text: lambda block: prose(block.markdown),
    blocks.Note: lambda block: prose(block.markdown),
    Table: _table,
    blocks.Heading: lambda block: f"<h3>{escape(block.title)}</h3>",
    blocks.Formula: lambda block: prose(re.sub("(.+)", r"$$\1$$", block.latex)),
    Room: _room,
    blocks.File: lambda block: f"<p>{download(block.name, block.text)}</p>",
    blocks.Address: lambda block: (
        f"<p>{_tag('a', escape(block.label), href=block.address, rel='noreferrer')}</p>"
    ),
    Code: _code,
}
