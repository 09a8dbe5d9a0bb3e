"""The ledger to take away: tables of all statements, and a sheet for the authors of each paper."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import Text, blocks, figure_card, formula, offer
from pages.statements import entry
from pages.statements.view import VIEW, Verdicts
from rates import errata
from rates import statements as theory
from rates.statements import Paper, Statement, papers, statements

PYTHON = """\
from rates import statements

for found in statements.evaluate_all(seed=SEED):
    print(found.statement.id, [verdict.words for verdict in found.verdicts])
"""
_HEADS = (  # of the entries of `theory.CATEGORIES`
    "Where we believe that a conclusion changes",
    "Where a condition seems to be missing",
    "Constants and logarithms",
    "Misprints",
    "Sentences that do not hold if they are taken literally",
    "Simulated results that we could not reproduce at our settings",
)
_WROTE = {
    "verbatim": "You write",
    "paraphrase": "You write, in our words",
    "implied": "We take your text to imply",
}


def _record(item: Statement, verdicts: Verdicts) -> dict[str, Any]:
    """All that the ledger says of a statement."""
    found = [asdict(verdict) for verdict in verdicts[item.id]]
    more = {"counted": item.counted, "key": errata.key(item), "verdicts": found}
    return {**asdict(item), **more, "link": entry.address(item)}


def rows(verdicts: Verdicts) -> list[dict[str, object]]:
    """Return one row per statement, as a table holds it."""
    out = []
    for item in statements():
        row = _record(item, verdicts) | {"edition": str(errata.edition())}
        for verdict in row.pop("verdicts"):
            form = verdict.pop("form")
            row |= {f"{name}, {form}": value for name, value in verdict.items()}
        out.append({name: _cell(value) for name, value in row.items()})
    return out


def _cell(value: object) -> object:
    if isinstance(value, Mapping):
        return entry.at(value)
    return "; ".join(value) if isinstance(value, tuple) else "" if value is None else value


def to_json(verdicts: Verdicts) -> str:
    """Return every statement with its verdicts as JSON, what is infinite as text."""
    now, counted = errata.edition(), errata.headline()
    whole = {
        "edition": now.number,
        "date": now.date,
        "headline": errata.sentences(counted).replace("**", ""),
        "counts": counted.counts,
        "standard": errata.STANDARD,
        "statements": [_record(item, verdicts) for item in statements()],
    }
    return json.dumps(_plain(whole), indent=1, ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(x) for key, x in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(x) for x in value]
    return str(value) if value in (math.inf, -math.inf) else value


def menu(verdicts: Verdicts) -> None:
    """Offer the whole ledger, and a sheet for the authors of each paper."""
    offer("Ledger as CSV", lambda: figure_card.to_csv(rows(verdicts)), "ledger.csv")
    offer("Ledger as JSON", lambda: to_json(verdicts), "ledger.json")
    offer("Keys for BibTeX", errata.bibtex, "ledger.bib")
    offer("Table for LaTeX", errata.table, "ledger.tex")
    st.caption(
        f"{errata.edition()}. BibTeX and LaTeX hold what does not hold as printed, the others all."
    )
    st.markdown("**A sheet for the authors of each paper**: what we would write to them.")
    for about in papers():
        address = f"statements?paper={about.key}&view=letter&embed=true&embed_options=light_theme"
        st.link_button(f"Print the sheet for [{about.key}]", address, icon=":material/print:")
    lines("The lines of Python that compute all verdicts again", PYTHON)


def lines(title: str, python: str) -> None:
    """Offer lines of Python, with the seed of the next test, in a fold."""
    with st.expander(title):
        # Without colours: those of keywords have too little contrast.
        st.code(python.replace("SEED", str(VIEW.get().seed)), language=None, wrap_lines=True)


# The sheet for the authors of a paper --------------------------------------------------------


def title(about: Paper) -> str:
    """Return the title of a paper's sheet."""
    return f"Notes for the authors of {f'“{about.title}”' if about.title else f'[{about.key}]'}"


def greeting(about: Paper) -> list[Text]:
    """Return the paragraphs before the list."""
    found = errata.headline([item for item in statements() if item.paper == about.key])
    lines = (
        f"Dear {about.by if about.authors else 'authors'},",
        f"we built a program on your results and, to do so, read {found.printed} sentences and "
        f"formulas of your paper and tested {found.tested} of them by numbers.",
        errata.stands(found).replace(f"[{about.key}]", "your paper"),
        f"In {found.total} places what we read differs from what we can derive. Most of them are "
        "small, and we do not see that your results depend on them; we list all so that a reader "
        "who meets one need not search. We may have misunderstood you, and would be glad to be "
        "corrected.",
        f"What we had was a plain text of the paper, not its print. {about.lost}",
    )
    return [Text(words.md(line)) for line in lines if line]


def standard() -> list[str]:
    """Return how the ledger reads words that can be read in two ways."""
    return [f"*{words.md(name)}* {words.md(text)}" for name, text in errata.STANDARD.items()]


def parts(about: Paper) -> list[tuple[str, list[Statement]]]:
    """Return the entries under their headings: kinds first, then what our text may have lost."""
    mine = [item for item in statements() if item.paper == about.key]
    found = [
        (head, [item for item in mine if item.counted and item.category == name])
        for head, name in zip(_HEADS, theory.CATEGORIES, strict=True)
    ]
    lost = [item for item in mine if item.extraction and not item.repeats]
    found.append(("Where our text of your paper may be damaged", lost))
    return [(head, items) for head, items in found if items]


def _entry(item: Statement) -> Iterator[Text]:
    place = f"Section {item.section}" + (f", {item.kind}" if item.kind != "text" else "")
    yield Text(f"**{words.md(item.title)}** ({place}; `{item.id}`). {words.md(item.claim)}")
    yield Text(f"{_WROTE[item.quoted]}:")
    yield Text(formula.compact(item.printed))
    if item.reading:
        yield Text("We would write:")
        yield Text(formula.compact(item.reading))
    more = [words.md(item.why)] if item.why else []
    if item.counterexample:
        growing = ", as N grows" if entry.grows(item.counterexample) else ""
        more.append(f"An example{growing}: {words.md(entry.at(item.counterexample))}.")
    if repeats := [other for other in statements() if other.repeats == item.id]:
        where = ", ".join(f"Section {one.section} (`{one.id}`)" for one in repeats)
        more.append(f"The same slip stands in {where}.")
    if text := entry.settings(item):
        more.append(words.md(text))
    if item.category == theory.NOT_REPRODUCED:
        more.append("This contradicts nothing: your settings may differ from ours.")
    if more:
        yield Text(" ".join(more))


def show(about: Paper) -> None:
    """Draw the sheet to be printed, which ends with the edition: nothing to press, no bar."""
    st.title(words.md(title(about)))
    blocks.show(greeting(about), page="letter")
    for head, items in parts(about):
        st.subheader(head)
        blocks.show((text for item in items for text in _entry(item)), page="letter")
    st.subheader("How we read words that can be read in two ways")
    close = f"With kind regards, readers of your paper. The ledger, {errata.edition()}."
    blocks.show([Text(line) for line in (*standard(), close)], page="letter")
