"""From a page to the corrected statements that it uses."""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.core import layout
from rates.statements import Statement, statement, statements

MOST = 6


def link(name: str, label: str = "") -> None:
    """Lead to one statement of the ledger."""
    st.page_link(
        layout.page("statements"),
        label=label or words.md(statement(name).title),
        icon=":material/fact_check:",
        query_params={"id": name},
    )


def corrected(stem: str, paper: str = "") -> tuple[Statement, ...]:
    """Return the statements that a page uses in our reading and not as printed."""
    return tuple(
        item
        for item in statements()
        if stem in item.pages and item.reading is not None and paper in ("", item.paper)
    )


def used(stem: str, paper: str = "") -> None:
    """List the corrected statements that a page uses, each with its proof and counterexample."""
    found = corrected(stem, paper)
    if not found:
        return
    st.markdown("**Corrected statements used here**, each with its proof and its test:")
    with st.container(gap="xsmall"):
        for item in found[:MOST]:
            link(item.id)
        if len(found) > MOST:
            listed(stem, paper, f"The other {len(found) - MOST}, in the ledger")


def listed(stem: str, paper: str = "", label: str = "") -> None:
    """Lead to the ledger with all statements that a page uses."""
    st.page_link(
        layout.page("statements"),
        label=label or "All statements that this page uses, in the ledger",
        icon=":material/list:",
        query_params={"page": stem, **({"paper": paper} if paper else {})},
    )
