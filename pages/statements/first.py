"""What the page opens on: the slips that change a conclusion, and the others one click away."""

from __future__ import annotations

import functools

import streamlit as st

from pages.charts import words
from pages.core import button, figure_card, fold, formula, layout, lines
from pages.statements import difference
from pages.statements import item as ledger_item
from pages.statements import view as ledger
from rates import errata
from rates.statements import CATEGORIES, CONCLUSION, Statement, statement


def draw() -> None:
    """Show the slips in the order in which they matter; each has its figure once it is open."""
    st.header("What changes a conclusion")
    for number, name in enumerate(errata.FIRST, 1):
        _fold(number, statement(name))
    others()


def _fold(number: int, item: Statement) -> None:
    """One slip. Only what is open is drawn, so the page opens with one figure."""
    kind = "" if item.category == CONCLUSION else f" ({item.category})"
    opened = fold(
        f"{number}. {words.md(f'[{item.paper}]')} {words.md(errata.title(item.id))}{kind}",
        f"first_{item.id}",
        expanded=number == 1,
    )
    if opened is None:
        return
    with opened:
        st.markdown(words.cited(item.claim))
        names = ledger_item.titles(item)
        for place, form, text in zip(
            st.columns(2, gap="medium"),
            ("printed", "reading"),
            (item.printed, item.reading or ""),
            strict=True,
        ):
            place.markdown(f"**{names[form]}**")
            place.markdown(formula.compact(text))
        st.markdown(words.cited(item.why))
        figure_card.show(lines.drawn(difference.drawn, item.id), key=f"figure_{item.id}")
        with st.container(horizontal=True, vertical_alignment="center"):
            button(
                "The whole entry",
                f"first_open_{item.id}",
                functools.partial(ledger.VIEW.change, id=item.id),
                icon=":material/arrow_forward:",
            )
            ledger_item.doors(item)
            if item.study is None and item.map is None:
                for stem in ledger.pages(item)[:1]:
                    label = f"Open it on the page {stem.capitalize()}"
                    st.page_link(layout.page(stem), label=label, icon=":material/open_in_new:")


def others() -> None:
    """Lead to the slips of every other kind."""
    counts = errata.headline().counts
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("The others")
        for name in CATEGORIES:
            if name != CONCLUSION and counts[name]:
                button(
                    f"{name.capitalize()} ({counts[name]})",
                    f"first_kind_{ledger.slug(name)}",
                    functools.partial(ledger.VIEW.change, category=ledger.slug(name)),
                )
