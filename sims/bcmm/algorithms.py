r"""Every way to use a public source and a private target: [BCMM]'s, one of our own, and rivals.

A private record's gradient is bounded by construction: features have norm at most 1, labels lie in
[-1, 1] and coefficients in a ball, so no gradient has to be clipped. Every private one states its
guarantee for replacement of one private record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from rates import adaptation
from rates.adaptation import AdaptationDesign
from sims.bcmm import exact
from sims.bcmm.data import Moments, Pair
from sims.bcmm.exact import reference, shrink, stacked
from sims.engine import Array, ahead, release

ROUNDS = 100  # steps of the private descents of our own
PLAIN_ROUNDS = 300  # steps of accelerated descent without noise
SQUARED_ONLY = ("profiled", "exact")

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


def descend(
    slope: Callable[[Array], Array],
    project: Callable[[Array], Array],
    w: Array,
    step: float | Array,
    steps: int,
    *,
    skip: int = 0,
    accelerated: bool = False,
) -> Array:
    """Run projected descent from w; return the average of its later steps, or of all.

    Args:
        slope: The gradient, or what is released of it.
        project: Into the set of allowed coefficients.
        w: Where to start.
        step: Length of a step, of all coordinates or of each.
        steps: How many.
        skip: Steps that the average leaves out.
        accelerated: With Nesterov's momentum, which noise would spoil; the last step is returned.

    >>> descend(lambda w: 2.0 * w, lambda w: w, np.array([8.0]), 0.25, 3, skip=1)
    array([1.5])
    """
    further, momentum, total = w, 1.0, np.zeros_like(w)
    for t in range(steps):
        new = project(further - step * slope(further))
        further = new
        # Nesterov's sequence; noise would add up in the momentum.
        if accelerated:
            following = (1.0 + math.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
            further = new + (momentum - 1.0) / following * (new - w)
            momentum = following
        w = new
        if t >= skip:
            total += w
    return w if accelerated else np.asarray(total / (steps - skip))


def _jointly(
    pair: Pair,
    design: AdaptationDesign,
    rng: np.random.Generator,
    records: Callable[[Array, Array], tuple[Array, Array, Array]],
    lengths: tuple[float, float | Array],
    *,
    plan: adaptation.PrintedNoise,
    rounds: int,
    skip: int = 0,
    gap: float = 0.0,
) -> Path:
    """Descend in coefficients and inverse weights together, with the printed noise.

    Args:
        pair: Both samples.
        design: Sizes and bounds.
        rng: Source of the noise.
        records: From the lines x'w and the inverse weights to each record's slope and loss, and
            what pulls its inverse weight up.
        lengths: Of a step in w, and in each inverse weight.
        plan: The noise.
        rounds: Steps taken.
        skip: Steps that the average leaves out.
        gap: The discrepancy.
    """
    (x, y), d, m = stacked(pair), pair.public.x.shape[1], pair.public.size
    lift = np.where(np.arange(len(y)) < m, gap, 0.0)
    # Inverse weights never fall below these, which is what bounds a record's part.
    low = 1.0 / reference(pair, design.alpha)
    shown, shown_u = _printed(plan)

    def slope(at: Array) -> Array:
        w, u = at[:d], at[d:]
        each, loss, pull = records(x @ w, u)
        grad_u = pull - (loss + lift) / u**2
        grad_w = shown(x.T @ (each / u), rng)
        return np.concatenate([grad_w, grad_u[:m], shown_u(grad_u[m:], rng)])

    def project(at: Array) -> Array:
        return np.concatenate([_into_ball(at[:d], design.norm_bound), np.maximum(at[d:], low)])

    step = np.concatenate([np.full(d, lengths[0]), np.broadcast_to(lengths[1], low.shape)])
    begin = np.concatenate([np.zeros(d), low])
    found = descend(slope, project, begin, step, rounds, skip=skip)
    w, u = found[:d], found[d:]
    moved = float(np.max(np.abs(u[:m] / low[:m] - 1.0)))
    return Path(w=w, inverse=u, moved=moved)


def algorithm_1(
    pair: Pair,
    design: AdaptationDesign,
    rng: np.random.Generator,
    *,
    steps: int,
    gap: float = 0.0,
) -> Path:
    """Run CnvxAdap as printed: noise, step sizes, projections and averages.

    The paper leaves the start open; here inverse weights start where they are smallest.

    Args:
        pair: Both samples; squared loss.
        design: Sizes and bounds; its budget is the one spent here.
        rng: Source of the noise.
        steps: T.
        gap: The (private) discrepancy.

    Source: [BCMM] Algorithm 1.
    """
    plan, m, (_, y) = adaptation.printed_noise(design, steps), pair.public.size, stacked(pair)
    held = design.penalty * reference(pair, design.alpha) ** 2
    eta = np.where(np.arange(len(y)) < m, plan.step_public, plan.step_private)

    def records(line: Array, u: Array) -> tuple[Array, Array, Array]:
        rest = line - y
        return 2.0 * rest, rest**2, held

    lengths = plan.step_w, eta
    return _jointly(pair, design, rng, records, lengths, plan=plan, rounds=steps, gap=gap)


def _mixed(
    A: Array,
    b: Array,
    design: AdaptationDesign,
    rngs: Sequence[np.random.Generator],
    shown: Callable[..., Array],
    *,
    step: float,
    steps: int,
    skip: int = 0,
) -> Array:
    """Run noisy descent on w'Aw - 2b'w for many replicates; return averages of later steps."""
    path = ahead(rngs, steps, b.shape[1])
    return descend(
        lambda w: shown(2.0 * (np.einsum("rij,rj->ri", A, w) - b), rngs[0], path=path),
        partial(_into_ball, norm_bound=design.norm_bound),
        np.zeros_like(b),
        step,
        steps,
        skip=skip,
    )


def _printed(plan: adaptation.PrintedNoise) -> tuple[Callable[..., Array], Callable[..., Array]]:
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
    design: AdaptationDesign, steps: int, *, share: float, profiled: bool = False
) -> Callable[..., Array]:
    """Return the release of a step of our own: (1-α)/n times a gradient of norm <= G, or less.

    As for a printed step, no two records reach the declared 2(1-α)G/n: 59% or 63% at Λr = 2.
    """
    noise = adaptation.descent_noise(design, steps, share=share, profiled=profiled)
    return _released("gradient step", *noise)


def _released(of: str, sensitivity: float, sigma: float) -> Callable[..., Array]:
    # A share of 1 uses no private record, and is released as a constant.
    multiplier = sigma / sensitivity if sensitivity else math.inf
    return partial(release, of=of, who="private", sensitivity=sensitivity, multiplier=multiplier)


def profiled(
    pair: Pair,
    design: AdaptationDesign,
    rng: np.random.Generator,
    *,
    steps: int = ROUNDS,
    gap: float | None = None,
) -> Array:
    """Minimise (6) privately with its weights profiled out: one release per step.

    Noisy projected descent with step 1/2 on the profiled objective, average of the later half.
    Each step's gradient has sensitivity at most 4(1 - α) √κ₁/n, and all steps together are
    (ε/2, δ)-private; with the discrepancy, released at ε/2, the whole is (ε, δ)-private.

    Args:
        pair: Both samples; squared loss.
        design: Sizes and bounds, and the whole budget.
        rng: Source of the noise.
        steps: T.
        gap: The private discrepancy; released here if not given.

    Source: our own mechanism; `rates.adaptation.descent_noise`.
    """
    (x, y), m = stacked(pair), pair.public.size
    lift = np.zeros(len(y))
    lift[:m] = private_gap(pair, design, rng) if gap is None else gap
    a = reference(pair, design.alpha)
    shown = _noisy(design.halved, steps, share=design.alpha, profiled=True)

    def slope(w: Array) -> Array:
        rest = x @ w - y
        return shown(2.0 * (x.T @ (a * rest * shrink(rest**2 + lift, design.penalty))), rng)

    return descend(
        slope,
        partial(_into_ball, norm_bound=design.norm_bound),
        np.zeros(x.shape[1]),
        0.5,
        steps,
        skip=steps // 2,
    )


def algorithm_2(
    pair: Pair, design: AdaptationDesign, rng: np.random.Generator, *, steps: int
) -> Path:
    """Run NCnvxAdap as printed, for the logistic loss: step 1/β̄, random iterate.

    Args:
        pair: Both samples; logistic loss.
        design: Sizes and bounds; its budget is the one spent here.
        rng: Source of the noise and of the iterate.
        steps: T.

    Source: [BCMM] Algorithm 2.
    """
    plan, (_, y) = adaptation.printed_noise(design, steps), stacked(pair)
    eta = 1.0 / adaptation.smoothness(design)
    chosen = int(rng.integers(1, steps + 1))  # what comes after this iterate does not matter

    def records(line: Array, u: Array) -> tuple[Array, Array, Array]:
        z = -y * line
        return -y * _logistic(z), np.logaddexp(0.0, z), design.penalty / u**2

    return _jointly(
        pair, design, rng, records, (eta, eta), plan=plan, rounds=chosen, skip=chosen - 1
    )


def logistic_descent(
    pair: Pair,
    design: AdaptationDesign,
    rng: np.random.Generator | None,
    *,
    share: float,
    steps: int = ROUNDS,
) -> Array:
    """Minimise the logistic loss of a fixed mixture by (noisy) projected descent, step 4.

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
    shown = _noisy(design, steps, share=share)

    def slope(w: Array) -> Array:
        grad = -(x.T @ (a * y * _logistic(-y * (x @ w))))
        return grad if rng is None else shown(grad, rng)

    return descend(
        slope,
        partial(_into_ball, norm_bound=design.norm_bound),
        np.zeros(x.shape[1]),
        1.0 / design.smoothness,
        steps,
        skip=steps // 2,
        accelerated=rng is None,
    )


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
    # Without a budget there is nothing to hide it with.
    if rng is None or math.isinf(design.epsilon):
        return value
    width, scale = adaptation.discrepancy_noise(design)
    shown = release(
        value,
        rng,
        of="discrepancy",
        law="Laplace",
        sensitivity=width,
        multiplier=scale / width,
        who="private",
    )
    # Post-processing: no discrepancy lies outside of these ends.
    return float(np.clip(shown, 0.0, design.loss_bound))


@lru_cache(maxsize=8)
def _gap(pair: Pair, norm_bound: float) -> float:
    """The discrepancy, kept as every budget asks for it."""
    return exact.discrepancy(Moments.of(pair.private), Moments.of(pair.public), norm_bound)


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
            fits). "source" uses no private record. Those of `SQUARED_ONLY` are for the squared
            loss. The printed one runs with its weights held at the reference weights, where they
            all but stay: then only second moments matter, and many replicates go at once.
        pairs: Problems of one size.
        design: Sizes, bounds and budget; ``inf`` for no noise.
        rngs: One generator per pair.
        steps: Steps of the printed algorithm.
    """
    alone = {"descent": 0.0, "target": 0.0, "source": 1.0}
    share = alone.get(method, design.alpha)
    if design.loss != "squared" or method not in ("printed", "descent", "mixed descent"):
        found = zip(pairs, rngs, strict=True)
        return np.array([_fitted(method, pair, rng, design, share, steps) for pair, rng in found])
    mixed = [mixture(pair, share) for pair in pairs]
    A, b = np.array([a for a, _ in mixed]), np.array([v for _, v in mixed])
    if method == "printed":  # half of the budget goes to the discrepancy, which changes nothing
        noise = adaptation.printed_noise(design.halved, steps)
        return _mixed(A, b, design, rngs, _printed(noise)[0], step=noise.step_w, steps=steps)
    shown, step = _noisy(design, ROUNDS, share=share), 1.0 / design.smoothness
    return _mixed(A, b, design, rngs, shown, step=step, steps=ROUNDS, skip=ROUNDS // 2)


def _fitted(
    method: str,
    pair: Pair,
    rng: np.random.Generator,
    design: AdaptationDesign,
    share: float,
    steps: int,
) -> Array:
    """Fit one pair by a method that is not for second moments alone."""
    if method == "profiled":
        return profiled(pair, design, rng)
    if method == "exact":
        return exact.minimise(pair, design, private_gap(pair, design, None))[0]
    if method == "printed":
        return algorithm_2(pair, design.halved, rng, steps=steps).w
    if method in ("descent", "mixed descent"):
        return logistic_descent(pair, design, rng, share=share)
    if design.loss == "squared":
        return exact.smallest_on_ball(*mixture(pair, share), design.norm_bound)[0]
    return logistic_descent(pair, design, None, share=share, steps=PLAIN_ROUNDS)


def mixture(pair: Pair, share: float) -> tuple[Array, Array]:
    """Return the second and cross moments of a mixture with this share of the public sample."""
    public, private, rest = Moments.of(pair.public), Moments.of(pair.private), 1.0 - share
    return share * public.A + rest * private.A, share * public.b + rest * private.b


def _into_ball(w: Array, norm_bound: float) -> Array:
    """Project one vector, or every row."""
    norm = np.sqrt(np.einsum("...i,...i->...", w, w))
    return np.asarray(w * np.minimum(1.0, norm_bound / np.maximum(norm, 1e-300))[..., None])


def _logistic(z: Array) -> Array:
    from scipy.special import expit

    return np.asarray(expit(z))
