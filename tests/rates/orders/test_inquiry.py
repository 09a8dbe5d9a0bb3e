"""The file of a question about one's own rate, and the letters that a text is read to have."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers import DomainError
from rates.orders import EXAMPLES, inquiry, parse
from rates.orders.draft import letters, with_text
from rates.orders.inquiry import Inquiry, Said
from rates.orders.reading import by_site
from rates.presets import PRESETS

PLAIN: dict[str, Any] = {"version": 1, "text": "(n*eps)^(-b)", "sizes": ["n", "eps"]}


@pytest.mark.parametrize("asked", EXAMPLES, ids=[x.name for x in EXAMPLES])
def test_every_example_can_be_read_and_comes_back_from_its_file(asked: Inquiry) -> None:
    assert inquiry.from_json(inquiry.to_json(asked)) == asked
    assert inquiry.from_json(inquiry.to_json(asked, indent=None).encode()) == asked
    order = parse(
        asked.text,
        sizes=asked.sizes,
        exponents=dict(asked.exponents),
        unknown=asked.unknown or None,
        rate=asked.rate or None,
        sites=asked.sites,
    )
    assert {*asked.values} == {*asked.sizes, *order.exponents}
    assert asked.reference
    # Typed anew its letters are found as they are declared.
    again = with_text(Inquiry(text="", sizes=()), asked.text, asked.rate)
    assert {*again.sizes} == {*asked.sizes}
    assert {x for x, _ in again.exponents} == {*order.exponents}
    assert (again.unknown, {*again.sites}) == (asked.unknown, {*asked.sites})


BAD: list[tuple[dict[str, Any], str]] = [
    ({"version": 2}, "version must be 1"),
    ({"version": True}, "version must be 1"),
    ({"text": 5}, "text must be a text"),
    ({"text": "n" * 501}, "at most 500 characters"),
    ({"sizes": "n"}, "sizes must be a list"),
    ({"sizes": [f"x{k}" for k in range(41)]}, "at most 40 letters"),
    ({"exponents": {"b": [1]}}, "the lower one first"),
    ({"exponents": {"b": ["low", 2]}}, "b must be a number"),
    ({"at": {"n": "many"}}, "n must be a number"),
    ({"at": {"n": True}}, "n must be a number"),
    ({"at": {"n": -1}}, "must be positive"),
    ({"spans": {"n": [10, 1]}}, "the lower one first"),
    ({"spans": {"n": [0, 1]}}, "those of a size are positive"),
    ({"spans": {"n": [1e-200, 1e200]}}, "from 1e-30 to 1e.30"),
    ({"exponents": ["b"], "at": {"b": 1e300}}, "at most 1,000 in size"),
    ({"claims": [{"equals": "n", "when": []}]}, "Unknown key"),
    ({"claims": [{"where": ["n <= 1"]}]}, "equals is required"),
    ({"claims": [{"equals": "1"}] * 41}, "at most 40 claims"),
    ({"points": [[1, 2, 3, 4]]}, "A point is a list"),
    ({"points": [[1, -2]]}, "must be positive"),
    ({"rate": 1}, "rate must be a text"),
    ({"author": "x"}, "Unknown key"),
]


@pytest.mark.parametrize(("more", "words"), BAD, ids=[words for _, words in BAD])
def test_what_is_no_question_is_refused_with_its_field(more: dict[str, Any], words: str) -> None:
    assert inquiry.from_dict(PLAIN | {"exponents": ["b"]}).sizes == ("n", "eps")
    with pytest.raises(DomainError, match=words):
        inquiry.from_json(json.dumps(PLAIN | more))


def test_numbers_too_large_and_text_that_is_no_json_are_refused() -> None:
    for text in ('{"version": 1, "text": "n", "sizes": ["n"], "at": {"n": 1e400}}', "[", "[1]"):
        with pytest.raises(DomainError):
            inquiry.from_json(text)


@given(st.text(alphabet="nmab01.+-*/^(),: =_jsqrtumixd", max_size=60))
def test_any_text_has_letters_and_keeps_values(text: str) -> None:
    before = Inquiry(text="n", sizes=("n",), at=(("n", 7.0),), claims=(Said("1"),), where=("1",))
    after = with_text(before, text)
    found = letters(text)
    assert not {*found.sizes} & {*found.exponents}
    assert {*after.values} == {*after.sizes, *(x for x, _ in after.exponents)}
    assert after.values.get("n", 7.0) in (7.0, 1.0)
    assert all(v > 0 and math.isfinite(v) for v in after.values.values())
    assert (after.claims, after.where) == (before.claims, before.where)


def test_letters_by_hand() -> None:
    found = letters("a: max(n^-b, (m*eps)^(-(c+1)/2)) * sqrt(d) + sum_j(x^g)")
    assert found.sizes == ("n", "m", "eps", "d", "x")
    assert found.exponents == ("b", "c", "g")
    assert found.inside == ("x", "g")
    assert with_text(Inquiry(text="", sizes=()), "n*h^2 + h = 1").unknown == "h"


def test_the_letter_of_an_infimum_is_none_of_the_rate() -> None:
    found = letters("inf_h(1/n <= h <= 1, h^(2*b) + 1/(n*h)) + best_k(m, k/n)")
    assert (found.sizes, found.exponents) == (("n", "m"), ("b",))
    assert with_text(Inquiry(text="", sizes=()), "inf_h(h <= 1, h + 1/(n*h))").unknown == ""


def test_a_row_of_several_sites_counts_as_often() -> None:
    for preset in PRESETS:
        servers = preset.study.servers
        values = by_site(("m", "n"), preset.study)
        assert values["m"].tolist() == [s.count for s in servers]
        if sum(s.count for s in servers) <= 10_000:
            values = by_site(("n", "eps", "gamma"), preset.study)
            assert values["n"].sum() == sum(s.count * s.n for s in servers)
        else:
            with pytest.raises(DomainError, match="at most 10,000 sites"):
                by_site(("n",), preset.study)
    with pytest.raises(DomainError, match="no such letter"):
        by_site(("q",), PRESETS[0].study)
