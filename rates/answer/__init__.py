"""The two answers to a study: the rate equation and the named mechanisms."""

from rates.answer import compare, terms
from rates.answer.causes import CAUSES, Causes, SETS, error_causes, shapley
from rates.answer.compare import (
    Kept, Survival, Sweep, adds_by_group, largest_apart, mean_noise, mechanism_budgets, survival,
)
from rates.answer.conditions import Condition
from rates.answer.mechanism import (
    BY_EQUATION, DEFAULT_SERIES, KAPPAS, Lens, SeriesConstants, multipliers, noise_factor,
    noise_multipliers, offered_delta, with_offered_delta,
)
from rates.answer.records import (
    Breakdown, FederatedAnswer, Limit, RiskAnswer, TransferAnswer, breakdown,
)
from rates.answer.solve import (
    Cost, Setback, calibrated, privacy_cost, resolution_level, setback, solve, solve_curve,
    solve_D, solve_r, solve_risk,
)
from rates.answer.terms import (
    Balance, Equation, SiteTerm, balance, equation, site_terms,
)
