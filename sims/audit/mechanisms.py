"""What is audited: releases of [ACC], [CCV], [DPLR], [BCMM], [KS] and [CAC]; of real sites."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np

from rates import columns
from rates.adaptation import AdaptationDesign
from rates.study import Server, TransferStudy
from sims import acc, bcmm, cac, ccv, curves, dplr, ks, lessons, real
from sims.acc import adaptive, adaptive_price, histogram
from sims.audit.setup import RECORDS, Audited, Setup, along, always, laplace_reading
from sims.engine import Account, Array, Law, Release, account, midpoints, multiplier

RULES = 20  # among which one is chosen
_SPEAKER = 2.0  # budget of the server whose flipped signs the audited one hears
STEPS = 8  # of a curve of real sites


def _row(epsilon: float, delta: float) -> Server:
    return Server(name="site", n=RECORDS, epsilon=epsilon, delta=delta)


def lattice(epsilon: float, delta: float) -> Setup:
    """Audit the pooled kernel statistic, in the coordinates in which its noise is drawn."""
    world = acc.WORLDS["cusp"]
    study = TransferStudy(target=_row(epsilon, delta), smoothness=1.0, dimension=1, margin=1.0)
    mesh = acc.lattice_of(acc.Trial(world=world, study=study))
    q, size = mesh.per_bandwidth, mesh.loss.size + mesh.per_bandwidth - 1
    change = np.zeros(size)
    middle = size // 2
    # A flipped label in the middle: half of a triangle's two boxes is applied before the gate.
    change[middle : middle + q] = 1.0 / (RECORDS * mesh.bandwidth * q)
    read = along(always(change))
    return Setup(
        run=lambda rng: acc.statistics(mesh, [rng]),
        change=always(change),
        reading=lambda entry, out: read(entry, out) * q**0.5,
        delta=delta,
    )


def screen(epsilon: float, delta: float) -> Setup:
    """Audit the kernel statistic in the plane; its value where the record lies says it all."""
    group = acc.Group(n=RECORDS, multiplier=multiplier(epsilon, delta, "analytic"))
    screen = acc.make_screen(acc.Quadrants(), "gaussian", (0.5,), 16, 32)
    profile = acc.KERNELS["gaussian"]
    places = midpoints(16)
    one = acc.profile(profile, (places - places[8]) / 0.5)
    change = np.multiply.outer(one, one) / RECORDS  # h^2 times the statistic passes the gate
    return Setup(
        run=lambda rng: acc.release(screen, [group], rng),
        change=always(change),
        reading=lambda entry, out: float(out[8, 8]) / profile.peak,  # all that there is to know
        delta=delta,
    )


def every_bandwidth(epsilon: float, delta: float) -> Setup:
    """Audit the releases of the adaptive classifier at all bandwidths together."""
    plan = adaptive.alike(n=RECORDS, m=1, gamma=1.0, epsilon=epsilon, split="composed", dimension=1)
    cells = adaptive_price.cusp_cells(plan)
    order: list[float] = []  # bandwidths still to come in this run

    def run(rng: np.random.Generator) -> object:
        order[:] = plan.grid.bandwidths
        return adaptive_price.cusp_releases(plan, cells, rng)

    def change(entry: Release, value: Array) -> Array:
        if entry.who != 0:
            return np.zeros_like(value)
        h = order.pop(0)
        place = (np.arange(cells) - cells // 2) / (h * cells)
        return np.asarray(np.maximum(1.0 - np.abs(place), 0.0) / (RECORDS * h))

    return Setup(
        run=run,
        change=change,
        reading=lambda entry, out: float(out[cells // 2]),
        reads=lambda entry: entry.who == 0,
        delta=float(RECORDS) ** -2,
    )


def binned(law: Law, epsilon: float, delta: float) -> Setup:
    """Audit a histogram: a label flips in one bin."""
    noise = 1.0 / epsilon if law == "Laplace" else multiplier(epsilon, delta, "analytic")
    bins = histogram.make_histogram(acc.Quadrants(), 0.5)
    group = acc.Group(n=RECORDS, multiplier=noise)
    change = np.zeros(bins.loss.shape)
    change[0, 0] = 1.0

    def run(rng: np.random.Generator) -> object:
        sums = histogram.bin_sums(bins, *acc.draw_records(bins.world, group, rng))
        return histogram.noisy_mean(sums, group, law, rng)

    return Setup(run=run, change=always(change), delta=0.0 if law == "Laplace" else delta)


def curve(point: bool, epsilon: float, delta: float) -> Setup:
    """Audit a curve's coefficients, or its value at a point: one response goes from end to end."""
    world = ccv.World(
        curves=(curves.curve("cusp", at=0.37),),
        places=(0.37,) if point else (),
        family="periodic",
        moments=2,
    )
    recipe = ccv.Recipe(noise="tight" if point else "analytic")
    plan = ccv.plan(world, (_row(epsilon, delta),), recipe, dimension=16)
    grid = curves.binned(world.basis(16), cells=world.cells)
    rows = curves.cell_kernel(grid, 0.37)[:, None] if point else grid.matrix.toarray()
    worst = rows[int(np.argmax(np.linalg.norm(rows, axis=1)))]
    change = 2.0 * plan.clip * worst / RECORDS  # from one end of the clipped range to the other
    return Setup(
        run=lambda rng: ccv.replicates(plan, [rng]),
        change=lambda entry, value: change if value.ndim else np.asarray(change[0]),
        delta=0.0 if point else delta,
    )


def tally(epsilon: float, delta: float) -> Setup:
    """Audit the count of yes of a lesson's class: one answer becomes yes."""
    return Setup(
        run=lambda rng: lessons.by_tally(RECORDS // 2, RECORDS, epsilon, rng),
        change=always(np.ones(())),
        delta=0.0,
    )


def site(kind: Literal["gaussian", "laplace"], epsilon: float, delta: float) -> Setup:
    """Audit a site's statistics; the pair of records is the worst of some extreme ones."""
    how = dplr.Release(kind=kind, epsilon=epsilon, delta=delta)
    radius = how.clip * 2.0**0.5
    x, y = np.zeros((RECORDS, 2)), np.zeros(RECORDS)

    def value(first: Array, label: float) -> Array:
        rows, labels = x.copy(), y.copy()
        rows[0], labels[0] = first, label
        seen: list[Array] = []

        def keep(entry: Release, clean: Array) -> Array:
            seen.append(clean)
            return np.zeros_like(clean)

        with account(Account(change=keep)):
            dplr.release.release(rows, labels, how, np.random.default_rng(0))
        return seen[0]

    # The longest records that pass the clipping move moments the most, in all directions.
    turns = np.linspace(0.0, 2.0 * np.pi, 33)
    ends = [radius * np.array([np.cos(t), np.sin(t)]) for t in turns]
    values = [value(first, label) for first in ends for label in (0.0, 1.0)]
    order = 1 if kind == "laplace" else 2
    changes = [b - a for a in values for b in values]
    change = max(changes, key=lambda c: float(np.linalg.norm(c, order)))
    return Setup(
        run=lambda rng: dplr.release.release(x, y, how, rng),
        change=always(change),
        reading=laplace_reading(change) if kind == "laplace" else None,
        delta=0.0 if kind == "laplace" else delta,
    )


def descent(loss: Literal["squared", "logistic"], epsilon: float, delta: float) -> Setup:
    """Audit noisy descent; in every step the replaced record pushes the gradient one way."""
    design = AdaptationDesign(
        public=RECORDS, private=RECORDS, dimension=2, epsilon=epsilon, delta=delta, loss=loss
    )
    world = bcmm.data.World(dimension=2, loss=loss)
    pair = bcmm.data.world_pair(world, RECORDS, RECORDS, 0, 0)

    def change(entry: Release, clean: Array) -> Array:
        out = np.zeros_like(clean)
        # Two gradients of the largest length point against each other, in a mean of n.
        out[..., 0] = 2.0 * design.lipschitz / RECORDS
        return out

    return Setup(
        run=lambda rng: bcmm.algorithms.fit("descent", [pair], design, [rng], steps=1),
        change=change,
        delta=delta,
    )


def rule(learner: str, epsilon: float, delta: float) -> Setup:
    """Audit a choice among rules: one record was right for one of them and wrong for the rest."""
    errors, change = np.full(RULES, 0.5), np.full(RULES, -1.0 / RECORDS)
    change[0] = 1.0 / RECORDS
    return Setup(
        run=lambda rng: ks.reweighting.learn(learner, errors, RECORDS, epsilon, rng),
        change=always(change),
        reading=lambda entry, out: float(out[0] == 0),
        delta=0.0,
    )


def columns_apart(epsilon: float, delta: float) -> Setup:
    """Audit server 1 apart: the first value changes its sign, in the first batch."""
    change = np.zeros(RECORDS // (m := columns.batch(RECORDS, epsilon, epsilon)))
    change[0] = 2.0 / m
    return _columns(cac.two_servers.apart, (epsilon, epsilon), "server 1", change)


def columns_listener(epsilon: float, delta: float) -> Setup:
    """Audit the server that listens: a value of its own changes its sign."""
    budgets = max(_SPEAKER, epsilon), epsilon
    change = np.array(2.0 * columns.lift(budgets[0]) / RECORDS)
    return _columns(cac.two_servers.listening, budgets, cac.two_servers.LISTENER, change)


def _columns(
    estimate: Callable[..., float], budgets: tuple[float, float], who: str, change: Array
) -> Setup:
    x = np.linspace(-1.0, 1.0, RECORDS)

    def added(entry: Release, value: Array) -> Array:
        return change if entry.who == who else np.zeros_like(value)

    return Setup(
        run=lambda rng: estimate(x, x, *budgets, rng),
        change=added,
        reading=laplace_reading(change),
        reads=lambda entry: entry.who == who,
        delta=0.0,
    )


def real_curve(epsilon: float, delta: float) -> Setup:
    """Audit one site's coefficients: an outcome goes from one public bound to the other."""
    sites = real.pair(RECORDS, "curve")
    made = real.curve.plan(
        real.Trial(sites=sites, m=1, epsilon=epsilon, delta=delta), dimension=STEPS
    )
    rows = real.curve.steps(sites, STEPS).grid.matrix.toarray()
    change = 2.0 * rows[int(np.argmax(np.linalg.norm(rows, axis=1)))] / RECORDS
    return Setup(
        run=lambda rng: real.curve.coefficients(made, rng),
        change=always(change),
        delta=delta,
    )


def real_labels(epsilon: float, delta: float) -> Setup:
    """Audit one site's statistic: a label flips, and its value there says it all."""
    sites = real.pair(RECORDS, "classification")
    made = real.classifier.plan(real.Trial(sites=sites, m=1, epsilon=epsilon, delta=delta))
    mesh, h = real.classifier.MESH, made.resolution
    place = (np.arange(mesh) - mesh // 2) / (h * mesh)
    change = acc.profile(acc.TRIANGULAR, place) / (int(made.n[0]) * h)
    return Setup(
        run=lambda rng: real.classifier.statistic(made, rng),
        change=always(change),
        reading=lambda entry, out: float(out[mesh // 2]),
        delta=delta,
    )


_ONE, _REPLACED = "under replacement of one record.", "one record replaced."
_PATH = f"One joint Gaussian path: (ε, δ) {_ONE}"
_MOMENTS = "Second and cross moments of clipped records"
_DESCENT = "Every gradient with Gaussian noise: (ε, δ) for all steps, one private record replaced."
_CHOICE = f"A choice among {RULES} rules by their errors: (ε, 0), {_REPLACED}"
AUDITED: tuple[Audited, ...] = (
    Audited("kernel classifier", _PATH, lattice),
    Audited("kernel classifier in the plane", _PATH, screen),
    Audited(
        "kernel classifier at every bandwidth",
        f"One path per bandwidth: (ε, δ) together, δ = n⁻², {_REPLACED}",
        every_bandwidth,
    ),
    Audited(
        "histogram, Gaussian", f"Noise of each bin: (ε, δ) {_ONE}", partial(binned, "Gaussian")
    ),
    Audited("histogram, Laplace", f"Noise of each bin: (ε, 0) {_ONE}", partial(binned, "Laplace")),
    Audited("curve", f"Coefficients with Gaussian noise: (ε, δ) {_ONE}", partial(curve, False)),
    Audited(
        "curve at a point", f"One value with Laplace noise: (ε, 0) {_ONE}", partial(curve, True)
    ),
    Audited(
        "logistic statistics, Gaussian",
        f"{_MOMENTS}: (ε, δ), {_REPLACED}",
        partial(site, "gaussian"),
    ),
    Audited(
        "logistic statistics, Laplace", f"{_MOMENTS}: (ε, 0), {_REPLACED}", partial(site, "laplace")
    ),
    Audited("adaptation, noisy descent", _DESCENT, partial(descent, "squared")),
    Audited("adaptation, logistic descent", _DESCENT, partial(descent, "logistic")),
    Audited("hybrid, rule by the exponential mechanism", _CHOICE, partial(rule, "exponential")),
    Audited("hybrid, rule by permute and flip", _CHOICE, partial(rule, "permute and flip")),
    Audited(
        "curve of real sites",
        f"Coefficients of a site's records, Gaussian noise: (ε, δ), {_REPLACED}",
        real_curve,
    ),
    Audited(
        "labels of real sites",
        f"One joint Gaussian path over a site's records: (ε, δ), {_REPLACED}",
        real_labels,
    ),
    Audited(
        "split columns, apart",
        "Laplace noise on means over batches: (ε, 0), one value of a column replaced.",
        columns_apart,
    ),
    Audited(
        "split columns, the one that listens",
        "Laplace noise on a mean product of signs: (ε, 0), one value of its column replaced.",
        columns_listener,
    ),
    Audited(
        "tally of a class",
        "Discrete Laplace noise on one count: (ε, 0), one answer replaced.",
        tally,
    ),
)
BY_NAME = {audited.name: audited for audited in AUDITED}
