"""What money buys: totals split over the sites, steps of one budget, cost against sample."""

from rates.split.costs import Frontier, FrontierPoint, frontier
from rates.split.pipes import Taps, taps
from rates.split.steps import Rise, rises
from rates.split.totals import SAME, Split, Splits, bounds, split, splits, today
