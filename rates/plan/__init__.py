"""What would improve a study most: levers, sites, mixes and what is needed."""

from rates.plan import base, needs
from rates.plan.base import fraction_of_risk
from rates.plan.change import ALL, Change, LEVERS, divided, on_offer
from rates.plan.factors import (
    Aim, Scale, ScaleCurve, in_house, lenses, quantities, scale_curve, scales,
)
from rates.plan.levers_table import (
    LeverCurve, LeverRow, LeverTable, Saturation, lever_curve, levers, saturation,
)
from rates.plan.mix import Mix, Offer, Purchase, cheapest, check_site, reach
from rates.plan.needs import Needed, Unreachable, needed, plan_answer, smallest
from rates.plan.sites import (
    Difference, NextSite, SiteValue, VersusCurve, Worth, best_next, differences, factor_of, firsts,
    leader, site_values, versus_curve, worth,
)
