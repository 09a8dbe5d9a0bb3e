r"""Noise of the Gaussian mechanism: σ over the L2 sensitivity, as printed and exact.

Adding N(0, σ²) to a statistic of L2 sensitivity Δ is (ε, δ)-differentially private if
and only if δ ≥ Φ(t/2 - ε/t) - e^ε Φ(-t/2 - ε/t) with t = Δ/σ (Balle and Wang, 2018).
With a = t/2 - ε/t, w = sqrt(a² + 2ε) and Mills' ratio R this is φ(a) (R(-a) - R(w)),
which neither overflows nor, for ε not tiny, cancels.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers.parameters import DomainError
from rates.numbers.roots import least

Array = NDArray[np.float64]
Mechanism = Literal["printed", "analytic"]
MECHANISMS: tuple[Mechanism, ...] = ("analytic", "printed")

ACC_PRINTED = 2.0  # (9) of [ACC]: sigma/Delta = sqrt(2 log(2/delta))/epsilon
CCV_PRINTED = 4.0  # below Lemma 3.1 of [CCV]: sigma/Delta = sqrt(4 log(2/delta))/epsilon
_FEW = 128  # pairs that are worth keeping
_HALF_LOG_TAU = 0.5 * math.log(2.0 * math.pi)


def check_mechanism(mechanism: str) -> None:
    """Raise `DomainError` unless the name is one of `MECHANISMS`."""
    if mechanism not in MECHANISMS:
        raise DomainError('mechanism must be "analytic" or "printed".', "mechanism", mechanism)


def printed_multiplier(epsilon: ArrayLike, delta: ArrayLike, constant: float) -> Array:
    r"""Return the noise multiplier as printed, sqrt(constant log(2/δ)) / ε.

    The constant is 2 in (9) of [ACC] and 4 in [CCV]. For large ε it is too small to be
    (ε, δ)-private: see `delta_of`.

    >>> float(printed_multiplier(1.0, 1e-5, ACC_PRINTED).round(3))
    4.941

    Source: [ACC] eq. (9); [CCV] Section 3.1.
    """
    eps, dlt = np.asarray(epsilon, float), np.asarray(delta, float)
    return np.asarray(np.sqrt(constant * np.log(2.0 / dlt)) / eps)


def analytic_multiplier(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    r"""Return the smallest σ/Δ that is (ε, δ)-differentially private.

    .. math:: \delta = \varphi(a)\,\{R(-a) - R(\sqrt{a^2 + 2\varepsilon})\},
        \qquad \Delta/\sigma = a + \sqrt{a^2 + 2\varepsilon}.

    Newton's method on log δ, in a for ε ≥ 1 and in log t below, starts at a proved lower
    bound of t (δ ≤ Φ(a), and ε = 0 needs the least t) and climbs without overshooting.

    Args:
        epsilon: Budgets, positive and finite.
        delta: In (0, 1); broadcasts with ``epsilon``.

    Examples:
        >>> float(analytic_multiplier(1.0, 1e-5).round(2))
        3.73

    Source: Balle and Wang (2018), Theorem 8, in the form above.
    """
    eps, dlt = np.broadcast_arrays(np.asarray(epsilon, float), np.asarray(delta, float))
    pairs, inverse = np.unique(eps.ravel() + 1j * dlt.ravel(), return_inverse=True)
    found = _of_few(pairs.tobytes()) if pairs.size <= _FEW else _of(pairs)
    return np.asarray(found[inverse.ravel()].reshape(eps.shape))


@lru_cache(maxsize=1024)
def _of_few(pairs: bytes) -> Array:
    """A step of a page asks for the same sites' noise a dozen times."""
    return _of(np.frombuffer(pairs, dtype=complex))


def _of(pairs: NDArray[np.complex128]) -> Array:
    """Return the multipliers of different pairs, epsilon + i delta."""
    from scipy.special import ndtri_exp  # x with log Φ(x) as given

    # Beyond 1e300 squares overflow; the noise of 1e300 keeps the promise, and nobody sees it.
    e, log_delta = np.minimum(pairs.real, 1e300), np.log(pairs.imag)
    with np.errstate(all="ignore"):
        a = ndtri_exp(log_delta)
        t = np.maximum(_profile(a, e)[0], -2.0 * ndtri_exp(np.log1p(-pairs.imag) - math.log(2.0)))
        a = np.where(e < 1.0, t / 2.0 - e / t, a)
        for _ in range(100):
            t, wide, gap = _profile(a, e)
            log_step = (log_delta - _log_delta(a, gap)) * gap / t
            log_step = np.where(np.isfinite(log_step), log_step, 0.0)
            grown = t * np.exp(log_step)
            a = np.where(e < 1.0, grown / 2.0 - e / grown, a + log_step * wide)
            if np.all(np.abs(log_step) <= 1e-10):  # Newton: the next step would be its square
                break
        out = 1.0 / _profile(a, e)[0]
    return np.asarray(out)


def delta_of(multiplier: ArrayLike, epsilon: ArrayLike) -> Array:
    """Return the smallest δ at which noise of this multiplier is (ε, δ)-private.

    >>> float(delta_of(analytic_multiplier(2.0, 1e-6), 2.0))  # doctest: +ELLIPSIS
    1.0000...e-06

    Source: Balle and Wang (2018), Theorem 5.
    """
    eps = np.asarray(epsilon, float)
    with np.errstate(all="ignore"):
        t = 1.0 / np.asarray(multiplier, float)
        a = t / 2.0 - eps / t
        _, _, gap = _profile(a, eps)
        return np.asarray(np.exp(_log_delta(a, gap)))


def epsilon_of(multiplier: float, delta: float) -> float:
    """Return the smallest ε at which noise of this multiplier is (ε, δ)-private.

    >>> round(epsilon_of(float(analytic_multiplier(2.0, 1e-6)), 1e-6), 9)
    2.0

    Source: as `delta_of`, by bisection.
    """

    def holds(epsilon: float) -> bool:
        return float(delta_of(multiplier, epsilon)) <= delta

    return 0.0 if holds(0.0) else least(holds, 0.0, 1.0, most=1e300)


def budget_elasticity(epsilon: ArrayLike, multiplier: ArrayLike) -> Array:
    """Return -d log(σ/Δ) / d log ε of the exact calibration; 1 would be σ proportional to 1/ε.

    >>> 0.5 < float(budget_elasticity(1.0, analytic_multiplier(1.0, 1e-6))) < 1
    True

    Source: implicit differentiation; the derivatives of δ are φ(a) in t, -e^ε Φ(-w) in ε.
    """
    eps = np.asarray(epsilon, float)
    with np.errstate(all="ignore"):
        t = 1.0 / np.asarray(multiplier, float)
        return np.asarray(eps * _mills(t / 2.0 + eps / t) / t)


def _mills(x: Array) -> Array:
    """Mills' ratio (1 - Φ(x)) / φ(x)."""
    from scipy.special import erfcx  # here: an answer by the rate equation alone needs none

    return np.asarray(math.sqrt(math.pi / 2.0) * erfcx(x / math.sqrt(2.0)))


def _profile(a: Array, epsilon: Array) -> tuple[Array, Array, Array]:
    """Return t = Δ/σ, w = sqrt(a² + 2ε) and R(-a) - R(w), without cancellation."""
    wide = np.hypot(a, np.sqrt(2.0 * epsilon))
    width = np.where(a < 0, 2.0 * epsilon / (wide - a), wide + a)
    low = -a
    gap = _mills(low) - _mills(wide)
    # For close arguments: midpoint expansion, R' = xR - 1, R''' = (x^3 + 3x) R - x^2 - 2.
    # wide - low equals width here; where low << 0 the plain difference is fine.
    mid = 0.5 * (low + wide)
    mills = _mills(mid)
    first = 1.0 - mid * mills
    third = mid * mid + 2.0 - (mid**3 + 3.0 * mid) * mills
    near = width < 1e-3 * np.maximum(1.0, np.abs(mid))
    return width, wide, np.where(near, width * first + width**3 / 24.0 * third, gap)


def _log_delta(a: Array, gap: Array) -> Array:
    """Return log(φ(a) gap); 0 where R(-a) overflows."""
    direct = -0.5 * a * a - _HALF_LOG_TAU + np.log(gap)
    return np.where(np.isposinf(gap), 0.0, direct)  # -R(-a) overflows beyond 37: 1 - Φ < 1e-300
