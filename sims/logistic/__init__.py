"""[DPLR]: private transfer logistic regression."""

from sims.logistic import release
from sims.logistic.data import OwnStudy, Sites, own_study, read_sites
from sims.logistic.study import Look, SETTINGS, Source, look
from sims.logistic.release import Release
from sims.logistic.study import KEPT, METRICS, PRINTED, PRIVACY, TABLE, TRANSFER, world_of
from sims.logistic.transfer import METHODS
from sims.logistic.world import World
