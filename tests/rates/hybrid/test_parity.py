"""The private PARITY learner: chances by enumeration, by limits, and against its bound."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from rates.hybrid.parity import (
    batch_needed,
    batch_records,
    batches,
    failure_chance,
    guess_chance,
    learner_chance,
    mean_square_of,
    rank_law,
    records_needed,
    run_chance,
    source_records,
    uniform_records,
)
from rates.numbers.parameters import DomainError


def rank(rows) -> int:
    basis: list[int] = []
    for row in rows:
        left = row
        for known in basis:
            left = min(left, left ^ known)
        if left:
            basis.append(left)
    return len(basis)


@pytest.mark.parametrize(("bits", "records"), [(1, 1), (2, 3), (3, 2), (3, 4)])
def test_the_law_of_the_rank_by_enumeration(bits, records):
    counts = np.zeros(bits + 1)
    for rows in itertools.product(range(2**bits), repeat=records):
        counts[rank(rows)] += 1
    assert rank_law(bits, records) == pytest.approx(counts / counts.sum(), abs=1e-14)


@pytest.mark.parametrize(("bits", "kept"), [(1, 1), (1, 4), (2, 2), (3, 1), (3, 4)])
@pytest.mark.parametrize("rare", [0.5, 0.2, 0.01])
def test_the_chances_to_guess_and_to_miss_a_bit_by_enumeration(bits, kept, rare):
    first, total, missed = 1 << (bits - 1), 0.0, 0.0
    for rows in itertools.product(range(2**bits), repeat=kept):
        ones = sum(bool(row & first) for row in rows)
        chance = rare**ones * (1 - rare) ** (kept - ones) * 2.0 ** (-(bits - 1) * kept)
        total += chance * 2.0 ** (rank(rows) - bits)
        missed += chance * (rank(rows) < bits)
    assert guess_chance(bits, kept, rare) == pytest.approx(total, rel=1e-12)
    assert failure_chance(bits, kept, rare) == pytest.approx(missed, abs=1e-12)


@pytest.mark.parametrize(("bits", "rare"), [(8, 0.5), (8, 0.1), (64, 0.02)])
def test_the_guess_lies_between_spanning_and_half_of_the_rest(bits, rare):
    for kept in (bits, bits + 5, bits + 60, bits + 100):
        missed = float(failure_chance(bits, kept, rare))
        found = guess_chance(bits, kept, rare)
        assert 1 - missed - 1e-12 <= found <= 1 - missed / 2 + 1e-12


def test_the_learner_is_the_mean_over_what_it_keeps():
    for bits, n, rare, epsilon in [(4, 30, 0.3, 0.5), (16, 400, 0.05, 0.4), (128, 5000, 0.5, 0.2)]:
        keep = epsilon / 4
        chance, mean = (1 - keep) ** n, 0.0
        for k in range(min(n, 600) + 1):
            mean += chance * guess_chance(bits, k, rare)
            chance *= (n - k) / (k + 1) * keep / (1 - keep)
        assert learner_chance(bits, n, rare, epsilon) == pytest.approx(mean / 2, rel=1e-9)


def test_the_run_in_its_limits():
    common = {"bits": 8, "rare": 0.3, "epsilon": 0.5, "delta": 1e-6}
    p = learner_chance(8, 120, 0.3, 0.5)
    one = run_chance(records=120, batches=1, users_per_test=1000, **common)
    assert one == pytest.approx(p, rel=1e-9)
    sharp = run_chance(records=120, batches=7, users_per_test=10**7, **common)
    assert sharp == pytest.approx(1 - (1 - p) ** 7, rel=1e-9)
    # One user and much noise: any answer that was given is as likely as another.
    blind = run_chance(records=120, batches=7, users_per_test=1, **common)
    given = 1 - 0.5**7
    assert 2 * p * given < blind < 2 * p * given * 1.2


def test_a_batch_that_is_enough_is_the_smallest_and_far_below_the_bound():
    rare, count = 0.05, batches(0.01)
    n = batch_needed(16, 0.01, rare, 0.5, count)
    assert n is not None

    def failure(records: int) -> float:
        return (1 - learner_chance(16, records, rare, 0.5)) ** count

    assert failure(n) <= 0.01 < failure(n - 1)
    assert n < batch_records(16, 0.01, mean_square_of(rare), 0.5) / 100
    assert batch_needed(16, 0.01, rare, 0.5, 6) is None
    assert batch_needed(16, 0.01, 1e-9, 0.5, count) is not None  # a guess of the bit is enough


def test_bad_input_is_named():
    with pytest.raises(DomainError, match="at most 1/2"):
        learner_chance(8, 10, 0.5, 0.6)
    with pytest.raises(DomainError, match="records"):
        learner_chance(8, -1, 0.5, 0.5)
    with pytest.raises(DomainError, match="users per test"):
        run_chance(
            bits=8, records=9, batches=2, rare=0.5, epsilon=0.5, delta=1e-6, users_per_test=0
        )


def test_records_of_parity_against_the_exact_number():
    for bits in (16, 64, 128):
        exact = records_needed(bits, 0.01)
        assert exact == bits + 7
        assert exact < uniform_records(bits, 0.01)
    assert uniform_records(64, 0.01) == pytest.approx(809, abs=1)
    x = mean_square_of(0.005)
    assert math.log(100) / 0.005 == pytest.approx(921, abs=1)
    assert records_needed(32, 0.01, 0.005) == pytest.approx(919, abs=1)
    assert source_records(32, 0.01, x) == pytest.approx(51_913, abs=2)
    assert batch_records(32, 0.01, x, 1.0) == pytest.approx(602_487, abs=20)
