r"""Roots of the designs that are no study: pooled records, inverse-variance weights, own tuning.

All of them balance a squared signal against a variance, as the equations of `rates.answer.terms`
do, and use the same constants. With s_j = r^(β γ_j) the signal of a record of site j, 1/A the
variance of one record and B the noise variance of one release (for a sum of n records):

* one curator weighs every record by a_j and adds noise once, to the largest weight:
  (sum a_j n_j s_j)^2 / (sum a_j^2 n_j / A + max a_j^2 B), maximised over a;
* one pooled fit does it with every a_j = 1;
* summaries at one agreed bandwidth with weights 1/V_j: (sum s_j/V_j)^2 / sum 1/V_j;
* curves that every site has tuned for itself, with weights 1/V_j: each keeps its own bias.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.numbers import STEEPEST, Terms, at_root, crossing, log_sum

Array = NDArray[np.float64]


def rising_root(value: Callable[[float], float], least: float) -> float:
    """Solve value(u) = 0 for a function that rises with a slope of at least ``least`` > 0.

    Its value at 0 proves a bracket. Returns ``inf`` where the function is minus infinity.

    >>> round(rising_root(lambda u: 2 * u - 3 + min(u, 0), 2), 12)
    1.5
    """
    v = value(0.0)
    if math.isinf(v):
        return -v
    far = -v / least * (1.0 + 1e-9)  # rounding at the end must not hide the change of sign
    return crossing(value, min(far, 0.0), max(far, 0.0), xtol=1e-15)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pool:
    """Records in one place, by the strength of their signal, with one release's constants.

    Attributes:
        log_n: Logs of the records of each group, groups in ascending order of ``power``.
        power: β γ, the log signal over log r.
        log_sample: The log of 1/variance of one record, less d log r.
        log_private: The log of 1/noise variance of one release, less 2 d log r.
        d: Dimension.
        smooth: Whether variances add (a mechanism) or the larger one counts (the rate equation).
    """

    log_n: Array
    power: Array
    log_sample: float
    log_private: float
    d: float
    smooth: bool


def pool(n: Array, power: Array, one: Terms) -> Pool:
    """Collect records by their signal; ``one`` is the equation of one site of one record."""
    powers, place = np.unique(np.minimum(power, STEEPEST), return_inverse=True)
    total = np.zeros(len(powers))
    np.add.at(total, place, n)
    kept = total > 0  # a group without records has no log
    size, budget, _, step, sample, private = (float(x.ravel()[0]) for x in one.pieces())
    return Pool(
        log_n=np.log(total[kept]),
        power=powers[kept],
        log_sample=size + sample,
        log_private=2.0 * (size + budget) + private,
        d=step,
        smooth=one.smooth,
    )


def pooled_fit(pool: Pool, u: float) -> float:
    """Log signal-to-noise ratio at log r = u where all records weigh the same."""
    log_signal = log_sum(pool.log_n + pool.power * u)
    log_n = log_sum(pool.log_n)
    sample = log_n - pool.log_sample - pool.d * u
    noise = -pool.log_private - 2.0 * pool.d * u
    total = (np.logaddexp if pool.smooth else np.maximum)(sample, noise)
    return float(2.0 * log_signal - total)


def best_weights(pool: Pool, u: float) -> float:
    r"""Log signal-to-noise ratio at log r = u where records weigh a_j = min(1, s_j/θ).

    The best weights are the signals, capped: noise is paid for the largest weight. Where
    variances add, the optimality condition sum n_j (s_j/θ - 1)_+ = A B makes θ the largest of
    S_k/(A B + N_k) over the k strongest groups, and the ratio is A sum n_j s_j min(s_j, θ).
    Where the larger one counts, θ makes both equal if they can be.
    """
    if not len(pool.log_n):
        return -math.inf
    order = slice(None) if u <= 0 else slice(None, None, -1)  # strongest first
    log_n, log_s = pool.log_n[order], (pool.power * u)[order]
    log_a = pool.log_sample + pool.d * u  # of A
    log_noise = -pool.log_private - 2.0 * pool.d * u  # of B
    cap = log_noise + log_a  # of A B
    capped_n = np.logaddexp.accumulate(log_n)
    capped_s = np.logaddexp.accumulate(log_n + log_s)
    if pool.smooth:
        theta = float(np.max(capped_s - np.logaddexp(cap, capped_n)))
        return float(log_sum(log_n + log_s + np.minimum(log_s, theta)) + log_a)
    if capped_n[-1] <= cap:  # noise counts even where every record has full weight
        return 2.0 * float(capped_s[-1]) - log_noise
    squares = np.logaddexp.accumulate((log_n + 2.0 * log_s)[::-1])[::-1]
    after = np.append(squares[1:], -math.inf)
    k = int(np.sum(np.logaddexp(capped_n, after - 2.0 * log_s) <= cap))  # groups at full weight
    if k == 0:
        return float(squares[0]) + log_a
    theta = 0.5 * float(squares[k] - cap - np.log1p(-np.exp(capped_n[k - 1] - cap)))
    return 2.0 * float(np.logaddexp(capped_s[k - 1], squares[k] - theta)) - log_noise


def inverse_variance(terms: Terms, power: Array, u: float) -> float:
    """Log signal-to-noise ratio at log r = u of site summaries with weights 1/V_j.

    ``terms`` is the study's own equation, power its β γ_j; counts are in the terms.
    """
    log_weight, _ = at_root(replace(terms, slope=terms.step), u)
    log_s = np.minimum(power, STEEPEST) * u
    return float(2.0 * log_sum(log_weight + log_s) - log_sum(log_weight))


def own_tuning(roots: Array, count: Array, g: float, *, pointwise: bool) -> float:
    r"""Return -log D of curves tuned site by site and combined by inverse variance.

    At its own D_j a site's variance equals its squared bias C D_j^(-2g), so with
    x_j = D_j^(2g) the weights are w_j = x_j/X, X = sum x_j. The combined variance is C/X. Site
    j knows nothing beyond D_j terms, so with sites in ascending order and W_j the weight up to
    j the largest squared bias over curves whose squared tail beyond K is at most C K^(-2g) is
    C sum (W_j^2 - W_(j-1)^2)/x_j; at a point it is C (sum w_j x_j^(-1/2))^2. The error is
    that of one site at 2 C D^(-2g).

    Args:
        roots: -log D_j of one server of each row.
        count: How many servers the row stands for.
        g: Smoothness.
        pointwise: Whether the error at one point counts.
    """
    known = np.isfinite(roots)
    if not known.any():
        return math.inf
    log_x = -2.0 * g * roots[known]
    order = np.argsort(log_x, kind="stable")
    top = float(log_x.max())
    x, many = np.exp(log_x[order] - top), count[known][order]
    total = float(np.sum(many * x))
    upto = np.cumsum(many * x) / total
    before = np.append(0.0, upto[:-1])
    if pointwise:
        squared_bias = (float(np.sum(many * np.sqrt(x))) / total) ** 2
    else:
        squared_bias = float(np.sum(many * (upto + before))) / total
    return (math.log((squared_bias + 1.0 / total) / 2.0) - top) / (2.0 * g)
