"""Take the study away, or bring one in: link, JSON, CSV, and the lines of Python."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import box, files, fold, layout, offer
from pages.current import rows, state
from rates.study import Study, codec, tables

_UPLOAD = "upload"
_TABLES = ("csv", "tsv", "txt", "xlsx")


def open_file() -> None:
    """Offer to open a study file, or a table of sites for the study that is open."""
    with box(rows.OPEN, "Open a file", ":material/upload_file:"):
        title = "A study (.json) or a table of sites (.csv, .xlsx)"
        files(_UPLOAD, title, ("json", *_TABLES), then=_opened)
        if problem := st.session_state.get("upload_error"):
            st.error(words.plain(problem))


def _opened(file: Any) -> None:
    if file is None:
        return
    st.session_state["upload_error"] = None
    if file.name.lower().endswith(_TABLES):
        rows.bring(file.getvalue())
    else:
        st.session_state["upload_error"] = state.open_json(file.getvalue())


def as_study(label: str, study: Study, icon: str | None = ":material/groups:") -> None:
    """Offer to open a study on its page."""
    st.page_link(
        layout.page("study"),
        label=label,
        icon=icon,
        query_params={state.PARAMETER: codec.to_link(study)},
    )


def bar(*, stale: bool) -> None:
    """Offer the current study as a link, as files and as code."""
    study = state.current()
    if stale:
        st.caption("Downloads and link hold the last complete study.")
    with st.container(horizontal=True, vertical_alignment="center"):
        offer("Study as JSON", codec.to_json(study, state.told()), "study.json")
        offer("Sites as CSV", tables.to_csv(study), "sites.csv")
    if state.STUDY.fits():
        st.caption("The address of this page is a link to this study.")
    else:
        st.caption(
            f"This study is too long for a link ({codec.MAX_LINK:,} characters at most); "
            "use the JSON file."
        )
    place = fold("The lines of Python that reproduce the answer", "lines_fold")
    if place is not None:
        place.code(lines(study), language="python", wrap_lines=True)


def lines(study: Study) -> str:
    """The lines of Python that reproduce the answer; from a file where they would be long."""
    return codec.to_python(study) if len(study.servers) <= MOST_LINES else _FROM_FILE


MOST_LINES = 40
_FROM_FILE = """\
from pathlib import Path
import rates
from rates import codec

study = codec.from_json(Path("study.json").read_bytes())
print(rates.solve(study))  # up to constants and logs
print(rates.calibrated(study))  # a named mechanism, with its constants
"""
