"""The experiments that can be run by name, from a page, a file or the command line."""

from __future__ import annotations

from rates.numbers import DomainError
from sims import acc, audit, bcmm, cac, ccv, dplr, ks, real
from sims.engine import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (
    acc.RATE,
    acc.STUDY,
    acc.FIGURE_3,
    acc.FIGURE_4,
    acc.FIGURE_5,
    acc.PRICE,
    acc.GROWTH,
    ccv.RATE,
    ccv.WEIGHTS,
    ccv.CONSTANTS,
    ccv.STUDY,
    dplr.TRANSFER,
    dplr.TABLE,
    bcmm.RATE,
    bcmm.MIXTURE_CURVE,
    bcmm.CLOSENESS,
    bcmm.TABLE,
    ks.CLOSENESS,
    ks.PARITY,
    cac.SPLIT,
    audit.AUDIT,
    real.REAL,
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
