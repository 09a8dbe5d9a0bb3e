"""Every site through the five theories: what each says, and why."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import streamlit as st

from pages.charts import words
from pages.core import pick, tables
from pages.current import scope_line
from rates.study import Scope, Study, theory_for
from rates.theories import SAYS, Cell, Row, theories

MOST = 20  # rows of reasons
STUDY = "The study"
_found = functools.lru_cache(maxsize=32)(theories)
_DOOR = "fit_theory"


def section(study: Study, scope: Scope) -> None:
    """Show the table, what its words mean, and the reasons of one theory."""
    rows = _found(study, scope)
    st.markdown(f"**Site by site through the {len(rows[0].cells)} theories.** {sentence(rows)}")
    keys = [cell.theory for cell in rows[0].cells]
    columns = {"Site": [row.site or STUDY for row in rows]}
    for k, key in enumerate(keys):
        columns[key] = [row.cells[k].says for row in rows]
    tables.show(columns, alt="What every theory says of the study and of each site", pinned="Site")
    shown = [says for says in SAYS if any(cell.says == says for row in rows for cell in row.cells)]
    st.caption(" ".join(f"**{says.capitalize()}**: {SAYS[says]}" for says in shown))
    nearest = theory_for(study, scope).theory.key
    chosen = pick(_DOOR, "Why, by", {key: key for key in keys}, start=nearest, kept=False)
    st.markdown(words.keyed(f"By {scope_line.THEORY[chosen]}:"))
    reasons(rows, keys.index(chosen))


def sentence(rows: Sequence[Row]) -> str:
    """Say in which theories the study lies, as far as told, and which ask for more."""
    cells = rows[0].cells
    asking = [cell.theory for cell in cells if cell.says == "undecided"]
    inside = [c.theory for c in cells if c.says not in ("undecided", "not covered")]
    first = "None of them covers the study as it is told"
    if inside:
        first = f"{scope_line.listed(inside)} {'covers' if len(inside) == 1 else 'cover'} it"
        first += " as far as told"
    if not asking:
        return f"{first}."
    verb = "asks" if len(asking) == 1 else "ask"
    return f"{first}; {scope_line.listed(asking)} {verb} for what has not been told."


def reasons(rows: Sequence[Row], k: int) -> None:
    """Show why one theory says so; sites of which it says the same stand together."""
    groups: dict[Cell, list[str]] = {}
    for row in rows:
        groups.setdefault(row.cells[k], []).append(row.site)
    some = list(groups.items())[:MOST]
    tables.wrapped(
        {
            "Site": [_names(names, len(rows)) for _, names in some],
            "Says": [cell.says for cell, _ in some],
            "Why": [f"{words.md(cell.reason)} ({words.cited(cell.source)})" for cell, _ in some],
        }
    )
    if len(groups) > MOST:
        st.caption(f"The first {MOST} of {len(groups)} reasons.")


def _names(names: Sequence[str], most: int) -> str:
    """Whom a reason is about."""
    if len(names) == most:
        return "The study and every site"
    sites = [name for name in names if name]
    shown = words.names(sites, most=4) if sites else ""
    return " and ".join(part for part in (STUDY if "" in names else "", shown) if part)
