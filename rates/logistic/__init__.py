"""[DPLR]: the surrogate of the logistic loss and its noise."""

from rates.logistic.law import (
    LAWS, TABLE_1, accuracy, best_accuracy, covariance, direction_error, mixture, shrinkage,
    signal_variance,
)
from rates.logistic.surrogate import (
    Meaning, RADIUS, RECORDS, SCALE, euclidean_sensitivity, joint_sensitivity, meaning,
    record_sum, refined_sensitivity, scale_for,
)
