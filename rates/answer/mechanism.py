r"""The same equations for a named mechanism, with its constants and every delta.

The rate equations drop all constants, and can then say that privacy costs nothing where
a real mechanism loses a factor of three. So every answer is given a second time:

* transfer: kernel regression with the product triangular kernel on a uniform design, one
  joint Gaussian release per site, bandwidth h = kappa r. With A = (2/3)^d / 4 the variance
  at a point is V_j(h) = A/(n_j h^d) + (sigma/Delta)^2/(n_j h^d)^2, and r solves
  sum_j r^(2 beta gamma_j) / V_j(kappa r) = 1;
* federated: a series of K functions, V_j(K) = v K/n_j + b_j K^2/(n_j epsilon_j)^2, and
  D = K solves sum_j C K^(-2g) / V_j(K) = 1; Gaussian noise on all coefficients for the
  integrated risk, Laplace noise on the value for the risk at a point.

Two variances add where the rate equation takes the larger: its minimum becomes a harmonic
sum, and the same kernel solves it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rates import numbers
from rates.answer.lens import Lens
from rates.answer.records import Condition
from rates.study import Server, Study, columns

Array = NDArray[np.float64]


def constants(study: Study, risk: str, lens: Lens) -> tuple[float, float]:
    """Return the logs of the mechanism's constants over a sampling and over a noise variance.

    Budgets are then 1/(sigma/Delta), or epsilon_j for the Laplace noise at a point; records of
    one unprotected site are worth as many as they are, so that the first is also minus the log of
    the constant of the effective sample.
    """
    if study.target is not None:
        d = study.dimension
        log_width = d * math.log(lens.kappa)
        return log_width - math.log(0.25) - d * math.log(2.0 / 3.0), 2.0 * log_width
    c = lens.series
    noise = 4.0 * c.overlap if risk == "integrated" else 8.0 * c.spike**2
    return math.log(c.bias / c.variance), math.log(c.bias / noise) - 2.0 * math.log(c.clip)


def scale(study: Study, lens: Lens) -> str:
    """Return the mechanism's name with its constants."""
    if study.target is not None:
        return (
            f"mechanism: product triangular kernel, one {lens.mechanism} Gaussian release per "
            f"site, bandwidth {lens.kappa:g} r"
        )
    c = lens.series
    return (
        f"mechanism: series estimator, {lens.mechanism} Gaussian noise on the coefficients "
        f"(integrated), Laplace noise on the value (pointwise); q={c.overlap:g}, "
        f"s={c.spike:g}, tau={c.clip:g}, v={c.variance:g}, C={c.bias:g}"
    )


def offered_delta(study: Study) -> float:
    """Return a delta to offer where none is stated: 1e-6, or less in a large study.

    With it the sum of n_j delta_j, which the theorems ask to vanish, is at most 0.01, or as it is
    where the stated ones exceed that already; a larger study gets one digit, rounded down.

    >>> from rates.presets import preset
    >>> offered_delta(preset("hospitals").study)
    1e-06
    """
    private = [s for s in study.servers if s.private]
    if all(s.delta is not None for s in private):  # none is missing: one for all of them
        private = [replace(s, delta=None) for s in private]
    stated = sum(s.n * s.count * s.delta for s in private if s.delta is not None)
    total = sum(s.n * s.count for s in private if s.delta is None)
    if not total or (room := max(1e-4, 0.01 - stated) / total) >= 1e-6:
        return 1e-6
    step = 10.0 ** math.floor(math.log10(room))
    return float(f"{math.floor(room / step * (1 + 1e-12)) * step:.0e}")


def with_offered_delta(study: Study) -> Study:
    """The same study with `offered_delta` at every protected site that states none."""
    if not study.without_delta:
        return study
    delta = offered_delta(study)
    return study.with_servers(
        [replace(s, delta=delta) if s.lacks_delta else s for s in study.servers]
    )


def noise_factor(delta: float) -> float:
    """Return sqrt(2 log(2/delta)), by which delta multiplies the printed noise.

    >>> round(noise_factor(1e-6), 2)
    5.39

    Source: [ACC] eq. (9).
    """
    return math.sqrt(numbers.ACC_PRINTED * (math.log(2.0) - math.log(delta)))


def noise_multipliers(
    servers: Sequence[Server], mechanism: numbers.Mechanism, printed: float
) -> tuple[Array, Array]:
    """Return sigma/Delta per row and its elasticity in 1/epsilon.

    Unprotected rows get 0; rows that release nothing get ``inf``.

    Raises:
        DomainError: A private row lacks delta.
    """
    for server in servers:
        if server.lacks_delta:
            rule = "The mechanism needs delta for every private row."
            where = f"Server {server.name!r}"
            raise numbers.DomainError(rule, "delta", numbers.Words("nothing"), where)
    c, power = columns(servers), np.ones(len(servers))
    epsilon = c["epsilon"]
    noise = gaussian_noise(epsilon, c["delta"], mechanism, printed)
    noise[[not s.informative for s in servers]] = math.inf
    private = np.array([s.private for s in servers], dtype=bool)
    if mechanism == "analytic" and private.any():
        power[private] = numbers.budget_elasticity(epsilon[private], noise[private])
    return noise, power


def gaussian_noise(
    epsilon: Array,
    delta: Array,
    mechanism: numbers.Mechanism = "analytic",
    printed: float = numbers.ACC_PRINTED,
) -> Array:
    """Return the noise over the sensitivity for a grid of epsilons; nan where delta is missing.

    Args:
        epsilon: Budgets; the last axis runs over the rows.
        delta: The rows' deltas; nan where none is stated.
        mechanism: Exact or printed.
        printed: The paper's constant.
    """
    epsilon, delta = np.broadcast_arrays(epsilon, delta)
    noise = np.where(np.isinf(epsilon), 0.0, np.inf)
    private = np.isfinite(epsilon) & (epsilon > 0)
    stated = private & np.isfinite(delta)
    noise[private] = np.nan
    noise[stated] = multipliers(epsilon[stated], delta[stated], mechanism, printed)
    return noise


def multipliers(
    epsilon: Array, delta: Array, mechanism: numbers.Mechanism, printed: float
) -> Array:
    """Return sigma/Delta for private budgets, exact or with the paper's constant."""
    if mechanism == "analytic":
        return numbers.analytic_multiplier(epsilon, delta)
    with np.errstate(over="ignore"):
        return numbers.printed_multiplier(epsilon, delta, printed)


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
    return (Condition(key="printed_noise", holds=not over, text=text, source=source),)
