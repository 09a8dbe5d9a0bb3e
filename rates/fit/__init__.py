"""Answers over what is not known, and the rivals of a study."""

from rates.fit import elicit
from rates.fit.elicit import read_pilot
from rates.fit.extremes import (
    Box, Effect, Envelope, Interval, SEARCHED, Spread, box, envelope,
)
from rates.fit.rival_rates import (
    BUDGET, Curator, HOUSE, KINDS, Outcome, Promise, Rival, in_house, kept_in_house, one_site,
    pooled_designs, promise, rivals, strictest,
)
