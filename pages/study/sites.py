"""The table of sites: text as typed, so that nothing is dropped or rounded silently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import islice
from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import address, box, button
from pages.current import draft as drafts
from pages.current import rows, state
from pages.study import brought
from rates.answer import noise_factor, offered_delta
from rates.numbers import COUNT, DELTA, EPSILON, SAMPLE_SIZE, SIGNAL_EXPONENT, DomainError
from rates.study import EMPTY, Server

_TEXT = {  # title, help, width in pixels: wide enough for the title with its sign
    "name": ("Site", "Name of the site; it must be unique.", 130),
    "n": ("Records n", SAMPLE_SIZE.help, 105),
    "epsilon": ("Budget ε", EPSILON.help, 100),
    "delta": ("δ", DELTA.help, 70),
    "signal_exponent": ("Signal γ", SIGNAL_EXPONENT.help, 95),
    "count": ("Count", COUNT.help, 78),
}
_TICK = {
    drafts.TARGET: ("Target", "The one site whose patients the classifier is for.", 85),
    drafts.UNPROTECTED: (
        "Unprotected",
        "This site's records are used without privacy protection in this calculation. "
        "It does not mean that they are published.",
        120,
    ),
}
_MOST_SAID = 6  # of what is read out of cells
_ONE_TARGET = (drafts.TARGET, "signal_exponent")


def editor(draft: drafts.Draft, *, alike: bool = False) -> drafts.Draft:
    """Show the table, below rows that wait to be used; return the draft with what it holds.

    Where the answer is for all sites alike, no site is the target and every signal is 1.
    """
    brought.show()
    memory = st.session_state
    key = f"sites_{memory['version']}_{draft.kind}"
    new = key not in memory
    if new:  # first shown, or back from another page: start from what was kept
        memory["sites_base"] = _frame(draft)
    try:
        edited = _table(draft, key, alike=alike)
    except Exception:  # whatever Streamlit raises at changes of a row that the table has not
        if not any(memory.get(key, {}).values()):
            raise
        state.show(draft)
        st.rerun()
    if new and _cannot_go_on(key):
        state.show(draft)
        memory["sites_lost"] = True
        st.rerun()
    if memory.pop("sites_lost", False):
        st.warning("The connection was renewed. The last change to the table was not taken.")
    draft = replace(draft, rows=tuple(drafts.ticked(_row(r)) for r in edited.to_dict("records")))
    if said := list(islice(drafts.readings(draft), _MOST_SAID)):
        st.caption(words.md(" ".join(said)))
    memory["draft"] = draft
    return draft


def _table(draft: drafts.Draft, key: str, *, alike: bool) -> Any:
    """The table to edit, with what has been changed of it."""
    shown = [
        column
        for column in drafts.COLUMNS
        if (draft.kind == "transfer" and not alike) or column not in _ONE_TARGET
    ]
    return st.data_editor(
        st.session_state["sites_base"],
        key=key,
        on_change=address.touch,
        num_rows="dynamic",
        hide_index=True,
        column_order=shown,
        column_config={
            **{
                name: st.column_config.TextColumn(title, help=text, width=width)
                for name, (title, text, width) in _TEXT.items()
            },
            **{
                name: st.column_config.CheckboxColumn(title, help=text, width=width)
                for name, (title, text, width) in _TICK.items()
            },
        },
        alt="Table of sites, one row per site, editable",
    )


def take_over() -> bool:
    """Take over what was typed, and say what cannot be; whether the table is unfinished.

    Rows that wait to be used are shown first.
    """
    brought.show()
    try:
        state.keep(state.typed())
    except DomainError as error:
        st.warning(f"{words.plain(error)} The answer shown is for the last complete study.")
        return True
    return False


def _cannot_go_on(key: str) -> bool:
    """Whether the browser brought rows that it added or deleted in a session that is lost.

    It says what has changed in a table since it was drawn first. Cells can be changed twice, but
    not rows added or deleted: then the table starts anew from the address, and says so.
    """
    changes = st.session_state[key]
    return bool(changes["added_rows"] or changes["deleted_rows"])


def _frame(draft: drafts.Draft) -> Any:
    pandas = import_module("pandas")  # half a second of the first page that has no such table
    table = pandas.DataFrame(list(draft.rows), columns=list(drafts.COLUMNS), dtype=object)
    for column in drafts.COLUMNS:
        table[column] = table[column].astype(bool if column in drafts.TICKS else "string")
    return table


def _row(cells: dict) -> drafts.Row:
    """One row as edited; an untouched cell of a new row is empty text or no tick."""
    missing = import_module("pandas").isna
    return {
        name: (value is True or (not missing(value) and bool(value)))
        if name in drafts.TICKS
        else ("" if missing(value) else str(value))
        for name, value in cells.items()
    }


def paste_box() -> None:
    """Offer a box for rows copied from a spreadsheet."""
    with box(rows.PASTE, "Paste rows", ":material/content_paste:"):
        st.markdown(
            "Copy cells from a spreadsheet: site, records and budget ε; and, if you have them, "
            "target, δ, signal γ and count, in any order and under the titles they have. A budget "
            "of `inf` or `none` is a site without protection. How they are read is shown before "
            "anything changes."
        )
        st.text_area("Rows to paste", key="pasted", height=160, placeholder=_EXAMPLE)
        button("Read these rows", "read_pasted", _read)


_EXAMPLE = "Site\tRecords n\tBudget ε\tTarget\nOslo\t400\t0,5\tyes\nBergen\t1 900\tnone\t"


def _read() -> None:
    rows.bring(st.session_state.get("pasted", ""))


def delta_help() -> None:
    """Say what delta does to the noise, and where it is missing."""
    study = state.current()
    if any(
        not row["count"].strip() or not row["signal_exponent"].strip() for row in state.draft().rows
    ):
        st.caption("An empty signal γ or count stands for 1.")
    for text in warnings(study.servers):
        st.warning(text)
    private = [s for s in study.servers if s.private]
    missing = [s for s in private if s.delta is None]
    if missing:
        st.caption(
            f"δ is not stated for {words.names([s.name for s in missing])}; the rate equation "
            "does not use it, the mechanism does."
        )
    if missing or not private:
        return
    strictest = min(s.delta for s in private if s.delta is not None)
    st.caption(
        f"δ of {words.number(strictest)} multiplies the mechanism's noise by "
        f"√(2 log(2/δ)) = {words.number(noise_factor(strictest))} as printed; a hundred times "
        f"smaller, by {words.number(noise_factor(strictest / 100))}. The rate equation does not "
        "use δ."
    )


def delta_button(key: str) -> None:
    """Offer a value of delta, where a protected site does not state its own."""
    study = state.current()
    if all(s.delta is not None for s in study.servers if s.private):
        return
    offer = offered_delta(study)
    button(
        f"Use δ = {drafts.number_text(offer)} there",
        key,
        _use_delta,
        offer,
        type="primary",
        help="At most 1e-6, and so small that the sum of n δ over all sites stays at or below "
        "0.01 where the stated δ allow it. It multiplies the printed noise by "
        f"{words.number(noise_factor(offer))}.",
    )


def _use_delta(offer: float) -> None:
    state.set_scope(state.scope().not_told("delta"))
    draft = state.draft()
    text = drafts.number_text(offer)
    rows = tuple(
        row if row["delta"].strip() or row[drafts.UNPROTECTED] else {**row, "delta": text}
        for row in draft.rows
    )
    state.show(replace(draft, rows=rows))


def warnings(servers: Sequence[Server]) -> Iterator[str]:
    """Say which budgets promise next to nothing."""
    private = [s for s in servers if s.private]
    if large := [s for s in private if s.epsilon >= EMPTY]:
        most = words.number(max(s.epsilon for s in large))
        yield (
            f"ε = {most} at {words.names([s.name for s in large])} promises next to "
            "nothing: an attacker who must tell whether one record was replaced is right all but "
            "always. The printed noise need not even be (ε, δ)-private there; the named mechanism "
            "uses the exact one."
        )
    if loose := [s for s in private if (s.delta or 0) * s.n > 1]:
        yield (
            f"δ at {words.names([s.name for s in loose])} is above 1/n: a release that publishes "
            "one record outright, chosen at random, would keep that promise. δ should be far below "
            "1/n."
        )
