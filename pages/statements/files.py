"""The ledger as files, and the lines of Python that compute it again."""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Mapping
from dataclasses import asdict

import streamlit as st

from pages.core import figure_card, offer
from pages.statements import item as ledger_item
from pages.statements import letter
from pages.statements import view as ledger
from rates import errata
from rates.statements import PAPERS, Statement, statements

PYTHON = """\
from rates import statements

for found in statements.evaluate_all(seed=SEED):
    print(found.statement.id, [verdict.words for verdict in found.verdicts])
"""


def rows(verdicts: ledger.Verdicts) -> list[dict[str, object]]:
    """Return one row per statement, as a table holds it."""
    return [_row(item, verdicts) for item in statements()]


def _row(item: Statement, verdicts: ledger.Verdicts) -> dict[str, object]:
    row: dict[str, object] = {
        "id": item.id,
        "paper": item.paper,
        "section": item.section,
        "kind": item.kind,
        "title": item.title,
        "claim": item.claim,
        "printed": item.printed,
        "reading": item.reading or "",
        "corrections": " ".join(item.errata),
        "category": item.category,
        "counted": item.counted,
        "repeats": item.repeats,
        "quoted": item.quoted,
        "our text may be damaged": item.extraction,
        "dropped": item.withdrawn,
        "history": " ".join(item.history),
        "key": errata.key(item),
        "edition": str(errata.edition()),
    }
    for name, verdict in itertools.zip_longest(("printed", "reading"), verdicts[item.id]):
        row[f"verdict, {name}"] = verdict.words if verdict else ""
        for field in ("seed", "number", "violations", "worst"):
            value = getattr(verdict, field) if verdict else None
            row[f"{field}, {name}"] = "" if value is None else value
    row["link"] = ledger_item.address(item)
    return row


def to_json(verdicts: ledger.Verdicts) -> str:
    """Return every statement with its verdicts as JSON."""
    entries = []
    for item in statements():
        found = [asdict(verdict) for verdict in verdicts[item.id]]
        kept = [{key: x for key, x in row.items() if x is not None} for row in found]
        entries.append(
            _plain({**asdict(item), "verdicts": kept, "link": ledger_item.address(item)})
        )
    now, counted = errata.edition(), errata.headline()
    whole = {
        "edition": now.number,
        "date": now.date,
        "headline": errata.sentences(counted).replace("**", ""),
        "counts": counted.counts,
        "standard": errata.STANDARD,
        "statements": entries,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> object:
    """The value as strict JSON holds it: infinity as text."""
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return str(value) if value in (math.inf, -math.inf) else value


def bar(verdicts: ledger.Verdicts) -> None:
    """Offer the whole ledger."""
    with st.container(horizontal=True):
        offer("Ledger as CSV", lambda: figure_card.to_csv(rows(verdicts)), "ledger.csv")
        offer("Ledger as JSON", lambda: to_json(verdicts), "ledger.json")
        offer("Keys for BibTeX", errata.bibtex, "ledger.bib")
        offer("Table for LaTeX", errata.table, "ledger.tex")
    st.caption(
        f"The ledger, {errata.edition()}. CSV and JSON hold all statements with the verdicts shown "
        "here, BibTeX and LaTeX those that do not hold as printed. The address of this page is a "
        "link to this search, these filters and this seed."
    )
    st.header("A sheet for the authors of each paper")
    st.markdown("What we would write to them: every entry once, most serious first, to be printed.")
    for paper in PAPERS:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.link_button(
                f"Print the sheet for [{paper}]",
                f"statements?paper={paper}&view=letter&embed=true&embed_options=light_theme",
                icon=":material/print:",
            )
            make = functools.partial(letter.to_html, paper)
            offer(f"Sheet for [{paper}] as HTML", make, f"errata-{paper.lower()}.html")
    with st.expander("The lines of Python that compute all verdicts again"):
        # Without colours: those of keywords have too little contrast.
        st.code(PYTHON.replace("SEED", str(ledger.VIEW.get().seed)), language=None, wrap_lines=True)
