"""Answers over what is not known, and the rivals of a study."""

from rates.fit.extremes import (
    Box, Effect, Envelope, Interval, SEARCHED, Spread, box, envelope,
)
from rates.fit.rival_rates import (
    BUDGET, Curator, HOUSE, Outcome, Rival, rivals, strictest,
)
