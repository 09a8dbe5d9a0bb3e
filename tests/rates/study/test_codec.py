"""Files and links: round trips, and refusals that name row, field, allowed set and value."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates import orders
from rates.numbers import DomainError, pack
from rates.rows import tables
from rates.study import PRESETS, codec, preset
from tests.rates import made
from tests.rates.rows.sites import with_csv

NAMES = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=80
).filter(lambda s: s.strip() and s != "all")
EPSILONS = st.one_of(st.just(math.inf), st.just(0.0), st.floats(1e-300, 1e300))
DELTAS = st.one_of(st.none(), st.floats(1e-300, 0.999))


@st.composite
def studies(draw):
    count = draw(st.integers(1, 5))
    names = draw(st.lists(NAMES, min_size=count, max_size=count, unique=True))
    transfer = draw(st.booleans())
    rows = []
    for row, name in enumerate(names):
        more = {"count": draw(st.integers(1, 10**9)) if row else 1}
        if transfer and row:
            more["signal_exponent"] = draw(st.floats(1e-3, 1e3))
        n, epsilon, delta = draw(st.integers(0, 10**15)), draw(EPSILONS), draw(DELTAS)
        rows.append(made.site(name, n, epsilon, delta, **more))
    if transfer:
        beta, d = draw(st.floats(1e-3, 1)), draw(st.integers(1, 10**6))
        return made.transfer(*rows, beta=beta, d=d, alpha=draw(st.floats(0, 1)))
    p = draw(st.one_of(st.just(math.inf), st.floats(2, 100)))
    return made.curve(*rows, alpha=draw(st.floats(1.01, 50)), p=p)


@given(studies())
def test_every_form_gives_the_study_back(study):
    assert codec.from_json(codec.to_json(study)) == study
    assert codec.from_json(codec.to_json(study).encode()) == study
    assert codec.from_link(codec.to_link(study)) == study
    assert codec.from_link(codec.to_json(study, indent=None)) == study
    assert with_csv(study, tables.to_csv(study)) == study


@given(st.binary(max_size=300))
def test_any_bytes_give_a_study_or_a_refusal(data):
    link = "~1" + data.decode("latin-1")
    for read in (codec.from_json, lambda x: with_csv(PRESETS[0].study, x)):
        with pytest.raises(DomainError):
            read(data)
    with pytest.raises(DomainError):
        codec.from_link(link)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(
    st.sampled_from(["version", "kind", "smoothness", "dimension", "margin", "servers", "scope"])
    | st.sampled_from(codec.OWN),
    JSON,
)
def test_any_value_in_any_place_gives_a_study_or_a_refusal(field, value):
    data = codec.to_dict(PRESETS[0].study)
    place = data["servers"][1] if field in codec.OWN else data
    place[field] = value
    with suppress(DomainError):
        assert codec.from_json(json.dumps(data)).servers


@given(studies(), st.integers(1, 400))
def test_a_cut_link_is_refused(study, cut):
    link = codec.to_link(study)
    with pytest.raises(DomainError, match="link"):
        codec.from_link(link[: max(2, len(link) - cut)])


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


one = partial(changed, codec.to_json(preset("hospitals").study, indent=None))
FEDERATED = codec.to_json(preset("unequal").study, indent=None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (one('"n":303', '"n":-3'), ["non-negative integer", "Row 2", "Cleveland", "field n", "-3"]),
        (one('"n":303', '"n":"303"'), ["n must be a number", "'303'"]),
        (one('"n":303', '"n":1e400'), ["floating point", "1e400"]),
        (one('"epsilon":1,', '"epsilon":1e-400,'), ["floating point", "1e-400"]),
        (one('"epsilon":1,', '"epsilon":"Inf",'), ["the text inf", "'Inf'"]),
        (one('"delta":1e-06', '"delta":"inf"'), ["delta must be a number"]),
        (one('"n":303', '"size":303'), ["Unknown key", "size", "Cleveland"]),
        (one('"n":303,', ""), ["n is required", "Cleveland"]),
        (one('"n":303', '"n":303,"n":303'), ["once only", "n"]),
        (one('"name":"Cleveland"', '"name":"Hungary"'), ["unique", "Row 2", "Hungary"]),
        (one('"role":"target",', ""), ["exactly one", "role", "none"]),
        (one('"version":1', '"version":2'), ["version must be 1", "2"]),
        (one('"margin":1', '"margin":9'), ["alpha*beta must be at most d"]),
        (one('"version":1', '"version":1,"scope":{"version":1,"x":2}'), ["Scope", "x"]),
        (changed(FEDERATED, '"n":20000', '"n":20000,"role":"target"'), ["no target"]),
        (changed(FEDERATED, '"n":20000', '"n":20000,"signal_exponent":2'), ["must be 1", "clinic"]),
        ("[1, 2]", ["JSON object"]),
        ("{", ["must be JSON"]),
        ("[" * 100_000, ["at most 50 brackets open at once"]),
        (b"\xff\xfe\x00", ["UTF-8"]),
        (b"x" * 5_000_000, ["at most 4 MB", "5.0 MB"]),
    ],
)
def test_refusals_name_what_is_wrong(text, words):
    with pytest.raises(DomainError) as caught:
        codec.from_json(text)
    for word in words:
        assert word in str(caught.value)


DEEP = "[" * 7_000


READERS = [codec.from_json, orders.inquiry.from_json, codec.from_link]
READERS.append(lambda text: codec.from_link(pack(text)))


@pytest.mark.parametrize("read", READERS, ids=["study", "rate", "link", "short link"])
@pytest.mark.parametrize("text", [DEEP, '{"a":' * 1_500, f'["\\"]]", {DEEP}'])
def test_brackets_are_counted_before_anything_is_read(read, text):
    with pytest.raises(DomainError, match="at most 50 brackets open at once"):
        read(text)


def test_too_many_rows_are_refused():
    data = codec.to_dict(preset("unequal").study)
    data["servers"] = [{"name": f"s{k}", "n": 1, "epsilon": 1} for k in range(10_001)]
    with pytest.raises(DomainError, match="at most 10,000 rows"):
        codec.from_json(json.dumps(data))
    table = "name,n,epsilon\n" + "\n".join(f"s{k},1,1" for k in range(10_001))
    with pytest.raises(DomainError, match="at most 10,000 rows"):
        with_csv(preset("unequal").study, table)


def test_links_beyond_the_limit_are_refused():
    with pytest.raises(DomainError, match="8,000 characters"):
        codec.from_link("~1" + "a" * 8_000)
    with pytest.raises(DomainError, match="version must be 1"):
        codec.from_link("~2abc")
