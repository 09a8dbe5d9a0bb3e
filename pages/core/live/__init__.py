"""Tabs with live runs: what is asked for, the panel that runs it, and the page they make."""

from pages.core.live import page, panel
from pages.core.live.page import picture, repeat_lines
from pages.core.live.tab import (
    MOST_SEED, PAGE_SEED, SHORT, Folded, Item, Missing, Open, Plan, Tab, along, draw_fields,
    from_text, kept, of_experiment, plan, repetition, seed, to_text,
)
