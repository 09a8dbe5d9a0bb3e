"""[KS]: volunteers and users."""

from rates.hybrid import needs, parity
from rates.hybrid.design import (
    ACCURACY, BUDGET, COORDINATES, Divergences, FIELDS, HybridDesign, MEAN_SQUARE, SHARE, SPREAD,
    USERS, USERS_PER_TEST, VOLUNTEERS, of_clusters, of_gaussians, of_tables,
)
from rates.hybrid.needs import (
    DENSITY, ROUNDS, STRATEGIES, Strategy, WORLD, binomial, check_run, composed_epsilon, project,
    step_epsilon, strategies,
)
from rates.hybrid.parity import (
    BITS, LARGEST_BUDGET, RARE, checked_budget, failure_chance, learner_chance, run_chance,
)
