"""The errata sheet of one paper, as a letter to its authors: a page to print, and a file."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.charts import words
from pages.core import Text, formula
from pages.report import Block, Section, document
from pages.statements import item as ledger_item
from rates import errata
from rates.statements import CATEGORIES, NOT_REPRODUCED, Paper, Statement, papers, statements

_HEADS = dict(
    zip(
        CATEGORIES,
        (
            "Where we believe that a conclusion changes",
            "Where a condition seems to be missing",
            "Constants and logarithms",
            "Misprints",
            "Sentences that do not hold if they are taken literally",
            "Simulated results that we could not reproduce at our settings",
        ),
        strict=True,
    )
)
_WROTE = {
    "verbatim": "You write",
    "paraphrase": "You write, in our words",
    "implied": "We take your text to imply",
}


def paper(name: str) -> Paper:
    """Return a paper by its key."""
    return next(one for one in papers() if one.key == name)


def title(about: Paper) -> str:
    """Return the title of its sheet."""
    return (
        f"Notes for the authors of “{about.title}”"
        if about.title
        else (f"Notes for the authors of [{about.key}]")
    )


def greeting(about: Paper) -> list[str]:
    """Return the paragraphs before the list."""
    mine = [item for item in statements() if item.paper == about.key]
    found = errata.headline(mine)
    names = f"{about.by}" if about.authors else "authors"
    lines = [
        f"Dear {names},",
        f"we built a program on your results and, to do so, read {found.printed} sentences and "
        f"formulas of your paper and tested {found.tested} of them by numbers.",
    ]
    if stands := errata.stands(found):
        lines.append(stands.replace(f"[{about.key}]", "your paper"))
    lines.append(
        f"In {found.total} places what we read differs from what we can derive. Most of them are "
        "small, and we do not see that your results depend on them; we list all so that a reader "
        "who meets one need not search. We may have misunderstood you, and would be glad to be "
        "corrected."
    )
    lines.append(f"What we had was a plain text of the paper, not its print. {about.lost}")
    return lines


def standard() -> list[str]:
    """Return how the ledger reads words that can be read in two ways."""
    return [f"*{words.md(name)}* {words.md(text)}" for name, text in errata.STANDARD.items()]


def parts(about: Paper) -> list[tuple[str, list[Statement]]]:
    """Return the entries under their headings: kinds first, then what our text may have lost."""
    mine = [item for item in statements() if item.paper == about.key]
    found = [
        (_HEADS[name], [item for item in mine if item.counted and item.category == name])
        for name in CATEGORIES
    ]
    lost = [item for item in mine if item.extraction and not item.repeats]
    found.append(("Where our text of your paper may be damaged", lost))
    return [(head, items) for head, items in found if items]


def entry(item: Statement) -> list[tuple[str, str]]:
    """Return an entry as pairs: words in Markdown, and the formulas below them."""
    place = f"Section {item.section}" + (f", {item.kind}" if item.kind != "text" else "")
    out = [(f"**{words.md(item.title)}** ({place}; `{item.id}`). {words.md(item.claim)}", "")]
    out.append((f"{_WROTE[item.quoted]}:", item.printed))
    if item.reading:
        out.append(("We would write:", item.reading))
    more = [words.md(item.why)] if item.why else []
    if item.counterexample:
        growing = ", as N grows" if ledger_item.grows(item.counterexample) else ""
        more.append(f"An example{growing}: {words.md(ledger_item.at(item.counterexample))}.")
    repeats = [other for other in statements() if other.repeats == item.id]
    if repeats:
        where = ", ".join(f"Section {one.section} (`{one.id}`)" for one in repeats)
        more.append(f"The same slip stands in {where}.")
    if text := ledger_item.settings(item):
        more.append(words.md(text))
    if item.category == NOT_REPRODUCED:
        more.append("This contradicts nothing: your settings may differ from ours.")
    out.append((" ".join(more), ""))
    return [pair for pair in out if any(pair)]


def close() -> list[str]:
    """Return the last lines: which edition of the ledger this is."""
    return [f"With kind regards, readers of your paper. The ledger, {errata.edition()}."]


def draw(name: str) -> None:
    """Draw the sheet to be printed: nothing to press, no side bar."""
    about = paper(name)
    with st.container(gap="xsmall"):
        st.title(words.md(title(about)))
        _paragraphs([words.md(line) for line in greeting(about)])
        for head, items in parts(about):
            st.subheader(head)
            for item in items:
                for said, formulas in entry(item):
                    st.markdown(said)
                    if formulas:
                        st.markdown(formula.compact(formulas))
        st.subheader("How we read words that can be read in two ways")
        _paragraphs(standard())
        _paragraphs(close())


def _paragraphs(texts: Sequence[str]) -> None:
    for text in texts:
        st.markdown(text)


def _lines(latex: str) -> str:
    """Return formulas as lines of Markdown, each with room for fractions."""
    return formula.compact(latex).replace("$", "$$")


def to_html(name: str) -> str:
    """Return the sheet as one HTML file; formulas stand in it as MathML."""
    about = paper(name)
    sections = []
    for number, (head, items) in enumerate(parts(about), 1):
        blocks: list[Block] = []
        for item in items:
            for said, formulas in entry(item):
                if said:
                    blocks.append(Text(said))
                if formulas:
                    blocks.append(Text(_lines(formulas)))
        sections.append(Section(f"part-{number}", head, tuple(blocks)))
    last: tuple[Block, ...] = tuple(Text(line) for line in (*standard(), *close()))
    sections.append(Section("reading", "How we read words that can be read in two ways", last))
    return document(title(about), [Text(words.md(line)) for line in greeting(about)], sections)
