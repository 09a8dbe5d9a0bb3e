"""Maps: which term decides, what binds, and where it changes."""

from rates.maps import alike, design, phases, table_one
from rates.maps.alike import (
    Branch, Curve, Detail, along, elbow, equal_servers, homogeneous_D, sweep, value_of,
)
from rates.maps.design import Design
from rates.maps.moved import Axis, Moved, around, choices, usual, value
from rates.maps.phases import (
    Endpoints, Regime, checked, endpoints, gamma_regions, governing, printed_eps21, regimes,
    sequence,
)
from rates.maps.study_regions import (
    Label, Standing, Stretch, StudyMap, TRIVIAL, standing, study_map,
)
from rates.maps.table_one import checked_reading, disagreement, disagreement_regions, public_source
