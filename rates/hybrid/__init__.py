"""[KS]: volunteers and users."""

from rates.hybrid import divergence, needs, parity, parity_learner, privacy
from rates.hybrid.design import (
    ACCURACY, BUDGET, FIELDS, HybridDesign, MEAN_SQUARE, USERS, USERS_PER_TEST, VOLUNTEERS,
)
from rates.hybrid.divergence import COORDINATES, Divergences, SHARE, SPREAD
from rates.hybrid.methods import (
    Circumstances, DENSITY, ROUNDS, STRATEGIES, Strategy, WORLD, strategies,
)
from rates.hybrid.needs import check_run
from rates.hybrid.parity import BITS, RARE, failure_chance
from rates.hybrid.parity_learner import LARGEST_BUDGET, checked_budget, learner_chance, run_chance
from rates.hybrid.privacy import composed_epsilon, step_epsilon
from rates.hybrid.weights import project
