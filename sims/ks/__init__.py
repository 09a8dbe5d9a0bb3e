"""[KS]: Subsample-Test-Reweigh and private PARITY."""

from sims.ks import reweighting, two_clusters
from sims.ks.parity import PRIVATE_PARITY, design
from sims.ks.reweighting import Run, Setup
from sims.ks.study import (
    CLOSENESS, PARITY, POOLED, REWEIGHTED, RUN_SETTINGS, agrees, privacy_of, setup_of,
)
from sims.ks.two_clusters import halfspaces
