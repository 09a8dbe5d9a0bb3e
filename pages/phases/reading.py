"""Which reading of the printed Table 1 the map shows hatched: kept, and shared by ``?table=``."""

from __future__ import annotations

import streamlit as st

from pages.charts import phase_maps
from pages.core import Menu, Single, choice

NONE = "none"


def _opened(before: str, now: str) -> None:
    if now != NONE:  # the table is about the first map
        memory = st.session_state
        memory["phase_view"], memory["phase_axes"] = "map", next(iter(phase_maps.AXES))


READING = Single(
    parameter="table",
    start=NONE,
    settings=(
        choice(
            "table",
            phase_maps.READINGS,
            "In our text the first row of the table has three cells for four columns. The text "
            "below it says that A is meant; B is only what the lost columns would allow. Hatched: "
            "where that reading names a term that does not decide.",
        ),
    ),
    noun="The address",
    refused="The table in the address could not be shown.",
    opened=_opened,
)
BOX = Menu("table", "Table 1 as printed", phase_maps.READINGS)
