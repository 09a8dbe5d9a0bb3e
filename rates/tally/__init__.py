"""A share of yes under privacy: coins in every hand, or noise once on the count."""

from rates.tally.guesses import best_guess, by_chance, guess_error, laplace_density
from rates.tally.tally import (
    PEOPLE, coin_error, coin_estimate, laplace_error, noise_decay, truth_chance,
)
