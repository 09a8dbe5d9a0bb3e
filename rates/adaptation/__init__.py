"""[BCMM]: public and private samples of different domains."""

from rates.adaptation.bounds import (
    DescentBound, Movement, descent_bound, movement, records_needed, smoothness,
    steps_needed, weight_gap,
)
from rates.adaptation.budget import (
    COPIES, TrueBudget, deployed_budget, laplace_then, person_budget, printed_mu, true_budget,
    validity_limit,
)
from rates.adaptation.noise import (
    AdaptationDesign, BUDGET, LOSSES, Loss, MIXTURE, NORM_BOUND, PENALTY, PRIVATE, PUBLIC,
    PrintedNoise, descent_sigma, discrepancy_noise, own_sigma, printed_noise,
)
