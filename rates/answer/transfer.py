r"""[ACC]: the r equation (5), the rate (6), and the bandwidth equation (11)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import records
from rates.answer.lens import BY_EQUATION, Lens
from rates.answer.mechanism import guarantee
from rates.answer.mechanism import scale as mechanism_scale
from rates.answer.terms import Equation, equation
from rates.numbers import check_array, listed, make_terms, safe_exp, solve_log
from rates.study import TransferStudy

Array = NDArray[np.float64]


def solve_r(
    n: ArrayLike,
    epsilon: ArrayLike,
    gamma: ArrayLike,
    *,
    beta: ArrayLike,
    d: ArrayLike,
    rhs: ArrayLike = 1.0,
    count: ArrayLike = 1,
) -> Array:
    r"""Solve the rate equation of [ACC] for r, for one study or a whole grid of them.

    .. math::
        \sum_{j=0}^m (n_j \wedge n_j^2 \varepsilon_j^2 r^d)\, r^{2\beta\gamma_j + d}
        = \text{rhs}.

    The left side rises from 0 to infinity, so the root is unique.

    Args:
        n: Records per server, any real >= 0. The last axis of every array argument runs
            over the servers, target first with gamma 1 (not checked here).
        epsilon: Budgets >= 0; ``inf`` is an unprotected server.
        gamma: Relative signal exponents > 0.
        beta: Smoothness > 0; a scalar, or an array whose last axis has length 1.
        d: Dimension > 0; likewise.
        rhs: Right side > 0; 1 is (5), log(2/delta_min) is (11); likewise.
        count: How many identical servers an entry stands for.

    Returns:
        r, uncapped, with the broadcast shape less its last axis; ``inf`` where no server
        carries information.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        A lone unprotected target has r = n^(-1/(2 beta + d)).

        >>> float(solve_r(10_000, float("inf"), 1, beta=1, d=2).round(12))
        0.1

    Source: [ACC] Theorem 3.4, eq. (5); eq. (11). Constants and L_N are not part of r.
    """
    size = check_array("n", n, zero=True)
    budget = check_array("epsilon", epsilon, zero=True, infinite=True)
    exponent = check_array("gamma", gamma)
    many = check_array("count", count, zero=True)
    smooth = check_array("beta", beta, single=True)
    dim = check_array("d", d, single=True)
    right = check_array("rhs", rhs, single=True)
    with np.errstate(divide="ignore", over="ignore"):
        terms = make_terms(
            np.log(size),
            np.log(budget),
            2.0 * smooth * exponent + dim,
            dim,
            *(2 * [np.log(many) - np.log(right)]),
        )
        return np.asarray(np.exp(solve_log(terms)))


def solve(study: TransferStudy, lens: Lens = BY_EQUATION) -> records.TransferAnswer:
    r"""Solve (5) for a study and say who carries the rate and what binds each site.

    .. math:: \text{rate} = \min(1, r^{\beta(1+\alpha)}), \qquad
        n_{\mathrm{eff}} = r^{-(2\beta+d)}.

    Args:
        study: A study.
        lens: The rate equation, or a named mechanism whose constants are then part of (5).

    Returns:
        A record on the scale "up to constants and logs", whose bandwidth solves (11), or on that
        of the mechanism, whose bandwidth is kappa r.

    >>> from rates.study.scenario import Server
    >>> lone = Server(name="target", n=10_000, epsilon=float("inf"))
    >>> answer = solve(TransferStudy(target=lone, smoothness=1, dimension=2, margin=1))
    >>> round(answer.rate, 12), round(answer.effective_n, 6), answer.limited_by
    (0.01, 10000.0, ('sample',))

    Source: [ACC] Theorem 3.4, eqs. (5), (6), (11).
    """
    own = equation(study, lens)
    u = float(solve_log(own.terms))
    bandwidth: float | None = min(1.0, lens.kappa * safe_exp(u))
    log_factor, notes, scale = None, guarantee(study, lens), mechanism_scale(study, lens)
    if lens.mechanism is None:
        log_factor, bandwidth, notes = _log_orders(study, own)
        scale = records.RATE_SCALE
    return records.TransferAnswer(
        **records.evidence(records.breakdown(own.terms, u, 1.0, own.budget_power)),
        scale=scale,
        r=safe_exp(u),
        log_r=u,
        rate=safe_exp(min(own.rate_power * u, 0.0)),
        rate_uncapped=safe_exp(own.rate_power * u),
        log_rate=own.rate_power * u,
        bandwidth=bandwidth,
        effective_n=safe_exp(own.log_worth - own.worth_power * u),
        log_factor=None if log_factor is None else safe_exp(log_factor),
        notes=conditions(study, u) + notes,
    )


def _log_orders(
    study: TransferStudy, own: Equation
) -> tuple[float | None, float | None, tuple[records.Condition, ...]]:
    """Return log L_N, the bandwidth of (11), and a note where a delta is missing."""
    private = [s for s in study.servers if s.private]
    if missing := study.without_delta:
        text = f"No bandwidth: (11) needs delta, which is not stated for {listed(missing)}."
        note = records.Condition(key="bandwidth", holds=None, text=text, source="[ACC] eq. (11)")
        return None, None, (note,)
    gammas = [s.signal_exponent for s in study.servers if s.informative]
    slope = 2.0 * study.smoothness * min([1.0, *gammas]) + study.dimension
    least = min((s.delta for s in private if s.delta is not None), default=None)
    if least is None:  # no private server: L_N and the right side of (11) are 1
        return 0.0, min(1.0, safe_exp(float(solve_log(own.terms)))), ()
    right = math.log(math.log(2.0 / least))
    shifted = own.terms.times(-right)
    order = own.rate_power * math.log(math.log(1.0 / least)) / slope
    return order, min(1.0, safe_exp(float(solve_log(shifted)))), ()


def conditions(study: TransferStudy, u: float) -> tuple[records.Condition, ...]:
    """Check what Theorem 3.4 asks of a study, with its numbers."""
    out = [records.delta_sum(study, "[ACC] Theorem 3.4")]
    product = study.margin * study.smoothness
    out.append(
        records.Condition(
            key="margin_smoothness",
            holds=True,
            text=f"alpha*beta = {product:.4g} is at most d = {study.dimension}.",
            source="[ACC] Remark 2.2",
        )
    )
    if product > 1:
        text = (
            f"alpha*beta = {product:.4g} exceeds 1: the risk surface touches 50% without "
            "crossing it inside the covariate range."
        )
        out.append(
            records.Condition(key="touching", holds=None, text=text, source="[ACC] Remark 2.2")
        )
    if math.isinf(u):
        out.append(records.no_information("[ACC] Theorem 3.4"))
    elif u >= 0:
        text = f"r = {safe_exp(u):.4g} is at least 1, so the rate is 1: the bound is trivial."
        out.append(records.Condition(key="trivial", holds=False, text=text, source="[ACC] eq. (6)"))
    return tuple(out)
