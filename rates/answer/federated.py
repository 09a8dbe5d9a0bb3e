r"""[CCV]: the D equation (6) = (14) = (17), its two risks, and conditions (8) and (9)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import records
from rates.answer.lens import BY_EQUATION, Lens
from rates.answer.mechanism import guarantee
from rates.answer.mechanism import scale as mechanism_scale
from rates.answer.terms import equation
from rates.answer.transfer import solve_r
from rates.numbers import check_array, listed, log_sum, safe_exp, solve_log
from rates.study import FederatedStudy

Array = NDArray[np.float64]


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


def solve(study: FederatedStudy, lens: Lens = BY_EQUATION) -> records.FederatedAnswer:
    r"""Solve (6) for both risks of a study and say who carries them.

    .. math:: \text{rate} = \min(1, D^{-2g}), \qquad n_{\mathrm{eff}} = D^{2g+1}.

    Args:
        study: A study.
        lens: The rate equation, or a named mechanism whose constants are then part of (6).

    >>> from rates.study.scenario import Server
    >>> one = Server(name="A", n=10**6, epsilon=float("inf"))
    >>> integrated = solve(FederatedStudy(servers=[one], smoothness=1)).integrated
    >>> round(integrated.D, 9), integrated.level
    (100.0, 7)

    Source: [CCV] Theorem 2.1, eqs. (14), (17); Theorem 3.2 for the level.
    """
    integrated, pointwise = (risk(study, replace(lens, risk=name)) for name in study.risks)
    return records.FederatedAnswer(
        scale=mechanism_scale(study, lens) if lens.mechanism else records.RATE_SCALE,
        integrated=integrated,
        pointwise=pointwise,
        notes=conditions(study, integrated) + guarantee(study, lens),
    )


def risk(study: FederatedStudy, lens: Lens) -> records.RiskAnswer:
    """Solve the equation of one risk; that of a mechanism at a point needs no delta.

    >>> from rates.study.scenario import Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=1000, epsilon=1)], smoothness=1)
    >>> risk(study, Lens(risk="pointwise", mechanism="analytic")).limited_by
    ('privacy',)

    Source: [CCV] eqs. (14), (17); (15), (16) with the sensitivity doubled (see Lemma 3.3).
    """
    own = equation(study, lens)
    log_d = -float(solve_log(own.terms))
    return records.RiskAnswer(
        **records.evidence(records.breakdown(own.terms, -log_d, -1.0, own.budget_power)),
        D=safe_exp(log_d),
        log_D=log_d,
        rate=safe_exp(min(-own.rate_power * log_d, 0.0)),
        log_rate=-own.rate_power * log_d,
        smoothness=own.rate_power / 2.0,
        level=resolution_level(log_d),
        effective_n=safe_exp(own.log_worth + own.worth_power * log_d),
    )


def resolution_level(log_D: float) -> int:
    """Return ceil(log2 D), at least 0; exact powers of two are not rounded up.

    >>> resolution_level(3 * math.log(2)), resolution_level(-math.inf)
    (3, 0)

    Source: [CCV] Theorem 3.2; the factor 1/(2+2 alpha) printed after Theorem 2.1 is left out.
    """
    bits = log_D / math.log(2.0)
    return 0 if bits <= 0 else max(0, math.ceil(bits - 1e-12 * max(1.0, bits)))


def all_private_D(
    n: ArrayLike, epsilon: ArrayLike, *, smoothness: float, count: ArrayLike = 1
) -> float:
    r"""Return D if privacy binds every server, (sum n_j² ε_j²)^(1/(2g+2)).

    >>> round(all_private_D([1000], [0.1], smoothness=1), 9)  # 10_000 ** (1/4)
    10.0

    Source: [CCV] Corollary 3.
    """
    return safe_exp(float(log_sum(_log_caps(n, epsilon, count))) / (2.0 * smoothness + 2.0))


def privacy_binds_everywhere(
    n: ArrayLike, epsilon: ArrayLike, *, smoothness: float, count: ArrayLike = 1
) -> bool:
    r"""Check condition (8): (sum n_j² ε_j²)^(1/(2g+2)) >= max n_j ε_j².

    It holds if and only if every server's minimum in (6) is the private one at the root.

    >>> privacy_binds_everywhere([1000, 1000], [0.1, 1], smoothness=1)
    False

    Source: [CCV] eq. (8).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.log(np.asarray(n, float)) + 2.0 * np.log(np.asarray(epsilon, float))
    most = float(np.max(np.where(np.isnan(each), -np.inf, each)))
    if math.isinf(most):
        return most < 0
    left = float(log_sum(_log_caps(n, epsilon, count))) / (2.0 * smoothness + 2.0)
    return left >= most - 1e-12 * max(1.0, abs(most))


def dominating(
    n: ArrayLike, epsilon: ArrayLike, *, smoothness: float, count: ArrayLike = 1
) -> tuple[int, ...]:
    r"""Return the rows j* that satisfy condition (9): they carry the rate alone.

    .. math:: n_*^2\varepsilon_*^2 \wedge n_*^{(2g+4)/(2g+2)}\varepsilon_*^{2/(2g+2)}
        \wedge n_*^{(2g+2)/(2g+1)} \ge \sum_{j \ne j_*} n_j^2 \varepsilon_j^2

    The middle term is a weighted geometric mean of the outer two, so it never decides.
    The condition is sufficient, not necessary.

    >>> dominating([10**6, 10], [1, 1], smoothness=1)
    (0,)

    Source: [CCV] eq. (9), Corollary 4.
    """
    g = smoothness
    caps = np.atleast_1d(_log_caps(n, epsilon, count))
    with np.errstate(divide="ignore"):
        size = np.broadcast_to(np.log(np.asarray(n, float)), caps.shape)
        many = np.broadcast_to(np.log(np.asarray(count, float)), caps.shape)
    out = []
    for j in range(caps.size):
        others = np.delete(caps, j)
        single = caps[j] - many[j]
        if many[j] > 0:  # the row's other servers count among the others
            others = np.append(others, single + math.log(math.expm1(many[j])))
        left = min(single, size[j] * (2 * g + 2) / (2 * g + 1))
        if math.isfinite(left) and left >= log_sum(others) - 1e-12 * max(1.0, abs(left)):
            out.append(j)
    return tuple(out)


def _log_caps(n: ArrayLike, epsilon: ArrayLike, count: ArrayLike) -> Array:
    """Log of count n² ε², the most that privacy lets a row contribute."""
    with np.errstate(divide="ignore", invalid="ignore"):
        size, budget, many = (np.log(np.asarray(x, float)) for x in (n, epsilon, count))
        caps = 2.0 * (size + budget) + many
    return np.where(np.isneginf(size) | np.isneginf(budget), -np.inf, caps)


def conditions(
    study: FederatedStudy, integrated: records.RiskAnswer
) -> tuple[records.Condition, ...]:
    """Check what Theorem 2.1 asks of a study, with its numbers."""
    nu = study.pointwise_smoothness
    out = [
        records.Condition(
            key="nu",
            holds=True,
            text=f"nu = alpha - 1/p = {nu:.4g} exceeds 1/2.",
            source="[CCV] Section 2",
        ),
        records.delta_sum(study, "[CCV] Theorem 2.1, pointwise"),
        _integrated_delta(study, integrated.D),
    ]
    if integrated.D == 0:
        out.append(records.no_information("[CCV] Theorem 2.1"))
    elif integrated.D <= 1:
        text = (
            f"D = {integrated.D:.4g} is at most 1, so the rate is 1: the bound is trivial and "
            "stands for the estimator 0, not for those of Theorems 3.2 and 3.4."
        )
        out.append(
            records.Condition(key="trivial", holds=False, text=text, source="[CCV] Theorem 2.1")
        )
    return tuple(out)


def _integrated_delta(study: FederatedStudy, D: float) -> records.Condition:
    """Check delta_j <~ (sqrt(n_j) epsilon_j² / max(D, 1))^(1 + kappa) for some kappa > 0."""
    key, source = "delta_integrated", "[CCV] Theorem 2.1, integrated"
    asks = "delta_j must be at most about (sqrt(n_j) epsilon_j^2 / max(D, 1))^(1 + kappa)"
    private = [s for s in study.servers if s.private]
    if missing := study.without_delta:
        text = f"{asks} for some kappa > 0; delta is not stated for {listed(missing)}."
        return records.Condition(key=key, holds=None, text=text, source=source)
    tightest: tuple[float, str] = (math.inf, "")
    for s in private:
        base = 0.5 * math.log(s.n) + 2.0 * math.log(s.epsilon) - math.log(max(D, 1.0))
        if base < 0 and s.delta is not None:
            tightest = min(tightest, (math.log(s.delta) / base - 1.0, s.name))
    kappa, name = tightest
    if math.isinf(kappa):
        text = f"{asks} for some kappa > 0; every base is at least 1, so any delta will do."
    elif kappa > 0:
        text = f"{asks} for some kappa > 0; here kappa may be up to {kappa:.3g}, set by {name}."
    else:
        text = f"{asks} for some kappa > 0; no kappa > 0 will do for {name}."
    return records.Condition(key=key, holds=kappa > 0, text=text, source=source)
