"""The design in the address: read back as written, and refused with a reason."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers.parameters import DomainError
from rates.resolution.design import CHOICES, Detail, from_text, to_text
from tests.rates.answer.test_laws import LAWS, powers


@LAWS
@given(
    st.integers(1, 10**6),
    powers(6, 12).map(int),
    st.one_of(st.just(math.inf), st.just(0.0), powers(-6, 3)),
    st.floats(1.05, 6),
    st.one_of(st.just(math.inf), st.floats(2, 50)),
    st.floats(0, 100),
    st.tuples(*(st.sampled_from(allowed) for allowed in CHOICES.values())),
)
def test_an_address_reads_back_as_written(m, n, epsilon, smoothness, p, moved, chosen):
    detail = Detail(
        sites=m,
        records=n,
        epsilon=epsilon,
        smoothness=smoothness,
        integrability=p,
        moved=moved,
        **dict(zip(CHOICES, chosen, strict=True)),
    )
    assert from_text(to_text(detail)) == detail


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "10 values"),
        ("20,5000,0.05,2,4,50,site,budget,D", "got 9 values"),
        ("20,5000,0.05,0.6,2,50,site,budget,D,alike", "alpha - 1/p must exceed 1/2"),
        ("20,5000,0.05,2,4,101,site,budget,D,alike", "from 0 to 100"),
        ("20,5000,0.05,2,4,50,site,time,D,alike", "axis must be one of"),
        ("0,5000,0.05,2,4,50,site,budget,D,alike", "at least 1"),
        ("20,x,0.05,2,4,50,site,budget,D,alike", "plain number"),
        ("20,10,0.05,2,4,50,total,budget,D,alike", "at least one record"),
    ],
)
def test_what_is_refused(text, words):
    with pytest.raises(DomainError, match=words):
        from_text(text)
