"""Rows that a visitor brings: read and asked about before anything changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from pages.core import of_visitor, shut
from pages.current import state
from rates.numbers import DomainError
from rates.rows import ALIKE, CURVE, Question, Reading, read
from rates.study import FederatedStudy, Scope, Study, fitted, tables

_KEY = "rows_brought"
PASTE, OPEN = "paste_box", "open_box"  # what rows come from; shut when they are read


@dataclass(frozen=True, slots=True)
class Brought:
    """Rows that wait to be used.

    Attributes:
        data: The table, as it came.
        number: How many came before it.
        asked: The questions that were answered.
        answers: By key of a question, the answer.
    """

    data: str | bytes
    number: int = 0
    asked: tuple[Question, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()


@of_visitor(8)
def _read(data: str | bytes, kind: str, answers: tuple[tuple[str, str], ...]) -> Reading:
    return read(data, kind=kind, answers=dict(answers))


def bring(data: str | bytes) -> None:
    """Read a table; it waits until it is used or left."""
    memory = st.session_state
    memory["rows_number"] = memory.get("rows_number", 0) + 1
    memory[_KEY] = Brought(data, memory["rows_number"])
    for name in (PASTE, OPEN):
        shut(name)


def now() -> Brought | None:
    """What waits, if anything does."""
    found: Brought | None = st.session_state.get(_KEY)
    return found


def leave() -> None:
    """Forget what waits."""
    st.session_state[_KEY] = None


def reading(brought: Brought) -> Reading:
    """Return the table as it was read, with what was answered here or about the study."""
    draft, scope = state.begun()
    known = dict(brought.answers)
    if scope.answer("target") == "shared":
        known = {"target": ALIKE, **known}
    return _read(brought.data, draft.kind, tuple(known.items()))


def answer(question: Question, given: str) -> None:
    """Take an answer; what was asked after it is asked again."""
    brought = now()
    if brought is None:
        return
    before = [q for q in brought.asked if q.key != question.key]
    place = next((k for k, q in enumerate(brought.asked) if q.key == question.key), len(before))
    asked = (*before[:place], question)
    known: Mapping[str, str] = {**dict(brought.answers), question.key: given}
    kept = tuple((q.key, known[q.key]) for q in asked)
    st.session_state[_KEY] = replace(brought, asked=asked, answers=kept)


def study(found: Reading) -> Study:
    """Return the study with these rows as its sites.

    Raises:
        DomainError: Something is refused or open.
    """
    draft, _ = state.begun()
    return tables.study_of(found, draft.kind, draft.parameters)


def use() -> None:
    """Put the rows that wait into the study."""
    brought = now()
    if brought is None:
        return
    try:
        found = reading(brought)
        made = study(found)
    except DomainError:
        return  # it is said beside the rows, which stay
    told = _told(brought, made)
    if any("signal_exponent" in row for row in found.rows):
        told = told.told("signal_exponent")
    untold = told.answer("target") is None and not dict(brought.answers).get("target")
    if untold and len(found.rows) > 1 and any(row.get("role") == "target" for row in found.rows):
        told = told.with_answer("target", "one")
    state.begin(made, fitted(told, made))
    leave()


def _told(brought: Brought, made: Study) -> Scope:
    """What was said about a study begun here, with what was answered about the rows."""
    _, told = state.begun()
    target = dict(brought.answers).get("target")
    if target == CURVE:
        return told.with_answer("outcome", "continuous")
    if target == ALIKE:
        return told.with_answer("target", "shared")
    if target is not None:
        return told.with_answer("target", "one")
    if isinstance(made, FederatedStudy) and told.answer("outcome") == "binary":
        return told.with_answer("outcome", None)
    return told
