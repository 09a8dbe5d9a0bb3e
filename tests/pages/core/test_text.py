"""The one text form of settings in an address."""

from __future__ import annotations

import math

import pytest

from pages import resolution
from pages.core import url_state
from rates.numbers import DomainError
from tests.pages.core.toy import TOY, Toy


@pytest.mark.parametrize(
    ("record", "written"),
    [
        (Toy(), ""),
        (Toy(epsilon=2), "epsilon:2"),
        (Toy(epsilon=math.inf, kind="hard", sizes=(0.1, 3)), "epsilon:inf;kind:hard;sizes:0.1,3"),
    ],
)
def test_what_is_usual_is_left_out_and_the_rest_comes_back(record, written):
    assert TOY.write(record) == {"toy": written}
    assert TOY.read({"toy": written}) == record
    assert TOY.link(record) == ({"toy": written} if written else {})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("epsilon:1;epsilon:2", "may be named once"),
        ("epsilon:x", "must be a number"),
        ("epsilon:nan", "must be a number"),
        ("epsilon:-1", "epsilon must be >= 0"),
        ("kind:round", '"soft" or "hard"'),
        ("colour:3", "no part of this name"),
        ("margin:2", "may not exceed"),
        ("epsilon:" + "1" * 9000, "at most 8,000 characters"),
    ],
)
def test_what_cannot_be_read_is_refused(given, told):
    with pytest.raises(DomainError, match=told):
        TOY.read({"toy": given})


def test_a_number_that_a_field_took_is_one_in_a_link():
    (smoothness,) = (one for one in resolution.DETAIL.settings if one.name == "smoothness")
    assert resolution.DETAIL.read({"detail": "smoothness:1e6"}).smoothness == 1e6
    assert url_state.read(smoothness, "999999") == 999999


def test_an_earlier_form_is_read_and_a_part_may_have_a_text_of_its_own():
    assert TOY.read({"toy": "3,0.25"}) == Toy(epsilon=3, margin=0.25)
    part = url_state.Packed("word", str.upper, str.lower)
    assert url_state.written(part, "ab") == "AB"
    assert url_state.parse("word:AB", (part,), field="x", noun="X") == {"word": "ab"}
