"""What privacy costs a study: the same question put to the equation and to a mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rates.answer.lens import DEFAULT_SERIES, KAPPAS, Lens, SeriesConstants
from rates.answer.mechanism import scale
from rates.answer.records import RiskAnswer, TransferAnswer
from rates.answer.studies import solve_risk
from rates.numbers import DomainError, Mechanism, safe_exp
from rates.study import Study

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

    def compared(lens: Lens) -> Setback:
        return setback(solve_risk(study, lens), solve_risk(free, lens))

    out = []
    for name in study.risks:
        plain = Lens(risk=name, mechanism=mechanism, series=series)
        used = plain.at_widths(study, kappas)
        answers: tuple[Setback, ...] = ()
        missing = None
        try:
            answers = tuple(
                setback(solve_risk(study, lens), solve_risk(free, lens)) for lens in used
            )
        except DomainError as error:
            missing = error.kept()
        span = f"{min(kappas):g} to {max(kappas):g} times r"
        out.append(
            Cost(
                risk=name,
                equation=compared(plain.plain),
                mechanism=answers,
                scale=scale(study, used[0]).replace(f"{kappas[0]:g} r", span),
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
