"""Real records of real sites: public data sets, own tables, and what theory says of them."""

from sims.real.between import Heterogeneity, Test, heterogeneity
from sims.real.curve import truth_of
from sims.real.design import (
    ASYMPTOTIC, PRIVACY, REAL, SERIES, experiment, sites_of, thresholds, trial_of,
)
from sims.real.look import Look, as_study, causes, look
from sims.real.slopes import Factor, Findings, Slope, findings
from sims.real.invented import INVENTED
from sims.real.sets import (
    Availability, COMMAND, DataSet, LICENCE, PACKAGE, SETS, VERSION, available, data_set, load,
)
from sims.real.sites import KINDS, Kind, SiteRow, Sites
from sims.real.table import COLUMNS, MOST_BYTES, read_csv
from sims.real.trial import Parts
