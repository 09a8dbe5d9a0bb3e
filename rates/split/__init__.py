"""What money buys: totals split over the sites, doubled budgets."""

from rates.split.pipes import Taps, taps
from rates.split.totals import SAME, Split, split, today
