"""A study against its alternatives, and along one common change of every budget.

All of it is done on whole arrays: one solve for all sites alone, one for a whole sweep.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import numbers
from rates.answer.lens import BY_EQUATION, Lens
from rates.answer.mechanism import multipliers
from rates.answer.terms import Equation, equation, log0
from rates.study import FederatedStudy, Server, Study, TransferStudy, columns

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """One design beside the study.

    Attributes:
        name: What it is, in words; a site's name for that site alone.
        kind: "study", "free", "alone" or "merged".
        effective_n: By the rate equation.
        rate_ratio: Rate over the study's own, by the rate equation, uncapped.
        effective_n_mechanism: By the named mechanism; nan where a delta is missing.
        rate_ratio_mechanism: By the named mechanism; nan where a delta is missing.
    """

    name: str
    kind: str
    effective_n: float
    rate_ratio: float
    effective_n_mechanism: float
    rate_ratio_mechanism: float


def alternatives(study: Study, lens: Lens = BY_EQUATION) -> tuple[Alternative, ...]:
    """Put a study beside no privacy, its records merged, and each site alone.

    "Merged" brings all sites of one signal exponent onto one site that keeps the strictest
    budget (and delta) among them, so that every site's promise is kept. A row with a count
    stands alone as all its sites together.

    Examples:
        >>> from rates.presets import preset
        >>> table = alternatives(preset("unequal").study)
        >>> [a.kind for a in table][:3], table[3].name
        (['study', 'free', 'merged'], 'University clinic')

    Source: the rate equations of [ACC] Theorem 3.4 and [CCV] Theorem 2.1, solved for each design.
    """
    designs = [study, study.unprotected(), merged(study)]
    columns_ = [_column(designs, study, by) for by in (lens.plain, lens.named)]
    names = ["This study", "Without privacy", "Records merged, strictest budget"]
    kinds = ["study", "free", "merged"]
    names += [server.name for server in study.servers]
    kinds += ["alone"] * len(study.servers)
    (worth, ratio), (worth_m, ratio_m) = columns_
    return tuple(
        Alternative(
            name=name,
            kind=kind,
            effective_n=worth[k],
            rate_ratio=ratio[k],
            effective_n_mechanism=worth_m[k],
            rate_ratio_mechanism=ratio_m[k],
        )
        for k, (name, kind) in enumerate(zip(names, kinds, strict=True))
    )


def best_alone(study: Study, lens: Lens = BY_EQUATION) -> int:
    """Return the row of which one site alone has the largest effective sample.

    >>> from rates.presets import preset
    >>> study = preset("hospitals").study
    >>> study.servers[best_alone(study)].name
    'Cleveland'

    Raises:
        DomainError: The mechanism needs a delta that is missing.
    """
    terms = equation(study, lens).terms.times(-np.log(columns(study.servers)["count"]))
    return int(numbers.solve_log(terms[:, None]).argmin())


def _column(designs: Sequence[Study], study: Study, lens: Lens) -> tuple[list[float], list[float]]:
    """Effective samples and rate ratios of the designs, then of each site alone."""
    try:
        equations = [equation(design, lens) for design in designs]
    except numbers.DomainError:
        nothing = [math.nan] * (len(designs) + len(study.servers))
        return nothing, nothing
    whole = np.array([float(numbers.solve_log(e.terms)) for e in equations])
    own = equations[0]
    alone = numbers.solve_log(own.terms[:, None])  # every term an equation of its own
    roots = np.concatenate([whole, alone])
    with np.errstate(invalid="ignore", over="ignore"):
        ratio = np.exp(own.rate_power * (roots - whole[0]))
    return own.effective_n(roots).tolist(), ratio.tolist()


def merged(study: Study) -> Study:
    """Bring all sites of one signal exponent onto one site with the strictest budget.

    >>> from rates.presets import preset
    >>> [(s.name, s.n) for s in merged(preset("hospitals").study).servers]
    [('Hungary', 142), ('Merged 1', 560)]
    """
    target = study.target if isinstance(study, TransferStudy) else None
    groups: dict[float, list[Server]] = {}
    for server in study.servers:
        groups.setdefault(server.signal_exponent, []).append(server)
    out: list[Server] = []
    for gamma, group in groups.items():
        pooled = _pool(group, gamma, f"Merged {len(out)}")
        if target in group:
            out.insert(0, replace(pooled, name=target.name if target else pooled.name))
        else:
            out.append(pooled)
    return study.with_servers(out)


def _pool(group: Sequence[Server], gamma: float, name: str) -> Server:
    total = sum(s.n * s.count for s in group)
    private = [s for s in group if s.informative]
    deltas = [s.delta for s in private if s.delta is not None and s.private]
    missing = any(s.private and s.delta is None for s in private)
    return Server(
        name=name,
        n=min(total, 10**15),
        epsilon=min((s.epsilon for s in private), default=0.0),
        delta=None if missing or not deltas else min(deltas),
        signal_exponent=gamma,
    )


FACTORS = tuple(10 ** (k / 15) for k in range(-30, 31))  # usual ones, by which budgets are scaled


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Sweep(numbers.Framed):
    """Effective sample kept when every private budget is multiplied by one factor.

    Attributes:
        factors: The factors, ascending.
        equation: Fraction of the unprotected effective sample, by the rate equation.
        mechanism: The same by the mechanism, one row per kappa; no rows where a delta is missing.
        elbow: Factor from which the rate equation sees no cost; nan without private sites.
        half: Factor at which the mechanism's middle row keeps one half; nan if off the range.
    """

    _columns: ClassVar[Mapping[str, str]] = {
        "factors": "factor on every budget",
        "equation": "part of the effective sample kept, rate equation",
        "mechanism": "part kept, mechanism",
    }

    factors: Array
    equation: Array
    mechanism: Array
    elbow: float
    half: float


def budget_sweep(
    study: Study,
    factors: ArrayLike,
    lens: Lens = BY_EQUATION,
    *,
    kappas: Sequence[float] = (1.0, 2.0, 3.0),
) -> Sweep:
    """Scale every private budget by each factor and solve both equations.

    >>> from rates.presets import preset
    >>> sweep = budget_sweep(preset("hospitals").study, [0.1, 1.0, 10.0])
    >>> sweep.equation.round(3).tolist(), round(sweep.elbow, 2)
    ([0.09, 1.0, 1.0], 0.94)

    Source: [ACC] eq. (5), [CCV] eq. (6); the elbow is where the last minimum leaves privacy.
    """
    scale = np.asarray(factors, dtype=float)
    c = columns(study.servers)
    private = np.array([s.private for s in study.servers], dtype=bool)
    epsilon = np.where(private, c["epsilon"] * scale[:, None], c["epsilon"])
    own = equation(study, lens.plain, log_budget=log0(epsilon))
    free = equation(study.unprotected(), lens.plain)
    rows = []
    if not lens.lacks_delta(study):
        budget = mechanism_budgets(study, lens.named, epsilon)
        single = isinstance(study, FederatedStudy)
        for kappa in kappas[:1] if single else kappas:
            by = replace(lens.named, kappa=kappa)
            without = equation(study.unprotected(), by)
            rows.append(_kept(equation(study, by, log_budget=budget), without))
    kept = np.array(rows).reshape(len(rows), len(scale))
    return Sweep(
        factors=scale,
        equation=_kept(own, free),
        mechanism=kept,
        elbow=_elbow(equation(study, lens.plain), float(numbers.solve_log(free.terms)), private),
        half=_crossing(scale, kept[len(kept) // 2]) if len(kept) else math.nan,
    )


def _kept(own: Equation, free: Equation) -> Array:
    base = numbers.solve_log(free.terms)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(np.exp(own.worth_power * (base - numbers.solve_log(own.terms))))


def mechanism_budgets(study: Study, lens: Lens, epsilon: Array) -> Array:
    """Return the log budgets that a mechanism's equation takes, for a grid of epsilons.

    Args:
        study: Gives the deltas, and which rows are private.
        lens: Exact or printed Gaussian noise; the pointwise risk has Laplace noise.
        epsilon: Budgets; the last axis runs over the rows.
    """
    if lens.risk == "pointwise" or lens.mechanism is None:
        return log0(epsilon)
    return -log0(gaussian_noise(study, epsilon, lens.mechanism))


def gaussian_noise(
    study: Study, epsilon: Array, mechanism: numbers.Mechanism = "analytic"
) -> Array:
    """Return the noise over the sensitivity for a grid of epsilons; nan where delta is missing.

    Args:
        study: Gives the deltas, and which rows are private.
        epsilon: Budgets; the last axis runs over the rows.
        mechanism: Exact or printed.
    """
    printed = numbers.ACC_PRINTED if isinstance(study, TransferStudy) else numbers.CCV_PRINTED
    delta = np.broadcast_to(columns(study.servers)["delta"], epsilon.shape)
    noise = np.where(np.isinf(epsilon), 0.0, np.inf)
    private = np.array([s.private for s in study.servers], dtype=bool)
    stated = private & ~np.isnan(columns(study.servers)["delta"])
    noise[..., private & ~stated] = np.nan
    noise[..., stated] = multipliers(epsilon[..., stated], delta[..., stated], mechanism, printed)
    return noise


def _elbow(own: Equation, u_free: float, private: NDArray[np.bool_]) -> float:
    """The least factor at which no private site's minimum is the private one."""
    if not private.any() or math.isinf(u_free):
        return math.nan
    _, gap = numbers.at_root(own.terms, u_free)  # gap grows by 2 log(factor)
    found = numbers.safe_exp(-0.5 * float(gap[private].min()))
    return found if math.isfinite(found) else math.nan  # beyond all numbers there is none


def _crossing(x: Array, y: Array, level: float = 0.5) -> float:
    """Where a rising curve on a log axis passes a level, by interpolation."""
    above = np.flatnonzero(y >= level)
    if not len(above) or above[0] == 0:
        return math.nan
    k = int(above[0])
    part = (level - y[k - 1]) / (y[k] - y[k - 1])
    return float(np.exp(np.log(x[k - 1]) + part * (np.log(x[k]) - np.log(x[k - 1]))))
