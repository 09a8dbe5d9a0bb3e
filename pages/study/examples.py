"""Examples as stories: each opens as the current study."""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.core import box, button, shut
from pages.current import state
from rates.study import PRESETS, Preset

_BOX = "examples_box"


def picker() -> None:
    """Offer every example with its story."""
    if not (place := box(_BOX, "Examples", ":material/auto_stories:")).open:
        return
    with place:
        button(
            "Start with an empty table",
            "open_empty",
            _open_empty,
            help="One row for the site the answer is for; add the others below it.",
        )
        for preset in PRESETS:
            st.markdown(f"---\n**{preset.title}.** {preset.story} {words.keyed(preset.provenance)}")
            button(f"Open: {preset.title}", f"open_{preset.key}", _open, preset)


def _open_empty() -> None:
    shut(_BOX)
    state.start_empty()


def _open(preset: Preset) -> None:
    shut(_BOX)
    state.adopt(preset.study, preset.scope)
