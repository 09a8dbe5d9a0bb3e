"""How a study is looked at: which risk is meant, and by which of the two answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rates.numbers import KAPPA, DomainError, Mechanism, check_mechanism
from rates.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesConstants:
    """Constants of the series estimator of [CCV]; shown beside every number that uses them.

    Attributes:
        overlap: q = sup_x sum_k phi_k(x)^2 / K of the basis.
        spike: s = sup_x |K(x0, x)| / K of the projection kernel.
        clip: tau, the bound that responses are clipped to.
        variance: v, about 1 + (norm of f)^2.
        bias: C, the squared-bias constant of the function class.

    Raises:
        DomainError: A constant is not positive and finite.

    >>> SeriesConstants(clip=3).clip
    3.0
    """

    overlap: float = 2.0
    spike: float = 2.0
    clip: float = 4.0
    variance: float = 2.0
    bias: float = 1.0

    def __post_init__(self) -> None:
        for name in ("overlap", "spike", "clip", "variance", "bias"):
            field = replace(KAPPA, name=name, noun=f"The constant {name}")
            object.__setattr__(self, name, field.check(getattr(self, name), "Series constants"))


DEFAULT_SERIES = SeriesConstants()
KAPPAS = (1.0, 2.0, 3.0)  # bandwidths over r for which a mechanism is asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """One risk of a study by one answer: what every question about a study is asked through.

    Attributes:
        risk: "classification" for a transfer study; "integrated" or "pointwise" otherwise.
            None takes the first of them.
        mechanism: None for the rate equation; "analytic" or "printed" for the named mechanism.
            A question that gives both answers takes "analytic" for None.
        kappa: Bandwidth over r of the mechanism (transfer studies).
        series: Constants of the mechanism (federated studies).

    Raises:
        DomainError: The mechanism is not known, or kappa is not positive and finite.

    >>> Lens(mechanism="printed").plain == Lens(), Lens().named.mechanism
    (True, 'analytic')
    """

    risk: str | None = None
    mechanism: Mechanism | None = None
    kappa: float = 2.0
    series: SeriesConstants = DEFAULT_SERIES

    def __post_init__(self) -> None:
        if self.mechanism is not None:
            check_mechanism(self.mechanism)
        object.__setattr__(self, "kappa", KAPPA.check(self.kappa))

    @property
    def plain(self) -> Lens:
        """The same risk by the rate equation."""
        return replace(self, mechanism=None)

    @property
    def named(self) -> Lens:
        """The same risk by the named mechanism."""
        return self if self.mechanism else replace(self, mechanism="analytic")

    def at_widths(self, study: Study, kappas: Sequence[float] = KAPPAS) -> tuple[Lens, ...]:
        """The named mechanism at each kappa; once for a curve, which has none."""
        used = kappas if study.kind == "transfer" else kappas[:1]
        return tuple(replace(self.named, kappa=kappa) for kappa in used)

    def risk_of(self, study: Study) -> str:
        """Return the risk's name, the study's first one for None, or raise `DomainError`."""
        risk = study.risks[0] if self.risk is None else self.risk
        if risk not in study.risks:
            raise DomainError(f"risk must be {' or '.join(study.risks)}.", "risk", risk)
        return risk

    def lacks_delta(self, study: Study) -> bool:
        """Whether a private row does not state the delta that the mechanism's noise needs."""
        needs = self.risk_of(study) != "pointwise"  # there the noise is Laplace
        return needs and bool(study.without_delta)


BY_EQUATION = Lens()
