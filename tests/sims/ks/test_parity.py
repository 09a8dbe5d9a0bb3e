"""PARITY: rank and solutions by enumeration, the learner's exact privacy, and its runs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from sims.engine.experiment import Request
from sims.engine.runs import run
from sims.ks import parity
from sims.ks.study import PARITY


def span(rows) -> set[int]:
    found = {0}
    for row in rows:
        found |= {x ^ row for x in found}
    return found


def test_rank_and_solutions_by_enumeration():
    generator = np.random.default_rng(0)
    for _ in range(300):
        bits, n = int(generator.integers(1, 7)), int(generator.integers(0, 9))
        rows = parity.draw(bits, n, 0.5, generator)
        assert 2 ** parity.rank(rows) == len(span(rows))
        labels = [int(x) for x in generator.integers(0, 2, n)]
        fits = {
            subset
            for subset in range(2**bits)
            if all((row & subset).bit_count() & 1 == y for row, y in zip(rows, labels, strict=True))
        }
        found = parity.solve(rows, labels, bits)
        got = set() if found is None else {found.one ^ x for x in span(found.basis)}
        assert got == fits
        if found is not None:
            assert found.pick(generator) in fits


def answers(rows, labels, bits: int, epsilon: float) -> dict[int | None, float]:
    """The exact law of the learner's answer, by all subsamples."""
    keep, out = epsilon / 4, {None: 0.5}
    for kept in itertools.product((0, 1), repeat=len(rows)):
        chance = math.prod(keep if k else 1 - keep for k in kept) / 2
        some = [i for i, k in enumerate(kept) if k]
        found = parity.solve([rows[i] for i in some], [labels[i] for i in some], bits)
        fits = [None] if found is None else [found.one ^ x for x in span(found.basis)]
        for one in fits:
            out[one] = out.get(one, 0.0) + chance / len(fits)
    return out


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_learner_is_private_exactly(n: int):
    epsilon, records = 0.5, list(itertools.product(range(4), (0, 1)))
    laws = {
        data: answers([r for r, _ in data], [y for _, y in data], 2, epsilon)
        for data in itertools.product(records, repeat=n)
    }
    worst = 0.0
    for data, law in laws.items():
        for record in records:
            other = laws[(record, *data[1:])]
            assert set(law) == set(other)
            worst = max(worst, *(math.log(law[a] / other[a]) for a in law))
    assert 0 < worst <= epsilon


def test_the_hybrid_run_finds_the_bits():
    def found(records: int, batches: int, seed: int) -> parity.ParityRun:
        how = {"rare": 0.2, "epsilon": 0.5, "delta": 1e-6, "users_per_test": 20_000}
        size = {"bits": 16, "records": records, "batches": batches}
        return parity.run(**size, **how, generator=np.random.default_rng(seed))

    many = [found(600, 19, seed) for seed in range(20)]
    assert all(one.right for one in many)
    assert all(abs(one.tests[one.answers.index(one.truth)]) < 0.3 for one in many)
    assert not found(10, 3, 0).right


def test_the_experiment_lies_on_the_exact_curve():
    values = {"bits": 24, "extra": [0, 2, 6, 40], "rare": 0.05}
    *_, last = run(Request(experiment=PARITY, values=values, replicates=200))
    for point, estimate in zip(last.request.points, last.estimates, strict=True):
        assert point.exact is not None
        spread = math.sqrt(point.exact * (1 - point.exact) / 200)
        assert abs(estimate.mean - point.exact) <= 4 * spread + 1e-3
