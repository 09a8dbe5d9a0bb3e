"""Tabs with live runs: what is asked for, the panel that runs it, and the page they make."""

from pages.core.live import page, panel
from pages.core.live.pictures import picture, repeat_lines
from pages.core.live.tab import (
    SHORT, Folded, Item, Missing, Tab, along, draw_fields, kept, repetition, seed,
)
from pages.core.live.tabs import PAGE_SEED, Open, Plan, of_experiment, plan
