"""Privacy of the logistic room: its book, its worst neighbours, streams, and noise carried."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from rates.logistic import euclidean_sensitivity
from rates.numbers import delta_of
from sims import engine
from sims.dplr import data, study
from sims.dplr.release import Release, release
from sims.dplr.solver import statistics
from sims.engine import account, generator
from tests.depth import deep_after
from tests.sims.gates import Gate, accounted

FOLDS = 3
SMALL = study.World(dimension=6, sparsity=2, sources=3, transferable=1, n0=30, nk=40)
BUDGETS = [(0.4, 1e-5), (1.0, 1e-6), (6.0, 1e-3)]


@pytest.fixture
def gate(monkeypatch):
    return Gate().stand_in(monkeypatch, engine)


def records(n: int, p: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return 2.0 * rng.standard_normal((n, p)), (rng.random(n) < 0.5).astype(float)


def own_sites() -> data.Sites:
    rng = np.random.default_rng(0)
    x = tuple(rng.standard_normal((60, 2)) for _ in range(2))
    y = tuple((part[:, 0] > 0).astype(float) for part in x)
    return data.Sites(names=("a", "b"), covariates=("u", "v"), x=x, y=y, notes=())


# The book ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "epsilon", "delta", "p"),
    [
        *(("gaussian", *budget, p) for budget, p in zip(BUDGETS, (2, 9, 2), strict=True)),
        ("laplace", 0.3, 0.0, 9),
        ("laplace", 2.0, 0.0, 2),
    ],
)
def test_statistics_spend_their_budget_and_no_more(kind, epsilon, delta, p):
    how = Release(kind=kind, epsilon=epsilon, delta=delta)
    with account() as book:
        release(*records(20, p), how, generator(0), folds=FOLDS)
    assert len(book.releases) == len(book.by_record()) == FOLDS  # a record is in one fold
    assert book.delta(epsilon) == pytest.approx(delta, rel=1e-6)
    assert book.delta(0.99 * epsilon) > max(1.01 * delta, 1e-4 * (delta == 0))
    half = accounted(book.releases[:1], epsilon / 2)
    assert half == pytest.approx(book.delta(epsilon / 2), rel=0.01)


@pytest.mark.parametrize(
    "how",
    [
        Release(kind="none"),
        Release(kind="printed", scale=9.0),
        Release(kind="printed once", scale=9.0),
        Release(epsilon=math.inf),
        Release(kind="laplace", epsilon=math.inf),
    ],
)
def test_what_promises_nothing_is_in_the_book_as_nothing(how):
    with account() as book:
        release(*records(20, 3), how, generator(0))
    assert len(book.releases) == 1
    assert book.delta(50.0) == 1.0


def test_printed_noise_has_the_scale_and_the_places_that_are_printed(gate):
    """In the sum over records, one for each, or once on the sums; no record is clipped."""
    x, y = records(20, 3)
    for kind, servers in (("printed", 20), ("printed once", 1)):
        release(x, y, Release(kind=kind, scale=0.7), generator(0))
        (one,), gate.heard = gate.heard, []
        assert one.said["sensitivity"] * one.said["multiplier"] == 0.7
        assert (one.said["servers"], one.said["law"]) == (servers, "Laplace")
        whole = statistics(x, y)
        assert one.value[:3] == pytest.approx(whole.gram[0])
        assert one.value[-3:] == pytest.approx(whole.linear)


@pytest.mark.parametrize(("epsilon", "delta"), BUDGETS)
def test_a_replicate_protects_every_site_by_its_whole_budget(epsilon, delta):
    with account() as book:
        study.draw(SMALL, Release(epsilon=epsilon, delta=delta), 0, 0)
    sites = {who[0] for who in book.by_record()}
    assert sites == {"target", "source 1", "source 2", "source 3"}
    assert len(book.releases) == len(book.by_record()) == 3 + 3
    assert book.delta(epsilon) == pytest.approx(delta, rel=1e-6)


def test_each_split_of_own_records_is_a_release_of_its_own():
    with account() as book:
        data.own_study(own_sites(), "a", Release(epsilon=1.0, delta=1e-5), splits=4)
    assert len(book.releases) == 4 * (3 + 1)
    one = book.releases[0].multiplier
    assert book.delta(1.0) == pytest.approx(float(delta_of(one / 2.0, 1.0)), rel=1e-6)


# Worst neighbours ----------------------------------------------------------------------------


def worst(p: int, kind: str) -> list[tuple[np.ndarray, float]]:
    """Extreme records: signs and two lengths on halves, axes, and some at random."""
    out = [np.eye(p)[0], np.zeros(p), np.full(p, 0.3)]
    half = p // 2
    for turn in np.linspace(0, math.pi, 33):
        x = np.full(p, math.sin(turn))
        x[:half] = math.cos(turn)
        out.append(x)
    if kind == "gaussian" and p > 1:  # at the angle whose cosine is 1/8
        other = np.eye(p)[0] / 8.0
        other[1] = math.sqrt(1 - 1 / 64)
        out.append(other)
    rng = np.random.default_rng(1)
    out += list(rng.standard_normal((20, p)))
    return [(x * 1e3 * sign, y) for x in out for sign in (1.0, -1.0) for y in (0.0, 1.0)]


@pytest.mark.parametrize("clip", [0.5, 1.2])
@pytest.mark.parametrize("p", deep_after(2, [1, 4, 2, 8]))
@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_a_replaced_record_moves_the_statistics_by_what_is_declared(kind, p, clip, gate):
    """Labels 0 and 1, covariates far outside of the ball, so that clipping is tested too."""
    x, y = records(5, p)
    for covariates, label in worst(p, kind):
        x[2], y[2] = covariates[:p], label
        release(x, y, Release(kind=kind, clip=clip, epsilon=1.0), generator(0))
    share = {("gaussian", 1): 0.70}.get((kind, p), 0.999 if kind == "gaussian" else 0.91)
    assert share <= gate.reached(2 if kind == "gaussian" else 1) <= 1 + 1e-9


def test_coefficients_of_the_polynomial_are_what_laplace_noise_is_scaled_to(gate):
    """In the gate's units one record's values are its coefficients of (7), cross terms once."""
    x, y = np.array([[0.3, -0.4]]), np.array([1.0])
    release(x, y, Release(kind="laplace", clip=1.0), generator(0))
    R = math.sqrt(2.0)
    a, b = 0.3 / R, -0.4 / R
    assert gate.heard[0].value == pytest.approx([a * a / 8, a * b / 4, b * b / 8, -a / 2, -b / 2])
    release(x, y, Release(kind="gaussian", clip=1.0), generator(0))
    root = math.sqrt(2.0)
    assert gate.heard[1].value == pytest.approx([a * a, a * b * root, b * b, -a / 2, -b / 2])
    assert gate.heard[1].said["sensitivity"] == euclidean_sensitivity(1.0)


# The noise is carried ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["gaussian", "laplace", "printed", "printed once"])
def test_what_is_released_is_what_the_gate_answers(kind, monkeypatch):
    p, how = 3, Release(kind=kind, epsilon=1.0, clip=1.5, scale=0.2)
    answers = np.arange(1.0, 10.0)
    Gate(lambda *_: answers).stand_in(monkeypatch, engine)
    shown = [release(*records(12, p, seed), how, generator(0), folds=2) for seed in (0, 1)]
    sd = how.noise(p)
    diagonal, beside, linear = sd.units
    for part in itertools.chain(*shown):  # whatever the records were
        assert part.noisy
        upper = part.gram[np.triu_indices(p)]
        assert upper == pytest.approx(
            answers[:6] * [diagonal, beside, beside, diagonal, beside, diagonal]
        )
        assert np.array_equal(part.gram, part.gram.T)
        assert part.linear == pytest.approx(answers[6:] * linear)


@pytest.mark.parametrize("kind", ["gaussian", "laplace", "printed", "printed once"])
def test_folds_and_sites_get_noise_of_their_own(kind, gate):
    how = Release(kind=kind, epsilon=1.0)
    parts = release(np.zeros((9, 2)), np.tile([0.0, 1.0, 1.0], 3), how, generator(0), folds=3)
    assert parts[1].gram[0, 1] != parts[2].gram[0, 1]
    assert len({part.gram[0, 0] for part in parts}) == 3


def noted_states(gate: Gate) -> list[dict]:
    """A list that gets the state of the generator at each release from now on."""
    states: list[dict] = []
    gate.answer = lambda _place, value, _said: (
        states.append(gate.heard[-1].rng.bit_generator.state) or value
    )
    return states


def test_noise_comes_from_a_stream_of_its_own(gate):
    """Not from that of the records: whoever knows these would know the noise."""
    for seed, index in ((0, 0), (0, 1), (5, 0)):
        first, states = len(gate.heard), noted_states(gate)
        study.draw(SMALL, Release(), seed, index)
        assert states[0] == generator(seed, "logistic noise", index).bit_generator.state
        assert states[0] != generator(seed, "logistic", index).bit_generator.state
        assert len({id(heard.rng) for heard in gate.heard[first:]}) == 1
    states = noted_states(gate)
    data.own_study(own_sites(), "a", Release(), splits=2, seed=7)
    assert states[0] == generator(7, "own noise", 0).bit_generator.state
    assert states[4] == generator(7, "own noise", 1).bit_generator.state


def test_budgets_are_compared_on_the_same_records(gate):
    wide = {"clip": 1e3}
    for how in (Release(epsilon=0.1, **wide), Release(epsilon=9.0, **wide)):
        study.draw(SMALL, how, 3, 1)
    first, second = gate.heard[:6], gate.heard[6:]
    assert all(np.array_equal(a.value, b.value) for a, b in zip(first, second, strict=True))
    assert not np.array_equal(first[4].value, first[5].value)


def test_a_record_is_in_one_fold(gate):
    x, y = records(12, 2)
    release(x, y, Release(), generator(0), folds=FOLDS)
    x[7] *= -0.1
    release(x, y, Release(), generator(0), folds=FOLDS)
    moved = [
        not np.array_equal(one.value, other.value)
        for one, other in zip(gate.heard[:FOLDS], gate.heard[FOLDS:], strict=True)
    ]
    assert moved == [False, True, False]
