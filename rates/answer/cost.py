"""What privacy costs a study: the same question put to the equation and to a mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rates.answer import federated, transfer
from rates.answer.mechanism import DEFAULT_SERIES, SeriesConstants, calibrated, calibrated_pointwise
from rates.answer.records import FederatedAnswer, RiskAnswer, TransferAnswer
from rates.numbers import DomainError, Mechanism, safe_exp
from rates.study import FederatedStudy, Study, TransferStudy

Part = TransferAnswer | RiskAnswer
KAPPAS = (1.0, 2.0, 3.0)


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


def privacy_cost(
    study: Study,
    *,
    mechanism: Mechanism = "analytic",
    kappas: tuple[float, ...] = KAPPAS,
    series: SeriesConstants = DEFAULT_SERIES,
) -> tuple[Cost, ...]:
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
    if isinstance(study, TransferStudy) and isinstance(free, TransferStudy):
        return (_transfer_cost(study, free, mechanism, kappas),)
    if isinstance(study, FederatedStudy) and isinstance(free, FederatedStudy):
        return _federated_costs(study, free, mechanism, series)
    raise TypeError(f"privacy_cost takes a study, got {type(study).__name__}.")


def _transfer_cost(
    study: TransferStudy, free: TransferStudy, mechanism: Mechanism, kappas: tuple[float, ...]
) -> Cost:
    answers: list[Setback] = []
    missing, scale = None, ""
    try:
        for kappa in kappas:
            answer = calibrated(study, mechanism=mechanism, kappa=kappa)
            answers.append(setback(answer, calibrated(free, mechanism=mechanism, kappa=kappa)))
            scale = answer.scale
    except DomainError as error:
        missing = error.kept()
    span = f"{min(kappas):g} to {max(kappas):g}"
    return Cost(
        risk="classification",
        equation=setback(transfer.solve(study), transfer.solve(free)),
        mechanism=tuple(answers),
        scale=scale.replace(f"{kappas[-1]:g} r", f"{span} times r"),
        missing=missing,
    )


def _federated_costs(
    study: FederatedStudy, free: FederatedStudy, mechanism: Mechanism, series: SeriesConstants
) -> tuple[Cost, ...]:
    equation, equation_free = federated.solve(study), federated.solve(free)
    without = calibrated(free, mechanism=mechanism, series=series)
    named: FederatedAnswer | None = None
    missing = None
    try:
        named = calibrated(study, mechanism=mechanism, series=series)
    except DomainError as error:
        missing = error.kept()
    pointwise = calibrated_pointwise(study, series=series)
    return (
        Cost(
            risk="integrated",
            equation=setback(equation.integrated, equation_free.integrated),
            mechanism=() if named is None else (setback(named.integrated, without.integrated),),
            scale=without.scale,
            missing=missing,
        ),
        Cost(
            risk="pointwise",
            equation=setback(equation.pointwise, equation_free.pointwise),
            mechanism=(setback(pointwise, without.pointwise),),
            scale=without.scale,
            missing=None,
        ),
    )


def setback(answer: Part, free: Part) -> Setback:
    """Compare an answer with the one for unprotected sites."""
    log_ratio = answer.log_rate - free.log_rate
    return Setback(
        answer=answer,
        free=free,
        kept=answer.effective_n / free.effective_n if free.effective_n > 0 else math.nan,
        rate_ratio=math.nan if math.isnan(log_ratio) else safe_exp(log_ratio),
    )
