"""What would improve a study most: levers, sites, mixes and what is needed."""

from __future__ import annotations

from rates.plan import inverse, levers_table
from rates.plan.answer import plan_answer
from rates.plan.duel import Duel, VersusCurve, versus
from rates.plan.goal import fraction_of_risk, fraction_of_sample
from rates.plan.inverse import ALL, Unreachable, smallest
from rates.plan.lever import LEVERS, Needed, WHOLE
from rates.plan.levers_table import Lever, LeverTable, levers, needed
from rates.plan.limits import LeverCurve, Saturation, saturation
from rates.plan.mix import Mix, cheapest
from rates.plan.offers import Offer, check_site
from rates.plan.sites import NextSite, SiteValue, Worth, best_next, site_values, worth
