"""Rows as they were read: a preview, what is asked about them, and the button that uses them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import islice
from typing import Any

import streamlit as st

from pages.charts import number_text, words
from pages.core import address, ask, box, button, controls, figure_card, offered, shut
from pages.current import state, takeaway
from rates.answer import noise_factor, offered_delta
from rates.numbers import SERVER_FIELDS, DomainError, grouped
from rates.rows import TITLES, Question, Reading
from rates.study import EMPTY, PRESETS, Preset, Server

MOST_ROWS = 200
_FEW = 4  # options that stand side by side


def show_brought() -> None:
    """Show rows that wait to be used, if any do."""
    brought = takeaway.now()
    if brought is None:
        return
    reading = takeaway.reading(brought)
    problems = [str(refusal) for refusal in reading.refusals]
    if reading.ready:
        try:
            takeaway.study(reading)
        except DomainError as refusal:
            problems.append(str(refusal))
    ready = reading.ready and not problems
    with st.container(border=True):
        st.markdown("**Rows as they were read.** Nothing has been changed yet.")
        if reading.rows:
            _preview(reading)
        said = [column.said for column in reading.columns] + list(reading.notes)
        st.markdown("\n".join(f"- {words.md(sentence)}" for sentence in said))
        # What another answer has taken from among the options is asked anew.
        anew = {question.key for question in reading.questions}
        kept = [(asked, now) for asked, now in brought.given if asked.key not in anew]
        for question, now in (*kept, *((asked, None) for asked in reading.questions)):
            _question(brought, question, now)
        for problem in problems:
            st.error(words.plain(problem))
        if problems:
            st.caption("Mend these rows where they come from, and bring them again.")
        with st.container(horizontal=True):
            if ready:
                help = "They take the place of the sites in the table."
                button("Use these rows", "use_pasted", takeaway.use, type="primary", help=help)
            button("Leave them", "leave_rows", takeaway.leave)


def _preview(reading: Reading) -> None:
    """The rows as a grid: what each cell was read as and, where that differs, what stands there."""
    fields = [f for f in TITLES if any(f in row for row in reading.rows)]
    rows = list(zip(reading.rows, reading.given, strict=True))[:MOST_ROWS]
    columns = {TITLES[field]: [_cell(field, *row) for row in rows] for field in fields}
    figure_card.show_table(columns, alt="The rows as they were read")
    if len(reading.rows) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} of {len(reading.rows):,} rows.")


def _cell(field: str, row: Mapping[str, Any], given: Mapping[str, str]) -> str:
    stands = " ".join(given.get(field, "").split())
    if field not in row:
        if not stands or field == "role":
            return ""
        unread = field == "epsilon" or any(c.isdigit() for c in stands)
        return f"{'?' if unread else 'not stated'} ({stands})"
    value = row[field]
    read = "unprotected" if (field, value) == ("epsilon", "inf") else str(value)
    if isinstance(value, int | float) and not math.isinf(value):
        if stands == number_text(value):
            return stands
        # Grouped, so that a point that was read as thousands is seen.
        read = grouped(value)
    return read if stands in (read, "") else f"{read} ({stands})"


def _question(brought: takeaway.Brought, question: Question, now: str | None) -> None:
    """Ask; an answer that was given can be changed."""
    options = list(question.options)
    key = f"rows_{brought.number}_{question.key.replace(' ', '_')}"
    start = None if now is None else options.index(now)
    few = len(options) <= _FEW  # a longer list shows text as it is
    named = {k: words.md(x) if few else x for k, x in question.options.items()}

    def draw(**how: Any) -> Any:
        how |= {"index": start, "format_func": named.__getitem__}
        how |= {} if few else {"placeholder": "Choose"}
        field: Any = st.radio if few else st.selectbox
        return field(words.md(question.text), options, **how)

    ask(key, now, lambda given: takeaway.answer(question, offered(given, options)), draw)


_WIDTHS = {  # pixels: wide enough for the title with its sign
    **{"name": 130, state.TARGET: 85, "n": 105, "epsilon": 100, state.UNPROTECTED: 120},
    **{"delta": 70, "signal_exponent": 95, "count": 78},
}
_HELP = {parameter.name: parameter.help for parameter in SERVER_FIELDS.values()} | {
    "name": "Name of the site; it must be unique.",
    state.TARGET: "The one site whose patients the classifier is for.",
    state.UNPROTECTED: "This site's records are used without privacy protection in this "
    "calculation. It does not mean that they are published.",
}
_MOST_SAID = 6  # of what is read out of cells
_BASE = "sites_base"  # rows of the table before what is edited in it, and the same as a frame
_ONE_TARGET = (state.TARGET, "signal_exponent")


def editor() -> None:
    """Show the table, and keep what it holds.

    Where the answer is for all sites alike, no site is the target and every signal is 1.
    """
    memory, draft = st.session_state, state.draft()
    key = f"sites_{memory['version']}_{draft.kind}"
    if new := key not in memory:  # first shown, or back from another page: start from what was kept
        memory[_BASE] = (draft.rows, _frame(draft))
    try:
        edited = _table(draft, key)
    except Exception:  # whatever Streamlit raises at changes of a row that the table has not
        if not any(memory.get(key, {}).values()):
            raise
        state.show(draft)
        st.rerun()
    changes = memory[key]
    # A browser brings what it changed in a session that is lost. Cells can be changed twice, rows
    # added or deleted cannot: then the table starts anew from the address, and says so.
    if new and (changes["added_rows"] or changes["deleted_rows"]):
        state.show(draft)
        memory["sites_lost"] = True
        st.rerun()
    if memory.pop("sites_lost", False):
        st.warning("The connection was renewed. The last change to the table was not taken.")
    rows = memory[_BASE][0]
    if any(changes.values()):
        rows = map(_row, edited.to_dict("records"))
    memory["draft"] = draft = replace(draft, rows=tuple(map(state.ticked, rows)))
    said = list(islice(state.readings(draft), _MOST_SAID))
    if any(not (row["count"].strip() and row["signal_exponent"].strip()) for row in draft.rows):
        said.append("An empty signal γ or count stands for 1.")
    if said:
        st.caption(words.md(" ".join(said)))


def _table(draft: state.Draft, key: str) -> Any:
    """The table to edit, with what has been changed of it."""
    one = draft.kind == "transfer" and not state.alike()
    columns = {column: _column(column) for column in state.COLUMNS}
    return st.data_editor(
        st.session_state[_BASE][1],
        key=key,
        on_change=address.touch,
        num_rows="dynamic",
        hide_index=True,
        column_order=[column for column in columns if one or column not in _ONE_TARGET],
        column_config=columns,
        alt="Table of sites, one row per site, editable",
    )


def _column(name: str) -> Any:
    """How a column is titled, explained and edited; a new number needs no more than a width."""
    kind = "CheckboxColumn" if name in state.TICKS else "TextColumn"
    title = TITLES["role" if name == state.TARGET else name]
    how = {"help": _HELP[name], "width": _WIDTHS.get(name), "pinned": name == "name"}
    return getattr(st.column_config, kind)(title, **how)


def take_over(place: Any = None) -> bool:
    """Take over what was typed, and say what cannot be; whether the table is unfinished.

    Args:
        place: Beside the table: what waits is shown above it, and of a fresh table nothing is
            said. None where there is no table: then what waits to be used is shown first.
    """
    if place is None:
        show_brought()
    try:
        state.keep(state.typed())
        if state.begin_anew_if_typed_over():
            st.rerun()
    except DomainError as error:
        if place is None or not state.fresh():
            said = words.plain(error)
            (place or st).warning(f"{said} The answer shown is for the last complete study.")
        return True
    return False


def _frame(draft: state.Draft) -> Any:
    pandas = import_module("pandas")  # half a second of the first page that has no such table
    # Cells of text: numbers would be rounded, and what is none dropped.
    table = pandas.DataFrame(list(draft.rows), columns=list(state.COLUMNS), dtype=object)
    for column in state.COLUMNS:
        table[column] = table[column].astype(bool if column in state.TICKS else "string")
    return table


def _row(cells: dict) -> state.Row:
    """One row as edited; an untouched cell of a new row is empty text or no tick."""
    missing = import_module("pandas").isna
    return {
        name: (value is True or (not missing(value) and bool(value)))
        if name in state.TICKS
        else ("" if missing(value) else str(value))
        for name, value in cells.items()
    }


# Where rows come from --------------------------------------------------------------------------

_EXAMPLES = "examples_box"


def examples() -> None:
    """Offer every example with its story."""
    if not (place := box(_EXAMPLES, "Examples", ":material/auto_stories:")).open:
        return
    with place:
        about = "One row for the site the answer is for; add the others below it."
        button("Start with an empty table", "open_empty", _open, None, help=about)
        for preset in PRESETS:
            st.markdown(f"---\n**{preset.title}.** {preset.story} {words.keyed(preset.provenance)}")
            button(f"Open: {preset.title}", f"open_{preset.key}", _open, preset)


def _open(preset: Preset | None) -> None:
    """Open an example, or an empty table."""
    shut(_EXAMPLES)
    if preset is None:
        state.start_empty()
    else:
        state.adopt(preset.study, preset.scope)


def paste_box() -> None:
    """Offer a box for rows copied from a spreadsheet."""
    if not (place := box(takeaway.PASTE, "Paste rows", ":material/content_paste:")).open:
        return
    with place:
        st.markdown(
            "Copy cells from a spreadsheet: site, records and budget ε; and, if you have them, "
            "target, δ, signal γ and count, in any order and under the titles they have. A budget "
            "of `inf` or `none` is a site without protection. How they are read is shown before "
            "anything changes."
        )
        how = {"height": 160, "placeholder": _EXAMPLE, **controls.KEPT}
        st.text_area("Rows to paste", key="pasted", **how)
        button("Read these rows", "read_pasted", _read_pasted)


def _read_pasted() -> None:
    """Read what was pasted; a press may come without it, from a page that was open before."""
    takeaway.bring(st.session_state.get("pasted", ""))


_EXAMPLE = "Site\tRecords n\tBudget ε\tTarget\nOslo\t400\t0,5\tyes\nBergen\t1 900\tnone\t"


def delta_button(key: str) -> None:
    """Offer a value of delta, where a protected site does not state its own."""
    study = state.current()
    if all(s.delta is not None for s in study.servers if s.private):
        return
    offer = offered_delta(study)
    about = (
        "At most 1e-6, and so small that the sum of n δ over all sites stays at or below 0.01 "
        "where the stated δ allow it. It multiplies the printed noise by "
        f"{words.number(noise_factor(offer))}."
    )
    label = f"Use δ = {number_text(offer)} there"
    button(label, key, _use_delta, offer, type="primary", help=about)


def _use_delta(offer: float) -> None:
    state.set_scope(state.scope().not_told("delta"))
    write("delta", offer, lambda row: not (row["delta"].strip() or row[state.UNPROTECTED]))


def change(of_row: Callable[[state.Row], Mapping[str, Any]]) -> None:
    """Change rows of the table: what a row's cells become, as text; the others stay."""
    draft = state.draft()
    state.show(replace(draft, rows=tuple({**row, **of_row(row)} for row in draft.rows)))


def write(field: str, value: float, applies: Callable[[state.Row], bool]) -> None:
    """Write a value into the rows of the table that it applies to."""
    cell: state.Row = {field: number_text(value)}
    if field == "epsilon" and math.isinf(value):
        cell = {state.UNPROTECTED: True}
    change(lambda row: cell if applies(row) else {})


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
