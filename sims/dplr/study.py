r"""Experiments of [DPLR] Section 3: four ways to use the sources, over budget, size, |A| and h.

The design: Y = x'β_k + e and y = 1{Y > 0}, x normal with covariance 0.5^|i-j|. The target has
coefficient 1 on its first s covariates. A transferable source has β + (h/p) d_k with random signs
d_k, so that |β - β_k|_1 = h. Any other has (h/p) d_k, plus 1 on the next s covariates and on s
random later ones. The paper does not state its threshold on Y; here it is 0.

One draw of the design in plain numbers: which sources are kept, and every fit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rates import logistic as theory
from rates.logistic import LAWS, covariance, mixture
from rates.numbers import DELTA, EPSILON, DomainError, Parameter, Words
from sims import engine
from sims.dplr.release import KINDS, Release, noise_share, release
from sims.dplr.solver import FOLDS, METHODS, Detection, Statistics, detect, transfer
from sims.engine import Array, Values

MOST_VALUES = 2_000_000  # covariate values of one replicate, to keep a page responsive


DIMENSION = Parameter("dimension", "p", "3, ..., 100", help="Covariates. The paper has 50.")
SPARSITY = Parameter(
    "sparsity", "s", "1, ..., 33", help="Covariates that matter for the target. The paper: 10."
)
SOURCES = Parameter(
    "sources", "K", "1, ..., 40", help="Sources beside the target. The paper has 20."
)
TRANSFERABLE = Parameter(
    "transferable", "|A|", "0, ..., 40", help="How many of the sources are like the target up to h."
)
TARGET_SIZE = Parameter(
    "n0",
    "n_0",
    "12, ..., 1e5",
    rule="n0 must be a whole number from 12 to 100,000.",
    help="Records of the target. The paper has 300.",
)
SOURCE_SIZE = Parameter(
    "nk",
    "n_k",
    "12, ..., 1e5",
    rule="nk must be a whole number from 12 to 100,000.",
    help="Records of each source. The paper has 400.",
)
DEVIATION = Parameter(
    "deviation",
    "h",
    "[0, 100]",
    help="|β - β_k|_1 of a transferable source: how far its coefficients are from the target's.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A target and K sources, the first |A| of them transferable.

    Attributes:
        dimension: p.
        sparsity: s, with 3 s <= p so that (20) can be drawn.
        sources: K.
        transferable: |A|, at most K.
        deviation: h.
        law: Error law, one of `rates.logistic.LAWS`.
        n0: Records of the target.
        nk: Records of each source.

    Raises:
        DomainError: The numbers do not fit, or the records are too many to simulate here.

    >>> World(dimension=20, sparsity=5, sources=4, transferable=2).truth.sum()
    np.float64(5.0)
    """

    dimension: int = 50
    sparsity: int = 10
    sources: int = 20
    transferable: int = 6
    deviation: float = 3.0
    law: str = "normal"
    n0: int = 300
    nk: int = 400

    def __post_init__(self) -> None:
        if 3 * self.sparsity > self.dimension:
            rule = "3 s must be at most p: (20) needs s further covariates and s random later ones."
            raise DomainError(rule, field="sparsity", value=self.sparsity, where="Design")
        if self.transferable > self.sources:
            rule = f"|A| must be at most the number of sources, {self.sources}."
            raise DomainError(rule, field="transferable", value=self.transferable, where="Design")
        values = self.dimension * (self.n0 + self.sources * self.nk)
        if values > MOST_VALUES:
            rule = f"At most {MOST_VALUES:,} covariate values, p (n_0 + K n_k), are simulated."
            raise DomainError(rule, field="nk", value=Words(f"{values:,}"), where="Design")

    @property
    def truth(self) -> Array:
        """The target's coefficients, shape (p,)."""
        return np.where(np.arange(self.dimension) < self.sparsity, 1.0, 0.0)

    @property
    def like_target(self) -> NDArray[np.bool_]:
        """Whether each source is transferable, shape (K,)."""
        return np.arange(self.sources) < self.transferable


@lru_cache(maxsize=8)
def _factor(p: int) -> Array:
    return np.asarray(np.linalg.cholesky(covariance(p)))


def coefficients(world: World, rng: np.random.Generator) -> Array:
    """Draw the coefficients of the sources, shape (K, p).

    >>> world = World(dimension=20, sparsity=5, sources=2, transferable=1, deviation=4.0)
    >>> drawn = coefficients(world, np.random.default_rng(0))
    >>> round(float(np.abs(drawn[0] - world.truth).sum()), 6)
    4.0

    Source: [DPLR] Section 3.1 and eq. (20).
    """
    p, s = world.dimension, world.sparsity
    signs = rng.integers(0, 2, (world.sources, p)) * 2 - 1
    # Random signs: |β - β_k|_1 is h exactly, in no preferred direction.
    out = world.deviation / p * signs
    out[: world.transferable] += world.truth
    for row in out[world.transferable :]:
        row[s : 2 * s] += 1.0
        row[rng.choice(np.arange(2 * s, p), s, replace=False)] += 1.0
    return np.asarray(out)


def records(
    world: World, w: Array, n: int, rng: np.random.Generator
) -> tuple[Array, NDArray[np.float64]]:
    """Draw n records of a site with coefficients w.

    >>> x, y = records(World(), World().truth, 5, np.random.default_rng(0))
    >>> x.shape, set(y.tolist()) <= {0.0, 1.0}
    ((5, 50), True)

    Source: [DPLR] eq. (19).
    """
    x = rng.standard_normal((n, world.dimension)) @ _factor(world.dimension).T
    return x, (x @ w + errors(world.law, n, rng) > 0).astype(float)


def errors(law: str, n: int, rng: np.random.Generator) -> Array:
    """Draw n errors.

    >>> errors("t3", 2, np.random.default_rng(0)).shape
    (2,)

    Source: [DPLR] Section 3.1.
    """
    if law == "t3":
        return rng.standard_t(3, n)
    weights, variances = mixture(law)
    z = rng.standard_normal(n)
    if len(weights) == 1:
        return z * math.sqrt(float(variances[0]))
    return np.asarray(z * np.where(rng.random(n) < weights[1], *np.sqrt(variances[::-1])))


Drawn = tuple[tuple[Statistics, ...], tuple[Statistics, ...]]  # target's folds, and sources


def draw(world: World, how: Release, seed: int, index: int) -> Drawn:
    """Draw all sites of one replicate; return the target's folds and the sources, as released.

    Records depend on seed, index and sizes, not on the noise, so that budgets are compared on
    the same records.

    Source: [DPLR] Section 3.
    """
    rng, noise = (engine.generator(seed, name, index) for name in ("logistic", "logistic noise"))
    x, y = records(world, world.truth, world.n0, rng)  # first, so that no source changes them
    target = release(x, y, how, noise, folds=FOLDS, who="target")
    sources = []
    for k, w in enumerate(coefficients(world, rng)):
        x, y = records(world, w, world.nk, rng)
        sources.append(release(x, y, how, noise, who=f"source {k + 1}")[0])
    return target, tuple(sources)


BUDGET = replace(
    EPSILON, domain="(0, inf]", rule="epsilon must be positive (inf: clipped, but no noise)."
)
SIZE = Parameter("size", "size", "[0.04, 1000]", help="Factor on the records of all sites.")
CLIP = theory.RADIUS.within(
    "[0.1, 100]",
    name="clip",
    symbol="R/√p",
    help="Clipping radius over sqrt(p). A typical record of the design has norm sqrt(p).",
)
AT_LEAST_ONE = TRANSFERABLE.within("1, ..., 40")
SHARED_SCALE = theory.SCALE.within("(0, 1e6)")
METRICS = {
    "accuracy": "probability of a right label for a new record of the target",
    "error": "|w - β|, which the surrogate keeps from 0",
    "kept": "share of sources kept",
}
KEPT = ("Kept, transferable", "Kept, the others")
SYMBOLS = {"epsilon": "ε", "size": "size", "transferable": "|A|", "deviation": "h"}
PRIVACY = (
    "Gaussian and Laplace: every record is clipped, and (G, b) of each fold of the target and of "
    "each source gets noise once; (epsilon, delta) for every record, one record replaced, with "
    "fits, penalties and dropped sources as post-processing. Printed noise: no finite epsilon. "
    "Accuracies are computed from the known truth, not from records."
)


def replicate(world: World, how: Release, seed: int, index: int) -> tuple[Detection, Array]:
    """Draw, release, detect and fit once; return coefficients by the order of `METHODS`, (4, p).

    Source: [DPLR] Section 3, Algorithms 1 and 2.
    """
    target, sources = draw(world, how, seed, index)
    found = detect(target, sources)
    chosen = [list(itertools.compress(sources, kept)) for kept in (world.like_target, found.kept)]
    pools = [[], chosen[0], list(sources), chosen[1]]
    return found, transfer(target, pools, tolerance=1e-5)


@lru_cache(maxsize=4096)
def _numbers(world: World, how: Release, seed: int, index: int) -> Mapping[str, Array]:
    """All metrics of one replicate; small, and shared by the points of a run."""
    return metrics(world, *replicate(world, how, seed, index))


def metrics(world: World, found: Detection, W: Array) -> dict[str, Array]:
    """Return every metric of a replicate, one number per method, or per kind of source."""
    beta, S = world.truth, covariance(world.dimension)
    kept, alike = found.kept, world.like_target
    return {
        "accuracy": theory.accuracy(W, beta, S, world.law),
        "error": np.linalg.norm(W - beta, axis=-1),
        "kept": np.array([_share(kept[alike]), _share(kept[~alike])]),
    }


def _share(kept: NDArray[np.bool_]) -> float:
    return float(kept.mean()) if kept.size else math.nan


def world_of(at: Values) -> World:
    """Return the design of one point, its own numbers among the values."""
    factor = at.number("size") if "size" in at else 1.0
    return World(
        dimension=at.whole("dimension"),
        sparsity=at.whole("sparsity"),
        sources=at.whole("sources" if "sources" in at else "transferable"),
        transferable=at.whole("transferable"),
        deviation=at.number("deviation"),
        law=at.among("law", LAWS),
        n0=max(12, round(at.number("n0") * factor)),
        nk=max(12, round(at.number("nk") * factor)),
    )


def release_of(at: Values) -> Release:
    """Return clipping and noise of one point."""
    return Release(
        kind=at.among("kind", KINDS),
        **{name: at.number(name) for name in ("epsilon", "delta", "clip", "scale")},
    )


def _points(values: Values) -> tuple[engine.Point, ...]:
    sweep, metric = engine.Sweep.of(values, tuple(SYMBOLS)), values["metric"]
    names = KEPT if metric == "kept" else tuple(METHODS.values())
    several = [name for name in sweep.fixed if len(sweep.axes[name]) > 1]
    out = []
    for settings in sweep.settings():
        at = values.changed(**settings)
        world = world_of(at)
        release_of(at)
        for name in names:
            if name == KEPT[0] and not world.transferable:
                continue
            if name == KEPT[1] and world.transferable == world.sources:
                continue
            label = "".join(f", {SYMBOLS[k]} = {at.number(k):g}" for k in several)
            asked = settings.changed(method=name)
            out.append(
                engine.Point(series=f"{name}{label}", x=at.number(sweep.name), settings=asked)
            )
    if not out:
        rule = "With |A| = K and with |A| = 0 alone there is nothing to tell apart."
        raise DomainError(rule, field="transferable", value=sweep.axes["transferable"][0])
    return tuple(out)


def _sample(values: Values, point: engine.Point, seed: int, indices: range) -> Array:
    at, metric = values.changed(**point.settings), values.word("metric")
    world, how = world_of(at), release_of(at)
    place = (KEPT if metric == "kept" else tuple(METHODS.values())).index(at.word("method"))
    return np.array([_numbers(world, how, seed, k)[metric][place] for k in indices])


_KIND = engine.Choice(
    name="kind",
    options=KINDS,
    default="gaussian",
    help="gaussian, laplace: clipped and calibrated to epsilon. printed: Laplace noise of the "
    "given scale inside the sum over records, as Algorithm 1; printed once: on the sums, "
    "as (9). Both have no finite epsilon. none: no noise, no clipping.",
)
_LAW = engine.Choice(
    name="law",
    options=LAWS,
    default="normal",
    help="Law of the errors: N(0, 1), 0.9 N(0, 1) + 0.1 N(0, 16), or t with 3 degrees of freedom.",
)

TRANSFER = engine.Experiment(
    name="logistic-transfer",
    question="Does pooling with other sites help, and which sites should be dropped?",
    help="A target and K sources, some transferable. Four fits: the target alone, with the true "
    "sources, with all, with those that Algorithm 2 keeps (reconstructed). Every fit uses "
    "released statistics only.",
    x_label="epsilon, factor on all records, |A| or h",
    y_label="the chosen metric",
    privacy=PRIVACY,
    parameters=(
        engine.Choice(
            name="sweep",
            options=tuple(SYMBOLS),
            default="epsilon",
            help="What runs along the axis; the lists of the others make the series.",
        ),
        engine.Choice(
            name="metric",
            options=tuple(METRICS),
            default="accuracy",
            help="; ".join(f"{name}: {text}" for name, text in METRICS.items()) + ".",
        ),
        engine.Numbers(BUDGET, (1.0, 4.0, 16.0, 64.0, math.inf)),
        engine.Numbers(SIZE, (1.0,)),
        engine.Numbers(TRANSFERABLE, (5.0,)),
        engine.Numbers(DEVIATION, (3.0,)),
        engine.Number(DIMENSION, 20),
        engine.Number(SPARSITY, 5),
        engine.Number(SOURCES, 10),
        engine.Number(TARGET_SIZE, 300),
        engine.Number(SOURCE_SIZE, 400),
        _LAW,
        _KIND,
        engine.Number(DELTA, 1e-5),
        engine.Number(CLIP, 1.2),
        engine.Number(SHARED_SCALE, 0.1),
    ),
    points=_points,
    sample=_sample,
    replicates=10,
    block=1,
)

PAIR = ("naive", "oracle")  # the methods of Table 1
PRINTED = {  # the accuracies of Table 1, in per cent
    (law, method, scale): value
    for law, row in theory.TABLE_1.items()
    for (scale, method), value in zip(itertools.product((0.1, 0.01), PAIR), row, strict=True)
}


def _table_points(values: Values) -> tuple[engine.Point, ...]:
    world_of(values.changed(law=LAWS[0]))
    return tuple(
        engine.Point(series=f"{law}, {METHODS[m]}", x=scale, settings=Values(law=law, method=m))
        for law in LAWS
        for m in PAIR
        for scale in values.numbers("scale")
    )


@lru_cache(maxsize=4096)
def _pair(world: World, how: Release, seed: int, index: int) -> tuple[float, float]:
    """Accuracies of the target alone and of the transfer from all its sources."""
    target, sources = draw(world, how, seed, index)
    W = transfer(target, [[], list(sources)], tolerance=1e-5)
    found = theory.accuracy(W, world.truth, covariance(world.dimension), world.law)
    return float(found[0]), float(found[1])


def _table_sample(values: Values, point: engine.Point, seed: int, indices: range) -> Array:
    # All sources are transferable: the two methods of the table see no others.
    world = world_of(values.changed(law=point.settings.word("law")))
    how = Release(kind=values.among("kind", KINDS), scale=point.x)
    place = PAIR.index(point.settings.word("method"))
    return np.array([_pair(world, how, seed, k)[place] for k in indices])


TABLE = engine.Experiment(
    name="logistic-table",
    question="Which accuracies does the design of Table 1 give on average?",
    help="Table 1 of [DPLR] at threshold 0, for a number of transferable sources that the paper "
    "does not state: the target alone and Algorithm 1 with all of them, under three error laws.",
    x_label="Laplace scale Δ/ε as printed",
    y_label="probability of a right label",
    privacy="None: records are not clipped, so the printed noise has no finite epsilon.",
    parameters=(
        engine.Numbers(SHARED_SCALE, (0.01, 0.1)),
        engine.Number(AT_LEAST_ONE, 6),
        engine.Number(DEVIATION, 3),
        engine.Number(DIMENSION, 50),
        engine.Number(SPARSITY, 10),
        engine.Number(TARGET_SIZE, 300),
        engine.Number(SOURCE_SIZE, 400),
        engine.Choice(
            name="kind",
            options=("printed", "printed once"),
            default="printed",
            help="Noise inside the sum over records (Algorithm 1), or once on the sums (9).",
        ),
    ),
    points=_table_points,
    sample=_table_sample,
    replicates=20,
    block=1,
)


def _single(setting: engine.Setting) -> engine.Setting:
    """One number in the place of a list."""
    if isinstance(setting, engine.Numbers):
        default = {"epsilon": math.inf}.get(setting.name, setting.default[0])
        return engine.Number(setting.parameter, default)
    return setting


SETTINGS: tuple[engine.Setting, ...] = tuple(
    _single(setting) for setting in TRANSFER.parameters if setting.name not in ("sweep", "metric")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One draw.

    Attributes:
        how: Clipping and noise.
        detection: What Algorithm 2 decides.
        alike: Whether each source is transferable.
        accuracy: By method, the probability of a right label for a new record.
        best: Accuracy of the true coefficients.
        noise: Largest eigenvalue that noise alone makes in the target's released folds, over a
            covariate's variance.
    """

    how: Release
    detection: Detection
    alike: tuple[bool, ...]
    accuracy: dict[str, float]
    best: float
    noise: float


def look(values: Values, seed: int) -> Look:
    """Return one draw for checked values of `SETTINGS`.

    Args:
        values: One number per setting.
        seed: Where the random numbers come from; replicate 0 of a run with the same seed.

    Raises:
        DomainError: The values do not fit together.

    >>> from sims.engine.settings import check_values
    >>> found = look(check_values(SETTINGS, {"kind": "none"}), 0)
    >>> found.detection.kept.tolist() == list(found.alike), len(found.alike)
    (True, 10)
    """
    world, how = world_of(values), release_of(values)
    found, W = replicate(world, how, seed, 0)
    right = metrics(world, found, W)["accuracy"].tolist()
    return Look(
        how=how,
        detection=found,
        alike=tuple(world.like_target.tolist()),
        accuracy=dict(zip(METHODS.values(), right, strict=True)),
        best=theory.best_accuracy(theory.signal_variance(world.truth), world.law),
        noise=noise_share(how, world.dimension, world.n0 // FOLDS),
    )
