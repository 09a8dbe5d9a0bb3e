"""A lever as one record: every record is measured more than once."""

from __future__ import annotations

import numpy as np

from rates.numbers import Parameter, Terms
from rates.plan import Change
from rates.plan.base import Basis


def visits(own: Basis, x: np.ndarray) -> Terms:
    """Every record measured x times: the sample counts x-fold, the noise stays."""
    return own.terms.changed(log_sample=own.terms.log_sample + np.log(x))


TOY = Change(
    name="visits",
    title="Visits per record",
    words="{site} needs {value} visits per record",
    domain=Parameter("visits", "v", "[1, inf)", help="How often a record is measured."),
    change=visits,
    now=lambda server: 1.0,
    unlimited="with any number of visits",
    grown="the visits of every record",
    unit="visits",
    bought="{amount} more visits at {site}",
    total="Visits",
    assumed=(0.1, 10.0),
)
