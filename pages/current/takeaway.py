"""Bring a study or rows in, and take the study away: link, JSON, CSV, and the lines of Python.

Rows that a visitor brings are read and asked about before anything changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import box, files, layout, of_visitor, offer, shut
from pages.current import state
from rates.numbers import DomainError
from rates.rows import ALIKE, CURVE, Question, Reading, read, study_of, to_csv
from rates.study import Scope, Study, codec, fitted

_ROWS, _UPLOAD = "rows_brought", "upload"
PASTE, OPEN = "paste_box", "open_box"  # what rows come from; shut when they are read
_TABLES = ("csv", "tsv", "txt", "xlsx")
MOST_LINES = 40
_FROM_FILE = """\
from pathlib import Path
import rates
from rates import codec

study = codec.from_json(Path("study.json").read_bytes())
print(rates.solve(study))  # up to constants and logs
print(rates.calibrated(study))  # a named mechanism, with its constants
"""


@dataclass(frozen=True, slots=True)
class Brought:
    """Rows that wait to be used.

    Attributes:
        data: The table, as it came.
        number: How many came before it.
        given: The questions that were answered, in order, each with its answer.
    """

    data: str | bytes
    number: int = 0
    given: tuple[tuple[Question, str], ...] = ()

    @property
    def answers(self) -> dict[str, str]:
        """By key of a question, the answer."""
        return {question.key: answer for question, answer in self.given}


@of_visitor(8)
def _read(data: str | bytes, kind: str, answers: tuple[tuple[str, str], ...]) -> Reading:
    return read(data, kind=kind, answers=dict(answers))


def bring(data: str | bytes) -> None:
    """Read a table; it waits until it is used or left."""
    memory = st.session_state
    memory["rows_number"] = memory.get("rows_number", 0) + 1
    memory[_ROWS] = Brought(data, memory["rows_number"])
    # The rows stand on the page now, above the table.
    for name in (PASTE, OPEN):
        shut(name)


def now() -> Brought | None:
    """What waits, if anything does."""
    found: Brought | None = st.session_state.get(_ROWS)
    return found


def leave() -> None:
    """Forget what waits."""
    st.session_state[_ROWS] = None


def reading(brought: Brought) -> Reading:
    """Return the table as it was read, with what was answered here or about the study."""
    draft, scope = state.begun()
    shared = {"target": ALIKE} if scope.answer("target") == "shared" else {}
    known = {**shared, **brought.answers}
    return _read(brought.data, draft.kind, tuple(known.items()))


def answer(question: Question, given: str) -> None:
    """Take an answer; what was asked after it is asked again."""
    brought = now()
    if brought is None:
        return
    before = takewhile(lambda pair: pair[0].key != question.key, brought.given)
    st.session_state[_ROWS] = replace(brought, given=(*before, (question, given)))


def study(found: Reading) -> Study:
    """Return the study with these rows as its sites.

    Raises:
        DomainError: Something is refused or open.
    """
    draft, _ = state.begun()
    return study_of(found, draft.kind, draft.parameters)


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
    told, target = _told(brought, made), brought.answers.get("target")
    if any("signal_exponent" in row for row in found.rows):
        told = told.told("signal_exponent")
    one = len(found.rows) > 1 and any(row.get("role") == "target" for row in found.rows)
    if one and told.answer("target") is None and not target:
        told = told.with_answer("target", "one")
    state.adopt(made, fitted(told, made), own=True)
    leave()


def _told(brought: Brought, made: Study) -> Scope:
    """What was said about a study begun here, with what was answered about the rows."""
    _, told = state.begun()
    target = brought.answers.get("target")
    if target == CURVE:
        return told.with_answer("outcome", "continuous")
    if target is not None:
        return told.with_answer("target", "shared" if target == ALIKE else "one")
    if made.target is None and told.answer("outcome") == "binary":
        return told.with_answer("outcome", None)
    return told


def open_file() -> None:
    """Offer to open a study file, or a table of sites for the study that is open."""
    if not (place := box(OPEN, "Open a file", ":material/upload_file:")).open:
        return
    with place:
        title = "A study (.json) or a table of sites (.csv, .xlsx)"
        files(_UPLOAD, title, ("json", *_TABLES), then=_opened)
        if problem := st.session_state.get("upload_error"):
            st.error(words.plain(problem))


def _opened(file: Any) -> None:
    if file is None:
        return
    st.session_state["upload_error"] = None
    if file.name.lower().endswith(_TABLES):
        bring(file.getvalue())
    else:
        st.session_state["upload_error"] = state.open_json(file.getvalue())


def as_study(label: str, study: Study) -> None:
    """Offer to open a study on its page."""
    layout.link("study", label, "groups", {state.PARAMETER: codec.to_link(study)})


_LONG = (
    f"This study is too long for a link ({codec.MAX_LINK:,} characters at most); use the JSON file."
)


def take_box(study: Study, *, stale: bool, report: Callable[[], object] = lambda: None) -> None:
    """Offer the current study behind one press: what `offers` does, below its report if any."""
    place = box("take_box", "Take away", ":material/download:")
    # Said outside the box, which one may never open.
    if not state.STUDY.fits():
        st.caption(_LONG)
    if place.open:
        with place:
            report()
            offers(study, stale=stale)


def offers(study: Study, *, stale: bool) -> None:
    """Offer the current study as files, as a link and as code."""
    if stale:
        st.caption("Downloads and link hold the last complete study.")
    told = state.told()
    with st.container(horizontal=True):
        offer("Study as JSON", lambda: codec.to_json(study, told), "study.json", "study_json")
        offer("Sites as CSV", lambda: to_csv(study), "sites.csv", "sites_csv")
    if state.STUDY.fits():
        st.caption("The address of this page is a link to this study.")
    st.caption("These lines of Python reproduce the answer:")
    st.code(lines(study), language="python", wrap_lines=True)


def lines(study: Study) -> str:
    """The lines of Python that reproduce the answer; from a file where they would be long."""
    return codec.to_python(study) if len(study.servers) <= MOST_LINES else _FROM_FILE
