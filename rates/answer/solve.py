r"""The rate equations solved: [ACC] (5) for r, [CCV] (6) for D, and their named mechanisms."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import conditions, records
from rates.answer.conditions import Condition
from rates.answer.mechanism import (
    BY_EQUATION,
    DEFAULT_SERIES,
    KAPPAS,
    Lens,
    SeriesConstants,
    scale,
)
from rates.answer.records import FederatedAnswer, RiskAnswer, TransferAnswer
from rates.answer.terms import Equation, equation
from rates.numbers import (
    DomainError,
    Mechanism,
    check_array,
    check_mechanism,
    listed,
    make_terms,
    safe_exp,
    solve_log,
)
from rates.study import FederatedStudy, Study, TransferStudy

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
    # In logs: of large n and small r the powers leave the range of floats.
    with np.errstate(divide="ignore", over="ignore"):
        terms = make_terms(
            np.log(size),
            np.log(budget),
            2.0 * smooth * exponent + dim,
            dim,
            *(2 * [np.log(many) - np.log(right)]),
        )
        return np.asarray(np.exp(solve_log(terms)))


def solve_D(
    n: ArrayLike, epsilon: ArrayLike, *, smoothness: ArrayLike, count: ArrayLike = 1
) -> Array:
    r"""Solve the rate equation of [CCV] for D, for one study or a whole grid of them.

    .. math:: D^{2g+2} = \sum_{j=1}^m (n_j^2 \varepsilon_j^2) \wedge (n_j D)

    With D = 1/r this is (5) of [ACC] at d = 1, beta = g and every gamma 1.

    Args:
        n: Records per server, any real >= 0; the last axis runs over servers.
        epsilon: Budgets >= 0; ``inf`` is an unprotected server.
        smoothness: g > 0: alpha for the integrated risk, nu for the risk at a point; a
            scalar, or an array whose last axis has length 1.
        count: How many identical servers an entry stands for.

    Returns:
        D with the broadcast shape less its last axis; 0 where no server is informative.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> float(solve_D(10**6, float("inf"), smoothness=1).round(9))  # n^(1/(2g+1))
        100.0

    Source: [CCV] eqs. (6), (14), (17).
    """
    size = check_array("n", n, zero=True)
    budget = check_array("epsilon", epsilon, zero=True, infinite=True)
    many = check_array("count", count, zero=True)
    g = check_array("smoothness", smoothness, single=True)
    with np.errstate(divide="ignore"):
        return 1.0 / solve_r(size, budget, 1.0, beta=g, d=1.0, count=many)


@overload
def solve(study: TransferStudy, lens: Lens = ...) -> TransferAnswer: ...


@overload
def solve(study: FederatedStudy, lens: Lens = ...) -> FederatedAnswer: ...


def solve(study: Study, lens: Lens = BY_EQUATION) -> TransferAnswer | FederatedAnswer:
    r"""Solve a study's equation and say who carries the rate and what binds each site.

    .. math:: \text{rate} = \min(1, r^{\beta(1+\alpha)}), \quad
        n_{\mathrm{eff}} = r^{-(2\beta+d)}; \qquad
        \text{rate} = \min(1, D^{-2g}), \quad n_{\mathrm{eff}} = D^{2g+1}.

    Args:
        study: A study.
        lens: The rate equation, or a named mechanism whose constants are then part of it.

    Returns:
        A record on the scale "up to constants and logs", whose bandwidth solves (11), or on that
        of the mechanism, whose bandwidth is kappa r; for a curve both risks.

    >>> from rates.study.scenario import Server
    >>> lone = Server(name="target", n=10_000, epsilon=float("inf"))
    >>> answer = solve(TransferStudy(target=lone, smoothness=1, dimension=2, margin=1))
    >>> round(answer.rate, 12), round(answer.effective_n, 6), answer.limited_by
    (0.01, 10000.0, ('sample',))

    Source: [ACC] Theorem 3.4, eqs. (5), (6), (11); [CCV] Theorem 2.1, eqs. (14), (17).
    """
    if isinstance(study, TransferStudy):
        return _solve_classifier(study, lens)
    if not isinstance(study, FederatedStudy):
        got = type(study).__name__
        raise TypeError(f"solve takes a TransferStudy or a FederatedStudy, got {got}.")
    integrated, pointwise = (solve_curve(study, replace(lens, risk=name)) for name in study.risks)
    return FederatedAnswer(
        scale=scale(study, lens) if lens.mechanism else records.RATE_SCALE,
        integrated=integrated,
        pointwise=pointwise,
        notes=conditions.of_curve(study, integrated.D) + conditions.guarantee(study, lens),
    )


def solve_risk(study: Study, lens: Lens) -> TransferAnswer | RiskAnswer:
    """Solve one risk of a study."""
    if isinstance(study, TransferStudy):
        return _solve_classifier(study, lens)
    return solve_curve(study, lens)


def _at_root(own: Equation, sign: float) -> dict[str, Any]:
    """What every answer says of a solved equation; the sign is 1 for r, -1 for D = 1/r."""
    u = float(own.roots)
    log_rate = own.rate_power * u
    parts = records.breakdown(own.terms, u, sign, own.budget_power)
    return {
        **{field.name: getattr(parts, field.name) for field in fields(parts)},
        "rate": safe_exp(min(log_rate, 0.0)),  # no rate is worse than that of a constant
        "log_rate": log_rate,
        "effective_n": safe_exp(own.log_worth - own.worth_power * u),
    }


def _solve_classifier(study: TransferStudy, lens: Lens) -> TransferAnswer:
    own = equation(study, lens)
    u = float(own.roots)
    bandwidth: float | None = min(1.0, lens.kappa * safe_exp(u))
    log_factor, notes, by = None, conditions.guarantee(study, lens), scale(study, lens)
    if lens.mechanism is None:
        log_factor, bandwidth, notes = _log_orders(study, own)
        by = records.RATE_SCALE
    return TransferAnswer(
        **_at_root(own, 1.0),
        scale=by,
        r=safe_exp(u),
        log_r=u,
        rate_uncapped=safe_exp(own.rate_power * u),
        bandwidth=bandwidth,
        log_factor=None if log_factor is None else safe_exp(log_factor),
        notes=conditions.of_classifier(study, u) + notes,
    )


def _log_orders(
    study: TransferStudy, own: Equation
) -> tuple[float | None, float | None, tuple[Condition, ...]]:
    """Return log L_N, the bandwidth of (11), and a note where a delta is missing."""
    if missing := study.without_delta:
        text = f"No bandwidth: (11) needs delta, which is not stated for {listed(missing)}."
        note = Condition("bandwidth", None, text, "[ACC] eq. (11)")
        return None, None, (note,)
    gammas = [s.signal_exponent for s in study.servers if s.informative]
    slope = 2.0 * study.smoothness * min([1.0, *gammas]) + study.dimension
    least = min((s.delta for s in study.servers if s.private and s.delta is not None), default=None)
    if least is None:  # no private server: L_N and the right side of (11) are 1
        return 0.0, min(1.0, safe_exp(float(own.roots))), ()
    right = math.log(math.log(2.0 / least))
    # A larger right side is the same as fewer servers of each kind.
    shifted = own.terms.times(-right)
    order = own.rate_power * math.log(math.log(1.0 / least)) / slope
    return order, min(1.0, safe_exp(float(solve_log(shifted)))), ()


def solve_curve(study: FederatedStudy, lens: Lens) -> RiskAnswer:
    """Solve the equation of one risk; that of a mechanism at a point needs no delta.

    >>> from rates.study.scenario import Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=1000, epsilon=1)], smoothness=1)
    >>> solve_curve(study, Lens(risk="pointwise", mechanism="analytic")).limited_by
    ('privacy',)

    Source: [CCV] eqs. (14), (17); (15), (16) with the sensitivity doubled (see Lemma 3.3).
    """
    own = equation(study, lens)
    log_d = -float(own.roots)
    return RiskAnswer(
        **_at_root(own, -1.0),
        D=safe_exp(log_d),
        log_D=log_d,
        smoothness=own.rate_power / 2.0,
        level=resolution_level(log_d),
    )


def resolution_level(log_D: float) -> int:
    """Return ceil(log2 D), at least 0; exact powers of two are not rounded up.

    >>> resolution_level(3 * math.log(2)), resolution_level(-math.inf)
    (3, 0)

    Source: [CCV] Theorem 3.2; the factor 1/(2+2 alpha) printed after Theorem 2.1 is left out.
    """
    bits = log_D / math.log(2.0)
    # The last digit of a log must not round a power of two up.
    return 0 if bits <= 0 else max(0, math.ceil(bits - 1e-12 * max(1.0, bits)))


@overload
def calibrated(
    study: TransferStudy,
    *,
    mechanism: Mechanism = ...,
    kappa: float = ...,
    series: SeriesConstants = ...,
) -> TransferAnswer: ...


@overload
def calibrated(
    study: FederatedStudy,
    *,
    mechanism: Mechanism = ...,
    kappa: float = ...,
    series: SeriesConstants = ...,
) -> FederatedAnswer: ...


def calibrated(
    study: Study,
    *,
    mechanism: Mechanism = "analytic",
    kappa: float = 2.0,
    series: SeriesConstants = DEFAULT_SERIES,
) -> TransferAnswer | FederatedAnswer:
    r"""Solve a study's equation for a named mechanism, constants and deltas included.

    Args:
        study: A study; every private row states its delta.
        mechanism: "printed" noise of the paper, or the exact "analytic" calibration.
        kappa: Bandwidth over r (transfer studies), positive.
        series: Constants of the series estimator (federated studies).

    Returns:
        The record of `rates.solve`, with the mechanism's name and constants as its scale.

    Raises:
        DomainError: A private row lacks delta, or an argument lies outside its domain.

    Examples:
        One unprotected target of n records is worth n, by this answer too.

        >>> from rates.study import Server
        >>> lone = Server(name="target", n=5000, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=0.5, dimension=2, margin=1)
        >>> round(calibrated(study, kappa=3).effective_n, 6)
        5000.0

    Source: [ACC] eqs. (7)-(9), (12); [CCV] Section 3 with 4 c_A in Lemma 3.3; exact
    calibration after Balle and Wang (2018).
    """
    check_mechanism(mechanism)
    return solve(study, Lens(mechanism=mechanism, kappa=kappa, series=series))


# What privacy costs: the same question put to the equation and to a mechanism ---------------------

Part = TransferAnswer | RiskAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Setback:
    """One answer against the same answer with every site unprotected.

    Attributes:
        answer: The study as it is.
        free: The study with every budget infinite.
        kept: Effective sample size as a fraction of its unprotected value; nan without data.
        rate_ratio: Rate over its unprotected value, both uncapped; at least 1.
    """

    answer: Part
    free: Part
    kept: float
    rate_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Both answers for one risk of a study.

    Attributes:
        risk: "classification", "integrated" or "pointwise".
        equation: By the rate equation.
        mechanism: By the named mechanism, one entry per kappa (one for a federated study);
            empty if it cannot be computed.
        scale: The mechanism's name with its constants.
        missing: Why there is no mechanism answer; None where there is one.
    """

    risk: str
    equation: Setback
    mechanism: tuple[Setback, ...]
    scale: str
    missing: DomainError | None

    @property
    def kept_range(self) -> tuple[float, float]:
        """Least and largest fraction kept by the mechanism."""
        kept = [s.kept for s in self.mechanism]
        return min(kept), max(kept)

    @property
    def ratio_range(self) -> tuple[float, float]:
        """Least and largest ratio of rates by the mechanism."""
        ratios = [s.rate_ratio for s in self.mechanism]
        return min(ratios), max(ratios)


def privacy_cost(study: Study) -> tuple[Cost, ...]:
    """Answer a study by the equation and by a mechanism, each against no privacy.

    Returns:
        One entry for a transfer study; the integrated and the pointwise risk otherwise.

    Examples:
        Four hospitals: the equation sees no cost, the mechanism keeps a few per cent.

        >>> from rates.presets import preset
        >>> (cost,) = privacy_cost(preset("hospitals").study)
        >>> round(cost.equation.rate_ratio, 2), [round(s.rate_ratio, 1) for s in cost.mechanism]
        (1.0, [3.4, 3.2, 3.0])

    Source: [ACC] eq. (5); [CCV] eqs. (14), (17); `rates.calibrated` for the mechanism.
    """
    free = study.unprotected()

    def compared(lens: Lens) -> Setback:
        return setback(solve_risk(study, lens), solve_risk(free, lens))

    out = []
    for name in study.risks:
        plain = Lens(risk=name)
        used = plain.at_widths(study)
        answers: tuple[Setback, ...] = ()
        missing = None
        try:
            answers = tuple(map(compared, used))
        except DomainError as error:
            missing = error.kept()
        span = f"{min(KAPPAS):g} to {max(KAPPAS):g} times r"
        out.append(
            Cost(
                risk=name,
                equation=compared(plain.plain),
                mechanism=answers,
                scale=scale(study, used[0]).replace(f"{KAPPAS[0]:g} r", span),
                missing=missing,
            )
        )
    return tuple(out)


def setback(answer: Part, free: Part) -> Setback:
    """Compare an answer with the one for unprotected sites."""
    log_ratio = answer.log_rate - free.log_rate
    return Setback(
        answer=answer,
        free=free,
        kept=answer.effective_n / free.effective_n if free.effective_n > 0 else math.nan,
        rate_ratio=math.nan if math.isnan(log_ratio) else safe_exp(log_ratio),
    )
