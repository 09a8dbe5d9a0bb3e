"""PARITY: when records show every bit, by enumeration and against the printed bounds."""

from __future__ import annotations

import itertools

import pytest

from rates.hybrid import parity


@pytest.mark.parametrize(("bits", "kept"), [(1, 1), (1, 4), (2, 2), (3, 1), (3, 4)])
@pytest.mark.parametrize("rare", [0.5, 0.2, 0.01])
def test_the_chance_to_miss_a_bit_by_enumeration(bits, kept, rare):
    first, missed = 1 << (bits - 1), 0.0
    for rows in itertools.product(range(2**bits), repeat=kept):
        ones = sum(bool(row & first) for row in rows)
        chance = rare**ones * (1 - rare) ** (kept - ones) * 2.0 ** (-(bits - 1) * kept)
        spanned = {0}
        for row in rows:
            spanned |= {x ^ row for x in spanned}
        missed += chance * (len(spanned) < 2**bits)
    assert parity.failure_chance(bits, kept, rare) == pytest.approx(missed, abs=1e-12)


def test_records_of_parity_against_the_exact_number():
    for bits in (16, 64, 128):
        assert parity.records_needed(bits, 0.01) == bits + 7 < parity.uniform_records(bits, 0.01)
