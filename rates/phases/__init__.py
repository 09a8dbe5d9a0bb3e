"""Which term decides, and where it changes."""

from rates.phases import cuts, design, homogeneous, maps, public, table_one
from rates.phases.cuts import Cut
from rates.phases.design import Design
from rates.phases.homogeneous import Array, checked
from rates.phases.misprints import disagreement_regions
from rates.phases.public import PublicRegimes, public_regimes
from rates.phases.segments import (
    Endpoints, Regime, end_values, endpoints, governing, intervals, printed_eps21, regimes,
    sequence,
)
from rates.phases.table_one import checked_reading, disagreement
