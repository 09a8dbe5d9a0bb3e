"""The experiments that can be run by name, from a page, a file or the command line."""

from __future__ import annotations

from rates.numbers import DomainError
from sims import adaptation, audit, classification, hybrid, logistic, paper_acc, regression
from sims.engine import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    classification.RATE,
    classification.STUDY,
    classification.DESIGN,
    paper_acc.FIGURE_3,
    paper_acc.FIGURE_4,
    paper_acc.FIGURE_5,
    paper_acc.PRICE,
    paper_acc.GROWTH,
    regression.RATE,
    regression.WEIGHTS,
    regression.CONSTANTS,
    regression.LEVELS_EXPERIMENT,
    regression.STUDY,
    logistic.TRANSFER,
    logistic.TABLE,
    adaptation.RATE,
    adaptation.MIXTURE_CURVE,
    adaptation.CLOSENESS,
    adaptation.TABLE,
    hybrid.CLOSENESS,
    hybrid.PARITY,
    hybrid.PRIVATE_PARITY,
    audit.AUDIT,
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
