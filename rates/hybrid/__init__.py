"""[KS]: volunteers and users."""

from rates.hybrid import divergence, needs, parity, privacy
from rates.hybrid.design import (
    ACCURACY, BUDGET, FIELDS, HybridDesign, MEAN_SQUARE, USERS, USERS_PER_TEST, VOLUNTEERS,
)
from rates.hybrid.divergence import COORDINATES, Divergences, SHARE, SPREAD
from rates.hybrid.needs import (
    Circumstances, DENSITY, ROUNDS, STRATEGIES, Strategy, WORLD, check_run, strategies,
)
from rates.hybrid.parity import (
    BITS, LARGEST_BUDGET, RARE, checked_budget, failure_chance, learner_chance, run_chance,
)
from rates.hybrid.privacy import binomial, composed_epsilon, project, step_epsilon
