"""What money buys: totals split over the sites, doubled budgets, cost against sample."""

from rates.split.pipes import Taps, taps
from rates.split.totals import (
    Frontier, FrontierPoint, SAME, Split, Splits, frontier, split, splits, today,
)
