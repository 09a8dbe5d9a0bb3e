"""The experiments that can be run by name, from a page, a file or the command line."""

from __future__ import annotations

from rates.parameters import DomainError
from sims.classification import RATE as CLASSIFICATION_RATE
from sims.classification_design import DESIGN as CLASSIFICATION_DESIGN
from sims.classification_study import STUDY as CLASSIFICATION_STUDY
from sims.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    CLASSIFICATION_RATE,
    CLASSIFICATION_STUDY,
    CLASSIFICATION_DESIGN,
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
