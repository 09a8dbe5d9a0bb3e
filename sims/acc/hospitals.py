r"""[ACC] Section 6.2: private transfer to one hospital from others, on their own records.

All kernel values between records are computed once; a replicate picks a test set, adds one joint
noise path per hospital and bandwidth at the target's records, and applies the adaptive rules.
Budgets share the path, so that curves over epsilon differ by the noise level alone.

The run is not private end to end, however small epsilon is: the scaling to [0, 1/2] uses the
smallest and largest values of all records, re-centring uses each hospital's mean label, and the
printed noise does not pay for either. `centred_sensitivity` says by how much re-centring alone
raises the sensitivity, `effective_epsilon` what all releases of a hospital then amount to. No
finite epsilon covers the scaling: one record that becomes the largest changes it for certain.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, epsilon_of
from rates.study import Server
from sims.acc import adaptive, adaptive_price
from sims.acc.adaptive import ADAPTIVE_RULES, Split
from sims.acc.heart import COVARIATES, Hospital
from sims.acc.kernel import JITTER, KERNELS, Kernel, profile, sensitivity
from sims.acc.rate import BUDGET
from sims.engine import (
    Array,
    Choice,
    Experiment,
    Numbers,
    Point,
    Setting,
    Values,
    generator,
    release,
)

EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0, math.inf)
METRICS = ("accuracy", "F1")
BASELINE = "always no disease"
# Limits of ours: the kernel matrix of the target's records is decomposed in one step, and all
# kernel values with them are kept: at the limits a few seconds and 60 MB per bandwidth.
MAX_TARGET, MAX_RECORDS = 1_500, 5_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wards:
    """Hospitals made ready: scaled covariates, target first.

    Attributes:
        names: The hospitals, target first.
        x: Covariates in [0, 1/2], one array per hospital.
        y: Labels 0 or 1, one array per hospital.
        test: Records of the target set aside in each replicate.
        notes: What was done to the records, as sentences.
    """

    names: tuple[str, ...]
    x: tuple[Array, ...]
    y: tuple[Array, ...]
    test: int
    notes: tuple[str, ...]
    # What is computed of records goes with them, and is in no cache that outlives them.
    _tables: dict[tuple[str, float], tuple[tuple[Array, ...], Array]] = field(
        default_factory=dict, init=False, repr=False
    )

    def table(self, kernel: str, bandwidth: float) -> tuple[tuple[Array, ...], Array]:
        """Return kernel values of all records with the target's, and the factor of its path."""
        key = kernel, bandwidth
        if key not in self._tables:
            one, points = KERNELS[kernel], self.x[0]
            rows = tuple(_product(one, x, points, bandwidth) for x in self.x)
            values, vectors = np.linalg.eigh(rows[0])
            spread = np.maximum(values, 0.0) + JITTER * one.peak ** points.shape[1]
            self._tables[key] = rows, vectors * np.sqrt(spread)
        return self._tables[key]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Training records per hospital."""
        return (len(self.y[0]) - self.test, *(len(y) for y in self.y[1:]))

    @property
    def digest(self) -> str:
        """SHA-256 of the scaled covariates and the labels, target first."""
        out = hashlib.sha256()
        for x, y in zip(self.x, self.y, strict=True):
            out.update(x.tobytes() + y.tobytes())  # told apart by it, without a record in the file
        return out.hexdigest()


def prepare(target: Hospital, sources: Sequence[Hospital], *, test: int = 150) -> Wards:
    """Scale all hospitals' covariates to [0, 1/2] and drop exact repeats of a target's record.

    Raises:
        DomainError: The target has too few records for the test set or more than `MAX_TARGET`,
            all hospitals have more than `MAX_RECORDS`, or there is no source.

    Source: [ACC] Section 6.2.1.
    """
    if not sources:
        raise DomainError("At least one source is needed.", field="sources", value=0)
    both = np.column_stack([target.x, target.y])
    # A record in both the test set and the training records would be predicted from itself.
    _, first = np.unique(both, axis=0, return_index=True)
    keep = np.sort(first)
    notes = [f"{target.name}: {note}" for note in target.notes]
    if lost := target.n - len(keep):
        notes.append(f"{target.name}: {lost} exact repeat{'s' * (lost > 1)} of a record dropped.")
    _check_size(target.name, len(keep), sum(source.n for source in sources))
    if not 1 <= test <= len(keep) - 10:
        rule = f"The test set must leave at least 10 of {len(keep)} records of {target.name}."
        raise DomainError(rule, field="test", value=test)
    xs = [target.x[keep], *(s.x for s in sources)]
    everything = np.concatenate(xs)
    low, high = everything.min(axis=0), everything.max(axis=0)
    width = np.where(high > low, high - low, 1.0)
    for source in sources:
        notes += [f"{source.name}: {note}" for note in source.notes]
    return Wards(
        names=(target.name, *(s.name for s in sources)),
        x=tuple((x - low) / (2.0 * width) for x in xs),
        y=(target.y[keep], *(s.y for s in sources)),
        test=test,
        notes=tuple(notes),
    )


def _check_size(name: str, target: int, others: int) -> None:
    """Refuse what would hold the machine: the matrix of the target's records, and all records."""
    if target > MAX_TARGET:
        rule = (
            f"A target may have at most {MAX_TARGET:,} usable records, as the matrix of their "
            f"kernel values is decomposed. Bring fewer records of {name}, or make another "
            "hospital the target."
        )
        raise DomainError(rule, field="records of the target", value=target)
    if target + others > MAX_RECORDS:
        rule = (
            f"All hospitals together may have at most {MAX_RECORDS:,} usable records. Bring fewer "
            "hospitals, or fewer records of each."
        )
        raise DomainError(rule, field="records", value=target + others)


SETTINGS: tuple[Setting, ...] = (
    replace(adaptive_price.KERNEL, default="triangular"),
    adaptive_price.BASE,
    adaptive_price.SPLIT,
    Choice(
        name="centred",
        options=("yes", "no"),
        default="yes",
        help="Whether each hospital's mean label is taken off its labels, as in the paper.",
    ),
    Numbers(BUDGET, EPSILONS),
)


def servers(wards: Wards, epsilon: float) -> tuple[Server, ...]:
    """Return the hospitals as servers with delta_j = n_j^-2."""
    return tuple(
        Server(name=name, n=n, epsilon=epsilon, delta=float(n) ** -2)
        for name, n in zip(wards.names, wards.sizes, strict=True)
    )


def centred_sensitivity(prevalence: float) -> float:
    """Return by what factor re-centring raises the sensitivity of a statistic, at most.

    With labels centred at p a record contributes with 1 - p or -p. One replaced record moves the
    statistic by at most sqrt(2) max(p, 1 - p) if the two records are far apart, and by 1 if only
    the label flips, in units of the sensitivity (8). p itself is taken as public here; if it is
    the hospital's own mean, every record's weight moves as well.

    >>> [round(centred_sensitivity(p), 3) for p in (0.36, 0.79, 0.93)]
    [1.0, 1.117, 1.315]

    Source: [ACC] eq. (8) with Y - p in place of Y - 1/2.
    """
    return max(1.0, math.sqrt(2.0) * max(prevalence, 1.0 - prevalence))


def effective_epsilon(
    epsilon: float, delta: float, factor: float, *, bandwidths: int = 1, split: Split = "printed"
) -> float:
    """Return the epsilon of all a hospital's releases if the sensitivity is larger by a factor.

    Args:
        epsilon: The nominal budget, positive and finite.
        delta: The delta at which epsilon is wanted, and of the nominal budget.
        factor: By how much the sensitivity exceeds the one that the noise is made for.
        bandwidths: |H|, the number of releases; they compose as one with 1/sqrt(|H|) the noise.
        split: How the budget is divided over them.

    >>> round(effective_epsilon(1.0, 1e-5, 1.0), 2), round(effective_epsilon(1.0, 1e-5, 1.5), 2)
    (0.74, 1.15)
    >>> round(effective_epsilon(1.0, 1e-5, 1.0, bandwidths=2, split="composed"), 9)
    1.0

    Source: Balle and Wang (2018), Theorem 5, at the noise of [ACC] eqs. (9) and (16); Dong, Roth
    and Su (2022), Corollary 3.3, for the composition.
    """
    each = adaptive.multiplier(epsilon, delta, bandwidths, split)
    return epsilon_of(each / factor / math.sqrt(bandwidths), delta)


def _product(kernel: Kernel, a: Array, b: Array, bandwidth: float) -> Array:
    out = np.ones((len(a), len(b)))
    for k in range(a.shape[1]):
        out *= profile(kernel, np.subtract.outer(a[:, k], b[:, k]) / bandwidth)
    return out


def replicate(wards: Wards, asked: Values, seed: int, index: int) -> Array:
    """Return accuracy and F1 of every rule at every budget for one random test set.

    Args:
        wards: The hospitals.
        asked: Checked values of `SETTINGS`.
        seed: Of the run.
        index: Which replicate.

    Returns:
        Shape (rules and the baseline, epsilons, 2).

    Source: [ACC] Section 6.2.1 and Figure 7.
    """
    rng = generator(seed, "hospitals", index)
    order = rng.permutation(len(wards.y[0]))
    test, train = order[: wards.test], np.sort(order[wards.test :])
    chosen = (train, *(np.arange(len(y)) for y in wards.y[1:]))
    truth = wards.y[0][test] > 0
    kernel, d = KERNELS[asked.word("kernel")], len(COVARIATES)
    split, budgets = asked.among("split", adaptive.SPLITS), asked.numbers("epsilon")
    clean: dict[tuple[int, int], tuple[Array, Array]] = {}
    out = np.empty((len(ADAPTIVE_RULES) + 1, len(budgets), len(METRICS)))
    out[-1] = _scores(np.zeros(len(test), bool), truth)  # the baseline
    for e, epsilon in enumerate(budgets):
        sites = servers(wards, epsilon)
        found = adaptive.grid(sites, d, base=adaptive_price.BASES[asked.word("base")])
        scored: list[list[tuple[Array, Array]]] = [[] for _ in ADAPTIVE_RULES]
        for k, h in enumerate(found.bandwidths):
            tables, factor = wards.table(kernel.name, h)
            values, variances, sizes = [], [], []
            for j, site in enumerate(sites):
                if (j, k) not in clean:  # the same at every budget, so that curves are paired
                    rows, y = tables[j][np.ix_(chosen[j], test)], wards.y[j][chosen[j]]
                    middle = y.mean() if asked["centred"] == "yes" else 0.5
                    white = generator(seed, "hospitals", index, j, k).standard_normal(len(factor))
                    clean[j, k] = (y - middle) @ rows / (site.n * h**d), factor[test] @ white
                statistic, path = clean[j, k]
                ratio, size = _noise(site, found, h, d, split)
                released = release(
                    statistic,
                    None,
                    of="kernel statistic at the test records",
                    who=(site.name, epsilon),
                    sensitivity=sensitivity(kernel, site.n, h, d),
                    multiplier=ratio,
                    path=path,
                )
                values.append(released)
                variances.append(adaptive.variance(site.n * h**d, ratio, kernel.peak**d))
                sizes.append((size, float(site.n)))
            informative, counts = np.array(sizes).T
            for rule, own in zip(ADAPTIVE_RULES, scored, strict=True):
                weighed = counts if rule == "samples" else informative
                own.append(adaptive.score(np.array(values), np.array(variances), rule, weighed))
        for i, rule in enumerate(ADAPTIVE_RULES):
            level = adaptive.threshold(found.information, found.size, len(sites) - 1, rule)
            out[i, e] = _scores(adaptive.choose(scored[i], level) > 0, truth)
    return out


def _noise(
    site: Server, found: adaptive.Grid, bandwidth: float, d: int, split: Split
) -> tuple[float, float]:
    """Noise of one release over its sensitivity, and u_j(h) of (17)."""
    if math.isinf(site.epsilon):
        return 0.0, float(site.n)
    ratio = adaptive.multiplier(site.epsilon, site.delta or 0.5, found.size, split)
    return ratio, min(site.n, (site.n * site.epsilon / found.size) ** 2 * bandwidth**d)


def _scores(label: NDArray[np.bool_], truth: NDArray[np.bool_]) -> tuple[float, float]:
    hits = float(np.count_nonzero(label & truth))
    wrong = float(np.count_nonzero(label != truth))
    f1 = 2.0 * hits / (2.0 * hits + wrong) if hits + wrong else 0.0
    return 1.0 - wrong / len(truth), f1


def experiment(wards: Wards) -> Experiment:
    """Return Figure 7 on given hospitals as an experiment, for a run inside this process.

    One replicate serves all points: test set and noise paths are the same for every rule and
    budget, so differences between curves are paired.

    """
    once = lru_cache(maxsize=256)(partial(replicate, wards))

    names = [*ADAPTIVE_RULES, BASELINE]
    facts = {
        "target": wards.names[0],
        "sources": ", ".join(wards.names[1:]),
        "test": str(wards.test),
        "data": f"sha256 {wards.digest}",
    }

    def points(asked: Values) -> tuple[Point, ...]:
        return tuple(
            Point(
                series=f"{name}, {metric}",
                x=epsilon,
                settings=Values(rule=name, metric=metric, epsilon=epsilon),
            )
            for name in names
            for metric in METRICS
            for epsilon in asked.numbers("epsilon")
        )

    def sample(asked: Values, point: Point, seed: int, indices: range) -> Array:
        i = names.index(point.settings.word("rule"))
        metric = METRICS.index(point.settings.word("metric"))
        e = asked.numbers("epsilon").index(point.x)
        return np.array([once(asked, seed, k)[i, e, metric] for k in indices])

    return Experiment(
        name="hospitals",
        question="How well do the adaptive rules predict disease at the target hospital?",
        help="Figure 7 of the paper on the files given, with intervals over random test sets.",
        x_label="epsilon of every hospital",
        y_label="accuracy or F1 on the test set",
        span=(0.0, 1.0),
        privacy=(
            "Not private end to end: scaling, re-centring and the choice of kernel use the "
            "records. The added noise is set by the budgets (replace one record, delta = n^-2), "
            "divided over the bandwidths as the split says; it does not pay for those three."
        ),
        parameters=(
            *SETTINGS,
            *(  # recorded, not asked for
                Choice(name=name, options=(text,), default=text, help="Fixed by the files.")
                for name, text in facts.items()
            ),
        ),
        points=points,
        sample=sample,
        replicates=200,
        block=8,
    )
