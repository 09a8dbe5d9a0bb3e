"""[BCMM]: private domain adaptation on simulated and uploaded tables."""

from sims.bcmm import algorithms, data
from sims.bcmm.curves import (
    CLOSENESS, EXACT, GAP, MIXTURE_CURVE, NEAR, PLAIN, PRIVATE_ROWS, RATE, SCALAR,
    SOURCE, TABLE, TARGET, budget_name, copies_note, mixture_name, readable, with_table,
)
from sims.bcmm.data import Domains, have_tables, known, read_table
from sims.bcmm.picture import (
    BUDGET_SETTINGS, BudgetLook, SAME, TO_SOURCE, TO_TARGET, UNCLEAR, WEIGHTS_SETTINGS, WeightsLook,
    apart, below, budget_look, histogram, lowest, move, ratio_at, share_below, weights_look,
)
