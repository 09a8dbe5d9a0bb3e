"""[BCMM]: private domain adaptation on simulated and uploaded tables."""

from sims.bcmm import algorithms, data
from sims.bcmm.curves import (
    CLOSENESS, EXACT, GAP, MIXTURE_CURVE, PLAIN, PRIVATE_ROWS, RATE, SCALAR, SOURCE, TABLE,
    TARGET, budget_name, mixture_name, readable, with_table,
)
from sims.bcmm.data import Domains, have_tables, known, read_table
from sims.bcmm.picture import (
    BINS, SAME, TO_SOURCE, TO_TARGET, UNCLEAR, WEIGHTS_SETTINGS, WeightsLook, apart, lowest, move,
    ratio_at, weights_look,
)
