"""[KS]: volunteers and users."""

from rates.hybrid import needs, parity
from rates.hybrid.design import (
    ACCURACY, BUDGET, FIELDS, HybridDesign, MEAN_SQUARE, SHARE, USERS, USERS_PER_TEST, VOLUNTEERS,
    of_tables,
)
from rates.hybrid.needs import (
    DENSITY, ROUNDS, STRATEGIES, Strategy, WORLD, binomial, check_run, composed_epsilon, project,
    step_epsilon, strategies,
)
from rates.hybrid.parity import BITS, RARE, failure_chance
