"""Ground: settings, experiments, runs, seeds, noise and scaling laws."""

from sims.engine import scaling
from sims.engine.experiment import (
    Array, Estimate, Experiment, INTERVAL, Point, REPLICATES, Request, SEED, quantile,
)
from sims.engine.gate import (
    Account, Law, Release, account, ahead, choose, noted, release, unit_noise,
)
from sims.engine.live import LiveRun
from sims.engine.gate import Spent, each_spent, multiplier, spent
from sims.engine.pools import Signals, WORKERS, cluster, local_pool
from sims.engine.settings import MOST_ROWS, rows_of, servers_from
from sims.engine.runs import Budget, Progress, run, start
from sims.engine.scaling import Fit, Fitted, LARGEST_ERROR, fit, fits, slope_of
from sims.engine.experiment import generator, generators
from sims.engine.settings import Choice, Number, Numbers, Setting, Value, Values, check_values
from sims.engine.settings import Exponents, POWERS, Sweep, grid
