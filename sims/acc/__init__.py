"""[ACC]: the private kernel classifier, its worlds, and the experiments of the paper."""

from sims.acc.rate import Kink, kinks
from sims.acc.design import DESIGN, WORLD
from sims.acc.kernel import (
    Group, KERNELS, Kernel, TRIANGULAR, excess_risk, matched_weights,
    oracle_bandwidth, oracle_weights, profile, sensitivity, tally, weight_curve,
)
from sims.acc.lattice import RECORDS, box, excess_risks, make_lattice, statistics
from sims.acc.paths import JITTER, triangular_path
from sims.acc.picture import Picture, draw_once, look_at, sensitivity_inflation
from sims.acc.rate import RATE, SIZES, asymptotic_slopes, rate_spent
from sims.acc.risk import lattice_risk
from sims.acc.screen import (
    BANDWIDTHS, Releases, Screen, draw_records, make_screen, pair_risks, release,
)
from sims.acc.study import RULES, STUDY, study_spent, study_trial, study_values
from sims.acc.trials import (
    BUDGET, GAMMA, PRIVACY, Trial, WORLDS, lattice_of, row_pools, sample_of,
)
from sims.acc.worlds import Cusp, Quadrants, World, study_on
from sims.acc import adaptive_design, adaptive_price, figures, histogram, hospitals
from sims.acc.adaptive import ADAPTIVE_RULES, SPLITS, grid
from sims.acc.adaptive_growth import GROWTH
from sims.acc.adaptive_price import (
    ADAPTIVE, ALGORITHM, BASE, ORACLE, PRICE, Price, SPLIT, price_spent, prices,
)
from sims.acc.verdicts import Claim, claims
from sims.acc.figures import FIGURE_3, FIGURE_4, FIGURE_5
from sims.acc.heart import COVARIATES, Hospital, LABEL, read_hospital
from sims.acc.hospitals import BASELINE, METRICS, Setting, Wards
