"""The calibrated rate of any servers at fixed parameters: what a constant is fitted to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rates import answer
from rates.numbers import least
from rates.study import FederatedStudy, Scope, Server, Study, TransferStudy, theory_for

Kind = Literal["classification", "integrated", "pointwise"]
KAPPA = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """The calibrated rate of any servers, at fixed parameters.

    Attributes:
        kind: Which risk.
        smoothness: β, or g of the curve (α, or ν at a point).
        dimension: d; 1 for curves.
        margin: α; 1 for curves, as the squared error is meant.
        kappa: Bandwidth over r (classification).
        series: Constants of the series estimator (curves).
    """

    kind: Kind
    smoothness: float
    dimension: int = 1
    margin: float = 1.0
    kappa: float = KAPPA
    series: answer.SeriesConstants = answer.DEFAULT_SERIES

    def reading(self, servers: Sequence[Server]) -> tuple[float, float]:
        """Return the uncapped rate of the named mechanism, and the mean signal exponent.

        The first server is the target; the mean is weighted by the servers' shares.

        Raises:
            DomainError: A private server lacks delta.

        Source: [ACC] eqs. (5), (6), [CCV] eq. (6), with the mechanism's constants.
        """
        if self.kind == "classification":
            found = answer.calibrated(self.study(servers), kappa=self.kappa)
            parts = sum(found.shares) or math.nan
            pairs = zip(found.shares, servers, strict=True)
            return found.rate_uncapped, sum(a * s.signal_exponent for a, s in pairs) / parts
        if self.kind == "integrated":
            curve = FederatedStudy(servers=tuple(servers), smoothness=self.smoothness)
            whole = answer.calibrated(curve, series=self.series).integrated
            return math.exp(whole.log_rate), 1.0
        curve = FederatedStudy(
            servers=tuple(servers), smoothness=self.smoothness + 0.5, integrability=2.0
        )
        lens = answer.Lens(risk="pointwise", mechanism="analytic", series=self.series)
        return math.exp(answer.solve_curve(curve, lens).log_rate), 1.0

    def study(self, servers: Sequence[Server]) -> TransferStudy:
        """Return the transfer study of these servers with the yardstick's parameters."""
        return TransferStudy(
            target=servers[0],
            sources=tuple(servers[1:]),
            smoothness=self.smoothness,
            dimension=self.dimension,
            margin=self.margin,
        )

    def mismatch(self, study: Study) -> str:
        """Return why a study is not one of these parameters; empty if it is."""
        if self.kind not in study.risks:
            return "It was made for the other kind of study."
        own = [(name, a, b) for name, a, b in self._pairs(study) if not math.isclose(a, b)]
        if not own:
            return ""
        found = "; ".join(f"{name} is {b:g}, not {a:g}" for name, a, b in own)
        return f"The parameters differ: {found}."

    def _pairs(self, study: Study) -> list[tuple[str, float, float]]:
        return [
            ("the smoothness", self.smoothness, study.smoothness_of(self.kind)),
            ("the margin", self.margin, study.margin),
            ("the number of covariates", float(self.dimension), float(study.dimension)),
        ]


def stated(study: Study) -> tuple[tuple[Server, ...], str]:
    """Return the servers with every delta stated, and what was filled in."""
    note = f"Where no delta is stated it is {answer.offered_delta(study):.3g}."
    return answer.with_offered_delta(study).servers, note if study.without_delta else ""


def outside_theory(study: Study, scope: Scope) -> str:
    """Return why no constant turns a study's rate into a risk; empty if the answers allow one.

    The rate is that of the theory the study is stated in, so that another one which covers the
    answers does not help.

    >>> from rates.presets import preset
    >>> outside_theory(preset("phones").study, Scope(answers=(("overlap", "yes"),))).split(": ")[1]
    'not given is no person at two sites.'
    """
    found = theory_for(study, scope)
    if found.elsewhere:
        return (
            f"By the answers given the study belongs to the theory [{found.theory.key}], and its "
            f"rate is that of [{found.own}], so that no constant turns it into a risk."
        )
    if found.broken:
        return (
            "The study lies outside the theory, so that no constant turns its rate into a risk: "
            f"not given is {found.broken[0].assumption}."
        )
    return ""


def signals(servers: Sequence[Server]) -> tuple[float, ...]:
    """Return the different signal exponents of the servers that release, the smallest first."""
    return tuple(sorted({s.signal_exponent for s in servers if s.informative}))


def scaled(server: Server, records: float, budget: float = 1.0) -> Server:
    """Return a server with its records and its finite budget multiplied."""
    n = max(1, round(server.n * records)) if server.n else 0
    return replace(server, n=n, epsilon=server.epsilon * budget if server.epsilon else 0.0)


_LARGEST = 10**15 * (1.0 - 1e-9)  # rounded up a server still may hold as many


def times(
    risk: Callable[[Sequence[Server]], float], servers: Sequence[Server], goal: float
) -> float:
    """Return the factor on all records that gives a risk, by bisection; nan if none does."""
    held = [s.n * s.count for s in servers if s.informative]
    if not held:
        return math.nan
    low, high = math.log(1.0 / min(held)), math.log(_LARGEST / max(held))

    def at(log_factor: float) -> float:
        return risk([scaled(s, math.exp(log_factor)) for s in servers])

    if at(high) > goal:
        return math.nan
    return math.exp(least(lambda log_factor: at(log_factor) <= goal, low, high))
