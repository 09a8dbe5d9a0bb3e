"""The design in the address: read back as written, and refused with a reason."""

from __future__ import annotations

import pytest

from rates.maps.alike import from_text
from rates.numbers.parameters import DomainError


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "10 values"),
        ("20,5000,0.05,2,4,50,site,budget,D", "got 9 values"),
        ("20,5000,0.05,0.6,2,50,site,budget,D,alike", "alpha - 1/p must exceed 1/2"),
        ("20,5000,0.05,2,4,101,site,budget,D,alike", "from 0 to 100"),
        ("20,5000,0.05,2,4,50,site,time,D,alike", "axis must be one of"),
        ("0,5000,0.05,2,4,50,site,budget,D,alike", "from 1 to 1e9"),
        ("20,x,0.05,2,4,50,site,budget,D,alike", "plain number"),
        ("20,10,0.05,2,4,50,total,budget,D,alike", "at least one record"),
    ],
)
def test_what_is_refused(text, words):
    with pytest.raises(DomainError, match=words):
        from_text(text)
