"""Real records of real sites: public data sets, own tables, and what theory says of them."""

from sims.real import classifier, curve
from sims.real.between import Heterogeneity, Test, heterogeneity
from sims.real.design import (
    ASYMPTOTIC, EVERY, HALF, PRIVACY, REAL, SERIES, experiment, sites_of, thresholds,
)
from sims.real.invented import INVENTED, pair
from sims.real.shown import Look, causes, look
from sims.real.sets import (
    Availability, COMMAND, DataSet, LICENCE, PACKAGE, SETS, VERSION, available, data_set, load,
)
from sims.real.sites import KINDS, Kind, SiteRow, Sites
from sims.real.slopes import Factor, Findings, Slope, Spot, findings
from sims.real.results import Stored, stored
from sims.real.study import as_study
from sims.real.table import COLUMNS, HEART, MOST_BYTES, OWN, of_hospitals, read_csv
from sims.real.trial import Parts, Trial, USUAL_DELTA
