"""Ground: tabs with live runs."""

from pages.core.live import page, panel, repeat, sweep
from pages.core.live.keeping import kept
from pages.core.live.pictures import picture
from pages.core.live.plans import PAGE_SEED, Plan, of_experiment, plan
from pages.core.live.tab import Folded, Item, Missing, Tab, draw_fields, repetition, seed
from pages.core.live.tabs import Open
