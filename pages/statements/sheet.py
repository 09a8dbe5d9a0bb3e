"""The ledger to take away: files, and a sheet of at most two pages for the authors of a paper."""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.core import figure_card, offer, presenter
from pages.statements.entry import typeset
from rates import ledger
from rates.ledger import Paper, editions

_SHEET = "statements?paper={}&view=sheet&embed=true&embed_options=light_theme"


def menu() -> None:
    """Offer the whole ledger, and a sheet for the authors of each paper."""
    with st.popover("Take it away", icon=":material/download:", key="ledger_files"):
        offer("Ledger as CSV", lambda: figure_card.to_csv(editions.rows()), "ledger.csv")
        offer("Ledger as JSON", editions.to_json, "ledger.json")
        offer("BibTeX", editions.bibtex, "ledger.bib")
        offer("Table for LaTeX", editions.table, "ledger.tex")
        st.caption(f"{editions.edition()}. The table holds what does not hold as printed.")
        for about in ledger.papers():
            label, icon = f"Print the sheet for [{about.key}]", ":material/print:"
            st.link_button(label, _SHEET.format(about.key), icon=icon)


def show(about: Paper) -> None:
    """Draw the sheet to be printed: nothing to press, no bar; with an annex."""
    presenter.style("sheet")
    found = editions.sheet(about)
    with st.container(key="notes", gap="xxsmall"):
        st.title(words.md(found.title), anchor=False)
        for text in found.opening:
            st.markdown(words.md(text))
        for number, one in enumerate(found.slips, 1):
            st.markdown(f"{number}. {_noted(one)}")
        st.caption(f"The ledger, {editions.edition()}.")
    if found.annex:
        with st.container(key="annex", gap="xxsmall"):
            st.header("Annex", anchor=False)
            st.markdown(
                "Simulated results contradict nothing: your settings may differ from ours, at "
                "which we did not see the same. Elsewhere our copy of the text may be to blame."
            )
            for one in found.annex:
                st.markdown(f"- {_noted(one)}")


def _noted(one: ledger.Entry) -> str:
    """What the sheet says of one entry; its place in bold, its formulas small."""
    place, *rest = editions.noted(one)
    _, bold, after = place.split("**", 2)
    said = " ".join([after.strip(), *rest])
    return f"**{words.md(bold)}** {typeset(said, small=True)}"
