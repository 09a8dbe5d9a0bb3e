"""[BCMM]: private domain adaptation on simulated and uploaded tables."""

from sims.bcmm import data, fit
from sims.bcmm.compare import (
    SAME, TO_SOURCE, TO_TARGET, UNCLEAR, apart, below, lowest, move, ratio_at,
)
from sims.bcmm.curves import (
    CLOSENESS, EXACT, GAP, MIXTURE_CURVE, NEAR, PLAIN, RATE, SCALAR, SOURCE, TARGET,
    budget_name, mixture_name, readable,
)
from sims.bcmm.data import Domains, have_tables, known, read_table
from sims.bcmm.picture import (
    BUDGET_SETTINGS, BudgetLook, WEIGHTS_SETTINGS, WeightsLook, budget_look, histogram, share_below,
    weights_look,
)
from sims.bcmm.tables import PLAIN_ROWS, PRIVATE_ROWS, TABLE, copies_note, with_table
