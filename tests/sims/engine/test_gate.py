"""The gate: its noise, its book, and every mechanism of [ACC] and [CCV] that passes it.

The book says what was drawn. For each mechanism it must give the promised guarantee, no less noise
and, where the promise is exact, no more; what is released must carry the noise; and no replaced
record may move a released value by more than was declared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from rates.numbers import delta_of
from rates.study import Server
from sims import acc, curves
from sims.acc import adaptive as ad
from sims.acc import adaptive_price, histogram
from sims.acc import design as pc
from sims.acc import lattice as lt
from sims.acc import screen as sc
from sims.acc.kernel import TRIANGULAR, sensitivity
from sims.acc.rate import WORLDS
from sims.acc.worlds import Quadrants, study_on
from sims.ccv import estimator, picture
from sims.ccv.estimator import Recipe, World
from sims.ccv.risk import plan
from sims.engine import gate
from sims.engine.gate import multiplier
from tests.depth import deep_after
from tests.sims.gates import Gate, accounted

EPSILON, DELTA = 1.0, 1e-6
NOISE = multiplier(EPSILON, DELTA, "analytic")
ROWS = (
    Server(name="a", n=400, epsilon=EPSILON, delta=DELTA),
    Server(name="b", n=90, epsilon=EPSILON, delta=DELTA, count=7),
)
WORLD = World(curves=(curves.curve("cusp", at=0.37),), places=(), family="periodic", moments=2)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# The gate itself -------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["Gaussian", "Laplace"])
def test_what_comes_out_has_the_law_that_the_book_states(law):
    said = {"of": "mean", "law": law}
    with gate.account() as book:
        out = gate.release(np.full(20_000, 3.0), rng(), sensitivity=0.5, multiplier=4.0, **said)
    (entry,) = book.releases
    assert (entry.law, entry.sensitivity, entry.multiplier) == (law, 0.5, 4.0)
    want = stats.laplace(scale=2.0) if law == "Laplace" else stats.norm(scale=2.0)
    assert stats.kstest(out - 3.0, want.cdf).pvalue > 1e-3
    # Rows of servers add up with their weights.
    width, noise, count, weight = (np.array(v) for v in ([1, 2.0], [3, 4.0], [1, 6], [0.5, 0.1]))
    wanted = want.std() / 2.0 * math.sqrt(float((count * (weight * width * noise) ** 2).sum()))
    said |= {"sensitivity": width, "multiplier": noise, "servers": count, "weights": weight}
    assert gate.release(np.zeros(20_000), rng(), **said).std() == pytest.approx(wanted, rel=0.02)
    with gate.account() as book:
        gate.release(0.0, rng(), **said)
    assert [one.servers for one in book.releases] == [1, 6]


def test_releases_of_the_same_records_compose_and_of_others_do_not():
    with gate.account() as book:
        for who in ("a", "a", "b"):
            gate.release(0.0, rng(), of="x", sensitivity=1.0, multiplier=2.0, who=who)
    assert book.delta(1.0) == pytest.approx(float(delta_of(2.0 / math.sqrt(2), 1.0)))
    with gate.account() as book:
        gate.release(np.zeros(9), rng(), of="x", sensitivity=1.0, multiplier=2.0, times=9)
    assert book.delta(1.0) == pytest.approx(float(delta_of(2.0 / 3.0, 1.0)))
    with gate.account() as book:  # no noise is no guarantee
        assert gate.release(2.0, rng(), of="x", sensitivity=1.0, multiplier=0.0) == 2.0
    assert book.delta(50.0) == 1.0


def test_mixed_laws_compose_as_dp_accounting_allows():
    with gate.account() as book:
        gate.release(0.0, rng(), of="x", sensitivity=1.0, multiplier=3.0)
        gate.release(0.0, rng(), of="x", sensitivity=1.0, multiplier=3.0)
        gate.release(0.0, rng(), of="x", law="Laplace", sensitivity=1.0, multiplier=4.0)
        gate.choose(np.zeros(3), rng(), of="x", sensitivity=1.0, epsilon=0.25)
    for epsilon in (0.2, 0.4, 0.6, 1.0, 2.0):
        assert book.delta(epsilon) == pytest.approx(accounted(book.releases, epsilon), rel=1e-3)


def test_many_pure_releases_compose_exactly_or_with_their_whole_epsilon():
    with gate.account() as book:
        for k in range(60):
            gate.noted(of="x", epsilon=0.05 if k % 2 else 0.1)
    assert book.delta(1.0) == pytest.approx(accounted(book.releases, 1.0), rel=1e-3)
    with gate.account() as book:  # all different: too many losses to list
        for k in range(60):
            gate.noted(of="x", epsilon=0.05 + 1e-6 * k)
    assert book.delta(3.1) == 0.0
    assert book.delta(2.9) > 0.0


@pytest.mark.parametrize("law", ["Gumbel", "exponential"])
def test_a_choice_is_as_private_as_it_says(law):
    """Two candidates, one record: the odds change by at most e^epsilon, exactly for two."""
    epsilon, scores = 1.3, np.array([1.0, 0.0])
    counts = []
    said = {"of": "x", "sensitivity": 1.0, "epsilon": epsilon, "law": law}
    for s, chance in ((scores, rng(0)), (1.0 - scores, rng(1))):
        draws = [gate.choose(s, chance, **said) for _ in range(20_000)]
        counts.append(draws.count(0) / len(draws))
    odds = math.exp(-epsilon / 2)
    exact = 1 / (1 + odds) if law == "Gumbel" else 1 - odds / 2
    assert counts[0] == pytest.approx(exact, abs=0.012)
    assert abs(math.log(counts[0] / counts[1])) <= epsilon
    assert abs(math.log((1 - counts[0]) / (1 - counts[1]))) <= epsilon


# Mechanisms: what they release, and what they promise ------------------------------------------


def lattice(mechanism: str = "analytic") -> lt.Lattice:
    world = WORLDS["cusp"]
    study = study_on(world, (ROWS[0], replace(ROWS[1], signal_exponent=2.0)))
    return acc.lattice_of(acc.Trial(world=world, study=study, mechanism=mechanism))


def group(m: int = 1) -> sc.Group:
    return sc.Group(n=50, m=m, multiplier=NOISE)


SCREEN = sc.make_screen(Quadrants(), "triangular", (0.5, 0.25), 16, 32)
TWICE = float(delta_of(NOISE / math.sqrt(2), EPSILON))  # every bandwidth is a release
PLAN = ad.alike(n=60, m=3, gamma=1.0, epsilon=EPSILON)
BOOKED = Callable[[np.random.Generator], object]


def price(kind: str) -> BOOKED:
    made = replace(PLAN, algorithm=kind, split="composed")
    return lambda rng: adaptive_price.cusp_releases(made, 64, rng)


def bins(law: str) -> BOOKED:
    noise = 1.0 if law == "Laplace" else multiplier(1.0, DELTA, "analytic")
    four = replace(group(4), multiplier=noise)
    hist = histogram.make_histogram(Quadrants(), 0.5)

    def sums(rng):
        return histogram.bin_sums(hist, *sc.draw_records(Quadrants(), four, rng))

    return lambda rng: histogram.noisy_mean(sums(rng), four, law, rng)


def regression(noise: str, *, point: bool = False) -> BOOKED:
    world = replace(WORLD, places=(0.37,)) if point else WORLD
    made = plan(world, ROWS, Recipe(noise=noise), dimension=16)
    return lambda rng: estimator.replicates(made, [rng])


def drawn(rng: np.random.Generator) -> object:
    made = plan(WORLD, ROWS, Recipe(noise="analytic"), dimension=16)
    return picture.look(made, int(rng.integers(99))).merged[0]


def looked(rng: np.random.Generator) -> object:
    draw = pc.draw_once(Quadrants(), "triangular", 0.5, group(), group(3), int(rng.integers(99)))
    return pc.look_at(draw, weight=0.5, multiplier=NOISE).released


# name: run, releases of a record, promised delta at epsilon 1, least share of it that is spent
MECHANISMS: dict[str, tuple[BOOKED, int, float, float]] = {
    "lattice": (lambda r: lt.statistics(lattice(), [r]), 1, DELTA, 0.999),
    "lattice, printed noise": (lambda r: lt.statistics(lattice("printed"), [r]), 1, DELTA, 0.0),
    "screen": (lambda r: sc.release(SCREEN, (group(), group(3)), r)[:, :1], 2, TWICE, 0.999),
    "one draw of the screen": (looked, 1, DELTA, 0.999),
    "algorithm 1 on the cusp": (price("1"), PLAN.grid.size, 60.0**-2, 0.999),
    "algorithm 2 on the cusp": (price("2"), PLAN.grid.size, 60.0**-2, 0.999),
    "histogram, Gaussian": (bins("Gaussian"), 1, DELTA, 0.999),
    "histogram, Laplace": (bins("Laplace"), 1, 0.0, 0.0),
    "regression, exact": (regression("analytic"), 1, DELTA, 0.999),
    "regression, tight": (regression("tight"), 1, DELTA, 0.0),
    "regression, printed": (regression("printed"), 1, DELTA, 0.0),
    "regression at a point": (regression("tight", point=True), 1, 0.0, 0.0),
    "one draw of a study": (drawn, 1, DELTA, 0.999),
}


def test_rows_of_servers_alike_are_releases_of_their_own():
    """The same numbers with and without a book, which names every server once."""
    value, path = rng().random((3, 5)), rng().standard_normal((3, 5))
    said = {"of": "x", "sensitivity": 0.5, "multiplier": 4.0, "rows": range(3), "path": path}
    plain = gate.release(value, None, **said)
    with gate.account() as book:
        booked = gate.release(value, None, **said)
    np.testing.assert_array_equal(plain, value + 2.0 * path)
    np.testing.assert_array_equal(booked, plain)
    assert [(one.who, one.times) for one in book.releases] == [(0, 1), (1, 1), (2, 1)]
    assert book.delta(EPSILON) == pytest.approx(float(delta_of(4.0, EPSILON)))


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_run_spends_what_it_promises(name):
    run, releases, delta, least = MECHANISMS[name]
    with gate.account() as book:
        run(rng())
    for own in book.by_record().values():
        assert sum(one.times for one in own) == releases
        if delta == 0.0:
            assert sum(1.0 / one.multiplier for one in own) == pytest.approx(EPSILON)
    spent = book.delta(EPSILON * (1 + 1e-9))
    assert least * delta <= spent <= delta * (1 + 1e-6)


@pytest.mark.parametrize("name", MECHANISMS)
def test_what_is_released_carries_the_noise(name, monkeypatch):
    """With noise a thousand times as large at the gate, the run's result moves."""
    run, real = MECHANISMS[name][0], gate.release
    quiet = np.asarray(run(rng()), dtype=float)

    def loud(value, rng, **options):
        width = 1000.0 * np.asarray(options.pop("sensitivity"))
        return real(value, rng, sensitivity=width, **options)

    for module in (lt, histogram, estimator, picture):
        monkeypatch.setattr(module, "release", loud, raising=False)
    monkeypatch.setattr("sims.engine.release", loud)
    assert np.abs(np.asarray(run(rng()), dtype=float) - quiet).max() > 1e-3


# Declared sensitivities against the worst neighbours -------------------------------------------


def test_the_lattice_s_sensitivity_in_the_path_s_coordinates():
    """The noise is added before the last filter; a record's change there has the declared norm."""
    one = lattice()
    pool, q, h = one.pools[0], one.per_bandwidth, one.bandwidth
    n = pool.records
    bump = np.zeros((1, one.loss.size + 2 * (q - 1)))
    bump[0, one.loss.size // 2] = 2.0  # a label flips: 2 sum(Y - 1/2) changes by 2
    change = lt._filter(bump, q, 1) * (0.5 * lt.Lattice.scale(one, pool) / q)
    unit = 1.0 / math.sqrt(q)  # noise of the path's coordinates at sensitivity times multiplier 1
    moved = float(np.linalg.norm(change)) / unit / pool.weight
    assert moved == pytest.approx(sensitivity(TRIANGULAR, pool.n, h, 1), rel=1e-9)
    assert sensitivity(TRIANGULAR, pool.n, h, 1) == pytest.approx(1.0 / (n * h))


@pytest.mark.parametrize("point", [False, True])
@pytest.mark.parametrize("family", deep_after(1, ["boundary", "haar", "periodic"]))
def test_a_replaced_record_moves_a_curve_by_what_is_declared(family, point, monkeypatch):
    """Exact over the cells: two opposite clipped responses in the cell of most energy."""
    places = (0.37,) if point else ()
    world = replace(WORLD, family=family, moments=1 if family == "haar" else 2, places=places)
    made = plan(world, ROWS[:1], Recipe(noise="tight"), dimension=16)
    gate = Gate(lambda _, value, __: value).stand_in(monkeypatch, estimator)
    estimator.replicates(made, [rng()])
    (heard,) = gate.heard
    declared = float(heard.said["sensitivity"][0])
    grid = curves.binned(world.basis(16), cells=world.cells)
    rows = curves.cell_kernel(grid, 0.37)[:, None] if point else grid.matrix.toarray()
    change = 2.0 * made.clip * np.linalg.norm(rows, axis=1).max() / made.n[0]
    assert change == pytest.approx(declared, rel=1e-9)
