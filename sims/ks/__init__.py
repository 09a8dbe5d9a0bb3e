"""[KS]: Subsample-Test-Reweigh, and PARITY."""

from sims.ks import reweighting
from sims.ks.parity import PARITY, agrees
from sims.ks.reweighting import Run, Setup
from sims.ks.study import CLOSENESS, POOLED, REWEIGHTED, RUN_SETTINGS, privacy_of, setup_of
