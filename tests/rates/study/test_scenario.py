"""Records: what they refuse, in which words, and what they hand on."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.numbers import parameters as limits
from rates.numbers.parameters import check_array
from rates.study import FederatedStudy, Server, TransferStudy

NO_NUMBERS = [True, False, np.True_, "1", "inf", None, 1j, [1], Decimal(1), object()]


def server(**fields: Any) -> Server:
    return Server(**({"name": "Boston", "n": 100, "epsilon": 1.0} | fields))


def transfer(**fields: Any) -> TransferStudy:
    given = {"target": server(), "smoothness": 0.5, "dimension": 2, "margin": 1.0}
    return TransferStudy(**(given | fields))


def federated(**fields: Any) -> FederatedStudy:
    return FederatedStudy(**({"servers": [server()], "smoothness": 1.5} | fields))


def refusal(make: Any, **fields: Any) -> DomainError:
    """Return the error that refuses these fields."""
    with pytest.raises(DomainError) as caught:
        make(**fields)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)
    return caught.value


FIELDS = {server: limits.SERVER_FIELDS, transfer: limits.TRANSFER_FIELDS}
FIELDS[federated] = limits.FEDERATED_FIELDS
OUTSIDE: dict[Any, dict[str, tuple[Any, ...]]] = {
    server: {
        "n": (-1, 2.5, math.inf, -(10**400), np.float64(0.1)),
        "epsilon": (-1e-9, -math.inf, np.float64(-1)),
        "delta": (0, 1, -0.1, 1.5, math.inf, Fraction(-(10**400))),
        "signal_exponent": (0, -1, math.inf),
        "count": (0, -3, 1.5, math.inf),
    },
    transfer: {"smoothness": (0, -0.5, 1.01, math.inf), "dimension": (0, 1.5), "margin": (-0.1,)},
    federated: {"smoothness": (0.5, 0), "integrability": (1.99, -math.inf)},
}


@pytest.mark.parametrize(
    ("make", "field", "value"),
    [
        (make, field, x)
        for make, fields in OUTSIDE.items()
        for field, values in fields.items()
        for x in (*values, math.nan, *NO_NUMBERS)
        if not (field == "delta" and x is None)
    ],
)
def test_what_lies_outside_its_domain_is_refused(make: Any, field: str, value: object) -> None:
    error = refusal(make, **{field: value})
    where = "Server 'Boston'" if make is server else "Study"
    assert (error.rule, error.field, error.where) == (FIELDS[make][field].allowed, field, where)
    assert error.value is value


@pytest.mark.parametrize(
    ("make", "field", "limit", "words"),
    [
        (server, "n", limits.MAX_N, "Sample size"),
        (server, "count", limits.MAX_COUNT, "count"),
        (transfer, "dimension", limits.MAX_DIMENSION, "Dimension d"),
        (federated, "smoothness", limits.MAX_SMOOTHNESS, "Smoothness alpha"),
    ],
)
def test_limits_of_ours_have_their_own_words(make: Any, field: str, limit: int, words: str) -> None:
    assert getattr(make(**{field: limit}), field) == limit
    assert getattr(make(**{field: float(limit)}), field) == limit
    for value in (limit + 1, 10**20, 2.0 * limit):
        told = f"{words} must be at most 1e{math.log10(limit):.0f}."
        assert str(refusal(make, **{field: value})).startswith(told)


@pytest.mark.parametrize("n", [7, 7.0, np.int64(7), np.float32(7), Fraction(14, 2), np.uint8(7)])
def test_numbers_of_any_type_become_plain_ones(n: object) -> None:
    made = server(n=n, count=n, epsilon=n, signal_exponent=n)
    for field, kind in (("n", int), ("count", int), ("epsilon", float), ("signal_exponent", float)):
        assert type(getattr(made, field)) is kind
        assert getattr(made, field) == 7
    assert server(epsilon=Fraction(1, 4)).epsilon == 0.25
    assert type(server(delta=np.float64(0.5)).delta) is float
    assert type(transfer(dimension=np.int32(3)).dimension) is int


NO_NAMES = ["", "x" * 81, "all", " ", "\t", "a\nb", "a\x00b", "a\x7f", "a\u2028b", "\ud800"]


@pytest.mark.parametrize("name", [*NO_NAMES, 7, None, b"A"])
def test_names_refused(name: object) -> None:
    error = refusal(server, name=name)
    words = 'A name must have 1 to 80 printable characters and must not be "all". name: got'
    assert str(error).startswith(words)
    assert error.value is name
    str(error).encode()


A, B = server(name="A"), server(name="B")
ROWS = [server(name=f"{i}") for i in range(limits.MAX_ROWS + 1)]
TWICE = "Names must be unique. Server "
MOST = "A study has at most 10,000 rows (use count for identical sites). servers: got 10001."


@pytest.mark.parametrize(
    ("make", "fields", "words"),
    [
        (transfer, {"smoothness": 0.7, "margin": 3}, "alpha*beta must be at most d (Remark 2.2)."),
        (transfer, {"target": server(signal_exponent=0.9)}, "The target's signal exponent is 1"),
        (transfer, {"target": server(count=2)}, "There is one target, so its count must be 1."),
        (transfer, {"target": None}, "target must be a Server."),
        (federated, {"smoothness": 1.0, "integrability": 2}, "alpha - 1/p must exceed 1/2."),
        (federated, {"smoothness": 0.7, "integrability": 4}, "alpha - 1/p must exceed 1/2."),
        (federated, {"servers": [server(signal_exponent=2)]}, "Sites of a federated study share"),
        (federated, {"servers": []}, "A study needs at least one server."),
        (transfer, {"target": A, "sources": [B, server(name="A")]}, TWICE),
        (transfer, {"target": A, "sources": [B, server(name="B")]}, TWICE),
        (federated, {"servers": [A, B, server(name="B")]}, TWICE),
        (federated, {"servers": ROWS}, MOST),
        (transfer, {"target": ROWS[0], "sources": ROWS[1:]}, MOST),
        *(
            (make, {field: rows}, f"{field} must be a sequence of Server")
            for make, field in ((federated, "servers"), (transfer, "sources"))
            for rows in (None, "AB", 7, [1], {server()}, [server(), None])
        ),
    ],
)
def test_what_does_not_go_together(make: Any, fields: dict[str, Any], words: str) -> None:
    assert str(refusal(make, **fields)).startswith(words)


def test_what_just_goes_together() -> None:
    assert transfer(smoothness=0.05, margin=20 * (1 + 1e-13), dimension=1).dimension == 1
    refusal(transfer, smoothness=0.05, margin=20 * (1 + 1e-11), dimension=1)
    assert federated(smoothness=0.76, integrability=4).pointwise_smoothness > 0.5
    sources = [server(name="B", signal_exponent=2, count=2)]
    assert transfer(sources=sources).servers[1].count == 2
    assert len(federated(servers=ROWS[1:]).servers) == limits.MAX_ROWS
    assert len(transfer(target=ROWS[0], sources=ROWS[1:-1]).servers) == limits.MAX_ROWS


def test_arrays_of_the_functions() -> None:
    assert check_array("n", 3).shape == (1,)
    cases: list[tuple[dict[str, Any], Any, str]] = [
        ({}, [1, 0], "n must be positive and finite. n: got 0."),
        ({"zero": True}, [1, -2], "n must be >= 0 and finite. n: got -2."),
        ({"zero": True}, [math.nan], "n must be >= 0 and finite. n: got nan."),
        ({"zero": True, "infinite": True}, -math.inf, "n must be >= 0. n: got -inf."),
        ({}, "many", "n must be positive and finite. n: got 'many'."),
        ({}, 10**400, "n must be positive and finite. n: got a whole number"),
        ({"single": True}, [1, 2], "n does not vary over servers"),
    ]
    for options, value, words in cases:
        with pytest.raises(DomainError) as caught:
            check_array("n", value, **options)
        assert str(caught.value).startswith(words)
    assert check_array("n", math.inf, infinite=True)[0] == math.inf
    assert check_array("n", [[1], [2]], single=True).shape == (2, 1)
