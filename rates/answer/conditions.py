"""What the theorems ask of a study, checked with its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rates import numbers
from rates.answer.mechanism import Lens, noise_multipliers
from rates.numbers import Shown, listed, safe_exp
from rates.study import FederatedStudy, Study, TransferStudy


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
