"""Checks of [ACC] on powers of logarithms and many sources, and those of the ledger on worlds."""

from __future__ import annotations

import math

import numpy as np

from rates.answer import transfer
from rates.ledger.functions.classifier import TESTS as _RISKS
from rates.ledger.functions.hospitals import TESTS as _RECORDS
from rates.ledger.functions.laws import drawn, even, integers, logs, whole
from rates.ledger.functions.transcripts import TESTS as _CELLS
from rates.statements.checks.acc.draws import Checks
from rates.statements.checks.base import Array, Draws, Form, pick

CHECKS = Checks()
CHECKS.update(  # type: ignore[call-overload]
    one_world=_RISKS["one_world"], one_cell=_CELLS["one_cell"], heart=_RECORDS["records"]
)

_polylog_draws = drawn(degree=even(1, 30), beta=even(0.05, 1), d=integers(1, 6), margin=even(0, 1))


@CHECKS.add(_polylog_draws, "in the log of the polynomial over the factor")
def _polylog(draws: Draws, form: Form) -> Array:
    """A power of log N over log(1/delta)^k at delta = e^-N, at the N of the statement."""
    degree, beta, d, margin = pick(draws, "degree beta d margin")
    k = beta * (1 + margin * d / beta) / (2 * beta + d)
    x = np.maximum((degree / k) ** 2, math.e)  # log N, which is log log(1/delta)
    return np.asarray(degree * np.log(x) - k * x)


_many_draws = drawn(
    n=logs(1, 1e6), m=whole(1, 1e6), gamma=even(0.2, 4), beta=even(0.05, 1), d=integers(1, 6)
)


@CHECKS.add(_many_draws, "in the log of a ratio")
def _many_sources(draws: Draws, form: Form) -> Array:
    """Records of the target that m sources are worth by (5), over those of the remark's sum."""
    n, m, g, b, d = pick(draws, "n m gamma beta d")
    column = [x[:, None] for x in (n, np.full_like(n, np.inf), g)]
    r = transfer.solve_r(*column, beta=b[:, None], d=d[:, None], count=m[:, None])
    worth = -(2 * b + d) * np.log(r)
    share = (2 * b + d) / (2 * b * g + d)
    printed = np.log(m) + share * np.log(n)
    return np.asarray(np.abs(worth - printed - (share - 1) * np.log(m)))
