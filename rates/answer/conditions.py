"""What the theorems ask of a study, checked with its numbers; conditions (8) and (9) of [CCV]."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import numbers
from rates.answer.mechanism import Lens, noise_multipliers
from rates.numbers import Shown, listed, log_sum, safe_exp
from rates.study import FederatedStudy, Study, TransferStudy

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Condition(Shown):
    """One thing a theorem asks for, with this study's numbers.

    Attributes:
        key: Stable name, such as ``sum_n_delta``.
        holds: True, False, or None where it cannot be told.
        text: The condition and the numbers, as a sentence.
        source: The statement that asks for it.
    """

    key: str
    holds: bool | None
    text: str
    source: str


def of_classifier(study: TransferStudy, u: float) -> tuple[Condition, ...]:
    """Check what Theorem 3.4 asks of a study, with its numbers."""
    out = [_delta_sum(study, "[ACC] Theorem 3.4")]
    product = study.margin * study.smoothness
    text = f"alpha*beta = {product:.4g} is at most d = {study.dimension}."
    out.append(Condition("margin_smoothness", True, text, "[ACC] Remark 2.2"))
    if product > 1:
        text = (
            f"alpha*beta = {product:.4g} exceeds 1: the risk surface touches 50% without "
            "crossing it inside the covariate range."
        )
        out.append(Condition("touching", None, text, "[ACC] Remark 2.2"))
    if math.isinf(u):
        out.append(_no_information("[ACC] Theorem 3.4"))
    elif u >= 0:
        text = f"r = {safe_exp(u):.4g} is at least 1, so the rate is 1: the bound is trivial."
        out.append(Condition("trivial", False, text, "[ACC] eq. (6)"))
    return tuple(out)


def of_curve(study: FederatedStudy, D: float) -> tuple[Condition, ...]:
    """Check what Theorem 2.1 asks of a study, with its numbers."""
    nu = study.pointwise_smoothness
    out = [
        Condition("nu", True, f"nu = alpha - 1/p = {nu:.4g} exceeds 1/2.", "[CCV] Section 2"),
        _delta_sum(study, "[CCV] Theorem 2.1, pointwise"),
        _integrated_delta(study, D),
    ]
    if D == 0:
        out.append(_no_information("[CCV] Theorem 2.1"))
    elif D <= 1:
        text = (
            f"D = {D:.4g} is at most 1, so the rate is 1: the bound is trivial and "
            "stands for the estimator 0, not for those of Theorems 3.2 and 3.4."
        )
        out.append(Condition("trivial", False, text, "[CCV] Theorem 2.1"))
    return tuple(out)


def _integrated_delta(study: FederatedStudy, D: float) -> Condition:
    """Check delta_j <~ (sqrt(n_j) epsilon_j² / max(D, 1))^(1 + kappa) for some kappa > 0."""
    key, source = "delta_integrated", "[CCV] Theorem 2.1, integrated"
    asks = (
        "delta_j must be at most about (sqrt(n_j) epsilon_j^2 / max(D, 1))^(1 + kappa) "
        "for some kappa > 0"
    )
    if missing := study.without_delta:
        text = f"{asks}; delta is not stated for {listed(missing)}."
        return Condition(key, None, text, source)
    tightest: tuple[float, str] = (math.inf, "")
    for s in (s for s in study.servers if s.private):
        base = 0.5 * math.log(s.n) + 2.0 * math.log(s.epsilon) - math.log(max(D, 1.0))
        if base < 0 and s.delta is not None:
            tightest = min(tightest, (math.log(s.delta) / base - 1.0, s.name))
    kappa, name = tightest
    found = f"no kappa > 0 will do for {name}"
    if math.isinf(kappa):
        found = "every base is at least 1, so any delta will do"
    elif kappa > 0:
        found = f"here kappa may be up to {kappa:.3g}, set by {name}"
    return Condition(key, kappa > 0, f"{asks}; {found}.", source)


def _delta_sum(study: Study, source: str) -> Condition:
    """Check sum n_j δ_j over the private rows; the theorems need it to vanish."""
    if missing := study.without_delta:
        text = f"The sum of n_j delta_j must tend to 0; delta is not stated for {listed(missing)}."
        return Condition("sum_n_delta", None, text, source)
    total = math.fsum(s.count * s.n * (s.delta or 0.0) for s in study.servers if s.private)
    text = (
        f"The sum of n_j delta_j must tend to 0; here it is {total:.3g}"
        f" ({'at most' if total <= 0.01 else 'above'} 0.01, where we start to warn)."
    )
    return Condition("sum_n_delta", total <= 0.01, text, source)


def _no_information(source: str) -> Condition:
    """The note that goes with an infinite r or a zero D."""
    text = "No server carries information: every site has n = 0 or epsilon = 0."
    return Condition("information", False, text, source)


def guarantee(study: Study, lens: Lens) -> tuple[Condition, ...]:
    """Say whether the noise really is (epsilon, delta)-private at every row."""
    private = [s for s in study.servers if s.private]
    if lens.mechanism != "printed" or not private:
        return ()
    noise, _ = noise_multipliers(private, lens.mechanism, study.printed)
    actual = numbers.delta_of(noise, [s.epsilon for s in private]).tolist()
    over = [
        (s.name, d)
        for s, d in zip(private, actual, strict=True)
        if s.delta is not None and d > s.delta * (1 + 1e-9)
    ]
    text = "The printed noise is (epsilon, delta)-private at every site (replace one record)."
    if over:
        names = numbers.listed([name for name, _ in over])
        text = (
            f"The printed noise is not (epsilon, delta)-private at {names}: the actual "
            f"delta reaches {max(d for _, d in over):.3g}. Use the analytic calibration."
        )
    source = "[ACC] Prop. 4.1" if study.kind == "transfer" else "[CCV] Lemma 3.1"
    return (Condition("printed_noise", not over, text, source),)


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
