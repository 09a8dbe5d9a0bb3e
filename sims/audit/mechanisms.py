"""Every mechanism on the worst two neighbouring data sets, as an attacker meets it.

The attacker knows the mechanism and all records but one. In the second world that record is
replaced so that the released values move the most; what it adds to each value is worked out here
from the records, not from the sensitivity that the mechanism declares. He sees all that leaves
the gate and reads it by the likelihood ratio, so no other attacker on these two data sets does
better. The mechanisms are the product's own functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rates.study import Server, TransferStudy
from sims import classification, curves, regression
from sims.engine import Account, Array, Release, account, gaussian, laplace
from sims.paper_acc import adaptive_design, adaptive_price, histogram

RECORDS = 50

Run = Callable[[np.random.Generator], object]
Change = Callable[[Release, Array], Array]
Reading = Callable[[Release, Array], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A mechanism at one promise.

    Attributes:
        run: Runs it once.
        change: What the replaced record adds to a value at the gate; zeros if it is not in it.
        reading: What the attacker reads from a release less the value he expects, in units in
            which the replaced record adds the sensitivity.
        delta: The promised delta.
        reads: Whether a release read the replaced record.
    """

    run: Run
    change: Change
    reading: Reading
    delta: float
    reads: Callable[[Release], bool] = lambda entry: True


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """A mechanism that can be audited.

    Attributes:
        name: In settings.
        promise: Its guarantee in words.
        gaussian: Whether all its noise is Gaussian.
        made: Epsilon and delta to the setup.
    """

    name: str
    promise: str
    gaussian: bool = True
    made: Callable[[float, float], Setup]

    def setup(self, epsilon: float, delta: float) -> Setup:
        """Return the mechanism at a promise."""
        return _made(self, epsilon, delta)

    def readings(
        self,
        rngs: Sequence[np.random.Generator],
        epsilon: float,
        delta: float,
        *,
        replaced: bool,
        factor: float = 1.0,
    ) -> Array:
        """Run the mechanism once per generator in one of the two worlds, and read its releases.

        Args:
            rngs: One generator per run.
            epsilon: Promised.
            delta: Promised, unless the mechanism has its own.
            replaced: Whether the record is replaced.
            factor: What all noise is multiplied with.
        """
        setup, out = self.setup(epsilon, delta), []
        for rng in rngs:
            book = Account(change=setup.change if replaced else None, factor=factor)
            with account(book):
                setup.run(rng)
            total = size = 0.0
            for entry, released in zip(book.releases, book.noise, strict=True):
                if not setup.reads(entry):
                    continue
                unit = entry.sensitivity * entry.multiplier
                total += setup.reading(entry, released) / (unit * entry.multiplier)
                size += entry.times * entry.multiplier**-2.0
            out.append(total / size**0.5)
        return np.array(out)


@lru_cache(maxsize=64)
def _made(audited: Audited, epsilon: float, delta: float) -> Setup:
    return audited.made(epsilon, delta)


def _along(change: Change) -> Reading:
    """Read along the change: the likelihood ratio of independent Gaussian noise."""

    def reading(entry: Release, out: Array) -> float:
        c = change(entry, out)
        length = float(np.linalg.norm(c))
        return float(np.vdot(out, c)) / length if length else 0.0

    return reading


def _row(epsilon: float, delta: float) -> Server:
    return Server(name="site", n=RECORDS, epsilon=epsilon, delta=delta)


def _lattice(epsilon: float, delta: float) -> Setup:
    world = classification.WORLDS["cusp"]
    study = TransferStudy(target=_row(epsilon, delta), smoothness=1.0, dimension=1, margin=1.0)
    lattice = classification.lattice_of(classification.Trial(world=world, study=study))
    q, size = lattice.per_bandwidth, lattice.loss.size + lattice.per_bandwidth - 1
    change = np.zeros(size)
    middle = size // 2
    # A flipped label in the middle: half of a triangle's two boxes is applied before the gate.
    change[middle : middle + q] = 1.0 / (RECORDS * lattice.bandwidth * q)
    along = _along(lambda entry, value: change)
    return Setup(
        run=lambda rng: classification.statistics(lattice, [rng]),
        change=lambda entry, value: change,
        reading=lambda entry, out: along(entry, out) * q**0.5,
        delta=delta,
    )


def _screen(epsilon: float, delta: float) -> Setup:
    noise = gaussian(sensitivity=1.0, epsilon=epsilon, delta=delta).scale
    group = classification.Group(n=RECORDS, multiplier=noise)
    screen = classification.make_screen(classification.Quadrants(), "gaussian", (0.5,), 16, 32)
    profile = classification.KERNELS["gaussian"]
    places = (np.arange(16) + 0.5) / 16
    one = classification.profile(profile, (places - places[8]) / 0.5)
    change = np.multiply.outer(one, one) / RECORDS
    return Setup(
        run=lambda rng: classification.release(screen, [group], rng),
        change=lambda entry, value: change,
        reading=lambda entry, out: float(out[0, 8, 8]) / profile.peak,  # all that there is to know
        delta=delta,
    )


def _every_bandwidth(epsilon: float, delta: float) -> Setup:
    plan = adaptive_design.Plan(
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


def _histogram(law: str) -> Callable[[float, float], Setup]:
    def made(epsilon: float, delta: float) -> Setup:
        if law == "Laplace":
            noise = laplace(sensitivity=1.0, epsilon=epsilon)
        else:
            noise = gaussian(sensitivity=1.0, epsilon=epsilon, delta=delta)
        bins = histogram.make_histogram(classification.Quadrants(), 0.5)
        group = classification.Group(n=RECORDS)
        change = np.zeros(bins.loss.shape)
        change[0, 0] = 1.0  # a label flips
        return Setup(
            run=lambda rng: histogram.noisy_mean(
                bins,
                classification.draw_records(classification.Quadrants(), group, rng),
                group,
                noise,
                rng,
            ),
            change=lambda entry, value: change,
            reading=lambda entry, out: float(out[0, 0]),
            delta=noise.delta,
        )

    return made


def _curve(*, point: bool) -> Callable[[float, float], Setup]:
    def made(epsilon: float, delta: float) -> Setup:
        world = regression.World(
            curves=(curves.curve("cusp", at=0.37),),
            places=(0.37,) if point else (),
            family="periodic",
            moments=2,
        )
        recipe = regression.Recipe(noise="tight" if point else "analytic")
        plan = regression.plan(world, (_row(epsilon, delta),), recipe, dimension=16)
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
            run=lambda rng: regression.replicates(plan, [rng]),
            change=moved,
            reading=_along(moved),
            delta=0.0 if point else delta,
        )

    return made


AUDITED: tuple[Audited, ...] = (
    Audited(
        name="kernel classifier",
        promise="One joint Gaussian path: (ε, δ) under replacement of one record.",
        made=_lattice,
    ),
    Audited(
        name="kernel classifier in the plane",
        promise="One joint Gaussian path: (ε, δ) under replacement of one record.",
        made=_screen,
    ),
    Audited(
        name="kernel classifier at every bandwidth",
        promise="One path per bandwidth: (ε, δ) together, δ = n⁻², one record replaced.",
        made=_every_bandwidth,
    ),
    Audited(
        name="histogram, Gaussian",
        promise="Noise of each bin: (ε, δ) under replacement of one record.",
        made=_histogram("Gaussian"),
    ),
    Audited(
        name="histogram, Laplace",
        gaussian=False,
        promise="Noise of each bin: (ε, 0) under replacement of one record.",
        made=_histogram("Laplace"),
    ),
    Audited(
        name="curve",
        promise="Coefficients with Gaussian noise: (ε, δ) under replacement of one record.",
        made=_curve(point=False),
    ),
    Audited(
        name="curve at a point",
        gaussian=False,
        promise="One value with Laplace noise: (ε, 0) under replacement of one record.",
        made=_curve(point=True),
    ),
)


def find(name: str) -> Audited:
    """Return the mechanism of this name."""
    return next(audited for audited in AUDITED if audited.name == name)
