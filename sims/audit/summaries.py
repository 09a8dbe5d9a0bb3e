"""Audited releases of [ACC] and [CCV]: kernel statistics, histograms, curves; and a tally."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rates.study import Server, TransferStudy
from sims import acc, ccv, curves, lessons
from sims.acc import adaptive, adaptive_price, histogram
from sims.audit.setup import RECORDS, Setup, along, always
from sims.engine import Array, Law, Release, multiplier


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
    places = (np.arange(16) + 0.5) / 16
    one = acc.profile(profile, (places - places[8]) / 0.5)
    change = np.multiply.outer(one, one) / RECORDS
    return Setup(
        run=lambda rng: acc.release(screen, [group], rng),
        change=always(change),
        reading=lambda entry, out: float(out[8, 8]) / profile.peak,  # all that there is to know
        delta=delta,
    )


def every_bandwidth(epsilon: float, delta: float) -> Setup:
    """Audit the releases of the adaptive classifier at all bandwidths together."""
    plan = adaptive.alike(
        n=RECORDS, m=1, gamma=1.0, epsilon=epsilon, split="composed", dimension=1
    )
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


def binned(law: Law) -> Callable[[float, float], Setup]:
    """Audit a histogram: a label flips in one bin."""

    def made(epsilon: float, delta: float) -> Setup:
        noise = 1.0 / epsilon if law == "Laplace" else multiplier(epsilon, delta, "analytic")
        bins = histogram.make_histogram(acc.Quadrants(), 0.5)
        group = acc.Group(n=RECORDS, multiplier=noise)
        change = np.zeros(bins.loss.shape)
        change[0, 0] = 1.0  # a label flips
        return Setup(
            run=lambda rng: histogram.noisy_mean(
                histogram.bin_sums(bins, *acc.draw_records(bins.world, group, rng)),
                group,
                law,
                rng,
            ),
            change=always(change),
            delta=0.0 if law == "Laplace" else delta,
        )

    return made


def curve(*, point: bool) -> Callable[[float, float], Setup]:
    """Audit a curve's coefficients, or its value at a point: one response goes from end to end."""

    def made(epsilon: float, delta: float) -> Setup:
        world = ccv.World(
            curves=(curves.curve("cusp", at=0.37),),
            places=(0.37,) if point else (),
            family="periodic",
            moments=2,
        )
        recipe = ccv.Recipe(noise="tight" if point else "analytic")
        plan = ccv.plan(world, (_row(epsilon, delta),), recipe, dimension=16)
        grid = curves.binned(world.basis(16), cells=world.cells)
        if point:
            rows = curves.cell_kernel(grid, 0.37)[:, None]
        else:
            rows = np.asarray(grid.matrix.todense())
        worst = rows[int(np.argmax(np.linalg.norm(rows, axis=1)))]
        change = 2.0 * plan.clip * worst / RECORDS  # from one end of the clipped range to the other

        def moved(entry: Release, value: Array) -> Array:
            return change if value.ndim else np.asarray(change[0])

        return Setup(
            run=lambda rng: ccv.replicates(plan, [rng]),
            change=moved,
            delta=0.0 if point else delta,
        )

    return made


def tally(epsilon: float, delta: float) -> Setup:
    """Audit the count of yes of a lesson's class: one answer becomes yes."""
    return Setup(
        run=lambda rng: lessons.by_tally(RECORDS // 2, RECORDS, epsilon, rng),
        change=always(np.ones(())),
        delta=0.0,
    )
