"""What money buys: totals split over the sites, doubled budgets, cost against sample."""

from rates.split.costs import Frontier, FrontierPoint, frontier
from rates.split.pipes import Taps, taps
from rates.split.totals import SAME, Split, Splits, bounds, split, splits, today
