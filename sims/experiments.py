"""The experiments that can be run by name, from a page, a file or the command line."""

from __future__ import annotations

from rates.numbers import DomainError
from sims.adaptation import CLOSENESS as ADAPTATION_CLOSENESS
from sims.adaptation import MIXTURE_CURVE as ADAPTATION_MIXTURE
from sims.adaptation import RATE as ADAPTATION_RATE
from sims.adaptation import TABLE as ADAPTATION_TABLE
from sims.classification import DESIGN as CLASSIFICATION_DESIGN
from sims.classification import RATE as CLASSIFICATION_RATE
from sims.classification import STUDY as CLASSIFICATION_STUDY
from sims.engine import Experiment
from sims.hybrid import CLOSENESS as HYBRID_CLOSENESS
from sims.hybrid import PARITY as HYBRID_PARITY
from sims.hybrid import PRIVATE_PARITY as HYBRID_PRIVATE_PARITY
from sims.logistic import TABLE as LOGISTIC_TABLE
from sims.logistic import TRANSFER as LOGISTIC_TRANSFER
from sims.paper_acc import FIGURE_3, FIGURE_4, FIGURE_5
from sims.paper_acc import PRICE as ADAPTIVE_PRICE
from sims.regression import CONSTANTS as REGRESSION_CONSTANTS
from sims.regression import LEVELS_EXPERIMENT as REGRESSION_LEVELS
from sims.regression import RATE as REGRESSION_RATE
from sims.regression import STUDY as REGRESSION_STUDY
from sims.regression import WEIGHTS as REGRESSION_WEIGHTS

EXPERIMENTS: tuple[Experiment, ...] = (
    CLASSIFICATION_RATE,
    CLASSIFICATION_STUDY,
    CLASSIFICATION_DESIGN,
    FIGURE_3,
    FIGURE_4,
    FIGURE_5,
    ADAPTIVE_PRICE,
    REGRESSION_RATE,
    REGRESSION_WEIGHTS,
    REGRESSION_CONSTANTS,
    REGRESSION_LEVELS,
    REGRESSION_STUDY,
    LOGISTIC_TRANSFER,
    LOGISTIC_TABLE,
    ADAPTATION_RATE,
    ADAPTATION_MIXTURE,
    ADAPTATION_CLOSENESS,
    ADAPTATION_TABLE,
    HYBRID_CLOSENESS,
    HYBRID_PARITY,
    HYBRID_PRIVATE_PARITY,
)


def find(name: object) -> Experiment:
    """Return the experiment of this name.

    Raises:
        DomainError: There is none.
    """
    for experiment in EXPERIMENTS:
        if experiment.name == name:
            return experiment
    known = ", ".join(f'"{experiment.name}"' for experiment in EXPERIMENTS) or "none yet"
    rule = f"The experiment must be one of those that `python -m sims list` shows ({known})."
    raise DomainError(rule, field="experiment", value=name)
