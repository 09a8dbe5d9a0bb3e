"""[KS]: Subsample-Test-Reweigh and private PARITY."""

from sims.ks import reweighting
from sims.ks.parity import PRIVATE_PARITY, design
from sims.ks.reweighting import Run, Setup, halfspaces
from sims.ks.study import (
    CLOSENESS, PARITY, POOLED, REWEIGHTED, RUN_SETTINGS, agrees, privacy_of, setup_of,
)
