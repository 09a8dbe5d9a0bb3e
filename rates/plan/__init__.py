"""What would improve a study most: levers, sites, mixes and what is needed."""

from rates.plan import base, needs
from rates.plan.answer import plan_answer
from rates.plan.base import fraction_of_risk
from rates.plan.duel import (
    Change, Duel, VersusCurve, changes, firsts, leader, versus, versus_curve,
)
from rates.plan.factors import (
    Aim, Scale, ScaleCurve, in_house, lenses, quantities, scale_curve, scales, stacked,
)
from rates.plan.lever import ALL, Lever, Needed, Unreachable
from rates.plan.catalogue import LEVERS
from rates.plan.levers_table import LeverRow, LeverTable, levers
from rates.plan.limits import LeverCurve, Saturation, lever_curve, saturation
from rates.plan.mix import Mix, Purchase, cheapest
from rates.plan.needs import needed, smallest
from rates.plan.offers import Offer, check_site, reach
from rates.plan.sites import (
    NextSite, SiteValue, Worth, best_next, factor_of, site_values, worth,
)
