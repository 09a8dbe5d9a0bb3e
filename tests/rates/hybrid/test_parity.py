"""PARITY: when records show every bit, by enumeration and against the printed bounds."""

from __future__ import annotations

import itertools

import pytest

from rates.hybrid.parity import (
    failure_chance,
    mean_square_of,
    records_needed,
    source_records,
    uniform_records,
)


def spanned(rows) -> int:
    found = {0}
    for row in rows:
        found |= {x ^ row for x in found}
    return len(found)


@pytest.mark.parametrize(("bits", "kept"), [(1, 1), (1, 4), (2, 2), (3, 1), (3, 4)])
@pytest.mark.parametrize("rare", [0.5, 0.2, 0.01])
def test_the_chance_to_miss_a_bit_by_enumeration(bits, kept, rare):
    first, missed = 1 << (bits - 1), 0.0
    for rows in itertools.product(range(2**bits), repeat=kept):
        ones = sum(bool(row & first) for row in rows)
        chance = rare**ones * (1 - rare) ** (kept - ones) * 2.0 ** (-(bits - 1) * kept)
        missed += chance * (spanned(rows) < 2**bits)
    assert failure_chance(bits, kept, rare) == pytest.approx(missed, abs=1e-12)


def test_records_of_parity_against_the_exact_number():
    for bits in (16, 64, 128):
        assert records_needed(bits, 0.01) == bits + 7 < uniform_records(bits, 0.01)
    assert uniform_records(64, 0.01) == pytest.approx(809, abs=1)
    assert records_needed(32, 0.01, 0.005) == pytest.approx(919, abs=1)
    assert source_records(32, 0.01, mean_square_of(0.005)) == pytest.approx(51_913, abs=2)
