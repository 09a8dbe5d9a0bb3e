"""The two answers to a study: the rate equation and the named mechanisms."""

from rates.answer import compare, cost, federated, sides, terms, transfer
from rates.answer.by_site import (
    Kept, Survival, adds_by_group, largest_apart, mean_noise, survival,
)
from rates.answer.causes import CAUSES, Causes, SETS, error_causes, shapley
from rates.answer.compare import Sweep, mechanism_budgets
from rates.answer.cost import Cost, Setback, privacy_cost, setback
from rates.answer.federated import (
    all_private_D, dominating, privacy_binds_everywhere, resolution_level, solve_D,
)
from rates.answer.lens import BY_EQUATION, DEFAULT_SERIES, KAPPAS, Lens, SeriesConstants
from rates.answer.mechanism import (
    constants, multipliers, noise_factor, noise_multipliers, offered_delta,
    with_offered_delta,
)
from rates.answer.records import (
    Breakdown, Condition, FederatedAnswer, Limit, RiskAnswer, TransferAnswer, breakdown,
)
from rates.answer.sides import Balance
from rates.answer.studies import calibrated, solve, solve_risk
from rates.answer.terms import Equation, SiteTerm, equation
from rates.answer.transfer import solve_r
