"""What would improve a study most: levers, sites, mixes and what is needed."""

from rates.plan import base, needs
from rates.plan.base import fraction_of_risk
from rates.plan.change import ALL, Change, LEVERS, divided, on_offer
from rates.plan.factors import (
    Aim, Scale, in_house, lenses, quantities, scales,
)
from rates.plan.levers_table import LeverCurve, LeverRow, LeverTable, lever_curve, levers
from rates.plan.mix import Mix, Offer, Purchase, cheapest, check_site
from rates.plan.needs import Needed, Unreachable, needed, plan_answer, smallest
from rates.plan.sites import NextSite, best_next
