"""Every way to use a public source and a private target, behind one call.

A rival from the literature: public records weighed to look like the private ones.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rates.adaptation import AdaptationDesign, discrepancy_noise
from sims.bcmm import algorithms
from sims.bcmm.algorithms import descend
from sims.bcmm.data import Moments, Pair
from sims.bcmm.exact import discrepancy, minimise, smallest_on_ball
from sims.engine import Array, release

MATCHED = 1_000  # public records that kernel mean matching uses at most
HEAVIEST = 10.0  # the largest weight B that it gives
SQUARED_ONLY = ("profiled", "exact")


def private_gap(pair: Pair, design: AdaptationDesign, rng: np.random.Generator | None) -> float:
    """Return the discrepancy of a pair, with Laplace noise at half of the budget if asked for.

    Args:
        pair: Both samples; 0 for the logistic loss, where no exact value is at hand and none
            would change the coefficients.
        design: Bounds and budget.
        rng: Source of the noise; None for no noise.
    """
    if pair.loss != "squared":
        return 0.0
    value = _gap(pair, design.norm_bound)
    if rng is None or math.isinf(design.epsilon):
        return value
    width, scale = discrepancy_noise(design)
    shown = release(
        value,
        rng,
        of="discrepancy",
        law="Laplace",
        sensitivity=width,
        multiplier=scale / width,
        who="private",
    )
    return float(np.clip(shown, 0.0, design.loss_bound))


@functools.lru_cache(maxsize=8)
def _gap(pair: Pair, norm_bound: float) -> float:
    """The discrepancy, kept as every budget asks for it."""
    return discrepancy(Moments.of(pair.private), Moments.of(pair.public), norm_bound)


def fit(
    method: str,
    pairs: Sequence[Pair],
    design: AdaptationDesign,
    rngs: Sequence[np.random.Generator],
    *,
    steps: int,
) -> Array:
    """Return the coefficients that a method finds, one row per pair.

    Args:
        method: Private: "printed" (Algorithm 1, or 2 for labels ±1), "profiled" (our minimiser with
            the weights profiled out), "descent" (noisy, on the target alone), "mixed descent" (on
            the mixture with share α). Not private: "exact" (of (6)), "mixture", "target" (best
            fits), "matching" (of kernel means). "source" uses no private record. Those of
            `SQUARED_ONLY` are for the squared loss.
        pairs: Problems of one size.
        design: Sizes, bounds and budget; ``inf`` for no noise.
        rngs: One generator per pair.
        steps: Steps of the printed algorithm.

    """
    if design.loss == "squared" and method in ("printed", "descent", "mixed descent"):
        return _by_moments(method, pairs, design, rngs, steps)
    one = _logistic if design.loss == "logistic" else _squared
    found = (one(method, *drawn, design, steps) for drawn in zip(pairs, rngs, strict=True))
    return np.array(list(found))


def profiled(
    pair: Pair, designs: Sequence[AdaptationDesign], rngs: Sequence[np.random.Generator]
) -> Array:
    """Return the coefficients of our private minimiser at several budgets, one row per design."""
    gaps = [private_gap(pair, at, rng) for at, rng in zip(designs, rngs, strict=True)]
    return algorithms.profiled(pair, designs, rngs, gaps=gaps)


def _share(method: str, design: AdaptationDesign) -> float:
    """α of the mixture that a method fits."""
    return {"descent": 0.0, "target": 0.0, "source": 1.0, "matching": 1.0}.get(method, design.alpha)


def _by_moments(
    method: str,
    pairs: Sequence[Pair],
    design: AdaptationDesign,
    rngs: Sequence[np.random.Generator],
    steps: int,
) -> Array:
    share = _share(method, design)
    mixed = [algorithms.mixture(Moments.of(p.public), Moments.of(p.private), share) for p in pairs]
    A, b = np.array([a for a, _ in mixed]), np.array([v for _, v in mixed])
    if method == "printed":  # half of the budget goes to the discrepancy, which changes nothing
        return algorithms.algorithm_1_held(A, b, design.halved, rngs, steps=steps)
    return algorithms.noisy_descent(A, b, design, rngs, share=share)


def _squared(
    method: str, pair: Pair, rng: np.random.Generator, design: AdaptationDesign, _: int
) -> Array:
    bound = design.norm_bound
    if method == "profiled":
        return np.asarray(profiled(pair, [design], [rng])[0])
    if method == "exact":
        gap = private_gap(pair, design, None)
        at = {"alpha": design.alpha, "penalty": design.penalty, "norm_bound": bound}
        return minimise(pair, gap=gap, **at)[0]
    if method == "matching":
        chosen, weight = _matched(pair, rng)
        x, y = pair.public.x[chosen], pair.public.y[chosen]
        A, b = (x.T * weight) @ x / len(y), x.T @ (weight * y) / len(y)
    else:
        both = Moments.of(pair.public), Moments.of(pair.private)
        A, b = algorithms.mixture(*both, _share(method, design))
    return smallest_on_ball(A, b, bound)[0]


def _logistic(
    method: str, pair: Pair, rng: np.random.Generator, design: AdaptationDesign, steps: int
) -> Array:
    if method == "printed":
        return algorithms.algorithm_2(pair, design.halved, rng, steps=steps).w
    share = _share(method, design)
    if method in ("descent", "mixed descent"):
        return algorithms.logistic_descent(pair, design, rng, share=share)
    if method == "matching":
        chosen, weight = _matched(pair, rng)
        picked = rng.choice(chosen, len(chosen), p=weight / weight.sum())
        pair = replace(pair, public=pair.public.rows(picked))
    rounds = algorithms.PLAIN_ROUNDS
    return algorithms.logistic_descent(pair, design, None, share=share, steps=rounds)


def _matched(pair: Pair, rng: np.random.Generator) -> tuple[NDArray[np.intp], Array]:
    """Return some public records and their weights."""
    size = pair.public.size
    chosen = rng.permutation(size)[: min(size, MATCHED)]
    return chosen, kernel_mean_matching(pair.public.x[chosen], pair.private.x)


def kernel_mean_matching(public: Array, private: Array) -> Array:
    r"""Return weights of public records that match the private records' mean kernel function.

    .. math:: \min_{0 \le \beta \le B} \bigl\|\tfrac1m\sum_i \beta_i K(x_i, \cdot)
        - \tfrac1n\sum_j K(x_j, \cdot)\bigr\|^2, \qquad K(x, y) = e^{-\|x-y\|^2/(2\sigma^2)}.

    Accelerated projected gradient, σ = 1. It reads the private features without protection.

    Args:
        public: Features, shape (m, d); the kernel matrix is dense, so a few thousand at most.
        private: Features, shape (n, d).

    Source: Huang et al. (2006), without their constraint on the mean weight.
    """
    m = len(public)
    inside, across = _kernel(public, public), _kernel(public, private)
    right = across.mean(axis=1)
    return descend(
        lambda beta: inside @ beta / m - right,
        lambda beta: np.clip(beta, 0.0, HEAVIEST),
        np.ones(m),
        m / float(np.linalg.norm(inside, 1)),
        algorithms.PLAIN_ROUNDS,
        accelerated=True,
    )


def _kernel(a: Array, b: Array) -> Array:
    square = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2.0 * (a @ b.T)
    return np.asarray(np.exp(-np.maximum(square, 0.0) / 2.0))
