"""The experiments of [ACC]: adaptive rules, Figures 3 to 5, heart disease."""

from sims.paper_acc import adaptive_design, adaptive_price, figures, histogram, hospitals
from sims.paper_acc.adaptive import RULES, SPLITS, grid
from sims.paper_acc.adaptive_growth import GROWTH
from sims.paper_acc.adaptive_price import (
    ADAPTIVE, ALGORITHM, BASE, ORACLE, PRICE, Price, SPLIT, price_spent, prices,
)
from sims.paper_acc.figure_claims import Claim, claims
from sims.paper_acc.figures import FIGURE_3, FIGURE_4, FIGURE_5
from sims.paper_acc.heart import COVARIATES, Hospital, LABEL, read_hospital
from sims.paper_acc.hospital_text import hospital_claims
from sims.paper_acc.hospitals import BASELINE, METRICS, Setting, Wards
