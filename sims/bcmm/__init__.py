"""[BCMM]: private domain adaptation on simulated and uploaded tables."""

from sims.bcmm import algorithms, data
from sims.bcmm.curves import (
    CLOSENESS, EXACT, GAP, MIXTURE_CURVE, PLAIN, PRIVATE_ROWS, RATE, SCALAR, SOURCE, TABLE,
    TARGET, budget_name, readable, with_table,
)
from sims.bcmm.data import Domains, have_tables, known, read_table
from sims.bcmm.picture import (
    BINS, WEIGHTS_SETTINGS, WeightsLook, apart, ratio_at, weights_look,
)
