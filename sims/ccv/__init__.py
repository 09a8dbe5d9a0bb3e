"""[CCV]: the private series estimators and their exact risks."""

from sims.ccv.chains import (
    CONSTANTS, Chain, STEPS, chain, guarantees, run_spent,
)
from sims.ccv.choices import (
    STUDY, WEIGHTS, shares, study_setup, study_values, weights_setup,
)
from sims.ccv.estimator import (
    Level, MOST_DIMENSION, PRIVACY, Plan, Recipe, World, clipped_moments, point_values,
    replicates, targets,
)
from sims.ccv.picture import Look, look, touched
from sims.ccv.rate import (
    BELOW, ExactCurve, FEWEST, LARGEST, M, N, RATE, asymptotic_slopes, elbow, exact_curves,
    exact_fits, on_curve, rate_setup, transcript_noise,
)
from sims.ccv.risk import Sites, oracle_dimension, plan, series_constants, site_weights, sites_of
from sims.ccv.settings import (
    BUDGET, LOSS, NOISE, Setup, THRESHOLD, WORLD_SETTINGS, alike, groups, recipe_of, world_of,
)
