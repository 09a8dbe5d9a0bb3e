"""[DPLR]: private transfer logistic regression."""

from sims.dplr import release
from sims.dplr.data import OwnStudy, Sites, own_study, read_sites
from sims.dplr.release import Release
from sims.dplr.solver import Detection, METHODS
from sims.dplr.study import (
    Look, METRICS, PRINTED, PRIVACY, SETTINGS, SYMBOLS, TABLE, TRANSFER, World, look, world_of,
)
