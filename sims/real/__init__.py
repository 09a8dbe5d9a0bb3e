"""Real records of real sites: public data sets, own tables, and what theory says of them."""

from sims.real import classifier, curve
from sims.real.design import (
    ASYMPTOTIC, EVERY, HALF, Look, PRIVACY, REAL, SERIES, causes, experiment, look, sites_of,
    thresholds,
)
from sims.real.findings import (
    Factor, Findings, Heterogeneity, Slope, Stored, findings, heterogeneity, stored,
)
from sims.real.sets import (
    COMMAND, DataSet, LICENCE, PACKAGE, SETS, VERSION, available, data_set, load,
)
from sims.real.sites import KINDS, Kind, Sites
from sims.real.table import (
    COLUMNS, INVENTED, MOST_BYTES, OWN, pair, read_csv,
)
from sims.real.trial import Parts, Trial, USUAL_DELTA, as_study
