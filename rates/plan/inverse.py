r"""The rate equations the other way round: the smallest size or budget that reaches a rate.

At the root that belongs to a rate, every site's term is known, so one unknown site is asked for
what the others leave to be covered,

.. math:: \text{need} = \Bigl(1 - \sum_{i \ne j} T_i\Bigr)_+,

and its own minimum is solved by hand. A common size is the root of the same kind of equation as
the rate itself, with slopes 1 and 2 in log n; a common budget enters through min(A, B ε²), which
is solved exactly between the budgets at which sites saturate.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rates.answer import federated, transfer
from rates.numbers import DomainError, Terms, Words, at_root, make_terms, safe_exp, solve_log
from rates.study import FederatedStudy, Study, TransferStudy, columns

Array = NDArray[np.float64]

QUANTITIES = ("n", "epsilon")
ALL = "all"


class Unreachable(ValueError):  # noqa: N818 (a public name)
    """No value of the quantity reaches the rate; the message says what remains out of reach.

    Attributes:
        best: The rate that an infinite value would give.
    """

    def __init__(self, message: str, best: float) -> None:
        self.best = best
        super().__init__(message)


def smallest(study: Study, quantity: str, servers: str, *, rate: float) -> float:
    """Return the smallest size or budget at which the rate equation reaches a rate.

    Args:
        study: A study; for a federated one the rate is that of the integrated risk.
        quantity: "n" or "epsilon".
        servers: A row's name, or "all" for one common value: of every row's n, or of every
            private row's epsilon (unprotected rows stay so).
        rate: The rate wanted, in (0, 1).

    Returns:
        A real number; 0 if the rate is reached without those servers. With count > 1 the value
        is that of each of the row's servers.

    Raises:
        DomainError: An argument lies outside its set, or no row has that name.
        Unreachable: Even an infinite value does not reach the rate.

    Examples:
        A lone unprotected target needs n = r^-(2 beta + d) = 1000 for r = 0.1.

        >>> from rates.study.scenario import Server
        >>> lone = Server(name="target", n=50, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=1, dimension=1, margin=0)
        >>> round(smallest(study, "n", "target", rate=0.1), 9)
        1000.0

    Source: [ACC] eqs. (5), (6); [CCV] eq. (14), solved for one unknown.
    """
    if quantity not in QUANTITIES:
        rule = "The quantity must be n or epsilon."
        raise DomainError(rule, field="quantity", value=quantity)
    terms, u = _problem(study, rate)
    if servers == ALL:
        log_value, log_best = _common(study, terms, u, quantity)
    else:
        log_value, log_best = _single(terms, u, quantity, _row(study, servers))
    if math.isinf(log_value) and log_value > 0:
        best = safe_exp(min(0.0, _power(study) * log_best))
        who = "all of them" if servers == ALL else servers
        if quantity == "epsilon" and best > rate:
            why = f"even without privacy at {who} the rate is {best:.4g}"
        else:
            why = f"{who} can add nothing, and without them the rate is {best:.4g}"
        raise Unreachable(f"A rate of {rate:.4g} is out of reach: {why}.", best)
    return safe_exp(log_value)


def _power(study: Study) -> float:
    """The power of r = 1/D that is the rate."""
    if isinstance(study, TransferStudy):
        return transfer.rate_power(study)
    return 2.0 * study.smoothness


def check_rate(rate: float) -> None:
    """Raise `DomainError` unless a wanted rate lies in (0, 1)."""
    number = isinstance(rate, int | float) and not isinstance(rate, bool)
    if not number or not 0.0 < rate < 1.0:
        raise DomainError("Target rate must be between 0 and 1.", field="rate", value=rate)


def _problem(study: Study, rate: float) -> tuple[Terms, float]:
    """Return the equation and the log of the root that the rate belongs to."""
    check_rate(rate)
    if isinstance(study, FederatedStudy):
        terms = federated.rate_terms(study, study.smoothness)
    else:
        terms = transfer.rate_terms(study)
    return terms, math.log(rate) / _power(study)


def _row(study: Study, name: str) -> int:
    names = [server.name for server in study.servers]
    if name not in names:
        rule = f"The row must be one of {', '.join(names)}, or all."
        raise DomainError(rule, field="servers", value=Words(name))
    return names.index(name)


def _log1m_sum(levels: Array) -> float:
    """Log of 1 - sum exp(levels); minus infinity where the sum is at least 1."""
    rest = 1.0 - math.fsum(np.exp(np.minimum(levels, 1.0)))
    return math.log(rest) if rest > 0 else -math.inf


def _single(terms: Terms, u: float, quantity: str, j: int) -> tuple[float, float]:
    """Return the log of one row's smallest value, and log r at an infinite value."""
    levels, _ = at_root(terms, u)
    need = _log1m_sum(np.delete(levels, j))
    size, budget, slope, step, many = (
        float(np.broadcast_to(piece, terms.shape)[j])
        for piece in (
            terms.log_size,
            terms.log_budget,
            terms.slope,
            terms.step,
            terms.log_sample,
        )
    )
    if math.isinf(need):
        return -math.inf, math.inf
    if quantity == "n":
        if math.isinf(budget) and budget < 0:
            return math.inf, float(solve_log(_without(terms, j)))
        public = need - slope * u - many
        private = (need - (slope + step) * u - many) / 2.0 - budget
        return max(public, private), -math.inf
    if need > many + size + slope * u:
        return math.inf, float(solve_log(_unprotected(terms, np.arange(terms.shape[-1]) == j)))
    return (need - (slope + step) * u - many) / 2.0 - size, -math.inf


def _common(study: Study, terms: Terms, u: float, quantity: str) -> tuple[float, float]:
    """Return the log of the smallest common value, and log r at an infinite value."""
    c = columns(study.servers)
    slope = np.broadcast_to(terms.slope, terms.shape)
    step = np.broadcast_to(terms.step, terms.shape)
    many = np.log(c["count"])
    with np.errstate(divide="ignore"):
        budget = np.log(c["epsilon"])
    if quantity == "n":
        # min(A n, B n²) has slopes 1 and 2 in log n: the kernel's own shape.
        one = np.zeros(terms.shape)
        equation = make_terms(one, budget, 1.0, 1.0, many + slope * u, many + (slope + step) * u)
        return float(solve_log(equation)), math.inf
    private_rows = np.isfinite(c["epsilon"])
    levels, _ = at_root(terms, u)
    need = _log1m_sum(levels[~private_rows])
    if math.isinf(need):
        return -math.inf, math.inf
    with np.errstate(divide="ignore"):
        size = np.log(c["n"][private_rows])
    keep = np.isfinite(size)
    a = (many + slope * u)[private_rows][keep] + size[keep]
    b = (many + (slope + step) * u)[private_rows][keep] + 2.0 * size[keep]
    log_square = capped_sum_root(a, b, need)
    if math.isinf(log_square):
        return math.inf, float(solve_log(_unprotected(terms, private_rows)))
    return log_square / 2.0, -math.inf


def capped_sum_root(a: Array, b: Array, level: float) -> float:
    """Return x, least with sum_i min(e^a_i, e^(b_i + x)) >= e^level; infinity if there is none."""
    order = np.argsort(a - b)
    flat = np.concatenate([[-np.inf], np.logaddexp.accumulate(a[order])]) if a.size else a
    if not a.size or flat[-1] < level:
        return math.inf
    rising = np.logaddexp.accumulate(b[order][::-1])[::-1]
    # Between the k-th and the next saturation, k terms are flat and the others rise.
    for k in range(a.size):
        rest = level + math.log(-math.expm1(flat[k] - level)) if flat[k] < level else -math.inf
        x = rest - float(rising[k])
        if x <= float((a - b)[order][k]):
            return x
    return float((a - b)[order][-1])


def _unprotected(terms: Terms, rows: NDArray[np.bool_]) -> Terms:
    """The equation with infinite budgets at some rows."""
    budget = np.where(rows, np.inf, np.broadcast_to(terms.log_budget, terms.shape))
    return make_terms(
        terms.log_size, budget, terms.slope, terms.step, terms.log_sample, terms.log_private
    )


def _without(terms: Terms, j: int) -> Terms:
    """The equation without one row's term."""
    size = np.where(np.arange(terms.shape[-1]) == j, -np.inf, terms.log_size)
    return make_terms(
        size, terms.log_budget, terms.slope, terms.step, terms.log_sample, terms.log_private
    )
