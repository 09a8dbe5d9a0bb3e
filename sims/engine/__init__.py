"""The engine of experiments: settings, runs, seeds, the gate for noise, and scaling laws."""

from sims.engine import scaling
from sims.engine.experiment import (
    Array, Estimate, Experiment, INTERVAL, Point, REPLICATES, Request, SEED, generator, generators,
    midpoints, quantile,
)
from sims.engine.gate import (
    Account, Law, Release, Spent, account, ahead, choose, each_spent, multiplier, noted, release,
    spent, unit_noise,
)
from sims.engine.live import LiveRun
from sims.engine.pools import Signals, WORKERS, cluster, local_pool
from sims.engine.runs import Progress, run, start
from sims.engine.scaling import Fit, Fitted, LARGEST_ERROR, fit, fits, slope_of
from sims.engine.settings import (
    Choice, Exponents, MOST_ROWS, Number, Numbers, POWERS, Setting, Sweep, Value, Values,
    check_values, grid, rows_of, servers_from,
)
