"""[ACC]: the private kernel classifier, its worlds, and the experiments of the paper."""

from sims.acc.kernel import (
    Group, KERNELS, Kernel, TRIANGULAR, excess_risk, matched_weights, profile, sensitivity,
)
from sims.acc.lattice import RECORDS, box, make_lattice, excess_risks, statistics, triangular_path
from sims.acc.risk import lattice_risk
from sims.acc.screen import draw_records, make_screen, release
from sims.acc.worlds import Cusp, Quadrants, World, study_on
from sims.acc.rate import (
    BUDGET, GAMMA, PRIVACY, RATE, RULES, SIZES, STUDY, Trial, WORLDS, asymptotic_slopes, lattice_of,
    rate_spent, row_pools, study_spent, study_values,
)
from sims.acc.design import PICTURED, Picture, WORLD, draw_once, look_at, sensitivity_inflation
from sims.acc import adaptive, adaptive_price, figures, histogram, hospitals
from sims.acc.adaptive import ADAPTIVE_RULES, SPLITS, grid
from sims.acc.adaptive_price import (
    ADAPTIVE, ALGORITHM, BASE, BASES, GROWTH, ORACLE, PRICE, Price, SPLIT, price_spent, prices,
)
from sims.acc.verdicts import Claim, claims
from sims.acc.figures import FIGURE_3, FIGURE_4, FIGURE_5
from sims.acc.heart import COVARIATES, Hospital, LABEL, read_hospital
from sims.acc.hospitals import BASELINE, METRICS, Wards
