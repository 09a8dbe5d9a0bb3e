"""Ground: tabs with live runs."""

from pages.parts.live import current, page, panel, repeat, sweep
from pages.parts.live.keeping import kept
from pages.parts.live.pictures import picture
from pages.parts.live.plans import PAGE_SEED, Plan, of_experiment, plan
from pages.parts.live.tab import Folded, Item, Missing, Tab, draw_fields, repetition, seed
from pages.parts.live.tabs import Open
