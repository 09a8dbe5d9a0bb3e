"""Reweighting on two clusters: its book, noise carried; parts by hand and other methods, runs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.hybrid.needs import composed_delta, project, step_epsilon
from rates.numbers.gaussian import analytic_multiplier
from rates.numbers.parameters import DomainError
from sims.engine import account
from sims.engine.experiment import Request
from sims.engine.runs import run
from sims.ks import parity, reweighting
from sims.ks.reweighting import Setup, learn
from sims.ks.study import CLOSENESS, POOLED, REWEIGHTED
from tests.depth import examples
from tests.sims.gates import Gate, accounted, widest

PRIVATE = ["exponential", "permute and flip"]
EACH = pytest.mark.parametrize("learner", PRIVATE)
STILL = {"accuracy": 0.001, "step": 1e-6}  # weights stay, so no test is ever passed
SMALL = {"records": 1000, "sample": 50, "users_per_test": 40, "rounds": 6, **STILL}


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# Learners ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("records", "epsilon"), [(1, 0.3), (10, 1.0), (7, 2.5), (2000, 0.7)])
@EACH
def test_a_learner_says_its_budget_and_its_sensitivity(learner, records, epsilon):
    with account() as book:
        if records == 2000:  # the comparison without weights
            setup = Setup(learner=learner, learner_epsilon=epsilon, records=records)
            reweighting.pooled_error(setup, rng())
        else:
            learn(learner, np.array([0.2, 0.5]), records, epsilon, rng())
    (one,) = book.releases
    assert (one.law, one.sensitivity) == ("exponential", 1.0 / records)
    assert book.delta(epsilon) == 0.0
    assert book.delta(0.99 * epsilon) > 1e-4
    assert accounted(book.releases, epsilon / 2) == pytest.approx(book.delta(epsilon / 2), rel=1e-3)


@pytest.mark.parametrize("rules", [2, 3])
@EACH
def test_a_learner_s_law_is_as_private_as_it_says_exactly(learner, rules):
    """All neighbours of a few records, by the exact law of the choice."""
    epsilon, records, worst = 1.0, 3, 0.0
    losses = list(itertools.product((0.0, 1.0), repeat=rules))  # of one record under each rule
    laws = {}
    for sample in itertools.combinations_with_replacement(losses, records):
        laws[sample] = law(learner, np.mean(sample, axis=0), records, epsilon)
    for sample, chances in laws.items():
        for other in losses:
            near = laws[tuple(sorted((other, *sample[1:])))]
            worst = max(worst, float(np.max(np.log(chances / near))))
    assert worst <= epsilon * (1 + 1e-9)
    assert worst >= 0.45 * epsilon  # few rules reach less than many


def law(learner: str, errors: np.ndarray, records: int, epsilon: float) -> np.ndarray:
    """The chances of each rule: in proportion to exp(score), or by orders of permute and flip."""
    score = -0.5 * epsilon * records * errors
    if learner == "exponential":
        return np.exp(score) / np.exp(score).sum()
    chances, heads = np.zeros(len(score)), np.exp(score - score.max())
    for order in itertools.permutations(range(len(score))):
        left = 1.0 / math.factorial(len(score))
        for k in order:
            chances[k] += left * heads[k]
            left *= 1.0 - heads[k]
    return chances


@EACH
def test_a_learner_draws_by_its_law(learner):
    errors, number = np.array([0.0, 0.2, 0.6]), 20_000
    generator = rng(1)
    draws = [learn(learner, errors, 5, 1.5, generator) for _ in range(number)]
    expected = law(learner, errors, 5, 1.5)
    assert np.bincount(draws, minlength=3) / number == pytest.approx(
        expected, abs=4 * math.sqrt(0.25 / number)
    )


@EACH
def test_one_record_moves_every_score_by_what_is_declared(learner, monkeypatch):
    """Each replaced record of a sample, as the learner of a run and of the comparison sees it."""
    gate = Gate(lambda *_: 0).stand_in(monkeypatch, reweighting)
    gate.answer = lambda _place, value, said: value if "servers" in said else 0
    points = reweighting.volunteers(0.3, 50, rng())[:2]
    for who in range(6):
        x, y = points[0].copy(), points[1].copy()
        if who:
            x[who], y[who] = ((-1.0) ** who * 9.0, 1.0), who % 4 < 2
        for label in (False, True):
            y[0] = label
            made = (x.copy(), y.copy(), np.ones(50, dtype=bool))
            monkeypatch.setattr(reweighting, "volunteers", lambda *_, made=made: made)
            monkeypatch.setattr(reweighting, "_draw", lambda *_: np.arange(50))
            setup = Setup(learner=learner, records=100, sample=50, density=0.5)
            reweighting.pooled_error(setup, rng())
    heard = [one for one in gate.heard if one.said["of"] == "rule"]
    width = heard[0].said["sensitivity"]
    assert width == 1 / 50
    pairs = zip(heard[::2], heard[1::2], strict=True)  # differ in the first label
    moved = [widest((a.value, b.value), np.inf) for a, b in pairs]
    assert max(moved) == pytest.approx(width)


# Reweighting ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-6), (1.0, 1e-5), (4.0, 1e-3)])
@EACH
def test_reweighting_spends_what_it_promises(learner, epsilon, delta):
    asked = {**SMALL, "users_per_test": 4000, "learner_epsilon": 0.2}
    setup = Setup(**asked, learner=learner, epsilon=epsilon, delta=delta)
    with account() as book:
        found = reweighting.run(setup, rng())
    assert len(found.rounds) == 6
    own = book.by_record()
    users = {("users", k) for k in range(6)}
    assert set(own) == {"volunteers", "volunteers without weights", *users}
    # Users: one answer each.
    for k in range(6):
        (one,) = own["users", k]
        assert (one.servers, one.sensitivity) == (4000, 1.0)
        assert one.multiplier == float(analytic_multiplier(epsilon, delta))
        assert type(book)(releases=[one]).delta(epsilon) == pytest.approx(delta, rel=1e-6)
    assert accounted(own["users", 0], epsilon) == pytest.approx(delta, rel=0.01)
    # Volunteers: one learner each round, on a sample of their records.
    assert [one.sensitivity for one in own["volunteers"]] == [1.0 / 50] * 6
    volunteers = type(book)(releases=own["volunteers"])
    step = step_epsilon(0.2, 50, 0.2, 1000)
    spent = volunteers.delta(setup.budgeted)
    assert spent == pytest.approx(delta, rel=1e-3)
    assert spent == pytest.approx(composed_delta(step, 6, setup.budgeted), rel=1e-4)
    assert accounted(own["volunteers"], setup.budgeted, grid=1e-7) == pytest.approx(delta, rel=0.02)


def test_a_shorter_run_spends_less_than_was_paid_for():
    with account() as book:
        found = reweighting.run(Setup(share=0.6, records=20_000), rng())
    assert found.halted
    own = type(book)(releases=book.by_record()["volunteers"])
    assert len(own.releases) == len(found.rounds) < 40
    assert own.delta(found.setup.budgeted) < 1e-6
    with account() as book:
        found = reweighting.run(Setup(**{**SMALL, "learner": "least error"}), rng())
    assert book.delta(30.0) == 1.0
    assert math.isinf(found.setup.budgeted)


def test_users_answer_by_chance_and_with_noise(monkeypatch):
    """Without noise a test is a share of the users asked, whose number is finite."""
    gate = Gate(lambda _place, value, said: value if "servers" in said else 100)
    gate.stand_in(monkeypatch, reweighting)
    found = reweighting.run(Setup(**{**SMALL, "rounds": 300}), rng())
    share = found.rounds[0].error
    said = np.array([one.test for one in found.rounds])
    assert 0.1 < share < 0.9
    assert said * 40 == pytest.approx(np.round(said * 40))
    assert said.var() == pytest.approx(share * (1 - share) / 40, rel=0.35)
    assert said.mean() == pytest.approx(share, abs=4 * math.sqrt(0.25 / 40 / 300))
    for heard in gate.heard:
        if "servers" in heard.said:
            assert 0.0 <= float(heard.value) <= 1.0
            assert heard.said["weights"] * heard.said["servers"] == 1.0  # one user's share


def scripted(patch, rules: list[int], tests: list[float], seed: int) -> reweighting.Run:
    """A run whose learner and users answer by a script."""
    given = {"rule": iter(rules), "test": iter(tests)}
    gate = Gate(lambda _, __, said: next(given["test" if "servers" in said else "rule"], 0))
    with patch.context() as during:
        gate.stand_in(during, reweighting)
        return reweighting.run(Setup(**{**SMALL, "accuracy": 0.1}), rng(seed))


def test_what_reweighting_returns_depends_on_what_users_said_alone(monkeypatch):
    """Rule, end and choice follow the gate's answers, not exact errors or records."""
    tests = [0.9, 0.7, 0.31, 0.8, 0.6, 0.5]
    best = int(np.argmin(reweighting.population_errors()))
    rules = [best, 3, 5, 7, 9, 11]  # the best rule gets the worst answer
    for seed in (0, 1):
        found = scripted(monkeypatch, rules, tests, seed)
        assert [one.rule for one in found.rounds] == rules
        assert [one.test for one in found.rounds] == tests
        assert (found.halted, found.chosen) == (False, 2)
    tests[1] = 0.3  # three times the accuracy: the run ends there
    found = scripted(monkeypatch, rules, tests, 0)
    assert (found.halted, found.chosen, len(found.rounds)) == (True, 1, 2)


# Parts by hand and by other methods, runs --------------------------------------------------------


CALM = examples(60)


@CALM
@given(
    st.lists(st.floats(-30, 0), min_size=2, max_size=30), st.floats(0.02, 1.0), st.integers(0, 9)
)
def test_the_projection_is_the_least_factor(log_weights, kappa, seed):
    log_weights = np.array(log_weights)
    counts = np.random.default_rng(seed).integers(1, 5, len(log_weights)).astype(float)
    value = project(log_weights, kappa, counts)
    target = kappa * counts.sum()
    assert value.max() <= 1.0
    assert float(counts @ value) == pytest.approx(target, rel=1e-9)
    # Independent: the total grows with the factor; bisection on its logarithm.
    low, high = -60.0, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        total = counts @ np.exp(np.minimum(middle + log_weights, 0.0))
        low, high = (low, middle) if total >= target else (middle, high)
    assert value == pytest.approx(np.exp(np.minimum(high + log_weights, 0.0)), rel=1e-6)
    one_by_one = project(np.repeat(log_weights, counts.astype(int)), kappa)
    assert one_by_one == pytest.approx(np.repeat(value, counts.astype(int)), rel=1e-9)


@CALM
@given(st.integers(0, 1000), st.floats(0.05, 0.9))
def test_a_replaced_record_moves_little(seed, kappa):
    generator = np.random.default_rng(seed)
    log_weights = -3.0 * generator.random(40)
    other = log_weights.copy()
    other[0] = -3.0 * generator.random()
    first, second = (project(x, kappa) / (kappa * 40) for x in (log_weights, other))
    # Draws of the other records agree up to the mass of the replaced one.
    common = np.minimum(first[1:], second[1:]).sum()
    assert 1.0 - common <= 1.0 / (kappa * 40) + 1e-12


def test_population_errors_against_draws():
    points, labels, good = reweighting.volunteers(1.0, 200_000, np.random.default_rng(1))
    assert good.all()
    rules = reweighting.halfspaces()
    for index in (0, 5, 17, 200, 388, 755):
        wrong = (points @ rules[index, :2] + rules[index, 2] > 0) != labels
        spread = max(wrong.std(), 1e-3) / math.sqrt(len(wrong))
        assert abs(wrong.mean() - reweighting.population_errors()[index]) < 4 * spread


def test_no_record_weighs_more_than_the_density_allows(monkeypatch):
    """In any round of a run, of a weight 1 in all."""
    heaviest, plain = [], reweighting._values

    def values(setup, level, counts):
        out = plain(setup, level, counts)
        heaviest.append(float(out.max() / (counts @ out)) * setup.records)
        return out

    monkeypatch.setattr(reweighting, "_values", values)
    for learner in ("exponential", "least error"):
        heaviest.clear()
        setup = Setup(share=0.05, step=1.0, records=5000, density=0.1, learner=learner)
        reweighting.one_of(setup, 0, 0)
        assert (max(heaviest) <= 1 / 0.1 + 1e-9) is setup.private


def test_draws_follow_the_weights():
    right = np.array([0, 1, 1, 2] * 500)
    value = np.array([1.0, 0.5, 0.1])
    drawn = reweighting._draw(right, value, 60_000, np.random.default_rng(7))
    share = np.bincount(right[drawn]) / drawn.size
    wanted = np.array([1.0, 1.0, 0.1]) / 2.1
    assert share == pytest.approx(wanted, abs=4 * math.sqrt(0.25 / 60_000))


def test_without_privacy_it_is_algorithm_1():
    found = reweighting.one_of(Setup(learner="least error", records=5000), 0, 0)
    assert found.rounds[-1].test == found.rounds[-1].error  # an exact test
    assert found.error <= 0.2


def test_the_experiment_and_a_broken_update():
    values = {"share": [0.3, 0.6], "records": 3000, "users_per_test": 1e6, "sample": 200}
    *_, last = run(Request(experiment=CLOSENESS, values=values, replicates=4))
    means = {
        (p.series, p.x): e.mean for p, e in zip(last.request.points, last.estimates, strict=True)
    }
    assert means[REWEIGHTED, 0.3] < means[POOLED, 0.3] - 0.2
    assert means[POOLED, 0.6] < 0.2
    # With an update rate of nothing the weights stay and so does the error.
    still = Setup(records=3000, rounds=8, sample=200, step=1e-9)
    assert all(reweighting.one_of(still, 0, k).error > 0.35 for k in range(3))
    with pytest.raises(DomainError, match="drawn again"):
        Request(experiment=CLOSENESS, values={"density": 1e-4}, replicates=2)


def span(rows) -> set[int]:
    found = {0}
    for row in rows:
        found |= {x ^ row for x in found}
    return found


def test_the_rank_by_enumeration():
    generator = np.random.default_rng(0)
    for _ in range(300):
        bits, n = int(generator.integers(1, 7)), int(generator.integers(0, 9))
        rows = parity.draw(bits, n, 0.5, generator)
        assert 2 ** parity.rank(rows) == len(span(rows))
