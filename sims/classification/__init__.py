"""[ACC]: the private kernel classifier and its worlds."""

from sims.classification.rate import Kink, kinks
from sims.classification.design import DESIGN, WORLD
from sims.classification.kernel import (
    Group, KERNELS, Kernel, TRIANGULAR, excess_risk, matched_weights,
    oracle_bandwidth, oracle_weights, profile, sensitivity, tally, weight_curve,
)
from sims.classification.lattice import RECORDS, box, excess_risks, make_lattice, statistics
from sims.classification.paths import JITTER, triangular_path
from sims.classification.picture import Picture, draw_once, look_at, sensitivity_inflation
from sims.classification.rate import RATE, SIZES, asymptotic_slopes, rate_spent
from sims.classification.risk import lattice_risk
from sims.classification.screen import (
    BANDWIDTHS, Releases, Screen, draw_records, make_screen, pair_risks, release,
)
from sims.classification.study import RULES, STUDY, study_spent, study_trial, study_values
from sims.classification.trials import (
    BUDGET, GAMMA, PRIVACY, Trial, WORLDS, lattice_of, row_pools, sample_of,
)
from sims.classification.worlds import Cusp, Quadrants, World, study_on
