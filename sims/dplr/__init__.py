"""[DPLR]: private transfer logistic regression."""

from sims.dplr import release
from sims.dplr.data import OwnStudy, Sites, own_study, read_sites
from sims.dplr.study import Look, SETTINGS, Source, look, sources_of
from sims.dplr.release import Release
from sims.dplr.study import KEPT, METRICS, PRINTED, PRIVACY, TABLE, TRANSFER, world_of
from sims.dplr.transfer import Detection, METHODS
from sims.dplr.world import World
