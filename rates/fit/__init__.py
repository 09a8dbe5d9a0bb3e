"""Answers over what is not known, and the rivals of a study."""

from rates.fit import elicit
from rates.fit.elicit import read_pilot
from rates.fit.extremes import Effect, Envelope, Interval, SEARCHED, Spread, envelope
from rates.fit.ranges import Box, box
from rates.fit.rival_basis import (
    BUDGET, Curator, HOUSE, KINDS, Promise, in_house, kept_in_house, one_site, promise, strictest,
)
from rates.fit.rival_rates import Outcome, Rival, pooled_designs, rivals

