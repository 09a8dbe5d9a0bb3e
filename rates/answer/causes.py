r"""What an answer's error comes from: bias, sampling, privacy noise, and sites that differ.

The causes do not add up by themselves: noise counts for more where sites are weak, and bias and
noise join under a power. So every set of causes gets the error that remains when all others are
switched off, and a cause gets its Shapley share: what it adds, on average over all orders in
which the causes may come in. The shares add to 1.

**Switched off** means, for one and the same estimator, whose bandwidth (or number of functions)
and weights stay those of the whole study:

* privacy: every epsilon infinite, so that the noise has variance 0;
* sampling: the variance of the records is dropped, A/(n_j h^d) or v K/n_j;
* dissimilarity: every gamma above 1 is lowered to 1, a weaker source is as clear as the target.
  A source clearer than the target (gamma below 1) makes no error, and stays as it is;
* bias: the estimate is right but for its noise.

Nothing but noise and bias is an error, so that no cause, or dissimilarity alone, gives 0. The
bandwidth is not chosen anew: with one cause gone the best one is 0 or infinite, the error of
every smaller set is 0, and all causes would get like shares whatever the study.

**By a named mechanism.** With Q_j the parts of its equation at the root, which add to 1, and p_j
the part of a site's variance that privacy makes, the noise has the size 1, of which
sum Q_j p_j is privacy and the rest sampling. A distance from the boundary that is felt through
noise of the size s solves sum_j Q_j exp(gamma_j tau) = s, in units of r^beta; with gamma_j
lowered to g_j it solves sum_j Q_j r^(beta (g_j - gamma_j)) exp(g_j tau) = s. Bias is 1 in these
units, as the mechanism takes r such that its bias is its noise. The error is
((bias^2 + e^(2 tau)) / 2)^((1 + alpha)/2); for a curve, whose sites do not differ, the same with
alpha = 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer.mechanism import Lens
from rates.answer.terms import equation
from rates.numbers import DomainError, Words, at_root, check_array, log_sum, make_terms, solve_log
from rates.study import Study, columns

Array = NDArray[np.float64]

CAUSES = ("bias", "sampling", "privacy", "dissimilarity")
SETS = tuple(product((False, True), repeat=len(CAUSES)))  # the last cause changes fastest


@dataclass(frozen=True, slots=True, kw_only=True)
class Causes:
    """The error of one study by cause.

    Attributes:
        error: With all causes.
        values: Error with just some causes, over the error with all, in the order of `SETS`.
        shares: Shapley share of every cause, in the order of `CAUSES`; they add to 1. By a
            mechanism none is negative; an exact risk may be smaller with a cause than without.
        scale: What the error is: a named mechanism's rate, or the exact risk in a world.

    Raises:
        DomainError: A value is missing, negative or infinite, or the error of no cause is not 0.
    """

    error: float
    values: tuple[float, ...]
    shares: tuple[float, ...]
    scale: str

    @classmethod
    def of(cls, errors: Sequence[float], scale: str) -> Causes:
        """Return the shares of the errors of all sets of causes, in the order of `SETS`.

        >>> found = Causes.of([float(sum(some)) for some in SETS], "a count of causes")
        >>> found.error, found.shares
        (4.0, (0.25, 0.25, 0.25, 0.25))
        """
        found = check_array("errors", errors, zero=True)
        if len(found) != len(SETS) or found[0] != 0 or not found[-1] > 0:
            rule = "16 errors are asked for: 0 without a cause, and more than 0 with all."
            raise DomainError(rule, "errors", Words(f"{len(found)} errors"))
        whole = float(found[-1])
        values = found / whole
        return cls(
            error=whole,
            values=tuple(values.tolist()),
            shares=tuple((shapley(values) + 0.0).tolist()),
            scale=scale,
        )


def shapley(values: ArrayLike) -> Array:
    r"""Return the Shapley share of every player of a game.

    .. math:: \phi_i = \sum_{S \not\ni i} \frac{|S|!\,(k - |S| - 1)!}{k!}
        \bigl(v(S \cup i) - v(S)\bigr).

    Args:
        values: v of all 2^k sets of k players, along the last axis; the last player changes
            fastest. Leading axes hold several games.

    Returns:
        One share per player, which add to v of all less v of none.

    Raises:
        DomainError: The number of values is no power of 2.

    Examples:
        A left glove and two right ones are worth 1 a pair; the left one is scarce.

        >>> shapley([0, 0, 0, 0, 0, 1, 1, 1]).round(6).tolist()
        [0.666667, 0.166667, 0.166667]

    Source: Shapley (1953), A value for n-person games.
    """
    v = np.asarray(values, dtype=float)
    players = v.shape[-1].bit_length() - 1
    if v.shape[-1] != 2**players:
        raise DomainError("A game has 2^k values.", "values", v.shape[-1])
    cube = v.reshape(*v.shape[:-1], *[2] * players)
    inside = np.indices([2] * (players - 1)).sum(axis=0) if players > 1 else np.zeros(())
    sizes = [math.factorial(s) * math.factorial(players - s - 1) for s in range(players)]
    weight = np.array(sizes, dtype=float)[inside.astype(int)] / math.factorial(players)
    lead = v.ndim - 1
    out = np.empty((*v.shape[:-1], players))
    for player in range(players):
        gain = np.diff(cube, axis=lead + player).squeeze(axis=lead + player)
        out[..., player] = (gain * weight).sum(axis=tuple(range(lead, gain.ndim)))
    return out


def error_causes(study: Study, lens: Lens | None = None) -> Causes:
    """Return what a study's error by the named mechanism comes from; see the module's text.

    Args:
        study: A study whose rate is below 1.
        lens: Which risk, and the mechanism's constants.

    Raises:
        DomainError: A private row lacks delta, or the rate is 1: then there is nothing to share.

    Examples:
        Four hospitals: the noise is that of privacy; no source is weaker than the target.

        >>> from rates.presets import preset
        >>> found = error_causes(preset("hospitals").study)
        >>> [f"{name} {share:.0%}" for name, share in zip(CAUSES, found.shares)]
        ['bias 50%', 'sampling 2%', 'privacy 48%', 'dissimilarity 0%']

    Source: the module's formulas, on the equation of `rates.calibrated`.
    """
    own = equation(study, (lens or Lens()).named)
    u = float(solve_log(own.terms))
    if not own.rate_power * u < 0:
        rule = "The rate is 1: the study knows no more than chance, and no cause has a share in it."
        raise DomainError(rule, "servers", Words("too little information"), "Study")
    level, gap = at_root(own.terms, u)
    part = np.exp(level - log_sum(level))
    with np.errstate(over="ignore"):
        privacy = min(1.0, float((part / (1.0 + np.exp(gap))).sum()))
    gamma, beta = columns(study.servers)["signal_exponent"], study.smoothness
    power = 0.5 * (1.0 + study.margin)
    noise = np.array([[s * (1.0 - privacy) + p * privacy for p in (0, 1)] for s in (0, 1)])
    with np.errstate(divide="ignore"):
        size = 0.5 * np.log(noise)  # over bias; -inf without noise
        log_part = np.log(part)
    alike = np.minimum(gamma, 1.0)
    steep = np.stack([alike, gamma])[:, None]  # without dissimilarity, and with it
    signal = np.stack([log_part + beta * u * (alike - gamma), log_part])[:, None]
    some = np.isfinite(size)
    felt = np.full((*size.shape, 2), -np.inf)
    felt[some] = solve_log(make_terms(signal - size[some][:, None], np.inf, steep, 1.0)).T
    with np.errstate(under="ignore"):
        squares = np.array([0.0, 1.0])[:, None, None, None] + np.exp(2.0 * felt)
    errors = (0.5 * squares) ** power * math.exp(own.rate_power * u)
    errors[0, 0, 0] = 0.0
    scale = "rate by the named mechanism"
    return Causes.of(errors.reshape(-1).tolist(), scale)
