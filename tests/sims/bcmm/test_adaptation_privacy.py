"""Privacy of the adaptation room: its book, its worst neighbours, and that noise is carried."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from rates import adaptation
from rates.adaptation import AdaptationDesign, deployed_budget, printed_mu, printed_noise
from rates.numbers import delta_of
from sims.bcmm import algorithms, curves
from sims.bcmm.algorithms import ROUNDS
from sims.bcmm.data import Moments, Pair, Sample
from sims.bcmm.exact import discrepancy
from sims.engine import Values, account, generator
from tests.depth import deep_after
from tests.sims.gates import Gate, accounted, widest

Array = np.ndarray
N, M, D, STEPS = 4, 3, 2, 40
BOUND = 2.0
STEP, WEIGHTS, GAP = "gradient step", "gradient of the private weights", "discrepancy"


def design(loss: str = "squared", **changed) -> AdaptationDesign:
    sizes = {"public": M, "private": N, "dimension": D, "norm_bound": BOUND}
    return AdaptationDesign(**sizes, alpha=0.4, penalty=0.04, loss=loss, **changed)


def pair_of(loss: str, first: tuple[Array, float] | None = None, seed: int = 0) -> Pair:
    """A small pair whose first private record is given, or all of one seed."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((N + M, D))
    x /= np.maximum(1.0, np.linalg.norm(x, axis=1))[:, None]
    y = np.sign(rng.standard_normal(N + M))
    if first is not None:
        x[0], y[0] = first
    public, private = (Sample(x=x[part], y=y[part]) for part in (slice(N, None), slice(N)))
    return Pair(public=public, private=private, loss=loss)


def fit(method: str, times: float = 1.0) -> Callable[[Pair, AdaptationDesign, object], Array]:
    """A fit at so many times the design's budget."""
    return lambda pair, at, rng: algorithms.fit(
        method, [pair], replace(at, epsilon=times * at.epsilon), [rng], steps=STEPS
    )[0]


@dataclass(frozen=True)
class Mechanism:
    """One mechanism of the room.

    Attributes:
        run: From a pair, a design and a generator to what leaves it.
        reached: By what is released, the least share of the declared sensitivity that some pair
            of records reaches; a little less than was found.
        loss: Of the records.
        length: From the design to the step size in w.
        releases: How many, by what they are of; None where the seed decides.
        promised: From the design to delta at the design's epsilon, as our accounting states it.
    """

    run: Callable[[Pair, AdaptationDesign, np.random.Generator], Array]
    reached: dict[str, float]
    loss: str = "squared"
    length: Callable[[AdaptationDesign], float] = lambda at: 0.5
    releases: dict[str, int] | None = field(default_factory=lambda: {STEP: ROUNDS})
    promised: Callable[[AdaptationDesign], float] = lambda at: at.delta


def printed(at: AdaptationDesign) -> float:
    return adaptation.true_budget(at.epsilon, at.delta).delta_at_nominal


def half_printed(at: AdaptationDesign) -> float:
    """Weights held: one of two vectors leaves, half of the squared signal."""
    return float(delta_of(math.sqrt(2.0) / printed_mu(at.epsilon, at.delta), at.epsilon))


def whole(path: algorithms.Path) -> Array:
    return np.concatenate([path.w, path.inverse])


def first_step(at: AdaptationDesign) -> float:
    return printed_noise(at, STEPS).step_w


MECHANISMS = {
    "algorithm_1": Mechanism(
        lambda pair, at, rng: whole(algorithms.algorithm_1(pair, at, rng, steps=STEPS)),
        {STEP: 0.586, WEIGHTS: 0.9999},
        length=first_step,
        releases={STEP: STEPS, WEIGHTS: STEPS},
        promised=printed,
    ),
    "algorithm_1_held": Mechanism(
        fit("printed", 2.0),
        {STEP: 0.586},
        length=first_step,
        releases={STEP: STEPS},
        promised=half_printed,
    ),
    "algorithm_2": Mechanism(
        lambda pair, at, rng: whole(algorithms.algorithm_2(pair, at, rng, steps=STEPS)),
        {STEP: 0.634, WEIGHTS: 0.9999},
        "logistic",
        lambda at: 1.0 / adaptation.smoothness(at),
        None,
        printed,
    ),
    "noisy_descent": Mechanism(fit("descent"), {STEP: 0.586}),  # on the target
    "noisy_descent, mixed": Mechanism(fit("mixed descent"), {STEP: 0.586}),
    "profiled": Mechanism(
        lambda pair, at, rng: algorithms.profiled(
            pair, replace(at, epsilon=2.0 * at.epsilon), rng, gap=0.3
        ),
        {STEP: 0.9999},
    ),
    "logistic_descent": Mechanism(
        lambda pair, at, rng: algorithms.logistic_descent(pair, at, rng, share=0.4),
        {STEP: 0.634},
        "logistic",
        lambda at: 4.0,
    ),
}
EACH = pytest.mark.parametrize("name", MECHANISMS)
DESIGNS = [(0.3, 0.01), (1.0, 1e-3), (5.0, 1e-6), (15.0, 0.01)]


# The book ------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize(("epsilon", "delta"), DESIGNS)
def test_the_book_says_what_the_accounting_states(name, epsilon, delta):
    """A step declares what one private record moves it by, whatever the public sample's size."""
    one = MECHANISMS[name]
    at = design(one.loss, epsilon=epsilon, delta=delta)
    with account() as book:
        one.run(pair_of(one.loss), at, generator(0))
    counts = {of: sum(r.of == of for r in book.releases) for of in one.reached}
    assert sum(counts.values()) == len(book.releases)
    assert {release.who for release in book.releases} == {"private"}
    stated = one.promised(at)
    if one.releases is None:  # the iterate that is returned is drawn first
        steps = int(generator(0).integers(1, STEPS + 1))
        assert counts == {STEP: steps, WEIGHTS: steps}
        mu = printed_mu(epsilon, delta) * math.sqrt(steps / STEPS)
        assert book.delta(epsilon) <= stated
        stated = float(delta_of(1.0 / mu, epsilon))
    else:
        assert counts == one.releases
    assert book.delta(epsilon) == pytest.approx(stated, rel=1e-6)
    if epsilon <= 5:  # later the printed noise is too small, as the room says
        assert book.delta(epsilon) <= delta * (1.0 + 1e-6)
    if epsilon == 1:
        assert accounted(book.releases, 1.0) == pytest.approx(book.delta(1.0), rel=5e-3)
    share = 0.0 if name == "noisy_descent" else at.alpha
    steepest = 2.0 * math.sqrt(at.penalty) if name == "profiled" else at.lipschitz
    declared = {r.of: r.sensitivity for r in book.releases}
    assert declared[STEP] == pytest.approx(2.0 * (1.0 - share) * steepest / N)
    if WEIGHTS in declared:
        assert declared[WEIGHTS] == pytest.approx((1.0 - share) ** 2 * at.loss_range / N**2)


PRIVATE, SILENT = ["printed", "descent", "mixed descent"], ["mixture", "target", "source"]


@pytest.mark.parametrize(
    ("method", "loss"),
    [
        *itertools.product(PRIVATE, ("squared", "logistic")),
        *((method, "squared") for method in ("profiled", *SILENT)),
    ],
)
@pytest.mark.parametrize(("epsilon", "delta"), DESIGNS[1::2])
def test_every_fit_keeps_its_promise(method, loss, epsilon, delta):
    at, pair = design(loss, epsilon=epsilon, delta=delta), pair_of(loss)
    with account() as book:
        algorithms.fit(method, [pair], at, [generator(1)], steps=STEPS)
    spent = book.delta(epsilon)
    if method in SILENT:  # as its name says
        assert not book.releases
    elif method == "printed":  # half of the budget is kept for the discrepancy
        assert spent <= max(deployed_budget(epsilon, delta).delta_at_nominal, delta)
    elif method == "profiled":
        assert [r.of for r in book.releases] == [GAP] + [STEP] * ROUNDS
        assert delta / 3 < spent < delta  # Laplace and Gaussian together cost less than both
    else:
        assert spent == pytest.approx(delta, rel=1e-6)


def test_the_discrepancy_is_a_laplace_release_at_half_of_the_budget():
    at = design(epsilon=1.4)
    with account() as book:
        algorithms.private_gap(pair_of("squared"), at, generator(0))
    (one,) = book.releases
    assert (one.of, one.law, one.multiplier) == (GAP, "Laplace", pytest.approx(1 / 0.7))
    assert (book.delta(0.7), book.delta(0.69) > 0.004) == (0.0, True)
    pair = pair_of("squared")
    exact = discrepancy(Moments.of(pair.private), Moments.of(pair.public), BOUND)
    with account() as book:
        assert algorithms.private_gap(pair, replace(at, epsilon=math.inf), generator(0)) == exact
        assert algorithms.private_gap(pair, at, None) == exact
    assert not book.releases


# Worst neighbours ----------------------------------------------------------------------------


def candidates(loss: str) -> list[tuple[Array, float]]:
    """Records on the boundary, those without loss far out, and some in between."""
    turns = [np.array([math.cos(a), math.sin(a)]) for a in np.linspace(-math.pi, math.pi, 65)]
    out = [(turn, y) for turn in turns for y in (-1.0, 1.0)]
    if loss == "squared":
        out += [(turns[32] / BOUND, 1.0), (turns[32] * 0.3, 1.0)]
        rng = np.random.default_rng(3)
        out += [(0.9 * rng.random() * turns[k], float(rng.uniform(-1, 1))) for k in range(0, 64, 4)]
    return out


# Some hundred runs each: those of one descent are the quickest.
@pytest.mark.parametrize("name", deep_after(1, sorted(MECHANISMS, key="noisy_descent".__ne__)))
def test_no_neighbour_moves_a_step_by_more_than_declared(name, monkeypatch):
    one = MECHANISMS[name]
    at = design(one.loss, epsilon=1.0, delta=1e-3)
    rounds = STEPS if one.releases is None else one.releases[STEP]
    push = np.zeros(D)
    push[0] = -4.0 * BOUND / (one.length(at) * rounds)

    def answer(_place, value, said):
        """Walk w from 0 to the boundary and leave the inverse weights at their least."""
        far = np.full(value.shape, 1e6)
        return far if said["of"] == WEIGHTS else np.broadcast_to(push, value.shape)

    seed = next(k for k in range(99) if generator(k).integers(1, STEPS + 1) > STEPS - 4)
    values: dict[tuple[str, int], list[Array]] = {}
    declared: dict[str, float] = {}
    for first in candidates(one.loss):
        gate = Gate(answer).stand_in(monkeypatch, algorithms)
        one.run(pair_of(one.loss, first), at, generator(seed))
        places = dict.fromkeys(one.reached, 0)
        for heard in gate.heard:
            of = heard.said["of"]
            declared.setdefault(of, heard.said["sensitivity"])
            assert declared[of] == heard.said["sensitivity"]
            values.setdefault((of, places[of]), []).append(heard.value)
            places[of] += 1
    assert set(declared) == set(one.reached)
    for of, share in one.reached.items():
        found = max(widest(rows, 2) for (name_, _), rows in values.items() if name_ == of)
        assert found <= declared[of] * (1 + 1e-9)
        assert found >= share * declared[of], (of, found / declared[of])


def test_a_replaced_record_moves_the_discrepancy_by_what_is_declared(monkeypatch):
    at = design(epsilon=1.0)
    gate = Gate().stand_in(monkeypatch, algorithms)
    near = pair_of("squared", (np.array([1.0 / BOUND, 0.0]), 1.0)).private  # no loss at Λe₁
    for first in candidates("squared"):
        pair = pair_of("squared", first)
        algorithms.private_gap(replace(pair, public=near), at, generator(0))
    assert gate.heard[0].said["sensitivity"] == pytest.approx((BOUND + 1) ** 2 / N)
    assert 0.9999 <= gate.reached(1) <= 1 + 1e-9


READINGS = Values(norm_bound=BOUND, budget=0.8, dimension=D, covariate=0.0, loss="squared")


@pytest.mark.parametrize("series", [curves.GAP, curves.SCALAR])
def test_a_replaced_record_moves_a_reading_by_what_is_declared(series, monkeypatch):
    x = np.array([[1 / 1.5, 0.0]] * M)  # fitted by w = 1.5 e₁
    public = Sample(x=x, y=np.ones(M))
    monkeypatch.setattr(curves, "public_draw", lambda *_: public)
    values = READINGS.changed(private=N, public=M)
    point = next(
        p for p in curves.closeness_points(values.changed(concept=(0.5,))) if p.series == series
    )
    w = curves.smallest_on_ball(*(getattr(Moments.of(public), k) for k in "Ab"), BOUND)[0]
    far = w / np.linalg.norm(w)
    gate = Gate().stand_in(monkeypatch, curves)
    some = candidates("squared")
    some += [(sign * far, y) for sign in (-1.0, 1.0) for y in (-1.0, 1.0)]
    some += [(far * k / 40.0, 1.0) for k in range(1, 40)]
    reach = BOUND if series == curves.GAP else np.linalg.norm(w)
    some += [(far * min(1.0, 1.0 / reach), 1.0)]
    rest = some[-1]  # so that the discrepancy is attained where the record's loss is least
    for first in some:
        x = np.array([first[0], *[rest[0]] * (N - 1)])
        y = np.array([first[1], *[rest[1]] * (N - 1)])
        pair = Pair(public=public, private=Sample(x=x, y=y))
        monkeypatch.setattr(curves, "world_pair", lambda *_, pair=pair: pair)
        with account() as book:
            curves.closeness_sample(values, point, 0, range(1))
        (one,) = book.releases
        assert one.multiplier == pytest.approx(1 / 0.8)
        assert (book.delta(0.8), book.delta(0.79) > 0.004) == (0.0, True)
    width = curves.reading_width(series, values)
    assert gate.heard[0].said["sensitivity"] == pytest.approx(width)
    assert 0.97 <= gate.reached(1) <= 1 + 1e-9


# The noise is carried ------------------------------------------------------------------------


@EACH
def test_what_leaves_carries_every_release_and_nothing_private_beside(name, monkeypatch):
    """With answers of a script the private records no longer matter."""
    one = MECHANISMS[name]

    def run(answer, seed: int = 0) -> Array:
        Gate(answer).stand_in(monkeypatch, algorithms)
        pair = replace(pair_of(one.loss), private=pair_of(one.loss, seed=seed).private)
        return one.run(pair, design(one.loss, epsilon=1.0, delta=1e-3), generator(4))

    def script(_, value, said) -> Array:
        return np.random.default_rng(len(said["of"])).standard_normal(value.shape)

    assert np.array_equal(run(script, 0), run(script, 1))
    still = run(lambda _, value, __: value)
    for of in one.reached:
        moved = run(lambda _, value, said, of=of: value - 1e3 * (said["of"] == of))
        assert np.linalg.norm(moved - still) > 1e-6


def test_the_discrepancy_that_is_used_carries_its_noise(monkeypatch):
    at, pair = design(epsilon=1.0), pair_of("squared")
    for shown, kept in ((0.7, 0.7), (-3.0, 0.0), (99.0, 9.0)):  # projected to [0, B]
        Gate(lambda *_, shown=shown: shown).stand_in(monkeypatch, algorithms)
        assert algorithms.private_gap(pair, at, generator(0)) == kept
    used = []
    monkeypatch.setattr(algorithms, "private_gap", lambda _pair, _at, rng: used.append(rng) or 0.4)
    Gate(lambda _place, value, _said: value).stand_in(monkeypatch, algorithms)
    rng = generator(3)
    fitted = algorithms.fit("profiled", [pair], at, [rng], steps=STEPS)[0]
    assert used == [rng]
    assert np.array_equal(fitted, algorithms.profiled(pair, at, rng, gap=0.4))


@pytest.mark.parametrize("method", PRIVATE)
def test_every_replicate_has_noise_of_its_own(method):
    at, pair = design(epsilon=1.0), pair_of("squared")
    one, two = algorithms.fit(method, [pair, pair], at, [generator(1), generator(2)], steps=STEPS)
    turned = algorithms.fit(method, [pair, pair], at, [generator(2), generator(1)], steps=STEPS)
    assert np.array_equal(turned, [two, one])
    assert np.linalg.norm(one - two) > 1e-6


def test_every_reading_has_noise_of_its_own(monkeypatch):
    values = READINGS.changed(private=30, public=50)
    points = curves.closeness_points(values.changed(concept=(0.0, 0.5)))
    gate = Gate().stand_in(monkeypatch, curves)
    shown = np.array([curves.closeness_sample(values, p, 0, range(3)) for p in points]).ravel()
    scales = [heard.said["sensitivity"] for heard in gate.heard]
    noise = (shown - [float(heard.value) for heard in gate.heard]) / scales
    assert len(set(np.round(noise, 9))) == len(noise) == 12
