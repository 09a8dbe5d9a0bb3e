"""[KS]: Subsample-Test-Reweigh and private PARITY."""

from sims.hybrid import reweighting, two_clusters
from sims.hybrid.parity import PRIVATE_PARITY, design
from sims.hybrid.reweighting import Run, Setup
from sims.hybrid.study import (
    CLOSENESS, PARITY, POOLED, REWEIGHTED, RUN_SETTINGS, agrees, privacy_of, setup_of,
)
from sims.hybrid.two_clusters import halfspaces
