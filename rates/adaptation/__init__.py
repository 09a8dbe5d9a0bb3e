"""[BCMM]: public and private samples of different domains."""

from rates.adaptation.budget import (
    COPIES, TrueBudget, deployed_budget, person_budget, printed_mu, true_budget, validity_limit,
)
from rates.adaptation.noise import (
    AdaptationDesign, BUDGET, LOSSES, Loss, MIXTURE, NORM_BOUND, PENALTY, PRIVATE, PUBLIC,
    PrintedNoise, descent_noise, discrepancy_noise, printed_noise, smoothness,
)
