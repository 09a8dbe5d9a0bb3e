r"""The algorithms of [BCMM] as printed, one of our own that needs less noise, and their rivals.

A private record's gradient is bounded by construction: features have norm at most r, labels lie in
[-1, 1] and coefficients in a ball, so no gradient has to be clipped. Every private one states its
guarantee for replacement of one private record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rates.adaptation import (
    AdaptationDesign,
    PrintedNoise,
    descent_sigma,
    own_sigma,
    printed_noise,
    smoothness,
)
from sims.adaptation.data import Moments, Pair
from sims.adaptation.exact import bent, columns, reference, shrink, sloped, stacked
from sims.engine import Array, ahead, release

ROUNDS = 100  # steps of the private descents of our own
PLAIN_ROUNDS = 300  # steps of accelerated descent without noise

PRIVACY = (
    "The private sample is protected, neighbours differing by replacing one of its records; the "
    "public sample is not protected. Each private fit gets the whole budget: the printed "
    "algorithm and ours spend half of it on the discrepancy and half on the descent, noisy descent "
    "spends all of it on the descent. The printed algorithm's noise suffices up to a budget that "
    "depends on delta only, 19.6 at delta = 0.01 and 22.5 at 1e-5 (18.2 at 0.1); at larger budgets "
    "the epsilon that really holds is larger than the one asked for. The lines without a budget "
    "are not private. Choosing α, the penalty or the number of steps by looking at private data "
    "would cost more."
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Path:
    """What Algorithm 1 or 2 returns, and how far its weights went.

    Attributes:
        w: Coefficients returned.
        inverse: Inverse weights returned, public records first.
        moved: Largest relative change of a public inverse weight between start and return.
    """

    w: Array
    inverse: Array
    moved: float


def algorithm_1(
    pair: Pair,
    design: AdaptationDesign,
    rng: np.random.Generator,
    *,
    steps: int,
    gap: float = 0.0,
    start: float = 1.0,
) -> Path:
    """Run CnvxAdap as printed: noise, step sizes, projections and averages.

    Args:
        pair: Both samples; squared loss.
        design: Sizes and bounds; its budget is the one spent here.
        rng: Source of the noise.
        steps: T.
        gap: The (private) discrepancy.
        start: Inverse weights at the start, over their smallest values; at least 1. The paper
            leaves the start open.

    Source: [BCMM] Algorithm 1.
    """
    plan, m = printed_noise(design, steps), pair.public.size
    shown, shown_u = _printed(plan)
    x, y, a, lift = _ready(pair, design, gap)
    low = 1.0 / a
    eta = np.where(np.arange(len(y)) < m, plan.step_public, plan.step_private)
    w, u = np.zeros(x.shape[1]), low * start
    held = design.penalty / low**2
    mean_w, mean_u = np.zeros_like(w), np.zeros_like(u)
    for _ in range(steps):
        rest = x @ w - y
        grad_w = 2.0 * (x.T @ (rest / u))
        grad_u = held - (rest**2 + lift) / u**2
        if design.penalty_2:
            grad_u -= design.penalty_2 / u**3 / math.sqrt(float(np.sum(u**-2.0)))
        if design.penalty_inf:
            least = int(np.argmin(u))  # one subgradient of 1/min u
            grad_u[least] -= design.penalty_inf / u[least] ** 2
        grad_w, grad_u[m:] = shown(grad_w, rng), shown_u(grad_u[m:], rng)
        w = _into_ball(w - plan.step_w * grad_w, design.norm_bound)
        u = np.maximum(u - eta * grad_u, low)
        mean_w += w
        mean_u += u
    w, u = mean_w / steps, mean_u / steps
    moved = float(np.max(np.abs(u[:m] / (low[:m] * start) - 1.0)))
    return Path(w=w, inverse=u, moved=moved)


def algorithm_1_held(
    A: Array,
    b: Array,
    design: AdaptationDesign,
    rngs: Sequence[np.random.Generator],
    *,
    steps: int,
) -> Array:
    """Run CnvxAdap with its weights held at the reference weights, where they all but stay.

    With fixed weights only the second moments matter, so that a run costs d² per step and many
    replicates go at once; `rates.adaptation.bounds.movement` bounds what is left out.

    Args:
        A: Second moments of the mixture, shape (replicates, d, d).
        b: Its cross moments, shape (replicates, d).
        design: Sizes and bounds; its budget is the one spent here.
        rngs: Sources of the noise, one per replicate.
        steps: T.

    Returns:
        Coefficients, shape (replicates, d).
    """
    plan = printed_noise(design, steps)
    shown = partial(_printed(plan)[0], path=ahead(rngs, steps, b.shape[1]))
    return _descend(A, b, shown, steps, rngs, step=plan.step_w, norm_bound=design.norm_bound)


def noisy_descent(
    A: Array,
    b: Array,
    design: AdaptationDesign,
    rngs: Sequence[np.random.Generator],
    *,
    share: float,
    steps: int = ROUNDS,
) -> Array:
    """Run noisy projected descent on a fixed mixture, at the least noise that is private.

    At share 0 this uses the target alone. Steps of length 1/(2r²), average of the later half.

    Args:
        A: Second moments of the mixture, shape (replicates, d, d).
        b: Its cross moments, shape (replicates, d).
        design: Bounds, private records and budget, all of which is spent here.
        rngs: Sources of the noise, one per replicate.
        share: α of the mixture, in [0, 1].
        steps: T.
    """
    shown = partial(
        _noisy(design, share, steps, design.private), path=ahead(rngs, steps, b.shape[1])
    )
    step, bound = 1.0 / design.smoothness, design.norm_bound
    return _descend(A, b, shown, steps, rngs, step=step, norm_bound=bound, skip=steps // 2)


def _printed(plan: PrintedNoise) -> tuple[Callable[..., Array], Callable[..., Array]]:
    """Return the releases of a printed step: of the gradient in w, of that in the weights.

    As inverse weights stay above n/(1-α), a private record's gradient in w has norm at most
    (1-α)G/n, so replacing it moves the sum by at most s₁; its one inverse weight's moves by at
    most the range of its loss over the square, s₂. Some records reach s₂. Of s₁ the worst reach
    59% at Λr = 2 (squared loss; logistic 63%): gradients of norm G do not point apart.
    """
    return (
        _released("gradient step", plan.sensitivity_w, plan.sigma_w),
        _released("gradient of the private weights", plan.sensitivity_u, plan.sigma_u),
    )


def _noisy(
    design: AdaptationDesign, share: float, steps: int, private: int
) -> Callable[..., Array]:
    """Return the release of a step on a fixed mixture: (1-α)/n times a gradient of norm <= G.

    As for a printed step, no two records reach the declared 2(1-α)G/n: 59% or 63% at Λr = 2.
    """
    sigma = descent_sigma(
        share=share,
        private=private,
        lipschitz=design.lipschitz,
        steps=steps,
        epsilon=design.epsilon,
        delta=design.delta,
    )
    return _released("gradient step", 2.0 * (1.0 - share) * design.lipschitz / private, sigma)


def _released(of: str, sensitivity: float, sigma: float) -> Callable[..., Array]:
    multiplier = sigma / sensitivity if sensitivity else math.inf
    return partial(release, of=of, who="private", sensitivity=sensitivity, multiplier=multiplier)


def profiled(
    pair: Pair,
    designs: Sequence[AdaptationDesign],
    rngs: Sequence[np.random.Generator],
    *,
    steps: int = ROUNDS,
    gaps: Sequence[float],
) -> Array:
    """Minimise (6) privately with its weights profiled out: one release per step and budget.

    Noisy projected descent with step 1/(2r²) on the profiled objective, average of the later half.
    Each step's gradient has sensitivity at most 4(1 - α) r √κ₁/n, and all steps together are
    (ε/2, δ)-private; with the discrepancy, released at ε/2, the whole is (ε, δ)-private. Descents
    at several budgets read the records together, step by step.

    Args:
        pair: Both samples; squared loss.
        designs: Sizes and bounds of each descent, alike but for ``epsilon``, the whole budget.
        rngs: Sources of the noise, one per descent.
        steps: T.
        gaps: The private discrepancies, one per descent.

    Returns:
        Coefficients, shape (descents, d).

    Source: our own mechanism; `rates.adaptation.noise.own_sigma`.
    """
    design, lift = designs[0], np.array(gaps)[:, None]
    shown = [_released("gradient step", *own_sigma(each, steps, share=0.5)) for each in designs]
    public, private = columns(pair.public), columns(pair.private)
    w = np.zeros((len(designs), pair.public.x.shape[1]))
    mean, later = np.zeros_like(w), steps // 2
    share = design.alpha / pair.public.size, (1.0 - design.alpha) / pair.private.size

    def rounded(rest: Array) -> Array:
        return rest * shrink(rest**2 + lift, design.penalty)

    for t in range(steps):
        grad = share[0] * sloped(public, w, rounded)
        grad += share[1] * sloped(private, w, partial(bent, penalty=design.penalty))
        grad = np.array(
            [show(g, rng) for show, g, rng in zip(shown, 2.0 * grad, rngs, strict=True)]
        )
        w = _into_balls(w - grad / (2.0 * design.radius**2), design.norm_bound)
        if t >= later:
            mean += w
    return mean / (steps - later)


def algorithm_2(
    pair: Pair,
    design: AdaptationDesign,
    rng: np.random.Generator,
    *,
    steps: int,
    gap: float = 0.0,
    softmax: float = 1.0,
) -> Path:
    """Run NCnvxAdap as printed, for the logistic loss: step 1/β̄, random iterate.

    Args:
        pair: Both samples; logistic loss.
        design: Sizes and bounds; its budget is the one spent here.
        rng: Source of the noise and of the iterate.
        steps: T.
        gap: The (private) discrepancy.
        softmax: μ of the smooth maximum.

    Source: [BCMM] Algorithm 2.
    """
    plan, m = printed_noise(design, steps), pair.public.size
    shown, shown_u = _printed(plan)
    eta = 1.0 / smoothness(design, softmax=softmax).total
    x, y, a, lift = _ready(pair, design, gap)
    low = 1.0 / a
    w, u = np.zeros(x.shape[1]), low.copy()
    chosen = int(rng.integers(1, steps + 1))
    for _ in range(chosen):  # what comes after the iterate that is returned does not matter
        z = -y * (x @ w)
        grad_w = -(x.T @ (y * _logistic(z) / u))
        grad_u = (design.penalty - np.logaddexp(0.0, z) - lift) / u**2
        if design.penalty_2:
            grad_u -= design.penalty_2 / u**3 / math.sqrt(float(np.sum(u**-2.0)))
        if design.penalty_inf:
            soft = np.exp(softmax / u - softmax / u.min())
            grad_u -= design.penalty_inf * soft / soft.sum() / u**2
        grad_w, grad_u[m:] = shown(grad_w, rng), shown_u(grad_u[m:], rng)
        w = _into_ball(w - eta * grad_w, design.norm_bound)
        u = np.maximum(u - eta * grad_u, low)
    return Path(w=w, inverse=u, moved=float(np.max(np.abs(u[:m] / low[:m] - 1.0))))


def logistic_descent(
    pair: Pair,
    design: AdaptationDesign,
    rng: np.random.Generator | None,
    *,
    share: float,
    steps: int = ROUNDS,
) -> Array:
    """Minimise the logistic loss of a fixed mixture by (noisy) projected descent, step 4/r².

    Without noise the descent is accelerated and close to the minimum.

    Args:
        pair: Both samples.
        design: Bounds and budget, all of which is spent here.
        rng: Source of the noise; None for no noise.
        share: α of the mixture, in [0, 1].
        steps: T.
    """
    a = reference(pair, share)
    x, y = stacked(pair)
    x, y, a = x[a > 0], y[a > 0], a[a > 0]
    shown = _noisy(design, share, steps, pair.private.size)
    eta = 1.0 / design.smoothness
    w = further = np.zeros(x.shape[1])
    momentum, mean, later = 1.0, np.zeros(x.shape[1]), steps // 2
    for t in range(steps):
        at = further if rng is None else w
        grad = -(x.T @ (a * y * _logistic(-y * (x @ at))))
        if rng is not None:
            grad = shown(grad, rng)
        new = _into_ball(at - eta * grad, design.norm_bound)
        following = (1.0 + math.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        further = new + (momentum - 1.0) / following * (new - w)
        momentum, w = following, new
        if t >= later:
            mean += w
    return w if rng is None else mean / (steps - later)


def mixture(public: Moments, private: Moments, share: float) -> tuple[Array, Array]:
    """Return the second and cross moments of a mixture."""
    return (
        share * public.A + (1.0 - share) * private.A,
        share * public.b + (1.0 - share) * private.b,
    )


def _descend(
    A: Array,
    b: Array,
    shown: Callable[..., Array],
    steps: int,
    rngs: Sequence[np.random.Generator],
    *,
    step: float,
    norm_bound: float,
    skip: int = 0,
) -> Array:
    """Run projected descent on w'Aw - 2b'w for many replicates; return averages of later steps."""
    w = np.zeros_like(b)
    mean = np.zeros_like(b)
    for t in range(steps):
        grad = shown(2.0 * (np.einsum("rij,rj->ri", A, w) - b), rngs[0])
        w = _into_balls(w - step * grad, norm_bound)
        if t >= skip:
            mean += w
    return np.asarray(mean / (steps - skip))


def _ready(pair: Pair, design: AdaptationDesign, gap: float) -> tuple[Array, Array, Array, Array]:
    """Return features, labels, reference weights, and what is added to each record's loss."""
    x, y = stacked(pair)
    lift = np.where(np.arange(len(y)) < pair.public.size, gap, 0.0)
    return x, y, reference(pair, design.alpha), lift


def _into_ball(w: Array, norm_bound: float) -> Array:
    norm = math.sqrt(float(w @ w))
    return w if norm <= norm_bound else np.asarray(w * (norm_bound / norm))


def _into_balls(w: Array, norm_bound: float) -> Array:
    norm = np.sqrt(np.einsum("ri,ri->r", w, w))
    return np.asarray(w * np.minimum(1.0, norm_bound / np.maximum(norm, 1e-300))[:, None])


def _logistic(z: Array) -> Array:
    from scipy.special import expit

    return np.asarray(expit(z))
