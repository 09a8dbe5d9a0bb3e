"""A share of yes under privacy: coins in every hand, or noise once on the count."""

from rates.tally.tally import (
    PEOPLE, coin_error, coin_estimate, laplace_error, noise_decay, truth_chance,
)
