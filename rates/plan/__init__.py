"""What would improve a study most: levers, sites, mixes and what is needed."""

from rates.plan import base, needs
from rates.plan.answer import plan_answer
from rates.plan.base import fraction_of_risk
from rates.plan.change import ALL, Change, LEVERS, divided, on_offer
from rates.plan.duel import Difference, VersusCurve, differences, firsts, leader, versus_curve
from rates.plan.factors import (
    Aim, Scale, ScaleCurve, in_house, lenses, quantities, scale_curve, scales,
)
from rates.plan.levers_table import LeverRow, LeverTable, levers
from rates.plan.limits import LeverCurve, Saturation, lever_curve, saturation
from rates.plan.mix import Mix, Purchase, cheapest
from rates.plan.needs import Needed, Unreachable, needed, smallest
from rates.plan.offers import Offer, check_site, reach
from rates.plan.sites import (
    NextSite, SiteValue, Worth, best_next, factor_of, site_values, worth,
)
