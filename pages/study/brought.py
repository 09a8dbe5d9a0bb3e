"""Rows as they were read: a preview, what is asked about them, and the button that uses them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.charts import number_text, words
from pages.core import ask, button, offered, tables
from pages.current import rows
from rates.numbers import DomainError
from rates.rows import TITLES, Question, Reading, grouped

MOST_ROWS = 200
_FEW = 4  # options that stand side by side


def show() -> None:
    """Show rows that wait to be used, if any do."""
    brought = rows.now()
    if brought is None:
        return
    reading = rows.reading(brought)
    problems = [str(refusal) for refusal in reading.refusals]
    ready = False
    if reading.ready:
        try:
            rows.study(reading)
            ready = True
        except DomainError as refusal:
            problems.append(str(refusal))
    with st.container(border=True):
        st.markdown("**Rows as they were read.** Nothing has been changed yet.")
        if reading.rows:
            _preview(reading)
        said = [column.said for column in reading.columns] + list(reading.notes)
        st.markdown("\n".join(f"- {words.md(sentence)}" for sentence in said))
        for question in (*brought.asked, *reading.questions):
            _question(brought, question)
        for problem in problems:
            st.error(words.plain(problem))
        if problems:
            st.caption("Mend these rows where they come from, and bring them again.")
        with st.container(horizontal=True):
            if ready:
                help = "They take the place of the sites in the table."
                button("Use these rows", "use_pasted", rows.use, type="primary", help=help)
            button("Leave them", "leave_rows", rows.leave)


def _preview(reading: Reading) -> None:
    """The rows as a grid: what each cell was read as and, where that differs, what stands there."""
    fields = [f for f in TITLES if any(f in row for row in reading.rows)]
    shown = reading.rows[:MOST_ROWS]
    tables.show(
        {
            TITLES[field]: [
                _cell(field, row, given)
                for row, given in zip(shown, reading.given[:MOST_ROWS], strict=True)
            ]
            for field in fields
        },
        alt="The rows as they were read",
    )
    if len(reading.rows) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} of {len(reading.rows):,} rows.")


def _cell(field: str, row: Mapping[str, Any], given: Mapping[str, str]) -> str:
    stands = " ".join(given.get(field, "").split())
    if field not in row:
        if not stands or field == "role":
            return ""
        if field == "epsilon":
            return f"? ({stands})"
        return f"? ({stands})" if any(c.isdigit() for c in stands) else f"not stated ({stands})"
    value = row[field]
    read = "unprotected" if (field, value) == ("epsilon", "inf") else str(value)
    if isinstance(value, int | float) and not math.isinf(value):
        if stands == number_text(value):
            return stands
        read = grouped(value)
    return read if stands in (read, "") else f"{read} ({stands})"


def _question(brought: rows.Brought, question: Question) -> None:
    """Ask; an answer that was given can be changed."""
    now = dict(brought.answers).get(question.key)
    options = list(question.options)
    title = words.md(question.text)
    named = {key: words.md(text) for key, text in question.options.items()}
    key = f"rows_{brought.number}_{question.key.replace(' ', '_')}"
    start = None if now is None else options.index(now)

    def draw(**how: Any) -> Any:
        if len(options) <= _FEW:
            return st.radio(title, options, index=start, format_func=named.__getitem__, **how)
        labels = question.options  # a list shows text as it is
        return st.selectbox(
            title,
            options,
            index=start,
            format_func=labels.__getitem__,
            placeholder="Choose",
            **how,
        )

    ask(key, now, lambda given: rows.answer(question, offered(given, options)), draw)
