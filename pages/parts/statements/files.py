"""The ledger as files, and the lines of Python that compute it again."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping
from dataclasses import asdict

import streamlit as st

from pages.parts.frame import figure_card, offer
from pages.parts.statements import item as ledger_item
from pages.parts.statements import view as ledger
from rates.statements import Statement, statements

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
    return json.dumps({"statements": entries}, indent=1, ensure_ascii=False, allow_nan=False)


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
    st.caption(
        "Both hold all statements with the verdicts shown here. The address of this page is a "
        "link to this search, these filters and this seed."
    )
    with st.expander("The lines of Python that compute all verdicts again"):
        # Without colours: those of keywords have too little contrast.
        st.code(PYTHON.replace("SEED", str(ledger.VIEW.get().seed)), language=None, wrap_lines=True)
